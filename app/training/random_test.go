package training

import (
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/model"
)

// pickJob is one of a few, or any.
func pickJob(t *testing.T, r *rand.Rand) Job {
	if r.IntN(2) == 0 {
		return randomJob(t, r)
	}
	return anyJob(t, r)
}

// randomJob is a job of any model of a few, on any number of devices.
func randomJob(t *testing.T, r *rand.Rand) Job {
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	stack := pick(Stacks()...)
	device := pick("gpu.h100", "gpu.a100", "gpu.b200", "gpu.mi300x")
	if stack == "xla" {
		device = pick("tpu.v5p", "tpu.v6e")
	}
	sequence := []int{512, 2048, 4096, 8192, 32768}[r.IntN(5)]
	j := newJob(t, pick("llama3.8b", "llama3.70b", "mixtral.8x7b", "deepseek.v2_lite", "gemma3.12b", "gpt_oss.20b"),
		device, stack, 8*(1+r.IntN(24)), 1+r.IntN(300), sequence)
	j.Recipe = RecipeOf(stack, []DType{BF16, FP8, FP4}[r.IntN(3)], false)
	return j
}

// states are what people say of what learns and of how its state is kept.
var states = []string{"", "", "", "learn=lora rank=16 targets=all", "learn=qlora rank=64 targets=q+v",
	"optimizer=adamw8bit", "state=pure weights=bf16", "state=amp optimizer=adafactor", "offload=optimizer",
	"loss=liger", "loss=fp32", "attention=unfused", "update=backward optimizer=lion", "layers=2",
	"grads=bf16 moments=bf16", "optimizer=muon", "learn=lora rank=8 targets=attn offload=weights",
	"optimizer=pagedadamw8bit", "master=none weights=fp32", "dispatcher=alltoall capacity=1.25+masked",
	"experts=overlapped dispatcher=allgather", "capacity=all", "experts=overlapped capacity=0.9+exact"}

// anyJob is a job of any model on any device of the catalogs: odd numbers of devices, batches that hardly divide,
// sequences of any length, any precision, and any state.
func anyJob(t *testing.T, r *rand.Rand) Job {
	models, devices := model.Catalog().All, hardware.Catalog().All
	for {
		m, d := models[r.IntN(len(models))], devices[r.IntN(len(devices))]
		stack := Stacks()[r.IntN(len(Stacks()))]
		if _, err := NewDevice(d); err != nil || strings.HasPrefix(d.ID, "tpu") != (stack == "xla") {
			continue
		}
		n := []int{1, 2, 3, 5, 6, 8, 12, 15, 16, 24, 32, 36, 56, 64, 72, 96, 128, 144, 200, 256, 384, 500,
			512}[r.IntN(23)]
		sequence := []int{100, 512, 1000, 2048, 3000, 4096, 6144, 8192, 16384, 32768, 131072}[r.IntN(11)]
		j := newJob(t, m.ID, d.ID, stack, n, 1+r.IntN(1<<r.IntN(13)), sequence)
		j.Recipe = RecipeOf(stack, []DType{BF16, BF16, FP8, FP4}[r.IntN(4)], false)
		if r.IntN(8) == 0 {
			j.Pods = 2
		}
		var s State
		text := states[r.IntN(len(states))]
		if _, err := s.ReadTyped(text, n); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		s.Apply(&j)
		if j.Check() == nil {
			return j
		}
	}
}

// Tests that draw set-ups draw the same ones each time. To try others:
//
//	SEED=$RANDOM go test ./app/training -run 'RandomSearches|PricesAreSane'
func seed(t *testing.T) uint64 {
	t.Helper()
	text := os.Getenv("SEED")
	if text == "" {
		return 3
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestRandomSearches: no plan that a search finds breaks a bound, is read back as another, has an interval below its
// own matmuls, does more than its devices can, or is ranked though the software can't run it.
func TestRandomSearches(t *testing.T) {
	r, found := rand.New(rand.NewPCG(seed(t), 5)), 0
	jobs := 200
	if testing.Short() {
		jobs = 12
	}
	for range jobs {
		p := NewEstimator(pickJob(t, r))
		s := p.Usual()
		if r.IntN(2) == 0 {
			s = p.Whole()
			s.Micro = s.Micro[:min(3, len(s.Micro))]
		}
		f := p.Find(Search{Space: s, Top: 3})
		for i := range f.Best {
			if lacks := p.Lacks(&f.Best[i].Plan); lacks != "" {
				t.Errorf("%v is ranked without %s", f.Best[i].Plan, lacks)
			}
		}
		for _, estimate := range append(f.Best, f.Lacking...) {
			checkPrice(t, p, &estimate)
			found++
		}
	}
	if found < jobs {
		t.Errorf("only %d plans found", found)
	}
}

func checkPrice(t *testing.T, p *Estimator, estimate *Estimate) {
	t.Helper()
	plan, step := estimate.Plan, estimate.Time.Step()
	defer func(failed bool) {
		if t.Failed() && !failed {
			j := p.Job()
			t.Logf("%s on %d %s with %s, %d of %d", j.Model.Name, j.Devices, j.Device.Name, j.Stack.Name, j.Batch,
				j.Sequence)
		}
	}(t.Failed())
	again, err := ParsePlan(plan.String(), plan.Devices())
	if back := p.Estimate(again); err != nil || back != *estimate {
		t.Errorf("%v, read again as %v, %v, takes %v s instead of %v s", plan, again, err, back.Time.Step(), step)
	}
	i := p.StepInterval(estimate)
	if matmuls := estimate.Time.MicroBatches * estimate.Time.Matmul; i.Low < matmuls || i.Low > step || i.High < step {
		t.Errorf("%v: from %v to %v s, %v s in the middle, %v s of matmuls", plan, i.Low, i.High, step, matmuls)
	}
	if use := p.Use(estimate); use > 1 || !(use > 0) {
		t.Errorf("%v does %v of what its devices can", plan, use)
	}
	passes := estimate.Time.Passes
	f, b := passes[Forward], passes[Backward]
	n, m := float64(plan.PP), estimate.Time.MicroBatches
	if all := f + b + passes[Weights]; n > 1 && plan.Schedule != Interleaved {
		if !plan.Schedule.split() {
			b = all - f
		}
		if least := max(0, n*f+(n-1)*b-m*f) + m*all; step < least*(1-1e-9) {
			t.Errorf("%v takes %v s, its first rank %v s", plan, step, least)
		}
	}
	var shown, said float64
	for _, e := range p.Exchanges(estimate) {
		shown += e.Shown
	}
	for _, part := range estimate.Time.Parts() {
		switch part.Name {
		case "tensor parallelism", "context parallelism", "expert parallelism", "weight all-gathers",
			"pipeline P2P", "gradients between replicas":
			said += part.Value
		}
	}
	if layers, _ := p.exchanged(ref(p.layout(&plan))); plan.Zero > 0 && estimate.Time.DP > 0 {
		said -= p.job.Stack.Bucket * layers * log2(float64(plan.DP*plan.CP))
	}
	near(t, plan.String()+": traffic that shows", shown+1e-12, said+1e-12, 1e-6)
}

func ref[T any](x T) *T { return &x }
