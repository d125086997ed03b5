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
var spreadTable string // stack, what, from which degree on, measured over predicted: low, high, source

// spread is how far measured rows of a stack lay from predicted ones, from a degree on: of time the share of the peak
// that the plan is predicted to use, of memory its tensor parallelism.
type spread struct {
	stack, what     string
	from, low, high float64
}

var spreads = sync.OnceValue(func() []spread { return readSpreads(spreadTable) })

func readSpreads(text string) []spread {
	var all []spread
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

// interval is x with the spread of the highest degree that is reached.
func interval(stack, what string, degree, x float64) Interval {
	best, found := spread{low: 0.7, high: 1.5}, false
	for _, s := range spreads() { // of one stack and one figure from the highest degree down
		if s.stack == stack && s.what == what && (!found || best.from > degree) {
			best, found = s, true
		}
	}
	return Interval{x * best.low, x, x * best.high}
}

// Usable is what the tensors of a process can have of what programs can have of a device: all but its context.
func Usable(memory float64) float64 { return max(memory-hardware.Context, 0) }

// Use is the share that the model's operations take of the devices' dense rate in the format that matmuls compute in,
// what is computed again not counted.
func (p *Pricer) Use(price *Price) float64 { return p.UseOf(price, p.job.Recipe.Compute) }

// UseOf is the same share of the rate in a format. How far predictions lie is known by the share of bf16's.
func (p *Pricer) UseOf(price *Price, rate DType) float64 {
	return p.TokensPerSecond(price) * p.flops / p.job.Device.Peak[rate]
}

// StepInterval is the time of a step. No step is shorter than the plan's own matmuls.
func (p *Pricer) StepInterval(price *Price) Interval {
	i := p.RunInterval(price)
	return Interval{max(i.Low, price.Time.MicroBatches*price.Time.Matmul), i.Mid, i.High}
}

// RunInterval is the same of a run that somebody reports, who seldom tells all of its plan: what it computes again may
// be less than is taken for granted. No step is shorter than the model's operations at the peak of its matmuls.
func (p *Pricer) RunInterval(price *Price) Interval {
	what := "time"
	switch name := p.job.Stack.Name; {
	case p.job.Stack.FirstRank != 0 && price.Plan.PP > 1:
		what = "time.pipeline"
	case p.shape.experts > 0 && hasSpread(name, "time.experts"):
		what = "time.experts" // releases differ more on these
	}
	i := interval(p.job.Stack.Name, what, p.UseOf(price, BF16), price.Time.Step())
	wider := max(1, p.job.Device.Doubt)
	return Interval{max(i.Low/wider, i.Mid*min(1, p.Use(price))), i.Mid, i.High * wider}
}

// Equal tells whether each of two steps lies in the other's interval: predictions don't tell which is shorter.
func (p *Pricer) Equal(a, b *Price) bool {
	return p.StepInterval(a).holds(b.Time.Step()) && p.StepInterval(b).holds(a.Time.Step())
}

func (i Interval) holds(x float64) bool { return i.Low <= x && x <= i.High }

// hasSpread tells whether enough rows tell how far a figure of a stack lies from what was measured.
func hasSpread(stack, what string) bool {
	return slices.ContainsFunc(spreads(), func(s spread) bool { return s.stack == stack && s.what == what })
}

// MemoryInterval is the memory that the software reports: of the fullest rank, or of the first.
func (p *Pricer) MemoryInterval(price *Price) Interval {
	return interval(p.job.Stack.Name, "memory", float64(price.Plan.TP), price.Reported.Total())
}

// Fits tells whether the fullest rank may fit: whether the lower end of its interval does.
func (p *Pricer) Fits(price *Price) bool {
	i := interval(p.job.Stack.Name, "memory", float64(price.Plan.TP), price.Memory.Total())
	return i.Low <= Usable(p.job.Device.Memory)
}
