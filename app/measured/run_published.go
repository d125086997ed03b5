package measured

import (
	"math"
	"slices"

	"github.com/scalebook/scalebook/app/measured/summary"
	"github.com/scalebook/scalebook/app/training"
)

// mostMisses is how many of the widest misses are told.
const mostMisses = 25

// PublishedRuns are how far predicted steps of published runs lie from measured ones, for all of them and by the
// version of their software, and the widest misses.
func PublishedRuns(trials []Trial) ([]summary.Run, []summary.Miss) {
	any := func(*Trial) bool { return true }
	all := []summary.Run{judgeRuns("all", "all", trials, any), judgeRuns("all", "kept aside", trials, any)}
	for _, name := range training.Stacks() {
		one := judgeRuns(name, "all", trials, func(t *Trial) bool { return t.Run.Job.Stack.Name == name })
		if one.Rows > 0 {
			all = append(all, one)
		}
	}
	return all, misses(trials)
}

// judgeRuns sums up the runs that are wanted.
func judgeRuns(name, part string, trials []Trial, wanted func(*Trial) bool) summary.Run {
	r := summary.Run{Stack: name, Part: part}
	var errors, ratios []float64
	held := 0
	for i := range trials {
		t := &trials[i]
		if t.Seconds <= 0 || part == "kept aside" && !t.Aside() || !wanted(t) {
			continue
		}
		ratio := t.Step.Mid / t.Seconds
		errors, ratios = append(errors, math.Abs(ratio-1)), append(ratios, ratio)
		if t.Step.Low <= t.Seconds && t.Seconds <= t.Step.High {
			held++
		}
	}
	if r.Rows = len(errors); r.Rows > 0 {
		r.Median, r.P90, r.Bias = percentile(errors, 0.5), percentile(errors, 0.9), halfway(ratios)-1
		r.Inside = float64(held) / float64(r.Rows)
	}
	return r
}

// halfway is the median, of the two in the middle their mean.
func halfway(values []float64) float64 {
	slices.Sort(values)
	n := len(values)
	return (values[(n-1)/2] + values[n/2]) / 2
}

// misses are the runs whose predictions lie farthest off, either way.
func misses(trials []Trial) []summary.Miss {
	far := func(t *Trial) float64 { return math.Abs(math.Log(t.Step.Mid / t.Seconds)) }
	var known []*Trial
	for i := range trials {
		if trials[i].Seconds > 0 {
			known = append(known, &trials[i])
		}
	}
	slices.SortStableFunc(known, func(a, b *Trial) int {
		switch x, y := far(a), far(b); {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	var all []summary.Miss
	for _, t := range known[:min(len(known), mostMisses)] {
		all = append(all, summary.Miss{ID: t.ID, Stack: t.Run.Job.Stack.Name, Device: t.Run.Job.Device.Name,
			Devices: t.Run.Job.Devices, Predicted: t.Step.Mid, Measured: t.Seconds, Source: t.Source})
	}
	return all
}
