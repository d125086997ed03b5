package execute

import (
	"testing"

	"github.com/scalebook/scalebook/app/sharding"
)

// A trial that loses a summand is seen.
func TestTrialSeesFaults(t *testing.T) {
	m, _ := sharding.ParseMesh("X=2", nil)
	sizes := sharding.Sizes{{Name: "I", Value: 4}, {Name: "J", Value: 4}, {Name: "K", Value: 4}}
	e, err := sharding.ParseEinsum("A[I, J_X] . B[J_X, K] -> C[I, K]", sizes, m)
	if err != nil {
		t.Fatal(err)
	}
	plan := sharding.NewPlan(e, sharding.Chip{Peak: 1}, sharding.Free(m), sharding.Options{})
	steps := plan.Named("Einsum, AllReduce_X(C)").Steps
	if got, err := Try(e, steps); err != nil || !got.Equal || got.Count != 2*4 {
		t.Error(got, err)
	}
	last := *steps[0].To
	last.Unreduced = nil // as if the sum had been taken
	steps = []sharding.Step{{Kind: sharding.Multiply, From: steps[0].From, To: &last, Operand: 2}}
	if got, err := Try(e, steps); err != nil || got.Equal {
		t.Error(got, err)
	}
}
