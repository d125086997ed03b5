package library

import (
	"github.com/scalebook/scalebook/app/hlo"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/value"
	"github.com/scalebook/scalebook/app/trace"
)

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
	r.Lacks = func(string) string { return "–" }
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
			if p := m.On(on); p.Time > 0 && s.FLOPs == 0 {
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
