package serving

import "testing"

// TestCalibratedStepCounted: the step of TestDenseStepCounted where what grows with the batch takes 1.5 times as long,
// and each step 2 ms longer: attention, collectives and sequences by the factor, four layers by 0.5 ms each, and
// weights as before.
func TestCalibratedStepCounted(t *testing.T) {
	r := handReplica(t, roundDense(), roundChip(), Plan{TP: 4}, roundConstants().Calibrated(1.5, 2e-3, 4), Engine{})
	s := r.Step(Work{Sequences: 64, Context: 2000})
	const (
		start = 8e-6 * 1.25
		cache = 64 * 4 * 2000 * 2 * 500 / 2.0
	)
	checkCounted(t, []handCount{
		{"projections", s.Projections, handAttention / 4 / handRead, "a byte each, read as before"},
		{"MLPs", s.Dense, handMLP / 4 / handRead, "as before"},
		{"logits", s.Logits, 2 * handTable / 4 / handRead, "as before"},
		{"cache", s.Cache, 1.5 * cache / handCache, "half as long again"},
		{"collectives", s.Collectives, 1.5 * 8 * (start + 3*64*1000*2/handWire), "their start and their bytes"},
		{"fixed", s.Fixed, 4*1e-5 + 2e-3 + 1.5*64*1e-6, "4 layers, 2 ms, 64 sequences"},
	})
	r = handReplica(t, roundExperts(), roundChip(), Plan{DP: 4, EP: 4}, roundConstants().Calibrated(1.5, 0, 4), Engine{})
	plain := handReplica(t, roundExperts(), roundChip(), Plan{DP: 4, EP: 4}, roundConstants(), Engine{})
	for _, sequences := range []float64{8, 1024} { // few are read for, many computed for
		w := Work{Sequences: sequences, Context: 2000}
		checkCounted(t, []handCount{
			{"experts", r.Step(w).Experts, 1.5 * plain.Step(w).Experts, "half as long again"},
			{"dense and shared", r.Step(w).Dense, plain.Step(w).Dense, "as before"},
		})
	}
}
