package measured

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

// Starts of engines on rows that no constant was fitted to, and on the others.
func TestStartErrors(t *testing.T) {
	for name, limit := range map[string]struct {
		rows        int
		median, p90 float64
	}{
		"flags stated|KV tokens|kept aside":         {22, 0.03, 0.08},
		"flags stated|KV tokens|fitted":             {21, 0.02, 0.1},
		"flags not all stated|KV tokens|kept aside": {18, 0.36, 1.4},
		"all starts|weights|kept aside":             {29, 0.012, 0.1},
		"all starts|weights|fitted":                 {23, 0.01, 0.08},
	} {
		found := false
		for _, h := range StartFamilies(readingsHeld()) {
			if h.Name+"|"+h.Quantity+"|"+h.Part != name {
				continue
			}
			found = true
			if h.Rows != limit.rows || h.Median > limit.median || h.P90 > limit.p90 {
				t.Errorf("%s: %d rows, median %.3f, p90 %.3f; limits %+v", name, h.Rows, h.Median, h.P90, limit)
			}
		}
		if !found {
			t.Errorf("no family %s", name)
		}
	}
}

// What a set-up must say to decide its cache, and what undoes it.
func TestStated(t *testing.T) {
	base := Setup{"model": "Qwen3.5-27B", "quant": "FP8", "device": "RTX 3090 24GB", "engine": "vLLM", "tp": 2.0,
		"max_model_len": 65536.0, "gpu_memory_utilization": 0.9}
	for _, c := range []struct {
		name, to string
		stated   bool
	}{
		{"model", "Qwen3.5-27B", true}, {"quant", "AWQ 4-bit g32", true}, {"speculative", "MTP n=1", true},
		{"device", "L40S 46 GB", true}, {"gpu_memory_utilization", "0.95", true},
		{"model", "8B class (32 layers)", false}, {"model", "Qwen3.5-27B with DSpark draft", false},
		{"quant", "AutoRound INT4 + DFlash n=7", false}, {"quant", "about 3-bit", false}, {"quant", "EXL3", false},
		{"quant", "", false}, {"speculative", "EAGLE-3", false}, {"max_model_len", "", false},
		{"gpu_memory_utilization", "", false}, {"device", "DGX Spark GB10", false},
		{"device", "Jetson AGX Thor 128GB (unified memory)", false},
	} {
		s := Setup{}
		for name, x := range base {
			s[name] = x
		}
		if s[c.name] = any(c.to); c.to == "" {
			delete(s, c.name)
		}
		if s.stated() != c.stated {
			t.Errorf("%s = %q: stated is %t", c.name, c.to, s.stated())
		}
		if s["kv_cache_memory_bytes"] = 1e9; !s.stated() {
			t.Errorf("%s = %q: the bytes of the cache are said, and it isn’t stated", c.name, c.to)
		}
	}
}

// Encoders that vLLM runs as their publisher wrote them are on every chip, and trying them takes a tenth of a chip, or
// what a video of 32 frames takes: 32 frames of 630 patches with 2 places each, of 10240 words of 8 bytes, twice.
// Of Qwen’s, which vLLM writes itself, the largest image is tried: 65,536 patches of 1,536 numbers, four arrays of a
// width of 1,152 and eight that chips divide. Before 0.21 frames were tried one by one, and other engines and
// models without images don’t.
func TestEncoderIsTried(t *testing.T) {
	const frames, image = 32.0 * 630 * 2 * 10240 * 8 * 2 / gibi, 65536 * 2.0 / gibi
	for _, c := range []struct {
		model, device, engine, version string
		activations                    float64
		divided                        float64 // over the chips
	}{
		{"Gemma-4-31B", "RTX 3090 24GB", "vLLM", "0.24.0", 0.1 * 23.5, 0},
		{"Gemma-4-26B-A4B", "RTX 3090 24GB", "vLLM", "", 0.1 * 23.5, 0},
		{"Gemma-4-31B", "H100 80GB", "vLLM", "0.27.1", frames, 0},
		{"Gemma-4-31B", "H200", "vLLM", "0.21.0", frames, 0},
		{"Gemma-4-31B", "RTX 3090 24GB", "vLLM", "0.19.0", 0, 0},
		{"Gemma-4-31B", "RTX 3090 24GB", "SGLang", "0.5.12", 0, 0},
		{"Gemma-4-31B (language model only)", "RTX 3090 24GB", "vLLM", "0.24.0", 0, 0},
		{"DiffusionGemma-26B-A4B", "RTX 3090 24GB", "vLLM", "0.24.0", 0, 0},
		{"Qwen3.5-27B", "RTX 3090 24GB", "vLLM", "0.24.0", image * (1536 + 4*1152), image * 8 * 1152},
		{"Qwen3.5-27B", "RTX 3090 24GB", "SGLang", "0.5.12", 0, 0},
	} {
		weights := map[float64]float64{}
		for _, tp := range []float64{2, 4} {
			p, err := kvCapacity(Row{Setup: Setup{"model": c.model, "quant": "INT4", "device": c.device, "tp": tp,
				"engine": c.engine, "version": c.version, "max_model_len": 8192.0, "max_num_seqs": 1.0,
				"max_num_batched_tokens": 512.0, "gpu_memory_utilization": 0.9}}, shippedWidths())
			if err != nil {
				t.Fatalf("%+v: %v", c, err)
			}
			got := p.Metrics["activation_peak_GiB"].Mid
			want := c.activations + c.divided/tp
			if want == 0 && got > 0.3 || want > 0 && (got < 0.97*want || got > 1.03*want) {
				t.Errorf("%+v on %v: %v GiB are tried", c, tp, got)
			}
			weights[tp] = p.Metrics["model_weights_GiB"].Mid
		}
		whole := weights[4] - weights[2]/2 // of what each chip has whole: x, for W/4 + x - (W/2 + x)/2 = x/2
		const tower = 1.15e9 / gibi / 2
		off := math.Abs(whole/tower-1) > 0.03
		if c.model == "Gemma-4-31B" && c.engine == "vLLM" && off || c.model == "Qwen3.5-27B" && whole > 0.01 {
			t.Errorf("%+v: %v GiB are on every chip", c, 2*whole)
		}
	}
}

// The constants are the medians of the rows that they are fitted on: what is allocated outside PyTorch on one chip and
// over PCIe, graphs, and copies of the logits before release 0.20.
func TestStartConstants(t *testing.T) {
	var alone, shared, graphs, copies []float64
	for _, c := range Starts() {
		run, err := newStarted(c.Setup)
		if err != nil || c.Aside() {
			continue
		}
		r, release := run.replica, run.replica.Engine.Release
		if x, said := c.Measured["non_torch_GiB"]; said && release >= 6.05 {
			if r.Chips() == 1 {
				alone = append(alone, x)
			} else if r.Link < 100e9 {
				shared = append(shared, x)
			}
		}
		if x := c.Measured["graph_memory_GiB"]; x > 0 {
			graphs = append(graphs, x)
		}
		words := r.Engine.Sequences * float64(r.Shape.Model.Vocab) * 4
		if x := c.Measured["activation_peak_GiB"]; x > 0 && release >= 6.05 && release < 20 && r.Chunk <= 2048 &&
			r.Shape.Model.Vocab > 100000 && words > 1e8 {
			copies = append(copies, x*gibi/words)
		}
	}
	for _, c := range []struct {
		name       string
		values     []float64
		least, top float64
	}{
		{"GiB outside PyTorch, alone (0.06)", alone, 0.01, 0.11},
		{"GiB outside PyTorch, PCIe (0.22)", shared, 0.15, 0.3}, {"GiB of graphs (0.59)", graphs, 0.4, 0.75},
		{"copies of the logits (9.7)", copies, 9.2, 10.2},
	} {
		if len(c.values) == 0 {
			t.Errorf("%s: no row", c.name)
		} else if m := percentile(c.values, 0.5); m < c.least || m > c.top {
			t.Errorf("%s: the median of %v is %v", c.name, c.values, m)
		}
	}
}

// Rows are predicted as they are, under their own names; what a row doesn't state is why it is skipped.
func TestKVCapacityRows(t *testing.T) {
	predicted, lacking := 0, map[string]bool{}
	for _, c := range Starts() {
		p := One(c.Row)
		if p.Skipped != "" {
			continue
		}
		predicted++
		for name := range c.Measured {
			if _, has := p.Metrics[name]; !has {
				lacking[name] = true
			}
		}
		if _, err := json.Marshal(p); err != nil {
			t.Errorf("%s: %v", c.ID, err)
		}
		for name, x := range p.Metrics {
			if !(x.Low <= x.Mid && x.Mid <= x.High) {
				t.Errorf("%s: %s is %+v", c.ID, name, x)
			}
		}
	}
	if predicted < 55 {
		t.Errorf("%d rows are predicted", predicted)
	}
	for _, name := range []string{"kv_cache_tokens", "kv_cache_GiB", "kv_cache_GiB_per_device", "model_weights_GiB",
		"max_concurrency", "budget_GiB", "non_torch_GiB", "activation_peak_GiB", "graph_memory_GiB", "gpu_blocks",
		"avail_after_weights_GB", "kv_cache_K_GB", "available_for_kv_GiB", "process_memory_MiB", "free_at_start_GiB"} {
		if lacking[name] {
			t.Errorf("%s is not predicted everywhere", name)
		}
	}
	base := Setup{"model": "Llama-3.1-8B", "device": "H100", "engine": "vLLM", "n_devices": 1.0, "quant": "BF16"}
	for want, change := range map[string]Setup{
		"unknown model":         {"model": "nobody-9b"},
		"the model is not said": {"model": nil},
		"no device":             {"device": nil},
		"unknown device":        {"device": "abacus"},
		"the engine is not":     {"engine": "gllm"},
		"a fork of an engine":   {"engine": "SGLang fork"},
		"neither tp nor":        {"n_devices": nil},
		"is no format":          {"quant": "about 3-bit"},
		"kv_cache_dtype is":     {"kv_cache_dtype": "int2"},
		"write a share":         {"gpu_memory_utilization": 130.0},
		"heads don":             {"tp": 3.0},
	} {
		s := Setup{}
		for k, v := range base {
			s[k] = v
		}
		for k, v := range change {
			s[k] = v
		}
		if p, err := kvCapacity(Row{Setup: s}, shippedWidths()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, %v, want %q", change, p.Metrics["kv_cache_tokens"], err, want)
		}
	}
}

// What is known to fit, and what engines refused.
func TestStartsThatFit(t *testing.T) {
	for _, c := range []struct {
		setup Setup
		fits  bool
	}{
		{Setup{"model": "Llama-3-8B", "quant": "BF16", "device": "RTX 4090 24GB", "n_devices": 1.0, "engine": "vLLM",
			"max_model_len": 29000.0, "gpu_memory_utilization": 0.9, "version": "0.5.3"}, false},
		{Setup{"model": "Llama-3-8B", "quant": "BF16", "device": "RTX 4090 24GB", "n_devices": 1.0, "engine": "vLLM",
			"max_model_len": 20000.0, "gpu_memory_utilization": 0.9, "version": "0.5.3"}, true},
		{Setup{"model": "Llama-3-70B", "quant": "BF16", "device": "H100", "n_devices": 2.0, "tp": 2.0, "engine": "vLLM",
			"max_model_len": 4096.0, "gpu_memory_utilization": 0.95}, true},
		{Setup{"model": "gpt-oss-120b", "quant": "MXFP4", "device": "H100 80GB", "n_devices": 1.0, "engine": "vLLM",
			"version": "0.10.1"}, false},
	} {
		p, err := kvCapacity(Row{Setup: c.setup}, shippedWidths())
		if err != nil || (p.Fits == "yes") != c.fits {
			t.Errorf("%v: %v, %v", c.setup, p.Metrics["max_concurrency"], err)
		}
	}
	p, err := kvCapacity(
		Row{Setup: Setup{"model": "gpt-oss-120b", "device": "H100 80GB", "n_devices": 1.0, "engine": "vLLM"}},
		shippedWidths())
	if x := p.Metrics["model_weights_GiB"].Mid * gibi; err != nil || x < 70.5e9 || x > 71.1e9 {
		t.Errorf("gpt-oss-120b loads %v, not 70.8e9: %v", x, err)
	}
}

// TestWholePromptsAreTried: vLLM before 0.8 computes prompts whole and tries one of max_model_len at the start, so that
// a longer limit leaves less: Llama 3.1 8B on an RTX 3090 has room for 1952 blocks with 20,000 tokens and for 1478,
// 0.82 of a sequence, with 29,000, and is refused (vllm-project/vllm #10517, a log of December 2024).
func TestWholePromptsAreTried(t *testing.T) {
	at := func(length float64) map[string]Interval {
		p, err := kvCapacity(Row{Setup: Setup{"model": "Llama-3.1-8B", "quant": "BF16", "device": "RTX 3090 24GB",
			"tp": 1.0, "engine": "vLLM", "version": "0.6.4", "max_model_len": length, "gpu_memory_utilization": 0.9}},
			shippedWidths())
		if err != nil {
			t.Fatal(err)
		}
		if fits := map[float64]string{20000: "yes", 29000: "no"}[length]; p.Fits != fits {
			t.Errorf("%v tokens fit: %s", length, p.Fits)
		}
		return p.Metrics
	}
	short, long := at(20000), at(29000)
	for _, c := range []struct{ got, logged float64 }{{short["gpu_blocks"].Mid, 1952}, {long["gpu_blocks"].Mid, 1478}} {
		if math.Abs(c.got/c.logged-1) > 0.02 {
			t.Errorf("%v blocks, the log has %v", c.got, c.logged)
		}
	}
	// two widths of 4096, gate and up of 14336, and their product, in 2 bytes, of 9000 tokens more
	const want = 9000.0 * 2 * (2*4096 + 3*14336) / gibi
	if more := long["activation_peak_GiB"].Mid - short["activation_peak_GiB"].Mid; math.Abs(more/want-1) > 1e-6 {
		t.Errorf("9000 tokens more take %v GiB more, by hand %v", more, want)
	}
}

// No interval of a cache exceeds what a card has beside the weights, however little is stated, nor that of a collective
// what the links carry.
func TestIntervalsWithinTheMachine(t *testing.T) {
	for _, line := range []string{
		`{"model":"Llama-3.1-70B","device":"H100","n_devices":4,"tp":4,"engine":"vLLM","max_model_len":32768}`,
		`{"model":"Llama-3.1-8B","device":"H100 NVL","n_devices":1,"tp":1,"engine":"vLLM"}`,
		`{"model":"Qwen2.5-7B","device":"A10","n_devices":1,"tp":1,"engine":"TensorRT-LLM"}`,
	} {
		var s Setup
		if err := json.Unmarshal([]byte(line), &s); err != nil {
			t.Fatal(err)
		}
		p, err := kvCapacity(Row{Setup: s}, shippedWidths())
		if err != nil {
			t.Fatal(line, err)
		}
		m := p.Metrics
		cache, most := m["kv_cache_GiB"], m["total_gpu_memory_GiB"].High-m["model_weights_GiB"].Low
		if cache.High > most*1.001 || !(cache.Low < cache.Mid && cache.Mid < cache.High) {
			t.Errorf("%s: %+v GiB of cache, at most %v", line, cache, most)
		}
		if tokens := m["kv_cache_tokens"]; math.Abs(tokens.High/tokens.Mid/(cache.High/cache.Mid)-1) > 1e-9 {
			t.Errorf("%s: %+v tokens of %+v GiB", line, tokens, cache)
		}
	}
	for algorithm, most := range map[string]float64{"busbw_ring_expected_GBps": 450, "busbw_GBps": 700} {
		p, err := collectiveTest(Row{Asked: []string{algorithm}, Setup: Setup{"op": "all-reduce",
			"device": "H100 SXM 80 GB", "n_devices": 8., "n_nodes": 1., "payload_bytes": 8589934592.}}, shippedWidths())
		if x := p.Metrics[algorithm]; err != nil || x.High > most*1.001 || x.High < most*0.9 {
			t.Errorf("%s: %+v, at most %v; %v", algorithm, x, most, err)
		}
	}
}
