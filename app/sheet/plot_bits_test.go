package sheet

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/golden"
)

// Every machine computes the same bits, the browser's among them: run this also with GOOS=js GOARCH=wasm.
func TestSameBitsEverywhere(t *testing.T) {
	s := explainSheet(t, matmulSheet+`let x = 3 in 0.1..1e4 log
let y = 2 in -5..5
wave = x^1.7 / (1 + exp(-y)) + ln(x) * sqrt(abs(y)) + max(x, 40)^0.3
power = x^y
solve meet_again: x where wave = 90
solve flat: y where exp(y) = 3
plot wave, power over x for y = -1, 0, 2
plot wave over y
`)
	var out strings.Builder
	for i, p := range s.Plots {
		h := fnv.New64a()
		d := s.PlotData(nil, p)
		for _, c := range d.Series {
			binary.Write(h, binary.LittleEndian, c.X)
			for _, v := range c.Y {
				if math.IsNaN(v) {
					v = math.NaN() // one NaN is as good as another
				}
				binary.Write(h, binary.LittleEndian, v)
			}
		}
		fmt.Fprintf(&out, "plot %d %016x\n", i, h.Sum64())
		for _, m := range d.Marks {
			fmt.Fprintf(&out, "  %s %x %s\n", m.Kind, m.X, m.Label)
		}
	}
	r := s.Eval(nil)
	for _, name := range []string{"B_crit", "meet_again", "flat", "wave", "power"} {
		v, err := r.Value(name)
		fmt.Fprintf(&out, "%s %x %v\n", name, v.Num.Value, err)
	}
	for _, e := range s.Elasticities(nil, "wave") {
		fmt.Fprintf(&out, "%s %x %v\n", e.Input, e.Value, e.Kink)
	}
	golden.Check(t, "testdata/formulas.bits.golden", out.String())
}
