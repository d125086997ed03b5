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
	"path/filepath"
	"slices"
	"sort"

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
	spread := flag.String("spread", "",
		"write, instead, spreads.tsv and spreads.sources.tsv, between which factors of "+
			"predictions measured values lie, in this folder: app/training")
	flag.Parse()
	if *spread != "" {
		if err := writeSpreads(*spread); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	all := samples(*stack, *what)
	s, err := training.StackNamed(*stack)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	before := *s
	f := fitter{stack: s, before: &before, samples: all, what: *what}
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
		if err != nil || run.Job.Stack.Name != stack || c.Failed ||
			training.NewEstimator(run.Job).Legal(run.Plan) != nil {
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
	before  *training.Stack // as it was
	samples []sample
	what    string
}

// estimator is a row's, with the constants as they are now, but for those that the row has of its own: how even its
// router is, which kernels it has.
func (f *fitter) estimator(s *sample) *training.Estimator {
	job, own := s.run.Job, *s.run.Job.Stack
	now, before := f.stack.Constants(), f.before.Constants()
	for i, c := range own.Constants() {
		if *c.Value == *before[i].Value {
			*c.Value = *now[i].Value
		}
	}
	job.Stack = &own
	return training.NewEstimator(job)
}

// ratio is predicted over measured.
func (f *fitter) ratio(s *sample) float64 {
	p := f.estimator(s)
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
		p := f.estimator(s)
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

// writeSpreads writes the tables of the intervals of all stacks.
func writeSpreads(folder string) error {
	held := measured.HoldRuns()
	lines, sources := held.Spreads(measured.AllRows)
	if err := os.WriteFile(filepath.Join(folder, "spreads.tsv"), []byte(lines), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "spreads.sources.tsv"), []byte(sources), 0o644)
}
