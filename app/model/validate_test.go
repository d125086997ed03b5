package model

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/scalebook/scalebook/app/cputime"
	q "github.com/scalebook/scalebook/app/quantity"
)

// small is a model that is one.
func small() Model { return Model{Layers: 2, Width: 8, Heads: 2, FFWidth: 16, Vocab: 10} }

func TestValidate(t *testing.T) {
	if m := small(); m.Validate() != nil {
		t.Fatal(m.Validate())
	}
	for want, change := range map[string]func(m *Model){
		"Layers: 0 is out of range; give a whole number from 1 to":             func(m *Model) { m.Layers = 0 },
		"Layers: 100001 is out of range; give a whole number from 1 to 100000": func(m *Model) { m.Layers = 100001 },
		"Width: -8 is out of range":                                            func(m *Model) { m.Width = -8 },
		"Vocab: 0 is out of range":                                             func(m *Model) { m.Vocab = 0 },
		"Vocab: 9223372036854775807 is out of range":                           func(m *Model) { m.Vocab = math.MaxInt64 },
		"Heads: 0 is out of range":                                             func(m *Model) { m.Heads = 0 },
		"HeadSize: Width 8 is no multiple of Heads 3; give the size of a head": func(m *Model) { m.Heads = 3 },
		"KVHeads: 4 query heads are no multiple of 3 KV heads; give a divisor": func(m *Model) {
			m.Heads, m.KVHeads = 4,
				3
		},
		"Window.KVHeads: 2 query heads are no multiple of 4 KV heads": func(m *Model) {
			m.Window = Window{Size: 4,
				KVHeads: 4}
		},
		"Window.Size: a window of no tokens; give its size, or leave out": func(m *Model) { m.Window.Chunked = true },
		"Window.Layers.Cycle: \"x\" is neither 0 nor 1": func(m *Model) {
			m.Window = Window{Size: 4,
				Layers: Pattern{Cycle: "01x"}}
		},
		"Window.Layers.Cycle: more than 100000 signs": func(m *Model) {
			m.Window = Window{Size: 4,
				Layers: Pattern{Cycle: strings.Repeat("0", 100001)}}
		},
		"FFWidth: layers without experts have an MLP of no width": func(m *Model) { m.FFWidth = 0 },
		"MoE.Experts: a mixture of no experts":                    func(m *Model) { m.MoE.PerToken = 2 },
		"MoE.PerToken: 9 of 8 experts; give a number from 1 to 8": func(m *Model) {
			m.MoE = MoE{Experts: 8,
				PerToken: 9}
		},
		"MoE.PerToken: 0 of 8 experts": func(m *Model) { m.MoE = MoE{Experts: 8} },
		"MoE.Width: experts of no width": func(m *Model) {
			m.FFWidth, m.MoE = 0,
				MoE{Experts: 8, PerToken: 1}
		},
		"MoE.SharedGate: a gate of no shared experts": func(m *Model) {
			m.MoE = MoE{Experts: 8,
				PerToken: 1, SharedGate: true}
		},
		"MoE.Layers.First: -1 is out of range": func(m *Model) {
			m.MoE = MoE{Experts: 8,
				PerToken: 1, Layers: Pattern{First: -1}}
		},
		"MLA.KVRank: latent attention has no rank of keys and values": func(m *Model) { m.MLA.NopeSize = 8 },
		"MLA.NopeSize: latent attention has keys of no size": func(m *Model) {
			m.MLA = MLA{KVRank: 8,
				ValueSize: 4}
		},
		"MLA.ValueSize: latent attention has values of no size": func(m *Model) {
			m.MLA = MLA{KVRank: 8,
				NopeSize: 4}
		},
		"Window.HeadSize: windowed layers with latent attention have its sizes": func(m *Model) {
			m.MLA, m.Window = MLA{KVRank: 8, NopeSize: 4, ValueSize: 4}, Window{Size: 4, HeadSize: 8}
		},
		"Norm: unknown kind 9":   func(m *Model) { m.Norm = 9 },
		"QKNorm: unknown kind 9": func(m *Model) { m.QKNorm = 9 },
		"more than 2^53 parameters; give smaller sizes": func(m *Model) {
			m.Layers, m.Width, m.FFWidth = MaxLayers, 1<<20,
				1<<20
		},
	} {
		m := small()
		change(&m)
		if err := m.Validate(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// hostile draws a model that nobody checked: laws must answer without panic, endless work or a number that is none.
func hostile(r *rand.Rand) Model {
	n := func() int {
		return []int{0, 1, -1, 3, 128, MaxSize, math.MaxInt64, math.MinInt64}[r.IntN(8)]
	}
	m := random(r)
	for _, at := range []*int{&m.Layers, &m.Width, &m.Heads, &m.KVHeads, &m.HeadSize, &m.FFWidth, &m.Vocab,
		&m.Window.Size, &m.MLA.KVRank, &m.MoE.Experts,
		&m.MoE.Layers.First, &m.Window.Layers.First, &m.MoE.PerToken, &m.Norms} {
		if r.IntN(4) == 0 {
			*at = n()
		}
	}
	return m
}

func TestHostileModels(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	models := 400
	if testing.Short() {
		models /= 10
	}
	for range models {
		m := hostile(r)
		valid := m.Validate() == nil
		T := []float64{0, 1, -5, 1e6, 1e300}[r.IntN(5)]
		weigh := func() []float64 {
			return []float64{m.Params().Total(), m.ActiveTotal(), float64(m.FLOPsPerToken(T, Windowed, Train)),
				float64(m.DecodeFLOPs(T)), float64(m.KVBytes(T, 2)), m.Seen(T, Windowed), m.Cached(T),
				m.ActivationElements(KeepAll), float64(m.RecomputeFLOPs(KeepMatmuls, T, Full))}
		}
		start := time.Now()
		numbers := weigh()
		if at, err := m.CrossoverContext(Windowed); valid && err == nil && !(at > 0) {
			t.Errorf("%+v: attention catches up at %v", m, at)
		}
		for i, x := range numbers {
			if valid && (math.IsNaN(x) || x < 0 || math.IsInf(x, 0) && T < 1e300) {
				t.Errorf("%+v at %v: number %d is %v", m, T, i, x)
			}
		}
		if time.Since(start) > mostTime {
			if took, ok := cputime.Within(mostTime, func() { weigh() }); !ok {
				t.Errorf("%+v took %v", m, took)
			}
		}
	}
}

// mostTime is what any model may take to count.
const mostTime = 2 * time.Second

func FuzzLine(f *testing.F) {
	for line := range strings.Lines(modelTable) {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		k, err := readModel(line)
		if err != nil || k.Validate() != nil {
			return
		}
		if n := k.Params().Total(); !(n > 0) || n > maxParams || k.ActiveTotal() > n || float64(k.KVBytes(1e6, 2)) < 0 {
			t.Errorf("%q: %v parameters", line, n)
		}
	})
}

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
