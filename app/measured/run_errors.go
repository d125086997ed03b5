package measured

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/scalebook/scalebook/app/measured/summary"
	"github.com/scalebook/scalebook/app/training"
)

// Trial is a case with its prediction.
type Trial struct {
	RunCase
	Run      Run
	Estimate training.Estimate
	Step     Interval // predicted
	Memory   Interval
	Fits     bool
	Seconds  float64 // measured; 0 if it isn't known
	Bytes    float64
	stated   bool    // all of the plan
	share    float64 // of the predicted memory that the row's meter shows
}

// Trials predicts cases. Those that can't be estimated are left out.
func Trials(cases []RunCase) []Trial {
	var all []Trial
	for _, c := range cases {
		run, err := NewRun(c.Setup)
		if err != nil {
			continue
		}
		estimator := training.NewEstimator(run.Job)
		if estimator.Legal(run.Plan) != nil {
			continue
		}
		t := Trial{RunCase: c, Run: run, Estimate: estimator.Estimate(run.Plan), Seconds: run.Seconds(&c),
			Bytes: run.Bytes(&c), stated: run.Stated, share: 1}
		t.classify(estimator)
		all = append(all, t)
	}
	return all
}

// TuningTrials predicts cases of fine-tuning. A figure of memory is beside what is predicted of its meter.
func TuningTrials(cases []RunCase) []Trial {
	var all []Trial
	for _, c := range cases {
		run, err := NewTuning(c.Setup)
		if err != nil {
			continue
		}
		estimator := training.NewEstimator(run.Job)
		if estimator.Legal(run.Plan) != nil {
			continue
		}
		t := Trial{RunCase: c, Run: run, Estimate: estimator.Estimate(run.Plan), Seconds: run.TunedSeconds(&c),
			stated: true}
		bytes, meter := Gauged(&c)
		t.Bytes, t.share = bytes, run.Share(&t.Estimate, meter)
		t.classify(estimator)
		all = append(all, t)
	}
	return all
}

// classify sets the intervals of a trial.
func (t *Trial) classify(p *training.Estimator) {
	t.Step = Interval(p.RunInterval(&t.Estimate, t.stated))
	t.Memory = Interval(p.MemoryInterval(&t.Estimate)).Times(t.share)
	t.Fits = p.Fits(&t.Estimate)
}

// CheckErrors sums up the trials that are wanted, by time or by memory.
func CheckErrors(name, part string, trials []Trial, memory bool, wanted func(*Trial) bool) summary.Family {
	h := summary.Family{Half: "training", Name: name, Quantity: "step time", Part: part}
	if memory {
		h.Quantity = "memory"
	}
	var sum tally
	for i := range trials {
		t := &trials[i]
		got, want := t.Step, t.Seconds
		if memory {
			got, want = t.Memory, t.Bytes
		}
		if want <= 0 || part == "kept aside" && !t.Aside() || !wanted(t) {
			continue
		}
		sum.add(got, want, 1)
	}
	sum.sumUp(&h)
	return h
}

// percentile is the value below which a share of the values lies.
func percentile(values []float64, share float64) float64 {
	slices.Sort(values)
	return values[min(len(values)-1, int(share*float64(len(values))))]
}

// Using keeps runs that used at least so many percent of the peak, as measured.
func Using(percent float64) func(*Trial) bool {
	return func(t *Trial) bool { return t.Measured["mfu_pct"] > percent }
}

// From keeps rows whose id begins with one of the words.
func From(words ...string) func(*Trial) bool {
	return func(t *Trial) bool {
		for _, w := range words {
			if strings.HasPrefix(t.ID, w) {
				return true
			}
		}
		return false
	}
}

// Families are how far predictions of training lie off, family by family. Megatron's are of the first of the published
// runs; those by version of its software stand elsewhere.
func Families(grid, published, runs, tuned []Trial) []summary.Family {
	gpu := func(t *Trial) bool { return t.Run.Job.Stack.Family == "megatron" }
	dense := func(t *Trial) bool { return gpu(t) && t.Run.Job.Model.MoE.Experts == 0 }
	experts := func(t *Trial) bool { return gpu(t) && t.Run.Job.Model.MoE.Experts > 0 }
	stack := func(name string) func(*Trial) bool {
		return func(t *Trial) bool { return t.Run.Job.Stack.Family == name }
	}
	amd := func(t *Trial) bool {
		return strings.HasPrefix(t.Run.Job.Device.Name, "MI") || strings.Contains(t.Run.Job.Device.Name, "Instinct")
	}
	any := func(*Trial) bool { return true }
	frozen := func(t *Trial) bool { return t.Run.Job.Frozen }
	whole := func(t *Trial) bool { return !t.Run.Job.Frozen }
	const aside, all = "kept aside", "all"
	return []summary.Family{
		CheckErrors("Ultra-Scale, MFU > 10 %", aside, grid, false, Using(10)),
		CheckErrors("Ultra-Scale, MFU > 5 %", aside, grid, false, Using(5)),
		CheckErrors("Ultra-Scale", aside, grid, false, Using(0)),
		CheckErrors("Ultra-Scale", aside, grid, true, Using(0)),
		CheckErrors("Megatron, dense", aside, published, false, dense),
		CheckErrors("Megatron, experts", aside, published, false, experts),
		CheckErrors("MLPerf Llama 3.1 405B", all, published, false, From("mlperf-train-v5.0-llama31_405b")),
		CheckErrors("PyTorch FSDP", aside, runs, false, stack("fsdp")),
		CheckErrors("TPU and XLA", aside, runs, false, stack("xla")),
		CheckErrors("AMD", all, published, false, amd),
		CheckErrors("All but Ultra-Scale", aside, runs, true, any),
		CheckErrors("Fine-tuning, in full", aside, tuned, false, whole),
		CheckErrors("Fine-tuning, in full", aside, tuned, true, whole),
		CheckErrors("Fine-tuning, adapters", aside, tuned, false, frozen),
		CheckErrors("Fine-tuning, adapters", aside, tuned, true, frozen),
	}
}

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

// used keeps the trials of groups in which some plan used a tenth of the peak.
func used(trials []Trial) (all []Trial) {
	for _, g := range groups(trials) {
		best := 0.0
		for _, t := range g {
			best = max(best, t.Measured["mfu_pct"])
		}
		for _, t := range g {
			if best >= 10 {
				all = append(all, *t)
			}
		}
	}
	return all
}

// chosen tells whether the planner would propose the plan: it is expected to fit, not only possibly, as the software
// is.
func (t *Trial) chosen() bool {
	return !t.Run.Job.Regather && t.Estimate.Memory.Total() <= training.AfterContext(t.Run.Job.Device.Memory)
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

// stalls counts the plans on the most nodes of a grid that ran, and those of them that reached less than a twentieth of
// the peak.
func stalls(grid []Trial) (stalled, ran int) {
	const slow = 5 // percent of the peak
	most := 0
	for i := range grid {
		most = max(most, grid[i].Run.Job.Devices)
	}
	for i := range grid {
		if t := &grid[i]; !t.Failed && t.Run.Job.Devices == most {
			if ran++; t.Measured["mfu_pct"] < slow {
				stalled++
			}
		}
	}
	return stalled, ran
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

// WriteErrors prints how far predictions lie off, what other tools reach, and which assumptions break.
func WriteErrors(w io.Writer) error {
	held := HoldRuns()
	families, figures := summarize(held, HoldServing())
	if err := writeFamilies(w, families); err != nil {
		return err
	}
	fmt.Fprintln(w)
	for _, f := range figures {
		fmt.Fprintf(w, "%s %.4g\n", f.Name, f.Value)
	}
	if err := writeRuns(w, held.Runs()); err != nil {
		return err
	}
	writeBreaks(w, families)
	if err := writeRivals(w); err != nil {
		return err
	}
	return writeServingRivals(w)
}

// writeFamilies prints a line a family. The bias is the median of predicted over measured, less 1.
func writeFamilies(w io.Writer, families []summary.Family) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "rows\tmedian\tp90\tbias\tin interval\thigh/low\tneeded\t family\t")
	for _, h := range families {
		fmt.Fprintf(out, "%d\t%.1f %%\t%.1f %%\t%+.1f %%\t%.0f %%\t%.2f\t%.2f\t %s, %s: %s, %s\t\n", h.Rows,
			100*h.Median,
			100*h.P90, 100*h.Bias, 100*h.Coverage, h.Width, h.Needs, h.Half, h.Name, h.Quantity, h.Part)
	}
	return out.Flush()
}

// writeBreaks prints where predictions miss, and which assumption breaks: once, of rows kept aside and of fitted ones.
func writeBreaks(w io.Writer, families []summary.Family) {
	stated := map[string]bool{}
	for _, f := range families {
		line := fmt.Sprintf("misses: %s, %s: %s\n", f.Name, f.Quantity, f.Breaks)
		if f.Breaks != "" && !stated[line] {
			stated[line] = true
			fmt.Fprint(w, line)
		}
	}
}

// writeRuns prints how far published runs lie off, with their sign, and the widest misses first.
func writeRuns(w io.Writer, trials []Trial) error {
	runs, misses := PublishedRuns(trials)
	fmt.Fprintln(w, "\npublished runs, by the version of their software; bias below 0 is too fast:")
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "rows\tmedian\tp90\tbias\tin interval\t software\t")
	for _, r := range runs {
		fmt.Fprintf(out, "%d\t%.1f %%\t%.1f %%\t%+.1f %%\t%.0f %%\t %s, %s\t\n", r.Rows, 100*r.Median, 100*r.P90,
			100*r.Bias, 100*r.Inside, r.Stack, r.Part)
	}
	if err := out.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w, "\nthe widest misses of them, predicted over measured:")
	for _, m := range misses {
		fmt.Fprintf(
			w,
			"%.2f  %s: %.4g s, measured %.4g s (%s)\n",
			m.Predicted/m.Measured,
			m.ID,
			m.Predicted,
			m.Measured,
			m.Stack,
		)
	}
	fmt.Fprintln(w)
	return nil
}

// writeRivals prints what other tools reach on rows of the same kind.
func writeRivals(w io.Writer) error {
	fmt.Fprintln(w, "\nothers' predictions of 945 plans of the Ultra-Scale grid that ran and 539 that failed, in "+
		"percent:")
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "step\tp90\tMFU >= 5 %\tregret\tmean\tmemory\tp90\trefused\t who\t")
	for _, r := range summary.Rivals() {
		for _, x := range []float64{r.Step, r.StepP90, r.Used, r.Regret, r.RegretMean, r.Memory, r.MemoryP90,
			r.RefusedRuns} {
			if x != x {
				fmt.Fprint(out, "\t")
			} else {
				fmt.Fprintf(out, "%.3g\t", 100*x)
			}
		}
		fmt.Fprintf(out, " %s\t\n", r.Name)
	}
	return out.Flush()
}

// writeServingRivals prints what simulators of serving reach: the median errors of a request, of its first token and of
// a further one.
func writeServingRivals(w io.Writer) error {
	fmt.Fprintln(w, "\nothers' predictions of serving, medians in percent:")
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "rows\trequest\tfirst token\ttoken\tload\t who\t")
	for _, r := range summary.ServingRivals() {
		for _, x := range []float64{r.Rows, 100 * r.Whole, 100 * r.First, 100 * r.Token} {
			if x != x {
				fmt.Fprint(out, "\t")
			} else {
				fmt.Fprintf(out, "%.3g\t", x)
			}
		}
		fmt.Fprintf(out, "%s\t %s; %s\t\n", r.Load, r.Name, r.Where)
	}
	return out.Flush()
}
