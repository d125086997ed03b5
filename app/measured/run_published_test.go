package measured

import (
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/scalebook/scalebook/app/measured/summary"
	"github.com/scalebook/scalebook/app/training"
)

// Published runs are predicted without a sign: asked are a median of 10 %, a bias of 6 % and nine in ten in the
// interval. The limits stand a little above what is reached.
func TestPublishedRuns(t *testing.T) {
	all := AllRuns()
	runs, misses := PublishedRuns(all)
	for _, r := range runs[:2] {
		if r.Rows < 400 || r.Median > 0.115 || math.Abs(r.Bias) > 0.04 || math.Abs(r.Inside-0.9) > 0.035 {
			t.Errorf("%+v", r)
		}
	}
	limits := map[string]float64{"megatron-2020": 0.12, "megatron-2021": 0.10, "megatron-2022": 0.10, "megatron": 0.11,
		"deepspeed": 0.16, "deepspeed-zero3": 0.10, "fsdp": 0.10, "xla": 0.10}
	for _, r := range runs[2:] {
		if limit, is := limits[r.Stack]; is && r.Median > limit {
			t.Errorf("%s: median %.3f of %d rows", r.Stack, r.Median, r.Rows)
		}
	}
	if len(misses) != mostMisses || !slices.IsSortedFunc(misses, func(a, b summary.Miss) int {
		far := func(m summary.Miss) float64 { return math.Abs(math.Log(m.Predicted / m.Measured)) }
		if far(a) < far(b) {
			return 1
		}
		return -1
	}) {
		t.Error("the widest misses don't stand first")
	}
}

// Runs that were gathered when all constants had been fixed: each is estimated, as its scripts tell it, and none is of
// a configuration that was known before. The limits stand a little above what is reached.
func TestRunsGatheredLater(t *testing.T) {
	cases := Gathered()
	trials := Trials(cases)
	if len(trials) != 71 || len(cases) != len(trials) {
		t.Fatalf("%d of %d are estimated", len(trials), len(cases))
	}
	known := map[string]bool{}
	for _, c := range slices.Concat(Published(), Runs(), Tunings()) {
		known[c.Source] = true
	}
	for i := range trials {
		one := &trials[i]
		result, _, _ := strings.Cut(one.Source, " (")
		if one.Seconds <= 0 || !one.Run.Told || !one.Run.Batched || known[result] || !one.Fits {
			t.Errorf("%s: %v s, told %v, fits %v", one.ID, one.Seconds, one.Run.Told, one.Fits)
		}
	}
	runs, _ := PublishedRuns(trials)
	if r := runs[2]; r.Part != "gathered later" || r.Rows != 71 || r.Median > 0.087 || r.P90 > 0.26 ||
		math.Abs(r.Bias) > 0.03 || r.Inside < 0.85 {
		t.Errorf("%+v", r)
	}
}

// What computes attention in fp8, or computes some layers again, is estimated so: of 80 layers 21 run forward once
// more, a third of 21/80 of the time of matmuls where adapters need no gradients of weights; so many of each of 4 x 2
// chunks.
func TestScriptsStateAttentionAndLayers(t *testing.T) {
	setup := func(changes Setup) Setup {
		s := Setup{"model": "llama-2-70b (LoRA rank 16)", "device": "H100", "n_devices": 8.0, "tp": 8.0, "gbs": 8.0,
			"mbs": 1.0, "seq_len": 8192.0, "precision": "fp8", "recompute": "none"}
		maps.Copy(s, changes)
		return s
	}
	estimate := func(s Setup) training.Estimate {
		run, err := NewRun(s)
		if err != nil {
			t.Fatal(err)
		}
		return training.NewEstimator(run.Job).Estimate(run.Plan)
	}
	plain := estimate(setup(nil)).Time
	narrow := estimate(setup(Setup{"attention_precision": "fp8"})).Time
	if math.Abs(narrow.Attention*1979/989.5/plain.Attention-1) > 1e-3 || narrow.Matmul != plain.Matmul {
		t.Errorf("attention takes %v s, in fp8 %v", plain.Attention, narrow.Attention)
	}
	some := estimate(setup(Setup{"recompute": "full", "recompute_layers": 21.0})).Time
	if want := plain.Matmul * (2 + 21.0/80) / 2; math.Abs(some.Matmul/want-1) > 1e-9 {
		t.Errorf("with 21 of 80 layers again matmuls take %v s, want %v", some.Matmul, want)
	}
	chunks := setup(Setup{"tp": 2.0, "pp": 4.0, "vp": 2.0, "recompute": "full", "recompute_method": "block",
		"recompute_num_layers": 3.0})
	if run, err := NewRun(chunks); err != nil || run.Plan.Recomputed != 3*4*2 {
		t.Errorf("%+v, %v", run.Plan, err)
	}
	if _, err := NewRun(setup(Setup{"recompute": "full", "recompute_layers": -1.0})); err == nil {
		t.Error("-1 layers are computed again")
	}
}

// Families of more than 30 rows hold nine in ten of those kept aside, and are no wider than 1.45 times what that needs.
func TestIntervalsOfPublishedRuns(t *testing.T) {
	all := AllRuns()
	for _, f := range []struct {
		name    string
		low     float64
		experts bool
	}{{"megatron", 0.87, false}, {"megatron", 0.85, true}, {"fsdp", 0.87, false}, {"xla", 0.87, false},
		{"deepspeed", 0.82, false}} {
		wanted := func(t *Trial) bool {
			return t.Run.Job.Stack.Name == f.name && (t.Run.Job.Model.MoE.Experts > 0) == f.experts
		}
		h := Judge(f.name, "kept aside", all, false, wanted)
		needed := widthNeeded(all, wanted)
		if h.Rows < 30 || h.Coverage < f.low || h.Coverage > 0.985 || h.Width > 1.45*needed {
			t.Errorf("%s, experts %v: %d rows, %.3f inside, %.2f wide, %.2f needed", f.name, f.experts, h.Rows, h.Coverage,
				h.Width, needed)
		}
	}
}

// widthNeeded is the narrowest width that holds nine in ten of the rows kept aside.
func widthNeeded(trials []Trial, wanted func(*Trial) bool) float64 {
	var ratios []float64
	for i := range trials {
		if t := &trials[i]; t.Seconds > 0 && t.Aside() && wanted(t) {
			ratios = append(ratios, t.Seconds/t.Step.Mid)
		}
	}
	slices.Sort(ratios)
	held, width := int(math.Ceil(0.9*float64(len(ratios)))), math.Inf(1)
	for i := 0; i+held <= len(ratios); i++ {
		width = min(width, ratios[i+held-1]/ratios[i])
	}
	return width
}

// No interval reaches below the plan's own matmuls, of a run that somebody tells in full.
func TestNoIntervalBeatsTheMatmuls(t *testing.T) {
	for _, trial := range AllRuns() {
		if least := trial.Estimate.Time.MicroBatches * trial.Estimate.Time.Matmul; trial.Run.Told && trial.Step.Low < least*0.999 {
			t.Errorf("%s: from %v s, and %v s of matmuls", trial.ID, trial.Step.Low, least)
		}
	}
}

// The conventions of sources, of GPT-3 with all computed again: 96 B s l h^2 (1 + s/6h + V/16lh); without that 72 of it
// for layers; and by parameters alone.
func TestConventions(t *testing.T) {
	const l, h, s, V = 96.0, 12288.0, 2048.0, 51200.0
	setup := Setup{
		"layers":    l,
		"d_model":   h,
		"n_heads":   96.0,
		"d_ff":      4 * h,
		"vocab":     V,
		"device":    "A100",
		"n_devices": 1024.0,
		"tp":        8.0,
		"pp":        16.0,
		"gbs":       1536.0,
		"seq_len":   s,
		"recompute": "full",
		"software":  "Megatron-LM",
		"date":      "2021-04",
	}
	run, err := NewRun(setup)
	if err != nil {
		t.Fatal(err)
	}
	near := func(name string, got, want float64) {
		if math.Abs(got/want-1) > 0.002 {
			t.Errorf("%s: %g FLOPs a token, want %g", name, got, want)
		}
	}
	near("hardware", run.flops(HardwareFLOPs), 96*l*h*h*(1+s/(6*h)+V/(16*l*h)))
	near("model", run.flops(ModelFLOPs), 72*l*h*h*(1+s/(6*h)+V/(12*l*h)))
	near("causal", run.flops(CausalFLOPs), 72*l*h*h*(1+s/(12*h)+V/(12*l*h)))
	near("8n", run.flops(EightEach)/run.flops(SixEach), 8.0/6)
	if run.convention != HardwareFLOPs || run.Job.Stack.Name != "megatron-2021" {
		t.Errorf("%s of %s: Megatron of 2021 printed hardware FLOPs", run.convention, run.Job.Stack.Name)
	}
	rate := RunCase{Row: Row{Setup: setup}, Measured: map[string]float64{"tflops_per_device": 150}}
	want := 1536 * s * 96 * l * h * h * (1 + s/(6*h) + V/(16*l*h)) / 150e12 / 1024
	near("seconds", run.Seconds(&rate), want)
}

// Modules that a row names are those computed again, and no whole layers.
func TestModulesSaid(t *testing.T) {
	for said, want := range map[string]training.Recompute{
		"mla_up_proj, mlp": training.RecomputeLatents | training.RecomputeMLP,
		"layernorm, moe":   training.RecomputeNorms | training.RecomputeExperts,
		"norm, act":        training.RecomputeNorms | training.RecomputeActivations, "core_attn": training.RecomputeAttention,
		"moe_act, mhc, mla_up_proj": training.RecomputeActivations, // a model without latents, and what isn't estimated
		"full":                      training.RecomputeBlock, "selective per op": training.RecomputeSome,
		"custom: layer input, out, query, key and value projections offloaded": training.RecomputeBlock,
	} {
		model := "Mixtral-8x7B"
		if strings.HasPrefix(said, "mla") {
			model = "DeepSeek-V3"
		}
		run, err := NewRun(Setup{"model": model, "device": "H100", "n_devices": 256.0, "ep": 8.0, "tp": 1.0,
			"recompute": said, "software": "Megatron-LM", "date": "2025-01"})
		if err != nil || run.Plan.Recompute != want {
			t.Errorf("%s: %v, %v; want %v", said, run.Plan.Recompute, err, want)
		}
	}
}

// A step whose rate tells another batch than is taken for a row is not the step that is predicted: its rate counts.
func TestStepOfAnotherBatch(t *testing.T) {
	setup := Setup{"model": "Llama-3.1-8B", "device": "H100", "n_devices": 8.0, "mbs": 1.0, "seq_len": 4096.0,
		"recompute": "none", "software": "Megatron-LM", "date": "2025-01"}
	run, err := NewRun(setup)
	if err != nil || run.Job.Batch != 8 {
		t.Fatalf("%d sequences, %v", run.Job.Batch, err)
	}
	for _, c := range []struct{ step, rate, want float64 }{
		{0.4, 10240, 0.4}, {8, 10240, 0.4}, {0.5, 10240, 0.5}, {0.4, 0, 0.4}, {0, 10240, 0.4},
	} {
		row := RunCase{Row: Row{Setup: setup}, Measured: map[string]float64{"step_time_s": c.step,
			"tokens_per_s_per_device": c.rate}}
		if got := run.Seconds(&row); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%v s at %v tokens/s: %v, want %v", c.step, c.rate, got, c.want)
		}
	}
}

// What matmuls compute in, as rows write it; MLPerf's submissions that say nothing compute in fp8.
func TestPrecisionSaid(t *testing.T) {
	for said, want := range map[string]training.DType{"TE FP8": training.FP8, "amp_fp8": training.FP8,
		"bf16": training.BF16, "float8 rowwise": training.FP8, "FP8-CS (FP8-MX)": training.FP8, "NVFP4": training.FP4,
		"": training.BF16, "bf16 with fp32 gradient accumulation": training.BF16, "Autocast:BF16+SR": training.BF16} {
		if got, told := (Setup{"precision": said}).dtype(); got != want || told != (said != "") {
			t.Errorf("%q is read as %v, %t, want %v", said, got, told, want)
		}
	}
	submission := Setup{"source": "mlcommons/training_results_v5.0 QCT/results/D74H-7U"}
	if got, told := submission.dtype(); got != training.FP8 || told {
		t.Errorf("a submission to MLPerf is read as %v, %t", got, told)
	}
}

// A pipeline whose row tells no batch runs eight micro-batches a stage.
func TestBatchOfAPipeline(t *testing.T) {
	run, err := NewRun(Setup{"model": "gpt3-175b", "device": "H100", "n_devices": 128.0, "tp": 8.0, "pp": 4.0, "mbs": 1.0,
		"software": "Megatron-LM"})
	if err != nil || run.Job.Batch != 4*8*4 {
		t.Errorf("%d sequences, %v", run.Job.Batch, err)
	}
}

// What is assumed of a row that doesn't tell it stands in the notes, and no longer once it is told.
func TestAssumptionsAreNoted(t *testing.T) {
	base := Setup{"model": "gpt3-175b", "device": "H100", "n_devices": 128.0, "tp": 8.0, "pp": 4.0, "mbs": 1.0,
		"software": "Megatron-LM"}
	for _, c := range []struct {
		name   string
		value  any
		batch  bool
		format string
	}{
		{"date", "2025-01", true, "bf16"}, {"source", "mlcommons/training_results_v5.0", true, "fp8"},
		{"precision", "bf16", true, ""}, {"options", "float8", true, ""}, {"gbs", 256.0, false, "bf16"},
		{"tokens_per_step", 1e6, false, "bf16"}, {"grad_acc", 8.0, false, "bf16"},
		{"recompute", "norm, act, mhc", true, "bf16"},
	} {
		s := maps.Clone(base)
		s[c.name] = c.value
		notes := strings.Join(One(Row{ID: "x", Kind: "training", Setup: s}).Notes, "; ")
		if batch := strings.Contains(notes, "a step of 128 sequences is assumed"); batch != c.batch {
			t.Errorf("%s: %q", c.name, notes)
		}
		if mhc := strings.Contains(notes, "not read: recompute mhc"); mhc != (c.name == "recompute") {
			t.Errorf("%s: %q", c.name, notes)
		}
		format := strings.Contains(notes, "the precision isn't told: matmuls in "+c.format+" are assumed")
		if format != (c.format != "") {
			t.Errorf("%s: %q", c.name, notes)
		}
	}
}

// A precision in which no matmul is estimated is named: bf16 is taken in its place.
func TestOddPrecisionIsNamed(t *testing.T) {
	for said, odd := range map[string]bool{"fp3": true, "fp32": true, "bf16-true": false, "fp16": false, "BF16/FP8": false,
		"weights bfloat16, no autocast": false, "mxfp8 linears": false} {
		notes := strings.Join(One(Row{ID: "x", Kind: "training", Setup: Setup{"model": "gpt3-175b", "device": "H100",
			"n_devices": 128.0, "tp": 8.0, "pp": 4.0, "precision": said}}).Notes, "; ")
		if got := strings.Contains(notes, "precision "+said+", matmuls in bf16 are assumed"); got != odd {
			t.Errorf("%s: %q", said, notes)
		}
	}
}

// A benchmark's router that balances by force sends each expert as many tokens.
func TestForcedBalance(t *testing.T) {
	setup := Setup{"model": "Mixtral-8x7B", "device": "H100", "n_devices": 64.0, "ep": 8.0, "software": "Megatron-LM"}
	plain, _ := NewRun(setup)
	setup["routing"] = "forced balance"
	forced, err := NewRun(setup)
	if err != nil || forced.Job.Stack.Imbalance != 1 || plain.Job.Stack.Imbalance <= 1 {
		t.Errorf("%v, %v, %v", forced.Job.Stack.Imbalance, plain.Job.Stack.Imbalance, err)
	}
}

// The release, the month and the words of a row tell the version of its software.
func TestSoftwareHasADate(t *testing.T) {
	for _, c := range []struct {
		said Setup
		want string
	}{
		{Setup{"software": "Megatron-LM", "date": "2020-09"}, "megatron-2020"},
		{Setup{"source": "from arXiv:2205.05198 table 5"}, "megatron-2022"},
		{Setup{"source": "performance-summary-archive.md (26.06 NeMo Container)"}, "megatron-2026"},
		{Setup{"source": "performance-summary-archive.md (25.11 NeMo Container)"}, "megatron"},
		{Setup{"software": "BigScience Megatron-DeepSpeed", "date": "2022-02-20"}, "deepspeed"},
		{Setup{"software": "DeepSpeed 0.6.2 ZeRO-3", "zero": 3.0, "date": "2022-07"}, "deepspeed-zero3"},
		{Setup{"software": "torchtitan 2024-04, FSDP2", "date": "2024-04"}, "fsdp"},
		{Setup{"software": "Hugging Face Transformers", "date": "2022-12"}, "transformers-2022"},
		{Setup{"stack": "megatron-2021", "date": "2026-01"}, "megatron-2021"}, {Setup{}, "megatron"},
	} {
		if s, err := c.said.stack("gpu.a100"); err != nil || s.Name != c.want {
			t.Errorf("%v: %v, %v; want %s", c.said, s, err, c.want)
		}
	}
}

// Shapes say by their parameters, or by the width of the MLP, whether it has a gate; a depth nobody tells follows too.
func TestShapesByParameters(t *testing.T) {
	for _, c := range []struct {
		said   Setup
		layers int
		plain  bool
	}{
		{Setup{"layers": 24.0, "d_model": 2048.0, "n_heads": 16.0, "d_ff": 8192.0, "vocab": 51200.0}, 24, true},
		{Setup{"layers": 16.0, "d_model": 2048.0, "n_heads": 32.0, "d_ff": 8192.0, "vocab": 131072.0, "tied": true,
			"params": 1342177280.0}, 16, false},
		{Setup{"d_model": 14400.0, "d_ff": 57600.0, "vocab": 250000.0, "params_label": "195B", "tied": true, "tp": 8.0}, 77,
			true},
	} {
		m, err := c.said.model()
		if err != nil || m.Layers != c.layers || m.Plain != c.plain {
			t.Errorf("%v: %+v, %v", c.said, m, err)
		}
	}
}

// What nobody can run or knows is refused by its name, or noted.
func TestRowsOfNonsense(t *testing.T) {
	base := Setup{"model": "llama-3-8b", "device": "H100", "n_devices": 8.0, "gbs": 64.0}
	for name, c := range map[string]struct {
		value any
		says  string
	}{
		"n_devices": {-1.0, "n_devices"}, "dp": {1e12, "dp"}, "gbs": {0.0, "gbs"}, "mbs": {0.0, "mbs"},
		"recompute": {"banana", "recompute"}, "schedule": {"foo", "schedule"}, "zero": {9.0, "zero"},
	} {
		s := Setup{}
		for k, v := range base {
			s[k] = v
		}
		s[name] = c.value
		if p := One(Row{ID: name, Kind: "training", Setup: s}); !strings.Contains(p.Skipped, c.says) {
			t.Errorf("%s %v: %q", name, c.value, p.Skipped)
		}
	}
	base["tp"], base["dp"], base["gpsz"] = 1.0, 1.0, 3.0
	notes := strings.Join(One(Row{ID: "x", Kind: "training", Setup: base}).Notes, "; ")
	if !strings.Contains(notes, "dp 8 is priced") || !strings.Contains(notes, "gpsz") {
		t.Errorf("notes %q", notes)
	}
}

// A plan fits by its interval: yes if all of it does, likely and unlikely by its middle, no if nothing does.
func TestFitsInFourWords(t *testing.T) {
	seen := map[string]bool{}
	for _, gb := range []float64{20, 40, 60, 80, 120, 200} {
		run, err := NewRun(
			Setup{"model": "llama-3-8b", "device": "H100", "n_devices": 4.0, "tp": 1.0, "gbs": 64.0, "mbs": 1.0,
				"seq_len": 8192.0, "recompute": "full", "zero": 1.0, "software": "torchtitan"},
		)
		if err != nil {
			t.Fatal(err)
		}
		run.Job.Device.Memory = gb * 1e9
		p := training.NewEstimator(run.Job)
		estimate := p.Estimate(run.Plan)
		seen[p.FitOf(&estimate).String()] = true
		if got := p.FitOf(&estimate); p.Fits(&estimate) != (got != training.FitNo) {
			t.Errorf("%v GB: %v", gb, got)
		}
	}
	for _, word := range []string{"yes", "likely", "no"} {
		if !seen[word] {
			t.Errorf("no memory fits with %q: %v", word, seen)
		}
	}
}

func TestNetworkSaid(t *testing.T) {
	for _, c := range []struct {
		said   string
		gbytes float64
	}{
		{"Jean Zay: 4 NVLink, 4x Omni-Path 100 Gb/s per node of 8", 6.25},
		{"NVLink; 4x100 Gb RoCE between nodes", 6.25}, {"Jean Zay, Omni-Path 4x100 Gb/s per node", 6.25},
		{"4 x 100 Gb/s RoCE per node of 8", 6.25}, {"8 x 200 Gb/s HDR InfiniBand per node", 25},
		{"RoCE 1600 Gb/s a node", 25}, {"NVLink; 800 Gb/s RDMA per node", 12.5}, {"8 HDR InfiniBand 200 Gb/s per node", 25},
		{"NVLink in the node, 400 Gb/s RDMA per GPU", 50}, {"400 Gb/s a node", 6.25}, {"8x200 Gb/s HDR InfiniBand per node",
			25},
		{"400 Gb/s RDMA per GPU", 50}, {"InfiniBand, about 660 Gb/s a node", 10.3125}, {"4 x 200 Gb/s RDMA per node of 8",
			12.5}, {"400 Gb/s RoCE", 50},
		{"PCIe 4.0 x16 each, no NVLink", 99}, {"Ethernet between nodes", 99},
	} {
		d := training.Device{Domain: 8, Slow: 99e9}
		Setup{"interconnect": c.said}.network(&d)
		if d.Slow != c.gbytes*1e9 {
			t.Errorf("%q: %g", c.said, d.Slow/1e9)
		}
	}
}

var gridTrials = sync.OnceValue(func() []Trial { return Trials(Ultrascale()) })

// The constants were fitted to one half of the rows; these are the errors on the other half, at most. A limit stands
// a little above what was reached when it was set, so that a change that makes predictions worse is seen. Intervals are
// calibrated on the other half to hold nine rows in ten. Of FSDP's 32 rows they hold 25: four of MPT with long
// sequences on A100 and one of 405B take 0.77 to 0.80 of the prediction, and the lower end is 0.81.
func TestErrorsAsideDoNotDrift(t *testing.T) {
	limits := map[string]struct{ median, p90, coverage float64 }{
		"Ultra-Scale, MFU > 10 %|step time": {0.05, 0.20, 0.88},
		"Ultra-Scale, MFU > 5 %|step time":  {0.06, 0.28, 0.87},
		"Ultra-Scale|memory":                {0.075, 0.20, 0.90},
		"Megatron, dense|step time":         {0.055, 0.22, 0.88},
		"Ultra-Scale|step time":             {0.065, 0.67, 0.85},
		"Megatron, experts|step time":       {0.19, 0.40, 0.87},
		"AMD|step time":                     {0.18, 0.38, 0.90},
		"All but Ultra-Scale|memory":        {0.08, 0.18, 0.90},
		"MLPerf Llama 3.1 405B|step time":   {0.05, 0.07, 0.95},
		"PyTorch FSDP|step time":            {0.13, 0.32, 0.75},
		"TPU and XLA|step time":             {0.09, 0.48, 0.87},
	}
	checked := 0
	for _, h := range Families(gridTrials(), Trials(Published()), TuningTrials(Tunings())) {
		limit, known := limits[h.Name+"|"+h.Quantity]
		if !known {
			continue
		}
		checked++
		if h.Median > limit.median || h.P90 > limit.p90 || h.Coverage < limit.coverage {
			t.Errorf("%s: median %.3f, p90 %.3f, coverage %.2f; limits %+v", h.Name, h.Median, h.P90, h.Coverage,
				limit)
		}
	}
	if checked != len(limits) {
		t.Errorf("%d families checked, %d have limits", checked, len(limits))
	}
}

// The choice of a plan matters more than its estimate.
func TestRegret(t *testing.T) {
	if three := mean(RegretsOfThree(gridTrials())); three > 0.04 {
		t.Errorf("the best of three plans loses %.3f in the mean", three)
	}
	if three := mean(RegretsOfThree(used(gridTrials()))); three > 0.02 {
		t.Errorf("where a plan reached a tenth of the peak, it loses %.3f", three)
	}
	r := Regrets(gridTrials())
	if median, mean := percentile(r, 0.5), mean(r); len(r) < 16 || median > 0.03 || mean > 0.08 {
		t.Errorf("regret over %d groups: median %.3f, mean %.3f", len(r), median, mean)
	}
	if median := percentile(ranks(gridTrials()), 0.5); median < 0.88 {
		t.Errorf("rank correlation %.2f", median)
	}
}

// Of plans that ran none is called impossible, nor of shipped recipes; of those that failed three in four are.
func TestNothingThatRanIsImpossible(t *testing.T) {
	refused, ran, caught, failed := refusals(gridTrials())
	if refused > 0 || ran < 700 {
		t.Errorf("%d of %d plans that ran are called impossible", refused, ran)
	}
	if float64(caught) < 0.75*float64(failed) {
		t.Errorf("only %d of %d failed plans are called impossible", caught, failed)
	}
	if all := Recipes(); fitting(Trials(all)) != len(all) {
		t.Errorf("%d of %d shipped recipes are called legal and fitting", fitting(Trials(all)), len(all))
	}
}

// A step of MLPerf's Llama 3.1 405B takes a (m + (p-1)/v) + c: two runs of a family give a and c, and the others
// follow within 2 %.
func TestMLPerfLaw(t *testing.T) {
	var low, high Trial
	family := []Trial{}
	for _, trial := range Trials(Published()) {
		if From("mlperf-train-v5.0-llama31_405b")(&trial) && trial.Setup.Text("device") == "GB200" {
			family = append(family, trial)
		}
	}
	for _, trial := range family {
		m := trial.Estimate.Time.MicroBatches
		if low.ID == "" || m < low.Estimate.Time.MicroBatches {
			low = trial
		}
		if high.ID == "" || m > high.Estimate.Time.MicroBatches {
			high = trial
		}
	}
	if len(family) < 5 {
		t.Fatalf("%d rows", len(family))
	}
	law, err := training.Calibrate(8, 8, low.Estimate.Time.MicroBatches, low.Seconds, high.Estimate.Time.MicroBatches,
		high.Seconds)
	if err != nil {
		t.Fatal(err)
	}
	var ratios []float64
	for _, trial := range family {
		ratios = append(ratios, trial.Step.Mid/trial.Seconds)
	}
	middle := percentile(ratios, 0.5)
	for _, r := range ratios {
		if math.Abs(r/middle-1) > 0.02 {
			t.Errorf("from 256 to 2,496 GPUs, prices lie at %.3f of what was measured, in the middle at %.3f", r,
				middle)
		}
	}
	for _, trial := range family {
		if got := law.Step(trial.Estimate.Time.MicroBatches); math.Abs(got/trial.Seconds-1) > 0.02 {
			t.Errorf("%s: the law of two other runs says %.3f s, measured %.3f s", trial.ID, got, trial.Seconds)
		}
	}
}

// MLPerf's smallest and largest runs of the model on H100s (v4.1 to v5.1) reached 334 and 297 tokens a second and GPU.
// They are not among the rows. Estimates of them, and of the run between them that is one, lie within 2 % of what was
// measured, and so does the law of the two outer runs.
func TestMLPerfLawFrom512To8192(t *testing.T) {
	between := Trials(Published())
	between = slices.DeleteFunc(between, func(trial Trial) bool {
		return !From("mlperf-train-v5.0-llama31_405b")(&trial) || trial.Setup.Text("device") != "H100"
	})
	if len(between) != 1 {
		t.Fatalf("%d rows", len(between))
	}
	var seconds []float64
	for _, outer := range []struct{ gpus, micro, rate float64 }{{512, 288, 334}, {8192, 24, 297}} {
		s := maps.Clone(between[0].Setup)
		dp := outer.gpus / (8 * 8 * 2)
		s["n_devices"], s["dp"], s["gbs"], s["grad_acc"] = outer.gpus, dp, dp*outer.micro, outer.micro
		run, err := NewRun(s)
		if err != nil {
			t.Fatal(err)
		}
		estimate := training.NewEstimator(run.Job).Estimate(run.Plan)
		measured := dp * outer.micro * 8192 / outer.gpus / outer.rate
		if got := estimate.Time.Step(); math.Abs(got/measured-1) > 0.02 {
			t.Errorf("on %v GPUs a step is priced at %.3f s, measured %.3f s", outer.gpus, got, measured)
		}
		seconds = append(seconds, measured)
	}
	law, err := training.Calibrate(8, 8, 288, seconds[0], 24, seconds[1])
	if err != nil {
		t.Fatal(err)
	}
	for _, got := range []float64{law.Step(72), between[0].Estimate.Time.Step()} {
		if math.Abs(got/between[0].Seconds-1) > 0.02 {
			t.Errorf("on 2,048 GPUs a step takes %.3f s, measured %.3f s", got, between[0].Seconds)
		}
	}
}

// The contract asks for 500 rows a second. The fastest of a few tries counts, since the machine may be busy.
func TestPredictIsFast(t *testing.T) {
	all := append(Ultrascale(), Published()...)
	best := 0.0
	for try := 0; try < 4 && best < 500; try++ {
		begin := time.Now()
		for i := range all {
			One(all[i].Row)
		}
		best = max(best, float64(len(all))/time.Since(begin).Seconds())
	}
	if best < 500 {
		t.Errorf("%.0f rows a second", best)
	}
}

// TestBenchmarksDealTokensOut: NVIDIA's recipes for benchmarks send as many tokens to each expert and launch kernels as
// graphs; who runs a model as it comes has a router, and no graphs unless it says so.
func TestBenchmarksDealTokensOut(t *testing.T) {
	const page, card = "NVIDIA-NeMo/Megatron-Bridge docs/performance-summary.md (26.08 NeMo Container)",
		"NVIDIA-NeMo/Megatron-Bridge examples/model_verification_cards/x/card.yaml"
	for name, c := range map[string]struct {
		said      Setup
		imbalance float64
		graphs    bool
	}{
		"page":    {Setup{"source": page}, 1, true},
		"recipe":  {Setup{"source": card, "recipe": "qwen3_30b_a3b_pretrain_16gpu_h100_bf16_config"}, 1, true},
		"routing": {Setup{"source": card, "routing": "forced balance"}, 1, false},
		"trial":   {Setup{"source": card, "recipe": "qwen3_30b_a3b_pretrain_8gpu_gb200_fp8mx_functional_config"}, 1.1, false},
		"plain":   {Setup{"source": card, "recipe": "qwen3_30b_a3b_pretrain_config"}, 1.1, false},
		"graphs":  {Setup{"source": card, "cuda_graph": "TE: moe_router"}, 1.1, true},
	} {
		s := Setup{"model": "qwen3-30b-a3b", "device": "H100", "n_devices": 16.0, "ep": 16.0, "mbs": 1.0, "gbs": 64.0,
			"date": "2026-08", "software": "Megatron-Bridge"}
		for key, value := range c.said {
			s[key] = value
		}
		run, err := NewRun(s)
		if err != nil {
			t.Fatal(err)
		}
		plain, _ := training.StackNamed("megatron")
		stack := run.Job.Stack
		if graphs := stack.LaunchMoE < plain.LaunchMoE; stack.Name != "megatron-2026" || stack.Imbalance != c.imbalance ||
			graphs != c.graphs {
			t.Errorf("%s: %s, the busiest rank has %v of the mean, graphs %v", name, stack.Name, stack.Imbalance, graphs)
		}
	}
}
