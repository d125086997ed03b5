package sheet

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// What an input makes of an output, Seek finds again.
func TestSeekInvertsEval(t *testing.T) {
	s := explainSheet(t, matmulSheet)
	rnd := rand.New(rand.NewPCG(9, 10))
	for range 100 {
		for _, c := range [][2]string{{"ops", "B"}, {"moved", "D"}, {"T_math", "F"}, {"T_comms", "W_hbm"}, {"T_upper", "B"},
			{"intensity", "B"}} {
			in := s.Input(c[1])
			p := in.Span()
			x := p.Value(p.Coordinate(p.Lo) + rnd.Float64()*(p.Coordinate(p.Hi)-p.Coordinate(p.Lo)))
			y, err := s.Eval(input.State{c[1]: {Kind: value.Number, Num: in.Quantity(x)}}).Value(c[0])
			if err != nil {
				t.Fatal(err)
			}
			got, err := s.Seek(nil, c[0], y.Num, c[1])
			if err != nil || relative(got.Value, x) > 1e-9 {
				t.Errorf("%s = %v by %s: %v, %v; want %v", c[0], y, c[1], got.Exact(), err, x)
			}
		}
	}
}

// Of several values the nearest to the present one is taken, wherever that is.
func TestSeekTakesTheNearest(t *testing.T) {
	s := explainSheet(t, "let x = 1 in 0..10\ny = (x - 2) * (x - 5) * (x - 9)\n")
	for at, want := range map[float64]float64{0: 2, 3.4: 2, 3.6: 5, 6.9: 5, 7.1: 9, 10: 9} {
		st := input.State{"x": {Kind: value.Number, Num: quantity.Quantity{Value: at}}}
		got, err := s.Seek(st, "y", quantity.Quantity{}, "x")
		if err != nil || math.Abs(got.Value-want) > 1e-12 {
			t.Errorf("from %v: %v, %v; want %v", at, got.Value, err, want)
		}
	}
}

func TestSeekSaysWhyNot(t *testing.T) {
	s := explainSheet(t, matmulSheet+"steps = ceil(B / 100)\nodd = sqrt(B - 20000)\nalways = D * 2\nfree = D * 1 byte\n")
	for _, c := range []struct{ output, target, input, want string }{
		{"T_lower", "1 s", "B", "1 s is out of reach: “At best, fully overlapped” goes from 82.9 µs to 5.58 ms for B from " +
			"1 to 16,384 tokens"},
		{"T_math", "1 byte", "B", "“Time to compute” is time, and the target 1 byte is data"},
		{"bound", "1", "B", "bound is no number"},
		{"T_math", "1 s", "chip", "“Chip” is no number"},
		{"nothing", "1", "B", "no row `nothing`"},
		{"T_math", "1 s", "nothing", "no input `nothing`"},
		{"steps", "4.5", "B", "steps is never 4.5: it jumps from 4 tokens to 5 tokens at B = 400 tokens"},
		{"odd", "3", "B", "odd has no value for B from 1 to 16,384 tokens: "},
		{"always", "3", "B", "always is 8192 whatever B is"},
	} {
		q, err := s.Seek(nil, c.output, quantityOf(c.target), c.input)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s = %s by %s: %v\n got %v\nwant %s", c.output, c.target, c.input, q, err, c.want)
		}
	}
	if q, err := s.Seek(nil, "always", quantityOf("8192"), "B"); err != nil || q.Value != 256 {
		t.Errorf("what is so already: %v, %v", q, err)
	}
	if _, err := s.Seek(nil, "T_math", quantity.Quantity{Value: math.NaN(), Dim: quantityOf("1 s").Dim}, "B"); err == nil {
		t.Error("sought NaN")
	}
}

func BenchmarkSeek(b *testing.B) {
	s := explainSheet(b, matmulSheet)
	for b.Loop() {
		if _, err := s.Seek(nil, "T_lower", quantityOf("1 ms"), "B"); err != nil {
			b.Fatal(err)
		}
	}
}
