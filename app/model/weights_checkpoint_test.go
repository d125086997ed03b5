package model

import (
	"strconv"
	"strings"
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
	if p := m.PerLayer; p.Width > 0 {
		one("lookup.per_layer", p.Vocab, m.Layers*p.Width)
		one("per_layer_model_projection", m.Width, m.Layers*p.Width)
		norm("per_layer_projection_norm", p.Width)
	}
	if s := m.Side.Hyper; s > 0 && !m.Side.OnePass {
		one("hc_head_fn", s, s*m.Width)
		one("hc_head_base", s)
		one("hc_head_scale", 1)
	}
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
		list = append(list, streamTensors(m, at)...)
		if p := m.PerLayer; p.Width > 0 {
			one(at+"per_layer_input_gate", m.Width, p.Width)
			one(at+"per_layer_projection", p.Width, m.Width)
			norm(at+"post_per_layer_input_norm", m.Width)
		}
		if g := m.NGrams; g.Rows > 0 && g.Layers.Cycle[i%len(g.Layers.Cycle)] == '1' {
			if tables := strings.Count(g.Layers.Cycle, "1"); g.Rows%tables == 0 { // of a token a few rows are read
				list = append(list, tensor{at + "engram.embed", []int{g.Rows / tables, g.Size}, 1, 0},
					tensor{"lookup." + at + "engram.embed.read", []int{g.Reads, g.Size}, 0, 1})
			}
			one(at+"engram.wkv", g.Reads*g.Size, m.Width*(m.Side.Hyper+1))
			for stream := range m.Side.Hyper {
				one(at+"engram.q_weight."+strconv.Itoa(stream), m.Width)
				one(at+"engram.k_weight."+strconv.Itoa(stream), m.Width)
			}
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
			one("q", m.Width, N*key) // without a bias, as DeepSeek-V2-Lite's
		}
		one("kv_down", m.Width, a.KVRank+a.RopeSize)
		bias(m.Bias.QKV, "kv_down", a.KVRank+a.RopeSize)
		one("kv_norm", a.KVRank)
		one("kv_up", a.KVRank, N*(a.NopeSize+a.ValueSize))
		one("o", N*a.ValueSize, m.Width)
		c := m.Index.Layers.Cycle
		if x := m.Index; x.Top > 0 && (c == "" || c[i%len(c)] == '1') { // the names of DeepSeek-V3.2
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
		if r := m.MLA.QRank; r > 0 {
			one("q_down", m.Width, r)
			one("q_norm", r)
			one("q_up", r, N*H)
		} else {
			one("q", m.Width, N*H)
		}
		shares := i >= m.Layers-m.Sharing.Layers
		if !shares {
			one("k", m.Width, K*H)
		}
		if full := m.Window.Size == 0 || H != m.Window.HeadSize || m.Compress.OutRank > 0; !shares &&
			(!m.KeysValue || !full) {
			one("v", m.Width, K*Hv)
		}
		switch m.Gate {
		case WidthGate: // in one matrix with the queries
			one("q_gate", m.Width, N*Hv)
			bias(m.Bias.Gate, "q_gate", N*Hv)
		case HeadGate:
			one("g", m.Width, N)
		}
		bias(m.Bias.QKV, "q", N*H)
		bias(m.Bias.QKV, "k", K*H)
		bias(m.Bias.QKV, "v", K*Hv)
		switch m.QKNorm {
		case HeadQKNorm:
			one("q_norm", H)
			if !shares {
				one("k_norm", H)
			}
		case WidthQKNorm:
			one("q_norm", N*H)
			one("k_norm", K*H)
		}
		if m.Compress.OutRank > 0 {
			list = append(list, compressTensors(m, i, at)...)
		} else {
			one("o", N*Hv, m.Width)
		}
	}
	bias(m.Bias.Output, "o", m.Width)
	if m.Sinks || m.WindowSinks && m.Window.Size != 0 && m.Window.Layers.Covers(i) {
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
		width := m.FFWidth
		if m.Sharing.Wide && i >= m.Layers-m.Sharing.Layers {
			width *= 2
		}
		mlp("mlp.", width, 1, 1, m.Bias.MLP)
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
	if e.SightBias {
		list = append(list, tensor{at + "router.bias_vl", []int{e.Experts}, 1, 1})
	}
	if e.RouterBias && i >= e.Hashed {
		list = append(list, tensor{at + "router.bias", []int{e.Experts}, 1, 1})
	}
	return list
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
		if l.FullGate {
			one("g_proj", D, values)
		} else {
			one("g_a_proj", D, l.ValueSize)
			one("g_b_proj", l.ValueSize, values)
		}
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
