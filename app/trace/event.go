package trace

import (
	"math"
	"strconv"
	"strings"
)

// event is a complete event: its name by its number, its times in microseconds as the trace has them.
type event struct {
	op          int32
	start, took float64
}

// raw is an event as it is written.
type raw struct {
	phase, name, kind string
	process, thread   string
	at                string  // when it begins, as it is written
	start, took       float64 // microseconds
	label             string  // of metadata: what a process or a thread is called
	device            string  // of a kernel: the number of its GPU
	about             about
}

// about is what a profiler says of an operation.
type about struct {
	kind         string // its category in HLO
	text         string // its line of HLO
	flops, bytes float64
}

// event reads an event; it is false if what stands there is no object of fields.
func (c *cursor) event(e *raw) bool {
	return c.fields(func(name string) bool {
		if name == "args" && c.next() == '{' {
			return c.args(e)
		}
		v, ok := c.value()
		switch name {
		case "ph":
			e.phase = v
		case "name":
			e.name = v
		case "cat":
			e.kind = v
		case "pid":
			e.process = v
		case "tid":
			e.thread = v
		case "ts":
			e.at = v
		case "dur":
			e.took = number(v)
		}
		return ok
	})
}

// args reads what is said of an event.
func (c *cursor) args(e *raw) bool {
	return c.fields(func(name string) bool {
		v, ok := c.value()
		switch name {
		case "name", "labels":
			e.label = v
		case "device":
			e.device = v
		case "hlo_category":
			e.about.kind = v
		case "long_name":
			e.about.text = v
		case "flops", "model_flops":
			e.about.flops = max(e.about.flops, count(v))
		case "bytes_accessed", "raw_bytes_accessed":
			e.about.bytes = max(e.about.bytes, count(v))
		}
		return ok
	})
}

// number is a finite number, or no number.
func number(s string) float64 {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsInf(x, 0) || math.Abs(x) > 1e18 {
		return math.NaN()
	}
	return x
}

// since is how many microseconds after the first event of the trace a moment is. Profilers count them from 1970, with
// more digits than a float64 holds.
func (r *Reader) since(at string) float64 {
	digits, rest, _ := strings.Cut(at, ".")
	whole, err := strconv.ParseInt(digits, 10, 62)
	if err != nil || strings.ContainsAny(rest, "eE") || strings.HasPrefix(at, "-") {
		return number(at) - float64(r.origin)
	}
	if !r.begun {
		r.begun, r.origin = true, whole
	}
	part := 0.0
	if rest != "" {
		part = number("0." + rest)
	}
	if whole > 1e18 {
		return math.NaN()
	}
	return float64(whole-r.origin) + part
}

// count is a number of operations or bytes; 0 if it isn't one.
func count(s string) float64 {
	if x := number(s); x > 0 {
		return x
	}
	return 0
}

// Class is what an operation does to its device.
type Class uint8

// The classes.
const (
	Compute Class = iota
	Comms         // sends or receives
	Copy          // moves bytes within the device, or between it and its host
	Unknown       // runs, and nobody here knows what it does
	Holds         // only holds other operations: a loop, a call
)

func (c Class) String() string {
	return [...]string{"compute", "network", "copy", "unknown", "loop"}[c]
}

// sending are the operations of HLO that send, as their names begin.
var sending = [...]string{"all-reduce", "all-gather", "reduce-scatter", "all-to-all", "ragged-all-to-all",
	"collective-permute", "collective-broadcast", "async-collective", "send", "recv"}

// plainHLO are operations of HLO that compute, and what for.
const plainHLO = "|fusion fused|dot matmul|convolution matmul|reduce reduce|reduce-window reduce|sort sort|scatter index|" +
	"gather index|dynamic-slice index|dynamic-update-slice index|slice index|concatenate copy|transpose copy|reshape copy|" +
	"broadcast pointwise|iota pointwise|convert pointwise|select pointwise|select-and-scatter index|compare pointwise|add " +
	"pointwise|multiply pointwise|subtract pointwise|divide pointwise|maximum pointwise|minimum pointwise|exponential " +
	"pointwise|tanh pointwise|rsqrt pointwise|negate pointwise|pad pointwise|rng random|rng-bit-generator random|fft fft|" +
	"cholesky linear-algebra|triangular-solve linear-algebra|bitcast-convert pointwise|log pointwise|power pointwise|" +
	"clamp pointwise|map pointwise|reverse index|xor pointwise|and pointwise|or pointwise|not pointwise|logistic pointwise|"

// told is what an operation does, by its name and category.
type told struct {
	class         Class
	does, library string
}

// tell tells what an operation does: one of HLO by its code, a kernel by the rules.
func (r *Reader) tell(name, kind, hlo string) told {
	if t, ok := tellHLO(name, hlo); ok {
		return t
	}
	if r.rules == nil {
		r.rules = readRules()
	}
	if what, how, ok := strings.Cut(strings.TrimPrefix(strings.ToLower(name), "[cuda "), " "); ok {
		switch {
		case what == "memcpy" && (strings.HasPrefix(how, "ptop") || strings.HasPrefix(how, "peer")):
			return told{Comms, "transfer", "driver"}
		case what == "memcpy", what == "memset":
			return told{Copy, "copy", "driver"}
		}
	}
	does, library := r.rules.told(name)
	switch {
	case does == "collective":
		return told{Comms, does, library}
	case does == "copy":
		return told{Copy, does, library}
	case does != "":
		return told{Compute, does, library}
	case strings.HasPrefix(strings.ToLower(kind), "gpu_mem"):
		return told{Copy, "copy", "driver"}
	case hlo != "" && hlo != "custom-call":
		return told{Compute, hlo, "XLA"}
	}
	return told{class: Unknown}
}

// tellHLO tells what an operation of HLO does: by its name, which begins with its code, and by its category.
func tellHLO(name, category string) (t told, ok bool) {
	code := unnumbered(strings.TrimPrefix(name, "%"))
	base := strings.TrimSuffix(strings.TrimSuffix(code, "-start"), "-done")
	for _, begin := range sending {
		if base == begin || strings.HasPrefix(category, begin) || strings.HasPrefix(code, begin+"-") {
			return told{Comms, "collective", "XLA"}, true
		}
	}
	_, does, found := strings.Cut(plainHLO, "|"+base+" ")
	does, _, _ = strings.Cut(does, "|")
	switch {
	case base == "while" || base == "conditional" || base == "call":
		return told{Holds, "loop", "XLA"}, true
	case base == "copy" || strings.HasPrefix(category, "copy") || base != code && strings.HasSuffix(base, "slice"):
		return told{Copy, "copy", "XLA"}, true
	case category != "" && category != "custom-call":
		return told{Compute, category, "XLA"}, true
	case found && base == code:
		return told{Compute, does, "XLA"}, true
	}
	return t, false
}
