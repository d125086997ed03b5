package training

import (
	"math"
	"strings"
	"testing"
)

// contextTimes is what a layer's traffic of context parallelism shows by each way, latencies aside, on cp of 8 GPUs
// that a node joins.
func contextTimes(t *testing.T, model string, tp, cp int) (times [contexts]float64) {
	t.Helper()
	j := newJob(t, model, "gpu.h100", "megatron", tp*cp, 1, 1<<20)
	stack := *j.Stack
	stack.ShowCP, stack.FastLatency, stack.SlowLatency = 1, 0, 0
	j.Stack = &stack
	p := NewPricer(j)
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
func TestWaysOfContext(t *testing.T) {
	for _, c := range []struct {
		model  string
		n, k   float64 // heads of queries, and of keys and values
		tp, cp int
	}{
		{"llama2.7b", 32, 32, 1, 8}, {"llama2.7b", 32, 32, 2, 4}, {"llama3.70b", 64, 8, 1, 8}, {"llama3.70b", 64, 8, 1, 2},
		{"llama3.70b", 64, 8, 2, 4}, {"llama3.70b", 64, 8, 4, 2},
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
	p := NewPricer(j)
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
	p := NewPricer(newJob(t, "llama3.8b", "gpu.h100", "megatron", 128, 16, 1<<17))
	plan := Plan{DP: 1, TP: 2, CP: 64, Zero: 1, Context: UlyssesContext}
	if err := p.Legal(plan); err == nil || !strings.Contains(err.Error(), "32 heads") {
		t.Errorf("64 ranks share 16 heads: %v", err)
	}
	if one := (Plan{Context: UlyssesContext}).filled(); one.Context != RingContext {
		t.Error("one rank exchanges heads with itself")
	}
	plan = Plan{DP: 2, TP: 2, CP: 32, Zero: 1}
	ring := p.Price(plan).Memory.Activations
	plan.Context = GatherContext
	held := 2.0 * (1 << 17) * 8 * 2 * 128 / 2 // keys and values of a layer in bf16, on two ranks
	if more := p.Price(plan).Memory.Activations - ring; math.Abs(more/held-1) > 1e-9 {
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
