package measured

import (
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"

	"github.com/scalebook/scalebook/app/measured/summary"
	"github.com/scalebook/scalebook/app/serving"
)

// Served is how far predictions lie from measurements, over some rows of one quantity.
type Served struct {
	Group    string // which rows: a regime, or a family of model, chip and engine within one
	Quantity string // "first" (token), "token" (time per output token), "whole" (request), "rate" (tokens a second)
	Fitted   bool   // the rows that constants were fitted to; otherwise those kept aside
	Rows     int
	Median   float64 // of the error, as a share of what was measured
	P90      float64 // of the error
	Bias     float64 // the median of predicted over measured, less 1
	Covered  float64 // share of the rows inside their interval
	Width    float64 // of the interval: its upper end over its lower, in the median
	Needs    float64 // the narrowest interval around nine in ten of the rows, in the same way
	Points   []summary.Point
}

// Grouping names the rows that a line of a table is about.
type Grouping func(Case) string

// ByRegime groups by the kind of load and system.
func ByRegime(c Case) string { return c.Regime() }

// ByFamily groups by regime, model, chip and engine.
func ByFamily(c Case) string {
	t := c.setting
	return strings.Join([]string{c.Regime(), t.shape.Model.ID, t.chip.ID, t.engine}, " | ")
}

// ValidateServing estimates all cases with the shipped constants and says how far they lie off, by group, quantity and
// part.
func ValidateServing(cases []Case, group Grouping) []Served {
	type key struct {
		group, quantity string
		fitted          bool
	}
	off, inside, wide, points := map[key][]float64{}, map[key]float64{}, map[key][]float64{}, map[key][]summary.Point{}
	for i, errs := range AllErrors(cases, serving.Fitted) {
		for q, x := range errs {
			k := key{group(cases[i]), q, cases[i].Fitted()}
			low, high := cases[i].interval(q)
			off[k], wide[k] = append(off[k], x), append(wide[k], high/low)
			m := cases[i].measured(q)
			points[k] = append(points[k], summary.Point{Predicted: m * math.Exp(x), Measured: m})
			if miss := math.Exp(-x); miss >= low && miss <= high {
				inside[k]++
			}
		}
	}
	var all []Served
	for k, xs := range off {
		n := float64(len(xs))
		same := func(x float64) float64 { return x }
		all = append(all, Served{k.group, k.quantity, k.fitted, len(xs), Quantile(xs, .5, Percent), Quantile(xs, .9, Percent),
			math.Exp(Quantile(xs, .5, same)) - 1, inside[k] / n, Quantile(wide[k], .5, same), needs(xs), points[k]})
	}
	sort.Slice(all, func(i, j int) bool { return all[i].sortKey() < all[j].sortKey() })
	return all
}

// needs is the ratio of the ends of the narrowest interval that holds nine in ten of some errors.
func needs(off []float64) float64 {
	xs := slices.Sorted(slices.Values(off))
	most, least := int(math.Ceil(0.9*float64(len(xs)))), math.Inf(1)
	for i := most - 1; i < len(xs); i++ {
		least = min(least, xs[i]-xs[i-most+1])
	}
	return math.Exp(least)
}

// interval is the factors of the interval of one quantity of c.
func (c Case) interval(quantity string) (low, high float64) {
	w := c.setting.spread(quantity)
	return w.low, w.high
}

func (h Served) sortKey() string {
	return h.Group + "|" + h.Quantity + "|" + strconv.FormatBool(h.Fitted)
}

// PrintServing is a table of lines, columns between tabs.
func PrintServing(lines []Served) string {
	var b strings.Builder
	b.WriteString("group\tquantity\trows\tnumber\tmedian error\tp90 error\tbias\tcovered\tinterval\tneeded\n")
	for _, h := range lines {
		part := "kept aside"
		if h.Fitted {
			part = "fitted"
		}
		fmt.Fprintf(
			&b,
			"%s\t%s\t%s\t%d\t%.1f %%\t%.1f %%\t%+.1f %%\t%.0f %%\t%.2fx\t%.2fx\n",
			h.Group,
			h.Quantity,
			part,
			h.Rows,
			100*h.Median,
			100*h.P90,
			100*h.Bias,
			100*h.Covered,
			h.Width,
			h.Needs,
		)
	}
	return b.String()
}

// Quantile is the q-th quantile of what f makes of the numbers that are numbers.
func Quantile(xs []float64, q float64, f func(float64) float64) float64 {
	var ys []float64
	for _, x := range xs {
		if !math.IsNaN(x) {
			ys = append(ys, f(x))
		}
	}
	if len(ys) == 0 {
		return math.NaN()
	}
	sort.Float64s(ys)
	return ys[int(q*float64(len(ys)-1)+0.5)]
}

// Percent is the error of a prediction, as a share of what was measured, from the logarithm of their ratio.
func Percent(x float64) float64 { return math.Abs(math.Exp(x) - 1) }

// Case is a sample that is ready to be estimated again and again.
type Case struct {
	Sample
	setting *setting
	Weight  float64
}

// Cases reads samples; those that can't be estimated are left out, with the reasons counted.
func Cases(samples []Sample) (cases []Case, reasons map[string]int) {
	reasons = map[string]int{}
	for _, s := range samples {
		t, err := readServing(s.Setup)
		if err != nil {
			reasons[err.Error()]++
			continue
		}
		cases = append(cases, Case{Sample: s, setting: t, Weight: 1})
	}
	return cases, reasons
}

// Engine is the engine of the row.
func (c Case) Engine() string { return c.setting.engine }

// Stated tells whether the row says how many workers it has, where prefill and decode are apart.
func (c Case) Stated() bool { return !c.setting.apart || c.setting.prefill.workers > 0 }

// Split tells whether prefill and decode are apart.
func (c Case) Split() bool { return c.setting.apart }

// Regime is what kind of load and system the row has.
func (c Case) Regime() string { return c.setting.regime() }

// Errors are the logarithms of predicted over measured, by what is measured: first, token, whole and rate. Of several
// metrics of one quantity the first in the order of metricOrder counts.
func (c Case) Errors(k serving.Constants) map[string]float64 {
	a, err := c.setting.answer(k)
	if err != nil {
		return nil
	}
	predicted, out := a.metrics(c.setting), map[string]float64{}
	for _, name := range metricOrder {
		m, p, q := c.Measured[name], predicted[name], quantity(name)
		if _, done := out[q]; !done && m > 0 && p > 0 {
			out[q] = math.Log(p / m)
		}
	}
	return out
}

// measured is what was measured of a quantity, in seconds or tokens a second: the metric that Errors compares with.
func (c Case) measured(quantityName string) float64 {
	for _, name := range metricOrder {
		if m := c.Measured[name]; m > 0 && quantity(name) == quantityName {
			if strings.HasSuffix(name, "_ms") {
				m /= 1e3
			}
			return m
		}
	}
	return math.NaN()
}

// metricOrder is the metrics that are held against measurements.
var metricOrder = []string{
	"ttft_ms", "median_ttft_ms", "mean_ttft_ms",
	"tpot_ms", "median_tpot_ms", "mean_tpot_derived_ms", "mean_itl_ms",
	"mean_e2e_s", "mean_e2e_ms",
	"output_tok_s_per_device", "output_tok_s", "output_tok_s_derived",
}

// AllErrors estimates all cases, on as many processors as there are.
func AllErrors(cases []Case, k func(engine string) serving.Constants) []map[string]float64 {
	out := make([]map[string]float64, len(cases))
	const parts = 4
	var wg sync.WaitGroup
	for part := range parts {
		wg.Go(func() {
			for i := part; i < len(cases); i += parts {
				out[i] = cases[i].Errors(k(cases[i].Engine()))
			}
		})
	}
	wg.Wait()
	return out
}

// Family is the configuration of a case without its load: rows of one family are all fitted or all held out.
func (c Case) Family() string {
	t := c.setting
	model := strings.Replace(t.shape.Model.ID, "deepseek.r1", "deepseek.v3", 1)
	mode, plan := t.regime(), t.written.String()
	if t.apart {
		plan = t.prefill.plan.String() + " to " + t.decode.plan.String()
	}
	weights := t.bits() + " bit"
	return strings.Join([]string{model, t.chip.ID, t.engine, mode, weights, plan}, "|")
}

// Fitted tells whether a row is among those that constants are fitted to: about two thirds of the families, by a hash.
func (c Case) Fitted() bool {
	h := fnv.New32a()
	h.Write([]byte(c.Family()))
	return h.Sum32()>>7%3 != 0
}

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

// Widths are the factors of the intervals as the fitted rows give them: the middle of their errors, those of the same
// model, chip and engine first (localised conformal prediction). How much the others count and how much of the middle
// it is, each regime and quantity has from what holds when a configuration is left out: the narrowest that holds what
// is promised, and a standard error more, of as many draws as there are configurations: rows of one are alike. Where
// none holds as much, one more configuration than there are counts instead. The rows kept aside have no part in it.
func Widths(cases []Case, k func(engine string) serving.Constants) string {
	pools := map[[2]string][]miss{}
	for i, errs := range AllErrors(cases, k) {
		t := cases[i].setting
		for q, x := range errs {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				continue
			}
			m := miss{errorKey{t.regime(), q, t.engine, t.chip.ID, t.shape.Model.ID}, cases[i].Family(), -x, 0}
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
	lines := map[errorKey]width{}
	for at, pool := range pools {
		own := len(pool)
		if own < few && at[0] != "together" {
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
	byName := map[string]errorKey{}
	for k := range lines {
		byName[k.String()] = k
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		k := byName[name]
		if w := lines[k]; !w.like(wider(lines, k)) {
			fmt.Fprintf(&b, "%s\t%.2g\t%.2g\n", name, math.Exp(w.low), math.Exp(w.high))
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
// when their configuration is left out: what is promised and a standard error more or, where none holds that, as much
// as the next of so many must rank for what is promised (split conformal prediction).
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
