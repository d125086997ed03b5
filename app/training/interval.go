package training

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/scalebook/scalebook/app/hardware"
)

// Interval is a figure with its doubt: measured values lie between Low and High nine times in ten.
type Interval struct{ Low, Mid, High float64 }

//go:embed spreads.tsv
var spreadTable string // stack, what, from which degree on, measured over predicted: low, high

// spread is how far measured rows of a stack lay from predicted ones, from a degree on: of time the share of the peak
// that the plan is predicted to use, of memory its tensor parallelism.
type spread struct {
	stack, what     string
	from, low, high float64
}

// Spreads are those of all stacks, of one stack and one figure from the highest degree down.
type Spreads []spread

var spreads = sync.OnceValue(func() Spreads { return ReadSpreads(spreadTable) })

// SpreadTable is the text of the spreads that intervals have.
func SpreadTable() string { return spreadTable }

// ReadSpreads reads a table of the form of SpreadTable.
func ReadSpreads(text string) Spreads {
	var all Spreads
	for line := range strings.Lines(text) {
		cells := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if len(cells) < 5 {
			continue
		}
		s := spread{stack: cells[0], what: cells[1]}
		for i, x := range []*float64{&s.from, &s.low, &s.high} {
			*x, _ = strconv.ParseFloat(cells[2+i], 64)
		}
		all = append(all, s)
	}
	return all
}

// WithSpreads is the estimator with intervals of other spreads: a row is held against intervals that it has no part in.
func (p *Estimator) WithSpreads(s Spreads) *Estimator {
	other := *p
	other.spreads = s
	return &other
}

// interval is x with the spread of the highest degree that is reached, of the stack or of the one that it is like.
func (all Spreads) interval(stack *Stack, what string, degree, x float64) Interval {
	best, found := spread{low: 0.7, high: 1.5}, false
	for _, scope := range slices.Backward(stack.scopes()) {
		for _, s := range all {
			if s.stack == scope && s.what == what && (!found || best.from > degree) {
				best, found = s, true
			}
		}
		if found {
			break
		}
	}
	return Interval{x * best.low, x, x * best.high}
}

// AfterContext is what the tensors of a process can have of what programs can have of a device: all but its context.
func AfterContext(memory float64) float64 { return max(memory-hardware.Context, 0) }

// Use is the share that the model's operations take of the devices' dense rate in the format that matmuls compute in,
// what is computed again not counted.
func (p *Estimator) Use(estimate *Estimate) float64 { return p.UseOf(estimate, p.job.Recipe.Compute) }

// UseOf is the same share of the rate in a format. How far predictions lie is known by the share of bf16's.
func (p *Estimator) UseOf(estimate *Estimate, rate DType) float64 {
	return p.TokensPerSecond(estimate) * p.flops / p.job.Device.Peak[rate]
}

// StepInterval is the time of a step. No step is shorter than the plan's own matmuls, nor than the model's operations
// at the peak.
func (p *Estimator) StepInterval(estimate *Estimate) Interval { return p.RunInterval(estimate, true) }

// RunInterval is the same of a run that somebody reports. Who doesn't tell all of its plan may compute less again than
// is taken for granted: then no step is shorter than the plan's matmuls without that, and the interval is wider.
func (p *Estimator) RunInterval(estimate *Estimate, stated bool) Interval {
	i := p.spreadOf(estimate, stated)
	wider := max(1, p.job.Device.Doubt)
	least := estimate.Time.MicroBatches * estimate.Time.Matmul
	if !stated {
		plan := estimate.Plan
		c := p.layout(&plan)
		if all := p.matmulPasses(&c); all > 3 && !p.job.Frozen {
			least *= 3 / all
		}
	}
	least = max(least, i.Mid*p.Use(estimate)) // as no rate is above the peak, attention's neither
	return Interval{min(max(i.Low/wider, least), i.Mid), i.Mid, i.High * wider}
}

// spreadOf is the step with the spread of rows of its kind.
func (p *Estimator) spreadOf(estimate *Estimate, stated bool) Interval {
	what, s := "time", p.job.Stack
	if tuner, err := StackNamed("transformers"); err == nil && p.job.Frozen && s.Family == "fsdp" {
		s = tuner // of whose adapters there are rows
	}
	switch {
	case s.FirstRank != 0 && estimate.Plan.PP > 1:
		what = "time.pipeline"
	case p.shape.experts > 0 && p.spreads.has(s, "time.experts"):
		what = "time.experts" // releases differ more on these
	case p.job.Recipe.Compute != BF16 && p.spreads.has(s, "time.eight"):
		what = "time.eight" // what casts cost differs
	case !stated && p.spreads.has(s, "time.untold"):
		what = "time.untold"
	}
	return p.spreads.interval(s, what, p.UseOf(estimate, BF16), estimate.Time.Step())
}

// Equal tells whether each of two steps lies in the other's interval: predictions don't tell which is shorter.
func (p *Estimator) Equal(a, b *Estimate) bool {
	return p.StepInterval(a).holds(b.Time.Step()) && p.StepInterval(b).holds(a.Time.Step())
}

func (i Interval) holds(x float64) bool { return i.Low <= x && x <= i.High }

// has tells whether enough rows tell how far a figure of a stack lies from what was measured.
func (all Spreads) has(stack *Stack, what string) bool {
	scopes := stack.scopes()
	return slices.ContainsFunc(
		all,
		func(s spread) bool { return s.what == what && slices.Contains(scopes, s.stack) },
	)
}

// MemoryInterval is the memory that the software reports: of the fullest rank, or of the first.
func (p *Estimator) MemoryInterval(estimate *Estimate) Interval {
	return p.memoryInterval(estimate, estimate.Reported.Total())
}

// memoryInterval is the memory of a rank with the spread of those measured.
func (p *Estimator) memoryInterval(estimate *Estimate, bytes float64) Interval {
	return p.spreads.interval(p.job.Stack, "memory", float64(estimate.Plan.TP), bytes)
}

// Fit is whether a plan fits into the memory of its devices, as far as that is known.
type Fit uint8

// What can be said: the whole interval of the fullest rank's memory fits, or its middle does, or its lower end, or
// nothing of it.
const (
	FitNo Fit = iota
	FitUnlikely
	FitLikely
	FitYes
)

// String is f as a word.
func (f Fit) String() string { return nameOf([]string{"no", "unlikely", "likely", "yes"}, f) }

// FitOf tells whether the fullest rank fits.
func (p *Estimator) FitOf(estimate *Estimate) Fit {
	i := p.memoryInterval(estimate, estimate.Memory.Total())
	switch capacity := AfterContext(p.job.Device.Memory); {
	case i.High <= capacity:
		return FitYes
	case i.Mid <= capacity:
		return FitLikely
	case i.Low <= capacity:
		return FitUnlikely
	}
	return FitNo
}

// Fits tells whether the fullest rank may fit.
func (p *Estimator) Fits(estimate *Estimate) bool { return p.FitOf(estimate) != FitNo }
