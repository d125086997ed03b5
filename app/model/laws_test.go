package model

import (
	"math"
	"math/rand/v2"
	"testing"
)

// looks counts the tokens that token i, counted from 0, of a sequence looks at in a layer, itself included.
func looks(l Layer, i int) int {
	first := 0
	switch {
	case l.Window == 0:
	case l.Chunked:
		first = i / l.Window * l.Window
	default:
		first = max(0, i-l.Window+1)
	}
	return i - first + 1
}

// TestMasksByCounting walks through sequences token by token. The laws leave out the half token of the diagonal that
// every published counter leaves out, and nothing else.
func TestMasksByCounting(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		l := Layer{Window: r.IntN(40), Chunked: r.IntN(2) == 0}
		T := 1 + r.IntN(200)
		sum, pairs := 0, 0
		for i := range T {
			sum += looks(l, i)
			pairs += i + 1
		}
		exact := float64(sum) / float64(T)
		if got := l.Seen(float64(T), Windowed); exact-got < -1e-9 || exact-got > 0.5+1e-9 {
			t.Errorf("%+v, %d tokens: %v seen, counted %v", l, T, got, exact)
		}
		if got := l.Seen(float64(T), Causal); math.Abs(float64(pairs)/float64(T)-got-0.5) > 1e-9 {
			t.Errorf("%d tokens: %v seen", T, got)
		}
		if l.Seen(float64(T), Full) != float64(T) || l.Seen(float64(T), NoAttention) != 0 {
			t.Error("full and none")
		}
	}
}

func TestProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 400 {
		m := random(r)
		p, a := m.Params(), m.Active()
		if sum := p.Attention() + p.FeedForward() + p.Embedding + p.Unembedding + p.Positions + p.Norms + p.Biases +
			p.Sinks; sum != p.Total() {
			t.Errorf("%+v: the parts make %v of %v", m, sum, p.Total())
		}
		if a.Total() > p.Total() || m.ActiveWithoutLookup() > a.Total() {
			t.Errorf("%+v: more active than there are", m)
		}
		tied := m
		tied.Tied = !m.Tied
		if d := math.Abs(tied.Params().Total() - p.Total()); d != float64(m.Vocab)*float64(m.Width) {
			t.Errorf("%+v: tying changes %v parameters", m, d)
		}
		if m.MoE.Experts > 0 {
			all := m
			all.MoE.PerToken = m.MoE.Experts
			if all.ActiveTotal() != all.Params().Total() {
				t.Errorf("%+v: with every expert in use every parameter is", m)
			}
		}
		contextProperties(t, &m, float64(1+r.IntN(3000)), r.Float64()*100)
	}
}

// contextProperties are those of longer and shorter sequences.
func contextProperties(t *testing.T, m *Model, T, more float64) {
	t.Helper()
	if w, c, f := m.AttentionFLOPs(T, Windowed, Forward), m.AttentionFLOPs(T, Causal, Forward), m.AttentionFLOPs(T,
		Full, Forward); w > c ||
		c != f/2 {
		t.Errorf("%+v: windowed %v, causal %v, full %v", *m, w, c, f)
	}
	if m.FLOPsPerToken(T, Full, Train) != 3*m.FLOPsPerToken(T, Full, Forward) {
		t.Errorf("%+v: training is three passes", *m)
	}
	if m.KVBytes(T+more, 2) < m.KVBytes(T, 2) || m.KVBytes(T, 2) > 2*m.KVBytes(T, 1) ||
		m.KVBytes(T, 1) > m.KVBytesPerToken(1)*1e9 {
		t.Errorf("%+v: the cache shrinks", *m)
	}
	if m.Window.Size > 0 && m.Window.Layers == (Pattern{}) {
		if w := float64(m.Window.Size); m.KVBytes(w+more, 2) != m.KVBytes(w, 2) {
			t.Errorf("%+v: windows are full", *m)
		}
	}
	full := m.Window.Size == 0
	one, whole := float64(m.KVBytesPerToken(1)), float64(m.KVBytes(T, 1))
	if full && (math.Abs(whole-one-one*(T-1)) > 1e-6*whole || m.Cached(T) != T) {
		t.Errorf("%+v: a cache without windows grows evenly", *m)
	}
	all, matmuls, blocks := m.ActivationElements(
		KeepAll,
	), m.ActivationElements(
		KeepMatmuls,
	), m.ActivationElements(
		KeepBlocks,
	)
	if !(blocks < matmuls) || blocks != float64(m.Layers*m.Width) || !(blocks < all) {
		t.Errorf("%+v: keeps %v, %v, %v", *m, all, matmuls, blocks)
	}
	if m.RecomputeFLOPs(KeepBlocks, T, Causal)+m.UnembeddingFLOPs(Forward) != m.FLOPsPerToken(T, Causal, Forward) ||
		m.RecomputeFLOPs(KeepAll, T, Full) != 0 {
		t.Errorf("%+v: computing blocks again is a forward pass without logits", *m)
	}
}

// TestGroupedIsMultiHead: with as many KV heads as heads, said or left out, nothing changes.
func TestGroupedIsMultiHead(t *testing.T) {
	a := get(t, "gpt3.175b").Model
	b := a
	a.KVHeads, b.KVHeads = 0, b.Heads
	if a.Params() != b.Params() || a.KVBytes(100, 2) != b.KVBytes(100, 2) {
		t.Error("a default that is written out changes the counts")
	}
	b.KVHeads = 8
	if a.KVBytes(100, 2) != 12*b.KVBytes(100, 2) ||
		a.AttentionFLOPs(100, Causal, Train) != b.AttentionFLOPs(100, Causal, Train) {
		t.Error("grouping divides the cache and leaves the scores")
	}
}

// TestCrossover against the shortcut 8 D, the general form, and where there is none.
func TestCrossover(t *testing.T) {
	square := Model{Layers: 7, Width: 512, Heads: 4, FFWidth: 2048, Vocab: 100}
	for mask, want := range map[Mask]float64{Full: 8 * 512, Causal: 16 * 512, Windowed: 16 * 512} {
		if got, err := square.CrossoverContext(mask); err != nil || math.Abs(got-want) > 1e-6*want {
			t.Errorf("mask %d: %v, %v, want %v", mask, got, err, want)
		}
	}
	r := rand.New(rand.NewPCG(9, 10))
	for range 200 {
		m := random(r)
		for _, mask := range []Mask{Full, Causal, Windowed} {
			T, err := m.CrossoverContext(mask)
			if err != nil {
				if mask != Windowed {
					t.Errorf("%+v: %v", m, err)
				}
				continue
			}
			if a, b := float64(m.AttentionFLOPs(T, mask,
				Forward)), float64(m.LayerFLOPs(Forward)); math.Abs(a-b) > 1e-6*b &&
				!m.Window.Chunked {
				t.Errorf("%+v: at %v attention takes %v, the matmuls %v", m, T, a, b)
			}
		}
	}
	for _, k := range Catalog().All {
		l := k.Layer(0)
		// the closed form has layers of one kind
		mixed := k.Linear.Kind != NoLinear || k.KeysValue || k.Sharing.Layers > 0
		if k.Plain || k.MLA.KVRank != 0 || k.MoE.Experts != 0 || mixed {
			continue
		}
		got, err := k.CrossoverContext(Full)
		D, F, N, K, H := float64(k.Width), float64(k.FFWidth), float64(k.Heads), float64(l.KVHeads), float64(l.HeadSize)
		want := D * (18*F + 12*(N+K)*H) / (12 * N * H)
		if err != nil || math.Abs(got-want) > 1e-9*want {
			t.Errorf("%s: %v, the closed form has %v", k.ID, got, want)
		}
	}
	if _, err := get(t, "mistral.7b").CrossoverContext(Windowed); err == nil {
		t.Error("behind a window in every layer attention never catches up")
	}
	if _, err := square.CrossoverContext(NoAttention); err == nil {
		t.Error("no attention never catches up")
	}
}

// TestDecode: generating the tokens of a sequence one by one takes what the forward pass over all of it takes, but for
// the half diagonal, unless attention works in the latent space.
func TestDecode(t *testing.T) {
	for _, k := range Catalog().All {
		const T = 20000
		sum := 0.0
		for i := 1; i <= T; i += 100 {
			sum += float64(k.DecodeAttentionFLOPs(float64(i)+49.5)) * 100
		}
		forward := T * float64(k.AttentionFLOPs(T, Windowed, Forward))
		switch {
		case k.Index.Top != 0: // TestIndexed holds those
		case k.MLA.KVRank != 0:
			ratio := float64(2*k.MLA.KVRank+k.MLA.RopeSize) / float64(k.MLA.NopeSize+k.MLA.RopeSize+k.MLA.ValueSize)
			if math.Abs(sum/forward-ratio) > 1e-3 {
				t.Errorf("%s: the latent space takes %v times as much, want %v", k.ID, sum/forward, ratio)
			}
		case !k.Window.Chunked && math.Abs(sum/forward-1) > 1e-2:
			t.Errorf("%s: one by one %v, at once %v", k.ID, sum, forward)
		}
		if got := float64(k.DecodeFLOPs(100) - k.DecodeAttentionFLOPs(100)); got != float64(k.WeightFLOPs(Forward)) {
			t.Errorf("%s: %v", k.ID, got)
		}
	}
}

// TestDecodeIntensity: G = N/K for bf16, and of latent attention nearly two operations for each head and byte.
func TestDecodeIntensity(t *testing.T) {
	for id, want := range map[string]float64{"gpt3.175b": 1, "llama3.70b": 8, "palm.540b": 48,
		"deepseek.v3": 2.0 * 128 * (2*512 + 64) / (2 * (512 + 64))} {
		if got := float64(get(t, id).DecodeIntensity(2)); math.Abs(got-want) > 1e-9*want {
			t.Errorf("%s: %v, want %v", id, got, want)
		}
	}
	for _, k := range Catalog().All {
		one := float64(k.DecodeIntensity(2))
		if l := k.Layer(0); k.MLA.KVRank == 0 && l.HeadSize == l.ValueSize && !k.KeysValue &&
			k.Window.Heads == 0 {
			if limit := float64(l.Heads) / float64(l.KVHeads); math.Abs(one-limit) > 1e-6*limit {
				t.Errorf("%s: %v, the limit of long contexts is %v", k.ID, one, limit)
			}
		}
	}
}

// TestExpertsTouched throws dice.
func TestExpertsTouched(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for _, c := range []struct{ E, k, B int }{{8, 2, 1}, {8, 2, 5}, {64, 6, 20}, {256, 8, 32}, {256, 8, 400},
		{4, 4, 3}} {
		const runs = 400
		sum := 0
		for range runs {
			hit := map[int]bool{}
			for range c.B {
				for mine := map[int]bool{}; len(mine) < c.k; {
					e := r.IntN(c.E)
					mine[e], hit[e] = true, true
				}
			}
			sum += len(hit)
		}
		got, want := ExpertsTouched(float64(c.E), float64(c.k), float64(c.B)), float64(sum)/runs
		if math.Abs(got-want) > 0.03*want {
			t.Errorf("%+v: %v, the dice say %v", c, got, want)
		}
	}
	if got := ExpertsTouched(256, 8, 1); math.Abs(got-8) > 1e-12 {
		t.Errorf("one token touches its own: %v", got)
	}
	if got := ExpertsTouched(256, 8, 1e9); got != 256 {
		t.Errorf("many tokens touch all: %v", got)
	}
}

func BenchmarkFLOPsPerToken(b *testing.B) {
	k := Catalog().All[5]
	for b.Loop() {
		k.FLOPsPerToken(8192, Windowed, Train)
	}
}
