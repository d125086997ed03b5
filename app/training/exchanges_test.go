package training

import (
	"math"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/hardware"
)

// TestExchangesAddUp: what shows of the exchanges of a plan is what its estimate says, part by part.
func TestExchangesAddUp(t *testing.T) {
	for _, c := range []struct {
		model, device, stack string
		plan                 Plan
	}{
		{"llama3.70b", "gpu.h100", "megatron", Plan{DP: 8, TP: 8, PP: 2, CP: 4, Zero: 1, Virtual: 2}},
		{"llama3.70b", "gpu.h100", "megatron", Plan{DP: 64, TP: 8, Zero: 3}},
		{"llama3.70b", "gpu.h100", "megatron", Plan{DP: 64, TP: 8, Zero: 2, Shard: 8}},
		{"llama3.70b", "gpu.h100", "nanotron", Plan{DP: 32, TP: 8, PP: 2}},
		{"mixtral.8x7b", "gpu.h100", "megatron", Plan{DP: 64, TP: 2, PP: 4, EP: 8, Zero: 1}},
		{"deepseek.v3", "gpu.h100", "fsdp", Plan{DP: 512, EP: 64, Zero: 3}},
		{"deepseek.v3", "gpu.h100", "megatron", Plan{DP: 128, CP: 4, EP: 16, Zero: 3, Shard: 128,
			Context: UlyssesContext}},
		{"llama3.8b", "tpu.v5p", "xla", Plan{DP: 128, TP: 4, Zero: 3}},
	} {
		p := NewEstimator(newJob(t, c.model, c.device, c.stack, 512, 1024, 8192))
		if err := p.Legal(c.plan); err != nil {
			t.Fatalf("%s, %v: %v", c.model, c.plan, err)
		}
		estimate := p.Estimate(c.plan.filled())
		sums := map[string]float64{}
		for _, e := range p.Exchanges(&estimate) {
			sums[estimate.Time.Parts()[e.Part].Name] += e.Shown
			if !(e.Time > 0 && e.Times > 0 && e.Bytes > 0 && e.Ranks > 1 && e.Shown <= e.Time+1e-9) ||
				e.Ranks*e.Stride > 512 {
				t.Errorf("%s, %v: %+v", c.model, c.plan, e)
			}
		}
		for _, part := range estimate.Time.Parts() {
			got, is := sums[part.Name]
			late := p.job.Stack.Bucket // of buckets, which no exchange takes
			if is && math.Abs(got-part.Value) > 1e-9*part.Value &&
				(late == 0 || part.Name != "gradients between replicas") {
				t.Errorf("%s, %v: %s shows %v s, the exchanges %v", c.model, c.plan, part.Name, part.Value, got)
			}
			delete(sums, part.Name)
		}
		if len(sums) > 0 {
			t.Errorf("%s, %v: no part has %v", c.model, c.plan, sums)
		}
	}
}

// TestExpertsGatherOverOnePort: replicas of an expert stand EP ranks apart, so that a node of eight has one of each and
// one port carries its weights. Of DeepSeek-V3 on 2,048 H800s in two stages with 16 ranks of experts, a rank holds
// 58/61 of 31 layers of 16 experts of 3 x 7168 x 2048 weights in bf16: two gathers a layer for each of 15 microbatches,
// on a ring through 64 x 16 / 8 = 128 nodes, which has 127 steps.
func TestExpertsGatherOverOnePort(t *testing.T) {
	j := newJob(t, "deepseek.v3", "gpu.h800", "megatron", 2048, 15360, 4096)
	p := NewEstimator(j)
	plan := Plan{DP: 1024, PP: 2, EP: 16, Zero: 3}.filled()
	estimate := p.Estimate(plan)
	const weights = 58. / 61 * 16 * 3 * 7168 * 2048 // of a layer; 31 of them on the first stage
	port := j.Device.Slow * j.Stack.SlowWire
	for _, e := range p.Exchanges(&estimate) {
		if e.What == "training.sends-weights" && e.Group == "expert DP" {
			near(t, "experts' gathers by hand", e.Time, 15*2*31*(2*weights*63/64/port+127*j.Stack.SlowLatency), 1e-9)
			if e.Ranks != 64 || e.Stride != 16 || e.Inside {
				t.Errorf("%+v", e)
			}
			near(t, "bandwidth", e.Bandwidth, port, 1e-9)
			return
		}
	}
	t.Error("nothing gathers experts")
}

// TestShardedGradients: either sharded gradients are added up after each microbatch, or they stay whole: a plan never
// has the memory of one and the traffic of the other.
func TestShardedGradients(t *testing.T) {
	for _, stack := range []string{"megatron", "fsdp", "xla"} {
		for _, pp := range []int{1, 2} {
			for zero := 1; zero <= 3; zero++ {
				j := newJob(t, "llama3.8b", "gpu.h100", stack, 64, 64*8, 4096)
				p := NewEstimator(j)
				estimate := p.Estimate(Plan{DP: 64 / pp, PP: pp, Zero: zero})
				reduced := 0.0
				for _, e := range p.Exchanges(&estimate) {
					switch {
					case e.Group != "DP":
					case e.What == "training.sends-each": // layer by layer
						reduced += e.Times / float64(32/pp)
					case e.What == "training.sends-gradients":
						reduced += e.Times
					}
				}
				whole := estimate.Memory.Grads > j.Model.Total()/float64(pp)/2*4
				m := estimate.Time.MicroBatches
				if whole && reduced != 1 || !whole && reduced != m {
					t.Errorf("%s, PP %d, ZeRO-%d: whole %v, gradients are added up %v times for %v microbatches", stack,
						pp, zero, whole, reduced, m)
				}
			}
		}
	}
}

// contextTimes is what a layer's traffic of context parallelism shows by each way, latencies aside, on cp of 8 GPUs
// that a node joins.
func contextTimes(t *testing.T, model string, tp, cp int) (times [contexts]float64) {
	t.Helper()
	j := newJob(t, model, "gpu.h100", "megatron", tp*cp, 1, 1<<20)
	stack := *j.Stack
	stack.ShowCP, stack.FastLatency, stack.SlowLatency = 1, 0, 0
	j.Stack = &stack
	p := NewEstimator(j)
	for x := range contexts {
		plan := Plan{DP: 1, TP: tp, CP: cp, Context: x}.filled()
		if err := p.Legal(plan); err != nil {
			t.Fatal(err)
		}
		c := p.layout(&plan)
		times[x] = p.contextTime(&c)
	}
	return times
}

// Where nothing of a ring is hidden it takes as long as a gather. Ulysses exchanges 2N + 2K heads of a share of the
// tokens twice, where keys and values, 2K heads of all tokens, go around three times.
func TestKindsOfContextParallelism(t *testing.T) {
	for _, c := range []struct {
		model  string
		n, k   float64 // heads of queries, and of keys and values
		tp, cp int
	}{
		{"llama2.7b", 32, 32, 1, 8}, {"llama2.7b", 32, 32, 2, 4}, {"llama3.70b", 64, 8, 1, 8},
		{"llama3.70b", 64, 8, 1, 2}, {"llama3.70b", 64, 8, 2, 4}, {"llama3.70b", 64, 8, 4, 2},
	} {
		got := contextTimes(t, c.model, c.tp, c.cp)
		if got[RingContext] != got[GatherContext] {
			t.Errorf("%+v: a ring in the open takes %v s, a gather %v", c, got[RingContext], got[GatherContext])
		}
		copies := max(1, float64(c.cp)*float64(c.tp)/c.k) // of heads of keys, of which each rank needs a whole one
		want := 2 * (2*c.n + 2*c.k*copies) / (3 * 2 * c.k * float64(c.cp))
		if ratio := got[UlyssesContext] / got[GatherContext]; math.Abs(ratio/want-1) > 1e-9 {
			t.Errorf("%+v: Ulysses takes %v of a gather, want %v", c, ratio, want)
		}
	}
}

// Across nodes a rank's exchange goes through its own port, as far as it leaves the node.
func TestExchangeBetweenNodes(t *testing.T) {
	j := newJob(t, "llama3.70b", "gpu.h100", "megatron", 16, 1, 1<<20)
	p := NewEstimator(j)
	const bytes = 1e12
	want := bytes * 8 / 16 / (p.job.Device.Slow * j.Stack.SlowWire)
	if got := p.exchange(bytes, 16, 1); math.Abs(got/want-1) > 1e-3 {
		t.Errorf("16 ranks on two nodes take %v s, want %v", got, want)
	}
	if inside := p.exchange(bytes, 8, 1); inside >= want {
		t.Errorf("inside a node %v s, between nodes %v", inside, want)
	}
}

// Ulysses needs whole heads; a plan on one rank of context has nothing to choose; a gather holds a layer's keys.
func TestContextPlans(t *testing.T) {
	p := NewEstimator(newJob(t, "llama3.8b", "gpu.h100", "megatron", 128, 16, 1<<17))
	plan := Plan{DP: 1, TP: 2, CP: 64, Zero: 1, Context: UlyssesContext}
	if err := p.Legal(plan); err == nil || !strings.Contains(err.Error(), "32 heads") {
		t.Errorf("64 ranks share 16 heads: %v", err)
	}
	if one := (Plan{Context: UlyssesContext}).filled(); one.Context != RingContext {
		t.Error("one rank exchanges heads with itself")
	}
	plan = Plan{DP: 2, TP: 2, CP: 32, Zero: 1}
	ring := p.Estimate(plan).Memory.Activations
	plan.Context = GatherContext
	held := 2.0 * (1 << 17) * 8 * 2 * 128 / 2 // keys and values of a layer in bf16, on two ranks
	if more := p.Estimate(plan).Memory.Activations - ring; math.Abs(more/held-1) > 1e-9 {
		t.Errorf("a gather holds %v bytes more than a ring, want %v", more, held)
	}
}

// Flags that name no way mean their tool's own: Megatron-LM's is a ring, TorchTitan's and MaxText's a gather.
func TestContextOfFlags(t *testing.T) {
	for flags, want := range map[string]Context{
		"--context-parallel-size 4":                                                                     RingContext,
		"--context-parallel-size 4 --cp-comm-type a2a":                                                  UlyssesContext,
		"--cp-comm-type all_gather --context-parallel-size 4":                                           GatherContext,
		"--parallelism.context_parallel_degree=4":                                                       GatherContext,
		"--parallelism.context_parallel_rotate_method=alltoall --parallelism.context_parallel_degree=4": RingContext,
		"ici_context_parallelism=4":                                                                     GatherContext,
		"ici_context_parallelism=4 context_parallel_strategy=ulysses":                                   UlyssesContext,
	} {
		got, err := ReadFlags(flags, 8)
		if err != nil || got.Plan.Context != want || got.Plan.CP != 4 || len(got.Aside) > 0 {
			t.Errorf("%s: %v, %v, aside %v; want %v", flags, got.Plan, err, got.Aside, want)
		}
	}
}

// ratios are how long a microbatch takes forward, backward to the gradients of activations, and for those of weights:
// alike; with attention; computed again; of long sequences; and where weights don't learn.
var ratios = [][3]float64{{1, 1, 1}, {1, 1.3, 0.8}, {1, 2, 1}, {1, 2.2, 0.4}, {1.1, 1, 0.9}, {1, 1, 0}}

// everyPipe calls yield with all small pipelines.
func everyPipe(yield func(q pipe)) {
	for s := OneFOneB; s < schedules; s++ {
		for p := 2; p <= 7; p++ {
			for m := 1; m <= 6*p; m++ {
				for v := 1; v <= 3; v++ {
					if s.takes(p, m) && (v == 1) == (s != Interleaved) {
						yield(newPipe(s, p, v, m))
					}
				}
			}
		}
	}
}

// timeOf is how long a pipeline takes as it is estimated.
func timeOf(t *plays, q pipe, r [3]float64) float64 {
	all := r[0] + r[1] + r[2]
	even := layout{schedule: q.Schedule, pp: float64(q.ranks), v: float64(q.chunks), m: float64(q.micros),
		stage: split(float64(q.ranks*q.chunks), 0, q.ranks, ends{}, false)}
	if waits, ok := even.closed(r[0] / all); ok {
		return (float64(q.micros) + waits/even.stage.work) * all
	}
	return t.span(q, r[0]/all, r[2]/all) * all
}

// TestCausality: no pipeline is faster than its first rank can be, which waits for the first microbatch to come back,
// nor than one microbatch on its way through all stages and back. Chunks let the first rank begin backward earlier.
func TestCausality(t *testing.T) {
	plays := newPlays()
	everyPipe(func(q pipe) {
		for _, r := range ratios {
			p, m := float64(q.ranks), float64(q.micros)
			f, b, w := r[0], r[1], r[2]
			if !q.split() {
				b, w = b+w, 0
			}
			got := timeOf(plays, q, r)
			back := (p - 1) * b
			if q.Schedule == Interleaved {
				back /= float64(q.chunks)
			}
			if least := max(0, p*f+back-m*f) + m*(f+b+w); got < least-1e-9 {
				t.Errorf("%+v, %v: %v, and the first rank takes %v", q, r, got, least)
			}
			if least := p * (f + b); got < least-1e-9 {
				t.Errorf("%+v, %v: %v, and a microbatch takes %v", q, r, got, least)
			}
		}
	})
}

// TestMoreMicrobatchesTakeLonger: at least as long as a rank computes, even where the schedule is full.
func TestMoreMicrobatchesTakeLonger(t *testing.T) {
	plays := newPlays()
	everyPipe(func(q pipe) {
		for _, r := range ratios {
			more := q
			for more.micros++; !more.takes(more.ranks, more.micros); more.micros++ {
			}
			before, after := timeOf(plays, q, r), timeOf(plays, more, r)
			if after <= before {
				t.Errorf("%+v, %v: %v, one microbatch more takes %v", q, r, before, after)
			}
		}
	})
}

// TestClosedForms: the laws of the papers, of passes that take the same time, where they hold: 1F1B (p-1)(F+B),
// interleaved that over v; ZB-H1 (p-1)(F+B-W) from as many microbatches as stages; ZB-H2 and ZB-V none from 2p-1 on;
// DualPipe (p/2-1)(F&B + B - 3W), F&B being both one after the other. Of V-Half and V-Min the papers say that their
// bubbles are about 1/2 and 2/3 of 1F1B's; played, V-Half's is (3p - 4)/2 of an even p, and V-Min's within two slots.
func TestClosedForms(t *testing.T) {
	plays := newPlays()
	everyPipe(func(q pipe) {
		p, m := float64(q.ranks), float64(q.micros)
		law, within, holds := 0.0, 1e-9, true
		switch q.Schedule {
		case GPipe, OneFOneB:
			law = 3 * (p - 1)
		case Interleaved:
			law = 3 * (p - 1) / float64(q.chunks)
		case ZBH1:
			law, holds = p-1, m >= p
		case ZBH2, ZBV:
			holds = m >= 2*p-1
		case VHalf:
			law, holds = (3*p-4)/2, q.ranks%2 == 0 && m >= p
		case VMin:
			law, within, holds = 2*(p-1), 2, m >= p
		case DualPipe:
			law = p - 2
		}
		if got := timeOf(plays, q, ratios[0]) - 3*m; holds && math.Abs(got-law) > within {
			t.Errorf("%+v: a bubble of %v, the law says %v", q, got, law)
		}
	})
}

// ZB-H1's law holds of all ratios.
func TestZeroBubbleLaw(t *testing.T) {
	for _, r := range [][3]float64{{1, 1, 1}, {1, 2, 1}, {1, 1.5, 0.5}} {
		q := newPipe(ZBH1, 6, 1, 20)
		want := 20*(r[0]+r[1]+r[2]) + 5*(r[0]+r[1]-r[2])
		near(t, "ZB-H1", timeOf(newPlays(), q, r), want, 1e-9)
	}
}

// TestTimetablesKeepTheOrder: each pass begins when what it needs is done, no stage does two things at once, and all
// that is to be done is done once.
func TestTimetablesKeepTheOrder(t *testing.T) {
	everyPipe(func(q pipe) {
		stages, ok := Timetable(q.Schedule, q.ranks, q.chunks, q.micros, 1, 1.5, 0.75)
		if !ok {
			t.Fatalf("%+v can't be played", q)
		}
		checkTimetable(t, q, stages)
	})
}

func checkTimetable(t *testing.T, q pipe, stages [][]Run) {
	t.Helper()
	done, passes := map[[4]int]float64{}, 0
	for i, runs := range stages {
		for _, r := range runs {
			done[[4]int{i, int(r.Pass), r.Chunk, r.Micro}] = r.Until
			passes++
		}
	}
	want := 2 * q.ranks * q.micros * int(q.parts())
	if q.split() {
		want += want / 2
	}
	if passes != want || len(done) != want {
		t.Errorf("%+v: %d passes, %d of them different, want %d", q, passes, len(done), want)
	}
	joined := q.Schedule == DualPipe // passes that overlap stand one after another in a timetable
	for i, runs := range stages {
		free := 0.0
		for _, r := range runs {
			for _, need := range needs(&q, i, r) {
				at, ok := done[need]
				if r.From < free-1e-9 || !ok || !joined && r.From < at-1e-9 {
					t.Errorf("%+v: stage %d begins %+v too early", q, i, r)
				}
			}
			free = r.Until
		}
	}
}

// needs are the passes that one needs.
func needs(q *pipe, stage int, r Run) (all [][4]int) {
	own := [4]int{stage, int(Forward), r.Chunk, r.Micro}
	switch r.Pass {
	case Forward:
		if i, k := q.before(stage, r.Chunk); i >= 0 {
			all = append(all, [4]int{i, int(Forward), k, r.Micro})
		}
	case Backward:
		all = append(all, own)
		if i, k := q.after(stage, r.Chunk); i >= 0 {
			all = append(all, [4]int{i, int(Backward), k, r.Micro})
		}
	case Weights:
		own[1] = int(Backward)
		all = append(all, own)
	}
	return all
}

// TestMicrobatchesInFlight: where memory has a closed form, ranks keep as much in what is played; elsewhere what the
// papers say: ZB-H1 and ZB-V as much as 1F1B on each rank, ZB-H2 2p-1, V-Half p/2+1, V-Min p/3+1 and a chunk at most,
// DualPipe p+1. Never more than there are.
func TestMicrobatchesInFlight(t *testing.T) {
	plays := newPlays()
	everyPipe(func(q pipe) {
		p, m := float64(q.ranks), float64(q.micros)
		got := newFlight(q.held(q.orders()))
		if law, ok := q.Schedule.flight(p, float64(q.chunks), m); ok {
			if got != law && (q.ranks > 2 || got.first != law.first || got.last != law.last) {
				t.Errorf("%+v: ranks keep %+v, the law says %+v", q, got, law)
			}
			return
		}
		if table := plays.flight(q); table != got {
			t.Errorf("%+v: ranks keep %+v, the table says %+v", q, got, table)
		}
		most := map[Schedule]float64{ZBH1: p, ZBH2: 2*p - 1, ZBV: p, VHalf: p/2 + 1, VMin: p/3 + 1.5, DualPipe: p + 1}
		if fullest := max(got.first, got.middle, got.last); fullest > min(m, most[q.Schedule])+1e-9 {
			t.Errorf("%+v: a rank keeps %v", q, fullest)
		}
	})
}

// One sequence through four stages can't do without a bubble: the next stage waits for the one before.
func TestOneSequence(t *testing.T) {
	j := newJob(t, "llama3.8b", "gpu.h100", "megatron", 4, 1, 8192)
	p := NewEstimator(j)
	usual := p.Estimate(Plan{PP: 4, Zero: 1}).Time
	one := usual.Step()
	for s := ZBH1; s <= VMin; s++ {
		time := p.Estimate(Plan{PP: 4, Zero: 1, Schedule: s}).Time
		if least := 4 * (time.Passes[Forward] + time.Passes[Backward]); time.Bubble == 0 || time.Step() < least {
			t.Errorf("%s: %v s, one microbatch takes %v", s, time.Step(), least)
		}
		if time.Step() < 0.7*one {
			t.Errorf("%s: %v s, 1F1B takes %v", s, time.Step(), one)
		}
	}
}

// TestLinksOfPairs: an MI300X has seven links of 64 GB/s, one to each other of its node. Two ranks have one for their
// sums and gathers, four have three, eight all. Keys and values that go around a ring, and what stages hand on, go over
// one. Ranks eight apart have their own ports to other nodes.
func TestLinksOfPairs(t *testing.T) {
	for _, c := range []struct {
		plan   Plan
		what   string // of the exchange: by its group
		stride int
		want   float64 // GB/s of links
	}{
		{Plan{DP: 32, TP: 2, Zero: 1}, "TP", 1, 64}, {Plan{DP: 16, TP: 4, Zero: 1}, "TP", 1, 3 * 64},
		{Plan{DP: 8, TP: 8, Zero: 1}, "TP", 1, 7 * 64}, {Plan{DP: 16, CP: 4, Zero: 1}, "CP", 1, 64},
		{Plan{DP: 16, CP: 4, Zero: 1, Context: GatherContext}, "CP", 1, 3 * 64},
	} {
		j := newJob(t, "llama3.8b", "gpu.mi300x", "megatron", 64, 256, 4096)
		p := NewEstimator(j)
		estimate := p.Estimate(c.plan.filled())
		found := false
		for _, e := range p.Exchanges(&estimate) {
			if e.Group == c.what && e.Stride == c.stride {
				near(t, c.plan.String(), e.Bandwidth, c.want*1e9*j.Stack.FastWire, 1e-9)
				found = true
			}
		}
		if !found {
			t.Errorf("%v: no exchange of %s", c.plan, c.what)
		}
	}
	j := newJob(t, "llama3.8b", "gpu.mi300x", "megatron", 8, 256, 4096)
	p, d := NewEstimator(j), &j.Device
	transfer := func(links float64) float64 { return links * 64e9 * j.Stack.FastWire }
	start := j.Stack.FastLatency
	near(t, "to the next", p.takes(exchange{group{2, 4}, 2e9, 1, true}), 1e9/transfer(1)+start, 1e-9)
	near(t, "to the next of four", p.takes(exchange{group{4, 2}, 4e9 / 3, 1, true}), 1e9/transfer(1)+start, 1e-9)
	near(t, "among four", p.takes(exchange{group{4, 2}, 4e9 / 3, 1, false}), 1e9/transfer(3)+start, 1e-9)
	near(t, "swapped by four", p.exchange(4e9/3, 4, 1), 1e9/transfer(3)+start, 1e-9)
	near(t, "to the next of a ring", p.next(group{8, 1}).bandwidth, transfer(1), 1e-9)
	near(t, "ports", p.transfer(16, 8).bandwidth, d.Slow*j.Stack.SlowWire, 1e-9)
	narrow, stack := j, *j.Stack // one link has 0.6 x 64 = 38.4 GB/s, less than a port that a rank has alone, 0.8 x 50
	stack.FastWire, stack.SlowWire, narrow.Stack = 0.6, 0.8, &stack
	n := NewEstimator(narrow)
	near(t, "a port", n.transfer(8, 8).bandwidth, 40e9, 1e-9)
	near(t, "to the next node", n.next(group{2, 8}).bandwidth, 40e9, 1e-9)
	near(t, "two of each node", n.transfer(4, 4).bandwidth, 38.4e9, 1e-9)
	near(t, "around two nodes", n.next(group{4, 4}).bandwidth, 38.4e9, 1e-9)
	d.Mesh = hardware.Mesh{} // on a switch all links count
	near(t, "on a switch", NewEstimator(j).transfer(2, 1).bandwidth, transfer(7), 1e-9)
}
