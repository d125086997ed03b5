package measured

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/scalebook/scalebook/app/training"
)

// groups are trials by model and nodes, in a fixed order.
func groups(trials []Trial) [][]*Trial {
	by := map[string][]*Trial{}
	var keys []string
	for i := range trials {
		t := &trials[i]
		key := fmt.Sprint(t.Setup["model"], " ", t.Run.Job.Devices)
		if by[key] == nil {
			keys = append(keys, key)
		}
		by[key] = append(by[key], t)
	}
	var all [][]*Trial
	for _, key := range keys {
		all = append(all, by[key])
	}
	return all
}

// rate is the predicted rate of a trial as measured MFU has it, in operations a second: the grid counts the
// parameters of tied and untied tables differently.
func (t *Trial) rate() float64 { return float64(t.Run.Job.Batch) * t.Run.flopsPerToken() / t.Step.Mid }

// Regrets is, for each group of plans of one model on so many nodes, what is lost by the plan that is predicted to be
// the fastest: one less its measured rate over the best measured one. Plans that failed are left out; of the others
// only those are chosen that the planner would propose.
func Regrets(trials []Trial) []float64 {
	var all []float64
	for _, g := range groups(trials) {
		best, choice := 0.0, (*Trial)(nil)
		for _, t := range g {
			best = max(best, t.Measured["mfu_pct"])
			if !t.Failed && t.chosen() && (choice == nil || t.rate() > choice.rate()) {
				choice = t
			}
		}
		if choice != nil && best > 0 {
			all = append(all, 1-choice.Measured["mfu_pct"]/best)
		}
	}
	return all
}

// RegretsOfThree is the same of the best of the three plans that are predicted to be the fastest: what is lost by
// whoever tries three.
func RegretsOfThree(trials []Trial) []float64 {
	const tries = 3
	var all []float64
	for _, g := range groups(trials) {
		best, found := 0.0, 0.0
		var ran []*Trial
		for _, t := range g {
			best = max(best, t.Measured["mfu_pct"])
			if !t.Failed && t.chosen() {
				ran = append(ran, t)
			}
		}
		slices.SortStableFunc(ran, func(a, b *Trial) int { return cmp.Compare(b.rate(), a.rate()) })
		for _, t := range ran[:min(len(ran), tries)] {
			found = max(found, t.Measured["mfu_pct"])
		}
		if found > 0 {
			all = append(all, 1-found/best)
		}
	}
	return all
}

// chosen tells whether the planner would propose the plan: it is expected to fit, not only possibly.
func (t *Trial) chosen() bool {
	return t.Price.Memory.Total() <= training.AfterContext(t.Run.Job.Device.Memory)
}

// ranks is Spearman's correlation of predicted and measured rates, for each group of at least five plans that ran.
func ranks(trials []Trial) []float64 {
	const fewest = 5
	var all []float64
	for _, g := range groups(trials) {
		var predicted, measured []float64
		for _, t := range g {
			if !t.Failed {
				predicted, measured = append(predicted, t.rate()), append(measured, t.Measured["mfu_pct"])
			}
		}
		if len(predicted) >= fewest {
			all = append(all, correlation(order(predicted), order(measured)))
		}
	}
	return all
}

// order is the place of each value among all; equal values share the mean of their places.
func order(values []float64) []float64 {
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	places := make([]float64, len(values))
	for i, v := range values {
		first, _ := slices.BinarySearch(sorted, v)
		last := first
		for last+1 < len(sorted) && sorted[last+1] == v {
			last++
		}
		places[i] = float64(first+last) / 2
	}
	return places
}

// correlation is Pearson's.
func correlation(a, b []float64) float64 {
	ma, mb := mean(a), mean(b)
	var ab, aa, bb float64
	for i := range a {
		ab, aa, bb = ab+(a[i]-ma)*(b[i]-mb), aa+(a[i]-ma)*(a[i]-ma), bb+(b[i]-mb)*(b[i]-mb)
	}
	return ab / math.Sqrt(aa*bb)
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// refusals counts plans that ran and that failed, and how many of each are called impossible.
func refusals(trials []Trial) (refused, ran, caught, failed int) {
	for i := range trials {
		t := &trials[i]
		switch {
		case t.Failed && !t.Fits:
			caught++
			failed++
		case t.Failed:
			failed++
		case !t.Fits:
			refused++
			ran++
		default:
			ran++
		}
	}
	return refused, ran, caught, failed
}

// fitting counts trials that fit.
func fitting(trials []Trial) (n int) {
	for i := range trials {
		if trials[i].Fits {
			n++
		}
	}
	return n
}
