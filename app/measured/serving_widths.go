package measured

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/serving"
)

type width struct{ low, high float64 }

// spread is the interval of a quantity, by what is known of the case: its model on its chip by its engine, its engine,
// or only its regime.
func (t *setting) spread(quantity string) width {
	s := serving.SpreadOf(t.regime(), quantity, t.engine, t.chip.ID, t.shape.Model.ID)
	return width{s.Low, s.High}
}

// spreadOf is the factors of the interval of a metric.
func (t *setting) spreadOf(metric string) (low, high float64) {
	w := t.spread(quantity(metric))
	if strings.Contains(metric, "interactivity") {
		return 1 / w.high, 1 / w.low
	}
	return w.low, w.high
}

// errorKey is which errors an interval is taken from.
type errorKey struct{ regime, quantity, engine, chip, model string }

func (k errorKey) String() string {
	return strings.Join([]string{k.regime, k.quantity, k.engine, k.chip, k.model}, "\t")
}

// miss is the error of a fitted row, measured over predicted as a logarithm, and where it comes from.
type miss struct {
	errorKey
	config string
	off    float64
}

// nearness is how much an error counts for a case of another model or chip with the same engine, and of another engine,
// where one of the same counts 1.
type nearness struct{ engine, other float64 }

// tried are those among which the fitted rows choose: all alike, and families that speak more and more for themselves.
var tried = []nearness{{1, 1}, {0.3, 0.1}, {0.1, 0.02}, {0.03, 0.005}, {0.01, 0.001}}

// promised is the share of measurements that intervals hold.
const promised = 0.9

// levels are the shares of the errors within an interval among which one is chosen, narrow to wide. Beyond the last its
// ends would be single rows.
var levels = []float64{0.9, 0.91, 0.92, 0.93, 0.94, 0.95, 0.96, 0.97}

// few is how many fitted rows of a regime say by themselves how wide an interval must be; closed loops on the same
// chips are counted with fewer.
const few = 200

// Widths are the factors of the intervals as the fitted rows give them: the middle of their errors, those of the same
// model, chip and engine first (localised conformal prediction). How much the others count and how much of the middle
// it is, each regime and quantity has from what holds when a configuration is left out: the narrowest that holds what
// is promised, and a standard error more, of as many draws as there are configurations: rows of one are alike. The
// rows kept aside have no part in it.
func Widths(cases []Case, k func(engine string) serving.Constants) string {
	pools := map[[2]string][]miss{}
	for i, errs := range AllErrors(cases, k) {
		t := cases[i].setting
		for q, x := range errs {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				continue
			}
			m := miss{errorKey{t.regime(), q, t.engine, t.chip.ID, t.shape.Model.ID}, cases[i].Family(), -x}
			pools[[2]string{m.regime, q}] = append(pools[[2]string{m.regime, q}], m)
		}
	}
	lines := map[string]width{}
	for at, pool := range pools {
		own := len(pool)
		if own < few && at[0] != "together" {
			pool = append(slices.Clone(pool), pools[[2]string{"together", at[1]}]...)
		}
		near, level := choose(pool, own)
		for _, m := range pool[:own] {
			for _, k := range []errorKey{m.errorKey, {m.regime, m.quantity, m.engine, "", ""}, {m.regime, m.quantity, "", "",
				""}} {
				if _, done := lines[k.String()]; !done {
					lines[k.String()] = middle(weighed(pool, k, near, ""), level)
				}
			}
		}
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(lines)) {
		fmt.Fprintf(&b, "%s\t%.3g\t%.3g\n", name, math.Exp(lines[name].low), math.Exp(lines[name].high))
	}
	return b.String()
}

// choose is the nearness and the level with the narrowest intervals, of those that hold enough of the first own
// rows when their configuration is left out.
func choose(pool []miss, own int) (best nearness, at float64) {
	configs := map[string][]miss{}
	for _, m := range pool[:own] {
		configs[m.config] = append(configs[m.config], m)
	}
	best, at = tried[0], levels[len(levels)-1]
	least, enough := math.Inf(1), promised+math.Sqrt(promised*(1-promised)/float64(len(configs)))
	for _, near := range tried {
		held, wide := make([]float64, len(levels)), make([]float64, len(levels))
		for config, rows := range configs {
			others := weighed(pool, rows[0].errorKey, near, config)
			for i, level := range levels {
				w := middle(others, level)
				wide[i] += (w.high - w.low) * float64(len(rows)) / float64(own)
				for _, m := range rows {
					if m.off >= w.low && m.off <= w.high {
						held[i] += 1 / float64(own)
					}
				}
			}
		}
		for i := range levels {
			if held[i] >= enough && wide[i] < least {
				best, at, least = near, levels[i], wide[i]
			}
		}
	}
	return best, at
}

// heavy is an error and how much it counts.
type heavy struct{ off, weight float64 }

// weighed is the errors in their order, by how near they are to k, without those of a configuration.
func weighed(pool []miss, k errorKey, near nearness, without string) []heavy {
	var all []heavy
	for _, m := range pool {
		weight := near.other
		switch {
		case m.config == without:
			continue
		case m.errorKey == k:
			weight = 1
		case m.engine == k.engine && m.regime == k.regime:
			weight = near.engine
		}
		all = append(all, heavy{m.off, weight})
	}
	slices.SortFunc(all, func(a, b heavy) int {
		switch {
		case a.off < b.off:
			return -1
		case a.off > b.off:
			return 1
		}
		return 0
	})
	return all
}

// middle is the logarithms between which so much of the weight lies.
func middle(all []heavy, inside float64) width {
	sum := 0.0
	for _, h := range all {
		sum += h.weight
	}
	at := func(share float64) float64 {
		before := 0.0
		for _, h := range all {
			if before += h.weight; before >= share*sum {
				return h.off
			}
		}
		return all[len(all)-1].off
	}
	if len(all) == 0 {
		return width{-math.Ln2, math.Ln2}
	}
	return width{at((1 - inside) / 2), at((1 + inside) / 2 * (1 - 1e-12))}
}
