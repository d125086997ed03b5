package serving

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/model"
)

// flagNames are the flags of each engine that say how long sequences are and how many of them a replica takes, and
// whether the number is of one attention group or of a chip.
var flagNames = map[string]struct{ length, sequences, of string }{
	"vllm":    {"--max-model-len ", "--max-num-seqs ", "group"},
	"sglang":  {"--context-length ", "--max-running-requests ", "replica"},
	"trtllm":  {"--max_seq_len ", "--max_batch_size ", "group"},
	"maxtext": {"max_target_length=", "per_device_batch_size=", "chip"},
}

// number is the number behind a flag.
func number(t *testing.T, flags, name string) float64 {
	t.Helper()
	found := regexp.MustCompile(regexp.QuoteMeta(name) + `([0-9.]+)`).FindStringSubmatch(flags)
	if found == nil {
		t.Fatalf("%q has no %s", flags, name)
	}
	x, err := strconv.ParseFloat(found[1], 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// Every plan that a search gives starts: its flags ask for no longer sequences and no more of them than the caches
// hold.
func TestFlagsStart(t *testing.T) {
	for _, c := range []struct {
		model, chip string
		load        Load
	}{{"llama3.70b", "gpu.h100", Load{In: 2000, Out: 500}}, {"deepseek.r1", "gpu.h200", Load{In: 67000, Out: 400,
		Hit: 0.95}}} {
		r := replica(t, c.model, c.chip, 1, Plan{}, Fitted("vllm"))
		w := Spec{Shape: r.Shape, Chip: r.Chip, Chips: 8, Constants: r.Constants, Load: c.load}
		options, _ := w.Search(0, 1)
		if len(options) == 0 {
			t.Fatalf("nothing serves %s", c.model)
		}
		for _, o := range options {
			r, err := NewReplica(w.Shape, w.Chip, o.Plan, w.Constants, w.Engine)
			if err != nil {
				t.Fatal(err)
			}
			for _, engine := range Engines() {
				starts(t, r, engine, c.load, r.Flags(engine, c.load, o.Batch))
				starts(t, r, engine, c.load, r.Flags(engine, c.load, 1e9))
			}
		}
	}
}

// starts checks flags against the memory of a replica: a sequence of the whole length fits, and so do all as long as
// they are on average, or whole where the engine keeps room for that.
func starts(t *testing.T, r *Replica, engine string, l Load, flags string) {
	t.Helper()
	f := flagNames[engine]
	length, n := number(t, flags, f.length), number(t, flags, f.sequences)
	switch f.of {
	case "group":
		n *= float64(r.DP)
	case "chip":
		n *= float64(r.Chips())
	}
	mean := length - l.Out*(1-Reserves(engine))/2
	if fit := r.Memory(mean).Sequences; n > fit || r.Memory(length).Sequences < 1 {
		t.Errorf("%s asks for %v sequences of %v tokens, where %.1f fit: %s", engine, n, length, fit, flags)
	}
}

// Each engine knows every flag that is printed for it. The names are those of vllm/engine/arg_utils.py of
// vllm-project/vllm @99d7eb5, where all but --max-model-len were read, tensorrt_llm/commands/serve.py of
// NVIDIA/TensorRT-LLM @00209af, MaxText/configs/base.yml of AI-Hypercomputer/maxtext @000e935 and its later versions,
// and python/sglang/srt/server_args.py of sgl-project/sglang @001067f, where all but --ep-size were read: that one is
// in scripts which start it (SemiAnalysisAI/InferenceX @5632483, benchmarks/single_node/dsr1_fp4_b300.sh).
func TestFlagsAreKnown(t *testing.T) {
	known := map[string]string{
		"vllm": "--tensor-parallel-size --data-parallel-size --pipeline-parallel-size --decode-context-parallel-size " +
			"--enable-expert-parallel --max-model-len --max-num-seqs --max-num-batched-tokens --gpu-memory-utilization " +
			"--kv-cache-dtype --enable-eplb --eplb-config --enable-dbo",
		"sglang": "--model-path --tp-size --dp-size --ep-size --pp-size --enable-dp-attention --context-length " +
			"--max-running-requests --chunked-prefill-size --mem-fraction-static --kv-cache-dtype " +
			"--ep-num-redundant-experts --enable-two-batch-overlap",
		"trtllm": "--tp_size --ep_size --pp_size --max_seq_len --max_batch_size --max_num_tokens " +
			"--enable_chunked_prefill --kv_cache_free_gpu_memory_fraction --config",
		"maxtext": "model_name ici_fsdp_parallelism ici_tensor_parallelism ici_expert_parallelism " +
			"ici_autoregressive_parallelism ici_pipeline_parallelism scan_layers weight_dtype max_prefill_predict_length " +
			"max_target_length per_device_batch_size ici_tensor_transpose_parallelism quantize_kvcache kv_quant_dtype " +
			"quantization",
	}
	flag := regexp.MustCompile(`(?:^| )(--[a-z_-]+|[a-z_]+=)`)
	r := replica(t, "deepseek.r1", "gpu.h200", 1, Plan{TP: 4, DP: 2, EP: 8, CP: 2, Spare: 32}, Fitted("vllm"))
	r.Halves = true
	for _, engine := range Engines() {
		flags := r.Flags(engine, Load{In: 67000, Out: 400}, 64)
		for _, found := range flag.FindAllStringSubmatch(flags, -1) {
			if name := strings.TrimSuffix(found[1], "="); !slices.Contains(strings.Fields(known[engine]), name) {
				t.Errorf("%s has no %s: %s", engine, name, flags)
			}
		}
		if strings.ContainsAny(strings.NewReplacer("{dtype: fp8}", "", "{load_balancer: {num_slots: 288}}",
			"").Replace(flags), "{}") {
			t.Errorf("%s: a gap is left: %s", engine, flags)
		}
	}
}

// Plans that engines refuse aren't legal: they can't split 10 heads of keys and values over 4 chips.
func TestPlansThatEnginesRefuse(t *testing.T) {
	m := model.Model{Layers: 4, Width: 5120, Heads: 40, KVHeads: 10, HeadSize: 128, FFWidth: 17920, Vocab: 32000}
	c := replica(t, "llama3.8b", "gpu.h100", 2, Plan{}, Fitted("vllm")).Chip
	for tp, legal := range map[int]bool{1: true, 2: true, 4: false, 5: true, 8: false, 10: true, 20: true} {
		_, err := NewReplica(NewShape(&m, Uniform(2, 2)), c, Plan{TP: tp}, Fitted("vllm"), Engine{})
		if (err == nil) != legal {
			t.Errorf("TP%d: %v", tp, err)
		}
	}
}

// A rack of 72 chips is used whole, and vLLM gets experts whole on all ranks or split over all.
func TestPlansOfARack(t *testing.T) {
	r := replica(t, "deepseek.r1", "gpu.gb200", 0.5, Plan{}, Fitted("vllm"))
	w := Spec{Shape: r.Shape, Chip: r.Chip, Chips: 72}
	if !slices.Contains(w.Plans(), Plan{TP: 1, DP: 72, PP: 1, EP: 72, ETP: 1, Spare: 32}) {
		t.Error("no plan takes all 72 chips")
	}
	w.Engine.Name = "vllm"
	for _, p := range w.Plans() {
		if p.EP > 1 && p.ETP > 1 {
			t.Errorf("%v, %d chips an expert", p, p.ETP)
		}
	}
}

// What the host of an old release takes is the share of the time that was measured: of Llama 3 8B with 256 sequences,
// as long as those of ShareGPT, on an H100.
func TestErasAreTheirShares(t *testing.T) {
	at := func(engine string, release float64) float64 {
		r := replica(t, "llama3.8b", "gpu.h100", 2, Plan{}, Fitted(engine))
		old, err := NewReplica(r.Shape, r.Chip, r.Plan, Fitted(engine), Engine{Name: engine, Release: release})
		if err != nil {
			t.Fatal(err)
		}
		return old.Step(Work{Sequences: 256, Context: 320}).Total()
	}
	for _, c := range []struct {
		engine             string
		old, now, off, say float64
	}{
		{"vllm", 5.03, 0, 0.38, 0.03}, {"vllm", 6.06, 0, 0.38 / (0.38 + 0.29), 0.03}, {"vllm", 8.05, 0, 1, 1e-9},
		{"sglang", 3, 0, 1 / 1.1, 0.03}, {"sglang", 4.09, 0, 1, 1e-9},
	} {
		near(t, c.engine+", the chip’s share of a step", at(c.engine, c.now)/at(c.engine, c.old), c.off, c.say)
	}
	if ReleaseIn("vllm", 2024) != 5.03 || ReleaseIn("vllm", 2026) != 0 || ReleaseIn("maxtext", 2024) != 0 {
		t.Error("releases of years")
	}
}

// SGLang 0.3 leaves free by the number of chips alone, whatever their size (server_args.py).
func TestOldSharesOfSGLang(t *testing.T) {
	for chips, share := range map[int]float64{1: 0.88, 2: 0.87, 4: 0.85, 8: 0.83, 16: 0.79} {
		for _, chip := range []string{"gpu.l40s", "gpu.h200"} {
			e := Engine{Name: "sglang", Release: 3.05}.Defaults(chipOf(t, chip), Plan{TP: chips}, 0)
			near(t, chip, e.Share, share, 0)
		}
	}
}

// TestWholePrompts: vLLM before 0.8 has steps as long as the longest sequence, up to 32,768 tokens, unless it is told;
// its planner says so too, for shorter steps were refused.
func TestWholePrompts(t *testing.T) {
	for _, c := range []struct {
		e     Engine
		steps float64
	}{
		{Engine{Name: "vllm", Release: 6.04, Length: 20000}, 20000},
		{Engine{Name: "vllm", Release: 6.04, Length: 1000}, 2048},
		{Engine{Name: "vllm", Release: 6.04, Length: 40000}, 8192},
		{Engine{Name: "vllm", Release: 6.04}, 8192},
		{Engine{Name: "vllm", Release: 8, Length: 20000}, 8192},
		{Engine{Name: "vllm", Length: 20000}, 8192},
		{Engine{Name: "sglang", Release: 4, Length: 20000}, 8192},
		{Engine{Name: "vllm", Release: 6.04, Length: 20000, Chunk: 512}, 512},
	} {
		r := handReplica(t, roundDense(), roundChip(), Plan{TP: 1}, roundConstants(), c.e)
		if r.Chunk != c.steps {
			t.Errorf("%+v: steps of %v tokens, want %v", c.e, r.Chunk, c.steps)
		}
	}
}
