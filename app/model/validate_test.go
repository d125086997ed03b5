package model

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
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
		"KVHeads: 4 query heads are no multiple of 3 KV heads; give a divisor": func(m *Model) { m.Heads, m.KVHeads = 4, 3 },
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
	for _, at := range []*int{&m.Layers, &m.Width, &m.Heads, &m.KVHeads, &m.HeadSize, &m.FFWidth, &m.Vocab, &m.Window.Size,
		&m.MLA.KVRank, &m.MoE.Experts,
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
		if d := time.Since(start); d > mostTime && fastest(3, weigh) > mostTime {
			t.Errorf("%+v took %v", m, d)
		}
	}
}

// mostTime is what any model may take to count.
const mostTime = 2 * time.Second

// fastest is the shortest of a few runs: one may have waited for other programs.
func fastest(runs int, weigh func() []float64) time.Duration {
	best := time.Hour
	for range runs {
		start := time.Now()
		weigh()
		best = min(best, time.Since(start))
	}
	return best
}

func FuzzLine(f *testing.F) {
	for line := range strings.Lines(modelTable) {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		k, err := readModel(line)
		if err != nil {
			return
		}
		if n := k.Params().Total(); !(n > 0) || n > maxParams || k.ActiveTotal() > n || float64(k.KVBytes(1e6, 2)) < 0 {
			t.Errorf("%q: %v parameters", line, n)
		}
	})
}
