package training

import (
	"testing"

	"github.com/scalebook/scalebook/app/hardware"
)

// TestDevicesAreWired: links of which nothing is known are not free. Trainium1's are 384 GB/s both ways.
func TestDevicesAreWired(t *testing.T) {
	for _, a := range hardware.Catalog().All {
		if d, err := NewDevice(a); err == nil && !(d.Fast > 0 && d.Slow > 0 && d.Domain > 0) {
			t.Errorf("%s: %v and %v bytes/s, domains of %d", a.ID, d.Fast, d.Slow, d.Domain)
		}
	}
	own := OwnDevice("mine", 1e14, 1e11, 1e12, 0, 25e9, 8)
	if own.Fast != 25e9 || own.Domain != 1 {
		t.Errorf("without links: %+v", own)
	}
	j := newJob(t, "mixtral.8x7b", "npu.trainium1", "megatron", 32, 64, 4096)
	near(t, "links", j.Device.Fast, 384e9/2, 1e-12)
	slow := NewEstimator(j).Estimate(Plan{DP: 8, TP: 4, EP: 8}).Time
	j.Device.Fast *= 2
	if fast := NewEstimator(j).Estimate(Plan{DP: 8, TP: 4, EP: 8}).Time; !(fast.TP < slow.TP) {
		t.Errorf("%v s of tensor parallelism, with twice the links %v", slow.TP, fast.TP)
	}
}

// TestAdaptersAreExchanged: what adapters learn goes between replicas too, and stands in the list of who sends what.
// Rank 8 at queries of width 1000 and their outputs of 1000 has 8 x 2000 weights a layer, of four layers.
func TestAdaptersAreExchanged(t *testing.T) {
	j := roundDense(2, 8)
	var state State
	if _, err := state.ReadTyped("learn=lora rank=8 targets=q", 2); err != nil {
		t.Fatal(err)
	}
	state.Apply(&j)
	p, _, estimate := laidOut(t, j, Plan{DP: 2})
	sent := 0.0
	for _, e := range p.Exchanges(&estimate) {
		sent += e.Bytes * e.Times
	}
	near(t, "bytes", sent, 2*p.sentGrad()*8*2000*4/2, 1e-12) // half goes out to add up, half to tell
}

// TestFrozenKeepCounted: where adapters learn in attention alone, frozen matmuls need no inputs, but attention its
// scores: 5 bytes for each of 8 heads and 2000 tokens. A layer that is computed again has no more than that.
func TestFrozenKeepCounted(t *testing.T) {
	kept := func(scores bool, r Recompute) (kept, live float64) {
		j := roundDense(1, 2)
		j.Frozen, j.Scores = true, scores
		j.Learn = Learn{Rank: 8, Targets: TargetQ, Weight: 2, Grad: 2, Moments: 4}
		_, c, _ := laidOut(t, j, Plan{Recompute: r})
		return c.kept / 2000, c.live / 2000
	}
	fused, _ := kept(false, KeepAll)
	unfused, _ := kept(true, KeepAll)
	near(t, "scores of a token", unfused-fused, 5*8*2000, 1e-12)
	for _, scores := range []bool{false, true} {
		all, _ := kept(scores, KeepAll)
		if _, again := kept(scores, RecomputeBlock); again != all {
			t.Errorf("%v bytes of a layer that is computed again, %v of one that isn't", again, all)
		}
	}
}

// TestFetchHidesGathers: what layers keep in the host's memory takes a second there and back, in which weights are
// gathered as while it computes: twice the arithmetic makes no step longer.
func TestFetchHidesGathers(t *testing.T) {
	j := roundDense(2, 4)
	j.Host.Kept = true
	plan := Plan{DP: 2, Zero: 3}
	_, c, _ := laidOut(t, j, plan)
	j.Device.Host = 2 * c.away * c.stage.pace // takes a second
	p, c, estimate := laidOut(t, j, plan)
	x := estimate.Time
	near(t, "waiting", p.fetched(&c, &Time{}), 1, 1e-12)
	near(t, "a fetch and what computes beside it", x.Host+x.Matmul+x.Attention+x.Elementwise+x.Logits, 1, 1e-12)
	if gathers, _ := p.shares(&c, c.stage.pace, p.paceTable(&c)); gathers == 0 || x.Gather != 0 {
		t.Errorf("%v s of %v s of gathers show beside a second", x.Gather, gathers)
	}
}

// TestLastLayerIsKept: of one microbatch gradients are all there when the backward pass is at its first layer, which
// has kept what it needs and makes what the layer is computed again for: as much with either.
func TestLastLayerIsKept(t *testing.T) {
	j := newJob(t, "llama3.8b", "gpu.h100", "transformers", 1, 1, 128)
	p := NewEstimator(j)
	c := p.layout(&Plan{DP: 1, TP: 1, PP: 1, CP: 1, EP: 1, ETP: 1, Micro: 1})
	e := p.eagerLayer(&c)
	for _, r := range []Recompute{KeepAll, RecomputeBlock} {
		m := p.Estimate(Plan{Recompute: r}).Memory
		near(t, r.String(), m.Activations, (e.saved+e.spare)*128, 1e-12)
		near(t, "gradients", m.Grads, j.Recipe.Grad*(p.shape.layers*p.shape.dense+p.embedOnce()), 1e-12)
	}
}

// TestLastLayersLearnInAPipeline: two of 32 layers learn. For a forward pass of 1 there are gradients of activations of
// 2/32 and of weights of 2/32, 1.125 together; the last of four stages begins when the others are through with theirs.
func TestLastLayersLearnInAPipeline(t *testing.T) {
	j := newJob(t, "llama3.8b", "gpu.h100", "megatron", 4, 16, 4096)
	var s State
	if _, err := s.ReadTyped("layers=2", 4); err != nil {
		t.Fatal(err)
	}
	s.Apply(&j)
	x := NewEstimator(j).Estimate(Plan{DP: 1, TP: 1, PP: 4, CP: 1, EP: 1, ETP: 1, Micro: 1, Schedule: ZBH1}).Time
	f, b, w := x.Passes[Forward], x.Passes[Backward], x.Passes[Weights]
	near(t, "all passes over the forward one", (f+b+w)/f, 1.125, 1e-9)
	if !(w > 0) || w > f/16 || b < f/16 {
		t.Errorf("%v s forward, %v s to gradients of activations, %v s of weights", f, b, w)
	}
	if least := 16*(f+b+w) + 3*f; x.Step() < least {
		t.Errorf("a step of %v s, at least %v s", x.Step(), least)
	}
}

// TestFlatParametersHaveGradients: where FSDP joins frozen weights to adapters, as in PyTorch 2.1 around whole blocks,
// the weights of a rank's shard have gradients of two bytes too, and all weights where gradients wait for the last of
// several micro-batches.
func TestFlatParametersHaveGradients(t *testing.T) {
	grads := func(flat, late bool) float64 {
		j := roundDense(4, 16)
		j.Frozen, j.Flat, j.Late = true, flat, late
		j.Learn = Learn{Rank: 8, Targets: TargetQ, Weight: 2, Grad: 2, Moments: 4}
		_, _, e := laidOut(t, j, Plan{DP: 4, Zero: 3})
		return e.Memory.Grads
	}
	const all = 4*handDense + 2*handTable
	own := grads(false, true)
	near(t, "a shard's", grads(true, false)-own, 2*all/4, 1e-9)
	near(t, "all", grads(true, true)-own, 2*all, 1e-9)
}
