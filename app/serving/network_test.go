package serving

import "testing"

// TestNoNetworkNoWiderReplica: eight chips that have links and no network are a replica of eight at the most; the steps
// of sixteen would never end. What they hold of a model can be told all the same.
func TestNoNetworkNoWiderReplica(t *testing.T) {
	c := chipOf(t, "gpu.h100")
	c.Network = 0
	w := Spec{Shape: replica(t, "deepseek.v3", "gpu.h100", 1, Plan{}, ideal()).Shape, Chip: c, Chips: 16,
		Constants: Fitted(""), Load: Load{In: 100, Out: 100}}
	w.Layout = Plan{TP: 1, DP: 16, EP: 16}
	options, refused := w.Search(0, 1)
	if len(options) > 0 || len(refused) != 1 {
		t.Errorf("%d options of 16 chips, %d refused", len(options), len(refused))
	}
	if err := w.Layout.Legal(w.Shape, &c); err != nil {
		t.Error(err)
	}
	c.Network = 50e9
	w.Chip = c
	if options, _ = w.Search(0, 1); len(options) == 0 {
		t.Error("no option of 16 chips with a network")
	}
}
