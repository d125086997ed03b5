package trace

import (
	"math"
	"strings"
)

// keep keeps what is wanted of an event.
func (r *Reader) keep(e *raw) {
	r.trace.Events++
	switch e.phase {
	case "M":
		r.metadata(e)
	case "b", "S":
		r.trace.Async++
	case "X":
		if e.took >= 0 && !math.IsNaN(e.start) && e.name != "" {
			r.complete(r.track(e), r.event(e))
		} else {
			r.fault(noEvent)
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

func (r *Reader) complete(t *track, e event) {
	o := r.ops[e.op]
	t.took += e.took
	t.events = append(t.events, e)
	t.kernels = t.kernels || o.onGPU
	if strings.HasPrefix(o.name, "ProfilerStep#") {
		t.steps = append(t.steps, e)
	}
}

// metadata keeps what a process or a thread is called.
func (r *Reader) metadata(e *raw) {
	switch e.name {
	case "process_name":
		if strings.Contains(e.label, "/device:") || r.called[e.process] == "" {
			r.called[e.process] = e.label
		}
	case "process_labels":
		if strings.HasPrefix(e.label, "GPU") {
			r.called[e.process] = e.label
		}
	case "thread_name":
		if t := r.track(e); t.label == "" || strings.HasPrefix(e.label, "stream") {
			t.label = e.label
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
		t = &track{process: e.process, thread: e.thread}
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
		r.names[key] = o
		r.ops = append(r.ops, &op{name: e.name, kind: kind, class: classOf(e.name, kind), onGPU: gpuKind(kind),
			about: e.about})
	}
	return o
}
