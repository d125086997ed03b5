package measured

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/measured/summary"
	"github.com/scalebook/scalebook/app/training"
)

var (
	//go:embed ultrascale.tsv
	ultrascaleTable string // a line of origin, then plans of Nanotron on H100s and what they reached

	//go:embed training.jsonl
	trainingRows string // published measurements of training, as rows

	//go:embed pretraining.jsonl
	pretrainingRows string // published runs of 2020 to 2026, with the software of their time

	//go:embed finetuning.jsonl
	tuningRows string // published measurements of fine-tuning, as rows

	//go:embed plans.jsonl
	planRows string // recipes that NVIDIA ships: they fit and run

	//go:embed mlperf.jsonl
	gatheredRows string // results of MLPerf Training 3.1, 4.0 and 5.1, gathered when all constants were fixed

	//go:embed latest.jsonl
	latestRows string // published runs that were gathered after these, of which nothing was in view before

	//go:embed since.jsonl
	sinceRows string // published runs of which nothing was in view when those before had been read, most of adapters

	//go:embed reported.jsonl
	reportedRows string // runs that papers, posts and projects report, of which nothing was in view
)

// RunCase is a row with what was measured.
type RunCase struct {
	Row
	Measured map[string]float64
	Failed   bool // it ran out of memory or crashed
}

// Aside tells whether a row is kept from the fit: about half of them are, by a hash of the id that stays the same.
func (c *RunCase) Aside() bool {
	h := fnv.New32a()
	h.Write([]byte(c.ID))
	return h.Sum32()>>7&1 == 1
}

// ultrascaleShapes are the Ultra-Scale models, as the playbook's grid has them.
var ultrascaleShapes = map[string]Setup{
	"1B":  {"layers": 16.0, "d_model": 2048.0, "n_heads": 32.0, "n_kv_heads": 32.0, "d_ff": 8192.0},
	"8B":  {"layers": 32.0, "d_model": 4096.0, "n_heads": 32.0, "n_kv_heads": 32.0, "d_ff": 14336.0},
	"80B": {"layers": 80.0, "d_model": 8192.0, "n_heads": 64.0, "n_kv_heads": 64.0, "d_ff": 28672.0},
}

// ultrascaleParams are the parameters by which the grid counts MFU.
var ultrascaleParams = map[string]float64{"1B": 1342177280, "1B untied": 1610612736, "8B": 8858370048,
	"80B": 79993765888}

// Ultrascale is the grid of the Ultra-Scale Playbook: 769 plans that ran and 1,004 that did not.
func Ultrascale() []RunCase {
	var all []RunCase
	var header []string
	for line := range strings.Lines(ultrascaleTable) {
		cells := strings.Split(strings.TrimRight(line, "\n"), "\t")
		switch {
		case strings.HasPrefix(line, "#"):
		case header == nil:
			header = cells
		default:
			all = append(all, ultrascaleCase(header, cells))
		}
	}
	return all
}

// ultrascaleCase reads a line of the grid.
func ultrascaleCase(header, cells []string) RunCase {
	c := RunCase{Row: Row{Kind: "training"}, Measured: map[string]float64{}, Failed: true}
	s := Setup{"model": "ultrascale-" + cells[0], "vocab": 131072.0, "device": "H100-SXM 80GB", "seq_len": 4096.0,
		"gbs":       256.0,
		"precision": "bf16, fp32 gradient accumulation", "recompute": "none (not stated in the plot)"}
	for name, value := range ultrascaleShapes[cells[0]] {
		s[name] = value
	}
	for i, name := range header[1:] {
		x, err := strconv.ParseFloat(cells[i+1], 64)
		switch {
		case err != nil:
		case i < 7:
			s[name] = x
		default:
			c.Measured[name], c.Failed = x, false
		}
	}
	nodes, _ := s["nodes"].(float64)
	s["params"] = ultrascaleParams[cells[0]]
	if s["pp"] != 1.0 && cells[0] == "1B" {
		s["params"] = ultrascaleParams["1B untied"]
	}
	s["n_devices"], s["tied"] = 8*nodes, s["pp"] == 1.0 && cells[0] == "1B"
	c.Setup = s
	c.ID = fmt.Sprintf("ultrascale-%s-n%v-dp%v-tp%v-pp%v-mbs%v-ga%v-z%v", strings.ToLower(cells[0]), nodes, s["dp"],
		s["tp"], s["pp"],
		s["mbs"], s["grad_acc"], s["zero"])
	return c
}

// Published are the other measurements of training.
func Published() []RunCase { return runCases(trainingRows) }

// Runs are published runs of 2020 to 2026, each with the software of its time and the way in which its source counts.
func Runs() []RunCase { return runCases(pretrainingRows) }

// Gathered are runs that were gathered when all constants had been fixed: none was fitted to them. Each is a layout
// that its submitter's scripts state as a whole; several submissions of one layout are one row, with the one in the
// middle.
func Gathered() []RunCase { return runCases(gatheredRows) }

// Latest are runs that were gathered last, of which no row was before: further releases of NVIDIA's page of benchmarks,
// further rows of pages that some rows are of, and other sources. Neither constants nor intervals are fitted to them,
// but estimates were mended with them in view.
func Latest() []RunCase { return runCases(latestRows) }

// Since are runs that were gathered after those, and predicted before any change: nothing is fitted to them.
func Since() []RunCase { return runCases(sinceRows) }

// Reported are runs of 2021 to 2025 that papers, posts and projects report, most of them with the division of their
// devices, some as remembered: gathered last of all, and predicted before any change. Nothing is fitted to them.
func Reported() []RunCase { return runCases(reportedRows) }

// sinceTrials predicts those since, each as what it is.
func sinceTrials() []Trial {
	var pre, tuned []RunCase
	for _, c := range Since() {
		if c.Kind == "finetuning" {
			tuned = append(tuned, c)
		} else {
			pre = append(pre, c)
		}
	}
	return append(Trials(pre), TuningTrials(tuned)...)
}

// Tunings are measurements of fine-tuning.
func Tunings() []RunCase { return runCases(tuningRows) }

// Recipes are plans that are known to fit and run.
func Recipes() []RunCase { return runCases(planRows) }

// runCases reads rows with what was measured.
func runCases(lines string) []RunCase {
	var all []RunCase
	for line := range strings.Lines(lines) {
		var c struct {
			Row
			Measured map[string]any `json:"measured"`
		}
		if json.Unmarshal([]byte(line), &c) != nil {
			continue
		}
		c.Row.sourced()
		one := RunCase{Row: c.Row, Measured: map[string]float64{}}
		for name, value := range c.Measured {
			if x, is := value.(float64); is {
				one.Measured[name] = x
			}
		}
		all = append(all, one)
	}
	return all
}

// gatheredLast is what the summary calls the runs that were gathered last.
const gatheredLast = "gathered last"

// mostMisses is how many of the widest misses are listed.
const mostMisses = 25

// PublishedRuns are how far predicted steps of published runs lie from measured ones, for all of them and by the
// version of their software, and the widest misses; and the same of the runs that were gathered later, and of those
// that were gathered last.
func PublishedRuns(trials []Trial) ([]summary.Run, []summary.Miss) {
	any := func(*Trial) bool { return true }
	latest := Trials(Latest())
	all := []summary.Run{checkRuns("all", "all", trials, any), checkRuns("all", "kept aside", trials, any),
		checkRuns("all", "gathered later", Trials(Gathered()), any), checkRuns("all", gatheredLast, latest, any),
		checkRuns("all", "no benchmark", slices.Concat(trials, latest),
			func(t *Trial) bool { return !t.Setup.steady() })}
	for _, of := range []struct {
		part   string
		trials []Trial
	}{{"all", trials}, {gatheredLast, latest}} {
		for _, name := range training.Stacks() {
			one := checkRuns(name, of.part, of.trials, func(t *Trial) bool {
				return t.Run.Job.Stack.Name == name && t.Setup.steady()
			})
			if one.Rows > 0 {
				all = append(all, one)
			}
		}
	}
	return all, misses(trials)
}

// checkRuns sums up the runs that are wanted.
func checkRuns(name, part string, trials []Trial, wanted func(*Trial) bool) summary.Run {
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

// Sample is a row with what was measured: for fitting and for tests, never for predictions.
type Sample struct {
	Row
	Measured map[string]float64
}

// ReadSamples reads a table of measurements: a column a value of the set-up, "prefill" and "decode" with parts between
// slashes; columns after "|" are what was measured.
func ReadSamples(table string) []Sample {
	var out []Sample
	var names []string
	for line := range strings.Lines(table) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if names == nil {
			names = cells
			continue
		}
		out = append(out, readSample(names, cells))
	}
	return out
}

// readSample reads one line.
func readSample(names, cells []string) Sample {
	s := Sample{Row: Row{Kind: "inference", Setup: Setup{}}, Measured: map[string]float64{}}
	result := false
	for i, name := range names {
		switch cell := cells[i]; {
		case name == "|":
			result = true
		case cell == "":
		case result:
			s.Measured[name], _ = strconv.ParseFloat(cell, 64)
		case name == "id":
			s.ID = cell
		case name == "prefill" || name == "decode":
			s.Setup[name] = readParts(cell)
		default:
			s.Setup[name] = value(cell)
		}
	}
	return s
}

// readParts reads "8/1/1/1/8/2/16": tp, pp, attention_dp, moe_tp, moe_ep, workers, batch.
func readParts(text string) map[string]any {
	names := []string{"tp", "pp", "attention_dp", "moe_tp", "moe_ep", "workers", "batch"}
	out := map[string]any{}
	for i, part := range strings.Split(text, "/") {
		if part != "" && i < len(names) {
			out[names[i]] = value(part)
		}
	}
	return out
}

// value is a number if it is one, otherwise the text.
func value(text string) any {
	if x, err := strconv.ParseFloat(text, 64); err == nil {
		return x
	}
	return text
}
