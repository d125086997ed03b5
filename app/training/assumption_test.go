package training

import "testing"

// Every part of a price names what it takes for granted, and no assumption is about nothing.
func TestAssumptionsCoverAllParts(t *testing.T) {
	var price Price
	known := map[string]bool{}
	for _, p := range append(price.Time.Parts(), price.Memory.Parts()...) {
		known[p.Name] = true
		if len(AssumptionsOf(p.Name)) == 0 {
			t.Errorf("%s rests on no assumption", p.Name)
		}
	}
	for i, a := range Assumptions() {
		if a.Number != i+1 || a.Text == "" {
			t.Errorf("assumption %d is number %d", i+1, a.Number)
		}
		for _, part := range a.Parts {
			if !known[part] {
				t.Errorf("assumption %d is about %q, which is no part", a.Number, part)
			}
		}
	}
}

// The parts are all of the price: nothing is counted twice or left out.
func TestPartsAddUp(t *testing.T) {
	j := newJob(t, "mixtral.8x7b", "gpu.h100", "nanotron", 512, 512, 4096)
	price := NewPricer(j).Price(Plan{DP: 64, TP: 2, PP: 4, EP: 4, Zero: 1})
	time, bytes := 0.0, 0.0
	for _, p := range price.Time.Parts() {
		time += p.Value
	}
	for _, p := range price.Memory.Parts() {
		bytes += p.Value
	}
	near(t, "time", time, price.Time.Step(), 1e-12)
	near(t, "memory", bytes, price.Memory.Total(), 1e-12)
}

// Calibrate undoes Step, and refuses what tells nothing.
func TestCalibrate(t *testing.T) {
	want := Law{Slot: 0.19, Constant: 0.5, Bubble: 7.0 / 8}
	got, err := Calibrate(8, 8, 24, want.Step(24), 288, want.Step(288))
	if err != nil {
		t.Fatal(err)
	}
	near(t, "slot", got.Slot, want.Slot, 1e-9)
	near(t, "constant", got.Constant, want.Constant, 1e-9)
	for _, bad := range [][4]float64{{24, 5, 24, 6}, {24, 5, 72, 4}, {0, 5, 72, 6}} {
		if _, err := Calibrate(8, 8, bad[0], bad[1], bad[2], bad[3]); err == nil {
			t.Errorf("%v is taken for a law", bad)
		}
	}
}
