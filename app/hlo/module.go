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
	Entry        *Computation // where it begins; of a text without one, its last computation, or the loose operations
	Devices      int          // that run it, as its first line says; 0 if it does not
	Scheduled    bool         // operations stand in the order in which they are run
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
	busy   bool         // its cost is being counted
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
