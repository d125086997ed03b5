package training

import (
	"fmt"
	"math"
	"testing"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/model"
)

// What the plans of counted_test.go don't have, one part each: the arithmetic stands beside it.

// laidOut is a plan of a job in the numbers that formulas use, and its estimate.
func laidOut(t *testing.T, j Job, plan Plan) (*Estimator, layout, Estimate) {
	t.Helper()
	p, estimate := priced(t, j, plan)
	filled := plan.filled()
	return p, p.layout(&filled), estimate
}

// TestComputedAgainCounted: what is computed again runs, is sent and is gathered once more, and what it makes is not
// kept.
func TestComputedAgainCounted(t *testing.T) {
	at := func(r Recompute) (x struct{ passes, matmuls, attention, gathers, kept, live, elements float64 }) {
		p, c, _ := laidOut(t, roundDense(2, 2), Plan{TP: 2, Recompute: r})
		x.passes, x.matmuls, x.attention = p.passes(&c), p.matmulPasses(&c), p.attentionPasses(&c)
		x.gathers, x.kept, x.live, x.elements = p.tensorGathers(&c), c.kept*2/2000, c.live*2/2000, p.elements(&c)
		return x
	}
	const mlp = 3.0 * 1000 * 3000 / handDense
	// kept of a token: 8 bytes a width and 0.5 of each of two gathered inputs on both ranks; 2 of queries, keys, values
	// and output; 6 of the hidden width
	const all = 8*1000 + 0.5*2*1000*2 + 2*(1000+500+1000) + 6*3000
	none, norms, act := at(KeepAll), at(RecomputeNorms), at(RecomputeActivations)
	attention, whole, blocks := at(RecomputeAttention), at(RecomputeMLP), at(RecomputeBlock)
	checkCounted(t, []handCount{
		{"passes", none.passes, 3, "forward, gradients of activations, gradients of weights"},
		{"attention’s passes", none.attention, 3.5, "5 matmuls backward for 2 forward"},
		{"gathers", none.gathers, 10, "5 of each block"},
		{"kept", none.kept, all, "all"},
		{"elements", none.elements, 3 * (1000 + 1000 + 3000), "width, queries, hidden width in each pass"},
		{"kept with norms again", norms.kept, 2*2*1000 + 2*2500 + 6*3000, "inputs of both blocks, 2 bytes each"},
		{"elements with norms again", norms.elements, 3*5000 + 1000, "the width once more"},
		{"kept with functions again", act.kept, all - 6*3000 + 2*2*3000, "2 bytes of both outputs of matmuls"},
		{"elements with functions again", act.elements, 3*5000 + 3000, "the hidden width once more"},
		{"kept with attention again", attention.kept, all, "flash attention keeps no scores; 2 bytes each of the rest"},
		{"attention’s passes again", attention.attention, 4.5, "one more forward"},
		{"matmuls with the MLP again", whole.matmuls, 3 + mlp, "its share of the weights once more"},
		{"gathers with the MLP again", whole.gathers, 12, "its input and its output once more"},
		{"kept with the MLP again", whole.kept, all - 6*3000, "nothing of the hidden width"},
		{"live with the MLP again", whole.live, 6 * 3000, "one layer's"},
		{"passes with blocks again", blocks.passes, 4, "one more forward"},
		{"gathers with blocks again", blocks.gathers, 14, "7 of each block"},
		{"kept with blocks again", blocks.kept, 2 * 1000, "the input, 2 bytes each"},
		{"live with blocks again", blocks.live, all, "one layer"},
	})
	p, c, _ := laidOut(t, roundExperts(8, 8), Plan{DP: 8, EP: 4, Recompute: RecomputeExperts})
	checkCounted(t, []handCount{
		{"dispatches with experts again", p.dispatches(&c), 6, "there and back, forward, again and backward"},
		{"passes of experts again", p.expertPasses(&c), 4, "one more forward"},
		{"kept of experts’ functions again", p.keptRouted(RecomputeActivations), 2, "inputs alone, 2 bytes each"},
	})
}

// TestUsualModulesCounted: software that keeps a half of the matmuls' outputs computes the other half again.
func TestUsualModulesCounted(t *testing.T) {
	j := roundDense(2, 2)
	j.Stack.KeepOutputs = 0.5
	p, c, _ := laidOut(t, j, Plan{DP: 2, Recompute: RecomputeSome})
	checkCounted(t, []handCount{
		{"matmuls", p.matmulPasses(&c), 3.5, "half of them once more"},
		{"attention’s passes", p.attentionPasses(&c), 3.5, "attention's output is kept"},
		{"kept", c.kept / 2000, 2*2*1000 + 2*1000 + 0.5*2*1500 + 0.5*2*2*3000,
			"inputs of blocks and attention's output; half of queries, keys, values and of two hidden widths"},
	})
}

// TestReplicasCounted: gradients and weights between replicas, by what is sharded. Eight replicas, weights of four
// layers and two tables.
func TestReplicasCounted(t *testing.T) {
	const n = 4*handDense + 2*handTable
	_, _, whole := laidOut(t, roundDense(8, 8), Plan{DP: 8})
	_, _, two := laidOut(t, roundDense(16, 16), Plan{DP: 8, TP: 2, Zero: 1, Shard: 2})
	_, _, late := laidOut(t, func() Job { j := roundDense(8, 8); j.Recipe.Accum, j.Stack.LateSync = 6, 1; return j }(),
		Plan{DP: 4, PP: 2, Zero: 2})
	job := roundDense(8, 8)
	job.Late = true
	_, _, twice := laidOut(t, job, Plan{DP: 4, TP: 2, Zero: 3})
	job.Batch = 4
	_, _, once := laidOut(t, job, Plan{DP: 4, TP: 2, Zero: 3})
	const last = 2*handDense + handTable // weights of the last stage
	checkCounted(t, []handCount{
		{"nothing is sharded", whole.Time.DP, 0.9 * 2 * (4*n*7/8/(4*handPort) + handFar),
			"scattered and gathered, 4 bytes"},
		{"optimizer of all weights", whole.Time.Optimizer, n * 30 / handStream, "30 bytes each"},
		{"gradients and buckets", whole.Memory.Grads, (4 + 2) * n, "4 bytes and 2 of buckets each"},
		// shards of two stand 2 apart, inside a domain; their four replicas 4 apart, a port each, three steps round
		// four domains
		{"shards of two", two.Time.DP, 0.4*((4+2)*n/2/2/handFast+2*handNear+2*(4*n/2/2*3/4/handPort+3*handFar)) +
			1e-4*4*3, "6 bytes over 2, then half of 4 bytes over 4 twice"},
		{"gradients that stay whole", late.Time.Gather, 0, "until the last micro-batch"},
		{"gradients of the last rank", late.Memory.Grads - late.Memory.Exchange, (6 + 0.2*4) * last,
			"6 bytes each, and a fifth of the 4 in which they come"},
		{"gradients of two micro-batches", (twice.Memory.Grads - once.Memory.Grads) / (n / 2), 4 * 3. / 4,
			"4 bytes of all of them, not of a fourth"},
		{"gradients summed up in 6 bytes", late.Time.DP, 0.4*((6+2)*last*3/4/handFast+2*handNear) + 1e-4*2*2,
			"6 bytes of gradients and 2 of weights of the last stage"},
	})
}

// TestDispatchCounted: experts over two domains of four. A token's two choices meet 1.5 of two domains, half of them
// its own; on eight ranks they meet 1.875.
func TestDispatchCounted(t *testing.T) {
	p, c, _ := laidOut(t, roundExperts(8, 8), Plan{DP: 8, EP: 8})
	const bytes = 2 * 2000.0 * 1000 * 1.25 * 3 / 4
	checkCounted(t, []handCount{
		{"between domains", p.dispatch(&c), bytes*1.5/2/handPort + handFar, "one copy of those that leave"},
		{"bytes between domains", p.dispatched(&c), bytes * 1.5 / 2, "the same"},
		{"dispatches", p.dispatches(&c), 4, "there and back, forward and backward"},
	})
	j := roundExperts(8, 8)
	j.Device.Slow = 4e11
	p, c, _ = laidOut(t, j, Plan{DP: 8, EP: 8})
	handCount{"inside a domain", p.dispatch(&c), bytes*1.875/handFast + handFar, "a copy for each rank"}.check(t)
	j.Device.Mesh = hardware.Mesh{Devices: 4, Local: 1}
	p, c, _ = laidOut(t, j, Plan{DP: 8, EP: 8})
	handCount{"over links of pairs", p.dispatch(&c), bytes*1.875/handFast + handFar, "those to all of a node"}.check(t)
}

// TestRingOfPairsCounted: keys and values of 2000 tokens, 2 heads of 125 numbers in two bytes each, go three times
// around four ranks, over one link of three; if they are gathered at once, over all of them.
func TestRingOfPairsCounted(t *testing.T) {
	j := roundDense(4, 2)
	j.Device.Mesh = hardware.Mesh{Devices: 4, Local: 1}
	const sent = 2000.0 * 2 * 2 * 125 * 2 * 3 / 4
	p, c, _ := laidOut(t, j, Plan{CP: 4})
	around := j.Stack.ShowCP * 3 * (sent/(handFast/3) + handNear)
	handCount{"around", p.contextTime(&c), around, "one link of three"}.check(t)
	p, c, _ = laidOut(t, j, Plan{CP: 4, Context: GatherContext})
	handCount{"gathered", p.contextTime(&c), 3 * (sent/handFast + handNear), "three links"}.check(t)
}

// TestGroupsReached: eight experts of 256 in four of eight groups. Where a place holds a group, a token goes to as many
// places as it uses groups; where a group has two places, to those of the eight in which its experts are; where a place
// holds two groups, 3.6 of 8 leave both unused in a share of 4.4/8 x 3.4/7.
func TestGroupsReached(t *testing.T) {
	z := shape{groups: 8, chosen: 4, perToken: 8}
	one := shape{groups: 1, chosen: 1, perToken: 8}
	used := 4 * (1 - math.Pow(0.75, 8))
	checkCounted(t, []handCount{
		{"a group a place", z.reached(8), used, "four groups, of which eight choices meet 3.6"},
		{"two places a group", z.reached(16), 8 * (1 - math.Pow(7.0/8, 8)), "half of the places"},
		{"two groups a place", z.reached(4), 4 * (1 - (8-used)/8*(7-used)/7), "neither of two is used"},
		{"one place", z.reached(1), 1, "all are there"},
		{"without groups", one.reached(8), 8 * (1 - math.Pow(7.0/8, 8)), "any of eight places"},
	})
}

// TestHiddenCounted: tokens go to experts in 1.5 bytes an element. No more hides than what computes; beside DualPipe's
// other microbatch, which has three quarters of the device meanwhile, a quarter of their time shows.
func TestHiddenCounted(t *testing.T) {
	at := func(plan Plan, change func(*Job)) (*Estimator, layout, Time) {
		j := roundExperts(8, 32)
		j.Stack.Lent = 0.25
		change(&j)
		p, c, estimate := laidOut(t, j, plan)
		return p, c, estimate.Time
	}
	plain, both := Plan{DP: 4, PP: 2, EP: 4}, Plan{DP: 4, PP: 2, EP: 4, Schedule: DualPipe}
	whole, c, x := at(plain, func(*Job) {})
	less, d, y := at(plain, func(j *Job) { j.Stack.SentToken = 1.5 })
	_, _, hides := at(both, func(*Job) {})
	slowly := func(j *Job) { j.Device.Fast /= 1e4 }
	slow, e, z := at(plain, slowly)
	_, _, slower := at(both, slowly)
	bytes := whole.dispatch(&c) - handNear
	over := func(t Time) float64 { return slow.allToAlls(&e) - t.Matmul - t.Attention - t.Elementwise }
	checkCounted(t, []handCount{
		{"narrow tokens", less.dispatch(&d) - handNear, 0.75 * bytes, "three bytes for four"},
		{"their bytes", less.dispatched(&d), 0.75 * whole.dispatched(&c), "the same"},
		{"all of them", whole.allToAlls(&c), 2 * 4 * (bytes + handNear), "two layers, four ways"},
		{"shown", y.EP, 0.7 * less.allToAlls(&d), "the software's share"},
		{"hidden", hides.EP, (6*0.25 + 2*0.7) / 8 * whole.allToAlls(&c),
			"a quarter of the device sends, but for two of eight"},
		{"attention beside them", hides.Attention, x.Attention, "what it loses counts as their time"},
		{"more than computing", z.EP, over(z), "what is left when all has been computed"},
		{"more than the other microbatch", slower.EP, over(slower), "the same"},
	})
	_, _, dense := laidOut(t, roundDense(8, 32), Plan{DP: 4, PP: 2, Schedule: DualPipe})
	handCount{"without experts", dense.Time.EP, 0, "nothing is sent"}.check(t)
}

// TestAloneCounted: on the first of DualPipe's 16 ranks 14 passes forward come before the first backward, 2 beside
// none, and 7 between backward ones: 16 + 7 - h on rank h of the half, 19.5 in the mean. Their all-to-alls show.
func TestAloneCounted(t *testing.T) {
	sum := 0.0
	for h := range 8 {
		sum += float64(2*(7-h) + 2*(h+1) + (7 - h))
	}
	checkCounted(t, []handCount{
		{"of 16 stages", alone(DualPipe, 16, 120), sum / 8, "in the mean of a half"},
		{"of few", alone(DualPipe, 16, 7), 7, "no more than there are"},
	})
	for _, slower := range []float64{1, 1e4} { // the second shows a part of its all-to-alls in each microbatch anyway
		j := roundExperts(8, 32)
		j.Device.Fast /= slower
		p, c, estimate := laidOut(t, j, Plan{DP: 4, PP: 2, EP: 2, Schedule: DualPipe})
		x := estimate.Time
		waits := p.plays.span(c.pipe(), 1/p.passes(&c), x.Passes[Weights]/sumOf(x.Passes)) - c.m
		waits *= x.Slot() * 2 / (2 + p.logits) // of the stage without logits
		handCount{"bubble", x.Bubble, waits, "of slots with what shows in the mean"}.check(t)
		all := p.allToAlls(&c)
		least := max(0, all-x.Matmul-x.Attention-x.Elementwise)
		handCount{"shown", x.EP, (6*least + 2*max(0.7*all, least)) / 8, "two of eight microbatches alone"}.check(t)
		if (least > 0) != (slower > 1) {
			t.Errorf("%g s of all-to-alls show on links that are %g times slower", least, slower)
		}
	}
}

func alone(schedule Schedule, stages, micros float64) float64 {
	c := layout{schedule: schedule, pp: stages, m: micros}
	return c.alone()
}

func sumOf(passes [3]float64) float64 { return passes[0] + passes[1] + passes[2] }

// TestPipesCounted: chunks shorten the bubble and send more often; orders keep micro-batches in flight.
func TestPipesCounted(t *testing.T) {
	_, _, one := laidOut(t, roundDense(2, 8), Plan{PP: 2})
	_, c, two := laidOut(t, roundDense(2, 8), Plan{PP: 2, Virtual: 2})
	_, _, split := laidOut(t, roundDense(2, 8), Plan{PP: 2, Schedule: ZBH1})
	const send = 2*2000*1000/handFast + handNear
	weights := split.Time.Passes[Weights] / sumOf(split.Time.Passes) // share of a slot
	checkCounted(t, []handCount{
		{"bubble of ZB-H1", split.Time.Bubble, (split.Time.Slot() - split.Time.Logits) * (1 - 2*weights),
			"forward, backward, less the gradients of weights, of the first stage's two layers"},
		{"bubble", one.Time.Bubble, one.Time.Slot() - one.Time.Logits, "two layers of the first stage"},
		{"bubble of two chunks", two.Time.Bubble, (two.Time.Slot() - two.Time.Logits) / 2, "half of it"},
		{"sends", one.Time.PP, 0.5 * 2 * send, "forward and backward"},
		{"sends of two chunks", two.Time.PP, 0.5 * 4 * send, "of each"},
		{"in flight of two chunks", c.flight.first, 2.5, "(2 (p - 1) + (v - 1) p + 1)/v"},
	})
	for _, f := range []struct {
		schedule Schedule
		want     flight
	}{{OneFOneB, flight{4, 1, 3}}, {GPipe, flight{16, 16, 16}}} {
		if got, ok := f.schedule.flight(4, 1, 16); !ok || got != f.want {
			t.Errorf("%s of 16 micro-batches in four stages keeps %v, want %v", f.schedule, got, f.want)
		}
	}
}

// TestHostCounted: what a layer takes at least to launch, by what it launches; the device waits for the rest.
func TestHostCounted(t *testing.T) {
	const long = 1.0 // s, longer than all that a layer computes
	for _, c := range []struct {
		name    string
		plan    Plan
		devices int
		set     func(*Job)
		want    float64 // s a layer
	}{
		{"kernels", Plan{DP: 2}, 2, func(j *Job) { j.Stack.Launch = long }, long},
		{"gathers of weights", Plan{DP: 2, Zero: 3}, 2, func(j *Job) { j.Stack.LaunchGather = long }, long},
		{"adapters", Plan{DP: 2}, 2, func(j *Job) { j.Frozen, j.Stack.LaunchAdapter = true, long }, long},
		{"a ring", Plan{TP: 2}, 2, func(j *Job) { j.Stack.RingStep = long }, 2 * long},
		{"a ring beside kernels", Plan{TP: 2}, 2, func(j *Job) { j.Stack.RingStep, j.Stack.Launch = long, 3 }, 3},
		{"a ring of a pipeline in one domain", Plan{TP: 2, PP: 2}, 4, func(j *Job) { j.Stack.RingStep = long },
			2 * long},
		{"a ring of a pipeline", Plan{TP: 2, PP: 2, DP: 2}, 8,
			func(j *Job) { j.Stack.PipeStep, j.Stack.Launch = long, 3 }, 5},
		{"a long ring of a pipeline", Plan{TP: 8, PP: 2}, 16,
			func(j *Job) { j.Stack.PipeFar, j.Stack.Launch = long, 3 }, 11},
	} {
		j := roundDense(c.devices, 8)
		c.set(&j)
		_, layout, estimate := laidOut(t, j, c.plan)
		x := estimate.Time
		busy := x.Matmul + x.Attention + x.Elementwise + x.Logits + x.TP + x.EP + x.Gather + x.Host
		handCount{c.name, busy, c.want * layout.stage.pace, "s a layer x layers"}.check(t)
	}
}

// TestHostMemoryCounted: what waits in the host's memory comes over its link, 2e10 bytes/s.
func TestHostMemoryCounted(t *testing.T) {
	const own = (4*handDense + 2*handTable) / 8
	_, _, state := laidOut(t, roundDense(8, 8), Plan{DP: 8, Zero: 1, Offload: true})
	checkCounted(t, []handCount{
		{"optimizer", state.Time.Optimizer, own * 2 * (4 + 8) / 2e10, "master and moments, there and back"},
		{"master weights and moments", state.Memory.Master + state.Memory.Moments, 0, "elsewhere"},
	})
	j := roundDense(8, 8)
	j.Host.Weights = true
	p, c, estimate := laidOut(t, j, Plan{DP: 8, Zero: 3})
	checkCounted(t, []handCount{
		{"weights", p.hostTraffic(&c, &estimate.Time), 4 * handDense / 8 * (2*2 + 4) / 2e10,
			"2 bytes for each of two passes, and 4 of gradients back"},
		{"weights held", estimate.Memory.Weights, 0, "elsewhere"},
		{"gradients held", estimate.Memory.Grads - estimate.Memory.Exchange, 4 * handDense / 8,
			"an eighth of one layer, which is larger than either table"},
	})
	j = roundDense(8, 8)
	j.Host.Kept = true
	p, c, _ = laidOut(t, j, Plan{DP: 8})
	const kept = 2000 * (8*1000 + 2*2500 + 6*3000)
	checkCounted(t, []handCount{
		{"kept", p.hostTraffic(&c, &Time{}), 2 * kept * 4 / 2e10, "of four layers, there and back"},
		{"kept beside computing", p.hostTraffic(&c, &Time{Matmul: 0.01, Attention: 0.001, Elementwise: 0.0005}),
			2*kept*4/2e10 - 0.0115, "what that doesn't hide"},
		{"live", c.live, 2 * kept, "one layer computes, one is on its way"},
		{"kept here", c.kept, 0, "elsewhere"},
	})
}

// TestScoresCounted: attention that isn't fused moves its scores six times a pass in 2 bytes and keeps 5 bytes of each.
func TestScoresCounted(t *testing.T) {
	j := roundDense(2, 2)
	j.Scores = true
	p, c, estimate := laidOut(t, j, Plan{TP: 2})
	checkCounted(t, []handCount{
		{"attention", estimate.Time.Attention, 3.5 * 4 * (2*2000*handScores/2/handRate + 2*6*2000*8*2000/2/handKernel),
			"all of the square is computed, and its 8 x 2000 x 2000 scores are moved"},
		{"kept", p.scoreBytes(&c, 0), 5 * 8 * 2000, "softmax 2, mask 1, what is left 2"},
	})
}

// TestContextCounted: Ulysses exchanges queries, keys and values, and outputs, of 1000 tokens of two ranks.
func TestContextCounted(t *testing.T) {
	p, c, estimate := laidOut(t, roundDense(4, 2), Plan{CP: 2, TP: 2, Context: UlyssesContext})
	const bytes = 2 * 1000.0 * (1000 + 2*500 + 1000) / 2 // keys and values of a head go to both ranks
	checkCounted(t, []handCount{
		{"Ulysses", estimate.Time.CP, 4 * 2 * (bytes/2/handFast + handNear), "4 layers, forward and backward"},
		{"swapped", p.swapped(&c), 1000 + 2*500 + 1000, "widths"},
	})
	_, _, estimate = laidOut(t, roundDense(4, 2), Plan{CP: 2, TP: 2, Context: GatherContext})
	handCount{"a gather", estimate.Time.CP, 4 * 3 * (2*1000*2*500/2/2/handFast + handNear), "nothing hides it"}.check(t)
}

// TestTorusCounted: of a torus of three axes of 4e11 bytes/s, a group of all chips has three, one that begins inside it
// one, and groups farther apart the two others.
func TestTorusCounted(t *testing.T) {
	j := roundDense(64, 64)
	j.Device.Axes, j.Device.Domain = 3, 4096
	p := NewEstimator(j)
	for _, c := range []struct{ n, stride, axes float64 }{{64, 1, 3}, {8, 1, 1}, {8, 8, 2}} {
		handCount{"bandwidth", p.transfer(c.n, c.stride).bandwidth, c.axes * handFast, "axes x 3e11"}.check(t)
	}
	handCount{"exchange", p.exchange(1e9, 8, 1), 1e9*8/4/handFast + handNear, "a quarter of the ring far"}.check(t)
	handCount{"exchange of two", p.exchange(1e9, 2, 1), 1e9/2/handFast + handNear, "half of it leaves"}.check(t)
	j.Pods = 4
	p = NewEstimator(j)
	// 16 chips of a pod, 2 apart: 8 of them in each have a port of the data centre's network
	handCount{"between pods", p.transfer(32, 2).bandwidth, 8 * handPort, "16 ports / 2"}.check(t)
}

// TestFrozenCounted: adapters of rank 4 on queries and outputs, four of 1000 x 1000 a layer; the weights don't learn.
func TestFrozenCounted(t *testing.T) {
	j := roundDense(2, 2)
	j.Frozen, j.Recipe.Weight = true, 0.5
	j.Learn = Learn{Rank: 4, Targets: TargetQ | TargetO, Weight: 2, Grad: 4, Moments: 8, Quant: true}
	p, c, estimate := laidOut(t, j, Plan{DP: 2})
	const adapters = 4 * 2 * 4 * (1000 + 1000) // layers x matrices x rank x sides
	const matmul = 2*2000*handDense/handRate + (2*handDense+3*2000*(4000+11500))/handStream
	m, x := &estimate.Memory, &estimate.Time
	checkCounted(t, []handCount{
		{"passes", p.passes(&c), 2, "no gradients of weights"},
		{"adapters", p.Adapters(), adapters, "8 x 4 x 2000"},
		{"matmul", x.Matmul, 2*4*matmul*1.2 + 2*4*handDense*(0.5+2)/handStream,
			"2 passes x 4 layers, a fifth more for adapters; half a byte is read and 2 written to make weights wide"},
		{"weights", m.Weights, 0.5*(4*handDense+2*handTable) + 2*adapters, "half a byte each, adapters 2"},
		{"gradients", m.Grads, 4 * adapters, "4 bytes each"},
		{"moments", m.Moments, 8 * adapters, "8 bytes each"},
		{"the matrix that is wide", m.Gathered, 2 * 1000 * 3000, "2 bytes each of the largest"},
	})
}

// TestOptimizersCounted: Newton-Schulz takes five times X X', its square and their product with X; an update moves more
// or less as its state is larger or smaller.
func TestOptimizersCounted(t *testing.T) {
	j := roundDense(2, 2)
	j.Optimizer.Orthogonal = true
	_, _, estimate := laidOut(t, j, Plan{TP: 2})
	const square, oblong, kv = 1e9, 1000 * 1000 * 3000.0, 250 * 250 * 1000.0
	// queries and output; three of the MLP; keys and values, with their shorter side of 250
	const newton = 5 * (2*(2*square+2*square+2*square) + 3*(2*oblong+2*square+2*oblong) + 2*(2*kv+2*250*250*250+2*kv))
	const own = (4*handDense + 2*handTable) / 2
	handCount{"Muon", estimate.Time.Optimizer, own*30/handStream + 4*newton/2/handRate, "4 layers over 2 ways"}.check(t)
	j = roundDense(2, 2)
	j.Stated, j.Recipe.Moments = true, 2
	_, _, estimate = laidOut(t, j, Plan{DP: 2})
	handCount{"small moments", estimate.Time.Optimizer, 2 * own * 30 * (4 + 2*(4+2) + 2) / (4 + 2*(4+8) +
		2) / handStream,
		"gradient, master and moments twice, weight: 18 bytes for 30"}.check(t)
}

// TestRetriesCounted: between 80 % of the memory and what tensors can have, steps grow up to half as long again.
func TestRetriesCounted(t *testing.T) {
	j := roundDense(2, 2)
	j.Stack.MemoryRoom, j.Stack.RetrySlow = 0.8, 1.5
	_, _, free := laidOut(t, j, Plan{DP: 2})
	handCount{"far from the limit", free.Time.Retry, 0, "nothing"}.check(t)
	capacity := 0.8 * 80e9
	j.Stack.Residual = 1e9 + (capacity+AfterContext(80e9))/2 - free.Reported.Total() // halfway
	_, _, estimate := laidOut(t, j, Plan{DP: 2})
	x := estimate.Time
	handCount{"halfway", x.Retry, 0.5 * 0.5 * (x.Step() - x.Retry), "half of the half"}.check(t)
}

// TestScanCounted: lightning attention of 8 heads of 125 in place of attention, in chunks of 128 tokens: two products
// inside a chunk and two with the state; no convolution.
func TestScanCounted(t *testing.T) {
	j := roundJob(model.Model{FFWidth: 3000, Linear: model.Linear{Kind: model.Lightning, KeyHeads: 8, Heads: 8,
		KeySize: 125, ValueSize: 125}}, 2, 2)
	p, c, _ := laidOut(t, j, Plan{TP: 2})
	products := float64(j.Model.Linear.Products())
	const state = 1000 * 125.0
	flops := (products-1)*2*128*(1000+1000) + 2*products*state
	bytes := 2*4*1000 + 4*4*state/128
	checkCounted(t, []handCount{
		{"FLOPs", p.shape.scan.flops, flops, "2 Q (N + P) a head for each product in a chunk, 2 N P with the state"},
		{"bytes", p.shape.scan.bytes, bytes, "values 4 times in 2 bytes, states of chunks 4 times in 4"},
		{"kept", p.shape.scan.kept, 2 * 1000, "the gate and the output"},
		{"time", p.scanTime(&c), 3.5 * 2000 / 2 * (flops/handFlash + bytes/handKernel), "1 pass forward, 2.5 backward"},
	})
}

// TestCrowdCounted: from 64 nodes on hand-overs take long. 8 microbatches through 4 stages: each of the middle stages
// has 4 of each microbatch, and 2 (p - 3) = 2 more are on the way. The bubble is as long as without.
func TestCrowdCounted(t *testing.T) {
	j := newJob(t, "llama3.8b", "gpu.h100", "nanotron", 512, 1024, 4096)
	calm := j
	still := *j.Stack
	still.CrowdWait, calm.Stack = 0, &still
	for pp, waits := range map[int]float64{2: 2 * 4, 4: 4*8 + 2, 8: 4*16 + 10} { // of 2 pp microbatches
		plan := Plan{DP: 512 / pp, PP: pp, Micro: 1, Zero: 1}
		a, b := NewEstimator(j).Estimate(plan).Time, NewEstimator(calm).Estimate(plan).Time
		near(t, "wait", a.Wait*a.MicroBatches, j.Stack.CrowdWait*waits, 1e-12)
		near(t, "bubble", a.Bubble, b.Bubble, 1e-12)
		near(t, "passes that compute weights' gradients", a.Passes[Weights], b.Passes[Weights], 1e-12)
		if b.Wait != 0 || b.Bubble == 0 {
			t.Errorf("%d stages: %+v", pp, b)
		}
	}
	// without stages replicas scatter and gather gradients once; of one model over all nodes there are none, and fewer
	// nodes don't wait
	one := NewEstimator(j).Estimate(Plan{DP: 512, Micro: 1, Zero: 1}).Time
	near(t, "without a pipeline", one.Wait*one.MicroBatches, 2*j.Stack.CrowdWait, 1e-12)
	near(t, "of 2 micro-batches each half", one.Wait, j.Stack.CrowdWait, 1e-12)
	p := NewEstimator(j)
	c := p.layout(&Plan{DP: 1, TP: 512, PP: 1, CP: 1, EP: 1, ETP: 1, Micro: 1})
	var alone Time
	p.lowerBound(&c, &alone)
	near(t, "without replicas", alone.Wait, 0, 0)
	j.Devices /= 2
	few := NewEstimator(j).Estimate(Plan{DP: 256, Micro: 1, Zero: 1}).Time
	near(t, "on 32 nodes", few.Wait, 0, 0)
}

// TestHandoversPlayed: the closed form is what stages take that do nothing but hand over, in the published order, one
// at a time on each.
func TestHandoversPlayed(t *testing.T) {
	for _, p := range []int{2, 3, 4, 8, 16} {
		for _, m := range []int{p, 2 * p, 4 * p} {
			got, want := handovers(float64(p), float64(m)), playHandovers(p, m)
			near(t, fmt.Sprintf("%d stages, %d microbatches", p, m), got, want, 1e-12)
		}
	}
}

// handover is of a microbatch's activations or gradients to a stage.
type handover struct {
	pass      Pass
	micro, to int
}

// playHandovers is how many hand-overs long a step is.
func playHandovers(p, m int) float64 {
	pipe := newPipe(OneFOneB, p, 1, m)
	orders, at := pipe.orders(), make([]int, p)
	port, ready := make([]float64, p), map[handover]float64{}
	from := func(h handover) int { return h.to - 1 + 2*int(h.pass) }
	// run goes on with a stage until it needs what it hasn't got; what it has made is ready to be sent.
	run := func(stage int, now float64, got handover) {
		for ; at[stage] < len(orders[stage]); at[stage]++ {
			a := orders[stage][at[stage]]
			needs := handover{a.pass, int(a.micro), stage}
			if s := from(needs); s >= 0 && s < p && needs != got {
				return
			}
			if to := stage + 1 - 2*int(a.pass); to >= 0 && to < p {
				ready[handover{a.pass, int(a.micro), to}] = now
			}
		}
	}
	for stage := range p {
		run(stage, 0, handover{to: -1})
	}
	end := 0.0
	for len(ready) > 0 {
		var next handover
		first := math.Inf(1)
		for h, since := range ready {
			begin := max(since, port[h.to], port[from(h)])
			a := orders[h.to][at[h.to]]
			if a.pass != h.pass || int(a.micro) != h.micro || begin > first {
				continue
			}
			if begin < first || h.pass > next.pass || h.pass == next.pass && h.micro < next.micro {
				next, first = h, begin
			}
		}
		delete(ready, next)
		end = first + 1
		port[next.to], port[from(next)] = end, end
		run(next.to, end, next)
	}
	return end
}

// TestLiveLayerCounted: a stage holds a layer that is computed again as far as it has one; its inputs, two bytes an
// element, wait for each microbatch.
func TestLiveLayerCounted(t *testing.T) {
	j := newJob(t, "llama3.8b", "gpu.h100", "megatron", 8, 64, 4096)
	p, c, _ := laidOut(t, j, Plan{PP: 8, Micro: 1, Recompute: RecomputeBlock})
	const inputs = 3 * 2 * 4096 * 4096
	for layers, want := range map[float64]float64{0: 0, 0.5: 0.5*c.live + 0.5*inputs, 2: c.live + 2*inputs} {
		var m Memory
		p.rankMemory(&c, &rank{layers: layers, inFlight: 3}, &m)
		near(t, fmt.Sprint(layers, " layers"), m.Activations, want, 1e-12)
	}
}

// TestHostTrafficHides: what layers keep in the host's memory goes there and back behind all else that takes time.
func TestHostTrafficHides(t *testing.T) {
	j := newJob(t, "llama3.8b", "gpu.h100", "megatron", 8, 64, 4096)
	j.Device.Host = 1e9
	p, c, _ := laidOut(t, j, Plan{DP: 8, Micro: 1, Recompute: RecomputeOffload})
	all := 2 * c.away * c.stage.pace / 1e9
	near(t, "nothing else", p.hostTraffic(&c, &Time{}), all, 1e-12)
	hidden := Time{Matmul: 0.1, Attention: 0.2, Elementwise: 0.05, Logits: 0.03, Host: 0.02}
	near(t, "0.4 s of other work", p.hostTraffic(&c, &hidden), all-0.4, 1e-12)
}

// TestLossBesideGathersCounted: of stages with three layers and one, the last has two layers less to gather and as
// large a table, so that less of its loss is longer than the first.
func TestLossBesideGathersCounted(t *testing.T) {
	at := func(zero int) Time {
		j := roundDense(4, 8)
		words := *j.Model
		words.Vocab, j.Model = 400_000, &words
		j.Device.Fast = 1e11
		_, _, estimate := laidOut(t, j, Plan{DP: 2, PP: 2, Zero: zero, Last: 1})
		return estimate.Time
	}
	whole, x := at(1), at(3)
	if x.Gather == 0 || x.Logits == 0 {
		t.Fatal("nothing to hold against")
	}
	const fast = 1e11 * 0.75
	const layer = 2*(2*handDense/2/fast+handNear) + 0.4*3/4*(4*handDense/2/fast+handNear)
	hides := 0.4 * (x.Matmul + x.Attention + x.Elementwise)
	handCount{"loss", x.Logits, whole.Logits - 2*layer + hides*2/3,
		"less two layers' weights, twice, as far as they show, and 0.4 of gradients of three of four micro-batches"}.check(t)
}
