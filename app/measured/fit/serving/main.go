// Command serving holds app/serving against measurements, and fits its constants anew.
//
//	go run ./app/measured/fit/serving          the errors by regime, on the fitted rows and on those kept aside
//	go run ./app/measured/fit/serving -families          the same by model, chip and engine
//	go run ./app/measured/fit/serving -rows deepseek     every row of a family, predicted over measured
//	go run ./app/measured/fit/serving -rounds 8 -without gpu.h200  errors on fitted rows of H200 once it is left out
//	go run ./app/measured/fit/serving -rounds 12 -write  fits the constants anew, and writes them
//	go run ./app/measured/fit/serving -write             the same for those without a part of the configurations alone
//	go run ./app/measured/fit/serving -spreads -write    the widths of intervals, built with these constants
//
// Rows belong to a configuration: model, chip, engine, regime, precision, plan. A hash of it says whether its rows are
// fitted or kept aside, so that no row is kept aside whose likes are fitted.
package main

import (
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"sort"
	"strings"
	"text/tabwriter"

	"github.com/scalebook/scalebook/app/measured"
	"github.com/scalebook/scalebook/app/serving"
)

func main() {
	families := flag.Bool("families", false, "by model, chip and engine")
	list := flag.String("rows", "", "every row whose configuration contains this")
	rounds := flag.Int("rounds", 0, "rounds of fitting")
	spreads := flag.Bool("spreads", false, "the widths of intervals, from the constants that the program is built with")
	write := flag.Bool("write", false, "write what was fitted")
	without := flag.String("without", "",
		"fit without the configurations that contain this, and hold them against the fit")
	flag.Parse()
	cases := read()
	switch {
	case *without != "":
		leaveOut(cases, *without, *rounds)
	case *spreads:
		spread(cases, *write)
	case *rounds > 0 || *write:
		fit(cases, *rounds, *write)
	case *list != "":
		each(cases, *list)
	default:
		group := measured.ByRegime
		if *families {
			group = measured.ByFamily
		}
		out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
		held := measured.HoldServing()
		fmt.Fprint(out, measured.PrintServing(held.Validate(group)))
		out.Flush()
	}
}

// read is all measured rows of serving.
func read() []measured.Case {
	cases, reasons := measured.ServingCases()
	for why, n := range reasons {
		fmt.Fprintf(os.Stderr, "%d rows are left out: %s\n", n, why)
	}
	return cases
}

// each prints the rows of some configurations.
func each(cases []measured.Case, want string) {
	for i, errs := range measured.AllErrors(cases, serving.Fitted) {
		c := cases[i]
		if !strings.Contains(c.Family(), want) {
			continue
		}
		fmt.Printf(
			"%s | %s/%s at %s",
			c.Family(),
			c.Setup.Text("isl", "isl_mean"),
			c.Setup.Text("osl", "osl_mean"),
			c.Setup.Text("concurrency", "request_per_s"),
		)
		for _, q := range []string{"first", "token", "whole", "rate"} {
			if x, found := errs[q]; found {
				fmt.Printf(" | %s x%.2f", q, math.Exp(x))
			}
		}
		fmt.Println()
	}
}

// fittedOnes are the rows meant for the fit, with their weights.
func fittedOnes(cases []measured.Case) []measured.Case {
	var fitted []measured.Case
	for _, c := range weigh(cases) {
		if c.Fitted() {
			fitted = append(fitted, c)
		}
	}
	return fitted
}

// fit fits the constants to the rows meant for it, and prints or writes them, and those without each part of the
// configurations.
func fit(cases []measured.Case, rounds int, write bool) {
	fitted := fittedOnes(cases)
	s := newSearch(fitted)
	for r := range rounds {
		s.round()
		fmt.Fprintf(os.Stderr, "round %d: %.5f\n", r+1, s.best)
	}
	constants, without := s.table(), measured.FoldConstants(s.unseen())
	if !write {
		fmt.Print(constants, without)
		return
	}
	save("app/serving/constants.tsv", constants)
	save("app/measured/fold_constants.tsv", without)
}

// spread writes the widths of intervals that follow from the constants, or prints them.
func spread(cases []measured.Case, write bool) {
	planned, other := measured.SplitSpreads(measured.SpreadsOf(cases))
	if !write {
		fmt.Print(planned, other)
		return
	}
	save("app/serving/spreads.tsv", string(planned))
	save("app/measured/serving_spreads.tsv", string(other))
}

// save writes a file.
func save(path, text string) {
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// engines have some constants of their own: what their code costs, which the chips have no part in.
var engines = []string{"vllm", "sglang", "trtllm"}

// own are those constants.
var own = map[string]bool{
	"layer":        true,
	"block":        true,
	"latent":       true,
	"eager":        true,
	"eager_latent": true,
	"sequence":     true,
	"checked":      true,
	"together":     true,
	"captured":     true,
	"ahead":        true,
	"gather":       true,
	"join":         true,
	"wave":         true,
	"crowd":        true,
}

// highest is the most that a share may be: no memory and no wire is ever all used.
const highest = 0.95

// shares are constants that stay below it.
var shares = map[string]bool{
	"weights":  true,
	"weights4": true,
	"sparse":   true,
	"alike":    true,
	"cache":    true,
	"math16":   true,
	"math8":    true,
	"math4":    true,
	"score":    true,
	"links":    true,
	"together": true,
	"wave":     true,
	"crowd":    true,
}

// knob is a constant that is fitted, of one engine or of all. What is searched is its logarithm, or for a share what
// keeps it between 0 and the highest.
type knob struct {
	name string
	at   []*float64
}

func (k *knob) get() float64 {
	v := max(*k.at[0], 1e-9)
	if shares[k.name] {
		v = min(v, 0.999*highest)
		return math.Log(v / (highest - v))
	}
	return math.Log(v)
}

func (k *knob) set(x float64) {
	v := math.Exp(x)
	if shares[k.name] {
		v = highest / (1 + math.Exp(-x))
	}
	if p, known := priorOf(k.name); known {
		v = min(max(v, math.Exp(p.low)), math.Exp(p.high))
	}
	for _, at := range k.at {
		*at = v
	}
}

// leaveOut fits without the configurations that contain a text, and prints how far predictions of these lie off before
// and after: what the laws are worth for a model or a chip that they have not seen. Only rows of the fit take part.
func leaveOut(cases []measured.Case, text string, rounds int) {
	var seen, unseen []measured.Case
	for _, c := range fittedOnes(cases) {
		if strings.Contains(c.Family(), text) {
			unseen = append(unseen, c)
		} else {
			seen = append(seen, c)
		}
	}
	s := newSearch(seen)
	errorsOf("before", unseen, s)
	for range rounds {
		s.round()
	}
	errorsOf("after", unseen, s)
}

// errorsOf prints median and p90 of the errors on some rows, by regime and quantity.
func errorsOf(when string, cases []measured.Case, s *search) {
	off := map[string][]float64{}
	for i, errs := range measured.AllErrors(cases, s.get) {
		for q, x := range errs {
			name := cases[i].Regime() + ", " + q
			off[name] = append(off[name], x)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(off)) {
		xs := off[name]
		fmt.Printf("%s\t%s\t%d\t%.1f %%\t%.1f %%\n", when, name, len(xs),
			100*measured.Quantile(xs, .5, measured.Percent),
			100*measured.Quantile(xs, .9, measured.Percent))
	}
}

// worth is how much an error of a quantity counts. Rates follow from the others, but offline they are all there is.
var worth = map[string]float64{"first": 0.5, "token": 1, "whole": 1}

// weigh gives configurations weights: with many rows less than in proportion; open loops more, which are few; and those
// whose plan is half unknown little, and none those of which nobody knows whether they guess.
func weigh(cases []measured.Case) []measured.Case {
	family := map[string]float64{}
	for _, c := range cases {
		family[c.Family()]++
	}
	for i := range cases {
		c := &cases[i]
		c.Weight = 1 / math.Sqrt(family[c.Family()])
		switch {
		case c.Unsettled(): // fitted to both, constants would be those of neither
			c.Weight = 0
		case !c.Stated():
			c.Weight *= 0.1
		case c.Regime() == "open":
			c.Weight *= 3
		}
	}
	return cases
}

// miss is the logarithm of predicted over measured, and how much it counts.
type miss struct {
	off, worth float64
	at         int // the case
}

// misses are those of all rows and quantities, in an order that doesn't change.
func (s *search) misses() []miss {
	var all []miss
	for i, errs := range measured.AllErrors(s.cases, s.get) {
		names := make([]string, 0, len(errs))
		for q := range errs {
			names = append(names, q)
		}
		sort.Strings(names)
		for _, q := range names {
			w := worth[q] * s.cases[i].Weight
			if q == "rate" && s.cases[i].Regime() == "offline" {
				w = s.cases[i].Weight
			}
			all = append(all, miss{errs[q], w, i})
		}
	}
	return all
}

// near is the error below which it counts by its square, and above by its size.
const near = 0.1

// beyond is the most that an error counts: of rows far beyond all laws, as where kernels are compiled while the first
// requests wait, some more of it hardly matters (Geman and McClure).
const beyond = 0.5

// size is how much an error counts, before its worth.
func size(e float64) float64 {
	x := math.Hypot(e, near) - near
	return x / (1 + x/beyond)
}

// loss is the mean error.
func loss(all []miss) float64 {
	sum, n := 0.0, 0.0
	for _, m := range all {
		e := math.Abs(m.off)
		sum += m.worth * size(e)
		n += m.worth
	}
	return sum / n
}

// worths is the sum of what errors are worth.
func worths(all []miss) float64 {
	n := 0.0
	for _, m := range all {
		n += m.worth
	}
	return n
}

// pull is the weight of the square of m, by which squares stand for the loss.
func (m miss) pull() float64 {
	e := math.Abs(m.off)
	h := math.Hypot(e, near)
	flat := 1 + (h-near)/beyond
	return m.worth / (h * flat * flat)
}

// damped is a with so much of its diagonal added, which keeps steps short.
func damped(a [][]float64, damping float64) [][]float64 {
	mean := 0.0
	for i := range a {
		mean += a[i][i] / float64(len(a))
	}
	out := make([][]float64, len(a))
	for i := range a {
		out[i] = append([]float64(nil), a[i]...)
		out[i][i] += damping*a[i][i] + 1e-3*mean
	}
	return out
}

// solve is the x of a x = b, for a that is symmetric and positive: by Cholesky's factors, in place.
func solve(a [][]float64, b []float64) []float64 {
	n, x := len(b), append([]float64(nil), b...)
	for i := range n {
		for j := range i + 1 {
			sum := a[i][j]
			for k := range j {
				sum -= a[i][k] * a[j][k]
			}
			if i == j {
				a[i][i] = math.Sqrt(max(sum, 1e-12))
			} else {
				a[i][j] = sum / a[j][j]
			}
		}
	}
	for i := range n {
		for k := range i {
			x[i] -= a[i][k] * x[k]
		}
		x[i] /= a[i][i]
	}
	for i := n - 1; i >= 0; i-- {
		for k := i + 1; k < n; k++ {
			x[i] -= a[k][i] * x[k]
		}
		x[i] /= a[i][i]
	}
	return x
}
