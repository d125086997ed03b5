package trace

import (
	"math"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
)

// What a text may have at the most.
const (
	MaxBytes  = 64 << 20
	MaxEvents = 2_000_000
	slice     = 128 << 10 // bytes of a step
	maxFaults = 50
	maxTracks = 4096 // beyond that events count as of the last one
)

// Reader reads a trace step by step. Make one with NewReader.
type Reader struct {
	cursor
	stage   int // 0 before the events, 1 among them, 2 after
	events  []event
	names   map[[2]string]int32
	ops     []op
	tracks  []track
	places  map[[2]string]int32
	called  map[string]string // processes, by their numbers
	lines   int               // line breaks before counted
	counted int
	left    []int // devices that are still to be added up
	trace   Trace
}

// op is an operation by its name and category.
type op struct {
	name, kind string
	class      Class
	about      about
}

// track is a thread of a process.
type track struct {
	process, thread string
	label           string
	kernels         bool // GPU kernels or copies run on it
	events          []event
}

// Fault is what can't be read, and where.
type Fault struct {
	Line int
	What *phrase.Phrase
}

// NewReader begins to read a text. The error says why it can be no trace.
func NewReader(text string) (*Reader, error) {
	r := &Reader{cursor: cursor{src: text}, names: map[[2]string]int32{}, places: map[[2]string]int32{},
		called: map[string]string{}}
	switch first := r.next(); {
	case len(text) > MaxBytes:
		return nil, phrase.New("trace.too-long", "most", MaxBytes>>20)
	case first == 0:
		return nil, phrase.New("trace.empty")
	case first == '[':
		r.pos++
		r.stage = 1
	case first != '{':
		return nil, phrase.New("trace.no-json")
	case !strings.Contains(text, `"traceEvents"`):
		return nil, phrase.New("trace.no-events")
	}
	return r, nil
}

// Step reads on for a while, and says whether there is more to do.
func (r *Reader) Step() bool {
	switch r.stage {
	case 0:
		r.find()
	case 1:
		r.some()
	case 2:
		r.prepare()
	default:
		return r.add()
	}
	return true
}

// Done is how much is done, from 0 to 1.
func (r *Reader) Done() float64 {
	if r.stage > 2 {
		n := len(r.trace.Devices)
		return 0.9 + 0.1*float64(n-len(r.left))/float64(max(1, n))
	}
	return 0.9 * float64(r.pos) / float64(max(1, len(r.src)))
}

// find goes to the list of events.
func (r *Reader) find() {
	r.stage = 2
	r.fields(func(name string) bool {
		if name == "traceEvents" && r.take('[') {
			r.stage = 1
			return false
		}
		_, ok := r.value()
		return ok
	})
	if r.stage == 2 {
		r.fault("trace.no-events")
	}
}

// some reads a slice of the events.
func (r *Reader) some() {
	for until := r.pos + slice; r.pos < until; {
		switch r.next() {
		case ']':
			r.stage = 2
			return
		case 0:
			r.fault("trace.cut", "n", r.trace.Events)
			r.stage = 2
			return
		case ',':
			r.pos++
			continue
		}
		begin, e := r.pos, raw{start: math.NaN(), took: math.NaN()}
		if !r.event(&e) {
			r.again(begin)
			continue
		}
		if r.keep(&e); len(r.events) == MaxEvents {
			r.fault("trace.many", "most", MaxEvents)
			r.stage = 2
			return
		}
	}
}

// again goes to where the next event may begin after one that can't be read: to the brace before the next phase.
func (r *Reader) again(begin int) {
	from := max(begin, r.pos)
	r.pos = begin
	if found := strings.Index(r.src[from:], "\"ph\""); found >= 0 {
		if brace := strings.LastIndexByte(r.src[begin+1:max(begin+1, from+found)], '{'); brace >= 0 {
			r.fault("trace.no-event")
			r.pos = begin + 1 + brace
			return
		}
		r.fault("trace.no-event")
		r.pos = from + found + len("\"ph\"")
		return
	}
	r.fault("trace.cut", "n", r.trace.Events)
	r.stage, r.pos = 2, len(r.src)
}

// keep keeps what is wanted of an event.
func (r *Reader) keep(e *raw) {
	r.trace.Events++
	switch {
	case e.phase == "M":
		r.metadata(e)
	case e.phase == "B" || e.phase == "E":
		r.trace.Pairs++
	case e.phase == "X" && !math.IsNaN(e.start) && e.took >= 0 && e.name != "":
		t := r.track(e)
		r.tracks[t].kernels = r.tracks[t].kernels || gpuKind(e.kind)
		r.events = append(r.events, event{r.op(e), t, e.start, e.took})
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
		if t := r.track(e); r.tracks[t].label == "" || strings.HasPrefix(e.label, "stream") {
			r.tracks[t].label = e.label
		}
	}
}

func (r *Reader) track(e *raw) int32 {
	key := [2]string{e.process, e.thread}
	t, ok := r.places[key]
	if !ok && len(r.tracks) == maxTracks {
		return maxTracks - 1
	}
	if !ok {
		t = int32(len(r.tracks))
		r.places[key] = t
		r.tracks = append(r.tracks, track{process: e.process, thread: e.thread})
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
		r.ops = append(r.ops, op{e.name, kind, classOf(e.name, kind), e.about})
	}
	return o
}

// fault keeps what can't be read at this place.
func (r *Reader) fault(key string, gaps ...any) {
	r.trace.Unread++
	if len(r.trace.Faults) == maxFaults {
		return
	}
	if at := min(r.pos, len(r.src)); at > r.counted {
		r.lines += strings.Count(r.src[r.counted:at], "\n")
		r.counted = at
	}
	r.trace.Faults = append(r.trace.Faults, Fault{r.lines + 1, phrase.New(key, gaps...)})
}
