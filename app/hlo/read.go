package hlo

import (
	"strings"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/phrase"
)

// reader makes a module of lines.
type reader struct {
	*Module
	now    *Computation // that is being read; nil outside of any
	loose  *Computation // operations that stand in none
	ops    int
	tables bool // within the tables of sources that a module may begin with
}

// Read reads a module, a computation, or some operations of one. It is an error if there is no operation at all.
func Read(text string) (*Module, error) {
	if len(text) > MaxBytes {
		return nil, phrase.New("hlo.too-long", "most", MaxBytes>>20)
	}
	if !utf8.ValidString(text) || strings.IndexByte(text, 0) >= 0 {
		return nil, phrase.New("hlo.no-text")
	}
	r := &reader{Module: &Module{named: map[string]*Computation{}, taps: mostTaps}, loose: newComputation("")}
	lines(text, r.line)
	if r.now != nil {
		r.fault(0, phrase.New("hlo.cut", "name", phrase.Printable(r.now.Name, 40)))
	}
	if len(r.loose.Ops) > 0 {
		r.Computations = append(r.Computations, r.loose)
	}
	if r.Entry == nil && len(r.Computations) > 0 {
		r.Entry = r.Computations[len(r.Computations)-1]
	}
	if r.ops == 0 {
		return nil, r.nothing()
	}
	return r.Module, nil
}

func newComputation(name string) *Computation {
	return &Computation{Name: name, ops: map[string]int{}}
}

// nothing is why a text has no operation: what its first line is instead.
func (r *reader) nothing() *phrase.Phrase {
	if len(r.Faults) == 0 {
		return phrase.New("hlo.empty")
	}
	return phrase.New("hlo.none", "line", r.Faults[0].Line, "what", r.Faults[0].What)
}

// line reads a line, and is false when there are too many operations.
func (r *reader) line(l line) bool {
	switch s := l.text; {
	case r.tables && digit(rune(s[0])):
	case strings.HasPrefix(s, "HloModule "):
		r.module(s)
	case s == "FileNames" || s == "FunctionNames" || s == "FileLocations" || s == "StackFrames":
		r.tables = true
		return true
	case strings.HasPrefix(s, "}"):
		r.now = nil
	case header(s):
		r.computation(s)
	default:
		return r.operation(l)
	}
	r.tables = r.tables && digit(rune(l.text[0]))
	return true
}

func (r *reader) module(s string) {
	name, rest, _ := strings.Cut(strings.TrimPrefix(s, "HloModule "), ",")
	r.Name = strings.TrimSpace(name)
	r.Scheduled = strings.Contains(rest, "is_scheduled=true")
	o := Op{rest: rest}
	r.Devices = o.whole("num_partitions") * o.whole("replica_count")
}

func (r *reader) computation(s string) {
	name, entry := strings.CutPrefix(s, "ENTRY ")
	w := scan{src: strings.TrimLeft(name, " %")}
	r.now = newComputation(w.word())
	r.Computations = append(r.Computations, r.now)
	r.named[r.now.Name] = r.now
	if entry {
		r.Entry = r.now
	}
}

func (r *reader) operation(l line) bool {
	if r.ops++; r.ops > MaxOps {
		r.fault(l.number, phrase.New("hlo.many", "most", MaxOps))
		r.ops--
		return false
	}
	c := r.now
	if c == nil {
		c = r.loose
	}
	o, fault := operation(l.text)
	if fault != nil {
		r.ops--
		r.fault(l.number, fault)
		return true
	}
	o.Line = l.number
	c.add(o)
	return true
}

// add links an operation to those that give what it takes.
func (c *Computation) add(o Op) {
	for i := range o.Operands {
		from, ok := c.ops[o.Operands[i].Name]
		if o.Operands[i].From = -1; !ok {
			continue
		}
		o.Operands[i].From = from
		if o.Operands[i].Shape == nil {
			o.Operands[i].Shape = &c.Ops[from].Shape
		}
	}
	c.ops[o.Name] = len(c.Ops)
	c.Ops = append(c.Ops, o)
}
