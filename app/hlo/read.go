package hlo

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/pasted"
	"github.com/scalebook/scalebook/app/phrase"
)

// Reader reads a module step by step. Make one with NewReader.
type Reader struct {
	*Module
	lines  cutter
	now    *Computation // that is being read; nil outside of any
	loose  *Computation // operations that stand in none
	ops    int
	tables bool // within the tables of sources that a module may begin with
	ended  bool
}

// slice is how many bytes a step reads.
const slice = 32 << 10

// NewReader begins to read a module, a computation, or some operations of one. The error says why it can't be any.
func NewReader(text string) (*Reader, error) {
	if len(text) > MaxBytes {
		return nil, phrase.New("hlo.too-long", "most", MaxBytes>>20)
	}
	if !utf8.ValidString(text) || strings.IndexByte(text, 0) >= 0 {
		if other := pasted.Other(text, "hlo", "binary"); other != nil {
			return nil, phrase.Fault{What: other, Remedy: phrase.New("hlo.paste")}
		}
		return nil, phrase.New("hlo.no-text")
	}
	text = bare(text)
	return &Reader{Module: &Module{ForCPU: forCPU(text), named: map[string]*Computation{}, taps: mostTaps,
		looks: allLooks, counted: map[*Op]float64{}, callers: map[*Computation]caller{}}, loose: newComputation(""),
		lines: cutter{text: text}}, nil
}

// Read reads a module as a whole. It is an error if there is no operation at all.
func Read(text string) (*Module, error) {
	r, err := NewReader(text)
	if err != nil {
		return nil, err
	}
	for r.Step() {
	}
	return r.Whole()
}

// maxStray is how many lines that are no operations Check looks at.
const maxStray = 1000

// Check tells what is wrong with a text in which no operation can be found.
func Check(text string) error {
	r, err := NewReader(text)
	for err == nil && r.ops == 0 && !r.ended && r.Unread < maxStray {
		r.one()
	}
	if err == nil && r.ops == 0 {
		err = r.nothing()
	}
	return err
}

// Step reads a slice, and says whether there is more.
func (r *Reader) Step() (more bool) {
	for until := r.lines.pos + slice; r.lines.pos < until && !r.ended; {
		r.one()
	}
	return !r.ended
}

// one reads one line.
func (r *Reader) one() {
	l := r.lines.next()
	r.ended = l.text == "" || !r.line(l)
}

// Done is how much is read, from 0 to 1.
func (r *Reader) Done() float64 { return float64(r.lines.pos) / float64(max(1, len(r.lines.text))) }

// Whole is the module once all is read. It is an error if there is no operation at all.
func (r *Reader) Whole() (*Module, error) {
	if r.now != nil {
		r.Lacks = phrase.New("hlo.cut", "name", phrase.Printable(r.now.Name, 40))
		r.fault(0, r.Lacks)
		r.now = nil
	}
	if len(r.loose.Ops) > 0 {
		r.Computations = append(r.Computations, r.loose)
		r.loose = newComputation("")
	}
	if r.Entry == nil && len(r.Computations) > 0 {
		if r.Entry = r.Computations[len(r.Computations)-1]; r.Entry.Name != "" {
			r.Lacks = phrase.New("hlo.no-entry", "name", phrase.Printable(r.Entry.Name, 40))
		}
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
func (r *Reader) nothing() error {
	if head := r.lines.text[:min(len(r.lines.text), slice)]; strings.Contains(head, "stablehlo.") ||
		strings.Contains(head, "mhlo.") || strings.Contains(head, "func.func") {
		return phrase.New("hlo.mlir")
	}
	if len(r.Faults) == 0 && r.Lacks != nil {
		return phrase.New("hlo.none", "line", r.lines.number, "what", r.Lacks)
	} else if len(r.Faults) == 0 {
		return phrase.New("hlo.empty")
	}
	if other := pasted.Other(r.lines.text, "hlo"); other != nil {
		return phrase.Fault{What: other, Remedy: phrase.New("hlo.paste")}
	}
	return phrase.New("hlo.none", "line", r.Faults[0].Line, "what", r.Faults[0].What)
}

// line reads a line, and is false when there are too many operations.
func (r *Reader) line(l line) bool {
	switch s := l.text; {
	case r.tables && digit(rune(s[0])), strings.HasPrefix(s, "```"):
	case strings.HasPrefix(s, "HloModule "):
		r.module(s)
	case s == "FileNames" || s == "FunctionNames" || s == "FileLocations" || s == "StackFrames":
		r.tables = true
		return true
	case strings.HasPrefix(s, "}"):
		if r.now != nil {
			r.now.Thread = threadOf(s)
		}
		r.now = nil
	case header(s):
		r.computation(s)
	default:
		return r.operation(l)
	}
	r.tables = r.tables && digit(rune(l.text[0]))
	return true
}

// module begins a module. Of several, as passes of the compiler print them, the last is what was compiled furthest.
func (r *Reader) module(s string) {
	name, rest, _ := strings.Cut(strings.TrimPrefix(s, "HloModule "), ",")
	r.Name = strings.TrimSpace(name)
	if len(r.Computations) > 0 {
		r.Computations, r.Entry, r.now, r.ops = nil, nil, nil, 0
		clear(r.named)
		r.Lacks = phrase.New("hlo.several", "name", phrase.Printable(r.Name, 40))
	}
	r.Scheduled = strings.Contains(rest, "is_scheduled=true")
	o := Op{rest: rest}
	r.replicas, r.partitions = o.whole("replica_count"), o.whole("num_partitions")
	r.Devices = max(r.partitions, meshDevices(rest)) * r.replicas
}

// meshDevices is how many devices the largest mesh has that a module names, as JAX writes them before arrays are split:
// xla.sdy.meshes={mesh = #sdy.mesh<["data"=4, "model"=2]>}; 1 if there is none.
func meshDevices(text string) int {
	most := 1
	for {
		_, mesh, found := strings.Cut(text, "#sdy.mesh<[")
		if !found {
			return most
		}
		mesh, text, _ = strings.Cut(mesh, "]")
		all := 1
		list(mesh, func(axis string) bool {
			_, size, _ := strings.Cut(axis, "=")
			n, err := strconv.Atoi(strings.TrimSpace(size))
			if err == nil && n > 0 && all <= maxGroup/n {
				all *= n
			}
			return true
		})
		most = max(most, all)
	}
}

func (r *Reader) computation(s string) {
	name, entry := strings.CutPrefix(s, "ENTRY ")
	w := scan{src: strings.TrimLeft(name, " %")}
	r.now = newComputation(w.word())
	r.Computations = append(r.Computations, r.now)
	r.named[r.now.Name] = r.now
	if entry {
		r.Entry = r.now
	}
}

func (r *Reader) operation(l line) bool {
	if r.ops++; r.ops > MaxOps {
		r.fault(l.number, phrase.New("hlo.many", "most", MaxOps))
		r.ops--
		return false
	}
	c := r.now
	if c == nil {
		c = r.loose
	}
	text, ended := ending(l.text)
	o, fault := operation(text)
	if o.Line = l.number; fault == nil {
		r.hold(&o)
		if c.link(&o); o.bare && !r.infer(&o) {
			fault = phrase.New("hlo.shape-none", "at", phrase.Printable(o.Code+"("+o.inside+")", 20))
		}
	}
	if fault != nil {
		r.ops--
		r.fault(l.number, fault)
		return true
	}
	if odd := o.disagrees(r.now != nil); odd != nil {
		r.fault(l.number, odd)
	}
	c.add(o)
	if ended {
		r.now = nil
	}
	return true
}

// ending takes the brace that ends a computation off its last operation, where that stands in the same line.
func ending(text string) (operation string, ended bool) {
	var n nest
	if text[len(text)-1] == '}' {
		n.read(text, text)
	}
	if n.depth == -1 {
		return strings.TrimSpace(text[:len(text)-1]), true
	}
	return text, false
}

// hold takes the computations out of a line that they stand in, and has it name them instead.
func (r *Reader) hold(o *Op) {
	if !strings.Contains(o.rest, "{") || !strings.Contains(o.rest, " = ") {
		return
	}
	for _, attr := range bodies {
		text := strings.TrimSpace(o.Attr(attr))
		if !strings.HasPrefix(text, "{") || !strings.Contains(text, " = ") {
			continue
		}
		c := newComputation(o.Name + "." + attr)
		outer := r.now
		r.now = c
		lines := cutter{text: strings.TrimSuffix(text[1:], "}"), number: o.Line}
		for l := lines.next(); l.text != "" && r.operation(l); l = lines.next() {
		}
		r.now = outer
		r.Computations = append(r.Computations, c)
		r.named[c.Name] = c
		o.rest = strings.Replace(o.rest, text, c.Name, 1)
	}
}

// infer finds the shape of an operation that is written without one, where that of what it takes or runs says it.
func (r *Reader) infer(o *Op) bool {
	for i := range o.Operands {
		if o.Operands[i].Shape == nil {
			return false
		}
	}
	switch first := o.operand(0); {
	case o.Code == "tuple":
		for i := range o.Operands {
			o.Shape.Tuple = append(o.Shape.Tuple, *o.operand(i))
		}
		return true
	case o.Code == "after-all":
		o.Shape.Type = "token"
		return true
	case o.Code == "get-tuple-element":
		part := o.dims("index")
		if len(part) != 1 || int(part[0]) >= len(first.Tuple) {
			return false
		}
		o.Shape = first.Tuple[int(part[0])]
		return true
	case o.Code == "fusion" || o.Code == "call":
		inner := r.inside(o)
		if inner == nil || inner.Root() == nil {
			return false
		}
		o.Shape = inner.Root().Shape
		return true
	case o.Code == "select" || o.Code == "clamp":
		o.Shape = *o.operand(1)
	case o.Code == "compare" || o.Code == "is-finite":
		o.Shape = *first
		o.Shape.Type = "pred"
	case strings.Contains(elementwise+"copy|while|all-reduce|collective-permute|opt-barrier|", "|"+o.Code+"|"):
		o.Shape = *first
	}
	return o.Shape.Type != "" || len(o.Shape.Tuple) > 0
}

// threadOf is what `execution_thread="host"` says.
func threadOf(text string) string {
	_, thread, _ := strings.Cut(text, `execution_thread="`)
	thread, _, _ = strings.Cut(thread, `"`)
	return thread
}

// link links an operation to those that give what it takes.
func (c *Computation) link(o *Op) {
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
}

// add adds an operation that is linked.
func (c *Computation) add(o Op) {
	for i := range o.Operands {
		if from := o.Operands[i].From; from >= 0 {
			c.uses(&o, from)
		}
	}
	c.ops[o.Name] = len(c.Ops)
	c.Ops = append(c.Ops, o)
}

// uses notes what an operation uses of what another gives: a part of a tuple, or the whole. The end of what was started
// gives what that began.
func (c *Computation) uses(by *Op, from int) {
	for o := &c.Ops[from]; ; o = &c.Ops[from] {
		part := by.dims("index")
		switch {
		case by.ends():
		case by.Code == "get-tuple-element" && len(part) == 1:
			keeps := strings.HasPrefix(o.Code, "custom-call") || o.Code == "async-start"
			if part := int(part[0]); keeps && !slices.Contains(o.read, part) {
				o.read = append(o.read, part)
			}
		default:
			o.entire = true
		}
		if from = o.from(0); !o.ends() || from < 0 {
			return
		}
	}
}
