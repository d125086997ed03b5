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
	start, took       float64
	label             string // of metadata: what a process or a thread is called
	device            string // of a kernel: the number of its GPU
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
			e.start = number(v)
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
	Holds         // only holds other operations: a loop, a call
)

func (c Class) String() string { return [...]string{"compute", "network", "copy", "loop"}[c] }

// sending are parts of the names of what sends between devices.
var sending = [...]string{"nccl", "rccl", "all-reduce", "allreduce", "all_reduce", "all-gather", "allgather",
	"all_gather",
	"reduce-scatter", "reducescatter", "reduce_scatter", "all-to-all", "alltoall", "all_to_all", "collective", "sendrecv",
	"ptop"}

// classOf tells what an operation does by its name and category.
func classOf(name, kind string) Class {
	low := strings.ToLower(name + " " + kind)
	for _, part := range sending {
		if strings.Contains(low, part) {
			return Comms
		}
	}
	for _, begin := range [...]string{"while", "conditional", "call"} {
		if rest, ok := strings.CutPrefix(low, begin); ok && (rest[0] == '.' || rest[0] == ' ') {
			return Holds
		}
	}
	if strings.Contains(low, "memcpy") || strings.Contains(low, "memset") || strings.HasPrefix(low, "copy") ||
		strings.Contains(kind, "copy") {
		return Copy
	}
	return Compute
}
