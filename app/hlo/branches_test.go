package hlo

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/hardware"
)

// A condition runs one of its branches. The dearest counts, whichever way they are written, also where one holds a
// loop or another condition: the operations that XLA's own analysis counts.
func TestBranches(t *testing.T) {
	const n = 256
	square := func(name string, times int) string {
		var b strings.Builder
		fmt.Fprintf(&b, "%%%s (x: f32[256,256]) -> f32[256,256] {\n  %%d0 = f32[256,256]{1,0} parameter(0)\n", name)
		for i := range times {
			fmt.Fprintf(&b, "  %%d%d = f32[256,256]{1,0} dot(%%d%d, %%d%d), lhs_contracting_dims={1}, "+
				"rhs_contracting_dims={0}\n",
				i+1, i, i)
		}
		fmt.Fprintf(&b, "  ROOT %%r = f32[256,256]{1,0} copy(%%d%d)\n}\n\n", times)
		return b.String()
	}
	nested := "%nested (x: f32[256,256]) -> f32[256,256] {\n  %x = f32[256,256]{1,0} parameter(0)\n  %i = s32[] " +
		"constant(1)\n" +
		"  ROOT %r = f32[256,256]{1,0} conditional(%i, %x, %x), branch_computations={%a, %c}\n}\n\n"
	for _, c := range []struct {
		index, attr, more string
		dots              float64
	}{
		{"s32[]", "branch_computations={%a, %b}", "", 2},
		{"s32[]", "branch_computations={%b, %a}", "", 2},
		{"s32[]", "branch_computations={%a, %b, %c}", "", 5},
		{"s32[]", "branch_computations={%a, %a}", "", 1},
		{"pred[]", "true_computation=%a, false_computation=%c", "", 5},
		{"pred[]", "true_computation=%b, false_computation=%a", "", 2},
		{"s32[]", "branch_computations={%b, %nested}", nested, 5},
	} {
		args := "%x" + strings.Repeat(", %x", max(1, strings.Count(c.attr, ", ")))
		text := "HloModule m, is_scheduled=true\n\n" + square("a", 1) + square("b", 2) + square("c", 5) + c.more +
			"ENTRY %main (i: " + c.index + ", x: f32[256,256]) -> f32[256,256] {\n  %i = " + c.index +
			" parameter(0)\n" +
			"  %x = f32[256,256]{1,0} parameter(1)\n  ROOT %r = f32[256,256]{1,0} conditional(%i, " + args + "), " +
			c.attr +
			"\n}\n"
		m, err := Read(text)
		if err != nil {
			t.Fatal(err)
		}
		h100, err := hardware.Catalog().Get("gpu.h100")
		if err != nil {
			t.Fatal(err)
		}
		p := m.On(NewChip(h100))
		if got, want := p.FLOPs, c.dots*2*n*n*n; got != want {
			t.Errorf("%s: %v operations, not %v", c.attr, got, want)
		}
		if len(p.Looped) != 1+strings.Count(c.more, "conditional(") || p.Looped[0].Code != "conditional" {
			t.Errorf("%s: %v are said to run one of several", c.attr, p.Looped)
		}
	}
}
