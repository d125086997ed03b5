package model

import (
	"math"
	"testing"

	q "github.com/scalebook/scalebook/app/quantity"
)

// near tells whether two numbers differ by no more than a share.
func near(a, b, share float64) bool { return math.Abs(a-b) <= share*math.Abs(b) }

// mpt is a model of the MPT family: a GPT with biases everywhere and a tied embedding of 50368 rows.
func mpt(layers, width, heads, positions int) Model {
	return Model{
		Layers:    layers,
		Width:     width,
		Heads:     heads,
		FFWidth:   4 * width,
		Plain:     true,
		Vocab:     50368,
		Tied:      true,
		Positions: positions,
		Norm:      LayerNorm,
		Bias:      Bias{QKV: true, Output: true, MLP: true},
	}
}

// TestPublishedMFU counts 44 models to the last parameter and their runs to what was printed. Ours count the weights
// that are multiplied, theirs all parameters, which makes up to half a percent for the longest position tables.
func TestPublishedMFU(t *testing.T) {
	shapes := map[string][3]int{
		"mpt-7b":  {32, 4096, 32},
		"mpt-13b": {40, 5120, 40},
		"mpt-30b": {48, 7168, 64},
		"mpt-70b": {80, 8192, 64},
	}
	rows := table(t, "mfu.tsv")
	for _, r := range rows {
		s, T := shapes[r[0]], float(t, r[2])
		m := mpt(s[0], s[1], s[2], int(T))
		if got := m.Params().Total(); got != float(t, r[1]) {
			t.Errorf("%s of %v tokens: %.0f parameters, published %s", r[0], T, got, r[1])
		}
		peak := q.FLOPRate(312e12)
		if r[3] == "H100" {
			peak = 989.4e12
		}
		all := q.FLOPs(6*m.ActiveTotal()) + m.AttentionFLOPs(T, Full, Train)
		if got := 100 * float64(all) * float(t, r[4]) / float64(peak); !near(got, float(t, r[5]), 0.003) {
			t.Errorf("%s of %v tokens: MFU %.2f%%, published %s%%", r[0], T, got, r[5])
		}
		if ours := m.FLOPsPerToken(T, Full, Train); ours > all || !near(float64(ours), float64(all), 0.03) {
			t.Errorf("%s of %v tokens: %v, all parameters make %v", r[0], T, ours, all)
		}
	}
	if len(rows) != 44 {
		t.Errorf("%d rows", len(rows))
	}
}

// TestRuns are runs that were published as a whole.
func TestRuns(t *testing.T) {
	if llama := 6 * get(t, "llama3.405b").Params().Total() * 15.6e12; !near(llama, 3.8e25, 0.01) {
		t.Errorf("Llama 3.1 405B: %v FLOP, its paper has 3.8e25", llama)
	}
	if got := 6 * get(t, "gpt3.175b").Params().Total() * 300e9; !near(got, 3.14e23, 0.005) {
		t.Errorf("GPT-3: %v FLOP, its paper has 3.14e23", got)
	}
	const hours = 2.788e6 // of an H800, DeepSeek-V3 technical report, table 1
	v3 := get(t, "deepseek.v3").FLOPsPerToken(4096, Causal, Train)
	if got := float64(v3) * 14.8e12 / (hours * 3600 * 989e12); got < 0.33 || got > 0.40 {
		t.Errorf("DeepSeek-V3: MFU %v of the bf16 peak", got)
	}
}

// TestPublishedActivations holds KeepAll to Korthikanti et al. (2022): a layer of a GPT keeps s b h (34 + 5 a s/h)
// bytes. Of the 34, two are dropout masks; the scores' 5 a s/h are what flash attention does not keep. Their table 5
// and figure 1 give GiB a GPU, which adds the tensor and pipeline parallelism of those runs.
func TestPublishedActivations(t *testing.T) {
	const gib = 1 << 30
	for _, c := range []struct {
		layers, width, heads, batch, tensor, pipeline, interleave int
		sequence, selective                                       bool
		want                                                      float64
	}{
		{48, 6144, 64, 4, 8, 1, 1, true, true, 9.5625},
		{96, 12288, 96, 1, 8, 8, 3, false, false, 66.84375},
		{96, 12288, 96, 1, 8, 8, 3, true, true, 12.3515625},
		{105, 20480, 128, 1, 8, 35, 3, false, false, 114.0234375},
		{105, 20480, 128, 1, 8, 35, 3, true, true, 23.076171875},
	} {
		m := mpt(c.layers, c.width, c.heads, 2048)
		h, s, a, b, tp := float64(c.width), 2048.0, float64(c.heads), float64(c.batch), float64(c.tensor)
		kept := float64(m.ActivationBytes(KeepAll, 2))/float64(c.layers)/h + 2 // with dropout masks: 34
		if kept != 34 {
			t.Errorf("%d layers: %v bytes for each element of the residual stream, want 34", c.layers, kept)
		}
		const outside = 10 // of the 34, what tensor parallelism alone does not divide
		per := outside + (kept-outside)/tp
		if c.sequence {
			per = kept / tp
		}
		if !c.selective {
			per += 5 * a * s / h / tp
		}
		whole := 1.0
		if c.pipeline > 1 {
			whole = 1 + float64(c.pipeline-1)/float64(c.pipeline*c.interleave)
		}
		if got := per * s * b * h * float64(c.layers) * whole / gib; !near(got, c.want, 1e-9) {
			t.Errorf("%d layers: %v GiB, published %v", c.layers, got, c.want)
		}
	}
	// Figure 7: what sequence parallelism, not keeping scores, both, and keeping layer inputs alone leave of the whole.
	for _, heads := range []struct{ width, heads int }{{20480, 128}, {25600, 160}} {
		h, a, s, tp := float64(heads.width), float64(heads.heads), 2048.0, 8.0
		scores := 5 * a * s / h / tp
		base := 10 + 24/tp + scores
		for _, c := range []struct{ got, want float64 }{{34/tp + scores, 58.31}, {10 + 24/tp, 62.04}, {34 / tp, 20.27},
			{2, 9.42}} {
			if math.Abs(100*c.got/base-c.want) > 0.15 {
				t.Errorf("width %v: %.2f%%, published %v%%", h, 100*c.got/base, c.want)
			}
		}
	}
}
