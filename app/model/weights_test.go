package model

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// tensor is one weight of a model as a checkpoint would hold it, with how many copies of it a layer has and how many
// of these a token uses.
type tensor struct {
	name         string
	shape        []int
	copies, used int
}

func (w tensor) size() int64 {
	n := int64(1)
	for _, s := range w.shape {
		n *= int64(s)
	}
	return n
}

// checkpoint lists every weight of m, layer by layer, without any formula of this package.
func checkpoint(m *Model) []tensor {
	var list []tensor
	one := func(name string, shape ...int) { list = append(list, tensor{name, shape, 1, 1}) }
	one("lookup.embedding", m.Vocab, m.Width)
	if m.Tied {
		list[0].name = "unembedding"
	} else {
		one("unembedding", m.Vocab, m.Width)
	}
	if m.Bias.Unembed {
		one("unembedding.bias", m.Vocab)
	}
	if m.Positions > 0 {
		one("lookup.positions", m.Positions, m.Width)
	}
	norm := func(name string, width int) {
		if m.Norm != BareNorm {
			one(name, width)
		}
		if m.Norm == LayerNorm {
			one(name+".bias", width)
		}
	}
	norm("final.norm", m.Width)
	for i := range m.Layers {
		at := strconv.Itoa(i) + "."
		norms := m.Norms
		if norms == 0 {
			norms = 2
			if m.Parallel {
				norms = 1
			}
		}
		for n := range norms {
			norm(at+"norm"+strconv.Itoa(n), m.Width)
		}
		if !m.Blocks.Apart || m.Blocks.Mixers.Cycle[i] == '1' {
			if c := m.Linear.Layers.Cycle; m.Linear.Kind != NoLinear && (c == "" || c[i%len(c)] == '1') {
				list = append(list, linearTensors(m, at)...)
			} else {
				list = append(list, attentionTensors(m, i, at)...)
			}
		}
		if !m.Blocks.Apart || m.Blocks.MLP.Cycle[i] == '1' {
			list = append(list, mlpTensors(m, i, at)...)
		}
	}
	return list
}

// attentionTensors are those of layer i's attention.
func attentionTensors(m *Model, i int, at string) (list []tensor) {
	one := func(name string, shape ...int) { list = append(list, tensor{at + name, shape, 1, 1}) }
	bias := func(has bool, name string, width int) {
		if has {
			one(name+".bias", width)
		}
	}
	N, K, H, Hv := m.Heads, m.KVHeads, m.HeadSize, m.ValueSize
	if w := m.Window; w.Size > 0 && i >= w.Layers.First &&
		(w.Layers.Cycle == "" || w.Layers.Cycle[i%len(w.Layers.Cycle)] == '1') {
		for _, o := range []struct{ own, all *int }{{&w.Heads, &N}, {&w.KVHeads, &K}, {&w.HeadSize, &H},
			{&w.ValueSize, &Hv}} {
			if *o.own != 0 {
				*o.all = *o.own
			}
		}
	}
	if a := m.MLA; a.KVRank > 0 {
		key := a.NopeSize + a.RopeSize
		if a.QRank > 0 {
			one("q_down", m.Width, a.QRank)
			bias(m.Bias.QKV, "q_down", a.QRank)
			one("q_norm", a.QRank)
			one("q_up", a.QRank, N*key)
		} else {
			one("q", m.Width, N*key)
			bias(m.Bias.QKV, "q", N*key)
		}
		one("kv_down", m.Width, a.KVRank+a.RopeSize)
		bias(m.Bias.QKV, "kv_down", a.KVRank+a.RopeSize)
		one("kv_norm", a.KVRank)
		one("kv_up", a.KVRank, N*(a.NopeSize+a.ValueSize))
		one("o", N*a.ValueSize, m.Width)
		if x := m.Index; x.Top > 0 { // the names of DeepSeek-V3.2
			one("indexer.wq_b", a.QRank, x.Heads*x.Size)
			one("indexer.wk", m.Width, x.Size)
			one("indexer.k_norm", x.Size)
			one("indexer.k_norm.bias", x.Size)
			one("indexer.weights_proj", m.Width, x.Heads)
		}
	} else {
		if K == 0 {
			K = N
		}
		if H == 0 {
			H = m.Width / m.Heads
		}
		if Hv == 0 {
			Hv = H
		}
		one("q", m.Width, N*H)
		one("k", m.Width, K*H)
		if full := m.Window.Size == 0 || H != m.Window.HeadSize; !m.KeysValue || !full {
			one("v", m.Width, K*Hv)
		}
		switch m.Gate {
		case WidthGate: // in one matrix with the queries
			one("q_gate", m.Width, N*Hv)
		case HeadGate:
			one("g", m.Width, N)
		}
		bias(m.Bias.QKV, "q", N*H)
		bias(m.Bias.QKV, "k", K*H)
		bias(m.Bias.QKV, "v", K*Hv)
		switch m.QKNorm {
		case HeadQKNorm:
			one("q_norm", H)
			one("k_norm", H)
		case WidthQKNorm:
			one("q_norm", N*H)
			one("k_norm", K*H)
		}
		one("o", N*Hv, m.Width)
	}
	bias(m.Bias.Output, "o", m.Width)
	if m.Sinks {
		one("sinks", N)
	}
	return list
}

// mlpTensors are those of layer i's MLP or experts.
func mlpTensors(m *Model, i int, at string) (list []tensor) {
	from := 0 // what an expert sees of a token, if not all
	mlp := func(name string, width, copies, used int, bias bool) {
		add := func(part string, shape ...int) {
			list = append(list, tensor{at + name + part, shape, copies, used})
		}
		D := m.Width
		if from > 0 {
			D = from
		}
		add("up", D, width)
		add("down", width, D)
		if !m.Plain {
			add("gate", D, width)
		}
		if bias {
			add("up.bias", width)
			add("down.bias", m.Width)
			if !m.Plain {
				add("gate.bias", width)
			}
		}
	}
	e := m.MoE
	if e.Experts == 0 || i < e.Layers.First || e.Layers.Cycle != "" && e.Layers.Cycle[i%len(e.Layers.Cycle)] != '1' {
		mlp("mlp.", m.FFWidth, 1, 1, m.Bias.MLP)
		return list
	}
	width := e.Width
	if width == 0 {
		width = m.FFWidth
	}
	if e.Latent > 0 {
		list = append(list, tensor{at + "fc1_latent", []int{m.Width, e.Latent}, 1, 1},
			tensor{at + "fc2_latent", []int{e.Latent, m.Width}, 1, 1})
	}
	if e.RouterScale {
		list = append(list, tensor{at + "router.scale", []int{m.Width}, 1, 1},
			tensor{at + "router.per_expert_scale", []int{e.Experts}, 1, 1})
	}
	from = e.Latent
	mlp("expert.", width, e.Experts, e.PerToken, m.Bias.Experts)
	from = 0
	if e.SharedWidth != 0 {
		width = e.SharedWidth
	}
	mlp("shared.", width, e.Shared, e.Shared, m.Bias.MLP)
	list = append(list, tensor{at + "router", []int{m.Width, e.Experts}, 1, 1})
	if e.SharedGate {
		list = append(list, tensor{at + "shared_gate", []int{m.Width, 1}, 1, 1})
	}
	if e.RouterBias {
		list = append(list, tensor{at + "router.bias", []int{e.Experts}, 1, 1})
	}
	return list
}

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
		Layers: some(
			9,
		), Vocab: some(500), Heads: K * some(4), KVHeads: K, HeadSize: some(16), FFWidth: some(100), Plain: yes(), Tied: yes(),
		Positions: maybe(
			some(50),
		), Norm: Norm(r.IntN(4)), Norms: r.IntN(5), QKNorm: QKNorm(r.IntN(3)), Sinks: yes(), Parallel: yes(),
		Bias: Bias{yes(), yes(), yes(), yes(), yes()}, ValueSize: maybe(some(20)),
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
			m.Window.Heads, m.Window.KVHeads, m.Window.HeadSize, m.Window.ValueSize = k*some(3), k, some(16), maybe(some(16))
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

// linearTensors are those of a linear layer, by the names of the checkpoints.
func linearTensors(m *Model, at string) (list []tensor) {
	one := func(name string, shape ...int) { list = append(list, tensor{at + name, shape, 1, 1}) }
	l, D := m.Linear, m.Width
	keys, values := l.KeyHeads*l.KeySize, l.Heads*l.ValueSize
	switch l.Kind {
	case GatedDelta:
		one("in_proj_qkvz", D, keys+keys+values+values)
		one("in_proj_ba", D, l.Heads+l.Heads)
		one("conv1d", l.Conv, keys+keys+values)
		one("dt_bias", l.Heads)
		one("A_log", l.Heads)
		one("norm", l.ValueSize)
	case KimiDelta:
		for _, x := range []struct {
			name string
			n    int
		}{{"q", keys}, {"k", keys}, {"v", values}} {
			one(x.name+"_proj", D, x.n)
			one(x.name+"_conv1d", l.Conv, x.n)
		}
		one("f_a_proj", D, l.KeySize)
		one("f_b_proj", l.KeySize, keys)
		one("g_a_proj", D, l.ValueSize)
		one("g_b_proj", l.ValueSize, values)
		one("b_proj", D, l.Heads)
		one("A_log", l.Heads)
		one("dt_bias", keys)
		one("o_norm", l.ValueSize)
	case Mamba2:
		one("in_proj", D, values+values+keys+keys+l.Heads)
		one("conv1d", l.Conv, values+keys+keys)
		one("conv1d.bias", values+keys+keys)
		one("dt_bias", l.Heads)
		one("A_log", l.Heads)
		one("D", l.Heads)
		one("norm", values)
	}
	one("out_proj", values, D)
	return list
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
		{"gemma4.31b", 0, (50*2*16*256 + 10*4*512) * 2, 0},
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
