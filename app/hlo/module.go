// Package hlo reads programs in the text of XLA's HLO, and says what each operation must cost on a chip.
//
// It works in these steps:
//
//  1. The text is cut into operations, one to a line or wrapped over several, and into the computations that hold them
//     (read.go). A line that can't be read becomes a [Fault] with its number; the others go on.
//  2. Shapes are read with their layout: order, tiles, memory space, and from these the bytes that an array really
//     takes (shape.go).
//  3. Each operation is counted: multiply-adds of matrices, operations on vectors, bytes to and from HBM and VMEM, and
//     what a collective sends within which group (count.go, calls.go). A fusion counts what
//     it holds, but moves only its own operands and results. A computation counts as often as it is run (times.go).
//  4. A chip turns counts into times: arithmetic, memory and network each by its own law, the longest of which an
//     operation takes at least (profile.go).
//
// # Conventions
//
// A multiply and an add count as two operations. Bytes are those in memory, padded to whole tiles; what a collective
// sends is counted without padding. A dimension that may vary counts at its bound. Sizes are those of one device, as a
// partitioned program has them.
//
// # Limits
//
// Texts come from strangers. A text has at most [MaxBytes], [MaxOps] operations and shapes of at most 2^60 bytes;
// tuples and calls nest a few dozen levels deep, and whatever goes beyond is a Fault.
package hlo

import (
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
)

// What a text may have at the most.
const (
	MaxBytes  = 16 << 20
	MaxOps    = 200_000
	maxFaults = 200
)

// Module is a program as its text has it.
type Module struct {
	Name         string
	Computations []*Computation
	Entry        *Computation   // where it begins; of a text without one, its last computation, or the loose operations
	Lacks        *phrase.Phrase // what is not counted of the text: what is cut off, or other programs; nil if nothing
	Devices      int            // that run it, as its first line says; 0 if it does not
	replicas     int            // of the program, as its first line says; 0 if it does not
	partitions   int            // that each of them has
	Scheduled    bool           // operations stand in the order in which they are run
	ForCPU       bool           // it was compiled for one: other compilers fuse otherwise
	Faults       []Fault
	Unread       int // lines with a fault, also those beyond the list
	named        map[string]*Computation
	taps         float64 // how many more places of windows are looked at
	looks        int     // how many more operations are looked at to count the turns of loops
	counted      map[*Op]float64
	callers      map[*Computation]caller
}

// Computation is operations under a name.
type Computation struct {
	Name   string
	Thread string // on which it runs, if it says so: "host", "sparsecore"
	Ops    []Op
	ops    map[string]int
	cost   *Cost        // of running it once, once it is known
	used   map[int]*use // what it does with each parameter, once it is known
	kept   []int        // parts of its result that are as they were before, once that is known
	fused  bool         // a fusion runs it
	busy   bool         // its cost is being counted
	takes  float64      // the time of running it once, without what is sent
	free   float64      // that of it when HBM has nothing to do
}

// Op is one operation.
type Op struct {
	Line     int
	Name     string // without the %
	Code     string // "fusion", "all-gather-start"
	Root     bool
	Shape    Shape
	Operands []Operand
	inside   string // what stands in its parentheses
	rest     string // its attributes, as they are written
	bare     bool   // no shape is written before its code
	entire   bool   // its result is used as a whole
	read     []int  // the parts of its result that are used, where that is a tuple of a call
}

// Operand is what an operation takes.
type Operand struct {
	Name  string
	From  int // the operation of the same computation that gives it; -1 if the text has none
	Shape *Shape
}

// Fault is what can't be read or counted, and where.
type Fault struct {
	Line int // 0 if it is about the whole text
	What *phrase.Phrase
}

func (m *Module) fault(line int, what *phrase.Phrase) {
	if m.Unread++; len(m.Faults) < maxFaults {
		m.Faults = append(m.Faults, Fault{line, what})
	}
}

// Sized tells whether the text has the sizes of all that its operations take.
func (m *Module) Sized() bool {
	for _, c := range m.Computations {
		for i := range c.Ops {
			for k := range c.Ops[i].Operands {
				if c.Ops[i].Operands[k].Shape == nil {
					return false
				}
			}
		}
	}
	return true
}

// Root is the operation that gives the computation's result; nil if it has no operations.
func (c *Computation) Root() *Op {
	for i := range c.Ops {
		if c.Ops[i].Root {
			return &c.Ops[i]
		}
	}
	if len(c.Ops) == 0 {
		return nil
	}
	return &c.Ops[len(c.Ops)-1]
}

// Raw tells whether nothing in a program shows that a compiler made it fast: it has no fusion and no schedule, so that
// what is counted of its traffic is that of each operation alone.
func (m *Module) Raw() bool {
	if m.Scheduled || m.Name == "" {
		return false
	}
	for _, c := range m.Computations {
		for i := range c.Ops {
			if strings.HasPrefix(c.Ops[i].Code, "fusion") {
				return false
			}
		}
	}
	return true
}

// Ops is the number of operations of all computations.
func (m *Module) Ops() int {
	n := 0
	for _, c := range m.Computations {
		n += len(c.Ops)
	}
	return n
}

// maxOperands is how many operands are linked. Tuples of parameters have some thousand.
const maxOperands = 1 << 14

// operation reads one: `ROOT %name = bf16[8]{0} add(%a, %b), metadata={…}`.
func operation(text string) (Op, *phrase.Phrase) {
	r := shapeReader{scan: scan{src: text}}
	o := Op{}
	if strings.HasPrefix(text, "ROOT ") {
		o.Root = true
		r.pos = len("ROOT ")
		r.space()
	}
	r.take('%')
	o.Name = r.word()
	if r.space(); o.Name == "" || !r.take('=') {
		return o, phrase.New("hlo.no-operation", "text", phrase.Printable(text, 40))
	}
	r.space()
	begin := r.pos
	var fault *phrase.Phrase
	if word := r.word(); word != "" && word != "b" && r.next() == '(' {
		o.bare = true
	}
	if r.pos = begin; !o.bare {
		if o.Shape, fault = r.shape(0); fault != nil {
			return o, fault
		}
	}
	r.space()
	if o.Code = r.word(); o.Code == "" || r.next() != '(' {
		return o, phrase.New("hlo.no-code", "name", phrase.Printable(o.Name, 40))
	}
	var ok bool
	if o.inside, ok = r.group(); !ok {
		return o, phrase.New("hlo.unclosed", "name", phrase.Printable(o.Name, 40))
	}
	if o.rest = strings.TrimLeft(text[r.pos:], ", "); open(o.rest) {
		return o, phrase.New("hlo.unclosed", "name", phrase.Printable(o.Name, 40))
	}
	return o, o.operands()
}

// operands reads what stands in the parentheses: names, with or without their shapes.
func (o *Op) operands() *phrase.Phrase {
	if o.Code == "constant" || o.Code == "parameter" || o.Code == "iota" {
		return nil
	}
	var fault *phrase.Phrase
	list(o.inside, func(part string) bool {
		if len(o.Operands) == maxOperands {
			fault = phrase.New("hlo.operands", "name", phrase.Printable(o.Name, 40), "most", maxOperands)
			return false
		}
		var operand Operand
		operand, fault = readOperand(part)
		o.Operands = append(o.Operands, operand)
		return fault == nil
	})
	return fault
}

func readOperand(text string) (Operand, *phrase.Phrase) {
	r := shapeReader{scan: scan{src: text}}
	r.space()
	bare := scan{src: text, pos: r.pos}
	bare.take('%')
	if name := bare.word(); name != "" && bare.pos == len(text) {
		return Operand{Name: name}, nil
	}
	shape, fault := r.shape(0)
	if fault != nil {
		return Operand{}, fault
	}
	r.space()
	r.take('%')
	return Operand{Name: r.word(), Shape: &shape}, nil
}

// Attr is an attribute as it is written: "{1}" of contracting_dims={1}; empty if there is none.
func (o *Op) Attr(name string) string {
	found := ""
	list(o.rest, func(part string) bool {
		if value, ok := strings.CutPrefix(part, name+"="); ok {
			found = value
		}
		return found == ""
	})
	return found
}

// dims are the numbers of an attribute in braces.
func (o *Op) dims(name string) []float64 {
	ns, _ := numbers(strings.Trim(o.Attr(name), "{}"))
	return ns
}

// whole is an attribute that is one number, and 1 where it is missing or beyond any machine.
func (o *Op) whole(name string) int {
	if ns := o.dims(name); len(ns) == 1 && ns[0] >= 1 && ns[0] <= maxGroup {
		return int(ns[0])
	}
	return 1
}

// calls are the names of the computations that an attribute names.
func (o *Op) calls(attr string) []string {
	var names []string
	list(strings.Trim(o.Attr(attr), "{}"), func(part string) bool {
		names = append(names, strings.TrimPrefix(part, "%"))
		return len(names) < maxOperands
	})
	return names
}

// operand is the shape of an operand; an empty tuple if it isn't known.
func (o *Op) operand(i int) *Shape {
	if i < len(o.Operands) && o.Operands[i].Shape != nil {
		return o.Operands[i].Shape
	}
	return &Shape{}
}
