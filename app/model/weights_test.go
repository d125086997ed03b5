package model

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// compareWithCheckpoint holds counts and operations of m to the list of its weights.
func compareWithCheckpoint(t *testing.T, m *Model) {
	t.Helper()
	var total, active, lookup, matmul int64
	for _, w := range checkpoint(m) {
		total += w.size() * int64(w.copies)
		active += w.size() * int64(w.used)
		switch {
		case strings.HasPrefix(w.name, "lookup."):
			lookup += w.size()
		case len(w.shape) == 2:
			matmul += w.size() * int64(w.used)
		}
	}
	if got := m.Params().Total(); got != float64(total) {
		t.Errorf("%+v: %.0f parameters, the checkpoint has %d", *m, got, total)
	}
	if got := m.ActiveTotal(); got != float64(active) {
		t.Errorf("%+v: %.0f active, the checkpoint has %d", *m, got, active)
	}
	if got := m.ActiveWithoutLookup(); got != float64(active-lookup) {
		t.Errorf("%+v: %.0f active without lookup, the checkpoint has %d", *m, got, active-lookup)
	}
	if got := m.WeightFLOPs(Forward) - m.StateFLOPs(Forward); float64(got) != 2*float64(matmul) {
		t.Errorf("%+v: %.0f FLOP, the checkpoint's matrices take %d", *m, got, 2*matmul)
	}
}

func TestCheckpoints(t *testing.T) {
	for _, k := range Catalog().All {
		compareWithCheckpoint(t, &k.Model)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 400 {
		m := random(r)
		if err := m.Validate(); err != nil {
			t.Fatalf("%+v: %v", m, err)
		}
		compareWithCheckpoint(t, &m)
	}
}

// random draws a valid model of any architecture that can be described, with every feature in or out.
func random(r *rand.Rand) Model {
	yes := func() bool { return r.IntN(2) == 0 }
	some := func(most int) int { return 1 + r.IntN(most) }
	maybe := func(n int) int { return n * r.IntN(2) }
	K := some(4)
	m := Model{
		Layers: some(9), Vocab: some(500), Heads: K * some(4), KVHeads: K, HeadSize: some(16), FFWidth: some(100),
		Plain: yes(), Tied: yes(), Positions: maybe(some(50)), Norm: Norm(r.IntN(4)), Norms: r.IntN(5),
		QKNorm: QKNorm(r.IntN(3)), Sinks: yes(), Parallel: yes(),
		Bias: Bias{yes(), yes(), yes(), yes(), yes(), yes()}, ValueSize: maybe(some(20)),
	}
	m.Width = m.Heads * some(20)
	if yes() {
		m.KVHeads, m.HeadSize = 0, 0
	}
	if yes() {
		m.MoE = MoE{
			Experts:     some(9),
			Width:       maybe(some(60)),
			Shared:      r.IntN(3),
			SharedWidth: maybe(some(70)),
			RouterBias:  yes(),
			Layers:      pattern(r),
		}
		m.MoE.PerToken = some(m.MoE.Experts)
		m.MoE.SharedGate = m.MoE.Shared > 0 && yes()
	}
	latent := r.IntN(3) == 0
	if latent {
		m.MLA = MLA{
			QRank:     maybe(some(30)),
			KVRank:    some(30),
			NopeSize:  some(20),
			RopeSize:  maybe(some(10)),
			ValueSize: some(20),
		}
	}
	if yes() {
		m.Window = Window{Size: some(64), Chunked: yes(), Layers: pattern(r)}
		if !latent && yes() {
			k := some(4)
			m.Window.Heads, m.Window.KVHeads, m.Window.HeadSize, m.Window.ValueSize = k*some(3), k, some(16),
				maybe(some(16))
		}
	}
	return m
}

// pattern draws which layers have a property.
func pattern(r *rand.Rand) Pattern {
	p := Pattern{First: r.IntN(3)}
	for range r.IntN(5) {
		p.Cycle += string("01"[r.IntN(2)])
	}
	return p
}

// TestKindsOfLayers: sums over kinds are sums over layers.
func TestKindsOfLayers(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		m := random(r)
		n, seen := 0, 0.0
		for _, k := range m.kinds() {
			n += k.n
			seen += float64(k.n) * k.perKey()
		}
		want := 0.0
		for i := range m.Layers {
			want += m.Layer(i).perKey()
		}
		if n != m.Layers || math.Abs(seen-want) > 1e-9*want {
			t.Fatalf("%+v: %d layers, %v, want %v", m, n, seen, want)
		}
	}
}

// A state has one size however long its sequence is; only layers with attention cache anything for each token.
func TestStates(t *testing.T) {
	for _, c := range []struct {
		id             string
		state, kv, idx float64
	}{
		{"qwen3_5.27b", 48 * (48*128*128*4 + 3*(2*16*128+48*128)*2), 16 * 2 * 4 * 256 * 2, 0},
		{"qwen3_next.80b_a3b", 36 * (32*128*128*4 + 3*(2*16*128+32*128)*2), 12 * 2 * 2 * 256 * 2, 0},
		{"nemotron3.nano_30b_a3b", 23 * (64*64*128*4 + 3*(64*64+2*8*128)*2), 6 * 2 * 2 * 128 * 2, 0},
		{"glm5.744b_a40b", 0, 78 * (512 + 64) * 2, 78 * (128 + 4)},
		{"gemma4.31b", 0, (50*2*16*256 + 10*2*4*512) * 2, 0},
		{"llama3.70b", 0, 80 * 2 * 8 * 128 * 2, 0},
	} {
		k := get(t, c.id)
		if got := float64(k.StateBytes()); got != c.state {
			t.Errorf("%s: a state of %.0f bytes, want %.0f", c.id, got, c.state)
		}
		if got := float64(k.KVBytesPerToken(2)); got != c.kv {
			t.Errorf("%s: %.0f bytes for each token, want %.0f", c.id, got, c.kv)
		}
		if got := float64(k.IndexBytes(1)); got != c.idx {
			t.Errorf("%s: an index of %.0f bytes for each token, want %.0f", c.id, got, c.idx)
		}
	}
}

// An index looks at all tokens, and the large attention at those that it picks.
func TestIndexed(t *testing.T) {
	k := get(t, "glm5.744b_a40b")
	dense := k.Model
	dense.Index = Index{}
	const T = 100_000
	index := 78 * 2.0 * 32 * 128
	if got, want := float64(k.DecodeAttentionFLOPs(T)), float64(dense.DecodeAttentionFLOPs(2048))+index*T; got != want {
		t.Errorf("generating takes %v, want %v", got, want)
	}
	want := float64(dense.AttentionFLOPs(T, Full, Forward)) + index*T
	if got := float64(k.AttentionFLOPs(T, Full, Forward)); got != want {
		t.Errorf("the full square takes %v, want %v", got, want)
	}
	if k.AttentionFLOPs(T, Windowed, Forward) > k.AttentionFLOPs(T, Causal, Forward)/2 {
		t.Error("picking tokens saves nothing")
	}
}
