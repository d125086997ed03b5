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
	ordinal, hlo      string  // of an operation of JAX: the number of its device, its name in HLO
	about             about
}

// about is what a profiler says of an operation.
type about struct {
	kind         string // its category in HLO
	text         string // its line of HLO
	flops, bytes float64
	program      bool // it is an operation of a compiled program
	marks        bool // it only marks a step
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
		case "device_ordinal":
			e.ordinal = v
		case "hlo_op":
			e.hlo, e.about.program = v, true
		case "step_num":
			e.about.marks = true
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
	if err != nil || strings.ContainsAny(rest, "eE") {
		r.started = true
		return number(at) - float64(r.origin)
	}
	if !r.started {
		r.started, r.origin = true, whole
	}
	part := 0.0
	if rest != "" {
		part = number("0." + rest)
	}
	if strings.HasPrefix(at, "-") {
		part = -part
	}
	if whole > 1e18 || whole < -1e18 {
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

// sending are the operations of HLO that send, as their names begin, and the names that JAX has for them, after which
// it names operations since 2025: psum.7.
var sending = [...]string{"all-reduce", "all-gather", "reduce-scatter", "all-to-all", "ragged-all-to-all",
	"collective-permute", "collective-broadcast", "async-collective", "send", "recv", "psum", "pmax", "pmin",
	"ppermute", "pbroadcast", "psum-invariant", "all-gather-invariant"}

// plainHLO are operations of HLO that compute, and what for.
const plainHLO = "|fusion fused|dot matmul|convolution matmul|reduce reduce|reduce-window reduce|sort sort|scatter " +
	"index|gather index|dynamic-slice index|dynamic-update-slice index|slice index|concatenate copy|transpose copy|" +
	"reshape copy|broadcast pointwise|iota pointwise|convert pointwise|select pointwise|select-and-scatter index|" +
	"compare pointwise|add pointwise|multiply pointwise|subtract pointwise|divide pointwise|maximum pointwise|minimum " +
	"pointwise|exponential pointwise|tanh pointwise|rsqrt pointwise|negate pointwise|pad pointwise|rng random|" +
	"rng-bit-generator random|fft fft|cholesky linear-algebra|triangular-solve linear-algebra|bitcast-convert pointwise|" +
	"log pointwise|power pointwise|clamp pointwise|map pointwise|reverse index|xor pointwise|and pointwise|or pointwise|" +
	"not pointwise|logistic pointwise|dot-general matmul|conv-general-dilated convolution|axis-index pointwise|" +
	"broadcast-in-dim pointwise|convert-element-type pointwise|select-n pointwise|scatter-add index|squeeze copy|" +
	"reduce-sum reduce|reduce-max reduce|reduce-min reduce|argmax reduce|cumsum reduce|top-k sort|custom-jvp-call " +
	"pointwise|exp pointwise|max pointwise|min pointwise|sub pointwise|div pointwise|integer-pow pointwise|"

// classification is what an operation does, by its name and category.
type classification struct {
	class         Class
	does, library string
}

// classify tells what an operation does: one of HLO by its code, a kernel by the rules.
func (r *Reader) classify(name, kind, hlo string) classification {
	if t, ok := classifyHLO(name, hlo); ok {
		return t
	}
	if r.rules == nil {
		r.rules = readRules()
	}
	if what, how, ok := strings.Cut(strings.TrimPrefix(strings.ToLower(name), "[cuda "), " "); ok {
		switch {
		case what == "memcpy" && (strings.HasPrefix(how, "ptop") || strings.HasPrefix(how, "peer")):
			return classification{Comms, "transfer", "driver"}
		case what == "memcpy", what == "memset":
			return classification{Copy, "copy", "driver"}
		}
	}
	does, library := r.rules.classify(name)
	switch {
	case does == "collective":
		return classification{Comms, does, library}
	case does == "copy":
		return classification{Copy, does, library}
	case does == "wait": // which keeps nothing busy
		return classification{Holds, does, library}
	case does != "":
		return classification{Compute, does, library}
	case strings.HasPrefix(strings.ToLower(kind), "gpu_mem"):
		return classification{Copy, "copy", "driver"}
	case hlo != "" && hlo != "custom-call":
		return classification{Compute, hlo, "XLA"}
	}
	return classification{class: Unknown}
}

// classifyHLO tells what an operation of HLO does: by its name, which begins with its code, and by its category.
func classifyHLO(name, category string) (t classification, ok bool) {
	code := unnumbered(strings.TrimPrefix(name, "%"))
	base := strings.TrimSuffix(strings.TrimSuffix(code, "-start"), "-done")
	whole := base == code
	if whole && category == "" {
		base = strings.ReplaceAll(base, "_", "-") // JAX writes all_to_all where HLO has all-to-all
	}
	for _, begin := range sending {
		if base == begin || strings.HasPrefix(category, begin) || strings.HasPrefix(code, begin+"-") {
			return classification{Comms, "collective", "XLA"}, true
		}
	}
	_, does, found := strings.Cut(plainHLO, "|"+base+" ")
	does, _, _ = strings.Cut(does, "|")
	switch {
	case base == "while" || base == "conditional" || base == "call":
		return classification{Holds, "loop", "XLA"}, true
	case base == "copy" || strings.HasPrefix(category, "copy") || !whole && strings.HasSuffix(base, "slice"):
		return classification{Copy, "copy", "XLA"}, true
	case category != "" && category != "custom-call":
		return classification{Compute, category, "XLA"}, true
	case found && whole:
		return classification{Compute, does, "XLA"}, true
	}
	return t, false
}

// keep keeps what is wanted of an event.
func (r *Reader) keep(e *raw) {
	if e.phase == "" && e.name == "" && e.at == "" {
		return // JAX ends its list with an empty object
	}
	r.trace.Events++
	if e.at != "" {
		e.start = r.since(e.at)
	}
	if e.process == "CUDA functions" { // of PyTorch's older profiler, which has a thread for each device
		e.kind, e.process, e.device = "kernel", "", e.thread
	}
	switch r.onCPU(e); e.phase {
	case "M":
		r.metadata(e)
	case "b", "S":
		r.trace.Async++
	case "X":
		switch {
		case !(e.took >= 0) || math.IsNaN(e.start) || e.name == "":
			r.fault(noEvent)
		case r.onGPU && hostKind(e.kind) && !strings.HasPrefix(e.name, stepMark): // nobody will ask for it
		default:
			r.complete(r.track(e), r.event(e))
		}
	case "B":
		r.begin(e)
	case "E":
		r.end(r.track(e), e.start)
	case "":
		r.fault(noEvent)
	}
}

// onCPU gives what runs on a device that JAX makes of a CPU a process of its own: JAX records it on threads of the
// host, with the number of the device.
func (r *Reader) onCPU(e *raw) {
	if e.hlo != "" && e.ordinal != "" && strings.HasPrefix(r.called[e.process+r.part], "/host:") {
		device := "Device " + e.ordinal
		if r.onCPUs == nil {
			r.onCPUs = map[string]string{}
		}
		r.onCPUs[device+r.part] = strings.Clone(e.process + r.part)
		e.process = device
		if strings.HasPrefix(e.name, "end: ") {
			e.phase = "I" // only marks the moment
		}
	}
}

// begin keeps an event of which the end is still to come.
func (r *Reader) begin(e *raw) {
	if math.IsNaN(e.start) || e.name == "" {
		r.fault(noEvent)
		return
	}
	t := r.track(e)
	t.started = append(t.started, r.event(e))
	r.trace.Alone++
}

// event is an event by its operation.
func (r *Reader) event(e *raw) event {
	r.kept++
	return event{r.op(e), e.start, e.took}
}

// end ends what began last on a track.
func (r *Reader) end(t *track, at float64) {
	n := len(t.started)
	if n == 0 || !(at >= t.started[n-1].start) {
		r.trace.Alone++
		return
	}
	one := t.started[n-1]
	t.started = t.started[:n-1]
	r.trace.Alone--
	one.took = at - one.start
	r.complete(t, one)
}

// stepMark begins the names of the steps that PyTorch marks. JAX marks those that its user names by their numbers.
const stepMark = "ProfilerStep#"

func (r *Reader) complete(t *track, e event) {
	o := r.ops[e.op]
	if strings.HasPrefix(o.name, stepMark) || o.about.marks {
		t.steps = append(t.steps, e)
	}
	if o.onGPU && !r.onGPU {
		r.onGPU = true
		r.dropHosts()
	}
	t.took += e.took
	t.events = append(t.events, e)
	t.kernels = t.kernels || o.onGPU
	t.other = t.other || !hostKind(o.kind)
}

// dropHosts drops the events of hosts, once there is a device: a trace has many times more of them.
func (r *Reader) dropHosts() {
	for _, t := range r.tracks {
		if !t.other {
			r.kept -= len(t.events)
			t.events = nil
		}
	}
}

// hostKind tells whether events of a category run on the host. Those of devices, and all that nobody knows, do not.
func hostKind(kind string) bool {
	return kind != "" && strings.Contains(hostKinds, "|"+kind+"|")
}

const hostKinds = "|cpu_op|python_function|user_annotation|cuda_runtime|cuda_driver|xpu_runtime|xpu_driver|" +
	"mtia_runtime|hip_runtime|hip_driver|hpu_runtime|privateuse1_runtime|privateuse1_driver|cpu_instant_event|overhead|" +
	"Trace|fwdbwd|"

// metadata keeps what a process or a thread is called.
func (r *Reader) metadata(e *raw) {
	switch e.name {
	case "process_name", "process_labels":
		names := r.called
		if e.name == "process_labels" {
			names = r.labels
		}
		process := e.process + r.part
		if was := names[process]; was == "" || deviceOf(was) == "" && deviceOf(e.label) != "" {
			names[strings.Clone(process)] = strings.Clone(e.label)
		}
	case "thread_name":
		if t := r.track(e); t.label == "" || strings.HasPrefix(e.label, "stream") {
			t.label = strings.Clone(e.label)
		}
	}
}

// track is the track of an event. A kernel that names no process runs on the device that it names.
func (r *Reader) track(e *raw) *track {
	if e.process == "" {
		e.process = e.device
	}
	if gpuKind(e.kind) && e.device != "" { // a process may have kernels of several
		if first, ok := r.firsts[e.process]; !ok {
			r.firsts[strings.Clone(e.process)] = strings.Clone(e.device)
		} else if first == e.process { // which is the device's number, as PyTorch has it
			e.process = e.device
		} else if first != e.device {
			e.process += " " + e.device
		}
	}
	key := [2]string{e.process + r.part, e.thread}
	t, ok := r.places[key]
	if !ok && len(r.tracks) == maxTracks {
		return r.tracks[maxTracks-1]
	}
	if !ok {
		key = [2]string{strings.Clone(key[0]), strings.Clone(e.thread)}
		t = &track{process: key[0], thread: key[1], part: r.part}
		r.places[key] = t
		r.tracks = append(r.tracks, t)
	}
	return t
}

func (r *Reader) op(e *raw) int32 {
	kind := e.about.kind
	if kind == "" {
		kind = e.kind
	}
	key := [2]string{e.name, kind}
	o, ok := r.names[key]
	if !ok {
		o = int32(len(r.ops))
		key = [2]string{strings.Clone(e.name), strings.Clone(kind)}
		r.names[key] = o
		e.about.text, e.about.kind = strings.Clone(e.about.text), strings.Clone(e.about.kind)
		r.ops = append(r.ops, &op{name: key[0], kind: key[1], classification: r.classify(key[0], e.kind, e.about.kind),
			onGPU: gpuKind(e.kind), about: e.about})
	}
	return o
}
