package model

import "testing"

// TestKeptOfExpertsCounted: a layer of width 1000 with 8 heads of 125, 2 of keys and values, and two of eight experts
// of width 500 for each token.
func TestKeptOfExpertsCounted(t *testing.T) {
	m := Model{Layers: 1, Width: 1000, Vocab: 10, Heads: 8, KVHeads: 2, MoE: MoE{Experts: 8, PerToken: 2, Width: 500}}
	if err := m.Validate(); err != nil {
		t.Fatal(err)
	}
	const heads = 1000 + 2*250 // queries, keys and values
	for keep, want := range map[Keep]float64{
		// inputs of two norms and of what follows them, of each expert its input and its output; attention's output; of
		// both experts the gate before and after its function, the other half and their product
		KeepAll:     (2+2+2*2)*1000 + heads + 1000 + 2*4*500,
		KeepMatmuls: 1000 + heads + (1+2)*1000 + 2*2*500, // the layer's input; outputs of attention and of each expert
		KeepBlocks:  1000,
	} {
		if got := m.ActivationElements(keep); got != want {
			t.Errorf("policy %d keeps %v, by hand %v", keep, got, want)
		}
	}
}
