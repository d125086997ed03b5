package library

import (
	"testing"

	"github.com/scalebook/scalebook/app/hlo"
	"github.com/scalebook/scalebook/app/trace"
)

// What an operation takes is counted of its line only where that has the sizes, and else of what the trace says.
func TestMustTake(t *testing.T) {
	chip := hlo.Chip{HBM: 100, Peak: func(string) float64 { return 1000 }}
	for _, c := range []struct {
		text         string
		flops, bytes float64
		want         float64
	}{
		{"%a = f32[25] negate(f32[25] %b)", 0, 0, 2},
		{"%a = f32[25] negate(f32[25] %b)", 4000, 0, 4},
		{"%a = f32[25] negate(%b)", 0, 0, 0},
		{"%a = f32[25] negate(%b)", 0, 300, 3},
		{"", 2000, 100, 2},
	} {
		if got := mustTake(&trace.Spent{Text: c.text, FLOPs: c.flops, Bytes: c.bytes}, chip); got != c.want {
			t.Errorf("%+v: %v s", c, got)
		}
	}
}
