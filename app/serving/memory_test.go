package serving

import (
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/model"
)

//go:embed testdata/logs.tsv
var startLogs string

// startLog is what an engine said when it started.
type startLog struct {
	replica           *Replica
	name              string
	weights, capacity float64 // GiB of a chip; 0 where it wasn’t said
}

func readStartLogs(t *testing.T) (all []startLog) {
	t.Helper()
	for line := range strings.Lines(startLogs) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if strings.HasPrefix(line, "#") {
			continue
		}
		num := func(text string) float64 { x, _ := strconv.ParseFloat(text, 64); return x }
		var p Plan
		if _, err := fmt.Sscan(c[7], &p.TP, &p.PP, &p.EP); err != nil {
			t.Fatal(line, err)
		}
		known, err := model.Catalog().Get(c[0])
		if err != nil {
			t.Fatal(err)
		}
		s := NewShape(&known.Model, Precision{Attention: num(c[2]), MLP: num(c[3]), Experts: num(c[4]),
			Tables: num(c[5]), Cache: num(c[6])})
		engine, _, _ := strings.Cut(strings.ToLower(c[13]), " ")
		r, err := NewReplica(s, chipOf(t, c[1]), p, Fitted(engine), Engine{Name: engine, Share: num(c[8]),
			Chunk: num(c[9]), Sequences: num(c[10]), Release: releaseIn(c[13])})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, startLog{r, c[0] + " on " + c[1] + ", " + p.String() + " at " + c[8], num(c[11]), num(c[12])})
	}
	return all
}

// releaseIn is the release of vLLM that a source names, or else one of 2025.
func releaseIn(source string) float64 {
	var minor, patch float64
	if n, _ := fmt.Sscanf(source, "vLLM 0.%f.%f", &minor, &patch); n == 0 {
		return 10
	}
	return math.Floor(minor) + patch/100
}

func chipOf(t *testing.T, id string) Chip {
	t.Helper()
	a, err := hardware.Catalog().Get(id)
	if err != nil {
		t.Fatal(err)
	}
	c, err := NewChip(a)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// What engines print at their start, line by line: weights, and the room that is left for caches.
func TestStartLogs(t *testing.T) {
	const gib = 1 << 30
	var off []float64
	for _, l := range readStartLogs(t) {
		m := l.replica.Memory(4096)
		most := 0.0125
		if l.replica.Shape.Model.ID == "deepseek.v2_lite" {
			most = 0.08 // nothing tells what 0.3 GiB more a chip are
		}
		if l.weights > 0 && math.Abs(m.Weights/gib/l.weights-1) > most {
			t.Errorf("%s: weights of %.2f GiB, the log has %.2f", l.name, m.Weights/gib, l.weights)
		}
		capacity := (l.replica.Share*l.replica.Chip.Memory - m.Weights - m.Activations - m.Workspace) / gib
		t.Logf("%s: weights %.2f (%.2f), activations %.2f, room %.2f (%.2f)", l.name, m.Weights/gib, l.weights,
			m.Activations/gib, capacity, l.capacity)
		if l.capacity > 0 {
			off = append(off, math.Abs(capacity/l.capacity-1))
		} else if capacity > 0 {
			t.Errorf("%s: room of %.2f GiB where the engine had none", l.name, capacity)
		}
	}
	slices.Sort(off)
	t.Logf("off by %.3f", off)
	if median, p90 := off[len(off)/2], off[len(off)*9/10]; median > 0.05 || p90 > 0.15 {
		t.Errorf("memory for caches is off by %.1f %% in the middle and %.1f %% in the tenth row of ten", 100*median,
			100*p90)
	}
}

// Llama 3.1 405B in FP8 on eight H100: 57.752 GiB a GPU, as vLLM 0.5.3 said of the first release of the checkpoint,
// which had 16 heads of keys and values in bf16 for its 8.
func TestWeightsByModule(t *testing.T) {
	known, err := model.Catalog().Get("llama3.405b")
	if err != nil {
		t.Fatal(err)
	}
	first := known.Model
	first.KVHeads = 16
	for _, c := range []struct {
		m    *model.Model
		want float64
	}{{&first, 62.01e9}, {&known.Model, 60.9e9}} {
		r, err := NewReplica(NewShape(c.m, Stored("llama3.405b", 1, 2)), chipOf(t, "gpu.h100"), Plan{TP: 8},
			Fitted("vllm"), Engine{Name: "vllm"})
		if err != nil {
			t.Fatal(err)
		}
		near(t, "405B in FP8, a GPU", r.Memory(4096).Weights, c.want, 0.003)
	}
	flash, err := model.Catalog().Get("deepseek.v4_flash") // 145.4 GiB of text on disk, as a log of vLLM has it
	if err != nil {
		t.Fatal(err)
	}
	near(t, "V4-Flash in its file", float64(NewShape(&flash.Model,
		Stored("deepseek.v4_flash", 4.25/8, 2)).WeightBytes()), 145.4*(1<<30), 0.01)
	r := replica(t, "llama3.8b", "gpu.h100", 1, Plan{}, ideal())
	if p := Stored("llama3.8b", 1, 2); p != Uniform(1, 2) || r.Precision != p {
		t.Errorf("most checkpoints have one format: %+v", p)
	}
}

// The table names models of the catalog, and formats that a reader may ask for.
func TestStoredTable(t *testing.T) {
	for line := range strings.Lines(storedTable) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		size, err := strconv.ParseFloat(c[1], 64)
		if _, unknown := model.Catalog().Get(c[0]); unknown != nil || err != nil || len(c) != 6 {
			t.Errorf("%q: %v, %v", line, unknown, err)
		}
		if p := Stored(c[0], size, 2); p == Uniform(size, 2) || p.Attention < size || p.MLP < size ||
			p.Experts < size ||
			p.Tables < size || p.Cache != 2 {
			t.Errorf("%q: %+v", line, p)
		}
	}
}

// Llama 3 8B in bf16 on a card of 24 GiB, with prompts computed whole: vLLM refuses 29,000 tokens, for its cache has
// room for 0.82 of such a sequence, and starts at 20,000 with 1.56.
func TestLongestOn24GiB(t *testing.T) {
	for T, want := range map[float64]float64{29000: 0.82, 20000: 1.56} {
		r := replica(t, "llama3.8b", "gpu.rtx4090", 2, Plan{}, ideal())
		r.Chunk, r.Engine.Release = T, 5
		near(t, "sequences", r.Memory(T).Sequences, want, 0.04)
	}
}

// What people do: 70B in bf16 on two H100 with vLLM; and gpt-oss-120b on one with fewer sequences at once than 1024.
func TestFitsAsPeopleRunIt(t *testing.T) {
	for _, c := range []struct {
		model, chip   string
		p             Precision
		tp            int
		e             Engine
		T, least, top float64
	}{
		{"llama3.70b", "gpu.h100", Uniform(2, 2), 2, Engine{}, 8192, 1, 8},
		{"llama3.70b", "gpu.h100", Uniform(2, 2), 2, Engine{Share: 0.95}, 8192, 5, 12},
		{"llama3.70b", "gpu.a100", Uniform(2, 2), 2, Engine{}, 4096, 1, 16},
		{"llama3.70b", "gpu.h100", Uniform(2, 2), 1, Engine{}, 1, 0, 0},
		{"gpt_oss.120b", "gpu.h100", Stored("gpt_oss.120b", 4.25/8, 2), 1, Engine{Sequences: 1024}, 8192, 0, 0},
		{"gpt_oss.120b", "gpu.h100", Stored("gpt_oss.120b", 4.25/8, 2), 1, Engine{Sequences: 128}, 8192, 1, 100},
	} {
		known, err := model.Catalog().Get(c.model)
		if err != nil {
			t.Fatal(err)
		}
		r, err := NewReplica(NewShape(&known.Model, c.p), chipOf(t, c.chip), Plan{TP: c.tp}, ideal(), c.e)
		if err != nil {
			t.Fatal(err)
		}
		if n := r.Memory(c.T).Sequences; n < c.least || n > c.top {
			t.Errorf("%s on %d of %s with %+v: %.1f sequences of %v", c.model, c.tp, c.chip, c.e, n, c.T)
		}
	}
}

// What is left over of layers and tables is on some stage, and the fullest holds no less than an even part.
func TestStages(t *testing.T) {
	r := replica(t, "llama3.8b", "gpu.h100", 2, Plan{}, ideal())
	for _, tables := range [][2]float64{{3, 4}, {4, 3}, {0, 0}} {
		for r.PP = 1; r.PP <= 32; r.PP++ {
			held := make([]float64, r.PP) // as vLLM deals layers out
			for i := range held {
				held[i] = float64(32 / r.PP)
			}
			for i := range 32 % r.PP {
				held[r.PP-2-i]++
			}
			held[0] += tables[0]
			held[r.PP-1] += tables[1]
			if got, want := r.stage(32, tables[0], tables[1]), slices.Max(held); got != want {
				t.Errorf("%d stages: the fullest holds %v, want %v of %v", r.PP, got, want, held)
			}
		}
	}
}

// A cache that isn't compressed keeps an entry of each token in each layer: of DeepSeek-V4-Flash 43 of 512 numbers of
// two bytes, however far back.
func TestUncompressed(t *testing.T) {
	s := replica(t, "deepseek.v4_flash", "gpu.gb10", 1, Plan{}, Fitted("vllm")).Shape
	whole := s.Uncompressed()
	near(t, "bytes of a token", float64(whole.CacheBytes(100001)-whole.CacheBytes(100000)), 43*512*2, 1e-6)
	if s.CacheBytes(100000) >= whole.CacheBytes(100000)/4 {
		t.Errorf("compressed it takes %v, else %v", s.CacheBytes(100000), whole.CacheBytes(100000))
	}
}
