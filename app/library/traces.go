package library

import (
	"cmp"
	_ "embed"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/hlo"
	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/serving/startlog"
	"github.com/scalebook/scalebook/app/sheet/value"
	"github.com/scalebook/scalebook/app/trace"
)

// exampleTrace is a trace written by hand: two of the eight chips that run the program of exampleHLO.
//
//go:embed example.trace.json
var exampleTrace string

// recordedTrace is what PyTorch recorded of a GPU, cut; its first lines say of which, and where it was published.
//
//go:embed recorded.trace.json
var recordedTrace string

// mlpTrace is a step of mlp.py, which stands beside it, on eight devices that JAX makes of a CPU.
//
//go:embed mlp.trace.json
var mlpTrace string

func exampleRecord([]value.Value) (value.Value, error) { return words(exampleTrace), nil }

func recordedRecord([]value.Value) (value.Value, error) { return words(recordedTrace), nil }

func mlpRecord([]value.Value) (value.Value, error) { return words(mlpTrace), nil }

// traces offers what profilers record.
type traces struct{ traces, devices, operations, kinds, lines, chips *value.RecordType }

// addTraces offers traces in Chrome's format.
func addTraces(env *value.Env) {
	n := &traces{devices: newRecordType(env, "trace device", nil),
		operations: newRecordType(env, "trace operation", nil),
		kinds:      newRecordType(env, "trace kind", nil), lines: env.RecordType("HLO line"), chips: env.RecordTypes[0]}
	n.traces = newRecordType(env, "trace", map[string]value.Type{"devices": listType(n.devices),
		"kinds": listType(n.kinds),
		"lines": listType(n.lines), "chip": {Kind: value.Rec, Record: n.chips}})
	register(env, law.AddedEvents, []funcDecl{
		{Name: "trace_read", Takes: "trace text", Gives: "trace", Work: 1 << 22, Begin: n.begin,
			Doc: "A trace in Chrome’s format, as the profilers of JAX and PyTorch write it, or an .xplane.pb of " +
				"TensorBoard: where the time of each device went."},
		{Name: "trace_summary", Takes: "trace text", Gives: "text", Work: 1 << 22, Begin: n.beginSummary,
			Stream: n.streamSummary,
			Doc:    "A trace in short: what trace_read makes of it, as a text that trace_read reads too."},
		{Name: "trace_operations", Takes: "trace trace, chip record", Gives: "list trace operation", Work: 1 << 20,
			Begin: n.beginSpent,
			Doc: "The operations of a trace by the time they took, without what lies within them; beside it what " +
				"they must take on a chip, where the trace says what they do."},
		{Name: "trace_example", Gives: "text", Call: exampleRecord,
			Doc: "A small trace, written by hand, of the program hlo_example()."},
		{Name: "trace_recorded", Gives: "text", Call: recordedRecord,
			Doc: "A step of training that PyTorch recorded on a GPU."},
		{Name: "trace_mlp", Gives: "text", Call: mlpRecord,
			Doc: "A step of an MLP on eight devices that JAX made of a CPU, as its profiler recorded it."},
	})
}

// traceTask is a trace that is being read.
type traceTask struct {
	*traces
	reader *trace.Reader
	fault  error
	left   bool
	record value.Value
}

func (n *traces) begin(a []value.Value) value.Task { return n.reads(a[0].Text) }

func (n *traces) reads(text string) *traceTask {
	r := &traceTask{traces: n}
	r.reader, r.fault = trace.NewReader(text)
	r.left = r.fault == nil
	return r
}

// summaryTask is a trace that is being put in short.
type summaryTask struct{ *traceTask }

func (n *traces) beginSummary(a []value.Value) value.Task {
	return &summaryTask{n.reads(a[0].Text)}
}

func (n *traces) streamSummary() value.Fed {
	return &summaryTask{&traceTask{traces: n, reader: trace.NewStream(), left: true}}
}

// Feed takes the next piece of the trace.
func (r *summaryTask) Feed(piece string) { r.reader.Feed(piece) }

// Close says that the trace is whole.
func (r *summaryTask) Close() { r.reader.Close() }

// Value is the trace in short, once it is read.
func (r *summaryTask) Value() (value.Value, error) {
	switch {
	case r.fault != nil:
		return value.Value{}, r.fault
	case r.left:
		return value.Value{}, phrase.New("trace.reading")
	}
	return value.Value{Kind: value.Text, Text: r.reader.Trace().Summary()}, nil
}

// Step reads a slice.
func (r *traceTask) Step() bool {
	more := r.left && r.reader.Step()
	if r.left = r.left && (more || r.reader.Starved()); !r.left && r.fault == nil {
		r.fault = r.reader.Err()
		if t := r.reader.Trace(); r.fault == nil && len(t.Devices) == 0 && !t.Sums {
			r.fault = phrase.New("trace.nothing")
		}
	}
	return more
}

// Progress is the share that is read.
func (r *traceTask) Progress() float64 {
	if !r.left {
		return 1
	}
	return min(0.99, r.reader.Done())
}

// Value is the trace, once it is read.
func (r *traceTask) Value() (value.Value, error) {
	switch {
	case r.fault != nil:
		return value.Value{}, r.fault
	case r.left:
		return value.Value{}, phrase.New("trace.reading")
	case r.record.Record == nil:
		r.record = r.recorded(r.reader.Trace())
	}
	return r.record, nil
}

// recorded is a trace as a sheet sees it.
func (n *traces) recorded(t *trace.Trace) value.Value {
	r := newRecord(n.traces, "trace")
	r.Of = t
	r.num("events", float64(t.Events))
	r.num("operations", float64(t.Named))
	r.num("count", float64(len(t.Devices)))
	r.num("unread", float64(t.Unread))
	r.say("card", phrase.Printable(t.Card, 60))
	r.Fields["chip"] = recordOf(n.chips, cmp.Or(startlog.ChipIn(t.Card), usualChip(t)))
	var sum trace.Device
	for i := range t.Devices {
		d := &t.Devices[i]
		sum.Span, sum.Compute, sum.Comms = sum.Span+d.Span, sum.Compute+d.Compute, sum.Comms+d.Comms
		sum.Exposed, sum.Copies, sum.Idle = sum.Exposed+d.Exposed, sum.Copies+d.Copies, sum.Idle+d.Idle
		sum.Unknown += d.Unknown
	}
	if devices := float64(len(t.Devices)); devices > 0 {
		n.times(r, &sum, devices)
	}
	if len(t.Steps) > 0 {
		steps := 0.0
		for _, s := range t.Steps {
			steps += s
		}
		r.num("step", steps/float64(len(t.Steps)))
	}
	r.say("note", n.note(t))
	r.Fields["devices"] = n.deviceList(t)
	r.Fields["kinds"] = n.kindList(t)
	r.Fields["lines"] = n.faults(t)
	return r.value()
}

// usualChip is what is taken for the chip of a trace that names none, or one that isn't known: of GPUs no TPU.
func usualChip(t *trace.Trace) string {
	if len(t.Devices) > 0 && !t.Hosts && strings.Contains(t.Devices[0].Name, "GPU") {
		return startlog.UsualChip
	}
	return "tpu.v5e"
}

// times fills in the times of a device, or of some on average.
func (n *traces) times(r recordBuilder, d *trace.Device, devices float64) {
	for _, x := range []named{{"span", d.Span}, {"compute", d.Compute}, {"comms", d.Comms},
		{"exposed", d.Exposed}, {"copies", d.Copies}, {"unknown", d.Unknown}, {"idle", d.Idle}} {
		r.num(x.Name, x.Value/devices)
	}
}

// note says what a reader must know of what was recorded.
func (n *traces) note(t *trace.Trace) phrase.List {
	note := phrase.New("trace.devices", "n", len(t.Devices))
	switch {
	case t.Sums && t.Time > 0:
		note = phrase.New("trace.sums")
	case len(t.Devices) == 1 && !t.Hosts:
		note = phrase.New("trace.one-device", "name", phrase.Printable(t.Devices[0].Name, 40))
	case t.Hosts:
		note = phrase.New("trace.hosts", "name", phrase.Printable(t.Devices[0].Name, 40))
	}
	said := []*phrase.Phrase{note}
	for _, f := range t.Faults {
		if f.Cuts() {
			said = append(said, t.What(f))
		}
	}
	if len(t.Devices) > 0 && !t.Hosts && startlog.ChipIn(t.Card) == "" {
		said = append(said, phrase.New("trace.no-chip"))
	}
	if t.Alone > 0 {
		said = append(said, phrase.Count(t.Alone, "trace.alone"))
	}
	if t.Crowded > 0 {
		said = append(said, phrase.New("trace.crowded"))
	}
	if t.Async > 0 {
		said = append(said, phrase.Count(t.Async, "trace.async"))
	}
	return phrase.Clauses(said)
}

// mostListed is how many devices a sheet lists.
const mostListed = 1024

func (n *traces) deviceList(t *trace.Trace) value.Value {
	var all []*value.Record
	for i := range t.Devices[:min(len(t.Devices), mostListed)] {
		d := &t.Devices[i]
		name := phrase.Printable(d.Name, 40)
		r := newRecord(n.devices, name)
		r.ID, r.Of = recordID(name, strconv.Itoa(i)), d
		r.say("name", name)
		r.num("tracks", float64(d.Tracks))
		n.times(r, d, 1)
		all = append(all, r.Record)
	}
	return recordList(all)
}

// kindList is what the time was for.
func (n *traces) kindList(t *trace.Trace) value.Value {
	var all []*value.Record
	for i := range t.Kinds {
		k := &t.Kinds[i]
		does := any(k.Does)
		if k.Does == "" {
			does = phrase.New("trace.unknown")
		}
		r := newRecord(n.kinds, does)
		r.ID = recordID(r.Name, k.Class.String())
		r.say("does", does)
		r.say("class", k.Class.String())
		r.num("time", k.Time)
		if t.Time > 0 {
			r.num("share", k.Time/t.Time)
		}
		all = append(all, r.Record)
	}
	return recordList(all)
}

func (n *traces) faults(t *trace.Trace) value.Value {
	var all []*value.Record
	for _, f := range t.Faults {
		r := newRecord(n.lines, strconv.Itoa(f.Line))
		r.num("line", float64(f.Line))
		r.say("what", t.What(f))
		all = append(all, r.Record)
	}
	return recordList(all)
}

// spentTask lists the operations of a trace, the longest first, with what they must take on a chip.
type spentTask struct {
	*traces
	ops   []trace.Spent
	all   float64 // seconds of all of them
	on    hlo.Chip
	fault error
	list  []*value.Record
}

func (n *traces) beginSpent(a []value.Value) value.Task {
	t, ok := a[0].Record.Of.(*trace.Trace)
	chip := chipOf(a[1].Record)
	if !ok || chip == nil {
		return &spentTask{fault: noAccelerator(a[1])}
	}
	return &spentTask{traces: n, ops: t.Ops, all: t.Time, on: hlo.NewChip(chip)}
}

// Step lists some more: a line of HLO is read for each.
func (s *spentTask) Step() (more bool) {
	const some = 16
	for range min(some, len(s.ops)-len(s.list)) {
		s.list = append(s.list, s.operation(&s.ops[len(s.list)], s.on, s.all))
	}
	return len(s.list) < len(s.ops)
}

// Progress is the share that is listed.
func (s *spentTask) Progress() float64 {
	if len(s.list) == len(s.ops) {
		return 1
	}
	return float64(len(s.list)) / float64(len(s.ops))
}

// Value is what is listed so far.
func (s *spentTask) Value() (value.Value, error) { return recordList(s.list), s.fault }

// operation is an operation of a trace as a sheet sees it.
func (n *traces) operation(s *trace.Spent, on hlo.Chip, all float64) *value.Record {
	name := phrase.Printable(s.Short(), 60)
	r := newRecord(n.operations, name)
	r.ID, r.Of = recordID(name, s.Kind), s
	r.Lacks = func(string) any { return "–" }
	r.say("name", name)
	r.say("class", s.Class.String())
	if s.Does != "" {
		r.say("does", phrase.Printable(s.Does, 40))
	}
	if s.Library != "" {
		r.say("library", s.Library)
	}
	r.num("times", s.Times)
	r.num("total", s.Time)
	r.num("mean", s.Time/s.Times)
	r.num("share", s.Time/all)
	if s.FLOPs > 0 {
		r.num("flops", s.FLOPs)
	}
	if s.Bytes > 0 {
		r.num("bytes", s.Bytes)
	}
	if must := mustTake(s, on); must > 0 {
		r.num("must", must)
		r.num("slower", s.Time/s.Times/must)
	}
	return r.Record
}

// longestLine is how many bytes a line of HLO in a trace may have to be read.
const longestLine = 64 << 10

// mustTake is how long an operation must take once, by its line of HLO, or by what the trace says that it does.
func mustTake(s *trace.Spent, on hlo.Chip) float64 {
	if s.Text != "" && len(s.Text) <= longestLine {
		if m, err := hlo.Read(s.Text); err == nil {
			if p := m.On(on); p.Time > 0 && s.FLOPs == 0 && m.Sized() {
				return p.Time
			}
		}
	}
	must := 0.0
	if peak := on.Peak("bf16"); peak > 0 {
		must = s.FLOPs / peak
	}
	if on.HBM > 0 {
		must = max(must, s.Bytes/on.HBM)
	}
	return must
}
