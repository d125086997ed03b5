package measured

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/serving"
)

// loaded is a set-up with the load of these tests, and with what more is said.
func loaded(s, more Setup) Setup {
	maps.Copy(s, Setup{"isl": 1024.0, "osl": 1024.0, "concurrency": 16.0, "precision": "fp8"})
	maps.Copy(s, more)
	return s
}

// What a row leaves out is as in the scripts that measure such rows; what it says counts.
func TestRecipes(t *testing.T) {
	row := func(engine, model, device string, more Setup) Setup {
		return loaded(Setup{"model": model, "device": device, "engine": engine, "tp": 4.0}, more)
	}
	for _, c := range []struct {
		why                string
		row                Setup
		poll, wait, spread float64
	}{
		{"SGLang on B200", row("sglang 0.5.9", "deepseek-r1", "B200", Setup{"tp": 8.0}), 30, 0, 0.2},
		{"the same with few requests", row("sglang 0.5.9", "deepseek-r1", "B200", Setup{"tp": 8.0, "concurrency": 4.0}),
			10, 0, 0.2},
		{"the same on four chips", row("sglang 0.5.9", "deepseek-r1", "B200", nil), 10, 0, 0.2},
		{"on H200", row("sglang 0.5.9", "deepseek-r1", "H200", nil), 0, 0, 0.2},
		{"a row that says it", row("sglang", "deepseek-r1", "B200", Setup{"scheduler_recv_interval": 5.0}), 5, 0, 0.2},
		{"other lengths", row("sglang", "deepseek-r1", "B200", Setup{"isl": 4000.0}), 0, 0, 0},
		{"TensorRT-LLM, Llama 70B", row("trtllm", "llama-3.1-70b", "H200", nil), 0, 20, 0.2},
		{"the same on eight chips", row("trtllm", "llama-3.1-70b", "H200", Setup{"tp": 8.0}), 0, 0, 0.2},
		{"an open loop", row("sglang", "deepseek-r1", "B200", Setup{"concurrency": nil, "request_per_s": 1.0}), 0, 0,
			0},
	} {
		s, err := readServing(c.row)
		if err != nil {
			t.Fatalf("%s: %v", c.why, err)
		}
		if o := s.options; o.Poll != c.poll || o.Wait != c.wait || s.load.Spread != c.spread {
			t.Errorf("%s: looks every %v steps, waits for %v, spread %v", c.why, o.Poll, o.Wait, s.load.Spread)
		}
	}
}

// So are the tokens of a step, the requests that run, the share of the memory and what is guessed; lengths are the mean
// of those that are asked for. Amounts may depend on lengths and requests, and a line on the plan.
func TestRecipesOfEngines(t *testing.T) {
	row := func(engine, model, device string, more Setup) Setup {
		return loaded(Setup{"model": model, "device": device, "engine": engine, "tp": 4.0}, more)
	}
	for _, c := range []struct {
		why                          string
		row                          Setup
		chunk, running, share, yield float64
	}{
		{"twice a prompt", row("vllm 0.19.0", "minimax-m2.5", "B200", nil), 2048, 0, 0, 0},
		{"another release", row("vllm 0.17.0", "minimax-m2.5", "B200", nil), 0, 0, 0, 0},
		{"few chips", row("sglang 0.5.9", "deepseek-r1", "B200", Setup{"isl": 8192.0}), 8192, 32, 0.95, 0},
		{"guesses", row("sglang 0.5.9", "deepseek-r1", "B200", Setup{"isl": 8192.0, "tp": 8.0}), 16384, 512, 0.82,
			2.27},
		{"too few requests to guess", row("sglang 0.5.9", "deepseek-r1", "B200", Setup{"isl": 8192.0, "tp": 8.0,
			"concurrency": 4.0}), 32768, 128, 0.82, 0},
		{"a plan with guesses", row("sglang 0.5.9", "qwen3.5-397b-a17b", "B200", nil), 32768, 16, 0.8, 2.49},
		{"another plan", row("sglang 0.5.9", "qwen3.5-397b-a17b", "B200", Setup{"moe_ep": 4.0}), 32768, 128, 0.82, 0},
		{"no less than 8192", row("trtllm", "deepseek-r1", "H200", nil), 8192, 0, 0.75, 0},
		{"a prompt and all requests", row("trtllm", "deepseek-r1", "H200", Setup{"isl": 8192.0}), 8336, 0, 0.75, 0},
		{"a row that says it", row("trtllm", "deepseek-r1", "H200",
			Setup{"max_num_tokens": 4096.0, "max_batch_size": 8.0, "kv_cache_free_gpu_memory_fraction": 0.5}), 4096, 8,
			0.5, 0},
	} {
		s, err := readServing(c.row)
		if err != nil {
			t.Fatalf("%s: %v", c.why, err)
		}
		if o := s.options; o.Chunk != c.chunk || o.Sequences != c.running || o.Share != c.share ||
			s.load.Tokens != c.yield {
			t.Errorf("%s: steps of %v tokens, %v requests, %v of the memory, %v tokens a step", c.why, o.Chunk,
				o.Sequences, o.Share, s.load.Tokens)
		}
	}
	for _, c := range []struct {
		row          Setup
		eager, mixed bool
	}{
		{row("vllm 0.12.0", "qwen3-235b-a22b", "H200", nil), true, false},
		{row("vllm 0.12.0", "qwen3-235b-a22b", "H200", Setup{"enforce_eager": false}), false, false},
		{row("vllm 0.19.0", "qwen3-235b-a22b", "H200", Setup{"enforce_eager": true}), true, false},
		{row("sglang 0.5.6.post2", "llama-3.1-8b", "H200", nil), false, true},
		{row("sglang 0.5.6.post2", "llama-3.1-8b", "H200", Setup{"enable_mixed_chunk": false}), false, false},
	} {
		if s, err := readServing(c.row); err != nil || s.options.Graphless != c.eager || s.mixed != c.mixed {
			t.Errorf("%v: no graphs: %v, mixed: %v, %v", c.row, s.options.Graphless, s.mixed, err)
		}
	}
	s, err := readServing(row("vllm", "llama-3.1-70b", "H200", nil))
	if err != nil || s.mean().In != 0.9*1024 || s.mean().Out != 0.9*1024 {
		t.Errorf("on average %+v: %v", s.mean(), err)
	}
	if s, err = readServing(row("vllm", "llama-3.1-70b", "H200", Setup{"isl": 1000.0})); err != nil ||
		s.mean() != s.load {
		t.Errorf("of other lengths %+v: %v", s.mean(), err)
	}
}

// Tokens are guessed where a row says so, or two releases of TensorRT-LLM served DeepSeek-R1.
func TestGuesses(t *testing.T) {
	row := func(engine, model string, more Setup) Setup {
		return loaded(Setup{"model": model, "device": "B200", "engine": engine, "tp": 8.0}, more)
	}
	for _, c := range []struct {
		why            string
		row            Setup
		tokens, verify float64
	}{
		{"nothing is said", row("trtllm 1.2.0rc6.post2", "deepseek-r1", nil), 0, 0},
		{"a release with guesses", row("trtllm 1.2.0rc6.post3", "deepseek-r1", nil), 2.49, 4},
		{"the same in attention groups", row("trtllm 1.2.0rc6.post3", "deepseek-r1",
			Setup{"tp": 1.0, "attention_dp": 8.0, "moe_ep": 8.0}), 1.79, 2},
		{"the same of another model", row("trtllm 1.2.0rc6.post3", "llama-3.1-70b", nil), 0, 0},
		{"a row that says it", row("vllm", "qwen3-235b", Setup{"num_speculative_tokens": 2.0}), 2.27, 3},
		{"more than is published", row("vllm", "qwen3-235b", Setup{"mtp": 9.0}), 2.54, 10},
		{"a row that says what is accepted", row("trtllm 1.2.0rc6.post3", "deepseek-r1",
			Setup{"accepted_length": 2.2, "mtp": 3.0}), 2.2, 4},
		{"a row that says none", row("trtllm 1.2.0rc6.post3", "deepseek-r1", Setup{"mtp": 0.0}), 0, 0},
	} {
		s, err := readServing(c.row)
		if err != nil {
			t.Fatalf("%s: %v", c.why, err)
		}
		if s.load.Tokens != c.tokens || s.load.Verify != c.verify {
			t.Errorf("%s: %v tokens of %v checked", c.why, s.load.Tokens, s.load.Verify)
		}
	}
}

// Where prefill and decode are apart, requests wait for a place on the chips that decode, if a row says how many there
// are: four of 36 that share 32 places wait an eighth of the time that an answer takes.
func TestPlacesAreWaitedFor(t *testing.T) {
	first := func(places any) float64 {
		s, err := readServing(loaded(Setup{"model": "deepseek-r1", "device": "GB200", "engine": "trtllm",
			"mode": "disagg", "prefill": map[string]any{"tp": 1.0, "attention_dp": 8.0, "moe_ep": 8.0, "workers": 1.0},
			"decode": map[string]any{"tp": 8.0, "moe_ep": 8.0, "workers": 4.0, "max_batch_size": places}},
			Setup{"concurrency": 36.0}))
		if err != nil {
			t.Fatal(err)
		}
		a, err := s.answer(serving.Fitted("trtllm"))
		if err != nil {
			t.Fatal(err)
		}
		return a.TTFT / (a.TPOT * (s.mean().Out - 1))
	}
	if wait := first(8.0) - first(nil); wait < 0.12 || wait > 0.14 {
		t.Errorf("they wait %.3f of the time of an answer", wait)
	}
}

// The places that a published system has are found, and only for it: another number of requests or of workers is none.
func TestPublishedPlaces(t *testing.T) {
	row := func(c, workers float64) *setting {
		s, err := readServing(loaded(Setup{"model": "deepseek-r1", "device": "H100", "engine": "trtllm 0.8.1.post3",
			"mode": "disagg", "prefill": map[string]any{"tp": 1.0, "attention_dp": 16.0, "moe_ep": 16.0,
				"workers": 1.0},
			"decode": map[string]any{"tp": 16.0, "moe_ep": 16.0, "workers": workers}}, Setup{"concurrency": c}))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	if s := row(60, 3); s.decode.slots != 16 || s.prefill.tokens != 2048 {
		t.Errorf("%v places, and steps of %v tokens", s.decode.slots, s.prefill.tokens)
	}
	for _, other := range [][2]float64{{61, 3}, {60, 4}} {
		if s := row(other[0], other[1]); s.decode.slots != 0 || s.prefill.tokens != 0 {
			t.Errorf("%v: %v places, and steps of %v tokens", other, s.decode.slots, s.prefill.tokens)
		}
	}
}

// Workers that a row doesn't state are those of the set-up that was published for its size and load: of several the one
// in the middle by the chips that decode. Where none was, they stay open.
func TestPublishedWorkers(t *testing.T) {
	side := func(chips string) layout { return readLayout("1/" + chips + "/1/0") }
	several := []setUp{{prefill: side("8"), decode: side("72")}, {prefill: side("8"), decode: side("16"), slots: "4"},
		{prefill: side("8"), decode: side("8")}}
	s := &setting{shape: served(t)[0].setting.shape}
	if u := s.takeMiddle(several); s.likes != 3 || len(u) != 1 || u[0].slots != "4" || s.decode.workers != 1 {
		t.Errorf("%d like it, taken as %+v", s.likes, u)
	}
	row := func(c float64) *setting {
		s, err := readServing(loaded(Setup{"model": "deepseek-r1", "device": "H100", "engine": "trtllm 0.8.1.post3",
			"mode": "disagg", "prefill": map[string]any{"tp": 16.0, "moe_ep": 16.0},
			"decode": map[string]any{"tp": 16.0, "moe_ep": 16.0}}, Setup{"concurrency": c}))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	if s := row(60); s.regime() != ofSeveral || s.prefill.workers != 1 || s.decode.workers != 3 ||
		s.decode.slots != 16 {
		t.Errorf("%s: %v to %v with %v places", s.regime(), s.prefill.workers, s.decode.workers, s.decode.slots)
	}
	if s := row(61); s.regime() != unstatedWorkers || s.prefill.workers != 0 {
		t.Errorf("%s: %v", s.regime(), s.prefill.workers)
	}
}

// A row that has all chips of its system where a plan should stand, together or apart, is of the set-up that was
// published for as many, whatever the requests; one that names fewer chips than the weights fit on has no plan, and is
// of those for its requests. What a row does state stays: a plan that fits, and workers.
func TestSystemsWithoutAPlan(t *testing.T) {
	both := func(side map[string]any) Setup {
		return Setup{"mode": "disagg", "prefill": side, "decode": side}
	}
	for _, c := range []struct {
		name   string
		row    Setup
		c      float64
		want   string // workers and plans
		regime string
	}{
		{"72 chips apart", both(map[string]any{"tp": 72.0}), 2048, "3x TP1 DP8 EP8 to 1x TP1 DP48 EP48",
			unstatedWorkers},
		{"72 chips, requests of no set-up", both(map[string]any{"tp": 72.0}), 5632,
			"3x TP1 DP8 EP8 to 1x TP1 DP48 EP48", unstatedWorkers},
		{"72 chips counted as one replica", Setup{"tp": 72.0}, 5632, "3x TP1 DP8 EP8 to 1x TP1 DP48 EP48",
			unstatedWorkers},
		{"68 chips, of no set-up", both(map[string]any{"tp": 68.0}), 2048, "0x TP1 DP68 EP68 to 0x TP1 DP68 EP68",
			unstatedWorkers},
		{"one chip", both(map[string]any{"tp": 1.0}), 6144, "2x TP1 DP8 EP8 to 1x TP1 DP32 EP32",
			unstatedWorkers},
		{"one chip, requests of no set-up", both(map[string]any{"tp": 1.0}), 5632, "0x TP1 to 0x TP1", unstatedWorkers},
		{"eight chips, which hold it", both(map[string]any{"tp": 8.0}), 5632, "0x TP8 to 0x TP8", unstatedWorkers},
		{"workers", both(map[string]any{"tp": 72.0, "workers": 2.0}), 2048,
			"2x TP1 DP72 EP72 to 2x TP1 DP72 EP72", "apart"},
	} {
		row := loaded(Setup{"model": "deepseek-r1", "device": "GB200", "engine": "sglang"}, c.row)
		s, err := readServing(loaded(row, Setup{"concurrency": c.c}))
		if err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprintf("%vx %v to %vx %v", s.prefill.workers, s.prefill.plan, s.decode.workers, s.decode.plan)
		if got != c.want || s.regime() != c.regime {
			t.Errorf("%s: %s, %s", c.name, got, s.regime())
		}
	}
}

// Scripts that told no release chose by the number of requests how to spread experts and attention. A row's family is
// that of the plan which it names.
func TestScriptedPlans(t *testing.T) {
	for _, c := range []struct {
		engine string
		in, c  float64
		plan   string
	}{
		{"trtllm", 1024, 8, "TP8"}, {"trtllm", 1024, 9, "TP8 EP8"}, {"trtllm", 1024, 256, "TP1 DP8 EP8"},
		{"trtllm", 8192, 64, "TP1 DP8 EP8"}, {"trtllm 1.2.0rc6.post2", 1024, 256, "TP8"}, {"trtllm", 4000, 256, "TP8"},
	} {
		s, err := readServing(loaded(Setup{"model": "deepseek-r1", "device": "B200", "engine": c.engine, "tp": 8.0},
			Setup{"precision": "fp4", "isl": c.in, "concurrency": c.c}))
		if err != nil {
			t.Fatal(err)
		}
		if s.plan.String() != c.plan || s.written.String() != "TP8" {
			t.Errorf("%+v: %s, of the family of %s", c, s.plan, s.written)
		}
	}
}

// Engines keep a cache in 16 bits unless a row or its script says otherwise; vLLM asks the checkpoint.
func TestWideCaches(t *testing.T) {
	for _, c := range []struct {
		engine string
		more   Setup
		bytes  float64
	}{
		{"sglang", nil, 1}, {"sglang", Setup{"isl": 4000.0}, 2}, {"sglang", Setup{"isl": 4000.0, "kv_cache": "fp8"}, 1},
		{"vllm", Setup{"isl": 4000.0}, 1},
		{"trtllm", Setup{"isl": 4000.0, "precision": "fp4", "device": "B200"}, 2},
	} {
		s, err := readServing(loaded(Setup{"model": "llama-3.1-8b", "device": "H200", "engine": c.engine}, c.more))
		if err != nil {
			t.Fatal(err)
		}
		if got := s.shape.Precision.Cache; got != c.bytes {
			t.Errorf("%s, %v: %v bytes an element; want %v", c.engine, c.more, got, c.bytes)
		}
	}
}

// A precision that nobody knows is told, and only that.
func TestUnknownPrecisionsAreNoted(t *testing.T) {
	for text, noted := range map[string]bool{"int1": true, "ternary": true, "bf16": false, "fp8 checkpoint": false} {
		p, err := inference(Row{Setup: loaded(Setup{"model": "llama-3.1-8b", "device": "H100"},
			Setup{"precision": text})})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(p.Notes, "; "); strings.Contains(got, "no precision") != noted {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// A plan that isn't estimated as it is written is told.
func TestChangedPlansAreNoted(t *testing.T) {
	for tp, want := range map[float64]string{
		8:  "",
		12: "tp 12 doesn't divide the 128 heads, so TP1 DP12 EP12 is priced instead",
		32: "tp 32 is more than chips share a latent cache, so TP1 DP32 EP32 is priced instead",
	} {
		p, err := inference(Row{Setup: loaded(Setup{"model": "deepseek-r1", "device": "GB200", "tp": tp}, nil)})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(p.Notes, "; "); !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("tp %v: %q, want %q", tp, got, want)
		}
	}
}

// Rows tell of two-batch overlap and of redundant experts by the names of engines' flags; copies that don't fill the
// ranks are refused with what would.
func TestWideExpertsAreRead(t *testing.T) {
	row := Setup{
		"model":        "DeepSeek-V3",
		"device":       "H800",
		"engine":       "sglang",
		"precision":    "fp8",
		"isl":          4096.0,
		"osl":          512.0,
		"concurrency":  8192.0,
		"tp":           1.0,
		"attention_dp": 64.0,
		"moe_ep":       64.0,
	}
	tpot := func() float64 {
		p := One(Row{ID: "wide", Kind: "inference", Setup: row})
		if p.Skipped != "" {
			t.Fatal(p.Skipped)
		}
		return p.Metrics["tpot_ms"].Mid
	}
	whole := tpot()
	row["enable_two_batch_overlap"] = true
	halves := tpot()
	if halves > 0.95*whole {
		t.Errorf("in halves a token takes %v ms, after %v", halves, whole)
	}
	row["ep_num_redundant_experts"] = 64.0
	if tpot() == halves {
		t.Error("copies of experts change nothing")
	}
	row["ep_num_redundant_experts"] = 3.0
	if p := One(Row{ID: "wide", Kind: "inference", Setup: row}); !strings.Contains(p.Skipped, "copies") {
		t.Errorf("259 experts on 64 ranks: %+v", p)
	}
}
