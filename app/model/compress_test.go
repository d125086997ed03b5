package model

import "testing"

// compressTensors are those that attention has beside queries and keys in DeepSeek-V4, by the names of its checkpoint.
func compressTensors(m *Model, i int, at string) (list []tensor) {
	one := func(name string, shape ...int) { list = append(list, tensor{at + name, shape, 1, 1}) }
	c, x := m.Compress, m.Index
	D, H := m.Width, m.HeadSize
	one("kv_norm", H)
	for g := range c.Groups {
		one("wo_a."+string(rune('a'+g)), m.Heads*H/c.Groups, c.OutRank)
	}
	one("wo_b", c.Groups*c.OutRank, D)
	merge := func(name string, tokens, of, size int) {
		one(name+"wkv", D, of*size)
		one(name+"wgate", D, of*size)
		for place := range tokens {
			one(name+"ape."+string(rune('a'+place)), of*size)
		}
		one(name+"norm", size)
	}
	switch {
	case x.Layers.Cycle[i] == '1':
		merge("compressor.", c.Sparse, 2, H)
		merge("indexer.compressor.", c.Sparse, 2, x.Size)
		one("indexer.wq_b", m.MLA.QRank, x.Heads*x.Size)
		one("indexer.weights_proj", D, x.Heads)
	case c.Layers.Cycle[i] == '1':
		merge("compressor.", c.Dense, 1, H)
	}
	return list
}

// streamTensors are those of a layer's hyper-connections, one before attention and one before the MLP.
func streamTensors(m *Model, at string) (list []tensor) {
	s := m.Side.Hyper
	for _, block := range []string{"attn", "ffn"} {
		if s > 0 {
			list = append(list, tensor{at + "hc_" + block + "_fn", []int{s * (s + 2), s * m.Width}, 1, 1},
				tensor{at + "hc_" + block + "_base", []int{s * (s + 2)}, 1, 1},
				tensor{at + "hc_" + block + "_scale", []int{3}, 1, 1})
		}
	}
	return list
}

// DeepSeek-V4-Pro by hand: 30 layers of 61 have an entry for 4 tokens, 31 one for 128; each is 512 numbers in bf16.
func TestCompressedCache(t *testing.T) {
	k := get(t, "deepseek.v4_pro")
	const T, H = 1 << 20, 512
	const entries, window = (30.0/4 + 31.0/128) * H * 2, 61 * 128 * H * 2
	for name, pair := range map[string][2]float64{
		"for each token": {float64(k.KVBytesPerToken(2)), entries},
		"of a sequence":  {float64(k.KVBytes(T, 2)), entries*T + window},
		"of a short one": {float64(k.KVBytes(64, 2)), entries*64 + window/2},
		"index":          {float64(k.IndexBytes(T)), 30 * T / 4 * (128 + 4)},
		"open entries":   {float64(k.StateBytes()), (30*2*8*2*(H+128) + 31*2*128*H) * 4},
	} {
		if pair[0] != pair[1] {
			t.Errorf("cache %s: %v bytes, by hand %v", name, pair[0], pair[1])
		}
	}
}

// A generated token looks at a window, at 1024 entries that the index picks of a quarter of the tokens, or at an entry
// for each 128 of them.
func TestCompressedAttention(t *testing.T) {
	k := get(t, "deepseek.v4_pro")
	const T, perKey, perEntry = 1 << 20, 2 * 128 * 2 * 512, 2 * 64 * 128
	want := perKey*(61*128+30*1024+31*T/128) + 30*perEntry*T/4
	if got := float64(k.DecodeAttentionFLOPs(T)); got != float64(want) {
		t.Errorf("generating takes %v, by hand %v", got, want)
	}
	full := float64(perKey*61*T + 30*perEntry*T/4)
	if got := float64(k.AttentionFLOPs(T, Full, Forward)); got != full {
		t.Errorf("the full square takes %v, by hand %v", got, full)
	}
	const short = 1000 // all entries are picked; on average a token has half of them before it
	seen := 61*(128-128.0*128/(2*short)) + 30.0*short/8 + 31.0*short/256
	if got := float64(k.AttentionFLOPs(short, Windowed, Forward)); !near(got, perKey*seen+30*perEntry*short/8, 1e-12) {
		t.Errorf("%d tokens take %v each", short, got)
	}
}

// What half describes compressed entries is refused.
func TestHalfCompressed(t *testing.T) {
	for _, change := range []func(m *Model){
		func(m *Model) { m.Compress.Groups = 0 },
		func(m *Model) { m.Compress.OutRank = 0 },
		func(m *Model) { m.Window = Window{} },
		func(m *Model) { m.MLA = MLA{KVRank: 8, NopeSize: 8, ValueSize: 8} },
	} {
		m := get(t, "deepseek.v4_flash").Model
		if change(&m); m.Validate() == nil {
			t.Errorf("%+v is taken", m.Compress)
		}
	}
}
