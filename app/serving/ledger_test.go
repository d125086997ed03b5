package serving

import (
	"math"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/model"
)

// started is a replica as an engine starts it.
func started(t *testing.T, id, chip string, p Precision, plan Plan, e Engine, T float64) *Replica {
	t.Helper()
	known, err := model.Catalog().Get(id)
	if err != nil {
		t.Fatal(err)
	}
	c := chipOf(t, chip)
	c.Link = max(c.Link, 1)
	r, err := NewReplica(NewShape(&known.Model, p), c, plan, Fitted(e.Name), e.Defaults(c, plan, T))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Bytes of the cache that a log says become the tokens and the requests that it says: whole blocks, windows, states,
// latents, copies, stages, and how releases count.
func TestCacheBecomesTokens(t *testing.T) {
	const gib = 1 << 30
	for _, c := range []struct {
		model, chip      string
		weights          float64
		cache            float64
		plan             Plan
		e                Engine
		capacity, length float64
		tokens           float64
		requests         float64 // 0 where the log doesn't say
		off              float64
	}{
		{"llama3.8b", "gpu.h100", 2, 2, Plan{}, Engine{Release: 11}, 51.63 * 32 / 33 * gib, 131072, 410128, 3.13,
			0.001},
		{"mistral.7b", "gpu.h100", 2, 2, Plan{}, Engine{Release: 10.02}, 55.15 * gib, 4096, 451744, 110.29, 0.005},
		{"qwen2_5.7b", "gpu.rtx4090", Int4, 2, Plan{}, Engine{Release: 26}, 8 * gib, 32768, 149712, 4.57, 0.002},
		{"qwen3.235b_a22b", "gpu.l40s", 1, 2, Plan{TP: 8, EP: 8}, Engine{Release: 10.02}, 11423138508, 32768, 238208,
			7.27, 0.005},
		{"qwen3.30b_a3b", "gpu.l40s", 2, 2, Plan{TP: 4}, Engine{}, 23.74 * gib, 32768, 1037152, 31.65, 0.001},
		{"kimi.k2", "gpu.h200", 1, 2, Plan{TP: 8, CP: 8}, Engine{Release: 11}, 46.8 * gib, 131072, 5721088, 0, 0.001},
		{"glm5_2.744b_a40b", "gpu.gb10", 0.5625, 656.0 / 576, Plan{TP: 4, CP: 4}, Engine{}, 1.81e9, 131072, 132096,
			1.01, 0.02},
		{"qwen3_8.27b", "gpu.rtxpro6000", 2, 2, Plan{}, Engine{Release: 26}, 19.54 * gib, 262144, 313650, 1.2, 0.002},
		{"gemma4.31b", "gpu.rtx3090", Int4, 2, Plan{TP: 2}, Engine{Release: 22}, 9.265 * gib, 131072, 196527, 1.5,
			0.01},
	} {
		c.e.Name = "vllm"
		r := started(t, c.model, c.chip, Uniform(c.weights, c.cache), c.plan, c.e, c.length)
		p := r.Pool(c.capacity, c.length)
		near(t, c.model+": tokens", p.Tokens, c.tokens, c.off)
		if c.requests > 0 {
			near(t, c.model+": requests", p.Concurrency, c.requests, c.off+0.005)
		}
		if p.Blocks*p.BlockBytes > c.capacity || (p.Blocks+1)*p.BlockBytes <= c.capacity {
			t.Errorf("%s: %v blocks of %v bytes in %v", c.model, p.Blocks, p.BlockBytes, c.capacity)
		}
	}
	r := started(t, "qwen3.235b_a22b", "gpu.h100", Uniform(1, 2), Plan{TP: 4}, Engine{Name: "sglang"}, 40960)
	near(t, "SGLang’s tokens", r.Pool(16.46*gib, 40960).Tokens, 367404, 0.025)
	r = started(t, "llama3.8b", "gpu.rtx5090", Uniform(2, 1), Plan{}, Engine{Name: "trtllm"}, 8192)
	near(t, "TensorRT-LLM’s tokens", r.Pool(16.05*gib, 8192).Tokens, 263008, 0.001)
}

// The steps of a ledger are what they say: the share of the card, less what is taken off it, is the cache; by release
// the context and the graphs count or don't.
func TestLedgerAddsUp(t *testing.T) {
	for _, release := range []float64{0, 6.04, 6.06, 8.03, 10.02, 20, 21} {
		r := started(t, "llama3.8b", "gpu.h100", Uniform(2, 2), Plan{}, Engine{Name: "vllm", Release: release}, 8192)
		l := r.Ledger(8192)
		sum := 0.0
		for _, m := range l.Modules {
			sum += m.Bytes
		}
		near(t, "weights", l.Weights, sum, 1e-12)
		near(t, "budget", l.Budget, l.Share*l.Total, 1e-12)
		near(t, "cache", l.Cache, l.Budget-l.Weights-l.Activations-l.NonTorch-l.Counted, 1e-12)
		if context := l.NonTorch > 400<<20; context != (release == 6.04 || release == 8.03) {
			t.Errorf("release %v: %v outside PyTorch", release, l.NonTorch)
		}
		if counted := l.Counted > 0; counted != (release == 0 || release == 21) {
			t.Errorf("release %v: graphs of %v are taken off", release, l.Counted)
		}
		if m := r.Memory(8192); release >= 21 || release == 0 {
			near(t, "the planner’s room", m.Cache, l.Cache, 1e-12)
		}
		if l.Share != map[bool]float64{true: 0.92, false: 0.9}[release == 0 || release >= 21] {
			t.Errorf("release %v takes a share of %v", release, l.Share)
		}
	}
}

// What a log says of a step is what the steps behind it are worked out from.
func TestAccountFollowsWhatIsSaid(t *testing.T) {
	r := started(t, "llama3.8b", "gpu.h100", Uniform(2, 2), Plan{}, Engine{Name: "vllm"}, 8192)
	own := r.Ledger(8192)
	l := r.Account(8192, Said{Weights: own.Weights + 1<<30})
	near(t, "cache", l.Cache, own.Cache-1<<30, 1e-9)
	if l = r.Account(8192, Said{Cache: 16 << 30}); l.Tokens != 131072 {
		t.Errorf("16 GiB hold %v tokens of 128 KiB", l.Tokens)
	}
	r = started(t, "llama3.8b", "gpu.a6000", Uniform(2, 2), Plan{}, Engine{Name: "sglang"}, 8192)
	if l = r.Account(8192, Said{Free: 44<<30 + r.nonTorch()}); math.Abs(l.Tokens/183133-1) > 0.03 {
		t.Errorf("SGLang on 44 GiB has %v tokens, its log 183,133", l.Tokens)
	}
}

// What engines set themselves: vLLM by the chip, SGLang by what it leaves free.
func TestDefaults(t *testing.T) {
	for _, c := range []struct {
		engine, chip     string
		release          float64
		plan             Plan
		sequences, chunk float64
		share, T         float64
	}{
		{"vllm", "gpu.h100", 0, Plan{}, 1024, 8192, 0.92, 131072},
		{"vllm", "gpu.a100", 0, Plan{}, 256, 2048, 0.92, 131072},
		{"vllm", "gpu.rtx4090", 11, Plan{}, 256, 2048, 0.9, 131072},
		{"vllm", "gpu.h100", 5.03, Plan{}, 256, 8192, 0.9, 8192},
		{"sglang", "gpu.h100", 0, Plan{}, 2048, 8192, 0.834, 8192},
		{"sglang", "gpu.a6000", 0, Plan{}, 2048, 4096, 0.86, 8192},
		{"sglang", "gpu.h100", 0, Plan{TP: 8}, 2048, 8192, 0.815, 8192},
		{"trtllm", "gpu.h100", 0, Plan{}, 2048, 8192, 0.9, 8192},
	} {
		e := Engine{Name: c.engine, Release: c.release}.Defaults(chipOf(t, c.chip), c.plan, c.T)
		if e.Sequences != c.sequences || e.Chunk != c.chunk || math.Abs(e.Share-c.share) > 0.005 {
			t.Errorf("%s on %s: %+v, want %v, %v, %v", c.engine, c.chip, e, c.sequences, c.chunk, c.share)
		}
		if set := (Engine{Name: c.engine, Share: 0.5, Sequences: 7, Chunk: 99}).Defaults(chipOf(t, c.chip), c.plan,
			c.T); set.Share !=
			0.5 || set.Sequences != 7 ||
			set.Chunk != 99 {
			t.Errorf("%s: what is set is %+v", c.engine, set)
		}
	}
	if ReleaseOf(2024, 12) != 6.06 || ReleaseOf(2025, 9) != 10.02 || ReleaseOf(2030, 1) != 0 ||
		ReleaseOf(2023, 1) != 2 {
		t.Error("months have other releases")
	}
}

// Layouts as people write them, there and back, and what is no layout.
func TestReadPlan(t *testing.T) {
	for text, want := range map[string]Plan{"tp=16": {TP: 16}, "TP=4, pp=2": {TP: 4, PP: 2}, "tp=1 dp=8 ep": {TP: 1,
		DP: 8, EP: 8},
		"tp=8;dcp=4": {TP: 8, CP: 4}, "": {}, "--tensor-parallel-size 4": {TP: 4}, "-tp 8 -pp 2": {TP: 8, PP: 2},
		"tp8": {TP: 8}, "TP8,EP8": {TP: 8, EP: 8}, "--tensor_parallel_size=4 --data-parallel-size=2": {TP: 4, DP: 2},
		"--tp-size 8 --enable-expert-parallel": {TP: 8, EP: 8}, "-dcp 2 --tp 4": {TP: 4, CP: 2}} {
		p, err := ReadPlan(text)
		if err != nil || p != want {
			t.Errorf("%q is %+v, %v", text, p, err)
		}
		if back, err := ReadPlan(p.Typed()); err != nil || back.full() != p.full() {
			t.Errorf("%q comes back as %q: %+v, %v", text, p.Typed(), back, err)
		}
	}
	for _, text := range []string{"tp", "tp=0", "tp=-1", "tp=1e3", "vp=2", "16", "tp=99999999", "tp=8=8", "--tp",
		"tp -8",
		"tp 8 8", "--tp-", "tensor", "xp4"} {
		if p, err := ReadPlan(text); err == nil {
			t.Errorf("%q is read as %+v", text, p)
		}
	}
}

// A given layout is the only one that is priced, and flags of the engine hold.
func TestGivenLayoutAndFlags(t *testing.T) {
	r := replica(t, "llama3.70b", "gpu.h100", 1, Plan{}, Fitted("vllm"))
	w := Spec{Shape: r.Shape, Chip: r.Chip, Chips: 16, Constants: r.Constants, Load: Load{In: 1024, Out: 256},
		Given: Given{Layout: Plan{TP: 4}}, Engine: Engine{Name: "vllm", Sequences: 8, Length: 2048}}
	options, refused := w.Search(0, 1)
	if len(options) == 0 || len(refused) > 0 {
		t.Fatal(refused)
	}
	for _, o := range options {
		if o.Plan.String() != "TP4" || o.Replicas != 4 || o.Batch > 8 {
			t.Errorf("%+v", o)
		}
	}
	if flags := r.Flags("vllm", w.Load, 4); !strings.Contains(flags, "--max-model-len 1280") {
		t.Error(flags)
	}
	r.Engine.Length = 2048
	if flags := r.Flags("vllm", w.Load, 4); !strings.Contains(flags, "--max-model-len 2048") {
		t.Error(flags)
	}
	for _, bad := range []func(*Spec){func(w *Spec) { w.Engine.Length = 1279 }, func(w *Spec) { w.Chips = 3 },
		func(w *Spec) { w.Layout.TP = 3 }} {
		w := w
		bad(&w)
		if options, refused := w.Search(0, 1); len(options) > 0 || len(refused) != 1 {
			t.Errorf("%d options of %+v; %v", len(options), w.Layout, refused)
		}
	}
}

// What llama.cpp works in, as its logs say it of a model of 32 heads and a width of 4096: with scores 164 MiB at a
// length of 2048 and 2144 MiB at 32768 (github.com/fedora-copr/logdetective/pull/106); with flash attention the logits.
func TestComputeBuffer(t *testing.T) {
	for _, c := range []struct {
		scores       bool
		length, want float64
	}{
		{true, 2048, 164 << 20}, {true, 32768, 2144 << 20}, {false, 32768, 512 * 4 * (32000 + 4096)},
		{true, 256, 512 * 4 * (32000 + 4096)},
	} {
		e := Engine{Name: "llama.cpp", Chunk: 512, Scores: c.scores}
		l := started(t, "mistral.7b", "gpu.rtx4090", Uniform(2, 2), Plan{}, e, c.length).Ledger(c.length)
		near(t, "bytes to work in", l.Activations, c.want, 1e-12)
	}
}

// SGLang gives states of linear layers nine tenths of what it gives the others, and tokens follow from the rest: 24 KiB
// each in the twelve layers of Qwen3-Next that keep keys and values.
func TestStatesBesideTokens(t *testing.T) {
	r := started(t, "qwen3_next.80b_a3b", "gpu.h200", Uniform(1, 2), Plan{}, Engine{Name: "sglang"}, 8192)
	l := r.Ledger(8192)
	near(t, "states", l.States, l.Cache*9/19, 1e-12)
	near(t, "tokens", l.Tokens, (l.Cache-l.States)/24576, 1e-4)
	if l = r.Account(8192, Said{Cache: 38 << 30, States: 8 << 30}); math.Abs(l.Tokens/(30<<30)*24576-1) > 1e-4 {
		t.Errorf("%v tokens in what states leave", l.Tokens)
	}
	plain := started(t, "llama3.8b", "gpu.h100", Uniform(2, 2), Plan{}, Engine{Name: "sglang"}, 8192)
	if l = plain.Ledger(8192); l.States != 0 {
		t.Errorf("states of %v bytes", l.States)
	}
}

// The states of linear layers take the bytes that a flag asks for. Nemotron 3 Nano has 23 Mamba layers of 64 heads of
// 64 x 128 numbers, and 3 inputs of 64 x 64 + 2 x 8 x 128 channels of its convolutions in 16 bits: by hand
// 64 x 64 x 128 x 4 + 3 x 6144 x 2 bytes a layer in 32 bits, half of the first in 16.
func TestStateBits(t *testing.T) {
	const heads, conv = 64 * 64 * 128, 3 * 6144 * 2
	for bits, want := range map[float64]float64{0: heads*4 + conv, 16: heads*2 + conv, 32: heads*4 + conv} {
		r := started(t, "nemotron3.nano_30b_a3b", "gpu.h100", Uniform(2, 2), Plan{TP: 1},
			Engine{Name: "vllm", StateBits: bits}, 4096)
		for _, k := range r.layouts() {
			if k.state && math.Abs(k.entry/want-1) > 1e-9 {
				t.Errorf("%v bits: %v bytes a layer, by hand %v", bits, k.entry, want)
			}
		}
	}
}

// TestEncoderTried: vLLM tries an encoder of its own on the largest image, which counts where little else is tried. Two
// logs, of one sequence on a card and of two on two cards, said 5.98 GiB and 620,944 tokens
// (github.com/noonghunna/club-3090, threads 612 and 295).
func TestEncoderTried(t *testing.T) {
	for _, c := range []struct {
		model, chip    string
		weights        float64
		tp, sequences  float64
		tokens, within float64
		drafted        bool
	}{
		{"qwen3_5.35b_a3b", "gpu.rtx5090", 4.5 / 8, 1, 1, 567978, 0.02, false},
		{"qwen3_5.27b", "gpu.rtx3090", Int4, 2, 2, 620944, 0.03, true},
	} {
		k, err := model.Catalog().Get(c.model)
		if err != nil {
			t.Fatal(err)
		}
		a, err := hardware.Catalog().Get(c.chip)
		if err != nil {
			t.Fatal(err)
		}
		chip, err := NewChip(a)
		if err != nil {
			t.Fatal(err)
		}
		length := 262144.0
		if c.tp == 1 {
			length = 131072
		}
		chip.Link = max(chip.Link, 1)
		s := NewShape(&k.Model, Stored(k.ID, c.weights, 1))
		if c.drafted {
			s = s.Drafted()
		}
		e := Engine{Name: "vllm", Release: 22, Share: 0.92, Sequences: c.sequences, Chunk: 8192}
		p := Plan{TP: int(c.tp)}
		r, err := NewReplica(s, chip, p, Fitted("vllm"), e.Defaults(chip, p, length))
		if err != nil {
			t.Fatal(err)
		}
		l := r.Ledger(length)
		want := 65536 * 2 * (1536 + 4*1152 + 8*1152/c.tp)
		if math.Abs(l.Activations/want-1) > 0.001 {
			t.Errorf("%s: %.4g bytes are tried, want %.4g", c.model, l.Activations, want)
		}
		if math.Abs(l.Tokens/c.tokens-1) > c.within {
			t.Errorf("%s: %.0f tokens, want %.0f", c.model, l.Tokens, c.tokens)
		}
		r.Engine.Name = "sglang"
		if l := r.Ledger(length); l.Activations > want/2 {
			t.Errorf("%s: SGLang tries %.4g bytes", c.model, l.Activations)
		}
	}
}
