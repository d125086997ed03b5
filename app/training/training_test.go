package training

import (
	"math"
	"testing"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/model"
)

// newJob is a job on so many devices of the catalog.
func newJob(t testing.TB, name, device, stack string, devices, batch, sequence int) Job {
	t.Helper()
	known, err := model.Catalog().Get(name)
	if err != nil {
		t.Fatal(err)
	}
	a, err := hardware.Catalog().Get(device)
	if err != nil {
		t.Fatal(err)
	}
	j := Job{Model: &known.Model, Devices: devices, Batch: batch, Sequence: sequence, Recipe: RecipeOf(stack, BF16,
		false)}
	if j.Device, err = NewDevice(a); err != nil {
		t.Fatal(err)
	}
	if j.Stack, err = StackNamed(stack); err != nil {
		t.Fatal(err)
	}
	return j
}

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if math.Abs(got-want) > within*math.Abs(want) {
		t.Errorf("%s is %.6g, want %.6g within %g", what, got, want, within)
	}
}

// The ZeRO paper (Rajbhandari et al., 2020, figure 1): 7.5 billion parameters, mixed precision, 64 ways.
func TestZeROPaper(t *testing.T) {
	j := newJob(t, "llama2.7b", "gpu.a100", "megatron", 64, 64, 1024)
	j.Recipe = Recipe{Weight: 2, Grad: 2, Master: 4, Moments: 8, Gather: 2}
	p := NewEstimator(j)
	scale := 7.5e9 / j.Model.Total()
	for zero, want := range []float64{120e9, 31.4e9, 16.6e9, 1.88e9} {
		m := p.Estimate(Plan{DP: 64, Zero: zero}).Memory
		near(t, "training state", (m.Weights+m.Grads+m.Master+m.Moments)*scale, want, 0.005)
	}
}

// Nanotron without ZeRO takes 20 bytes for each parameter once all gradients are there, and among replicas two more
// for the buckets in which gradients travel. With ZeRO 1 copies of the gradients are sent: of eight replicas seven
// eighths of 8 bytes, where activations leave no such room and the narrow gradients are gone.
func TestBytesPerParameter(t *testing.T) {
	j := newJob(t, "llama2.7b", "gpu.h100", "nanotron", 8, 8, 1024)
	for _, c := range []struct {
		plan Plan
		each float64
	}{{Plan{DP: 1}, 20}, {Plan{DP: 8}, 22}} {
		m := NewEstimator(j).Estimate(c.plan).Memory
		near(t, "bytes a parameter", (m.Weights+m.Grads+m.Master+m.Moments)/j.Model.Total(), c.each, 1e-9)
	}
	m := NewEstimator(j).Estimate(Plan{DP: 8, Zero: 1}).Memory
	near(t, "bytes a parameter at the exchange", (m.Total()-m.Residual)/j.Model.Total(), 2+4+12./8+8*7./8, 1e-9)
}

// A plan over d ranks can't hold less in all than the state once, and shards it no further than evenly.
func TestStateIsConserved(t *testing.T) {
	j := newJob(t, "mixtral.8x7b", "gpu.h100", "megatron", 64, 64, 1024)
	p, n := NewEstimator(j), j.Model.Total()
	for _, plan := range []Plan{{DP: 64, Zero: 3}, {DP: 64, Zero: 3, EP: 8}, {DP: 16, TP: 4, Zero: 3, EP: 8}} {
		m := p.Estimate(plan).Memory
		near(t, "weights of all ranks", m.Weights*64, 2*n, 1e-9)
		near(t, "moments of all ranks", m.Moments*64, 8*n, 1e-9)
	}
}

// MLPerf's law: with everything else fixed, a step takes a (m + (p-1)/v) + c.
func TestPipelineLaw(t *testing.T) {
	j := newJob(t, "llama3.405b", "gpu.h100", "megatron", 2048, 1, 8192)
	at := func(batch, virtual int) (step, slot float64) {
		j.Batch = batch
		estimate := NewEstimator(j).Estimate(Plan{DP: 16, TP: 8, PP: 8, CP: 2, Virtual: virtual, Zero: 1})
		return estimate.Time.Step(), estimate.Time.Slot()
	}
	short, a := at(16*24, 8)
	long, _ := at(16*72, 8)
	near(t, "48 more micro-batches", long-short, 48*a, 1e-9)
	deep, _ := at(16*24, 1)
	_, flat := at(16*24, 1)
	c := short - a*24 - bubbleOf(t, j, 8)
	near(t, "the constant of a plan without chunks", deep-flat*24-bubbleOf(t, j, 1), c, 1e-6)
	if bubbleOf(t, j, 8) >= bubbleOf(t, j, 1)/7 {
		t.Error("eight chunks a rank don't cut the bubble to an eighth")
	}
}

func bubbleOf(t *testing.T, j Job, virtual int) float64 {
	t.Helper()
	j.Batch = 16 * 24
	return NewEstimator(j).Estimate(Plan{DP: 16, TP: 8, PP: 8, CP: 2, Virtual: virtual, Zero: 1}).Time.Bubble
}

// The closed forms of the papers, with a backward pass of twice the forward's time, half of it for weights.

// Layers are neither lost nor found, whichever way they are split.
func TestSplit(t *testing.T) {
	for _, byCost := range []bool{false, true} {
		for _, c := range []float64{0.2, 1, 2.2, 4} {
			for p := 1; p <= 40; p++ {
				s := split(40, c, p, ends{}, byCost)
				if s.slowest*float64(p) < 40 || s.work < s.slowest || s.work*float64(p) < s.total-1e-9 || s.last < 0 {
					t.Errorf("%d stages, by cost %v: %+v", p, byCost, s)
				}
			}
		}
	}
	// Nanotron's own split of a model of 32 layers whose logits take as much as 2.2 layers.
	for p, want := range map[int][2]float64{2: {18, 14}, 4: {9, 6}, 8: {5, 2}, 16: {3, 0}} {
		if s := split(32, 2.2, p, ends{}, true); s.first != want[0] || s.last != want[1] {
			t.Errorf("%d stages by cost: first %v, last %v; want %v", p, s.first, s.last, want)
		}
	}
}

// k choices among one place meet one; among many, k.
func TestPlacesReached(t *testing.T) {
	for _, c := range []struct{ places, k, want, tolerance float64 }{{1, 8, 1, 1e-12}, {1e6, 8, 8, 1e-4},
		{2, 2, 1.5, 1e-12}} {
		z := shape{groups: 1, chosen: 1, perToken: c.k}
		near(t, "places", z.reached(c.places), c.want, c.tolerance)
	}
}

// More of a resource never makes a step longer, all else equal.
func TestFasterHardwareIsFaster(t *testing.T) {
	j := newJob(t, "llama3.70b", "gpu.h100", "megatron", 512, 512, 8192)
	plan := Plan{DP: 16, TP: 8, PP: 4, Zero: 1}
	before := NewEstimator(j).Estimate(plan).Time
	for name, change := range map[string]func(*Device){
		"rate":   func(d *Device) { d.Peak[BF16] *= 2 },
		"memory": func(d *Device) { d.Stream *= 2 },
		"fast":   func(d *Device) { d.Fast *= 2 },
		"slow":   func(d *Device) { d.Slow *= 2 },
	} {
		k := j
		change(&k.Device)
		if after := NewEstimator(k).Estimate(plan).Time; after.Step() >= before.Step() {
			t.Errorf("twice the %s: %v s instead of %v s", name, after.Step(), before.Step())
		}
	}
}

// All schedules and policies give finite, positive estimates, and each saves what it is for.
func TestPolicies(t *testing.T) {
	j := newJob(t, "deepseek.v3", "gpu.h100", "megatron", 2048, 15360, 4096)
	p := NewEstimator(j)
	kept := math.Inf(1)
	for _, r := range []Recompute{KeepAll, RecomputeSome, RecomputeBlock, RecomputeOffload} {
		estimate := p.Estimate(Plan{DP: 128, PP: 16, EP: 64, Zero: 1, Recompute: r})
		if a := estimate.Memory.Activations; a >= kept || a <= 0 {
			t.Errorf("policy %d keeps %v bytes, the one before %v", r, a, kept)
		}
		kept = estimate.Memory.Activations
	}
	for s := OneFOneB; s < schedules; s++ {
		estimate := p.Estimate(Plan{DP: 128, PP: 16, EP: 64, Zero: 1, Schedule: s, Virtual: 2})
		if step := estimate.Time.Step(); !(step > 0) || math.IsInf(step, 0) || !(estimate.Memory.Total() > 0) {
			t.Errorf("%s: %v s, %v bytes", s, step, estimate.Memory.Total())
		}
	}
}

// The table of constants has no name that nothing reads, and no line without a source.
func TestConstantTable(t *testing.T) {
	if len(Stacks()) != 13 {
		t.Errorf("stacks %v", Stacks())
	}
	for _, name := range Stacks() {
		s, _ := StackNamed(name)
		if s.Matmul <= 0 || s.Attention <= 0 || s.FastWire <= 0 || s.FastWire > 1 || s.SlowWire > 1 {
			t.Errorf("%s: %+v", name, s)
		}
	}
	checkLines(t)
}
