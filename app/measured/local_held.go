package measured

import (
	_ "embed"
	"encoding/json"
	"math"
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/local"
	"github.com/scalebook/scalebook/app/measured/summary"
	"github.com/scalebook/scalebook/app/network/nccl"
)

// machineRows are published measurements of files of weights, of single machines and of NCCL's tests.
//
//go:embed local.jsonl
var machineRows string

// Reading is a metric of a row with its prediction.
type Reading struct {
	Row       RunCase
	Metric    string
	Predicted Interval
	Measured  float64
}

// Readings are the metrics of rows of a kind that are predicted.
func Readings(kind string) []Reading {
	var all []Reading
	for _, c := range machineCases() {
		if c.Kind != kind {
			continue
		}
		p := One(c.Row)
		for _, name := range c.Asked {
			if x, found := p.Metrics[name]; found && c.Measured[name] > 0 {
				all = append(all, Reading{c, name, x, c.Measured[name]})
			}
		}
	}
	return all
}

// machineCases reads the rows, nested metrics by both names.
func machineCases() []RunCase {
	var all []RunCase
	for line := range strings.Lines(machineRows) {
		var c RunCase
		var values struct {
			Measured map[string]any `json:"measured"`
		}
		if json.Unmarshal([]byte(line), &c.Row) != nil || json.Unmarshal([]byte(line), &values) != nil {
			continue
		}
		c.Measured = map[string]float64{}
		flatten(c.Measured, "", values.Measured)
		all = append(all, c)
	}
	return all
}

// flatten notes the numbers of an object by their names.
func flatten(into map[string]float64, prefix string, from map[string]any) {
	for name, value := range from {
		switch v := value.(type) {
		case float64:
			into[prefix+name] = v
		case map[string]any:
			flatten(into, prefix+name+nested, v)
		}
	}
}

// Promptly tells whether a metric of one machine is about prompts.
func Promptly(metric string) bool {
	return strings.HasPrefix(metric, "pp") || strings.HasPrefix(metric, "S_PP") || strings.HasPrefix(metric, "prompt") ||
		strings.HasPrefix(metric, "prefill") || strings.HasPrefix(metric, "ttft")
}

// LocalPoint is a rate of a row of one machine, for fitting.
type LocalPoint struct {
	Row      *RunCase
	Metric   string
	Stack    string // whose constants decide
	Measured float64
	Predict  func(local.Constants) float64
}

// LocalPoints are the rates of generating and of prompts of all rows.
func LocalPoints() []LocalPoint {
	var all []LocalPoint
	for _, c := range machineCases() {
		l, err := readLocal(c.Setup)
		if c.Kind != "local_decode" || err != nil {
			continue
		}
		for _, name := range c.Asked {
			run, is := l.as(name)
			if !is || strings.Contains(name, "memory") || !(c.Measured[name] > 0) {
				continue
			}
			if _, found := run.metric(name); !found {
				continue
			}
			all = append(all, LocalPoint{&c, name, local.Stack(run.engine, run.run.Machine.Memory), c.Measured[name],
				func(k local.Constants) float64 {
					own, one := *run, *run.run
					one.Constants, own.run = &k, &one
					x, _ := own.metric(name)
					return x.Mid
				}})
		}
	}
	return all
}

// machineFamilies are how far predictions of files, machines and collectives lie off.
func machineFamilies() []summary.Family {
	sizes, machines, tests := Readings("quantised_size"), Readings("local_decode"), Readings("nccl_tests")
	gguf := func(r *Reading) bool { return strings.EqualFold(r.Row.Setup.Text("format"), "gguf") }
	rate := func(r *Reading) bool {
		return strings.Contains(r.Metric, "tokens_per_s") || strings.Contains(r.Metric, "_tps_")
	}
	prompt := func(r *Reading) bool { return Promptly(r.Metric) }
	unified := func(r *Reading) bool {
		m, err := machineNamed(r.Row.Setup)
		return err == nil && m.Memory == local.Unified
	}
	held := func(r *Reading) bool {
		return !slices.ContainsFunc([]string{"bits", "original", "kv_"}, func(word string) bool {
			return strings.Contains(r.Metric, word)
		})
	}
	bus := func(r *Reading) bool { return strings.HasPrefix(r.Metric, "busbw") }
	large := func(r *Reading) bool { return bus(r) && !strings.Contains(r.Metric, nested) }
	return []summary.Family{
		judged("Files of GGUF", "size", "all", sizes, held, gguf),
		judged("Files of other formats, and what programs keep", "size", "all", sizes, held, not(gguf)),
		judged("One user, cards", "tokens a second", aside, machines, rate, not(prompt), not(unified)),
		judged("One user, cards", "tokens a second", fitted, machines, rate, not(prompt), not(unified)),
		judged("One user, Apple’s computers", "tokens a second", aside, machines, rate, not(prompt), unified),
		judged("One user, Apple’s computers", "tokens a second", fitted, machines, rate, not(prompt), unified),
		judged("One user, cards", "prompt tokens a second", aside, machines, rate, prompt, not(unified)),
		judged("One user, cards", "prompt tokens a second", fitted, machines, rate, prompt, not(unified)),
		judged("One user, Apple’s computers", "prompt tokens a second", aside, machines, rate, prompt, unified),
		judged("One user, Apple’s computers", "prompt tokens a second", fitted, machines, rate, prompt, unified),
		judged("NCCL’s tests, largest arrays", "bus bandwidth", aside, tests, large),
		judged("NCCL’s tests, largest arrays", "bus bandwidth", fitted, tests, large),
		judged("NCCL’s tests, all sizes", "bus bandwidth", aside, tests, bus),
		judged("NCCL’s tests, all sizes", "bus bandwidth", fitted, tests, bus),
	}
}

// Which rows are judged.
const (
	aside  = "kept aside"
	fitted = "fitted"
)

// machineHalf is the heading under which pages tell of files, machines and collectives.
const machineHalf = "machines"

func not(wanted func(*Reading) bool) func(*Reading) bool {
	return func(r *Reading) bool { return !wanted(r) }
}

// baseUnit is the unit of a metric in base units: bytes, bytes a second, or one.
func baseUnit(metric string) float64 {
	switch {
	case strings.Contains(metric, "Gbps"):
		return 1e9 / 8
	case strings.Contains(metric, "GiB"):
		return 1 << 30
	case strings.Contains(metric, "GB"):
		return 1e9
	}
	return 1
}

// judged sums up readings of rows that are kept aside, that were fitted, or of all.
func judged(name, quantity, part string, readings []Reading,
	wanted ...func(*Reading) bool) summary.Family {
	f := summary.Family{Half: machineHalf, Name: name, Quantity: quantity, Part: part}
	var errors, widths []float64
	for i := range readings {
		r := &readings[i]
		if part != "all" && r.Row.Aside() != (part == aside) ||
			slices.ContainsFunc(wanted, func(is func(*Reading) bool) bool { return !is(r) }) {
			continue
		}
		f.Rows++
		errors = append(errors, math.Abs(r.Predicted.Mid/r.Measured-1))
		widths = append(widths, r.Predicted.High/r.Predicted.Low)
		unit := baseUnit(r.Metric)
		f.Points = append(f.Points, summary.Point{Predicted: r.Predicted.Mid * unit, Measured: r.Measured * unit})
		if r.Predicted.Low <= r.Measured && r.Measured <= r.Predicted.High {
			f.Coverage++
		}
	}
	if f.Rows == 0 {
		return f
	}
	f.Coverage /= float64(f.Rows)
	f.Median, f.P90, f.Width = percentile(errors, 0.5), percentile(errors, 0.9), percentile(widths, 0.5)
	return f
}

// CollectivePoint is a time or a bandwidth of a row of NCCL's tests, for fitting.
type CollectivePoint struct {
	Row      *RunCase
	Metric   string
	Family   string // whose constants decide
	Measured float64
	Predict  func(nccl.Constants) float64
}

// CollectivePoints are those of all rows.
func CollectivePoints() []CollectivePoint {
	var all []CollectivePoint
	for _, c := range machineCases() {
		t, err := readCollective(c.Setup)
		if c.Kind != "nccl_tests" || err != nil {
			continue
		}
		a, _ := collectiveDevice(c.Setup)
		for _, name := range c.Asked {
			if _, found := t.metric(name); found && c.Measured[name] > 0 {
				all = append(all, CollectivePoint{&c, name, nccl.Family(a), c.Measured[name], func(k nccl.Constants) float64 {
					own, one := *t, *t.setting
					one.Reached, own.setting = &k, &one
					x, _ := own.metric(name)
					return x.Mid
				}})
			}
		}
	}
	return all
}
