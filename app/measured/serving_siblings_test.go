package measured

import (
	"math"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/serving"
)

// Without the line of its own chip a model has an interval by its lines on chips of the same generation, too. It holds
// nine in ten rows, and not all of them.
func TestSiblingsHold(t *testing.T) {
	table := string(Shipped())
	without := func(chip, model string) serving.SpreadTable {
		var out strings.Builder
		for line := range strings.Lines(table) {
			if !strings.Contains(line, "\t"+chip+"\t"+model+"\t") {
				out.WriteString(line)
			}
		}
		return serving.SpreadTable(out.String())
	}
	type part struct {
		quantity string
		fitted   bool
	}
	in, all := map[part]float64{}, map[part]float64{}
	left, strange := map[[2]string]serving.SpreadTable{}, serving.SpreadTable(table)
	for _, u := range servingHeld().unseen {
		s := u.setting
		at := [2]string{s.chip.ID, s.shape.Model.ID}
		if left[at] == "" {
			left[at] = without(at[0], at[1])
		}
		for q, slower := range u.slower {
			regime := s.wait(s.regime(), q, u.a)
			near := left[at].Of(regime, q, s.family(), at[0], at[1])
			if regime != "together" || near == strange.Of(regime, q, s.family(), "", "") {
				continue // no chip like it has a line
			}
			k, off := part{q, u.Fitted()}, math.Exp(slower)
			all[k]++
			if x := near.Of(s.strain(q, u.a)); x.Low <= off && off <= x.High {
				in[k]++
			}
		}
	}
	for k, n := range all {
		if share := in[k] / n; n < 400 || share < 0.9 || share > 0.985 {
			t.Errorf("%v: %.3f of %v are inside", k, share, n)
		}
	}
	if len(all) != 6 {
		t.Errorf("%d parts", len(all))
	}
}
