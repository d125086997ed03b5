package measured

import (
	"cmp"
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
	Unsure   float64 // standard error of Covered if nine in ten are inside, by configurations ([unsure])
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

// Validate estimates all rows with the shipped constants and says how far they lie off, by group, quantity and part.
// The interval of a row is as wide as the rows of other parts of the configurations have it.
func (s *HeldServing) Validate(group Grouping) []Served {
	cases := s.cases
	type key struct {
		group, quantity string
		fitted          bool
	}
	off, wide := map[key][]float64{}, map[key][]float64{}
	inside, points := map[key]map[string]insides{}, map[key][]summary.Point{}
	for i, errs := range AllErrors(cases, serving.Fitted) {
		for q, x := range errs {
			k := key{group(cases[i]), q, cases[i].Fitted()}
			low, high := cases[i].interval(q, serving.Fitted(cases[i].Engine()), s.widths[cases[i].Fold()])
			off[k], wide[k] = append(off[k], x), append(wide[k], high/low)
			m := cases[i].measured(q)
			points[k] = append(points[k], summary.Point{Predicted: m * math.Exp(x), Measured: m})
			if inside[k] == nil {
				inside[k] = map[string]insides{}
			}
			of := inside[k][cases[i].Family()]
			of.rows++
			if miss := math.Exp(-x); miss >= low && miss <= high {
				of.inside++
			}
			inside[k][cases[i].Family()] = of
		}
	}
	var all []Served
	parts := map[string][]insides{}
	for k, configs := range inside {
		for _, of := range configs {
			parts[k.quantity] = append(parts[k.quantity], of)
		}
	}
	for _, configs := range parts {
		slices.SortFunc(configs, insides.compare) // sums don't depend on the order of a map
	}
	for k, xs := range off {
		same := func(x float64) float64 { return x }
		configs := slices.SortedFunc(maps.Values(inside[k]), insides.compare)
		covered := 0.0
		for _, of := range configs {
			covered += of.inside
		}
		all = append(all, Served{k.group, k.quantity, k.fitted, len(xs), Quantile(xs, .5, Percent),
			Quantile(xs, .9, Percent),
			math.Exp(Quantile(xs, .5, same)) - 1, covered / float64(len(xs)), Quantile(wide[k], .5, same), needs(xs),
			unsure(configs, alike(parts[k.quantity])), points[k]})
	}
	sort.Slice(all, func(i, j int) bool { return all[i].sortKey() < all[j].sortKey() })
	return all
}

// insides is how many rows a configuration has, and how many of them are inside their intervals.
type insides struct{ rows, inside float64 }

// compare orders configurations by what they have.
func (of insides) compare(other insides) int {
	return cmp.Or(cmp.Compare(of.rows, other.rows), cmp.Compare(of.inside, other.inside))
}

// alike is the correlation, between the rows of one configuration, of whether they are inside.
func alike(configs []insides) float64 {
	both, pairs := 0.0, 0.0
	for _, of := range configs {
		out, off := of.rows-of.inside, of.inside-promised*of.rows
		both += off*off - of.inside*(1-promised)*(1-promised) - out*promised*promised
		pairs += of.rows * (of.rows - 1)
	}
	return max(both/max(pairs, 1)/(promised*(1-promised)), 0)
}

// unsure is the standard error of the share of rows inside, if nine in ten are on average: rows of one configuration
// are alike, and so many of them say less than as many of their own (the design effect of clusters, Kish).
func unsure(configs []insides, alike float64) float64 {
	rows, pairs := 0.0, 0.0
	for _, of := range configs {
		rows += of.rows
		pairs += of.rows * (of.rows - 1)
	}
	return math.Sqrt(promised*(1-promised)*(rows+alike*pairs)) / rows
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

// interval is the factors of the interval of one quantity of c over what is predicted.
func (c Case) interval(quantity string, k serving.Constants, widths serving.SpreadTable) (low, high float64) {
	t := *c.setting
	t.widths = widths
	a, err := t.answer(k)
	if err != nil {
		return math.NaN(), math.NaN()
	}
	return t.intervals(a)(c.metric(quantity))
}

func (h Served) sortKey() string {
	return h.Group + "|" + h.Quantity + "|" + strconv.FormatBool(h.Fitted)
}

// PrintServing is a table of lines, columns between tabs.
func PrintServing(lines []Served) string {
	var b strings.Builder
	b.WriteString("group\tquantity\trows\tnumber\tmedian error\tp90 error\tbias\tcovered\tunsure\tinterval\tneeded\n")
	for _, h := range lines {
		part := "kept aside"
		if h.Fitted {
			part = "fitted"
		}
		fmt.Fprintf(
			&b,
			"%s\t%s\t%s\t%d\t%.1f %%\t%.1f %%\t%+.1f %%\t%.0f %%\t%.0f %%\t%.2fx\t%.2fx\n",
			h.Group,
			h.Quantity,
			part,
			h.Rows,
			100*h.Median,
			100*h.P90,
			100*h.Bias,
			100*h.Covered,
			100*h.Unsure,
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
func (c Case) Stated() bool {
	return !c.setting.apart || c.setting.prefill.workers > 0 && c.setting.likes == 0
}

// Unsettled tells whether nobody knows if tokens are guessed for the row: its set-up was published with guesses and
// without, and rows of both are there. No constant is fitted to it.
func (c Case) Unsettled() bool { return c.setting.unsettled }

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
	return c.errors(a)
}

// errors are those of an answer.
func (c Case) errors(a answer) map[string]float64 {
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
	name := c.metric(quantityName)
	if name == "" {
		return math.NaN()
	}
	m := c.Measured[name]
	if strings.HasSuffix(name, "_ms") {
		m /= 1e3
	}
	return m
}

// metric is the name of the metric of a quantity that Errors compares with; "" if it wasn't measured.
func (c Case) metric(quantityName string) string {
	for _, name := range metricOrder {
		if c.Measured[name] > 0 && quantity(name) == quantityName {
			return name
		}
	}
	return ""
}

// slowness is the logarithm of how many times as long steps would have to take, for requests in an open loop to take as
// long as measured. Near what a replica can take hardly longer steps make a queue many times as long, so that errors of
// the steps are alike at all loads, and those of waits are not.
func (t *setting) slowness(c *Case, a answer) (off float64, measured bool) {
	const most, halvings = 8, 40
	name := c.metric("whole")
	if name == "" {
		return 0, false
	}
	low, high := -math.Log(most), math.Log(most)
	for range halvings {
		if middle := (low + high) / 2; t.slowed(a, math.Exp(middle))[name] < c.Measured[name] {
			low = middle
		} else {
			high = middle
		}
	}
	return (low + high) / 2, true
}

// firstSlowness is the logarithm of measured over predicted of first tokens in an open loop: over the nearest of what
// the slowness of steps may make of them, 0 for all between.
func (t *setting) firstSlowness(c *Case, a answer) (off float64, measured bool) {
	name := c.metric("first")
	if name == "" {
		return 0, false
	}
	least, most := t.paces(a)
	m := c.Measured[name]
	return math.Log(m / min(max(m, least[name]), most[name])), true
}

// paces is the metrics of an open loop if steps are as fast and as slow as nine in ten rows of open loops have them.
func (t *setting) paces(a answer) (least, most map[string]float64) {
	w := t.spread("open", "whole", a)
	return t.slowed(a, w.Low), t.slowed(a, w.High)
}

// paced tells whether a quantity is one of which a queue is a part.
func paced(quantity string) bool { return quantity == "first" || quantity == "whole" }

// slowed is the metrics of an open loop whose steps take so many times as long.
func (t *setting) slowed(a answer, slower float64) map[string]float64 {
	q := t.queue(a.line, slower)
	a.queue, a.Output, a.Requests = &q, q.Output, q.Output/t.load.Out
	return a.openMetrics()
}

// spread is the interval of a quantity, by what is known of the case: its model on its chip by a release of its engine,
// or by any; its engine, or only its regime; and by its load.
func (t *setting) spread(regime, quantity string, a answer) serving.Spread {
	w := t.widths
	if w == "" {
		w = Shipped()
	}
	family := strings.TrimSpace(t.family() + " " + t.release)
	return w.Of(t.wait(regime, quantity, a), quantity, family, t.chip.ID, t.shape.Model.ID).Of(t.strain(quantity, a))
}

// family is whose errors a case's are like: those of its engine. Rows of all requests at once are of one engine, and
// what tells the sure from the unsure among them is whether tokens choose experts, of whom some get more than others.
func (t *setting) family() string {
	switch {
	case t.regime() != "offline":
		return t.engine
	case t.shape.Model.MoE.Experts > 0:
		return "experts"
	}
	return "dense"
}

// wait is the regime of a quantity: first tokens that mostly wait for a place in the cache have one of their own, since
// there an error of the memory that is left, or of the rate, is many times as large in the wait. How many workers
// prefill and how many places there are to decode decide how long first tokens wait: where a set-up tells both it is as
// if the row said them, whatever is guessed.
func (t *setting) wait(regime, quantity string, a answer) string {
	if regime == "together" && quantity == "first" && a.First.Queue > a.TTFT/2 {
		return regime + ", waiting"
	}
	if regime == ofSeveral && quantity == "first" {
		if t.likes == 1 && t.decode.slots > 0 {
			return "apart"
		}
		return unstatedWorkers
	}
	return regime
}

// fewAtOnce is a batch of which nothing is uneven yet.
const fewAtOnce = 64

// strain is what the spread of a quantity's errors grows with, known before anything runs: of all at once how many
// sequences do, which end one by one; of first tokens with prefill apart how long answers are; of others the share of
// the steps that prompts take.
func (t *setting) strain(quantity string, a answer) float64 {
	switch {
	case t.apart && quantity == "first":
		return t.load.Waits()
	case t.kind == offline && !t.apart:
		return max(math.Log(a.Admitted/fewAtOnce), 0)
	}
	return a.prompting()
}

// prompting is the share of the steps' time that prompts take in a closed loop, whose bursts are what errors grow with.
func (a answer) prompting() float64 {
	if a.queue != nil {
		return 0
	}
	return a.Prompting()
}

// spreadOf is the factors of the interval of a metric. In a closed loop the time of a request is the number under way
// over their rate (Little's law).
func (t *setting) spreadOf(metric string, a answer) (low, high float64) {
	q, inverse := quantity(metric), strings.Contains(metric, "interactivity")
	if q == "whole" && t.kind == closedLoop {
		q, inverse = "rate", true
	}
	w := t.spread(t.regime(), q, a)
	if inverse {
		return 1 / w.High, 1 / w.Low
	}
	return w.Low, w.High
}

// intervals is the factors, by metric, between which measurements lie over what a says. Of times in an open loop that a
// queue is a part of, they begin at those of steps as fast and as slow as nine in ten rows have them.
func (t *setting) intervals(a answer) func(metric string) (low, high float64) {
	if a.queue == nil {
		return func(metric string) (low, high float64) { return t.spreadOf(metric, a) }
	}
	mid := a.openMetrics()
	least, most := t.paces(a)
	return func(metric string) (low, high float64) {
		low, high = t.spreadOf(metric, a)
		switch fast, slow := least[metric]/mid[metric], most[metric]/mid[metric]; quantity(metric) {
		case "first":
			return low * fast, high * slow
		case "whole":
			return fast, slow
		}
		return low, high
	}
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
	return each(cases, func(c Case) map[string]float64 { return c.Errors(k(c.Engine())) })
}

// each asks all cases, on as many processors as there are.
func each(cases []Case, ask func(Case) map[string]float64) []map[string]float64 {
	out := make([]map[string]float64, len(cases))
	const parts = 4
	var wg sync.WaitGroup
	for part := range parts {
		wg.Go(func() {
			for i := part; i < len(cases); i += parts {
				out[i] = ask(cases[i])
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
	switch {
	case t.asRead != "":
		plan = t.asRead
	case t.apart:
		plan = t.prefill.plan.String() + " to " + t.decode.plan.String()
	}
	if t.likes > 0 { // which part a row belongs to was settled by what it tells
		mode = unstatedWorkers
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
		if t.kind != closedLoop || tpot <= 0 || rate <= 0 || chips <= 0 || t.likes > 0 || t.apart &&
			t.prefill.workers*t.decode.workers == 0 || !asked(t.load.In, t.load.Out) {
			continue
		}
		mode := map[bool]string{false: "together", true: "apart"}[t.apart]
		key := fmt.Sprintf("%s\t%s\t%g\t%s\t%s\t%g\t%g", t.shape.Model.ID, t.chip.ID, 8*t.shape.Precision.Experts,
			t.engine,
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
