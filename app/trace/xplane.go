package trace

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// planes reads what the profilers of JAX and TensorFlow write for TensorBoard, .xplane.pb: a space of planes, each a
// device or a host, with lines of events. Names come behind the events that have them, by number. The numbers of the
// fields stand in openxla/xla, third_party/tsl/tsl/profiler/protobuf/xplane.proto.
type planes struct {
	*Reader
	depth int    // 0 in the space, 1 in a plane, 2 in a line
	ends  [3]int // where the plane and the line end, counted from here
	skip  int    // bytes that nobody asks for
	lost  bool   // nobody can tell where anything begins any more
	plane plane
	line  xline
}

// The fields of the messages.
const (
	spacePlanes                                                                  = 1
	planeName, planeLines, planeEvents, planeStats                               = 2, 3, 4, 5
	lineID, lineName, lineStamp, lineEvents, lineDisplay, lineShown              = 1, 2, 3, 4, 10, 11
	eventMeta, eventOffset, eventTook, eventStats                                = 1, 2, 3, 4
	metaID, metaName, metaShown, metaStats                                       = 1, 2, 4, 5
	statMeta, statDouble, statUint, statInt, statText, statBytes, statRef, isMap = 1, 2, 3, 4, 5, 6, 7, 2
)

// plane is a plane that is being read.
type plane struct {
	name   string
	host   bool // one that nobody asks for
	tracks []*track
	ops    map[uint64]int32    // numbers of events, to operations that still lack their names
	used   []uint64            // these numbers, in the order in which they came
	said   map[uint64][]uint64 // numbers of events, to those of what is said of the first of each
	metas  []meta
	stats  map[uint64]string // names of what is said of events
	spoken []spokenOf
}

// spokenOf is a whole number that is said of one event of a host: where it is, what it is by its number, and the
// number.
type spokenOf struct {
	track, event int32
	of           uint64
	number       uint64
}

// meta is what the events of a number have in common.
type meta struct {
	id          uint64
	name, shown string
	stats       []string // still packed
}

// xline is a line that is being read: its events may come before its name.
type xline struct {
	name, shown string
	id          uint64
	stamp       int64 // nanoseconds
	events      []event
}

// isPlanes tells whether a text can be a space of planes: it begins with one.
func isPlanes(text string) bool {
	p := message{text}
	field, _, inside, ok := p.field()
	if field != spacePlanes || text[0] != spacePlanes<<3|2 {
		return false
	}
	if !ok { // longer than what has come
		p = message{text[1:]}
		n, whole := p.varint()
		return whole && n > 0 && p.rest != "" && (p.rest[0] == 1<<3 || p.rest[0] == planeName<<3|2)
	}
	first := message{inside} // which profiles of memory (pprof) follow up by another number, and planes by a name
	first.field()
	return inside == "" || inside[0] == 1<<3 && (first.rest == "" || first.rest[0]&7 == 2) ||
		inside[0] == planeName<<3|2
}

// some reads a slice of the planes.
func (p *planes) some() (more bool) {
	for until := p.pos + slice; p.pos < until; {
		if p.lost {
			p.pos = len(p.src)
			return p.short(0) || p.over()
		}
		if p.skip > 0 {
			n := min(p.skip, len(p.src)-p.pos)
			p.pass(n)
			if p.skip -= n; p.skip > 0 && p.short(0) {
				return true
			}
			if p.skip > 0 {
				p.fault(cutOff)
				p.skip = 0
			}
		}
		for p.depth > 0 && p.ends[p.depth] <= 0 {
			p.end()
		}
		if p.pos == len(p.src) {
			if p.short(0) {
				return true
			}
			if p.depth > 0 {
				p.fault(cutOff)
			}
			return p.over()
		}
		if !p.one() {
			return true
		}
		if p.kept >= MaxEvents {
			p.fault(tooMany)
			return p.over()
		}
	}
	return true
}

// over ends what is started.
func (p *planes) over() (more bool) {
	for p.depth > 0 {
		p.end()
	}
	return false
}

// pass goes on by so many bytes.
func (p *planes) pass(n int) {
	p.pos += n
	for d := 1; d <= p.depth; d++ {
		p.ends[d] -= n
	}
}

// most is how many bytes a message may have that is read as a whole.
const most = 4 << 20

// one reads a field at this depth. It is false where it has to wait, or can't go on.
func (p *planes) one() bool {
	m := message{p.src[p.pos:min(len(p.src), p.pos+20)]}
	all := len(m.rest)
	key, ok := m.varint()
	size := uint64(0)
	if ok && key&7 == 2 {
		size, ok = m.varint()
	}
	head, field := all-len(m.rest), int(key>>3)
	if !ok || size > 1<<40 || key>>3 > 1<<29 {
		if p.short(20) {
			return false
		}
		p.fault(cutOff)
		p.lost = true
		return true
	}
	switch {
	case key&7 != 2:
	case p.depth == 0 && field == spacePlanes:
		p.pass(head)
		p.depth, p.ends[1] = 1, int(size)
		p.plane = plane{ops: map[uint64]int32{}, said: map[uint64][]uint64{}, stats: map[uint64]string{}}
		return true
	case p.depth == 1 && field == planeLines && !p.plane.host:
		p.pass(head)
		p.depth, p.ends[2], p.line = 2, min(int(size), p.ends[1]), xline{}
		return true
	case p.depth == 0, size > most, p.plane.host,
		p.depth == 1 && field != planeName && field != planeEvents && field != planeStats:
		p.pass(head)
		p.skip = int(size)
		return true
	}
	m = message{p.src[p.pos:]}
	field, value, inside, ok := m.field()
	if !ok {
		if p.short(most + 20) {
			return false
		}
		p.fault(cutOff)
		p.lost = true
		return true
	}
	p.pass(len(p.src) - p.pos - len(m.rest))
	if p.depth == 1 {
		p.inPlane(field, inside)
	} else if p.depth == 2 {
		p.inLine(field, value, inside)
	}
	return true
}

func (p *planes) inPlane(field int, inside string) {
	switch field {
	case planeName:
		p.plane.name = p.unlike(inside)
		p.plane.host = deviceOf(inside) == "" && (p.onGPU || !strings.HasPrefix(inside, "/host:"))
	case planeEvents:
		if key, entry := mapEntry(inside); entry != "" && p.plane.ops != nil {
			if _, used := p.plane.ops[key]; used || len(p.plane.ops) == 0 {
				p.plane.metas = append(p.plane.metas, readMeta(key, entry))
			}
		}
	case planeStats:
		key, entry := mapEntry(inside)
		m := message{entry}
		for {
			field, _, text, ok := m.field()
			if !ok {
				return
			}
			if field == metaName {
				p.plane.stats[key] = strings.Clone(text)
			}
		}
	}
}

// unlike is the name of a plane, with the number of its host where an earlier one has a device of that name: files of
// several hosts may stand one behind the other.
func (p *planes) unlike(name string) string {
	chip, core := name, ""
	if at := strings.Index(name, " SparseCore"); at >= 0 {
		chip, core = name[:at], name[at:]
	}
	own := strings.Clone(name)
	for host := 2; strings.HasPrefix(chip, "/device:") && p.called[own] != "" && host <= maxTracks; host++ {
		own = chip + " (" + strconv.Itoa(host) + ")" + core
	}
	return own
}

// mapEntry is an entry of a map: its key and its value.
func mapEntry(text string) (key uint64, value string) {
	m := message{text}
	for {
		field, x, inside, ok := m.field()
		switch {
		case !ok:
			return key, value
		case field == 1:
			key = x
		case field == isMap:
			value = inside
		}
	}
}

func readMeta(key uint64, text string) meta {
	one := meta{id: key}
	m := message{text}
	for {
		field, _, inside, ok := m.field()
		switch {
		case !ok:
			return one
		case field == metaName:
			one.name = strings.Clone(inside)
		case field == metaShown:
			one.shown = strings.Clone(inside)
		case field == metaStats && len(one.stats) < maxFaults:
			one.stats = append(one.stats, strings.Clone(inside))
		}
	}
}

func (p *planes) inLine(field int, value uint64, inside string) {
	switch field {
	case lineID:
		p.line.id = value
	case lineName:
		p.line.name = strings.Clone(inside)
	case lineShown:
		p.line.shown = strings.Clone(inside)
	case lineStamp:
		p.line.stamp = int64(value)
	case lineEvents:
		p.event(inside)
	}
}

// event keeps an event of a line, by the number of what it is called; its beginning counts from that of the line.
func (p *planes) event(text string) {
	m := message{text}
	var id, offset, took uint64
	var said []string
	for {
		field, value, inside, ok := m.field()
		if !ok {
			break
		}
		switch field {
		case eventMeta:
			id = value
		case eventOffset:
			offset = value
		case eventTook:
			took = value
		case eventStats:
			if len(said) < maxFaults {
				said = append(said, inside)
			}
		}
	}
	p.trace.Events++
	if int64(took) < 0 || int64(offset) < 0 || m.rest != "" {
		p.fault(noEvent)
		return
	}
	o, ok := p.plane.ops[id]
	if !ok {
		o = int32(len(p.ops))
		p.plane.ops[id] = o
		p.plane.used = append(p.plane.used, id)
		for _, text := range said {
			if x := (message{text}); text != "" {
				if field, of, _, ok := x.field(); ok && field == statMeta {
					p.plane.said[id] = append(p.plane.said[id], of)
				}
			}
		}
		p.ops = append(p.ops, &op{})
	}
	p.kept++
	if strings.HasPrefix(p.plane.name, "/host:") {
		p.numbers(said)
	}
	p.line.events = append(p.line.events, event{o, float64(int64(offset)) / 1e6, float64(int64(took)) / 1e6})
}

// numbers keeps the whole numbers that are said of an event of a host that comes next.
func (p *planes) numbers(said []string) {
	for _, text := range said {
		x := spokenOf{track: int32(len(p.plane.tracks)), event: int32(len(p.line.events))}
		is := false
		for m := (message{text}); ; {
			field, value, _, ok := m.field()
			if !ok {
				break
			}
			switch field {
			case statMeta:
				x.of = value
			case statUint, statInt:
				x.number, is = value, true
			}
		}
		if is {
			p.plane.spoken = append(p.plane.spoken, x)
		}
	}
}

// onCPU moves the operations that ran on a device that JAX makes of a CPU to a track of that device, as [Reader.onCPU]
// does.
func (p *planes) onCPU() {
	type place struct {
		device uint64
		track  int32
	}
	to, moved := map[place]*track{}, map[*track]map[int32]bool{}
	for _, x := range p.plane.spoken {
		if p.plane.stats[x.of] != "device_ordinal" || int(x.track) >= len(p.plane.tracks) || x.number > maxTracks {
			continue
		}
		from := p.plane.tracks[x.track]
		if int(x.event) >= len(from.events) || !p.ops[from.events[x.event].op].about.program {
			continue
		}
		t := to[place{x.number, x.track}]
		if t == nil {
			if len(p.tracks) == maxTracks {
				continue
			}
			t = &track{process: "Device " + strconv.FormatUint(x.number, 10), thread: from.thread, label: from.label,
				other: true}
			if p.onCPUs == nil {
				p.onCPUs = map[string]string{}
			}
			p.onCPUs[t.process] = from.process
			to[place{x.number, x.track}] = t
			p.tracks = append(p.tracks, t)
		}
		e := from.events[x.event]
		t.events, t.took, from.took = append(t.events, e), t.took+e.took, from.took-e.took
		if moved[from] == nil {
			moved[from] = map[int32]bool{}
		}
		moved[from][x.event] = true
	}
	for from, gone := range moved {
		i := int32(-1)
		from.events = slices.DeleteFunc(from.events, func(event) bool { i++; return gone[i] })
	}
}

// end ends a line or a plane.
func (p *planes) end() {
	if p.depth--; p.depth == 1 {
		p.endLine()
	} else {
		p.endPlane()
	}
}

func (p *planes) endLine() {
	l := &p.line
	if len(l.events) == 0 {
		return
	}
	if !p.started {
		p.started, p.origin = true, l.stamp/1000
	}
	begin := float64(l.stamp/1000-p.origin) + float64(l.stamp%1000)/1000
	name := l.name
	if name == "" {
		name = l.shown
	}
	t := &track{process: p.plane.name, thread: name, label: name, other: true}
	if len(p.tracks) == maxTracks {
		t = p.tracks[maxTracks-1]
	} else {
		p.tracks = append(p.tracks, t)
		p.plane.tracks = append(p.plane.tracks, t)
	}
	for _, e := range l.events {
		e.start += begin
		t.took += e.took
		t.events = append(t.events, e)
	}
	l.events = nil
}

// endPlane gives the events of a plane their names.
func (p *planes) endPlane() {
	if name := p.plane.name; deviceOf(name) != "" && len(p.plane.tracks) > 0 && !p.onGPU {
		p.onGPU = true
		for _, t := range p.tracks { // a device counts, and no host
			if deviceOf(t.process) == "" {
				p.kept -= len(t.events)
				t.events = nil
			}
		}
	}
	p.called[p.plane.name] = p.plane.name
	names := map[uint64]raw{}
	for i := range p.plane.metas {
		names[p.plane.metas[i].id] = p.named(&p.plane.metas[i])
	}
	to := map[int32]int32{}
	for _, id := range p.plane.used {
		o := p.plane.ops[id]
		e, ok := names[id]
		if !ok {
			e.name = "?"
		}
		for _, of := range p.plane.said[id] {
			switch p.plane.stats[of] {
			case "hlo_op":
				e.about.program = true
			case "step_num":
				e.about.marks = true
			}
		}
		to[o] = p.op(&e)
	}
	for _, t := range p.plane.tracks {
		for i := range t.events {
			if o, ok := to[t.events[i].op]; ok {
				t.events[i].op = o
				if p.ops[o].about.marks {
					t.steps = append(t.steps, t.events[i])
				}
			}
		}
	}
	p.onCPU()
	p.plane = plane{}
}

// named is what the events of a number are called, and what is said of them.
func (p *planes) named(m *meta) (e raw) {
	e.name = m.name
	if m.shown != "" {
		e.name = m.shown
	}
	if strings.Contains(m.name, " = ") {
		e.about.text = m.name
		if m.shown == "" {
			e.name, _, _ = strings.Cut(strings.TrimPrefix(m.name, "%"), " ")
		}
	}
	for _, text := range m.stats {
		name, said, x := p.stat(text)
		switch name {
		case "hlo_category":
			e.about.kind = said
		case "flops", "model_flops":
			e.about.flops = max(e.about.flops, x)
		case "bytes_accessed", "raw_bytes_accessed":
			e.about.bytes = max(e.about.bytes, x)
		}
	}
	if e.name == "" {
		e.name = "?"
	}
	return e
}

// stat is something said of an event: its name, and a text or a number that isn't negative.
func (p *planes) stat(text string) (name, said string, x float64) {
	m := message{text}
	for {
		field, value, inside, ok := m.field()
		if !ok {
			return name, said, max(0, x)
		}
		switch field {
		case statMeta:
			name = p.plane.stats[value]
		case statDouble:
			if x = math.Float64frombits(value); !(x < 1e18) {
				x = 0
			}
		case statUint, statInt:
			x = float64(int64(value))
		case statText, statBytes:
			said = inside
		case statRef:
			said = p.plane.stats[value]
		}
	}
}
