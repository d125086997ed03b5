package hlo

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// What is looked at, operation by operation, to find how often a loop runs, and all loops of a module.
const (
	mostLooks = 1 << 13
	allLooks  = 1 << 21
)

// amount is what is known of a whole number in a computation: its value, or that it is what a parameter holds at a
// path through tuples, so many times, and so much more.
type amount struct {
	known bool
	path  []int // the number of the parameter first; nil of a constant
	times float64
	value float64
}

// is tells whether an amount is just what lies at a path of a parameter.
func (a *amount) is(path []int) bool {
	return a.known && a.times == 1 && a.value == 0 && slices.Equal(a.path, path)
}

// scaled is an amount so many times.
func (a amount) scaled(by amount) amount {
	if !by.known || by.path != nil {
		return amount{}
	}
	a.times *= by.value
	a.value *= by.value
	return a
}

// frame is a computation as an operation of another one runs it; up is nil where nobody asks who does.
type frame struct {
	c  *Computation
	up *frame
	op *Op
}

// caller is the operation that runs a computation, if one alone does.
type caller struct {
	c    *Computation
	op   *Op
	many bool
}

// trips is how often a loop is run, and whether the text says so: by a note of the compiler, or because its condition
// compares a counter with a constant. Where another condition may end it before, n is the most that it is run; where
// nothing is known, it is 1.
func (m *Module) trips(c *Computation, o *Op) (n float64, known bool) {
	if text, ok := field(o.config(), "known_trip_count"); ok {
		text, _ = field(text, "n")
		if trips, err := strconv.ParseUint(strings.Trim(text, `"`), 10, 40); err == nil {
			return float64(trips), true
		}
	}
	n, seen := m.counted[o]
	if !seen {
		n = -1
		w := loop{Module: m, at: frame{c: c}, while: o, body: m.first(o, "body"), left: min(mostLooks, m.looks)}
		if condition := m.first(o, "condition"); condition != nil && w.body != nil && len(o.Operands) == 1 {
			if turns, ok := w.turns(frame{c: condition}, condition.root()); ok && !w.early {
				n = turns
			} else if ok {
				n = min(-turns, n) // known as the most
			}
		}
		m.looks -= min(mostLooks, m.looks) - max(w.left, 0)
		m.counted[o] = n
	}
	return math.Abs(n), n >= 0
}

func b2f(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// first is the computation that an attribute names; nil if the text lacks it.
func (m *Module) first(o *Op, attr string) *Computation {
	for _, name := range o.calls(attr) {
		return m.named[name]
	}
	return nil
}

// root is the place of the operation that gives the result; -1 if there is none.
func (c *Computation) root() int {
	for i := range c.Ops {
		if c.Ops[i].Root {
			return i
		}
	}
	return len(c.Ops) - 1
}

// loop is a while whose turns are counted.
type loop struct {
	*Module
	at    frame // that holds it
	while *Op
	body  *Computation
	left  int  // operations that are still looked at
	early bool // it may end before its counter does
}

// turns counts how often a condition holds from the beginning on, one turn after the other.
func (w *loop) turns(f frame, i int) (n float64, ok bool) {
	if w.left--; i < 0 || w.left < 0 {
		return 0, false
	}
	o := &f.c.Ops[i]
	switch o.Code {
	case "compare":
		return w.compared(f, o, o.Attr("direction"))
	case "and", "or":
		a, okA := w.turns(f, o.from(0))
		b, okB := w.turns(f, o.from(1))
		switch {
		case o.Code == "or":
			return max(a, b), okA && okB
		case okA && okB:
			return min(a, b), true
		case okA: // the other one may end it before
			b = a
		}
		w.early = true
		return b, okA || okB
	case "not":
		if from := o.from(0); from >= 0 && f.c.Ops[from].Code == "compare" {
			inner := &f.c.Ops[from]
			return w.compared(f, inner, opposite(inner.Attr("direction")))
		}
	case "copy", "bitcast", "convert", "reshape":
		return w.turns(f, o.from(0))
	case "fusion", "call":
		if inner := w.inside(o); inner != nil && f.depth() < maxFused {
			return w.turns(frame{inner, &f, o}, inner.root())
		}
	case "parameter":
		if k, ok := o.parameter(); ok && f.up != nil {
			return w.turns(*f.up, f.op.from(k))
		}
	case "constant":
		return 0, o.inside == "false"
	}
	return 0, false
}

// opposite is the comparison that holds where another doesn't; "" of no comparison.
func opposite(direction string) string {
	const pairs = "LTGELEGTEQNE"
	if i := strings.Index(pairs, direction); i >= 0 && i%2 == 0 && len(direction) == 2 {
		return pairs[i^2 : i^2+2]
	}
	return ""
}

// compared counts how often a comparison holds whose sides grow by as much in each turn. What is multiplied or divided
// instead is followed turn by turn, as it is soon large or gone.
func (w *loop) compared(f frame, o *Op, direction string) (n float64, ok bool) {
	left, okA := w.line(w.value(f, o.from(0), nil))
	right, okB := w.line(w.value(f, o.from(1), nil))
	if !okA || !okB || opposite(direction) == "" {
		return 0, false
	}
	if left.times != 1 || right.times != 1 {
		for ; meets(left.at-right.at, direction); n++ {
			if n > mostTurns {
				return 0, false
			}
			left.at, right.at = left.next(), right.next()
		}
		return n, true
	}
	d, step := left.at-right.at, left.step-right.step
	switch direction {
	case "GT":
		d, step = -d, -step
	case "GE":
		d, step = -d-1, -step
	case "LE":
		d--
	case "EQ":
		if d != 0 || step != 0 {
			return b2f(d == 0), true
		}
		return 0, false
	case "NE":
		n = -d / step
		return n, d == 0 || step != 0 && n >= 0 && n == math.Trunc(n) && n < maxTrips
	case "LT":
	default:
		return 0, false
	}
	if d >= 0 {
		return 0, true
	}
	n = math.Ceil(-d / step)
	return n, step > 0 && n < maxTrips
}

const (
	maxTrips  = 1 << 40
	mostTurns = 64
)

// side is one of a comparison: what it is, and what it is multiplied by and grows by in each turn.
type side struct{ at, times, step float64 }

// next is a side one turn later. What is divided loses its rest.
func (s *side) next() float64 {
	const close = 1e-9
	return math.Trunc(s.at*s.times + s.step + close)
}

// meets tells whether a comparison of two numbers holds, by their difference.
func meets(d float64, direction string) bool {
	switch {
	case d < 0:
		return strings.Contains("LT LE NE", direction)
	case d > 0:
		return strings.Contains("GT GE NE", direction)
	}
	return strings.Contains("LE GE EQ", direction)
}

// line is a side of the comparison.
func (w *loop) line(a amount) (s side, ok bool) {
	if !a.known || a.path == nil {
		return side{a.value, 1, 0}, a.known
	}
	if a.path[0] != 0 {
		return s, false
	}
	next := w.value(frame{c: w.body}, w.body.root(), a.path[1:])
	begin := w.outside(w.at.c, w.value(w.at, w.while.from(0), a.path[1:]), 0)
	if !next.known || !slices.Equal(next.path, a.path) || !begin.known || begin.path != nil {
		return s, false
	}
	// With p = times·p + step for the parameter, a·p + v becomes times·(a·p + v) + a·step + (1 - times)·v.
	s = side{a.times*begin.value + a.value, next.times, a.times*next.value + (1-next.times)*a.value}
	return s, next.times >= 1 || a.times == 1 && a.value == 0
}

// outside follows a number out of a computation that one operation alone runs: a call, or a loop that leaves it as it
// was.
func (w *loop) outside(c *Computation, a amount, depth int) amount {
	by := w.callers[c]
	if a.path == nil || !a.known || by.op == nil || by.many || depth > maxFused {
		return a
	}
	var before amount
	switch by.op.Code {
	case "while":
		if body := w.first(by.op, "body"); body != nil {
			if kept := w.value(frame{c: body}, body.root(), a.path[1:]); !kept.is(a.path) {
				return amount{}
			}
			before = w.value(frame{c: by.c}, by.op.from(0), a.path[1:])
		}
	case "call":
		before = w.value(frame{c: by.c}, by.op.from(a.path[0]), a.path[1:])
	}
	before = before.scaled(amount{known: true, value: a.times})
	before.value += a.value
	return w.outside(by.c, before, depth+1)
}

// value is what is known of the number at a path of what an operation gives.
func (w *loop) value(f frame, i int, path []int) (v amount) {
	if w.left--; i < 0 || w.left < 0 {
		return v
	}
	o := &f.c.Ops[i]
	switch o.Code {
	case "constant":
		n, err := strconv.ParseInt(strings.TrimSpace(o.inside), 10, 52)
		return amount{known: err == nil && len(path) == 0, value: float64(n)}
	case "parameter":
		k, ok := o.parameter()
		if f.up != nil && ok {
			return w.value(*f.up, f.op.from(k), path)
		}
		return amount{known: ok, path: append([]int{k}, path...), times: 1}
	case "get-tuple-element":
		if ns := o.dims("index"); len(ns) == 1 && len(path) < maxNested {
			return w.value(f, o.from(0), append([]int{int(ns[0])}, path...))
		}
	case "tuple":
		if len(path) > 0 {
			return w.value(f, o.from(path[0]), path[1:])
		}
	case "copy", "bitcast", "convert", "reshape", "copy-start", "copy-done", "opt-barrier":
		return w.value(f, o.from(0), path)
	case "fusion", "call":
		if inner := w.inside(o); inner != nil && f.depth() < maxFused {
			return w.value(frame{inner, &f, o}, inner.root(), path)
		}
	case "add", "subtract":
		return sum(w.value(f, o.from(0), nil), w.value(f, o.from(1), nil), o.Code == "subtract")
	case "multiply":
		a, b := w.value(f, o.from(0), nil), w.value(f, o.from(1), nil)
		if a.path == nil {
			a, b = b, a
		}
		return a.scaled(b)
	case "shift-left", "shift-right-logical", "shift-right-arithmetic", "divide":
		a, b := w.value(f, o.from(0), nil), w.value(f, o.from(1), nil)
		if o.Code != "divide" {
			const most = 52
			b.value = float64(uint64(1) << uint64(max(0, min(b.value, most))))
		}
		if o.Code != "shift-left" {
			if b.value = 1 / b.value; a.value != 0 || a.path != nil && a.times != 1 || !(b.value > 0 && b.value <= 1) {
				return v // what it loses is known of a counter alone
			}
		}
		return a.scaled(b)
	case "while":
		return w.after(f, o, path)
	}
	return v
}

// after is what a loop leaves as it was.
func (w *loop) after(f frame, o *Op, path []int) amount {
	body := w.first(o, "body")
	if body == nil || f.depth() > maxFused {
		return amount{}
	}
	kept := w.value(frame{c: body}, body.root(), path)
	if kept.is(append([]int{0}, path...)) {
		return w.value(f, o.from(0), path)
	}
	return amount{}
}

// sum adds two amounts that follow the same parameter, if any.
func sum(a, b amount, less bool) amount {
	if less {
		b.times, b.value = -b.times, -b.value
	}
	if !a.known || !b.known || a.path != nil && b.path != nil && !slices.Equal(a.path, b.path) {
		return amount{}
	}
	if b.path != nil {
		a.path = b.path
	}
	a.times += b.times
	a.value += b.value
	return a
}

// inside is the computation that a fusion or a call runs.
func (m *Module) inside(o *Op) *Computation {
	if inner := m.first(o, "calls"); inner != nil {
		return inner
	}
	return m.first(o, "to_apply")
}

func (f *frame) depth() (n int) {
	for ; f.up != nil; f = f.up {
		n++
	}
	return n
}

// parameter is the number of a parameter.
func (o *Op) parameter() (k int, ok bool) {
	ns, _ := numbers(o.inside)
	if len(ns) != 1 || ns[0] > maxLeaves {
		return 0, false
	}
	return int(ns[0]), true
}

// from is the operation that gives an operand; -1 if the text has none.
func (o *Op) from(i int) int {
	if i < len(o.Operands) {
		return o.Operands[i].From
	}
	return -1
}
