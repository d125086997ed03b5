package training

import "testing"

// TestSumsFillNoPipeline: gradients that are sharded are added up after each microbatch but the last, which the step
// waits for at its end. The stage before goes on meanwhile: the bubble is as long as without them.
func TestSumsFillNoPipeline(t *testing.T) {
	for _, schedule := range []Schedule{OneFOneB, ZBH1} {
		stack := *roundStack()
		stack.ShowGather, stack.ShowDP = 1, 1
		j := roundDense(8, 16)
		j.Stack = &stack
		p, c, two := laidOut(t, j, Plan{DP: 4, PP: 2, Zero: 2, Schedule: schedule})
		_, _, one := laidOut(t, j, Plan{DP: 4, PP: 2, Zero: 1, Schedule: schedule})
		_, sums := p.shares(&c, c.stage.pace, p.paceTable(&c))
		last, tail := one.Time, p.takes(p.reductions(&c, 2, handTable)[0])+p.takes(p.reductions(&c, 2, handTable)[2])
		checkCounted(t, []handCount{
			{"bubble", two.Time.Bubble, one.Time.Bubble, "nobody waits for sums"},
			{"sums of the first stage", sums, tail, "two layers and a table, of both stages"},
			{"what shows of them", 4 * (two.Time.Gather + two.Time.Logits), 4*last.Logits + 3*sums,
				"after three of four microbatches"},
		})
	}
}

// TestOffloadWaitsForUpdates: what comes from the host's memory is updated as fast as what stays, if the link is fast;
// else state of 12 bytes crosses it twice.
func TestOffloadWaitsForUpdates(t *testing.T) {
	j := roundDense(8, 8)
	const n = 4*handDense + 2*handTable
	j.Device.Host = 1e30
	_, _, stays := laidOut(t, j, Plan{DP: 8, Zero: 1})
	_, _, fast := laidOut(t, j, Plan{DP: 8, Zero: 1, Offload: true})
	j.Device.Host = 1e9
	_, _, slow := laidOut(t, j, Plan{DP: 8, Zero: 1, Offload: true})
	checkCounted(t, []handCount{
		{"a fast link", fast.Time.Optimizer, stays.Time.Optimizer, "the update itself"},
		{"a slow link", slow.Time.Optimizer, n / 8 * 2 * (4 + 8) / 1e9, "an eighth, there and back"},
	})
}

// TestHiddenOnce: while tokens travel to experts behind all that a layer computes, nothing is left to hide gathers.
func TestHiddenOnce(t *testing.T) {
	stack := *roundStack()
	stack.ShowGather, stack.ShowEP = 0, 0
	j := roundExperts(8, 8)
	j.Stack = &stack
	for _, wires := range []float64{1e-3, 1} {
		j := j
		j.Device.Fast, j.Device.Slow = j.Device.Fast*wires, j.Device.Slow*wires
		p, c, e := laidOut(t, j, Plan{DP: 8, EP: 4, Zero: 3})
		x := &e.Time
		computes, sent := x.Matmul+x.Attention+x.Elementwise+x.Host, p.allToAlls(&c)
		gathers, _ := p.shares(&c, c.stage.pace, p.paceTable(&c))
		idle := computes - (sent - x.EP)
		handCount{"gathers", x.Gather, gathers - min(idle, gathers), "what tokens leave hides them"}.check(t)
		if wires < 1 && idle > x.Host*(1+1e-9) { // of no layer's own work
			t.Errorf("tokens take %v s, and hide behind %v s of %v", sent, sent-x.EP, computes)
		}
	}
}

// TestScoresAgainCounted: a layer whose scores are computed again has them while it is at it: 5 bytes for each of 8
// heads and each pair of 2000 tokens, on two ranks.
func TestScoresAgainCounted(t *testing.T) {
	j := roundDense(2, 2)
	j.Scores = true
	_, c, _ := laidOut(t, j, Plan{TP: 2, Recompute: RecomputeAttention})
	handCount{"scores", c.live, 5 * 8 * 2000 * 2000 / 2, "of the layer under way"}.check(t)
}
