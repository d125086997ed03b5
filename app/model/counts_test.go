package model

import (
	"math"
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
			t.Errorf("%s: unembedding %.0f, cache %.0f, want %s and %s", k.ID, p.Unembedding, k.KVBytesPerToken(2),
				r[6], r[7])
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
			t.Errorf("%s %s: %s of %s: %.4g FLOP a token, published %.4g (%+.2f%%)", r[0], r[1], r[4], r[2], got, want,
				100*off)
		}
	}
	if len(rows) != 140 || seen["full"] != 14 || seen["causal"] < 90 || seen["mtp"] != 15 || seen["ungated"] != 14 {
		t.Errorf("%d rows: %v", len(rows), seen)
	}
}

// TestKeptOfExpertsCounted: a layer of width 1000 with 8 heads of 125, 2 of keys and values, and two of eight experts
// of width 500 for each token.
func TestKeptOfExpertsCounted(t *testing.T) {
	m := Model{Layers: 1, Width: 1000, Vocab: 10, Heads: 8, KVHeads: 2, MoE: MoE{Experts: 8, PerToken: 2, Width: 500}}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	const heads = 1000 + 2*250 // queries, keys and values
	for keep, want := range map[Keep]float64{
		// inputs of two norms and of what follows them, of each expert its input and its output; attention's output; of
		// both experts the gate before and after its function, the other half and their product
		KeepAll:     (2+2+2*2)*1000 + heads + 1000 + 2*4*500,
		KeepMatmuls: 1000 + heads + (1+2)*1000 + 2*2*500, // the layer's input; outputs of attention and of each expert
		KeepBlocks:  1000,
	} {
		if got := m.ActivationElements(keep); got != want {
			t.Errorf("policy %d keeps %v, by hand %v", keep, got, want)
		}
	}
}

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
	case c.Shared: // DeepSeek-V4.1
		if makes := c.Makes.Cycle[i] == '1'; makes {
			one("compressor.wkv", D, H)
			if c.Layers.Cycle[i] == '0' {
				one("compressor.wgate", D, H)
			}
			one("compressor.norm", H)
			one("indexer.wk", H, x.Size)
			one("indexer.k_norm", x.Size)
		}
		if x.Layers.Cycle[i] == '1' {
			one("indexer.wq_b", m.MLA.QRank, x.Heads*x.Size)
			one("indexer.weights_proj", D, x.Heads)
		}
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
	want := float64(perKey*(61*128+30*1024+31*T/128) + 30*perEntry*T/4)
	if got := float64(k.DecodeAttentionFLOPs(T)); got != want {
		t.Errorf("generating takes %v, by hand %v", got, want)
	}
	full := float64(perKey*61*T + 30*perEntry*T/4)
	if got := float64(k.AttentionFLOPs(T, Full, Forward)); got != full {
		t.Errorf("the full square takes %v, by hand %v", got, full)
	}
	const short = 1000 // all entries are picked; on average a token has half of them before it
	want = perKey*(61*128+30*short/4+31*short/128.0) + 30*perEntry*short/4
	if got := float64(k.DecodeAttentionFLOPs(short)); got != want {
		t.Errorf("generating behind %d tokens takes %v, by hand %v", short, got, want)
	}
	seen := 61*(128-128.0*128/(2*short)) + 30.0*short/8 + 31.0*short/256
	if got := float64(k.AttentionFLOPs(short, Windowed, Forward)); !near(got, perKey*seen+30*perEntry*short/8, 1e-12) {
		t.Errorf("%d tokens take %v each", short, got)
	}
}

// DeepSeek-V4.1-Flash by hand: layers 2, 8 and 14 make an entry of two tokens, layer 20 one of each, and all others of
// layers 2 to 39 look at theirs. Its publisher says 890 bytes for each token: an entry of 512 numbers in fp4 with a
// scale of a byte for each 16, and a key of 128 in fp4 with one for each 32.
func TestSharedEntries(t *testing.T) {
	k := get(t, "deepseek.v4_1_flash")
	const T, H, D = 1 << 20, 512, 5120
	const entries, window = 3.0/2 + 1, 40 * 128 * H * 2
	const fp4 = 1.0/2 + 1.0/16
	for name, pair := range map[string][2]float64{
		"for each token": {float64(k.KVBytesPerToken(2)), entries * H * 2},
		"of a sequence":  {float64(k.KVBytes(T, 2)), entries*H*2*T + window},
		"index":          {float64(k.IndexBytes(T)), entries * T * 128 * (1.0/2 + 1.0/32)},
		"as published":   {float64(k.KVBytesPerToken(fp4) + k.IndexBytes(1)), 890},
		"open entries":   {float64(k.StateBytes()), 3 * 2 * 2 * H * 4}, // keys and weights of two tokens
	} {
		if pair[0] != pair[1] {
			t.Errorf("cache %s: %v bytes, by hand %v", name, pair[0], pair[1])
		}
	}
	// A generated token looks at the window everywhere, and in layers 2 to 39 at 512 entries. The indexes of layers 2,
	// 8 and 14 score half as many entries as there are tokens, that of layer 20 all, the four behind it 2048 blocks of
	// 8.
	const perKey, perEntry = 2 * 64 * 2 * H, 2 * 32 * 128
	want := float64(perKey*(40*128+38*512) + perEntry*(3*T/2+T+4*2048*8))
	if got := float64(k.DecodeAttentionFLOPs(T)); got != want {
		t.Errorf("generating takes %v, by hand %v", got, want)
	}
	const short = 1000 // everything is picked, and every entry a candidate
	want = perKey*(40*128+18*short/2+20*512) + perEntry*(3*short/2+5*short)
	if got := float64(k.DecodeAttentionFLOPs(short)); got != want {
		t.Errorf("generating behind %d tokens takes %v, by hand %v", short, got, want)
	}
	p, a := k.Params(), k.Active()
	const rows, read = 384006168 + 384016682, 2 * 3 * 8 // of both tables; n-grams of 2 to 4 tokens, 8 hashes each
	if p.NGrams != rows*256 || a.NGrams != read*256 {
		t.Errorf("tables of %v, of which a token reads %v", p.NGrams, a.NGrams)
	}
	// mixing of streams; into each and a value for all
	if want := 40*2*24.0*4*D + 2*24*256*D*(4+1); p.Injected != want {
		t.Errorf("%v beside the blocks, by hand %v", p.Injected, want)
	}
	if want := 3*2.0*D*H + D*H; p.Merge != want {
		t.Errorf("entries are made by %v, by hand %v", p.Merge, want)
	}
	if want := 8*(1280*32*128+D*32.0) + 4*H*128; p.Index != want {
		t.Errorf("indexes of %v, by hand %v", p.Index, want)
	}
	if b := p.Total() - p.NGrams; math.Abs(b/551.9e9-1) > 1e-4 {
		t.Errorf("%v without its tables", b)
	}
}

// Entries that nobody makes, and tables without a size, are refused.
func TestHalfShared(t *testing.T) {
	for _, change := range []func(m *Model){
		func(m *Model) { m.Compress.Makes = Pattern{First: 3} },
		func(m *Model) { m.Compress.Sparse, m.Compress.Dense = 0, 0 },
		func(m *Model) { m.NGrams.Size = 0 },
		func(m *Model) { m.NGrams.Rows = 1 << 41 },
		func(m *Model) { m.NGrams.Rows = 0 },
	} {
		m := get(t, "deepseek.v4_1_flash").Model
		if change(&m); m.Validate() == nil {
			t.Errorf("%+v, %+v are taken", m.Compress, m.NGrams)
		}
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

// TestBesideBlocksCounted: what runs beside the blocks of two layers of width 100, by hand: weights that a token is
// multiplied with, and what is small.
func TestBesideBlocksCounted(t *testing.T) {
	const D, V = 100, 1000
	plain := Model{Layers: 2, Width: D, Heads: 2, KVHeads: 2, HeadSize: 50, FFWidth: 300, Vocab: V}
	for name, c := range map[string]struct {
		with                    func(m *Model)
		injected, norms, biases float64
	}{
		"nothing": {func(*Model) {}, 0, 0, 0},
		"four streams, of which a layer computes one": {func(m *Model) { m.Side.Streams = 4 },
			2*3*D*D + 2*4*D, // into and out of the three others; what mixes them, of each layer
			2 * D,           // of its input
			2 * (4*4*4 + 4*4 + D)},
		"a path of rank 8": {func(m *Model) { m.Side.Rank = 8 }, 2 * (D*8 + 8*D), 2 * D, 0},
		"four streams that a block mixes": {func(m *Model) { m.Side.Hyper = 4 },
			4*4*D + 2*2*(4*(4+2))*4*D, // out of the streams; two blocks a layer, each 4 x 4, in and out, of 4 D numbers
			0, 4 + 1 + 2*2*(24+3)},
		"an embedding of 10 for each layer": {func(m *Model) { m.PerLayer = PerLayer{Width: 10, Vocab: 500} },
			D*2*10 + 2*(D*10+10*D), // of all layers at once, then into and out of each
			10 + 2*D, 0},
		"an embedding of 40": {func(m *Model) { m.EmbedWidth = 40 }, D*40 + 40*D, 0, 0},
	} {
		m := plain
		c.with(&m)
		if err := m.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		got, without := m.Params(), plain.Params()
		if got.Injected != c.injected || got.Norms != without.Norms+c.norms || got.Biases != c.biases {
			t.Errorf("%s: %v injected, %v more of norms, %v biases, by hand %v, %v, %v", name, got.Injected,
				got.Norms-without.Norms, got.Biases, c.injected, c.norms, c.biases)
		}
	}
}

// TestLinearLayersCounted: the matrices and the small parameters of a linear layer of width 100, by hand: keys of 2
// heads of 8, values of 4 heads of 10, a convolution of 4 taps, steps of rank 5.
func TestLinearLayersCounted(t *testing.T) {
	const D, k, v, H, conv = 100, 16, 40, 4, 4 * (2*16 + 40)
	const state = 2 * v * 8 // FLOPs of a product with the state of all heads
	for kind, c := range map[LinearKind]struct {
		matrices, norms, biases, flops float64
		how                            string
	}{
		GatedDelta: {D*(2*k+2*v) + D*2*H + conv + v*D, 10, 2 * H, 3 * state,
			"queries, keys, values, gate; two rates a head"},
		KimiDelta: {D*(2*k+v) + D*8 + 8*k + D*H + D*10 + 10*v + conv + v*D, 10, H + k, 3 * state,
			"no gate; what is forgotten by way of 8, a rate a head, the gate by way of 10"},
		Mamba2: {D*(2*v+2*k+H) + conv + v*D, v, 3 * H, 2 * state,
			"gate, values, input and output of the state, a step a head"},
		Mamba1: {D*2*v + v*(5+2*8) + 5*v + 4*v + v*D, 5 + 2*8, v + v*8 + v, 2 * state,
			"gate and values; steps, input and output of the state from values; a convolution over values"},
		Lightning: {D*4*v + v*D, v, 0, 2 * state, "queries, keys, values, gate, all as wide as values; no convolution"},
		ShortConv: {D*3*D + 4*D + D*D, 0, 0, 0, "two gates and the values; a convolution over the width"},
	} {
		m := Model{Layers: 3, Width: D, FFWidth: 1, Vocab: 1,
			Linear: Linear{Kind: kind, KeyHeads: 2, Heads: H, KeySize: 8, ValueSize: 10, Conv: 4, Rank: 5}}
		norms, biases := m.LinearSmall()
		if got := elements(m.LinearMatrices()); got != c.matrices || norms != c.norms || biases != c.biases {
			t.Errorf("%v: matrices of %v, %v of norms, %v biases, by hand %v, %v, %v: %s", kind.Name(), got, norms,
				biases, c.matrices, c.norms, c.biases, c.how)
		}
		if got := float64(m.StateFLOPs(Forward)); got != 3*c.flops {
			t.Errorf("%v: three layers take %v FLOPs on their states, by hand %v", kind.Name(), got, 3*c.flops)
		}
	}
}

// TestKeptLatentsCounted: two layers of width 100 with latent attention of two heads of 8 + 4 and 10, latents of 30 and
// 20, and an MLP of 300.
func TestKeptLatentsCounted(t *testing.T) {
	m := Model{Layers: 2, Width: 100, Heads: 2, FFWidth: 300, Vocab: 1000,
		MLA: MLA{QRank: 30, KVRank: 20, NopeSize: 8, RopeSize: 4, ValueSize: 10}}
	const heads = 2*12 + 2*12 + 2*10 + 30 + 20 + 4 // queries, keys, values, both latents, the rotary key
	for keep, want := range map[Keep]float64{
		// of two norms and two blocks the inputs; output; gate, product
		KeepAll:     2 * (4*100 + heads + 2*10 + 4*300),
		KeepMatmuls: 2 * (100 + heads + 2*300 + 2*100), // a layer's input; what matmuls give, both blocks' outputs
		KeepBlocks:  2 * 100,
	} {
		if got := m.ActivationElements(keep); got != want {
			t.Errorf("policy %d keeps %v elements of a token, by hand %v", keep, got, want)
		}
	}
}

// TestKeptNormsCounted: where queries and keys have norms, what they were before is kept too; blocks side by side have
// one norm and one input.
func TestKeptNormsCounted(t *testing.T) {
	m := Model{Layers: 2, Width: 100, Heads: 2, KVHeads: 1, HeadSize: 50, FFWidth: 300, Vocab: 1000}
	const plain = 2 * (4*100 + 100 + 50 + 50 + 100 + 4*300) // inputs; queries, keys, values, output; the MLP
	for norm, want := range map[QKNorm]float64{NoQKNorm: plain, HeadQKNorm: plain + 2*(100+50)} {
		m.QKNorm = norm
		if got := m.ActivationElements(KeepAll); got != want {
			t.Errorf("norms %d: %v elements of a token are kept, by hand %v", norm, got, want)
		}
	}
	m.QKNorm, m.Parallel, m.Norms = NoQKNorm, true, 1
	if got, want := m.ActivationElements(KeepAll), plain-2*2*100.0; got != want { // one norm, which both blocks read
		t.Errorf("side by side both blocks keep %v elements of a token, by hand %v", got, want)
	}
}
