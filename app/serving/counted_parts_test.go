package serving

import (
	"math"
	"testing"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/model"
)

// Numbers of queues and of pools for caches, counted by hand.

// TestDriftCounted: ends that differ drift apart as the root of the number of waves. From the second to the tenth wave
// on average that is, against one wave, the mean root of one to nine.
func TestDriftCounted(t *testing.T) {
	roots := 0.0
	for waves := 1.0; waves <= 9; waves++ {
		roots += math.Sqrt(waves) / 9
	}
	near(t, "drift", apart, roots, 0.003)
}

// TestChunksCounted: a prompt of 4,096 tokens in two chunks of 2,048 follows none of its own and then 2,048, 1,024 in
// the mean; with a quarter found, two chunks of 1,536 follow 1,024 and then 1,536 more. Sequences that decode look at
// the prompt and half of the answer.
func TestChunksCounted(t *testing.T) {
	r := replica(t, "llama3.70b", "gpu.h100", 1, Plan{TP: 8}, ideal())
	r.Chunk = 2048
	for hit, x := range map[float64]struct{ part, before float64 }{0: {2048, 1024}, 0.25: {1536, 1024 + 768}} {
		p := r.prompting(3, 1, Load{In: 4096, Out: 100, Hit: hit}, 1)
		decode := Work{Sequences: 3, Context: 4096 + 50, Verify: 1}
		mixed := decode
		mixed.Prompt, mixed.Prompts, mixed.Before = x.part, 1, x.before
		near(t, "a step without prompts", p.decode, r.Step(decode).Total(), 1e-12)
		near(t, "a step with a chunk", p.mixed, r.Step(mixed).Total(), 1e-12)
		near(t, "until the first token", p.whole, 2*p.mixed, 1e-12)
		near(t, "what the prompt adds", p.each, 2*(p.mixed-p.decode), 1e-12)
	}
}

// TestPoolsCounted: how engines deal out 1e9 bytes of a chip to sequences of 10,000 tokens, by what layers keep: twelve
// all tokens, of 1,000 bytes each; ten those of a window of 128, of 100 bytes; 36 a state of 50,000 bytes.
func TestPoolsCounted(t *testing.T) {
	whole, window := layout{layers: 12, entry: 1000}, layout{layers: 10, entry: 100, window: 128}
	state := layout{layers: 36, entry: 50000, state: true}
	r := replica(t, "llama3.70b", "gpu.h100", 1, Plan{TP: 8}, ideal())
	r.Engine.Name, r.Chunk = "sglang", 2048
	for _, c := range []struct {
		kinds  []layout
		tokens float64
		how    string
	}{
		{[]layout{whole}, 1e9 / 12000, "12 layers of 1,000 bytes"},
		{[]layout{whole, window}, 1e9 / (12000 + 0.8*1000), "windows keep 4/5 of as many tokens"},
		{[]layout{whole, state}, 1e9 / 1.9 / 12000, "states have 0.9 of what the others have"},
	} {
		p := Pool{Length: 10000, Block: 1}
		r.flat(&p, c.kinds, 1e9)
		near(t, "tokens: "+c.how, p.Tokens, math.Floor(c.tokens), 1e-12)
	}
	r.Engine.Name = "vllm"
	for _, c := range []struct {
		kind    layout
		release float64
		blocks  float64 // of 16,000 bytes a layer
		how     string
	}{
		{whole, 0, 625, "10,000 tokens, 16 a block"},
		{window, 0, 15, "127 and a chunk of 2,048 in blocks of 160 tokens: 14, and one more"},
		{state, 0, 2, "the state of now and the one that prefixes keep"},
		{state, 14, 1, "the state of now"},
	} {
		r.Engine.Release = c.release
		near(t, "blocks: "+c.how, r.blocksOf(c.kind, 16000, 10000), c.blocks, 0)
	}
}

// TestProcessCounted: what start-up logs show that a process allocates outside PyTorch, in GiB: medians of their rows.
func TestProcessCounted(t *testing.T) {
	for _, c := range []struct {
		chip string
		tp   int
		gib  float64
	}{{"gpu.h100", 1, 0.0625}, {"gpu.mi300x", 1, 0.547}, {"gpu.l40s", 2, 0.219}, {"gpu.h100", 8, 1.625}} {
		r := replica(t, "llama3.8b", c.chip, 2, Plan{TP: c.tp}, ideal())
		near(t, c.chip, r.nonTorch()/(1<<30), c.gib, 0.01)
	}
}

// TestHalvesCounted: over links a hundred times slower, what two halves exchange in 58 of DeepSeek-V3's 61 layers is
// hidden as far as computing in those takes.
func TestHalvesCounted(t *testing.T) {
	r := replica(t, "deepseek.v3", "gpu.h800", 1, Plan{DP: 8, EP: 8}, Fitted(""))
	r.Link /= 100
	w := Work{Sequences: 8 * 128, Context: 4096}
	half := r.whole(Work{Sequences: 8 * 64, Context: 4096})
	beside := (half.Total() - half.Collectives) * 58 / 61
	if half.Collectives < 2*beside {
		t.Fatalf("the exchange of %v s is not the longer of both, computing takes %v", half.Collectives, beside)
	}
	r.Halves = true
	s, ok := r.halves(w)
	if !ok {
		t.Fatal("no halves")
	}
	near(t, "collectives that show", s.Collectives, 2*(half.Collectives-beside), 1e-9)
	near(t, "the rest", s.Total()-s.Collectives, 2*(half.Total()-half.Collectives), 1e-9)
}

// TestShapesCounted: what a model comes to for a replica.
func TestShapesCounted(t *testing.T) {
	// a layer more of Llama 3.1 8B: queries and output of 4096 x 4096, keys and values of 4096 x 1024, three matrices
	// of 4096 x 14336; and what joins two vectors of 4096 in one; all in 2 bytes
	s := replica(t, "llama3.8b", "gpu.h100", 2, Plan{}, ideal()).Shape
	const layer = 2*4096*4096 + 2*4096*1024 + 3*4096*14336.0
	near(t, "a layer that drafts", s.Drafted().Beside-s.Beside, 2*layer+2*(2*4096*4096), 1e-12)
	// DeepSeek-V4-Pro: 2 x 128 heads x 2 x 512 FLOPs for each of a window of 128 in 61 layers, of 1024 entries of four
	// tokens that 30 layers pick, and of an entry for each 128 tokens in 31 layers
	r := replica(t, "deepseek.v4_pro", "gpu.h200", 1, Plan{}, ideal())
	_, ops := r.read(1 << 20)
	near(t, "compressed attention", ops, 2*128*2*512*(61*128+30*1024+31*(1<<20)/128.0), 1e-12)
	// six links of a TPU v5p, 90e9 bytes/s each one way
	near(t, "links of a torus", replica(t, "llama3.8b", "tpu.v5p", 2, Plan{}, ideal()).Link, 6*90e9, 1e-12)
}

// TestCheckedCounted: of four tokens that a step checks for each of 64 sequences three are guesses, for each of which
// the host takes 0.1 µs.
func TestCheckedCounted(t *testing.T) {
	k := roundConstants()
	k.Checked = 1e-7
	r := handReplica(t, roundDense(), roundChip(), Plan{TP: 4}, k, Engine{})
	for verify, guesses := range map[float64]float64{0: 0, 1: 0, 4: 3} {
		s := r.Step(Work{Sequences: 64, Context: 2000, Verify: verify})
		near(t, "fixed", s.Fixed, 4*1e-5+64*1e-6+64*guesses*1e-7, 1e-9)
	}
}

// TestMostTokensCounted: an engine that is told how many tokens its cache may hold takes no more memory than for them.
func TestMostTokensCounted(t *testing.T) {
	r := replica(t, "llama3.8b", "gpu.h100", 2, Plan{}, ideal())
	free := r.Ledger(8192)
	r.Engine.Most = 16000
	l := r.Ledger(8192)
	const token = 32 * 2 * 8 * 128 * 2 // layers x keys and values x heads x size x bytes
	near(t, "bytes of a token", free.PerToken, token, 1e-12)
	near(t, "tokens", l.Tokens, 16000, 2*l.Block/16000)
	near(t, "cache", l.Cache, 16000*token, 2*l.Block/16000)
}

// TestTrialCounted: vLLM has an encoder that it runs as its publisher wrote it whole on each of four chips, and tries a
// video on it: all of its bytes, but no more than a tenth of a chip of 80e9, and since release 0.21.
func TestTrialCounted(t *testing.T) {
	const (
		beside  = 4e9
		weights = (handAttention + handMLP + 2*2*handTable) / 4
		now     = 7 * 4 * 256 * 10000
		rows    = 8192 * 2 * (2*1000 + 3*3000/4)
	)
	for _, c := range []struct {
		engine                              string
		release, trial, loaded, activations float64
		how                                 string
	}{
		{"vllm", 0, 6e9, beside, 6e9, "all of them"},
		{"vllm", 21, 9e9, beside, 0.1 * 80e9, "a tenth of the chip"},
		{"vllm", 20, 6e9, beside, now, "frames one by one"},
		{"vllm", 21, 0, beside / 4, now, "an encoder that vLLM divides"},
		{"sglang", 0, 6e9, beside / 4, rows, "another engine"},
	} {
		e := Engine{Name: c.engine, Release: c.release}
		r := handReplica(t, roundDense(), roundChip(), Plan{TP: 4}, roundConstants(), e)
		r.Shape.Beside, r.Shape.Trial = beside, c.trial
		m, l := r.Memory(2000), r.Ledger(2000)
		checkCounted(t, []handCount{
			{"weights", m.Weights, weights + c.loaded, c.how},
			{"weights by module", l.Weights, weights + c.loaded, c.how},
			{"activations", m.Activations, c.activations, c.how},
		})
	}
}

// TestOtherLedgersCounted: Text Generation Inference and llama.cpp on a chip of 80e9 bytes, with a model of which three
// layers in four see 1000 tokens; a token's keys and values are 1000 bytes in a layer.
func TestOtherLedgersCounted(t *testing.T) {
	const (
		weights = handAttention + handMLP + 2*2*handTable
		rows    = 4096 * 2 * (2*1000 + 3*3000) // of 4096 tokens
		each    = 512 * 4 * (10000 + 1000)     // logits and a row of 512 tokens, in 4 bytes
		request = 1000*4096 + 3*1000*6*256     // all tokens, and 1000 + 512 in cells of 256
		left    = 80e9 - hardware.Context - weights - each
		cache   = 0.9*80e9 - weights - rows - (hardware.Context + 64<<20)
	)
	ledger := func(engine string) Ledger {
		m := roundDense()
		m.Window = model.Window{Size: 1000, Layers: model.Pattern{Cycle: "1110"}}
		e := Engine{Name: engine}.Defaults(roundChip(), Plan{}, 4096)
		return handReplica(t, m, roundChip(), Plan{}, roundConstants(), e).Ledger(4096)
	}
	tgi, llama := ledger("tgi"), ledger("llama.cpp")
	checkCounted(t, []handCount{
		{"TGI: cache", tgi.Cache, cache, "nine tenths, of which its process is a part"},
		{"TGI: tokens", tgi.Tokens, math.Floor(cache / 4000), "four whole layers, one by one"},
		{"TGI: a request", tgi.Request, 4096 * 4000, "the same"},
		{"llama.cpp: weights", llama.Weights, weights, "a byte each, tables two"},
		{"llama.cpp: activations", llama.Activations, each, "of a step of 512 tokens"},
		{"llama.cpp: budget", llama.Budget, left, "what is left"},
		{"llama.cpp: cache", llama.Cache, request, "of all tokens at once"},
		{"llama.cpp: a token", llama.PerToken, 1000, "in the layer that sees all"},
		{"llama.cpp: tokens", llama.Tokens, 4096, "as asked"},
		{"llama.cpp: requests", llama.Concurrency, left / request, "that would fit"},
		{"llama.cpp: outside", llama.NonTorch + llama.Graphs, 0, "nothing"},
	})
}

// TestGroupsCounted: DeepSeek-V3 has 256 experts in eight groups, of which a token uses four, and eight experts of
// them. On eight ranks, a group each, these lie on 4 (1 - (3/4)^8) = 3.600 of them, where without groups it would be
// 8 (1 - (7/8)^8) = 5.251; on 64 ranks on 32 (1 - (31/32)^8) = 7.178 of them, not 7.575. Of these all but one in so
// many is another chip; a token goes there in 8 bits and comes back in 16.
func TestGroupsCounted(t *testing.T) {
	for ranks, reached := range map[int]float64{8: 3.5995, 64: 7.1776} {
		r := replica(t, "deepseek.v3", "gpu.h200", 1, Plan{DP: ranks, EP: ranks}, ideal())
		n := float64(ranks)
		near(t, "bytes of 100 tokens", r.exchanged(load{rows: 100}), 100*reached*(1-1/n)*7168*(1+2), 1e-4)
		whole := r.Shape.Model.MoE
		r.Shape.Model.MoE.Groups, r.Shape.Model.MoE.Chosen = 0, 0
		near(t, "without groups", r.exchanged(load{rows: 100}), 100*n*(1-math.Pow(1-1/n, 8))*(1-1/n)*7168*(1+2), 1e-9)
		r.Shape.Model.MoE = whole
	}
}

// TestLMDeployCounted: TurboMind takes 0.8 of what weights leave of an A100, and cuts it into blocks of 64 tokens. Of
// Qwen3 8B a token takes 36 layers x 2 x 8 heads x 128 x 2 bytes, so that a block has 9 MiB, as its log says
// ("[BlockManager] block_size = 9.000 MB"); 863 blocks are 55,232 tokens.
func TestLMDeployCounted(t *testing.T) {
	r := replica(t, "qwen3.8b", "gpu.a100", 2, Plan{}, ideal())
	r.Engine.Name, r.Share = "lmdeploy", Engine{Name: "lmdeploy"}.usualShare()
	l := r.Ledger(8192)
	near(t, "bytes of blocks", l.Cache, 0.8*(r.Chip.Memory-hardware.Context-alone-r.weightsOnChip()), 1e-9)
	near(t, "bytes of a block", l.BlockBytes, 9<<20, 0)
	near(t, "tokens of a block", l.Block, 64, 0)
	near(t, "tokens of 863 blocks", r.Account(8192, Said{Cache: 863 * 9 << 20}).Tokens, 55232, 0)
}

// TestMLCCounted: MLC LLM takes 0.85 of the whole for weights, a step and the cache. A log of Llama 2 7B in 16 bits has
// 18,267 tokens in 9,590.18 MB (github.com/mlc-ai/mlc-llm/pull/1603): a token takes 32 layers x 2 x 4,096 x 2 bytes =
// 512 KiB, 9,133.5 MB in all, and a twentieth more lies beside the cache.
func TestMLCCounted(t *testing.T) {
	r := replica(t, "llama2.7b", "gpu.rtx4090", 2, Plan{}, ideal())
	r.Engine.Name, r.Share = "mlc", Engine{Name: "mlc"}.usualShare()
	l := r.Ledger(4096)
	near(t, "bytes of the cache", l.Cache, 0.85*r.Chip.Memory-r.weightsOnChip()-r.activations(), 1e-9)
	const held = 18267 * 512 << 10
	near(t, "tokens of a cache", r.Account(4096, Said{Cache: held + r.besideCache()}).Tokens, 18267, 1e-3)
}

// TestMLCBesideCacheCounted: with its cache MLC LLM counts for each token of a step 8 bytes for each head and one more,
// and 4 for each element of all heads, and 48 MiB. Llama 3 8B has 32 and 8 heads of 128: 1024 tokens take
// 1024 x (8 x 33 + 4 x 128 x 40) = 21,241,856 bytes, and with 50,331,648 more 68.26 MiB; a log has 1092.268 MB for 8192
// tokens of 128 KiB, that is 68.268 more. Llama 2 7B on four, with 4096: 4096 x (8 x 9 + 4 x 128 x 16) = 33,849,344,
// 80.28 MiB in all; a log has 15113.060 for 120261 tokens of 128 KiB, 80.43 more. There its tables are whole on each
// card: 3588.508 MB are (6,738,415,616 - 2 x 131,072,000) x 2 / 4 bytes and 2 x 131,072,000 x 2.
func TestMLCBesideCacheCounted(t *testing.T) {
	for _, c := range []struct {
		model, name         string
		tp                  int
		chunk, bytes, exact float64
	}{
		{"llama3.8b", "68.268 MB", 1, 1024, 21241856 + 48<<20, 68.268 * (1 << 20)},
		{"llama2.7b", "80.43 MB", 4, 4096, 33849344 + 48<<20, 80.43 * (1 << 20)},
	} {
		r := replica(t, c.model, "gpu.a100", 2, Plan{TP: c.tp}, ideal())
		r.Engine = Engine{Name: "mlc", Chunk: c.chunk, Share: 0.85}
		near(t, "beside the cache", r.besideCache(), c.bytes, 1e-12)
		near(t, "as the log has it, "+c.name, r.besideCache(), c.exact, 0.003)
		if c.tp > 1 {
			tables := 2 * 131072000.0
			near(t, "weights", r.weightsOnChip(), (6738415616-tables)*2/4+tables*2, 1e-3)
			near(t, "weights by the log", r.weightsOnChip(), 3588.508*(1<<20), 1e-3)
		}
	}
}

// TestStartsAsLogsSayCounted: of Qwen2.5 7B on two A100, 256 sequences choose among 152,064 words of 4 bytes: 155.7 MB
// a copy, of which sorting makes 9.7 in release 0.10 and FlashInfer's sampler 3.2. What collectives allocate is 1,600
// MiB where chips reach one another's memory, and 160 where they don't. A quarter of the chip less the two differs by
// as much: (9.7 - 3.2) copies and 1,440 MiB. Without graphs nothing is taken off for them.
func TestStartsAsLogsSayCounted(t *testing.T) {
	ledger := func(change func(*Engine)) Ledger {
		e := Engine{Name: "vllm", Release: 10.01, Share: 0.25, Chunk: 2048, Sequences: 256}
		change(&e)
		r := replica(t, "qwen2_5.7b", "gpu.a100", 2, Plan{TP: 2}, ideal())
		r.Engine = e
		return r.Ledger(16384)
	}
	const copied = 256 * 152064 * 4
	sorted, unsorted := ledger(func(*Engine) {}), ledger(func(e *Engine) { e.Unsorted, e.NoPeers = true, true })
	near(t, "copies that sorting makes", sorted.Activations, 9.7*copied, 1e-9)
	near(t, "copies without sorting", unsorted.Activations, 3.2*copied, 1e-9)
	near(t, "collectives of peers", sorted.NonTorch, (64+1600)<<20, 0)
	near(t, "collectives without peers", unsorted.NonTorch, (64+160)<<20, 0)
	near(t, "cache", unsorted.Cache-sorted.Cache, (9.7-3.2)*copied+1440<<20, 1e-9)
	captured := ledger(func(e *Engine) { e.Release = 22 })
	eager := ledger(func(e *Engine) { e.Release, e.Graphless = 22, true })
	near(t, "cache without graphs", eager.Cache-captured.Cache, 600<<20, 1e-9)
	near(t, "graphs", eager.Graphs+eager.Counted, 0, 0)
}
