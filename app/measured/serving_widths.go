package measured

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/serving"
)

type width struct{ low, high float64 }

// errorKey is which errors an interval is taken from.
type errorKey struct{ regime, quantity, engine, chip, model, release string }

func (k errorKey) String() string {
	release := strings.TrimSpace(k.engine + " " + k.release)
	return strings.Join([]string{k.regime, k.quantity, release, k.chip, k.model}, "\t")
}

// anyRelease is k where the release of the engine isn't stated.
func (k errorKey) anyRelease() errorKey {
	k.release = ""
	return k
}

// miss is the error of a row, measured over predicted as a logarithm, and where it comes from.
type miss struct {
	errorKey
	config string
	off    float64
	strain float64    // what the spread of errors grows with ([setting.strain])
	worth  float64    // rows of one configuration are alike: many count for less than in proportion
	wide   [2]float64 // times as wide as for the usual case, below and above
	plain  float64    // off over that
}

// line is an interval of the usual case, and how its ends grow with the strain.
type line struct {
	width
	grows [2]float64
}

// nearness is how much an error counts for a case of another model or chip with the same engine, and of another engine,
// where one of the same counts 1; and for a case whose release is stated, what one of the same release and another
// model or chip, or of the same model and chip and another release, counts at least.
type nearness struct{ engine, other, half float64 }

// tried are those among which rows choose: all alike, and families that speak more and more for themselves; releases
// that tell nothing, and those that tell ever more.
var tried = []nearness{{1, 1, 1}, {0.3, 0.1, 1}, {0.3, 0.1, 0.3}, {0.1, 0.02, 1}, {0.1, 0.02, 0.3}, {0.1, 0.02, 0.1},
	{0.03, 0.005, 1}, {0.03, 0.005, 0.3}, {0.03, 0.005, 0.1}, {0.03, 0.005, 0.03}, {0.01, 0.001, 1}, {0.01, 0.001, 0.3},
	{0.01, 0.001, 0.1}, {0.01, 0.001, 0.03}, {0.01, 0.001, 0.01}}

// promised is the share of measurements that intervals hold.
const promised = 0.9

// few is how many configurations of a regime say by themselves how wide an interval must be: with fewer than 19 it must
// hold all of them ([ofOneMore]). Closed loops on the same chips are counted with fewer.
const few = 20

// widthsOf gives the interval of each regime, engine and family, from errors by regime and quantity. That it is cross-
// conformal was fixed before its shares of rows inside were looked at; what the spread grows with, that both ends move
// by themselves, and what becomes of a few configurations was settled by what holds where configurations are left out:
//
//  1. The spread of errors grows with the strain as rows have it ([growsOf]), or not at all.
//  2. An interval is the narrowest that holds nine tenths of the weight of errors so scaled, where those of the same
//     model, chip and engine count most, so that families of few rows borrow from the others (localised conformal
//     prediction). Which of 1, and how much others count, is what costs least on configurations that are left out, by
//     the score of [cost].
//  3. Both ends of all intervals of a regime and quantity are moved by the same shares of their halves, so that nine in
//     ten rows are inside when their configuration is left out (cross-conformal prediction).
//
// A few configurations tell neither growth nor families: theirs have one interval, that of all their errors (split
// conformal prediction).
func widthsOf(pools map[[2]string][]miss, lines map[errorKey]line) {
	for at, pool := range pools {
		slices.SortStableFunc(pool, func(a, b miss) int {
			return cmp.Or(cmp.Compare(a.config, b.config), cmp.Compare(a.off, b.off))
		})
		weigh(pool)
		own := len(pool)
		if configurations(pool) < few && at[0] != "together" && !(at[0] == "open" && paced(at[1])) {
			pool = append(slices.Clone(pool), pools[[2]string{"together", at[1]}]...)
			weigh(pool)
		}
		unstated := choose(pool, own, false, growths(pool, own))
		stated := choose(pool, own, true, [][2]float64{unstated.grows}) // the table has one growth of a regime
		for _, m := range pool[:own] {
			for _, k := range []errorKey{m.errorKey, m.anyRelease(), {m.regime, m.quantity, m.engine, "", "", ""},
				{m.regime, m.quantity, "", "", "", ""}} {
				c := &unstated
				if k.release != "" {
					c = &stated
				}
				if _, done := lines[k]; !done {
					lines[k] = line{c.interval(k), unstated.grows}
				}
			}
		}
	}
}

// weigh counts a configuration's rows by the root of their number.
func weigh(pool []miss) {
	rows := map[string]float64{}
	for _, m := range pool {
		rows[m.config]++
	}
	for i := range pool {
		pool[i].worth = 1 / math.Sqrt(rows[pool[i].config])
	}
}

// configurations is how many there are.
func configurations(pool []miss) int {
	all := map[string]bool{}
	for _, m := range pool {
		all[m.config] = true
	}
	return len(all)
}

// half is half of how wide it is; of what is known to a hair, still a little, of which others may be a multiple.
func (w width) half() float64 { return max(w.high-w.low, math.Log(1.1)) / 2 }

// position is where an error lies: -1 at the lower end, 1 at the upper.
func (w width) position(off float64) float64 { return (off - (w.low+w.high)/2) / w.half() }

// moved is w with its ends at other positions.
func (w width) moved(ends width) width {
	middle, half := (w.low+w.high)/2, w.half()
	return width{middle + ends.low*half, middle + ends.high*half}
}

// chosen is what the rows of a regime and quantity choose.
type chosen struct {
	near   nearness
	grows  [2]float64
	share  float64 // of the weight that an interval holds before its ends are moved
	ends   width   // the positions to which ends are moved
	sorted []miss  // by their scaled errors
	cost   float64
}

// interval is that of a family, an engine or a regime; it holds the prediction itself.
func (c *chosen) interval(k errorKey) width {
	w := middle(weighed(c.sorted, k, c.near, ""), c.share).moved(c.ends)
	return width{min(w.low, 0), max(w.high, 0)}
}

// growths is the growths among which the first own rows choose: none, and where they are many that of all.
func growths(pool []miss, own int) [][2]float64 {
	growths := [][2]float64{{}}
	if configurations(pool[:own]) >= few {
		if grown := growsOf(pool); grown != growths[0] {
			growths = append(growths, grown)
		}
	}
	return growths
}

// choose is the nearness and the growth, of some, that cost least on the first own rows, when their configuration is
// left out, if their releases are stated or not.
func choose(pool []miss, own int, stated bool, growths [][2]float64) chosen {
	best := chosen{cost: math.Inf(1), share: promised, ends: width{-1, 1}, near: tried[0]}
	if configurations(pool) < few {
		best.sorted, best.share = scaled(pool, [2]float64{}), ofOneMore(configurations(pool))
		return best
	}
	for _, grows := range growths {
		sorted := scaled(pool, grows)
		for _, near := range tried {
			if !stated && near.half < 1 {
				continue
			}
			cost, ends := leaveOut(pool, own, sorted, grows, near, stated)
			if cost < best.cost || best.sorted == nil {
				best = chosen{near, grows, promised, ends, sorted, cost}
			}
		}
	}
	return best
}

// ofOneMore is the share that must be inside of so many configurations, so that what is promised of one more holds.
func ofOneMore(configurations int) float64 {
	n := float64(configurations)
	return min(promised*(n+1)/n, 1)
}

// scaled is the errors over what the strain makes of the spread, in their order.
func scaled(pool []miss, grows [2]float64) []miss {
	all := slices.Clone(pool)
	for i := range all {
		m := &all[i]
		m.wide = m.wider(grows)
		m.plain = m.off / m.wide[m.side()]
	}
	slices.SortStableFunc(all, func(a, b miss) int { return cmp.Compare(a.plain, b.plain) })
	return all
}

// wider is how many times as wide as usual both sides of a row's interval are.
func (m *miss) wider(grows [2]float64) [2]float64 {
	return [2]float64{serving.Wider(grows[0], m.strain), serving.Wider(grows[1], m.strain)}
}

// side is 0 for a row that was faster than predicted, and 1 for others.
func (m *miss) side() int {
	if m.off < 0 {
		return 0
	}
	return 1
}

// at is the interval of a row whose interval would usually be w.
func (w width) at(wide [2]float64) width {
	scale := func(x float64) float64 {
		if x < 0 {
			return x * wide[0]
		}
		return x * wide[1]
	}
	return width{scale(w.low), scale(w.high)}
}

// leaveOut holds the first own rows against the intervals that all other configurations give: their mean cost, and
// to which positions their ends must be moved so that nine in ten rows are inside.
func leaveOut(pool []miss, own int, sorted []miss, grows [2]float64, near nearness, stated bool) (float64, width) {
	type part struct {
		errorKey
		config string
	}
	parts := map[part][]miss{}
	for _, m := range pool[:own] {
		p := part{m.errorKey, m.config}
		if !stated {
			p.errorKey = p.anyRelease()
		}
		parts[p] = append(parts[p], m)
	}
	sum, worth, at, configs := 0.0, 0.0, []heavy(nil), map[string]bool{}
	for _, p := range slices.SortedFunc(maps.Keys(parts), func(a, b part) int {
		return cmp.Or(cmp.Compare(a.config, b.config), cmp.Compare(a.String(), b.String()))
	}) {
		w := middle(weighed(sorted, p.errorKey, near, p.config), promised)
		configs[p.config] = true
		for _, m := range parts[p] {
			wide := m.wider(grows)
			at = append(at, heavy{w.position(m.off / wide[m.side()]), 1})
			sum += m.worth * cost(w.at(wide), m.off)
			worth += m.worth
		}
	}
	slices.SortFunc(at, func(a, b heavy) int { return cmp.Compare(a.off, b.off) })
	return sum / worth, middle(at, ofOneMore(len(configs)))
}

// cost is the score of an interval for what was measured: how wide it is, and how far that lies beyond, which counts
// twenty times. It is least on average for the interval that nine in ten are in, half of the others on each side
// (Winkler; Gneiting and Raftery).
func cost(w width, off float64) float64 {
	return w.high - w.low + 2/(1-promised)*max(w.low-off, off-w.high, 0)
}

// growsOf is how the ends of the errors grow with the strain: so that the quantiles that leave a twentieth on
// each side fit best (quantile regression), in quarters.
func growsOf(pool []miss) (grows [2]float64) {
	for side, share := range []float64{(1 - promised) / 2, (1 + promised) / 2} {
		least := math.Inf(1)
		for x := 0.0; x <= 4; x += 0.25 {
			if loss := quantileLoss(pool, x, share); loss < least*(1-1e-9) {
				grows[side], least = x, loss
			}
		}
	}
	return grows
}

// quantileLoss is how badly a quantile fits that grows so.
func quantileLoss(pool []miss, grows, share float64) float64 {
	wide, all := make([]float64, len(pool)), make([]heavy, len(pool))
	sum := 0.0
	for i := range pool {
		m := &pool[i]
		wide[i] = serving.Wider(grows, m.strain)
		all[i] = heavy{m.off / wide[i], m.worth}
		sum += m.worth
	}
	slices.SortFunc(all, func(a, b heavy) int { return cmp.Compare(a.off, b.off) })
	at, within := 0, 0.0
	for ; at < len(all)-1; at++ {
		if within += all[at].weight; within >= share*sum {
			break
		}
	}
	loss, end := 0.0, all[at].off
	for i := range pool {
		if x := pool[i].off - end*wide[i]; x > 0 {
			loss += share * x * pool[i].worth
		} else {
			loss -= (1 - share) * x * pool[i].worth
		}
	}
	return loss
}

// heavy is an error and how much it counts.
type heavy struct{ off, weight float64 }

// weighed is the scaled errors in their order, by how near they are to k, without those of a configuration.
func weighed(sorted []miss, k errorKey, near nearness, without string) []heavy {
	all := make([]heavy, 0, len(sorted))
	for i := range sorted {
		m, weight := &sorted[i], near.other
		switch {
		case m.config == without:
			continue
		case m.engine == k.engine && m.regime == k.regime:
			family, release := m.chip == k.chip && m.model == k.model, k.release != "" && m.release == k.release
			switch {
			case family && (release || k.release == ""):
				weight = 1
			case family:
				weight = near.half
			case release && near.half < 1:
				weight = max(near.engine, near.half)
			default:
				weight = near.engine
			}
		}
		all = append(all, heavy{m.plain, weight * m.worth})
	}
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

// widthTable is the lines as app/serving reads them, but for those that say hardly anything else than a wider one:
// first those of all, then of engines, of their families, of releases, and of families in a release.
func widthTable(lines map[errorKey]line) serving.SpreadTable {
	byName, kept := map[string]errorKey{}, map[errorKey]width{}
	for k := range lines {
		byName[k.String()] = k
	}
	names := slices.SortedFunc(maps.Keys(byName), func(a, b string) int {
		return cmp.Or(cmp.Compare(byName[a].depth(), byName[b].depth()), cmp.Compare(a, b))
	})
	for _, name := range names {
		k := byName[name]
		if w := lines[k].width; !w.like(wider(kept, k)) {
			kept[k] = w
		}
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		k := byName[name]
		if w, is := kept[k]; is {
			fmt.Fprintf(&b, "%s\t%.3g\t%.3g", name, math.Exp(w.low), math.Exp(w.high))
			if grows := lines[k].grows; grows != [2]float64{} && k.engine == "" {
				fmt.Fprintf(&b, "\t%g\t%g", grows[0], grows[1])
			}
			b.WriteString("\n")
		}
	}
	return serving.SpreadTable(b.String())
}

// depth is how much k tells.
func (k errorKey) depth() (n int) {
	for i, text := range []string{k.engine, k.model, k.release} {
		if text != "" {
			n += 1 << i
		}
	}
	return n
}

// like tells whether both ends lie within a tenth, by which no interval is known.
func (w width) like(other width) bool {
	return math.Abs(w.low-other.low) <= math.Log(1.1) && math.Abs(w.high-other.high) <= math.Log(1.1)
}

// wider is what a line is read as where it is left out: that of its family whatever the release, of its engine, or of
// all; of all nothing.
func wider(kept map[errorKey]width, k errorKey) width {
	engines, all := errorKey{k.regime, k.quantity, k.engine, "", "", ""}, errorKey{k.regime, k.quantity, "", "", "", ""}
	for _, as := range []errorKey{k.anyRelease(), engines, all} {
		if w, is := kept[as]; is && as != k {
			return w
		}
	}
	return width{math.Inf(-1), math.Inf(1)}
}
