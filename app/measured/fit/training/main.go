// Command fit fits the constants of a software stack to measured rows and prints the lines for
// app/training/constants.tsv.
//
//	go run ./app/measured/fit/training -stack nanotron -what time launch ring_step matmul
//
// It moves one constant at a time up and down by a factor, keeps what lowers the objective, and shortens its steps:
// plain, and the same every time. Only rows that are not kept aside count. The objective is the mean of
// |ln(predicted/measured)|, each at most 1, in which runs that hardly used their devices weigh little. No constant
// leaves the range that physics allows it, in app/training/ranges.tsv.
package main

import (
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"sort"
	"strings"

	"github.com/scalebook/scalebook/app/measured"
	"github.com/scalebook/scalebook/app/training"
)

// sample is a row to fit to.
type sample struct {
	run            measured.Run
	id             string
	seconds, bytes float64
	meter          measured.Meter // of the bytes
	weight         float64
	aside          bool
}

func main() {
	stack := flag.String("stack", "nanotron", "whose constants")
	what := flag.String("what", "time", "time or memory")
	rounds := flag.Int("rounds", 40, "how often each constant is tried")
	list := flag.Bool("list", false, "print every row with its errors")
	spread := flag.Bool("spread", false, "print, instead, how far measured rows of every stack, or of -stack, lie from "+
		"predicted ones")
	flag.Parse()
	if *spread {
		names := training.Stacks()
		flag.Visit(func(f *flag.Flag) {
			if f.Name == "stack" {
				names = []string{*stack}
			}
		})
		spreads(names)
		return
	}
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
	for _, c := range slices.Concat(measured.Ultrascale(), measured.Published(), measured.Runs()) {
		run, err := measured.NewRun(c.Row.Setup)
		if err != nil || run.Job.Stack.Name != stack || c.Failed || training.NewEstimator(run.Job).Legal(run.Plan) != nil {
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
	return append(all, tunings(stack, what)...)
}

// tunings are the rows of fine-tuning.
func tunings(stack, what string) (all []sample) {
	for _, c := range measured.Tunings() {
		run, err := measured.NewTuning(c.Row.Setup)
		if err != nil || run.Job.Stack.Name != stack || training.NewEstimator(run.Job).Legal(run.Plan) != nil {
			continue
		}
		s := sample{run: run, id: c.ID, aside: c.Aside(), weight: 1, seconds: run.TunedSeconds(&c)}
		s.bytes, s.meter = measured.Gauged(&c)
		if what == "time" && s.seconds > 0 {
			all = append(all, s)
		}
		if what == "memory" && s.bytes > 0 {
			all = append(all, s)
			if x := c.Measured["nvidia_smi_memory_used_MiB"]; x > 0 && s.meter != measured.Taken {
				s.bytes, s.meter = x*(1<<20), measured.Taken
				all = append(all, s)
			}
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
	p := training.NewEstimator(s.run.Job)
	estimate := p.Estimate(s.run.Plan)
	if f.what == "memory" {
		if s.meter != measured.Taken {
			return estimate.Reported.Total() * s.run.Share(&estimate, s.meter) / s.bytes
		}
		return estimate.Reported.Total() / s.bytes
	}
	return estimate.Time.Step() / s.seconds
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
		limit := training.RangeOf(name)
		for _, factor := range []float64{step, 1 / step} {
			old := *c.Value
			*c.Value = min(max(old*factor, limit.Low), limit.High)
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
		p := training.NewEstimator(s.run.Job)
		estimate := p.Estimate(s.run.Plan)
		fmt.Printf("%.2f %s %+v:", f.ratio(s), s.id, estimate.Plan)
		parts := estimate.Time.Parts()
		if f.what == "memory" {
			parts = estimate.Reported.Parts()
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

// few is how many rows a spread needs of its own.
const few = 30

// fewEights is the same of rows whose matmuls compute in 8 bits or fewer: casts cost what frameworks let them.
const fewEights = 10

// spreads prints the lines for app/training/spreads.tsv, and in a sixth column what each is from, which stands in
// spreads.sources.tsv, where no browser loads it: between which factors measured over predicted lies, of rows
// not kept aside, for each stack and kind of case by degree. A version with few rows of its own has those of all such
// versions of its stack; a degree that few rows reach is joined to the one below, the lowest to the one above.
func spreads(names []string) {
	for _, name := range names {
		s, err := training.StackNamed(name)
		if err != nil {
			continue
		}
		for _, kind := range kinds(s) {
			kind.print(s)
		}
	}
}

// kind is a kind of case that has its own spreads.
type kind struct {
	name, what string
	degrees    []float64
	wanted     func(*sample) bool
	least      int  // rows, fewer than which are none
	pooled     bool // rows of versions with few of their own count with those of the stack that they are like
}

func kinds(s *training.Stack) []kind {
	experts := func(r *sample) bool { return r.run.Job.Model.MoE.Experts > 0 }
	eight := func(r *sample) bool { return !experts(r) && r.run.Job.Recipe.Compute != training.BF16 }
	dense := func(r *sample) bool { return !experts(r) }
	eights := len(fitted(kind{what: "time", wanted: eight}, s.Name))
	if eights < fewEights || len(fitted(kind{what: "time", wanted: dense}, s.Name))-eights < few {
		eight = func(*sample) bool { return false }
	}
	told := func(r *sample) bool { return !experts(r) && !eight(r) && r.run.Told }
	untold := func(r *sample) bool { return !experts(r) && !eight(r) && !r.run.Told }
	any := func(*sample) bool { return true }
	use, ways := []float64{0, 0.05, 0.1, 0.2, 0.4}, []float64{0, 2, 4, 8, 16}
	if s.FirstRank != 0 {
		return []kind{{"time", "time", use, func(r *sample) bool { return r.run.Plan.PP <= 1 }, 4, false},
			{"time.pipeline", "time", use, func(r *sample) bool { return r.run.Plan.PP > 1 }, 4, false},
			{"memory", "memory", ways, any, 4, false}}
	}
	all := []kind{{"time", "time", use, told, few, false}, {"time.untold", "time", use, untold, few, false}}
	if len(rowsOf(all[0], s)) < few || len(rowsOf(all[1], s)) < few { // what is told makes no difference that is known
		all = []kind{{"time", "time", use, func(r *sample) bool { return !experts(r) && !eight(r) }, 4, false}}
	}
	all = append(
		all,
		kind{"time.experts", "time", use, experts, few / 2, true},
		kind{"time.eight", "time", use, eight, fewEights, false},
		kind{"memory", "memory", ways, any, 20, true},
	)
	return all
}

// print prints the spreads of a kind.
func (k kind) print(s *training.Stack) {
	own := rowsOf(k, s)
	if len(own) < k.least {
		return
	}
	var ratios []float64
	printed := false
	for d := len(k.degrees) - 1; d >= 0; d-- {
		for i := range own {
			if at := own[i].degree; at >= k.degrees[d] && (d+1 == len(k.degrees) || at < k.degrees[d+1]) {
				ratios = append(ratios, own[i].ratio)
			}
		}
		if len(ratios) < few && (d > 0 || printed) || len(ratios) == 0 {
			continue
		}
		printed = true
		hold := 0.90
		if s.FirstRank != 0 && k.what == "time" && k.degrees[d] >= 0.1 {
			hold = 0.80 // about one run in ten stood still for reasons of its own, fewer of these
		}
		if alike(own) {
			hold += 0.03
		}
		slices.Sort(ratios)
		low, high := shortest(ratios, hold)
		fmt.Printf("%s\t%s\t%g\t%.3f\t%.3f\tto hold %.0f %% of rows not seen, from %d that are not kept aside\n", s.Name,
			k.name, k.degrees[d], low, high, 100*hold, len(ratios))
		ratios = nil
	}
}

// rowsOf are the rows of a kind: of a version with few of its own, those of all such versions together.
func rowsOf(k kind, s *training.Stack) []seen {
	own := fitted(k, s.Name)
	switch {
	case k.pooled && s.Name == s.Family:
		return append(own, versions(k, s.Family)...)
	case k.pooled && len(own) < few:
		return nil
	case s.Name != s.Family && len(own) < few:
		return versions(k, s.Family)
	}
	return own
}

// seen is a row as a spread sees it.
type seen struct {
	ratio, degree float64
	source        string
}

// alike tells whether the rows are of few sources: those of one are alike, so that fewer of them count than there are.
func alike(rows []seen) bool {
	const many = 12
	sources := map[string]bool{}
	for _, r := range rows {
		sources[r.source] = true
	}
	return len(sources) < many
}

// fitted are the rows of a kind and a stack that are not kept aside.
func fitted(k kind, stack string) (all []seen) {
	s, err := training.StackNamed(stack)
	if err != nil {
		return nil
	}
	f := fitter{stack: s, samples: samples(stack, k.what), what: k.what}
	for i := range f.samples {
		if r := &f.samples[i]; !r.aside && k.wanted(r) {
			source, _, _ := strings.Cut(r.id, "-")
			all = append(all, seen{1 / f.ratio(r), f.degree(r), source})
		}
	}
	return all
}

// versions are the rows of a stack's versions that have too few of their own.
func versions(k kind, family string) (all []seen) {
	for _, name := range training.Stacks() {
		if s, err := training.StackNamed(name); err == nil && s.Family == family && name != family {
			if own := fitted(k, name); len(own) < few {
				all = append(all, own...)
			}
		}
	}
	return all
}

// shortest is the narrowest interval of sorted ratios that should hold a share of rows that the fit has not seen. From
// the first to the k-th of n values in order there lie (k-1)/(n+1) of all others, in the mean; that the narrowest is
// chosen asks for a little more.
func shortest(ratios []float64, hold float64) (low, high float64) {
	n := len(ratios)
	held := min(n, int(math.Ceil(hold*float64(n+1))))
	low, high = ratios[0], ratios[n-1]
	for i := 0; i+held <= n; i++ {
		if a, b := ratios[i], ratios[i+held-1]; b/a < high/low {
			low, high = a, b
		}
	}
	return min(low, 0.98) / 1.02, max(high, 1.02) * 1.02
}

// degree is what the spread of a row depends on.
func (f *fitter) degree(s *sample) float64 {
	if f.what == "memory" {
		return float64(max(1, s.run.Plan.TP))
	}
	s.run.Job.Stack = f.stack
	p := training.NewEstimator(s.run.Job)
	estimate := p.Estimate(s.run.Plan)
	return p.UseOf(&estimate, training.BF16)
}
