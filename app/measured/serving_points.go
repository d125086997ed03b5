package measured

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
)

// point is what was measured of one closed load on one plan.
type point struct{ requests, tpot, perChip float64 } // requests at once, seconds a token, tokens a second and chip

// ServingPoints is the measurements of closed loops as figures lay them over what was computed: a line for each model, chip,
// bits of weights, engine, mode, and tokens of prompt and answer; then requests:ms a token:tokens a second and chip. Of all
// plans those points are kept that no other beats.
func ServingPoints(cases []Case) string {
	groups := map[string][]point{}
	for _, c := range cases {
		t, tpot := c.setting, c.Measured["tpot_ms"]/1e3
		chips := float64(t.plan.Chips())
		if t.apart {
			chips = t.prefill.workers*float64(t.prefill.plan.Chips()) + t.decode.workers*float64(t.decode.plan.Chips())
		}
		rate := c.Measured["output_tok_s_derived"]
		if t.kind != closedLoop || tpot <= 0 || rate <= 0 || chips <= 0 || t.apart && t.prefill.workers*t.decode.workers == 0 {
			continue
		}
		mode := map[bool]string{false: "together", true: "apart"}[t.apart]
		key := fmt.Sprintf("%s\t%s\t%g\t%s\t%s\t%g\t%g", t.shape.Model.ID, t.chip.ID, 8*t.shape.Precision.Experts, t.engine, mode, t.load.In, t.load.Out)
		groups[key] = append(groups[key], point{t.concurrency, tpot, rate / chips})
	}
	var lines []string
	for key, all := range groups {
		lines = append(lines, key+"\t"+pointsText(unbeaten(all))+"\n")
	}
	sort.Strings(lines)
	return strings.Join(lines, "")
}

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
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', 4, 64) }
	var texts []string
	for _, p := range all {
		texts = append(texts, number(p.requests)+":"+number(p.tpot*1e3)+":"+number(p.perChip))
	}
	return strings.Join(texts, " ")
}
