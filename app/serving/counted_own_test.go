package serving

import (
	"testing"

	"github.com/scalebook/scalebook/app/hardware"
)

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
	r = handReplica(t, roundExperts(), roundChip(), Plan{DP: 4, EP: 4}, roundConstants().Calibrated(1.5, 0, 4),
		Engine{})
	plain := handReplica(t, roundExperts(), roundChip(), Plan{DP: 4, EP: 4}, roundConstants(), Engine{})
	for _, sequences := range []float64{8, 1024} { // few are read for, many computed for
		w := Work{Sequences: sequences, Context: 2000}
		checkCounted(t, []handCount{
			{"experts", r.Step(w).Experts, 1.5 * plain.Step(w).Experts, "half as long again"},
			{"dense and shared", r.Step(w).Dense, plain.Step(w).Dense, "as before"},
		})
	}
}

// TestLinksOfPairsCounted: the sums of TestDenseStepCounted and the exchanges of TestExpertStepCounted, where each pair
// of eight chips has links of its own: of seven links, four chips have those to three others. A sheet's laws leave
// nothing beyond these; a group of experts with other links than the sums counts beyond them.
func TestLinksOfPairsCounted(t *testing.T) {
	chip := roundChip()
	chip.Mesh = hardware.Mesh{Devices: 8, Local: 1}
	const (
		wire  = handWire * 3 / 7.
		start = 8e-6 * 1.25
	)
	r := handReplica(t, roundDense(), chip, Plan{TP: 4}, roundConstants(), Engine{})
	terms := r.Terms(Work{Sequences: 64, Context: 2000})
	sent := 8 / 4. * 3 * (1 - 0.75*0.75) * 1000 * (1 + 2)
	e := handReplica(t, roundExperts(), chip, Plan{DP: 4, EP: 4}, roundConstants(), Engine{})
	experts := e.Terms(Work{Sequences: 8, Context: 2000})
	both := handReplica(t, roundExperts(), chip, Plan{TP: 2, DP: 2, EP: 4}, roundConstants(), Engine{}).
		Terms(Work{Sequences: 8, Context: 2000})
	checkCounted(t, []handCount{
		{"sums", terms.Collectives, 8 * (start + 3*64*1000*2/wire), "three links of seven"},
		{"wire", terms.Wire, wire, "three links of seven"},
		{"exchanges", experts.Collectives, 3 * (2*start + sent/wire), "three links of seven"},
		{"wire of experts", experts.Wire, wire, "three links of seven"},
		{"wire of a pair", both.Wire, handWire / 7, "one link of seven"},
		{"beyond", both.Beyond, 3 * (2*start + sent/wire), "experts have other links than the sums"},
		{"to the next stage", handReplica(t, roundDense(), chip, Plan{PP: 2}, roundConstants(), Engine{}).send(7e9),
			8e-6 + 7e9/(handWire/7), "one link of seven"},
	})
	if terms.Beyond > 1e-12 || experts.Beyond > 1e-12 || both.Exchanges != 0 {
		t.Errorf("%v, %v, %v", terms.Beyond, experts.Beyond, both.Exchanges)
	}
}
