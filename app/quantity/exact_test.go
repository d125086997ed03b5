package quantity

import (
	"math"
	"math/rand/v2"
	"testing"
)

// What Exact prints, ParseLike reads back to the same bits, whatever unit the author wrote.
func TestExactComesBack(t *testing.T) {
	rnd := rand.New(rand.NewPCG(11, 12))
	for _, literal := range []string{
		"80%", "5", "8k", "256 token", "4 Mtoken", "16 GiB", "45 GB/s", "87.2 us", "$2.95/hour", "250 /s", "3 hour", "700 W",
		"0.5 pJ/FLOP", "$3/Mtoken", "2 byte/token", "940 MHz", "1 /chip",
	} {
		like, err := UnitOf(literal)
		if err != nil {
			like, err = Parse(literal)
			like.Value = 1
		}
		if err != nil {
			t.Fatal(literal, err)
		}
		for range 2000 {
			q := like
			q.Value = math.Exp(rnd.Float64()*200 - 100)
			if rnd.IntN(2) == 0 {
				q.Value = math.Round(q.Value*100) / 100
			}
			back, err := ParseLike(q.Exact(), like)
			if err != nil || back.Value != q.Value || back.Dim != q.Dim || back.Label != q.Label {
				t.Fatalf("%v of %s prints as %q and comes back as %v, %v", q.Value, literal, q.Exact(), back.Value, err)
			}
		}
	}
}

func TestUnitsOfOne(t *testing.T) {
	for _, c := range []struct {
		text, like string
		want       float64
	}{
		{"0.8 1", "80%", 0.8}, {"0.8", "80%", 0.008}, {"80 %", "80%", 0.8}, {"4e6 1", "4 Mtoken", 4e6},
		{"4", "4 Mtoken", 4e6},
		{"250 1/s", "940 MHz", 250}, {"2.5e8 1/s", "940 MHz", 2.5e8}, {"1/3", "5", 1.0 / 3}, {"250 1/s/chip", "940 MHz", 250},
	} {
		like, err := UnitOf(c.like)
		if err != nil {
			like, _ = Parse(c.like)
			like.Value = 1
		}
		if q, err := ParseLike(c.text, like); err != nil || q.Value != c.want {
			t.Errorf("%q in a field of %s is %v, %v; want %v", c.text, c.like, q.Value, err, c.want)
		}
	}
	for _, text := range []string{"5 1/3", "16 1", "5 1", "5 s 1/s", "1/s 1/s"} {
		if q, err := Parse(text); err == nil {
			t.Errorf("%s is %v", text, q)
		}
	}
}
