// Command fit fits the constants of a software stack to measured rows and prints the lines for
// app/training/constants.tsv.
//
//	go run ./app/measured/fit/training -stack nanotron -what time launch ring_step matmul
//
// It moves one constant at a time up and down by a factor, keeps what lowers the objective, and shortens its steps:
// plain, and the same every time. Only rows that are not kept aside count. The objective is the mean of
// |ln(predicted/measured)|, each at most 1, in which runs that hardly used their devices weigh little.
package main

import (
	"flag"
	"fmt"
	"math"
	"os"
	"sort"

	"github.com/scalebook/scalebook/app/measured"
	"github.com/scalebook/scalebook/app/training"
)

// sample is a row to fit to.
type sample struct {
	run            measured.Run
	id             string
	seconds, bytes float64
	weight         float64
	aside          bool
}

func main() {
	stack := flag.String("stack", "nanotron", "whose constants")
	what := flag.String("what", "time", "time or memory")
	rounds := flag.Int("rounds", 40, "how often each constant is tried")
	list := flag.Bool("list", false, "print every row with its errors")
	spread := flag.Bool("spread", false, "print how far measured rows lie from predicted ones")
	flag.Parse()
	all := samples(*stack, *what)
	s, err := training.StackNamed(*stack)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	f := fitter{stack: s, samples: all, what: *what}
	fmt.Printf("# %d rows to fit to, %d aside; before: %.4f, aside %.4f\n", count(all, false), count(all, true),
		f.loss(false), f.loss(true))
	f.fit(flag.Args(), *rounds)
	fmt.Printf("# after: %.4f, aside %.4f\n", f.loss(false), f.loss(true))
	for _, name := range flag.Args() {
		for _, c := range s.Constants() {
			if c.Name == name {
				fmt.Printf("%s\t%s\t%.4g\tfitted\n", *stack, name, *c.Value)
			}
		}
	}
	if *list {
		f.list()
	}
	f.table()
	if *spread {
		f.spread()
	}
}

// spread prints the lines for app/training/spreads.tsv: between which factors measured over predicted lies, of rows
// not kept aside, by degree. A degree that few rows reach is joined to the one below, the
// lowest to the one above.
func (f *fitter) spread() {
	experts := func(s *sample) bool { return s.run.Job.Model.MoE.Experts > 0 }
	dense := func(s *sample) bool { return !experts(s) }
	switch {
	case f.what == "memory" || f.stack.FirstRank == 0 && f.fitted(experts) < few:
		f.spreads(f.what, func(*sample) bool { return true })
		return
	case f.stack.FirstRank == 0:
		f.spreads("time", dense)
		f.spreads("time.experts", experts)
		return
	}
	f.spreads("time", func(s *sample) bool { return s.run.Plan.PP <= 1 })
	f.spreads("time.pipeline", func(s *sample) bool { return s.run.Plan.PP > 1 })
}

// few is how many rows a spread needs of its own.
const few = 15

// fitted is how many rows that are wanted the fit sees.
func (f *fitter) fitted(wanted func(*sample) bool) (n int) {
	for i := range f.samples {
		if s := &f.samples[i]; !s.aside && wanted(s) {
			n++
		}
	}
	return n
}

// spreads prints the lines of those rows that are wanted.
func (f *fitter) spreads(what string, wanted func(*sample) bool) {
	degrees := []float64{0, 0.05, 0.1, 0.2, 0.4}
	if f.what == "memory" {
		degrees = []float64{0, 2, 4, 8, 16}
	}
	var ratios []float64
	printed := false
	for k := len(degrees) - 1; k >= 0; k-- {
		for i := range f.samples {
			s := &f.samples[i]
			if d := f.degree(s); s.aside || !wanted(s) || d < degrees[k] || k+1 < len(degrees) && d >= degrees[k+1] {
				continue
			}
			ratios = append(ratios, 1/f.ratio(s))
		}
		if len(ratios) < few && (k > 0 || printed) || len(ratios) < 4 {
			continue
		}
		printed = true
		sort.Float64s(ratios)
		hold := 0.92
		if f.stack.FirstRank != 0 && f.what == "time" && degrees[k] >= 0.1 {
			// about one run in ten stood still for reasons of its own; to hold those too would say nothing of the
			// others
			hold = 0.9
			if degrees[k] >= 0.2 {
				hold = 0.87
			}
		}
		low, high := shortest(ratios, hold)
		fmt.Printf("%s\t%s\t%g\t%.3f\t%.3f\tto hold %.0f %% of rows not seen, from %d that are not kept aside\n",
			f.stack.Name, what,
			degrees[k], low, high, 100*hold, len(ratios))
		ratios = nil
	}
}

// unseen widens an interval for rows that the fit has not seen; where it saw few, three times over.
const unseen = 1.04

// shortest is the narrowest interval of sorted ratios that should hold a share of rows that the fit has not seen, and a
// little more. From the first to the k-th of n values in order there lie (k-1)/(n+1) of all others, in the mean.
func shortest(ratios []float64, hold float64) (low, high float64) {
	n := len(ratios)
	held := min(n, int(math.Ceil(hold*float64(n+1)))+1)
	low, high = ratios[0], ratios[n-1]
	for i := 0; i+held <= n; i++ {
		if a, b := ratios[i], ratios[i+held-1]; b/a < high/low {
			low, high = a, b
		}
	}
	if n < 50 {
		return min(low, 0.95) / unseen / unseen / unseen, max(high, 1.05) * unseen * unseen * unseen
	}
	return min(low, 0.95) / unseen, max(high, 1.05) * unseen
}

// degree is what the spread of a row depends on.
func (f *fitter) degree(s *sample) float64 {
	if f.what == "memory" {
		return float64(max(1, s.run.Plan.TP))
	}
	s.run.Job.Stack = f.stack
	p := training.NewPricer(s.run.Job)
	price := p.Price(s.run.Plan)
	return p.Use(&price)
}

func count(all []sample, aside bool) (n int) {
	for _, s := range all {
		if s.aside == aside {
			n++
		}
	}
	return n
}

// samples are the rows of a stack with what is fitted.
func samples(stack, what string) []sample {
	var all []sample
	for _, c := range append(measured.Ultrascale(), measured.Published()...) {
		run, err := measured.NewRun(c.Row.Setup)
		if err != nil || run.Job.Stack.Name != stack || c.Failed || training.NewPricer(run.Job).Legal(run.Plan) != nil {
			continue
		}
		s := sample{run: run, id: c.ID, aside: c.Aside(), weight: 1}
		s.seconds, s.bytes = run.Seconds(&c), run.Bytes(&c)
		if stack == "nanotron" && what == "time" {
			switch mfu := c.Measured["mfu_pct"]; {
			case mfu < 3:
				s.weight = 0.03
			case mfu < 5:
				s.weight = 0.1
			case mfu < 10:
				s.weight = 0.4
			}
		}
		if what == "time" && s.seconds > 0 || what == "memory" && s.bytes > 0 {
			all = append(all, s)
		}
	}
	return all
}

// fitter moves the constants of a stack.
type fitter struct {
	stack   *training.Stack
	samples []sample
	what    string
}

// ratio is predicted over measured.
func (f *fitter) ratio(s *sample) float64 {
	s.run.Job.Stack = f.stack
	p := training.NewPricer(s.run.Job)
	price := p.Price(s.run.Plan)
	if f.what == "memory" {
		return price.Reported.Total() / s.bytes
	}
	return price.Time.Step() / s.seconds
}

func (f *fitter) loss(aside bool) float64 {
	sum, weight := 0.0, 0.0
	for i := range f.samples {
		s := &f.samples[i]
		if s.aside != aside {
			continue
		}
		sum += s.weight * min(1, math.Abs(math.Log(f.ratio(s))))
		weight += s.weight
	}
	return sum / weight
}

// fit tries each named constant in turn.
func (f *fitter) fit(names []string, rounds int) {
	step, best := 1.3, f.loss(false)
	for range rounds {
		before := best
		for _, name := range names {
			best = f.move(name, step, best)
		}
		if before-best < 1e-5 {
			step = 1 + (step-1)/2
		}
	}
}

// move tries a constant larger and smaller, and keeps what is better.
func (f *fitter) move(name string, step, best float64) float64 {
	for _, c := range f.stack.Constants() {
		if c.Name != name {
			continue
		}
		for _, factor := range []float64{step, 1 / step} {
			old := *c.Value
			*c.Value = old * factor
			if got := f.loss(false); got < best-1e-9 {
				best = got
				break
			}
			*c.Value = old
		}
	}
	return best
}

// list prints every row, the worst last.
func (f *fitter) list() {
	sort.Slice(f.samples, func(i, k int) bool {
		return math.Abs(math.Log(f.ratio(&f.samples[i]))) < math.Abs(math.Log(f.ratio(&f.samples[k])))
	})
	for i := range f.samples {
		s := &f.samples[i]
		s.run.Job.Stack = f.stack
		p := training.NewPricer(s.run.Job)
		price := p.Price(s.run.Plan)
		fmt.Printf("%.2f %s %+v:", f.ratio(s), s.id, price.Plan)
		parts := price.Time.Parts()
		if f.what == "memory" {
			parts = price.Reported.Parts()
		}
		for _, part := range parts {
			fmt.Printf(" %s %.4g", part.Name, part.Value)
		}
		fmt.Println()
	}
}

// table prints the errors of the rows that count in full and of all.
func (f *fitter) table() {
	for _, aside := range []bool{false, true} {
		for _, least := range []float64{0.99, 0.3, 0} {
			var errors []float64
			for i := range f.samples {
				if s := &f.samples[i]; s.aside == aside && s.weight >= least {
					errors = append(errors, math.Abs(f.ratio(s)-1))
				}
			}
			if sort.Float64s(errors); len(errors) > 0 {
				n := len(errors)
				fmt.Printf("# aside %v, weight >= %.2f: %d rows, median %.1f %%, p90 %.1f %%\n", aside, least, n,
					100*errors[n/2], 100*errors[n*9/10])
			}
		}
	}
}
