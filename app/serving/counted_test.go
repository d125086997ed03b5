package serving

import (
	"math"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/model"
)

// Terms of a step and of memory, counted by hand. The chip and the constants have round numbers that differ from one
// another, so that each can be found again in the arithmetic; nothing here is taken from what the package computes.

func roundChip() Chip {
	return Chip{Name: "round", Bandwidth: 4e12, Memory: 80e9, Peak16: 1e15, Peak8: 2e15, Link: 4e11, Domain: 8,
		Network: 5e10, Host: 2e10}
}

func roundConstants() Constants {
	return Constants{Weights: 0.8, Weights4: 0.4, Sparse: 0.9, Cache: 0.7, Math16: 0.6, Math8: 0.5, Math4: 0.3,
		Grouped: 0.4, Score: 0.5, Alike: 0.75, Tile: 40, Layer: 1e-5, Block: 2e-6, Latent: 3e-6, Captured: 100,
		Sequence: 1e-6, Passes: 20, Collective: 8e-6, Begin: 5e-5, Far: 4e-5, Links: 0.9, Imbalance: 1.4}
}

// What chip and constants reach together, in FLOP/s and bytes/s.
const (
	handRead  = 4e12 * 0.8 // of weights
	handCache = 4e12 * 0.7
	hand8     = 2e15 * 0.5
	hand16    = 1e15 * 0.6
	handScore = 1e15 * 0.5
	handWire  = 4e11 * 0.9
	handPort  = 5e10 * 0.9
)

// roundModel has four layers of width 1000, of 8 heads of 125 and 2 of keys and values, and 10,000 words.
func roundModel(m model.Model) *model.Model {
	m.Layers, m.Width, m.Heads, m.KVHeads, m.Vocab = 4, 1000, 8, 2, 10000
	return &m
}

func roundDense() *model.Model { return roundModel(model.Model{FFWidth: 3000}) }

// roundExperts has a dense MLP in the first layer, and in the others two of eight experts and a shared one.
func roundExperts() *model.Model {
	return roundModel(model.Model{FFWidth: 4000, MoE: model.MoE{Experts: 8, PerToken: 2, Width: 500, Shared: 1,
		SharedWidth: 800, Layers: model.Pattern{First: 1}}})
}

// Weights of all layers of them.
const (
	handAttention = 4 * (2*1000.0*1000 + 2*1000*250) // queries and output, keys and values
	handMLP       = 4 * 3 * 1000.0 * 3000
	handTable     = 10000.0 * 1000
	handShared    = 3*1000.0*4000 + 3*(3*1000*800+8*1000) // a dense MLP, three shared experts and routers
	handExpert    = 3 * 1000.0 * 500
)

// handReplica serves a model with weights of a byte and caches of two, tables of two.
func handReplica(t *testing.T, m *model.Model, c Chip, p Plan, k Constants, e Engine) *Replica {
	t.Helper()
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	r, err := NewReplica(NewShape(m, Uniform(1, 2)), c, p, k, e)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// handCount is a term, what it should be, and in words how that is counted.
type handCount struct {
	term      string
	got, want float64
	how       string
}

func checkCounted(t *testing.T, terms []handCount) {
	t.Helper()
	for _, c := range terms {
		if !(math.Abs(c.got-c.want) <= 1e-9*math.Abs(c.want)) {
			t.Errorf("%s is %.9g, by hand %.9g: %s", c.term, c.got, c.want, c.how)
		}
	}
}

// TestDenseStepCounted: four chips as TP 4. First 64 sequences of 2000 tokens decode, which read; then two pieces of
// 500 tokens of prompts join them, each behind 500 others, which compute.
func TestDenseStepCounted(t *testing.T) {
	r := handReplica(t, roundDense(), roundChip(), Plan{TP: 4}, roundConstants(), Engine{})
	decode, mixed := r.Step(Work{Sequences: 64, Context: 2000}), r.Step(Work{Sequences: 64, Context: 2000, Prompt: 1000,
		Prompts: 2, Before: 500})
	const (
		rows   = 64 + 1000
		start  = 8e-6 * 1.25                   // two doublings
		cache  = 64 * 4 * 2000 * 2 * 500 / 2.0 // over the two heads of keys and values
		scores = 4 * 2 * (500*500 + 500*500/2) * 2 * 8 * 250 / 4.0
	)
	checkCounted(t, []handCount{
		{"projections", decode.Projections, handAttention / 4 / handRead, "a byte each"},
		{"MLPs", decode.Dense, handMLP / 4 / handRead, "a byte each"},
		{"logits", decode.Logits, 2 * handTable / 4 / handRead, "two bytes each"},
		{"cache", decode.Cache, cache / handCache,
			"64 x 4 layers x 2000 tokens x 500 numbers of 2 bytes, over 2 chips"},
		{"collectives", decode.Collectives, 8 * (start + 3*64*1000*2/handWire),
			"2 sums a layer: each chip reads 64 rows of 2 bytes x 1000 of three others"},
		{"fixed", decode.Fixed, 4*1e-5 + 64*1e-6, "4 layers and 64 sequences"},
		{"scores", decode.Scores, 0, "no prompts"},
		{"experts", decode.Experts, 0, "none"},
		{"host", decode.Host, 0, "all weights are on the chip"},
		{"projections with prompts", mixed.Projections, 2 * handAttention / 4 * rows / hand8,
			"2 FLOP a weight and row"},
		{"MLPs with prompts", mixed.Dense, 2 * handMLP / 4 * rows / hand8, "2 FLOP a weight and row"},
		{"logits with prompts", mixed.Logits, 2 * handTable / 4 / handRead, "66 rows are read for, not computed for"},
		{"scores with prompts", mixed.Scores, scores / handScore,
			"4 layers x 2 pieces x (500 x 500 before, half of 500 x 500) x 2 FLOP x 8 heads x 250"},
		{"collectives with prompts", mixed.Collectives, 8 * (start + 3*rows*1000*2/handWire), "1064 rows"},
		{"fixed with prompts", mixed.Fixed, 4*1e-5 + 64*1e-6 + 4*20*1000*1000*2/4e12,
			"and 20 passes over the vectors of 1000 tokens"},
	})
}

// TestExpertStepCounted: four chips as DP 4 x EP 4, each with two of eight experts. Of n tokens whose choices are alike
// by a quarter, an expert is read unless 1 + (n - 1) 3/4 of them all miss it.
func TestExpertStepCounted(t *testing.T) {
	r := handReplica(t, roundExperts(), roundChip(), Plan{DP: 4, EP: 4}, roundConstants(), Engine{})
	few, many := r.Step(Work{Sequences: 8, Context: 2000}), r.Step(Work{Sequences: 1024, Context: 2000})
	read := func(tokens float64) float64 { return 1 - math.Pow(1-2./8, 1+(tokens-1)*0.75) } // share of experts
	const uneven = 1 + 0.4*(1-1./4)
	rows := func(tokens float64) float64 { return uneven * tokens * 2 / (8 * read(tokens)) }
	// to each of three other ranks of four go those of a rank's tokens that have one of two experts there: a byte a
	// number, and two bytes back
	sent := func(tokens float64) float64 { return tokens / 4 * 3 * (1 - 0.75*0.75) * 1000 * (1 + 2) }
	const start = 8e-6 * 1.25
	checkCounted(t, []handCount{
		{"projections", few.Projections, handAttention / handRead, "a byte each"},
		{"dense and shared", few.Dense, handShared / handRead, "a byte each, routers too"},
		{"experts", few.Experts, 2 * read(8) * 3 * handExpert / (4e12 * 0.9),
			"of two on a chip in three layers, those read"},
		{"experts of many", many.Experts, 2 * 2 * read(1024) * 3 * handExpert * (rows(1024) + 40) / (hand8 * 0.4),
			"2 FLOP for each weight and row, of which a product has 40 more"},
		{"cache", few.Cache, 2 * 4 * 2000 * 2 * 500 / handCache, "two sequences a chip"},
		{"collectives", few.Collectives, 3 * (2*start + sent(8)/handWire), "out and back in three layers"},
		{"fixed", few.Fixed, 4*1e-5 + 3*2*2e-6 + 2*1e-6, "4 layers, two experts in three, two sequences"},
	})
	far := roundChip()
	far.Domain = 2
	r = handReplica(t, roundExperts(), far, Plan{DP: 4, EP: 4}, roundConstants(), Engine{})
	checkCounted(t, []handCount{{"collectives of two domains", r.Step(Work{Sequences: 8, Context: 2000}).Collectives,
		3 * (2*8e-6 + sent(8)/2/handWire + 2*4e-5 + sent(8)/2/handPort), "half of it leaves"}})
	r = handReplica(t, roundExperts(), roundChip(), Plan{TP: 2, DP: 2, ETP: 4}, roundConstants(), Engine{})
	checkCounted(t, []handCount{{"collectives of split experts",
		r.Step(Work{Sequences: 8, Context: 2000}).Collectives,
		3*(start+3*4*1000*2/handWire) + (4+1)*(8e-6+4*1000*2/handWire),
		"a sum over all four in layers with experts; attention and one dense MLP over two"}})
}

// TestLlamaStepCounted: Llama 3 8B as Meta publishes it (32 layers of width 4096, 32 heads of 128 and 8 of keys and
// values, hidden width 14336, 128,256 words) in bf16 on two H100 with the constants of vLLM: 32 sequences of 4096
// tokens.
func TestLlamaStepCounted(t *testing.T) {
	r := replica(t, "llama3.8b", "gpu.h100", 2, Plan{TP: 2}, Fitted("vllm"))
	k, c, s := r.Constants, r.Chip, r.Step(Work{Sequences: 32, Context: 4096})
	const D, F = 4096.0, 14336.0
	read := c.Bandwidth * k.Weights
	checkCounted(t, []handCount{
		{"projections", s.Projections, 2 * 32 * (2*D*D + 2*D*1024) / 2 / read, "2 bytes each"},
		{"MLPs", s.Dense, 2 * 32 * 3 * D * F / 2 / read, "2 bytes each"},
		{"logits", s.Logits, 2 * 128256 * D / 2 / read, "2 bytes each"},
		{"cache", s.Cache, 32 * 4096 * 131072 / 2 / (c.Bandwidth * k.Cache), "128 KiB a token"},
		{"collectives", s.Collectives, 64 * (k.Collective + 32*D*2/(c.Link*k.Links)), "64 sums of two"},
		{"fixed", s.Fixed, 32*k.Layer + 32*k.Sequence, "32 layers, 32 sequences"},
	})
}

// TestLatentStepCounted: latent attention reads latents of 512 + 64 numbers and computes 2 x 8 heads x (2 x 512 + 64)
// on each; its projections to latents are on every chip.
func TestLatentStepCounted(t *testing.T) {
	m := roundDense()
	m.KVHeads, m.MLA = 0, model.MLA{KVRank: 512, NopeSize: 100, RopeSize: 64, ValueSize: 100, QRank: 256}
	r := handReplica(t, m, roundChip(), Plan{TP: 2}, roundConstants(), Engine{})
	s := r.Step(Work{Sequences: 4, Context: 1000, Verify: 100})
	near := r.Step(Work{Sequences: 4, Context: 1000})
	const latents = 1000.0 * (256 + 512 + 64)
	const heads = 256*8*164 + 512*8*(100+100) + 8*100*1000.0
	checkCounted(t, []handCount{
		{"cache", near.Cache, 4 * 4 * 1000 * 2 * (512 + 64) / handCache, "the whole latent on each chip"},
		{"attention of 100 guesses", s.Cache, 4 * 100 * 4 * 1000 * 2 * 8 * (2*512 + 64) / 2 / handScore,
			"heads are split"},
		{"fixed", near.Fixed, 4*(1e-5+3e-6) + 4*1e-6, "a latent a layer"},
		{"weights", r.weightsOnChip(), 4*(latents+heads/2) + handMLP/2 + 2*2*handTable/2, "a byte each, tables two"},
	})
}

// TestStepPartsCounted: what few plans have.
func TestStepPartsCounted(t *testing.T) {
	k := roundConstants()
	r := handReplica(t, roundDense(), roundChip(), Plan{TP: 4, CP: 2}, k, Engine{})
	cp := r.Step(Work{Sequences: 64, Context: 2000})
	staged := handReplica(t, roundDense(), roundChip(), Plan{PP: 2}, k, Engine{Offload: 1e9})
	s := staged.Step(Work{Sequences: 64, Context: 2000})
	k.Eager = 1e-2
	eager := handReplica(t, roundDense(), roundChip(), Plan{}, k, Engine{})
	away := roundChip()
	away.Domain = 1
	far := handReplica(t, roundDense(), away, Plan{PP: 2}, roundConstants(), Engine{})
	spread := handReplica(t, roundDense(), away, Plan{TP: 2}, roundConstants(), Engine{})
	const long = 1e9
	checkCounted(t, []handCount{
		{"sums over a split cache", cp.Collectives, 8*(8e-6*1.25+3*64*2000/handWire) + 4*2*(8e-6+64*2000/handWire),
			"2 a layer over two chips besides"},
		{"attention of 1000 guesses", r.Step(Work{Sequences: 64, Context: 2000, Verify: 1000}).Cache,
			64 * 1000 * 4 * 2000 * 2 * 8 * 250 / 4 / handScore, "2 FLOP x 8 heads x 250 for each of 2000 tokens"},
		{"handing on", s.Collectives, 8e-6 + 64*1000*2/handWire, "once for two stages"},
		{"handing on to another domain", far.Step(Work{Sequences: 64}).Collectives, 4e-5 + 64*2000/handPort, "once"},
		{"weights in the host’s memory", s.Host, 2 * 1e9 / 2e10, "1e9 bytes of each of two stages"},
		{"launches", eager.Step(Work{Prompt: 1000}).Total(), 4e-2, "4 layers, longer than all that they compute"},
		{"a captured step", eager.Step(Work{Prompt: 100}).Fixed, 4*1e-5 + 4*20*100*2000/4e12, "none to launch"},
		{"a sum of many bytes", r.allReduce(long, 4), 8e-6*1.25 + 5e-5 + 2*long*3/4/handWire, "goes around a ring"},
		{"a sum between domains", spread.allReduce(long, 2), 4e-5 + 2*long/2/handPort, "over the chips' ports"},
		{"inner width with a gate", r.Inner(), 1.5 * 3000, "two are scattered, one is gathered"},
		{"a start of eight", rounds(8), 1.5, "a quarter more with each doubling after the first"},
		{"an exchange", exchangeTime(long, 8, handWire, 8e-6), 2*8e-6*1.5 + long/handWire, "two starts"},
	})
	k = roundConstants()
	k.Tile = 5
	m := roundExperts()
	four := Uniform(0.5, 2)
	for _, c := range []struct{ peak4, tile, want float64 }{{0, 40, 8}, {0, 5, 5}, {4e15, 40, 40}} {
		chip := roundChip()
		chip.Peak4, k.Tile = c.peak4, c.tile
		r, err := NewReplica(NewShape(m, four), chip, Plan{}, k, Engine{})
		if err != nil {
			t.Fatal(err)
		}
		checkCounted(t, []handCount{
			{"tile", r.tile(1), c.want, "8 at most where 4 bits are widened"},
			{"rate", r.rate(0.5), max(c.peak4*0.3, pick16(c.peak4)),
				"of 4 bits where there is a unit for them, else of 16"},
			{"reads", r.reads(0.5), 4e12 * 0.4, "weights of 4 bits"},
		})
	}
}

// pick16 is the rate of 16 bits where nothing computes 4.
func pick16(peak4 float64) float64 {
	if peak4 > 0 {
		return 0
	}
	return hand16
}

// TestStateCounted: the state of a linear layer, 8 heads of 125 x 125 in 4 bytes, is read and written by each sequence.
func TestStateCounted(t *testing.T) {
	m := roundDense()
	m.Linear = model.Linear{Kind: model.Lightning, KeyHeads: 8, Heads: 8, KeySize: 125, ValueSize: 125}
	r := handReplica(t, m, roundChip(), Plan{TP: 2}, roundConstants(), Engine{})
	const state = 4 * 4 * 8 * 125 * 125.0
	checkCounted(t, []handCount{{"cache", r.Step(Work{Sequences: 16, Context: 1000}).Cache,
		16 * 2 * state / 2 / handCache, "there and back, over two chips"}})
}

// TestPairsCounted: what tokens of a prompt look at, one by one.
func TestPairsCounted(t *testing.T) {
	k := cacheKind{window: 100}
	sum := func(P, T float64) (n float64) {
		for i := range int(P) {
			n += min(T+float64(i)+0.5, 100) // half of itself, as a causal half of the square has it
		}
		return n
	}
	checkCounted(t, []handCount{
		{"all", (cacheKind{}).pairs(50, 1000), 50*1000 + 50*50/2, "all before, and half of themselves"},
		{"a window that grows", k.pairs(80, 60), 40*60 + 40*40/2 + 40*100, "40 that grow, 40 at the window"},
		{"a window that grows, one by one", k.pairs(80, 60), sum(80, 60), "each token at its middle"},
		{"a full window", k.pairs(80, 200), 80 * 100, "the window each"},
	})
}

// TestMemoryCounted: four chips as TP 4 of 80e9 bytes, of which the engine takes nine tenths; eight as DP 4 x EP 4 x TP
// 1.
func TestMemoryCounted(t *testing.T) {
	const (
		// beside the context: outside the allocator, and of collectives over NVLink
		process = 64*1024*1024 + 1600*1024*1024
		weights = (handAttention + handMLP + 2*2*handTable) / 4
		logits  = 7 * 4 * 256 * 10000 // copies of 4 bytes for each of 256 sequences and 10,000 words
		rows    = 8192 * 2 * (2*1000 + 3*3000/4)
		each    = (2000 + 8) * 4 * 500 * 2 / 2 // half a page more, over two heads
	)
	vllm := handReplica(t, roundDense(), roundChip(), Plan{TP: 4}, roundConstants(), Engine{}).Memory(2000)
	other := handReplica(t, roundDense(), roundChip(), Plan{TP: 4}, roundConstants(),
		Engine{Name: "sglang"}).Memory(2000)
	fused := handReplica(t, roundDense(), roundChip(), Plan{TP: 4}, roundConstants(), Engine{Name: "sglang",
		Sequences: 1024}).Memory(2000)
	whole := handReplica(t, roundDense(), roundChip(), Plan{TP: 4}, roundConstants(), Engine{Share: 1}).Memory(2000)
	free := handReplica(t, roundDense(), roundChip(), Plan{TP: 4}, roundConstants(), Engine{Share: 0.5,
		OfFree: true}).Memory(2000)
	left := 0.9*80e9 - weights - logits - process // the context lies outside the engine's share
	most := 80e9 - weights - logits - hardware.Context - process - 600*1024*1024
	checkCounted(t, []handCount{
		{"weights", vllm.Weights, weights, "a byte each, tables two"},
		{"activations", vllm.Activations, logits, "copies of logits are more than a chunk's rows"},
		{"activations of rows", other.Activations, rows, "8192 tokens x 2 bytes x (2 widths, 3 hidden widths over 4)"},
		{"activations of fused logits", fused.Activations, 2 * 4 * 1024 * 10000, "two copies"},
		{"workspace", vllm.Workspace, process, "64 MiB, 1600 MiB"},
		{"cache", vllm.Cache, left, "what is left of nine tenths"},
		{"cache of the whole", whole.Cache, most, "the context and graphs of 600 MiB lie beside"},
		{"cache of what is free", free.Cache, most / 2, "half of that"},
		{"a sequence", vllm.Sequence, each, "2008 tokens x 4 layers x 500 numbers x 2 bytes, over 2 chips"},
		{"sequences", vllm.Sequences, left / each, "as many"},
	})
	r := handReplica(t, roundExperts(), roundChip(), Plan{DP: 4, EP: 4}, roundConstants(), Engine{Name: "sglang"})
	m := r.Memory(2000)
	alone := handReplica(t, roundDense(), roundChip(), Plan{}, roundConstants(), Engine{}).Memory(2000)
	checkCounted(t, []handCount{
		{"weights with experts", m.Weights, handAttention + handShared + 3*2*handExpert + 2*2*handTable,
			"two experts in three layers"},
		{"activations of a dense MLP", m.Activations, 8192 * 2 * (2*1000 + 3*4000), "more than two experts have"},
		{"sequences of four groups", m.Sequences, 4 * m.Cache / (2008 * 4 * 500 * 2), "of each group"},
		{"workspace of a chip alone", alone.Workspace, 64 * 1024 * 1024, "no collectives"},
	})
	big := roundExperts()
	big.MoE.PerToken = 8
	m = handReplica(t, big, roundChip(), Plan{}, roundConstants(), Engine{Name: "sglang"}).Memory(2000)
	checkCounted(t, []handCount{{"activations of experts", m.Activations, 8192 * 2 * (2*1000 + 8*(3*500+1000)),
		"8 experts with 3 hidden widths and an answer each"}})
	// 4 bits: an expert's width of 500 is stored as 512 in tiles of 128, the model's of 1000 as 1024
	small, err := NewReplica(NewShape(roundExperts(), Uniform(0.5, 2)), roundChip(), Plan{}, roundConstants(), Engine{})
	if err != nil {
		t.Fatal(err)
	}
	tiles := roundChip()
	tiles.Peak4 = 4e15
	narrow := *small
	narrow.Chip = tiles
	narrow.Plan.ETP = 4 // of 125 a chip: 256 in tiles of 256, and of integers, which are widened, 128 in tiles of 128
	widened := narrow
	native := *narrow.Shape
	native.Precision.Experts = 4.25 / 8
	narrow.Shape = &native
	checkCounted(t, []handCount{
		{"padding", small.padding(), 512. / 500 * 1024 / 1000, "steps of 128 and 256"},
		{"padding of a part", narrow.padding(), 256. / 125 * 1024 / 1000, "steps of 256 and 256"},
		{"padding of a part in integers", widened.padding(), 128. / 125 * 1024 / 1000, "steps of 128 and 256"},
	})
}

// TestHostLinkCounted: a chip whose link to its host nobody tells has that of PCIe 5: 16 lanes of 32 Gbit/s one way.
func TestHostLinkCounted(t *testing.T) {
	found := 0
	for _, a := range hardware.Catalog().All {
		if _, err := a.Get("pcie_bandwidth"); err == nil {
			continue
		}
		if _, err := a.Get("host_bandwidth"); err == nil {
			want := 16 * 32e9 / 8 // PCIe 5
			switch {
			case a.ID == "gpu.v100": // PCIe 3
				want = 16 * 8e9 / 8
			case strings.HasPrefix(a.ID, "gpu.gh") || strings.HasPrefix(a.ID, "gpu.gb"): // NVLink-C2C, both ways 900
				want = 900e9 / 2
			}
			c, err := NewChip(a)
			if err != nil {
				t.Fatal(err)
			}
			checkCounted(t, []handCount{{a.ID, c.Host, want, "its link by the data sheet"}})
			continue
		}
		if c, err := NewChip(a); err == nil {
			found++
			checkCounted(t, []handCount{{a.ID, c.Host, 16 * 32e9 / 8, "16 x 32 Gbit/s"}})
		}
	}
	if found == 0 {
		t.Error("all chips tell of their links")
	}
}
