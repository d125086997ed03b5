package trace

import (
	"math"
	"strings"
)

// keep keeps what is wanted of an event.
func (r *Reader) keep(e *raw) {
	if e.phase == "" && e.name == "" && e.at == "" {
		return // JAX ends its list with an empty object
	}
	r.trace.Events++
	if e.at != "" {
		e.start = r.since(e.at)
	}
	switch e.phase {
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

// begin keeps an event of which the end is still to come.
func (r *Reader) begin(e *raw) {
	if math.IsNaN(e.start) || e.name == "" {
		r.fault(noEvent)
		return
	}
	t := r.track(e)
	t.begun = append(t.begun, r.event(e))
	r.trace.Alone++
}

// event is an event by its operation.
func (r *Reader) event(e *raw) event {
	r.kept++
	return event{r.op(e), e.start, e.took}
}

// end ends what began last on a track.
func (r *Reader) end(t *track, at float64) {
	n := len(t.begun)
	if n == 0 || !(at >= t.begun[n-1].start) {
		r.trace.Alone++
		return
	}
	one := t.begun[n-1]
	t.begun = t.begun[:n-1]
	r.trace.Alone--
	one.took = at - one.start
	r.complete(t, one)
}

// stepMark begins the names of the steps that PyTorch marks.
const stepMark = "ProfilerStep#"

func (r *Reader) complete(t *track, e event) {
	o := r.ops[e.op]
	if strings.HasPrefix(o.name, stepMark) {
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

const hostKinds = "|cpu_op|python_function|user_annotation|cuda_runtime|cuda_driver|xpu_runtime|xpu_driver|mtia_runtime|" +
	"hip_runtime|hip_driver|hpu_runtime|privateuse1_runtime|privateuse1_driver|cpu_instant_event|overhead|Trace|fwdbwd|"

// metadata keeps what a process or a thread is called.
func (r *Reader) metadata(e *raw) {
	switch e.name {
	case "process_name", "process_labels":
		names := r.called
		if e.name == "process_labels" {
			names = r.labels
		}
		if was := names[e.process]; was == "" || deviceOf(was) == "" && deviceOf(e.label) != "" {
			names[strings.Clone(e.process)] = strings.Clone(e.label)
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
	key := [2]string{e.process, e.thread}
	t, ok := r.places[key]
	if !ok && len(r.tracks) == maxTracks {
		return r.tracks[maxTracks-1]
	}
	if !ok {
		key = [2]string{strings.Clone(e.process), strings.Clone(e.thread)}
		t = &track{process: key[0], thread: key[1]}
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
		r.ops = append(r.ops, &op{name: key[0], kind: key[1], told: r.tell(key[0], e.kind, e.about.kind),
			onGPU: gpuKind(e.kind), about: e.about})
	}
	return o
}
