package model

import (
	"os"
	"strconv"
	"strings"
	"testing"
)

// table is the cells of a file of testdata, comments left out.
func table(t *testing.T, name string) [][]string {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]string
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "#") {
			rows = append(rows, strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
		}
	}
	return rows
}

func float(t *testing.T, text string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestCounts compares with counts that another program made from the same configurations by other formulas. It has the
// biases, sinks and norms of attention with attention, and the biases of MLPs with MLPs.
func TestCounts(t *testing.T) {
	rows := table(t, "counts.tsv")
	for _, r := range rows {
		k := get(t, r[0])
		p := k.Params()
		for i, got := range []float64{p.Total(), k.ActiveTotal(), k.ActiveWithoutLookup()} {
			if want := float(t, r[1+i]); got != want {
				t.Errorf("%s: column %d: %.0f, want %.0f (%+.0f)", k.ID, i, got, want, got-want)
			}
		}
		blockNorms := float64(k.Layers*k.NormsPerLayer()+1) * k.normSize(float64(k.Width))
		layers := p.Attention() + p.FeedForward() + p.Small() - blockNorms
		if want := float(t, r[4]) + float(t, r[5]); layers != want {
			t.Errorf("%s: attention and MLPs %.0f, want %.0f", k.ID, layers, want)
		}
		if k.Bias == (Bias{}) && k.QKNorm == NoQKNorm && k.MLA.KVRank == 0 &&
			(p.Attention() != float(t, r[4]) || p.FeedForward() != float(t, r[5])) {
			t.Errorf("%s: attention %.0f, MLPs %.0f, want %s and %s", k.ID, p.Attention(), p.FeedForward(), r[4], r[5])
		}
		if p.Unembedding != float(t, r[6]) || float64(k.KVBytesPerToken(2)) != float(t, r[7]) {
			t.Errorf("%s: unembedding %.0f, cache %.0f, want %s and %s", k.ID, p.Unembedding, k.KVBytesPerToken(2), r[6], r[7])
		}
	}
	if len(rows) != 34 {
		t.Errorf("%d rows", len(rows))
	}
}

// counted is what a publisher counts for one token of one of its runs.
func counted(m Model, convention string, T float64) float64 {
	switch convention {
	case "full":
		return float64(m.FLOPsPerToken(T, Full, Train))
	case "causal":
		return float64(m.FLOPsPerToken(T, Causal, Train))
	case "windowed":
		return float64(m.FLOPsPerToken(T, Windowed, Train))
	case "frozen":
		return float64(m.FLOPsPerToken(T, NoAttention, Frozen))
	case "ungated":
		m.Plain = true
		return float64(m.FLOPsPerToken(T, Causal, Train))
	case "mtp":
		more := m
		more.Layers++ // with experts, since the dense layers lead
		join := 6 * 2 * float64(m.Width) * float64(m.Width)
		return float64(more.FLOPsPerToken(T, Causal, Train)+m.UnembeddingFLOPs(Train)) + join
	}
	return 0
}

// TestPublishedThroughputs: whoever prints TFLOP/s and token/s has told what he counts for a token.
func TestPublishedThroughputs(t *testing.T) {
	rows := table(t, "flops.tsv")
	seen := map[string]int{}
	for _, r := range rows {
		seen[r[4]]++
		got := counted(get(t, r[2]).Model, r[4], float(t, r[3]))
		want := float(t, r[5]) * 1e12 / float(t, r[6])
		if off := got/want - 1; off > float(t, r[7])/100 || off < -float(t, r[7])/100 {
			t.Errorf("%s %s: %s of %s: %.4g FLOP a token, published %.4g (%+.2f%%)", r[0], r[1], r[4], r[2], got, want, 100*off)
		}
	}
	if len(rows) != 140 || seen["full"] != 14 || seen["causal"] < 90 || seen["mtp"] != 15 || seen["ungated"] != 14 {
		t.Errorf("%d rows: %v", len(rows), seen)
	}
}
