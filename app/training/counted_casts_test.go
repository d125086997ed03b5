package training

import (
	"slices"
	"testing"
)

// castJob is a job whose matmuls run in 8 bits, of software that keeps so many copies of weights for them.
func castJob(j Job, copies float64) Job {
	j.Stack = roundStack()
	j.Stack.CastCopies = copies
	grad, master := j.Recipe.Grad, j.Recipe.Master
	j.Recipe = j.Stack.Recipe(FP8, false)
	j.Recipe.Grad, j.Recipe.Master = grad, master
	return j
}

// TestCastCopiesCounted: Transformer Engine (module/base.py, quantize_weight) casts a layer's weights at the first
// microbatch of a step and keeps what it has cast: on Hopper, whose matmuls in 8 bits read rows alone, as it is and
// transposed. Tables are not cast.
func TestCastCopiesCounted(t *testing.T) {
	const n = 4*handDense + 2*handTable
	_, _, one := laidOut(t, castJob(roundDense(1, 8), 2), Plan{})
	_, _, split := laidOut(t, castJob(roundDense(8, 8), 2), Plan{DP: 4, TP: 2, Zero: 1})
	_, _, three := laidOut(t, castJob(roundDense(8, 8), 2), Plan{DP: 8, Zero: 3})
	_, _, expert := laidOut(t, castJob(roundExperts(8, 8), 2), Plan{DP: 8, EP: 4, Zero: 1})
	_, _, rows := laidOut(t, castJob(roundDense(1, 8), 1), Plan{})
	narrow := castJob(roundDense(1, 8), 2)
	narrow.Recipe.Narrow()
	_, _, alone := laidOut(t, narrow, Plan{})
	narrow = castJob(roundDense(1, 8), 1)
	narrow.Recipe.Narrow()
	_, _, half := laidOut(t, narrow, Plan{})
	checkCounted(t, []handCount{
		{"rows and columns", one.Memory.Weights, 2*n + (1+1)*4*handDense, "2 bytes of all, 1 and 1 of layers"},
		{"halves of matrices", split.Memory.Weights, 2*n/2 + (1+1)*4*handDense/2, "of half of each layer"},
		{"ZeRO-3", three.Memory.Weights, 2 * n / 8, "what is gathered is cast anew"},
		{"experts", expert.Memory.Weights,
			2*(4*(handShared+handRouted/4)+2*handTable) + (1+1)*4*(handShared+handRouted/4),
			"two of the eight experts, and all else"},
		{"where matmuls read columns", rows.Memory.Weights, 2*n + 4*handDense, "1 byte of layers"},
		{"weights in 8 bits alone", alone.Memory.Weights, 2*2*handTable + (1+1)*4*handDense,
			"tables in 2 bytes, layers in 1 and 1"},
		{"the same, one copy", half.Memory.Weights, 2*2*handTable + 4*handDense, "tables in 2 bytes, layers in 1"},
	})
	if r := roundStack().Recipe(FP8, false); r.Cast != 0 {
		t.Errorf("software that keeps no copies: %g bytes", r.Cast)
	}
	megatron, _ := StackNamed("megatron")
	for compute, want := range map[DType]float64{BF16: 0, FP8: 2, FP4: 2 * 0.5625} {
		if r := megatron.Recipe(compute, false); r.Cast != want {
			t.Errorf("Megatron in %v: %g bytes of copies, not %g", compute, r.Cast, want)
		}
	}
	said := State{Weight: 1}
	j := castJob(roundDense(1, 8), 2)
	said.Apply(&j)
	handCount{"weights said to be in 8 bits", j.Recipe.Weight + j.Recipe.Cast, 1 + 1,
		"they are one of the copies"}.check(t)
}

// TestAmpLevelsCounted: MS-AMP (docs/user-tutorial/optimization-level.md): gradients in 8 bits from its first level on,
// of the moments one in 8 bits and one in 16 from the second, at the third weights in 8 bits and masters in 16. Weights
// in 16 bits are cast for a matmul, which keeps that for the backward pass; tables stay in 16. In modules of
// Transformer Engine each forward pass makes the transpose of the cast weight too (msamp/te/extension.py), which they
// keep as long.
func TestAmpLevelsCounted(t *testing.T) {
	const layers, tables = 4 * handDense, 2 * handTable
	for _, x := range []struct {
		kind                           string
		weights, grads, master, moment float64
	}{
		{"ms-amp-o1", 2 * (layers + tables), layers + tables, 0, (4 + 4) * (layers + tables) / 8},
		{"ms-amp-o2", 2 * (layers + tables), layers + tables, 0, (1 + 2) * (layers + tables) / 8},
		{"ms-amp-o3", 2 * tables, layers + tables, 2 * (layers + tables) / 8, (1 + 2) * (layers + tables) / 8},
	} {
		for copies, cast := range map[float64]float64{0: 1 * layers, 1: 1 * layers, 2: (1 + 1) * layers} {
			j := castJob(roundDense(8, 8), copies)
			var said State
			if _, err := said.Set("state", x.kind); err != nil {
				t.Fatal(err)
			}
			said.Apply(&j)
			_, _, e := laidOut(t, j, Plan{DP: 8, Zero: 1})
			checkCounted(t, []handCount{
				{x.kind + ", weights", e.Memory.Weights, x.weights + cast,
					"2 bytes of tables, and of layers below O3; 1 of layers as they are cast, 2 with the transpose"},
				{x.kind + ", gradients", e.Memory.Grads, x.grads, "1 byte"},
				{x.kind + ", master weights", e.Memory.Master, x.master, "2 bytes of an eighth, at O3"},
				{x.kind + ", moments", e.Memory.Moments, x.moment, "4 and 4 bytes of an eighth, or 1 and 2"},
			})
		}
	}
	megatron, _ := StackNamed("megatron")
	j := roundDense(8, 8)
	j.Stack = megatron
	said := State{Kind: "ms-amp-o3"}
	said.Apply(&j)
	handCount{"a gradient on its way", NewEstimator(j).sentGrad(), 1, "no wider than it is"}.check(t)
}

// TestMastersAreNoShards: weights that travel narrower than they are kept have a shard in full width only where they
// are their own masters: MS-AMP's third level has masters of 16 bits, and ZeRO-2 keeps as many weights as ZeRO-1.
func TestMastersAreNoShards(t *testing.T) {
	j := castJob(roundDense(8, 8), 2)
	said := State{Kind: "ms-amp-o3"}
	said.Apply(&j)
	_, _, e := laidOut(t, j, Plan{DP: 8, Zero: 2})
	handCount{"weights", e.Memory.Weights, (1+1)*4*handDense + 2*2*handTable,
		"the cast weight, its transpose, tables"}.check(t)
}

// TestEmbeddingsInFullWidth: bitsandbytes keeps the moments of embeddings in 4 bytes each (transformers' Trainer and
// Megatron-DeepSpeed of BigScience say so to it), all others in 1; others keep all in 1.
func TestEmbeddingsInFullWidth(t *testing.T) {
	tied := roundDense(1, 8)
	tied.Model.Tied = true
	for _, x := range []struct {
		name string
		job  Job
		want float64
		how  string
	}{
		{"adamw8bitbnb", roundDense(1, 8), 2*1*(4*handDense+handTable) + 2*4*handTable,
			"the head in 1 byte, the embedding in 4"},
		{"adamw8bitbnb", tied, 2*1*4*handDense + 2*4*handTable, "one table is both"},
		{"adamw8bit", roundDense(1, 8), 2 * 1 * (4*handDense + 2*handTable), "all in 1"},
		{"pagedadamw8bit", roundDense(1, 8), 2*1*(4*handDense+handTable) + 2*4*handTable,
			"the same as what isn't paged"},
	} {
		said := State{Optimizer: x.name}
		said.Apply(&x.job)
		_, _, e := laidOut(t, x.job, Plan{})
		handCount{x.name, e.Memory.Moments + e.Memory.Paged, x.want, x.how}.check(t)
	}
	for name, id := range map[string]string{"adamw_torch_8bit": "adamw8bit",
		"bitsandbytes.optim.AdamW8bit": "adamw8bit",
		"adamw_8bit":                   "adamw8bitbnb", "adamw_bnb_8bit": "adamw8bitbnb"} {
		if o, _ := OptimizerNamed(name); o.ID != id {
			t.Errorf("%s is %q, want %q", name, o.ID, id)
		}
	}
}

// TestNarrowStateIsRead: flags and files that say in which formats weights and state are.
func TestNarrowStateIsRead(t *testing.T) {
	for _, x := range []struct {
		text, kind string
		narrow     bool
	}{
		{"--tensor-model-parallel-size 8 --fp8-format hybrid --fp8-param-gather", "", true},
		{"--tensor-model-parallel-size 8 --fp8-format hybrid", "", false},
		{`{"train_batch_size": 8, "msamp": {"enabled": true, "opt_level": "O2"}, "zero_optimization": {"stage": 2}}`,
			"ms-amp-o2", false},
		{`{"train_batch_size": 8, "msamp": {"enabled": false, "opt_level": "O2"}, "zero_optimization": {"stage": 2}}`,
			"mixed", false},
	} {
		s, err := ReadFlags(x.text, 8)
		if err != nil || s.State.Narrow != x.narrow || s.State.Kind != x.kind || len(s.Aside)+len(s.Without) > 0 {
			t.Errorf("%s: %q, narrow %v, %v, aside %v, without %v", x.text, s.State.Kind, s.State.Narrow, err, s.Aside,
				s.Without)
		}
	}
	s, err := ReadFlags(`{"train_batch_size": 8, "msamp": {"enabled": true, "opt_level": "O4"}}`, 8)
	if err != nil || !slices.ContainsFunc(s.Without, func(w string) bool { return w != "" }) {
		t.Errorf("a level that is none: %v, without %v", err, s.Without)
	}
}
