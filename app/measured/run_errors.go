package measured

import (
	"math"
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/measured/summary"
	"github.com/scalebook/scalebook/app/training"
)

// Trial is a case with its prediction.
type Trial struct {
	RunCase
	Run     Run
	Price   training.Price
	Step    Interval // predicted
	Memory  Interval
	Fits    bool
	Seconds float64 // measured; 0 if it isn't known
	Bytes   float64
}

// Trials predicts cases. Those that can't be priced are left out.
func Trials(cases []RunCase) []Trial {
	var all []Trial
	for _, c := range cases {
		run, err := NewRun(c.Setup)
		if err != nil {
			continue
		}
		pricer := training.NewPricer(run.Job)
		if pricer.Legal(run.Plan) != nil {
			continue
		}
		t := Trial{RunCase: c, Run: run, Price: pricer.Price(run.Plan), Seconds: run.Seconds(&c), Bytes: run.Bytes(&c)}
		t.Step, t.Memory = Interval(pricer.RunInterval(&t.Price, run.Told)), Interval(pricer.MemoryInterval(&t.Price))
		t.Fits = pricer.Fits(&t.Price)
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
		pricer := training.NewPricer(run.Job)
		if pricer.Legal(run.Plan) != nil {
			continue
		}
		t := Trial{RunCase: c, Run: run, Price: pricer.Price(run.Plan), Seconds: run.Seconds(&c)}
		bytes, meter := Gauged(&c)
		t.Bytes, t.Step = bytes, Interval(pricer.StepInterval(&t.Price))
		t.Memory = Interval(pricer.MemoryInterval(&t.Price)).Times(run.Share(&t.Price, meter))
		t.Fits = pricer.Fits(&t.Price)
		all = append(all, t)
	}
	return all
}

// Judge sums up the trials that are wanted, by time or by memory.
func Judge(name, part string, trials []Trial, memory bool, wanted func(*Trial) bool) summary.Family {
	h := summary.Family{Half: "training", Name: name, Quantity: "step time", Part: part}
	if memory {
		h.Quantity = "memory"
	}
	var errors, widths []float64
	for i := range trials {
		t := &trials[i]
		got, want := t.Step, t.Seconds
		if memory {
			got, want = t.Memory, t.Bytes
		}
		if want <= 0 || part == "kept aside" && !t.Aside() || !wanted(t) {
			continue
		}
		h.Rows++
		errors, widths = append(errors, math.Abs(got.Mid/want-1)), append(widths, got.High/got.Low)
		h.Points = append(h.Points, summary.Point{Predicted: got.Mid, Measured: want})
		if got.Low <= want && want <= got.High {
			h.Coverage++
		}
	}
	if h.Rows > 0 {
		h.Coverage /= float64(h.Rows)
		h.Median, h.P90, h.Width = percentile(errors, 0.5), percentile(errors, 0.9), percentile(widths, 0.5)
	}
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

// Families are how far predictions of training lie off, family by family.
func Families(grid, published, tuned []Trial) []summary.Family {
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
		Judge("Ultra-Scale, MFU > 10 %", aside, grid, false, Using(10)),
		Judge("Ultra-Scale, MFU > 5 %", aside, grid, false, Using(5)),
		Judge("Ultra-Scale", aside, grid, false, Using(0)),
		Judge("Ultra-Scale", aside, grid, true, Using(0)),
		Judge("Megatron, dense", aside, published, false, dense),
		Judge("Megatron, experts", aside, published, false, experts),
		Judge("MLPerf Llama 3.1 405B", all, published, false, From("mlperf-train-v5.0-llama31_405b")),
		Judge("PyTorch FSDP", aside, published, false, stack("fsdp")),
		Judge("TPU and XLA", aside, published, false, stack("xla")),
		Judge("AMD", all, published, false, amd),
		Judge("All but Ultra-Scale", all, published, true, any),
		Judge("Fine-tuning, in full", aside, tuned, false, whole),
		Judge("Fine-tuning, in full", aside, tuned, true, whole),
		Judge("Fine-tuning, adapters", aside, tuned, false, frozen),
		Judge("Fine-tuning, adapters", aside, tuned, true, frozen),
	}
}
