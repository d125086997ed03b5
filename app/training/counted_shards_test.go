package training

import (
	"testing"

	"github.com/scalebook/scalebook/app/model"
)

// TestSplitExpertsCounted: eight devices as DP 4 x TP 2 with four ranks of experts. A microbatch of 2000 tokens is on
// two ranks, 1000 on each, and every rank computes its own: experts take half of what they take on eight without tensor
// parallelism. Where two ranks split each expert, they have 2000 tokens together and half of the width each.
func TestSplitExpertsCounted(t *testing.T) {
	const (
		rows  = 2000 * 2 * 1.25 * 3 / 4 / 2 // of a rank's tokens, on the busiest
		local = handRouted / 4
		flops = 2 * rows * 3 * 1000 * 500 / (handRate * 0.5)
		whole = flops + (2*local+(2+2)*rows*(2*1000+3*500)+4.0/3*2*rows*2*1000)/handStream
		half  = flops + (2*local/2+(2+2)*2*rows*(2*1000+3*250)+4.0/3*2*2*rows*2*1000)/handStream
		bytes = 2 * 1000.0 * 1000 * 1.25 * 3 / 4 // of a rank's tokens
	)
	p, c, _ := laidOut(t, roundExperts(8, 8), Plan{DP: 4, TP: 2, EP: 4})
	q, d, split := laidOut(t, roundExperts(8, 8), Plan{DP: 4, TP: 2, EP: 4, ETP: 2})
	_, e, shared := laidOut(t, roundExperts(8, 8), Plan{DP: 4, TP: 2, ETP: 2})
	checkCounted(t, []handCount{
		{"experts of half the tokens", p.experts(&c, handRate, 2), whole,
			"1000 tokens, two experts each, all their width"},
		{"halves of experts", q.experts(&d, handRate, 2), half, "as many FLOPs; 2000 tokens, a half of the width"},
		{"their inputs", q.expertInputs(&d), 2 * p.expertInputs(&c), "of both ranks' tokens"},
		{"gathered", q.dispatch(&d) - q.sendTokens(&d), bytes*2*2/2/handFast + handNear,
			"two choices of 2000 tokens, a half"},
		{"gathered alone", q.dispatch(&e), 2*2*2*1000*1000*3/4/2/handFast + handNear,
			"all experts are on each two ranks"},
		{"gathered alone, shown", shared.Time.EP, 0.7 * 4 * 4 * (2*2*2*1000*1000*3/4/2/handFast + handNear),
			"there and back, forward and backward, in four layers"},
	})
	if split.Time.EP <= 0 {
		t.Error("split experts gather nothing")
	}
}

// TestExpertWorkIsShared: however experts and tokens are split, all ranks together compute each token's experts once.
func TestExpertWorkIsShared(t *testing.T) {
	for _, plan := range []Plan{{DP: 8}, {DP: 4, TP: 2}, {DP: 4, TP: 2, EP: 8}, {DP: 2, TP: 4, EP: 2, ETP: 4},
		{DP: 4, CP: 2, EP: 4},
		{DP: 2, TP: 2, CP: 2, ETP: 2}, {TP: 8, EP: 2, ETP: 4}} {
		j := roundExperts(8, 8)
		stack := *j.Stack
		stack.Imbalance, stack.Shuffle = 1, 0
		j.Stack = &stack
		j.Device.Stream = 1e30
		p, c, _ := laidOut(t, j, plan)
		const all = 8 * 2000 * 2 * 3. / 4 * 2 * 3 * 1000 * 500 // FLOPs of eight sequences in a mean layer
		got := 8 * p.experts(&c, handRate, 2) * handRate * 0.5 * c.m
		handCount{plan.String(), got, all, "8 x 2000 tokens, 2 experts in 3 of 4 layers, 3 matrices of " +
			"1000 x 500"}.check(t)
	}
}

// TestTablesCounted: ZeRO-3 gathers tables as it does layers. Of eight replicas each gathers four layers and both
// tables twice; of two stages the first has the table of the input. Gathered weights live in the two bytes in which
// they travel, however wide the shards are. A table that input and output share is on the first stage and on the last.
func TestTablesCounted(t *testing.T) {
	j := roundDense(8, 8)
	stack := *j.Stack
	stack.ShowGather = 1
	j.Stack, j.Recipe.Weight, j.Recipe.Master = &stack, 4, 0
	_, _, one := laidOut(t, j, Plan{DP: 8, Zero: 3})
	_, c, two := laidOut(t, j, Plan{DP: 4, PP: 2, Zero: 3})
	const four = 4 * handPort
	tied := roundJob(model.Model{FFWidth: 3000, Tied: true}, 2, 8)
	p, d, _ := laidOut(t, tied, Plan{PP: 2})
	ranks, _ := p.ranks(&d)
	checkCounted(t, []handCount{
		{"one stage", one.Time.Gather, 4*2*(2*handDense*7/8/four+handFar) + 2*(2*2*handTable*7/8/four+handFar),
			"4 layers and 2 tables of 2 bytes, twice"},
		{"two stages", two.Time.Gather, 2*(2*(2*handDense*3/4/handFast+handNear)+
			0.4*(4*handDense*3/4/handFast+handNear)/2) +
			2*(2*handTable*3/4/handFast+handNear) + 0.4*(4*handTable*3/4/handFast+handNear)/2,
			"2 layers and a table, twice, and 0.4 of gradients after one of two micro-batches"},
		{"micro-batches", c.m, 2, "8 sequences over 4 replicas"},
		{"gathered", one.Memory.Gathered, 2*2*handDense + 2*2*handTable, "2 layers at 2 bytes, 2 tables at 2"},
		{"a shared table first", ranks[0].table, handTable, "whole"},
		{"a shared table last", ranks[1].table, handTable, "and again"},
	})
}

// TestCopiesOfShardsSumEach: two nodes of four that each shard all states (HSDP). Software that waits for nothing adds
// up gradients in the node and then between both after each of four microbatches, but the last, which counts once
// either way; what waits does so once a step.
func TestCopiesOfShardsSumEach(t *testing.T) {
	at := func(each float64, late bool) (Estimator, layout, Estimate) {
		stack := *roundStack()
		stack.ShowGather, stack.ShowDP, stack.CopiesEach = 1, 1, each
		j := roundDense(8, 32)
		j.Stack, j.Late = &stack, late
		j.Device.Domain = 4
		p, c, e := laidOut(t, j, Plan{DP: 8, Zero: 3, Shard: 4})
		return *p, c, e
	}
	p, c, each := at(1, false)
	_, _, once := at(0, false)
	_, _, late := at(1, true)
	grad := p.sentGrad()
	sums := 0.0
	for i, e := range p.reductions(&c, 4, 2*handTable) {
		if i >= 3 {
			sums += p.takes(e)
		}
	}
	way := p.transfer(2, 4)
	bytes := grad * (4*handDense + 2*handTable) / 4
	checkCounted(t, []handCount{
		{"sums between nodes", sums, bytes/way.bandwidth + 10*way.latency*way.steps,
			"half of a shard goes and comes back, in four layers and the tables, twice each"},
		{"what shows of them", each.Time.Gather - once.Time.Gather, 3.0 / 4 * sums, "after three of four microbatches"},
		{"the end of the step", each.Time.DP, once.Time.DP, "as before"},
	})
	if late.Time.Gather >= once.Time.Gather {
		t.Errorf("%v s of gathers and sums where sums wait, %v where those in a node don't", late.Time.Gather,
			once.Time.Gather)
	}
	all := p.Exchanges(&each)
	found := false
	for _, e := range all {
		found = found || e.What == "training.sends-each" && e.Stride == 4 && e.Ranks == 2 && !e.Inside
	}
	if !found {
		t.Errorf("sums between nodes aren't listed: %+v", all)
	}
}
