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
	worth  float64 // rows of one configuration are alike: many count for less than in proportion
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

// Widths are the factors of the intervals as the fitted rows give them, each of which is estimated with constants that
// its configuration had no part in: how much slower than that it was. An interval is the middle of these, those of the
// same model, chip and engine first (localised conformal prediction). How much the others count and how much of the
// middle it is, each regime and quantity has from what holds when a configuration is left out. The rows kept aside have
// no part in it.
func Widths(cases []Case, slowness []map[string]float64) string {
	pools, lines := poolsOf(cases, slowness), map[errorKey]width{}
	for at, pool := range pools {
		own := len(pool)
		if own < few && at[0] != "together" && !(at[0] == "open" && paced(at[1])) { // closed loops count, too
			pool = append(slices.Clone(pool), pools[[2]string{"together", at[1]}]...)
		}
		near, level := choose(pool, own)
		for _, m := range pool[:own] {
			for _, k := range []errorKey{m.errorKey, {m.regime, m.quantity, m.engine, "", ""}, {m.regime, m.quantity, "", "",
				""}} {
				if _, done := lines[k]; !done {
					lines[k] = middle(weighed(pool, k, near, ""), level)
				}
			}
		}
	}
	return widthTable(lines)
}

// poolsOf is the errors by regime and quantity.
func poolsOf(cases []Case, slowness []map[string]float64) map[[2]string][]miss {
	pools := map[[2]string][]miss{}
	for i, slower := range slowness {
		t := cases[i].setting
		for q, x := range slower {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				continue
			}
			m := miss{errorKey{t.regime(), q, t.engine, t.chip.ID, t.shape.Model.ID}, cases[i].Family(), x, 0}
			pools[[2]string{m.regime, q}] = append(pools[[2]string{m.regime, q}], m)
		}
	}
	for _, pool := range pools {
		rows := map[string]float64{}
		for _, m := range pool {
			rows[m.config]++
		}
		for i := range pool {
			pool[i].worth = 1 / math.Sqrt(rows[pool[i].config])
		}
	}
	return pools
}

// widthTable is the lines as app/serving reads them, but for those that say hardly anything else than a wider one.
func widthTable(lines map[errorKey]width) string {
	byName := map[string]errorKey{}
	for k := range lines {
		byName[k.String()] = k
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		k := byName[name]
		if w := lines[k]; !w.like(wider(lines, k)) {
			fmt.Fprintf(&b, "%s\t%.3g\t%.3g\n", name, math.Exp(w.low), math.Exp(w.high))
		}
	}
	return b.String()
}

// like tells whether both ends lie within a twentieth, by which no interval is known.
func (w width) like(other width) bool {
	return math.Abs(w.low-other.low) <= math.Log(1.05) && math.Abs(w.high-other.high) <= math.Log(1.05)
}

// wider is what a line is read as where it is left out: that of its engine, if that has one, or of all; of all nothing.
func wider(lines map[errorKey]width, k errorKey) width {
	all, engine := errorKey{k.regime, k.quantity, "", "", ""}, errorKey{k.regime, k.quantity, k.engine, "", ""}
	switch w, found := lines[engine]; {
	case k == all:
		return width{math.Inf(-1), math.Inf(1)}
	case found && k != engine && !w.like(lines[all]):
		return w
	}
	return lines[all]
}

// choose is the nearness and the level with the narrowest intervals, of those that hold enough of the first own rows
// when their configuration is left out: what is promised and a standard error more, of as many draws as there are
// configurations, since rows of one are alike; or, where none holds that, as much as the next of so many must rank for
// what is promised (split conformal prediction).
func choose(pool []miss, own int) (nearness, float64) {
	configs := map[string][]miss{}
	for _, m := range pool[:own] {
		configs[m.config] = append(configs[m.config], m)
	}
	n := float64(len(configs))
	enough, finite := promised+math.Sqrt(promised*(1-promised)/n), promised*(n+1)/n
	type chosen struct {
		near        nearness
		level, wide float64
	}
	sure := chosen{tried[0], levels[len(levels)-1], math.Inf(1)}
	just := sure
	for _, near := range tried {
		held := make([]leftOut, len(levels))
		for _, config := range slices.Sorted(maps.Keys(configs)) {
			rows := configs[config]
			others := weighed(pool, rows[0].errorKey, near, config)
			for i, level := range levels {
				held[i].add(rows, middle(others, level))
			}
		}
		for i, h := range held {
			share, wide := h.share()
			if share >= finite && wide < just.wide {
				just = chosen{near, levels[i], wide}
			}
			if share >= enough && wide < sure.wide {
				sure = chosen{near, levels[i], wide}
			}
		}
	}
	if math.IsInf(sure.wide, 1) {
		sure = just
	}
	return sure.near, sure.level
}

// leftOut is how intervals do that are taken from all configurations but the one they are held against: sums of what
// rows count, of all and of those inside their interval, and of widths.
type leftOut struct{ worth, inside, wide float64 }

// add adds the rows of a configuration and the interval from the others.
func (l *leftOut) add(rows []miss, w width) {
	for _, m := range rows {
		l.worth += m.worth
		l.wide += m.worth * (w.high - w.low)
		if m.off >= w.low && m.off <= w.high {
			l.inside += m.worth
		}
	}
}

// share is the share of the rows that is inside, and the mean width.
func (l *leftOut) share() (inside, wide float64) {
	return l.inside / l.worth, l.wide / l.worth
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
		all = append(all, heavy{m.off, weight * m.worth})
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

// middle is the logarithms between which so much of the weight lies, as near to each other as can be: errors have one
// long tail.
func middle(all []heavy, inside float64) width {
	sum := 0.0
	for _, h := range all {
		sum += h.weight
	}
	best := width{-math.Ln2, math.Ln2}
	least, within, end := math.Inf(1), 0.0, 0 // the weight of all from the first to before the end
	for _, first := range all {
		for ; end < len(all) && within < inside*sum*(1-1e-12); end++ {
			within += all[end].weight
		}
		if within < inside*sum*(1-1e-12) {
			break
		}
		if w := (width{first.off, all[end-1].off}); w.high-w.low < least {
			best, least = w, w.high-w.low
		}
		within -= first.weight
	}
	return best
}
