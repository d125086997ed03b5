package measured

import (
	"fmt"
	"sort"
	"strings"

	"github.com/scalebook/scalebook/app/measured/summary"
)

// point is what was measured of one closed load on one plan.
type point struct{ requests, tpot, perChip float64 } // requests at once, seconds a token, tokens a second and chip

// ServingPoints is the measurements of closed loops as figures lay them over what was computed: a line for each model,
// chip, bits of weights, engine, mode, and tokens of prompt and answer; then requests:ms a token:tokens a second and
// chip. Of all plans those points are kept that no other beats, if they are at least three.
func ServingPoints(cases []Case) string {
	groups := map[string][]point{}
	for _, c := range cases {
		t, tpot := c.setting, c.Measured["tpot_ms"]/1e3
		chips := float64(t.plan.Chips())
		if t.apart {
			chips = t.prefill.workers*float64(t.prefill.plan.Chips()) + t.decode.workers*float64(t.decode.plan.Chips())
		}
		rate := c.Measured["output_tok_s_derived"]
		if t.kind != closedLoop || tpot <= 0 || rate <= 0 || chips <= 0 || t.apart &&
			t.prefill.workers*t.decode.workers == 0 || !asked(t.load.In, t.load.Out) {
			continue
		}
		mode := map[bool]string{false: "together", true: "apart"}[t.apart]
		key := fmt.Sprintf("%s\t%s\t%g\t%s\t%s\t%g\t%g", t.shape.Model.ID, t.chip.ID, 8*t.shape.Precision.Experts, t.engine,
			mode, t.load.In, t.load.Out)
		groups[key] = append(groups[key], point{t.concurrency, tpot, rate / chips})
	}
	var lines []string
	for key, all := range groups {
		if best := unbeaten(all); len(best) >= fewPoints {
			lines = append(lines, key+"\t"+pointsText(best)+"\n")
		}
	}
	sort.Strings(lines)
	return strings.Join(lines, "")
}

// fewPoints is how many points make a curve.
const fewPoints = 3

// asked tells whether the planner's page asks for these lengths.
func asked(in, out float64) bool { return in == 1024 && out >= 1024 || in == 8192 && out == 1024 }

// unbeaten are the points that no other beats in both, the fastest for a user first.
func unbeaten(all []point) []point {
	sort.Slice(all, func(i, j int) bool {
		if all[i].tpot != all[j].tpot {
			return all[i].tpot < all[j].tpot
		}
		return all[i].perChip > all[j].perChip
	})
	var kept []point
	for _, p := range all {
		if len(kept) == 0 || p.perChip > kept[len(kept)-1].perChip {
			kept = append(kept, p)
		}
	}
	return kept
}

func pointsText(all []point) string {
	var texts []string
	for _, p := range all {
		texts = append(texts, summary.Digits(p.requests)+":"+summary.Digits(p.tpot*1e3)+":"+summary.Digits(p.perChip))
	}
	return strings.Join(texts, " ")
}
