package training

import (
	"testing"

	"github.com/scalebook/scalebook/app/model"
)

// flatStack is software that updates a shard's gradients laid end to end, ten million weights to a bucket.
func flatStack() *Stack {
	s := roundStack()
	s.FlatGrad, s.BucketSize = 0, 1e7
	return s
}

// flatJob is a job of it whose gradients are made in 16 bits and summed up in so many bytes besides.
func flatJob(j Job, accum float64) Job {
	j.Stack = flatStack()
	j.Recipe.Grad, j.Recipe.Accum = 2, accum
	return j
}

// TestUpdateCopiesCounted: the copies of gradients that DeepSpeed makes for an update (zero/stage_1_and_2.py, stage3.py
// and bf16_optimizer.py of 2022): of each tensor of the shard in 4 bytes to look for overflows and in 8 for the norm;
// then of the shard in 2 bytes and in 4, in their place if that is enough. Its BF16_Optimizer adds each gradient to
// wide sums by a copy in 4 bytes, and sends all of them as a copy in 2.
func TestUpdateCopiesCounted(t *testing.T) {
	const n = 4*handDense + 2*handTable // 66 million, the largest of them a table of ten
	const bucket = 2 * 1e7
	_, _, eight := laidOut(t, flatJob(roundDense(8, 8), 0), Plan{DP: 8, Zero: 1})
	_, _, one := laidOut(t, flatJob(roundDense(1, 8), 0), Plan{Zero: 1})
	_, _, whole := laidOut(t, flatJob(roundDense(8, 8), 0), Plan{DP: 8})
	_, _, split := laidOut(t, flatJob(roundDense(8, 8), 0), Plan{DP: 4, TP: 2, Zero: 1})
	_, _, wide := laidOut(t, flatJob(roundDense(8, 8), 4), Plan{DP: 8, Zero: 1})
	checkCounted(t, []handCount{
		{"a shard smaller than a table", eight.Memory.Grads, 2*n + bucket + (4+8)*n/8,
			"its part of one tensor in 4 and 8 bytes"},
		{"all of the weights", one.Memory.Grads, 2*n + bucket + (2+4)*n,
			"end to end in 2 and 4 bytes, which 12 of a table are less than"},
		{"nothing is sharded", whole.Memory.Grads, 2*n + bucket + (2+4)*n + 2*n,
			"the same, and buckets of the round software"},
		{"halves of four shards", split.Memory.Grads, 2*n/2 + bucket + (4+8)*handTable/2,
			"half a table, more than 6 bytes of an eighth"},
		{"sums in 4 bytes", wide.Memory.Grads, (4+0.2*2)*n + bucket + 2*n + 4*handTable,
			"a fifth of the narrow ones, all of them as they travel, a table made wide"},
	})

	p, c, _ := laidOut(t, flatJob(roundDense(8, 8), 0), Plan{DP: 2, PP: 4, Zero: 1})
	var m Memory
	p.rankMemory(&c, &rank{layers: 1, inFlight: 1}, &m)
	handCount{"a layer without tables", m.Grads, 2*handDense + bucket + (4+8)*3e6,
		"the largest matrix has three million weights, more than 6 bytes of half a layer"}.check(t)

	big := flatJob(roundJob(model.Model{FFWidth: 400_000}, 4, 4), 0)
	const all = 4*(handAttention+3*1000*400_000) + 2*handTable // ZeRO-3, 1.2e9 of them on each of four
	_, _, three := laidOut(t, big, Plan{DP: 4, Zero: 3})
	handCount{"ZeRO-3", three.Memory.Grads, 2*all/4 + bucket + (2+4)*1e9, "a group of 1e9 weights at a time"}.check(t)
}

// TestStackRecipes: DeepSpeed makes gradients in 16 bits; short of ZeRO-3 it sums them up in 32 besides.
func TestStackRecipes(t *testing.T) {
	for name, want := range map[string][2]float64{"deepspeed": {2, 4}, "deepspeed-zero3": {2, 0}, "megatron": {4, 0},
		"nanotron": {2, 4}} {
		s, err := StackNamed(name)
		if err != nil {
			t.Fatal(err)
		}
		if r := s.Recipe(BF16, false); r.Grad != want[0] || r.Accum != want[1] {
			t.Errorf("%s: %g and %g bytes, want %v", name, r.Grad, r.Accum, want)
		}
	}
}

// TestFirstRankIsRead: where somebody looked at the first rank alone, its memory is reported.
func TestFirstRankIsRead(t *testing.T) {
	j := newJob(t, "llama3.8b", "gpu.h100", "megatron", 8, 64, 4096)
	plan := Plan{DP: 2, PP: 4, Micro: 8, Recompute: RecomputeBlock}
	_, fullest := priced(t, j, plan)
	j.First = true
	p, first := priced(t, j, plan)
	if fullest.Reported != fullest.Memory || first.Memory != fullest.Memory || first.Reported.Logits != 0 {
		t.Errorf("the fullest rank %+v, reported %+v, of the first %+v", fullest.Memory, fullest.Reported,
			first.Reported)
	}
	if got := p.MemoryInterval(&first).Mid; got != first.Reported.Total() {
		t.Errorf("the interval is about %v, not %v", got, first.Reported.Total())
	}
}

// TestTwiceTheBatchOfShards: with ZeRO-3 a batch of twice the micro-batches takes no longer than two steps, however
// much of the traffic of shards is hidden; latencies aside, for between steps each layer's sums have one, at the end
// all.
func TestTwiceTheBatchOfShards(t *testing.T) {
	for show := 0.0; show <= 1; show += 1.0 / 16 {
		for _, zero := range []int{2, 3} {
			last := 0.0
			for batch := 8; batch <= 128; batch *= 2 {
				j := roundDense(8, batch)
				j.Stack.ShowGather, j.Stack.Step, j.Stack.Bucket, j.Stack.Optimizer = show, 0, 0, 0
				j.Stack.FastLatency, j.Stack.SlowLatency = 0, 0
				_, _, estimate := laidOut(t, j, Plan{DP: 8, Zero: zero})
				step := estimate.Time.Step()
				if last > 0 && (step > 2*last*(1+1e-12) || step < last) {
					t.Errorf("ZeRO-%d, %v shown: %d sequences take %v s, half of them %v", zero, show, batch, step,
						last)
				}
				last = step
			}
		}
	}
}
