package measured

import (
	"math"
	"slices"
	"testing"

	"github.com/scalebook/scalebook/app/measured/rows"
	"github.com/scalebook/scalebook/app/serving"
)

// What AMD's chips reach of their data sheets keeps times a token on MI300X, of images that AMD tunes and of others,
// where they were when it was set: a fifth too fast in the median, and off by less than a quarter.
func TestTokensOnAMD(t *testing.T) {
	cases, _ := Cases(ReadSamples(rows.AMD))
	var off, size []float64
	for i := range cases {
		c := &cases[i]
		a, err := c.setting.answer(serving.Fitted(c.Engine()))
		if err != nil {
			continue
		}
		if x, measured := c.errors(a)["token"]; measured && !math.IsNaN(x) {
			off, size = append(off, math.Exp(x)-1), append(size, math.Abs(math.Exp(x)-1))
		}
	}
	slices.Sort(off)
	slices.Sort(size)
	n := len(off)
	if n < 12 || math.Abs(off[n/2]) > 0.2 || size[n/2] > 0.25 {
		t.Errorf("%d rows, %.2f off in the median, %.2f in size", n, off[n/2], size[n/2])
	}
}
