// Package trace reads what a profiler recorded, and says where the time of each device went.
//
// A trace is JSON in Chrome's format, as the profilers of JAX and PyTorch write it. It works in these steps:
//
//  1. A [Reader] goes through the text in slices and keeps of each event when it began, how long it took, and what it
//     was called (event.go, reader.go). What begins and ends in two events is put together (event.go).
//  2. The tracks that are a device's own are distinguished from those of hosts: kernels and copies of GPUs, the
//     operations of TPUs (tracks.go).
//  3. Events that lie within others are taken out of them, so that each moment of a track belongs to one operation
//     (device.go).
//  4. Of each device the times are joined: what it computes, what it sends, what of that no arithmetic covers, and when
//     it stands idle (device.go).
//
// Every step of all this is far shorter than a frame of a page, however long the text is.
//
// # Limits
//
// Texts come from strangers. A text has at most [MaxBytes] and [MaxEvents] events; what can't be read is skipped and
// counted, with its line, and a text that is cut off gives the events before.
package trace

import (
	"math"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/pasted"
	"github.com/scalebook/scalebook/app/phrase"
)

// What a text may have at the most.
const (
	MaxBytes  = 1 << 30   // of a text that is read as a whole; one that comes in pieces may have more
	MaxEvents = 4_000_000 // that are kept
	MaxOps    = 1000
	maxEvent  = 8 << 20  // bytes of an event, of a text in pieces
	slice     = 64 << 10 // bytes of a step
	searched  = 1 << 20  // bytes of a step that looks for the events
	maxFaults = 50
	maxTracks = 4096 // beyond that events count as of the last one
)

// Reader reads a trace step by step: a text, or one that comes in pieces. Make one with NewReader or NewStream.
type Reader struct {
	cursor
	stream  bool                 // the text comes in pieces,
	closed  bool                 // and all have come
	starved bool                 // nothing can be done before the next piece
	jobs    []func() (more bool) // what is left to do, in this order
	planned int                  // jobs after reading
	part    string               // of the devices' names: which of several documents they are from; "" of the first
	parts   int                  // documents
	open    bool                 // the list of events needs no bracket at its end
	names   map[[2]string]int32
	ops     []*op
	tracks  []*track
	places  map[[2]string]*track
	called  map[string]string // processes, by their numbers
	firsts  map[string]string // processes, by their numbers -> the device of their first kernel
	onCPUs  map[string]string // devices that JAX made of a CPU -> the process of their host
	labels  map[string]string // what the recorder says of them
	cards   map[string]string // devices, by their numbers, as their drivers name them
	rules   *rules
	planes  *planes
	onGPU   bool  // there was an event of a GPU
	started bool  // there was a moment,
	origin  int64 // from which all others count, in microseconds
	kept    int   // events
	lines   int   // line breaks before counted
	counted int
	trace   Trace
	other   *phrase.Phrase // what the text is, if it is known to be no trace
	foreign bool           // nothing in it tells what it is
	err     error
}

// op is an operation by its name and category.
type op struct {
	name, kind     string
	classification // what it does
	onGPU          bool
	about          about
	times, time    float64
}

// track is a thread of a process.
type track struct {
	process, thread string
	part            string // of Reader, when it was made
	label           string
	kernels         bool    // GPU kernels or copies run on it
	other           bool    // something runs on it that need not be the host's
	took            float64 // by all events, also those within others
	events, started []event
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

// Cuts tells whether the text ends there, in the middle.
func (f Fault) Cuts() bool { return f.Kind == cutOff }

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
	if len(text) > MaxBytes {
		return nil, phrase.New("trace.too-long", "most", MaxBytes>>20)
	}
	r := newReader()
	r.src, r.closed = text, true
	if err := r.format(); err != nil {
		return nil, err
	}
	return r, nil
}

// NewStream begins to read a text that comes in pieces, by Feed, until Close.
func NewStream() *Reader {
	r := newReader()
	r.stream, r.jobs = true, []func() bool{r.formatted}
	return r
}

func newReader() *Reader {
	return &Reader{names: map[[2]string]int32{}, places: map[[2]string]*track{}, called: map[string]string{},
		labels: map[string]string{}, cards: map[string]string{}, firsts: map[string]string{}}
}

// Feed hands over the next piece of the text.
func (r *Reader) Feed(piece string) {
	if r.starved = false; r.err != nil || len(r.jobs) == 0 || r.planned > 0 {
		return
	}
	r.countLines()
	r.counted -= min(r.counted, r.pos)
	r.src, r.pos = r.src[min(r.pos, len(r.src)):]+piece, 0
}

// Close says that there are no more pieces.
func (r *Reader) Close() { r.closed, r.starved = true, false }

// Starved tells whether the reader waits for the next piece.
func (r *Reader) Starved() bool { return r.starved }

// short tells whether the text that has come ends within so many bytes from here, while more is to come.
func (r *Reader) short(bytes int) bool {
	if r.closed || r.pos+bytes < len(r.src) {
		return false
	}
	r.starved = true
	return true
}

// formatted finds the format of a text in pieces.
func (r *Reader) formatted() (more bool) {
	if r.short(slice) {
		return true
	}
	jobs := r.jobs
	if r.err = r.format(); r.err != nil {
		r.jobs = jobs[:1]
		return false
	}
	r.jobs = append(jobs[:1:1], r.jobs...)
	return false
}

// format tells what is in the text by how it begins, and plans what is to be done.
func (r *Reader) format() error {
	r.src = strings.TrimPrefix(r.src, "\ufeff")
	first := r.next()
	r.other = pasted.Other(r.src, "trace", "binary")
	switch {
	case first == 0 && r.pos == len(r.src):
		return phrase.New("trace.empty")
	case first == '{' && isSummary(r.src):
		r.jobs = []func() bool{r.summary}
	case first == '{' && r.lined():
		r.open, r.jobs = true, []func() bool{r.some, r.devices}
	case first == '{':
		r.jobs = []func() bool{r.find, r.some, r.behind, r.another, r.devices}
	case first == '[' && pasted.Kind(r.src) == "trtexec":
		return r.noTrace()
	case first == '[' && r.listed():
		r.jobs = []func() bool{r.some, r.devices}
	case isPlanes(r.src) && !strings.Contains(r.src[:min(len(r.src), 9)], "\ufffd"):
		r.pos, r.planes = 0, &planes{Reader: r}
		r.jobs = []func() bool{r.planes.some, r.devices}
	case strings.HasPrefix(r.src, "\x1f\x8b"):
		return phrase.New("trace.packed")
	case strings.HasPrefix(r.src, "SQLite format 3") && strings.Contains(r.src[:min(len(r.src), slice)], "rocpd"):
		return phrase.New("trace.rocpd")
	case strings.HasPrefix(r.src, "SQLite format 3"):
		return phrase.New("trace.sqlite")
	case strings.HasPrefix(r.src, "PK\x03\x04"):
		return phrase.New("trace.zip")
	case strings.HasPrefix(r.src, "\x89PNG"), strings.HasPrefix(r.src, "\xff\xd8\xff"), strings.HasPrefix(r.src,
		"GIF8"), strings.HasPrefix(r.src, "%PDF-"):
		return phrase.New("trace.picture")
	case strings.HasPrefix(r.src, "\x28\xb5\x2f\xfd"), strings.HasPrefix(r.src, "\xfd7zXZ"),
		strings.HasPrefix(r.src, "BZh"):
		return phrase.New("trace.other-packed")
	case strings.Count(r.src[:min(len(r.src), 256)], "\ufffd") > 3:
		return phrase.New("trace.damaged")
	case isPackets(r.src):
		return phrase.New("trace.perfetto")
	case strings.HasPrefix(r.src, "NVIDIA Tegra"):
		return phrase.New("trace.nsys")
	case strings.HasPrefix(r.src, "NVR\x00"):
		return phrase.New("trace.ncu")
	case r.tabled():
	case r.other != nil:
		return r.noTrace()
	default:
		for _, heading := range [...]string{" (ns)", " CPU %", "\"Metric "} { // of nsys, PyTorch and ncu
			if strings.Contains(r.src[:min(len(r.src), 4<<10)], heading) {
				return phrase.New("trace.table")
			}
		}
		r.foreign = true
		return phrase.New("trace.no-json")
	}
	return nil
}

// listed goes on behind the bracket of a list, and tells whether there can be events: other texts begin so too.
func (r *Reader) listed() bool {
	c := cursor{src: r.src, pos: r.pos + 1}
	next := c.next()
	if next == '{' || next == ']' || c.pos == len(c.src) {
		r.pos++
		return true
	}
	return false
}

// lined tells whether a text is of events alone, one behind the other, as lines of JSON are.
func (r *Reader) lined() bool {
	c := cursor{src: r.src[:min(len(r.src), slice)], pos: r.pos}
	var e raw
	return c.event(&e) && e.phase != "" && e.name+e.at != ""
}

// noTrace says what a text is instead of a trace; it is known.
func (r *Reader) noTrace() error {
	return phrase.Fault{What: r.other, Remedy: phrase.New("trace.choose")}
}

// Step does a piece of the work, and says whether there is more to do.
func (r *Reader) Step() bool {
	if len(r.jobs) == 0 || r.starved {
		return false
	}
	if next := r.jobs[0]; !next() {
		r.jobs = r.jobs[1:]
	}
	return len(r.jobs) > 0 && !r.starved
}

// Err is why the text turned out to be no trace.
func (r *Reader) Err() error { return r.err }

// Foreign tells whether nothing in the text says what it is.
func (r *Reader) Foreign() bool { return r.foreign }

// Done is how much is done, from 0 to 1.
func (r *Reader) Done() float64 {
	const reading = 0.8
	if r.planned > 0 {
		return 1 - (1-reading)*float64(len(r.jobs))/float64(r.planned)
	}
	if r.stream {
		return reading
	}
	return reading * float64(min(r.pos, len(r.src))) / float64(max(1, len(r.src)))
}

// find goes on to the list of events. In a text in quotes the name can't stand like this.
func (r *Reader) find() (more bool) {
	const name = `"traceEvents"`
	if r.short(searched) {
		return true
	}
	end := min(len(r.src), r.pos+searched)
	found := strings.Index(r.src[r.pos:end], name)
	if found < 0 && end < len(r.src) {
		r.properties(r.src[r.pos:end])
		r.pos = end - len(name)
		return true
	}
	if found >= 0 {
		r.properties(r.src[r.pos : r.pos+found])
		if r.pos += found + len(name); r.take(':') && r.take('[') {
			return false
		}
		return true
	}
	if r.err, r.jobs = phrase.New("trace.no-events"), r.jobs[:1]; r.other != nil {
		r.err = r.noTrace()
	}
	return false
}

// behind reads what stands behind the events, where tools that write a trace anew may put what stood before.
func (r *Reader) behind() (more bool) {
	if len(r.src)-r.pos < maxEvent && r.short(len(r.src)) {
		return true
	}
	at := min(r.pos, len(r.src))
	r.properties(r.src[at:min(len(r.src), at+maxEvent)])
	return false
}

// another goes on to the next document, where several follow one another: those of several ranks. Processes of two have
// the same numbers, so that the devices of each later one bear its rank, or its place.
func (r *Reader) another() (more bool) {
	if r.short(searched) {
		return true
	}
	const name = `"traceEvents"`
	end := min(len(r.src), r.pos+searched)
	found := strings.Index(r.src[min(r.pos, end):end], name)
	switch {
	case found >= 0:
		r.parts++
		r.part = ", file " + strconv.Itoa(r.parts+1)
		clear(r.firsts)
		r.jobs = append([]func() bool{r.another, r.find, r.some, r.behind}, r.jobs...)
	case end < len(r.src):
		r.pos = end - len(name)
		return true
	}
	return false
}

// properties keeps what PyTorch says of the devices, and of the rank of a later document.
func (r *Reader) properties(head string) {
	if _, rank, is := strings.Cut(head[document(head):], `"distributedInfo"`); is && r.parts > 0 {
		if _, rank, is = strings.Cut(rank[:min(len(rank), 300)], `"rank":`); is {
			c := cursor{src: rank}
			if n := c.whole(1 << 20); n >= 0 {
				r.part = ", rank " + strconv.Itoa(n)
			}
		}
	}
	_, list, _ := strings.Cut(head, `"deviceProperties"`)
	c := cursor{src: list}
	if !c.take(':') {
		return
	}
	c.list(func() bool {
		id, name := "", ""
		ok := c.fields(func(field string) bool {
			v, ok := c.value()
			switch field {
			case "id":
				id = v
			case "name":
				name = v
			}
			return ok
		})
		if ok && len(r.cards) < maxTracks {
			r.cards[strings.Clone(id)] = strings.Clone(name)
		}
		return ok
	})
}

// document is where the document begins of which a text ends in the head: behind the end of the one before, if the text
// has that.
func document(head string) int {
	for at := len(head); ; {
		if at = strings.LastIndexByte(head[:at], '}'); at < 0 {
			return 0
		}
		if strings.HasPrefix(strings.TrimLeft(head[at+1:], " \t\r\n"), "{") {
			return at + 1
		}
	}
}

// some reads a slice of the events.
func (r *Reader) some() (more bool) {
	for until := r.pos + slice; r.pos < until; {
		switch r.next() {
		case ']':
			return false
		case 0:
			if r.pos == len(r.src) && r.short(0) {
				return true
			}
			if !r.open {
				r.fault(cutOff)
			}
			return false
		case ',':
			r.pos++
			continue
		}
		begin, e := r.pos, raw{start: math.NaN(), took: math.NaN()}
		if !r.cursor.event(&e) {
			if r.pos >= len(r.src) && len(r.src)-begin < maxEvent && r.short(0) {
				r.pos = begin
				return true
			}
			if !r.again(begin) {
				return true
			}
			continue
		}
		if r.keep(&e); r.kept == MaxEvents {
			r.fault(tooMany)
			return false
		}
	}
	return true
}

// again goes to where the next event may begin after one that can't be read: to the brace before the next phase. It is
// false if that is still to come.
func (r *Reader) again(begin int) bool {
	from := min(max(begin, r.pos), len(r.src))
	r.pos = begin
	found := strings.Index(r.src[from:], "\"ph\"")
	if found >= 0 {
		if brace := strings.LastIndexByte(r.src[begin+1:max(begin+1, from+found)], '{'); brace >= 0 {
			r.fault(noEvent)
			r.pos = begin + 1 + brace
			return true
		}
		r.fault(noEvent)
		r.pos = from + found + len("\"ph\"")
		return true
	}
	if len(r.src)-begin < maxEvent && r.short(len(r.src)) {
		return false
	}
	r.pos = len(r.src) // where it is found to be cut off
	return true
}

// fault keeps what can't be read at this place.
func (r *Reader) fault(kind FaultKind) {
	r.trace.Unread++
	if len(r.trace.Faults) == maxFaults {
		return
	}
	r.countLines()
	r.trace.Faults = append(r.trace.Faults, Fault{r.lines + 1, kind})
}

// countLines counts the line breaks up to here.
func (r *Reader) countLines() {
	if at := min(r.pos, len(r.src)); at > r.counted {
		r.lines += strings.Count(r.src[r.counted:at], "\n")
		r.counted = at
	}
}
