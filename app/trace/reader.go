package trace

import (
	"math"
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
)

// What a text may have at the most.
const (
	MaxBytes  = 64 << 20
	MaxEvents = 2_000_000
	MaxOps    = 1000
	slice     = 64 << 10 // bytes of a step
	searched  = 1 << 20  // bytes of a step that looks for the events
	maxFaults = 50
	maxTracks = 4096 // beyond that events count as of the last one
)

// Reader reads a trace step by step. Make one with NewReader.
type Reader struct {
	cursor
	jobs    []func() (more bool) // what is left to do, in this order
	planned int                  // jobs after reading
	names   map[[2]string]int32
	ops     []*op
	tracks  []*track
	places  map[[2]string]*track
	called  map[string]string // processes, by their numbers
	kept    int               // events
	lines   int               // line breaks before counted
	counted int
	trace   Trace
	err     error
}

// op is an operation by its name and category.
type op struct {
	name, kind  string
	class       Class
	onGPU       bool
	about       about
	times, time float64
}

// track is a thread of a process.
type track struct {
	process, thread string
	label           string
	kernels         bool    // GPU kernels or copies run on it
	took            float64 // by all events, also those within others
	events, begun   []event
	steps           []event // that PyTorch marked
	walk            walk
}

// Fault is what can't be read, and where.
type Fault struct {
	Line int
	Kind FaultKind
}

// FaultKind is why something can't be read.
type FaultKind uint8

const (
	noEvent FaultKind = iota
	cutOff            // the text ends in the middle
	tooMany
)

// What says why something can't be read.
func (t *Trace) What(f Fault) *phrase.Phrase {
	switch f.Kind {
	case cutOff:
		return phrase.New("trace.cut", "n", t.Events)
	case tooMany:
		return phrase.New("trace.many", "most", MaxEvents)
	}
	return phrase.New("trace.no-event")
}

// NewReader begins to read a text. The error says why it can be no trace.
func NewReader(text string) (*Reader, error) {
	r := &Reader{cursor: cursor{src: text}, names: map[[2]string]int32{}, places: map[[2]string]*track{},
		called: map[string]string{}}
	first := r.next()
	switch {
	case len(text) > MaxBytes:
		return nil, phrase.New("trace.too-long", "most", MaxBytes>>20)
	case first == 0:
		return nil, phrase.New("trace.empty")
	case first != '{' && first != '[':
		return nil, phrase.New("trace.no-json")
	}
	if isSummary(text) {
		r.jobs = []func() bool{r.summary}
		return r, nil
	}
	if r.jobs = []func() bool{r.some, r.devices}; first == '{' {
		r.jobs = slices.Insert(r.jobs, 0, r.find)
	} else {
		r.pos++
	}
	return r, nil
}

// Step does a piece of the work, and says whether there is more to do.
func (r *Reader) Step() bool {
	if len(r.jobs) == 0 {
		return false
	}
	if next := r.jobs[0]; !next() {
		r.jobs = r.jobs[1:]
	}
	return len(r.jobs) > 0
}

// Err is why the text turned out to be no trace.
func (r *Reader) Err() error { return r.err }

// Done is how much is done, from 0 to 1.
func (r *Reader) Done() float64 {
	const reading = 0.8
	if r.planned > 0 {
		return 1 - (1-reading)*float64(len(r.jobs))/float64(r.planned)
	}
	return reading * float64(min(r.pos, len(r.src))) / float64(max(1, len(r.src)))
}

// find goes on to the list of events. In a text in quotes the name can't stand like this.
func (r *Reader) find() (more bool) {
	const name = `"traceEvents"`
	end := min(len(r.src), r.pos+searched)
	found := strings.Index(r.src[r.pos:end], name)
	if found < 0 && end < len(r.src) {
		r.pos = end - len(name)
		return true
	}
	if found >= 0 {
		if r.pos += found + len(name); r.take(':') && r.take('[') {
			return false
		}
		return true
	}
	r.err, r.jobs = phrase.New("trace.no-events"), r.jobs[:1]
	return false
}

// some reads a slice of the events.
func (r *Reader) some() (more bool) {
	for until := r.pos + slice; r.pos < until; {
		switch r.next() {
		case ']':
			return false
		case 0:
			r.fault(cutOff)
			return false
		case ',':
			r.pos++
			continue
		}
		begin, e := r.pos, raw{start: math.NaN(), took: math.NaN()}
		if !r.cursor.event(&e) {
			r.again(begin)
			continue
		}
		if r.keep(&e); r.kept == MaxEvents {
			r.fault(tooMany)
			return false
		}
	}
	return true
}

// again goes to where the next event may begin after one that can't be read: to the brace before the next phase.
func (r *Reader) again(begin int) {
	from := max(begin, r.pos)
	r.pos = begin
	if found := strings.Index(r.src[from:], "\"ph\""); found >= 0 {
		if brace := strings.LastIndexByte(r.src[begin+1:max(begin+1, from+found)], '{'); brace >= 0 {
			r.fault(noEvent)
			r.pos = begin + 1 + brace
			return
		}
		r.fault(noEvent)
		r.pos = from + found + len("\"ph\"")
		return
	}
	r.pos = len(r.src) // where it is found to be cut off
}

// fault keeps what can't be read at this place.
func (r *Reader) fault(kind FaultKind) {
	r.trace.Unread++
	if len(r.trace.Faults) == maxFaults {
		return
	}
	if at := min(r.pos, len(r.src)); at > r.counted {
		r.lines += strings.Count(r.src[r.counted:at], "\n")
		r.counted = at
	}
	r.trace.Faults = append(r.trace.Faults, Fault{r.lines + 1, kind})
}
