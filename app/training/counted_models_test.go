package training

import (
	"testing"

	"github.com/scalebook/scalebook/app/model"
)

// Terms of layers that the two models of counted_test.go don't have: latents, states, convolutions, adapters, and what
// of traffic a reader is shown.

// TestLatentsCounted: latent attention of 8 heads of 125 = 100 + 25 (queries and keys) and 125 (values), queries from a
// latent of 300, keys and values from one of 200; a rotary key of 25 that all heads share.
func TestLatentsCounted(t *testing.T) {
	j := roundJob(model.Model{FFWidth: 3000, MLA: model.MLA{QRank: 300, KVRank: 200, NopeSize: 100, RopeSize: 25,
		ValueSize: 125}}, 2, 2)
	const (
		lifts = 300.0*1000 + 200*8*(100+125) // latents to queries, to keys and to values
		// down to both latents and the rotary key, up again, output; norms of both latents and as in other layers
		dense = 1000.0*300 + 1000*(200+25) + lifts + 1000*1000 + 300 + 200 + 3*1000*3000 + 2*1000 + 250
	)
	p, c, _ := laidOut(t, j, Plan{DP: 2, Recompute: RecomputeLatents})
	q, whole, _ := laidOut(t, j, Plan{DP: 2})
	checkCounted(t, []handCount{
		{"weights of a layer", p.shape.dense, dense, "the matrices above"},
		{"matmuls", p.matmulPasses(&c), 3 + lifts/dense, "what latents are made into is computed once more"},
		{"elements", p.elements(&c), 3*(1000+1000+3000) + 1000, "the queries once more"},
		{"elements otherwise", q.elements(&whole), 3 * (1000 + 1000 + 3000),
			"width, queries, hidden width in each pass"},
		{"kept", c.kept / 2000, 8*1000 + 2*1000 + 2*(300+200+25) + 6*3000,
			"8 bytes a width, 2 of attention's output, 2 of the latents, 6 of the hidden width"},
		{"kept otherwise", whole.kept / 2000, 8*1000 + 2*(1000+8*250+525+1000) + 6*3000,
			"queries, keys and values of 8 heads, latents, output"},
	})
}

// TestWholeNormsCounted: where tokens aren't split over tensor parallelism, both ranks pass over the whole width.
func TestWholeNormsCounted(t *testing.T) {
	j := roundDense(2, 2)
	j.Stack.NormsSplit = 0
	p, c, _ := laidOut(t, j, Plan{TP: 2})
	checkCounted(t, []handCount{
		{"elements", p.elements(&c), 3 * (2*1000 + 1000 + 3000), "the width on each of two ranks"},
		{"gathers", p.tensorGathers(&c), 8, "an all-reduce a pass in each of two blocks, which is two of them"},
	})
}

// TestExpertsAgainCounted: of four layers three have experts, of which a token takes two of 500; the busiest rank has a
// quarter more.
func TestExpertsAgainCounted(t *testing.T) {
	p, c, _ := laidOut(t, roundExperts(8, 8), Plan{DP: 8, EP: 4, Recompute: RecomputeExperts})
	const hidden, routed = (4000 + 3*800.0) / 4, 0.75 * 2 * 500 * 1.25
	checkCounted(t, []handCount{
		{"elements", p.elements(&c), 3*(1000+1000+hidden+routed) + routed, "what is inside experts once more"},
		{"logits in layers", p.logits, handTable / (handShared + 0.75*2*3*1000*500),
			"the table over what a token meets in a layer, two experts in three of four"},
		{"inputs", p.expertInputs(&c), 0.75 * 2 * 1000 * 1.25, "the width for each of two"},
		{"kept of experts", p.keptRouted(0), 2 + 4, "what goes in, 2 bytes, and what comes out, 4"},
	})
}

// TestDeltaCounted: the delta rule with 4 heads of keys of 50, 8 of values of 50, in chunks of 64 tokens, behind a
// convolution over queries, keys and values.
func TestDeltaCounted(t *testing.T) {
	j := roundJob(model.Model{FFWidth: 3000, Linear: model.Linear{Kind: model.GatedDelta, KeyHeads: 4, Heads: 8,
		KeySize: 50, ValueSize: 50, Conv: 4}}, 2, 2)
	z := NewEstimator(j).shape
	s := z.scan
	const channels, state = 200 + 200 + 400, 400 * 50.0
	checkCounted(t, []handCount{
		{"FLOPs", s.flops, 2*2*64*(200+400) + 2*3*state,
			"two products of a chunk's 64 tokens with keys and values, three with the state"},
		{"bytes", s.bytes, 2*(2*channels+2*channels+4*400) + 4*4*state/64,
			"channels through two kernels and values 4 times in 2 bytes; states of chunks 4 times in 4"},
		{"whole sides", z.full, 2*1000 + 2*1000, "the width into and out of the layer, and of its MLP"},
		{"split sides", z.split, 2*200 + 2*400 + 2*8 + channels + 3*3000,
			"queries, keys, values and gate, two rates a head, the convolution; three of the MLP"},
		{"kept", s.kept, 2*channels + 2*400, "before and after the convolution, the gate, the output"},
	})
	j = roundJob(model.Model{FFWidth: 3000, Linear: model.Linear{Kind: model.ShortConv, Conv: 3}}, 2, 2)
	s = NewEstimator(j).shape.scan
	checkCounted(t, []handCount{
		{"bytes of a convolution", s.bytes, 2 * 2 * 1000, "2 bytes of each channel, read and written"},
		{"kept of a convolution", s.kept, 1000, "its input"},
		{"FLOPs of a convolution", s.flops, 0, "none beside its matrices"},
	})
}

// TestAdaptersExchanged: two replicas add up the gradients of their adapters, and those of the table that learns.
func TestAdaptersExchanged(t *testing.T) {
	j := roundDense(2, 2)
	j.Frozen = true
	j.Learn = Learn{Rank: 4, Targets: TargetQ | TargetDown, Weight: 2, Grad: 4, Moments: 8, Saved: TargetHead}
	_, _, estimate := laidOut(t, j, Plan{DP: 2})
	const adapters = 4 * 4 * (1000 + 1000 + 3000 + 1000.0) // layers x rank x sides: queries, and out of the MLP
	checkCounted(t, []handCount{
		{"gradients", estimate.Time.DP, 0.9 * 2 * (4*(adapters+handTable)/2/handFast + handNear),
			"4 bytes each, scattered and gathered"},
		{"weights of adapters", estimate.Memory.Moments, 8 * (adapters + handTable), "8 bytes of moments each"},
	})
}

// TestShownBytes: what a reader is told that a rank sends of a layer each time, and how often.
func TestShownBytes(t *testing.T) {
	at := func(x Context) (bytes, times, shown float64) {
		p, c, _ := laidOut(t, roundDense(4, 2), Plan{CP: 2, TP: 2, Context: x})
		return p.contextBytes(&c)
	}
	ring, rounds, shown := at(RingContext)
	gather, gathers, all := at(GatherContext)
	swap, swaps, exposed := at(UlyssesContext)
	const keys = 2 * 2000 * 500.0 / 2 / 2 // 2 bytes x tokens of a sequence x widths over 2 ways; half comes from others
	checkCounted(t, []handCount{
		{"ring", ring, keys, "keys and values of the other half"},
		{"rounds", rounds, 3, "forward, backward, and their gradients"},
		{"shown of a ring", shown, 0.25, "the software's share"},
		{"gather", gather, keys, "the same"},
		{"gathers", gathers, 3, "the same"},
		{"shown of a gather", all, 1, "nothing hides it"},
		{"exchange", swap, 2 * 1000 * (1000 + 2*500 + 1000) / 2 / 2.0, "half of queries, keys, values and outputs"},
		{"exchanges", swaps, 2, "forward and backward"},
		{"shown of exchanges", exposed, 1, "nothing hides it"},
	})
	p, c, _ := laidOut(t, roundExperts(8, 8), Plan{DP: 8, EP: 4})
	// of four ranks two choices meet 1.75, a quarter of which are the rank's own
	handCount{"to experts", p.dispatched(&c), 2 * 2000 * 1000 * 0.75 * 1.25 * 1.75 * 3 / 4, "a copy each"}.check(t)
}

// TestNarrowGathersCounted: eight replicas with weights of 4 bytes that layers use in 2, gradients sharded: a shard in
// full width, and all as layers use them.
func TestNarrowGathersCounted(t *testing.T) {
	j := roundDense(8, 8)
	j.Recipe.Weight, j.Recipe.Gather, j.Recipe.Master = 4, 2, 0
	_, _, estimate := laidOut(t, j, Plan{DP: 8, Zero: 2})
	const n = 4*handDense + 2*handTable
	handCount{"weights", estimate.Memory.Weights, 4*n/8 + 2*n, "4 bytes of an eighth, 2 of all"}.check(t)
}

// TestGatheredInputsKept: pipelines of more than two stages keep what tensor parallelism gathered up to two domains of
// four, and on fewer nodes than make hand-overs slow.
func TestGatheredInputsKept(t *testing.T) {
	j := roundDense(64, 64)
	j.Stack.CrowdNodes = 64
	p := NewEstimator(j)
	for _, c := range []struct {
		tp, pp, domains float64
		kept            bool
	}{{8, 4, 8, true}, {16, 4, 16, false}, {8, 4, 64, false}, {8, 2, 8, false}, {16, 1, 16, true}, {1, 4, 8, false}} {
		if got := p.keepsGathered(&layout{tp: c.tp, pp: c.pp, domains: c.domains}); got != c.kept {
			t.Errorf("tp %v, pp %v, %v domains: kept is %v", c.tp, c.pp, c.domains, got)
		}
	}
}

// TestFactoredMomentsCounted: in place of a second moment of each weight, a number of 4 bytes for each row and column.
func TestFactoredMomentsCounted(t *testing.T) {
	o := Optimizer{Numbers: 1, Table: 2, Factored: true}
	layer, table := o.momentBytes(2, 1000*3000, 1000+3000)
	checkCounted(t, []handCount{
		{"of a layer", layer, 2 + 4*4000.0/3e6, "one of 2 bytes, and 4000 of 4 bytes over 3 million weights"},
		{"of a table", table, 2 * 2, "two of 2 bytes"},
	})
	o.Bytes = 1
	layer, _ = o.momentBytes(2, 1000*3000, 1000+3000)
	handCount{"in a byte", layer, 1 + 4*4000.0/3e6, "the optimizer's own width"}.check(t)
}

// TestPagedCounted: moments beyond what the memory holds wait in the host's, and come and go over its link in a step.
func TestPagedCounted(t *testing.T) {
	j := roundDense(2, 2)
	_, _, whole := laidOut(t, j, Plan{DP: 2})
	const away = 1e8
	j.Optimizer.Paged = true
	j.Device.Memory += whole.Memory.Total() - away - AfterContext(j.Device.Memory)
	_, _, estimate := laidOut(t, j, Plan{DP: 2})
	checkCounted(t, []handCount{
		{"paged", estimate.Memory.Paged, away, "what doesn't fit"},
		{"moments here", estimate.Memory.Moments, 8*(4*handDense+2*handTable) - away, "the rest of 8 bytes each"},
		{"optimizer", estimate.Time.Optimizer, whole.Time.Optimizer + 2*away/2e10, "there and back"},
	})
}

// TestLastLayersCounted: of four layers the last one learns: all run forward, and it runs backward, twice as long.
func TestLastLayersCounted(t *testing.T) {
	j := roundDense(2, 2)
	whole := NewEstimator(j).flops
	j.Learn.Layers = 1
	p, c, _ := laidOut(t, j, Plan{DP: 2})
	checkCounted(t, []handCount{
		{"passes", p.passes(&c), 1 + 2.0/4, "one forward, a quarter of two backward"},
		{"FLOPs", p.flops, whole * (1 + 2.0/4) / 3, "of three passes' worth"},
	})
}
