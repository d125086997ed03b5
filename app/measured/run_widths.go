package measured

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/training"
)

// Intervals hold a share of runs that they were not made of: of another source, model or device, since rows that have
// all three in common are alike (cross-conformal prediction). Constants are not among what is held out: they were
// fitted to one half of the rows, whose errors are somewhat smaller for it.
const (
	heldRuns = promised
	// heldGrid is the same of runs of the Ultra-Scale grid that used a tenth of the peak or more: about one in ten
	// stalled for a reason that nobody knows, fewer of these.
	heldGrid = 0.8
	// fewRuns is how many rows an interval needs of its own.
	fewRuns = 30
	// fewEights is the same where matmuls compute in 8 bits or fewer: what casts cost differs between frameworks.
	fewEights = 10
	// runFolds is in how many parts runs are divided, each of which is held against intervals of the others: so many
	// that few groups are left out at a time, as none is of the intervals that planners have.
	runFolds = 20
)

// HeldRuns are the predictions of all rows of training that constants or intervals were made of.
type HeldRuns struct{ Grid, Published, Later, Tuned []Trial }

// HoldRuns predicts them, each with an interval that is made of other rows: of another source, model or device.
func HoldRuns() HeldRuns {
	t := HeldRuns{Trials(Ultrascale()), Trials(Published()), Trials(Runs()), TuningTrials(Tunings())}
	var tables [runFolds]training.Spreads
	for fold := range tables {
		lines, _ := t.Spreads(fold)
		tables[fold] = training.ReadSpreads(lines)
	}
	for _, trials := range [][]Trial{t.Grid, t.Published, t.Later, t.Tuned} {
		for i := range trials {
			one := &trials[i]
			one.classify(training.NewEstimator(one.Run.Job).WithSpreads(tables[foldOf(one.group(), runFolds)]))
		}
	}
	return t
}

// Runs are the published runs, but for the grid.
func (t *HeldRuns) Runs() []Trial { return slices.Concat(t.Published, t.Later) }

// A ratio is a measured figure over the predicted one.
type ratio struct {
	stack  *training.Stack
	what   string // time or memory
	group  string // rows of one source, model and device are alike
	degree float64
	value  float64
	stated bool // the row says all of its plan
	run    *Run
}

// group is what rows have in common that are alike.
func (t *Trial) group() string {
	source, _, _ := strings.Cut(t.ID, "-")
	if source == "ultrascale" { // one grid on one machine: its plans stand for others of it, not for other sources
		return t.ID
	}
	return source + " " + fmt.Sprint(t.Setup["model"]) + " " + t.Run.Job.Device.Name
}

// ratios are those of trials that ran, of time and of memory.
func ratios(trials []Trial) []ratio {
	var all []ratio
	for i := range trials {
		t := &trials[i]
		if t.Failed || !t.Setup.steady() {
			continue
		}
		r := ratio{stack: t.Run.Job.Stack, group: t.group(), stated: t.stated, run: &t.Run}
		if t.Seconds > 0 {
			p := training.NewEstimator(t.Run.Job)
			r.what, r.degree = "time", p.UseOf(&t.Estimate, training.BF16)
			r.value = nearer(t.Seconds/t.Step.Mid, t.Run.Job.Device.Doubt)
			all = append(all, r)
		}
		if t.Bytes > 0 {
			r.what, r.degree, r.value = "memory", float64(max(1, t.Estimate.Plan.TP)), t.Bytes/t.Memory.Mid
			all = append(all, r)
		}
	}
	return all
}

// nearer is a ratio without what the doubt about a device allows for.
func nearer(ratio, doubt float64) float64 {
	switch {
	case doubt <= 1:
		return ratio
	case ratio > 1:
		return max(1, ratio/doubt)
	}
	return min(1, ratio*doubt)
}

// AllRows is no fold: none is left out.
const AllRows = -1

// Spreads are the lines of app/training/spreads.tsv as all rows but those of a fold give them, those kept aside too,
// which no constant was fitted to. The second text says what each line is from: it stands in spreads.sources.tsv, where
// no browser loads it.
func (t *HeldRuns) Spreads(fold int) (spreads, sources string) {
	var some []ratio
	for _, r := range ratios(slices.Concat(t.Grid, t.Published, t.Later, t.Tuned)) {
		if foldOf(r.group, runFolds) != fold {
			some = append(some, r)
		}
	}
	var lines, from strings.Builder
	for _, name := range training.Stacks() {
		s, err := training.StackNamed(name)
		if err != nil {
			continue
		}
		for _, k := range runKinds(some, s) {
			k.write(&lines, &from, some, s)
			if k.name == "time.experts" {
				k.borrow(&lines, &from, some, s)
			}
		}
	}
	return lines.String(), from.String()
}

// runKind is a kind of case that has its own spreads.
type runKind struct {
	name, what string
	degrees    []float64
	wanted     func(*ratio) bool
	least      int  // rows, fewer than which are none
	pooled     bool // rows of versions with few of their own count with those of the stack that they are like
}

// runKinds are the kinds of a stack, as many as its rows tell apart.
func runKinds(all []ratio, s *training.Stack) []runKind {
	experts := func(r *ratio) bool { return r.run.Job.Model.MoE.Experts > 0 }
	dense := func(r *ratio) bool { return !experts(r) }
	eight := func(r *ratio) bool { return dense(r) && r.run.Job.Recipe.Compute != training.BF16 }
	eights := len(rowsOfStack(all, &runKind{what: "time", wanted: eight}, s.Name))
	if eights < fewEights || len(rowsOfStack(all, &runKind{what: "time", wanted: dense}, s.Name))-eights < fewRuns {
		eight = func(*ratio) bool { return false }
	}
	plain := func(r *ratio) bool { return dense(r) && !eight(r) }
	stated := func(r *ratio) bool { return plain(r) && r.stated }
	unstated := func(r *ratio) bool { return plain(r) && !r.stated }
	whole := func(r *ratio) bool { return r.stated } // what is kept depends on what is computed again
	use, growths := []float64{0, 0.05, 0.1, 0.2, 0.4}, []float64{0, 2, 4, 8, 16}
	if s.FirstRank != 0 {
		return []runKind{{"time", "time", use, func(r *ratio) bool { return r.run.Plan.PP <= 1 }, 4, false},
			{"time.pipeline", "time", use, func(r *ratio) bool { return r.run.Plan.PP > 1 }, 4, false},
			{"memory", "memory", growths, whole, 4, false}}
	}
	kinds := []runKind{{"time", "time", use, stated, fewRuns, false},
		{"time.untold", "time", use, unstated, fewRuns, false}}
	if len(kinds[0].rows(all, s)) < fewRuns || len(kinds[1].rows(all, s)) < fewRuns {
		kinds = []runKind{{"time", "time", use, plain, 4, false}} // what is stated makes no difference that is known
	}
	return append(
		kinds,
		runKind{"time.experts", "time", use, experts, fewRuns / 2, true},
		runKind{"time.eight", "time", use, eight, fewEights, false},
		runKind{"memory", "memory", growths, whole, 20, true},
	)
}

// rows are the rows of a kind: of a version with few of its own, those of all such versions together.
func (k *runKind) rows(all []ratio, s *training.Stack) []ratio {
	own := rowsOfStack(all, k, s.Name)
	switch {
	case k.pooled && s.Name == s.Family:
		return append(own, rowsOfVersions(all, k, s.Family)...)
	case k.pooled && len(own) < fewRuns:
		return nil
	case s.Name != s.Family && len(own) < fewRuns:
		return rowsOfVersions(all, k, s.Family)
	}
	return own
}

// rowsOfStack are the rows of a kind and a stack.
func rowsOfStack(all []ratio, k *runKind, stack string) (own []ratio) {
	for i := range all {
		if r := &all[i]; r.stack.Name == stack && r.what == k.what && k.wanted(r) {
			own = append(own, *r)
		}
	}
	return own
}

// rowsOfVersions are the rows of a stack's versions that have too few of their own.
func rowsOfVersions(all []ratio, k *runKind, family string) (rows []ratio) {
	for _, name := range training.Stacks() {
		if s, err := training.StackNamed(name); err == nil && s.Family == family && name != family {
			if own := rowsOfStack(all, k, name); len(own) < fewRuns {
				rows = append(rows, own...)
			}
		}
	}
	return rows
}

// bins divide rows by degree, from the highest down: a degree that few reach is joined to the one below, the lowest to
// the one above. Every row is in one.
func (k *runKind) bins(rows []ratio) (from []float64, bins [][]ratio) {
	var bin []ratio
	for d := len(k.degrees) - 1; d >= 0; d-- {
		for i := range rows {
			if at := rows[i].degree; at >= k.degrees[d] && (d+1 == len(k.degrees) || at < k.degrees[d+1]) {
				bin = append(bin, rows[i])
			}
		}
		switch n := len(bins); {
		case len(bin) >= fewRuns || d == 0 && n == 0:
			from, bins, bin = append(from, k.degrees[d]), append(bins, bin), nil
		case d == 0 && len(bin) > 0:
			from[n-1], bins[n-1] = 0, append(bins[n-1], bin...)
		}
	}
	return from, bins
}

// borrow writes the line of experts for software of which few rows have any: its own doubt without them, and besides
// that of experts elsewhere. Nothing is known of how the two go together, so that both count in full.
func (k *runKind) borrow(lines, sources *strings.Builder, all []ratio, s *training.Stack) {
	if s.Name != s.Family || s.FirstRank != 0 || len(k.rows(all, s)) >= k.least {
		return
	}
	var own, others []grouped
	for i := range all {
		r := &all[i]
		one := grouped{group: r.group, off: math.Log(r.value)}
		switch {
		case r.what != k.what:
		case r.stack.Family == s.Family && !k.wanted(r):
			own = append(own, one)
		case r.stack.Family != s.Family && k.wanted(r):
			others = append(others, one)
		}
	}
	if len(own) < fewRuns || len(others) < fewRuns {
		return
	}
	a, b := holdingOthers(own, heldRuns), holdingOthers(others, heldRuns)
	fmt.Fprintf(lines, "%s\t%s\t0\t%.3f\t%.3f\n", s.Name, k.name, math.Exp(a.low+b.low), math.Exp(a.high+b.high))
	fmt.Fprintf(sources, "%s\t%s\t0\tto hold %.0f %% of others, from %d rows without experts and %d of other "+
		"software with "+
		"them\n", s.Name, k.name, 100*heldRuns, len(own), len(others))
}

// write writes the lines of a kind.
func (k *runKind) write(lines, sources *strings.Builder, all []ratio, s *training.Stack) {
	rows := k.rows(all, s)
	if len(rows) < k.least {
		return
	}
	from, bins := k.bins(rows)
	for i, bin := range bins {
		share := heldRuns
		if s.FirstRank != 0 && k.what == "time" && from[i] >= 0.1 {
			share = heldGrid
		}
		var errors []grouped
		for i := range bin {
			errors = append(errors, grouped{group: bin[i].group, off: math.Log(bin[i].value)})
		}
		w := holdingOthers(errors, share)
		fmt.Fprintf(lines, "%s\t%s\t%g\t%.3f\t%.3f\n", s.Name, k.name, from[i], math.Exp(w.low), math.Exp(w.high))
		fmt.Fprintf(sources, "%s\t%s\t%g\tto hold %.0f %% of others, from %d rows of %d kinds\n", s.Name, k.name,
			from[i], 100*share, len(bin), len(groupsOf(errors)))
	}
}
