package measured

import (
	"slices"
	"strings"
)

// Figures of training under names that no row had before: their words tell what is meant, in which unit, and whether of
// one device or of all.

// asked answers the names that a row asks for and the predictions lack, from those that mean the same. What no name
// answers is noted, if nothing of what was measured is predicted.
func (p *Prediction) asked(names Names) {
	some := len(names) == 0
	for _, name := range names {
		if _, has := p.Metrics[name]; !has {
			if x, known := p.Metrics.meant(name); known {
				p.Metrics[name] = x
			}
		}
		_, has := p.Metrics[name]
		some = some || has
	}
	if !some {
		p.Notes = append(p.Notes, "none of these is predicted under its name: "+strings.Join(names, ", ")+
			"; names such as peak_memory_GiB, step_time_s and tokens_per_s_per_device are, with their units")
	}
}

// nameWords are the words of a name: "Peak memory (GiB)/GPU" has peak, memory, gib, gpu.
func nameWords(name string) []string {
	return strings.FieldsFunc(strings.ToLower(strings.ReplaceAll(name, "%", " pct ")), func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < '0' || c > '9')
	})
}

// meant is the prediction of a name by its words.
func (m Metrics) meant(name string) (Interval, bool) {
	words := nameWords(name)
	has := func(any ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(any, w) })
	}
	one := has("gpu", "gpus", "device", "chip", "rank", "accelerator", "card") && !has("all", "total", "aggregate")
	perSecond := has("s", "sec", "second", "seconds", "persec")
	of := func(key string, scale float64) (Interval, bool) {
		x, is := m[key]
		return x.Times(scale), is && scale > 0
	}
	devices := 1.0
	if all, is := m["tokens_per_s"]; is {
		devices = all.Mid / m["tokens_per_s_per_device"].Mid
	}
	share := 0.01 // of a number without a unit
	if has("pct", "percent", "percentage") {
		share = 1
	}
	switch {
	case has("cpu", "host", "loss", "eval"):
		return Interval{}, false
	case has("mfu"):
		return of("mfu_pct", share)
	case has("hfu"):
		return of("hfu_pct", share)
	case has("tflops", "tflop", "teraflops"):
		if has("all", "total", "aggregate", "cluster") {
			return of("tflops_per_device", devices)
		}
		return of("tflops_per_device", 1)
	case has("memory", "mem", "vram", "hbm"):
		return m.memory(has, devices)
	case has("tps", "tgs"): // as TorchTitan and InternEvo print them
		return of("tokens_per_s_per_device", 1)
	case has("tokens", "tok", "token", "toks") && (perSecond || has("throughput")):
		if one {
			return of("tokens_per_s_per_device", 1)
		}
		return of("tokens_per_s", 1)
	case has("samples", "sample", "sequences", "examples", "seqs") && (perSecond || has("throughput")):
		if one {
			return of("samples_per_s", 1/devices)
		}
		return of("samples_per_s", 1)
	case has("step", "steps", "iteration", "iterations", "iter", "it", "batch") && !has("total"):
		return m.step(words, has, perSecond)
	}
	return Interval{}, false
}

// step is the time of a step, or how many there are a second, as its name says.
func (m Metrics) step(words []string, has func(...string) bool, perSecond bool) (Interval, bool) {
	step, is := m["step_time_s"]
	switch last := slices.Index(words, "per"); {
	case has("ms", "millis", "milliseconds", "msec"):
		step = step.Times(1e3)
	case last > 0 && slices.ContainsFunc(words[last:], func(w string) bool {
		return w == "s" || w == "sec" || w == "second"
	}), words[0] == "it" && words[len(words)-1] == "s":
		step = step.Over(1)
	case !perSecond && !has("time", "duration", "latency"):
		return Interval{}, false
	}
	return step, is
}

// memory is a figure of memory in the unit that its name has; none without one.
func (m Metrics) memory(has func(...string) bool, devices float64) (Interval, bool) {
	key := "peak_memory_GiB"
	switch {
	case has("allocated", "active", "alloc"):
		key = "peak_memory_allocated_per_device_GiB"
	case has("reserved", "cached"):
		key = "peak_memory_reserved_per_device_GiB"
	}
	if _, is := m[key]; !is {
		key = "peak_memory_GiB" // of rows that tell these not apart
	}
	scale := 0.0
	for unit, of := range map[string]float64{"bytes": gibi, "b": gibi, "kib": 1 << 20, "mib": 1 << 10, "mb": 1 << 10,
		"gib": 1, "gigabytes": gibi / giga, "gb": gibi / giga} {
		if has(unit) {
			scale = of
		}
	}
	if has("all", "total") && has("devices", "gpus", "ranks") {
		scale *= devices
	}
	x, is := m[key]
	return x.Times(scale), is && scale > 0
}
