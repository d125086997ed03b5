package hlo

import (
	"cmp"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
)

// maxCalls is how deep computations may call each other.
const maxCalls = 100

// bodies are the attributes that name the computations an operation runs. Those of a reduction, which are run for each
// element, count with the operation itself.
var bodies = [...]string{"calls", "body", "condition", "branch_computations", "true_computation", "false_computation",
	"called_computations", "to_apply"}

// calling are the operations that run others, which have names of their own.
const calling = "|while|call|conditional|"

// runs counts how often each computation is run for once through the entry, following loops and calls, but not
// fusions, which are operations to those who run them.
func (m *Module) runs() map[*Computation]float64 {
	times := map[*Computation]float64{}
	order := m.order()
	if len(order) > 0 {
		times[order[0]] = 1
	}
	for _, c := range order {
		for i := range c.Ops {
			o := &c.Ops[i]
			n := m.repeats(c, o)
			m.taken(o, 0, func(inner *Computation) {
				if inner.Thread == "" {
					inner.Thread = cmp.Or(m.thread(o), c.Thread)
				}
				if times[inner] += times[c] * n; times[inner] > maxSize {
					times[inner] = maxSize
				}
			})
		}
	}
	return times
}

// taken calls do with each computation that an operation runs. A condition takes one of its branches; as nobody knows
// which, the dearest counts, as in XLA's own analysis.
func (m *Module) taken(o *Op, depth int, do func(*Computation)) {
	if o.Code != "conditional" {
		m.called(o, do)
		return
	}
	var dearest *Computation
	most := Cost{Vector: -1}
	m.called(o, func(inner *Computation) {
		c := m.total(inner, depth+1)
		if c == nil {
			return
		}
		if a, b := c.Matrix+c.Vector, most.Matrix+most.Vector; a > b || a == b && c.HBM > most.HBM {
			dearest, most = inner, *c
		}
	})
	if dearest != nil {
		do(dearest)
	}
}

// called calls do with each computation that an operation may run.
func (m *Module) called(o *Op, do func(*Computation)) {
	if !strings.Contains(calling, "|"+o.Code+"|") {
		return
	}
	for _, attr := range bodies {
		for _, name := range o.calls(attr) {
			if inner := m.named[name]; inner != nil {
				do(inner)
			}
		}
	}
}

// repeats is how often an operation runs what it calls.
func (m *Module) repeats(c *Computation, o *Op) float64 {
	if o.Code != "while" {
		return 1
	}
	n, _ := m.trips(c, o)
	return n
}

// order is the entry and what it runs, each after all that run it. What runs itself is a fault.
func (m *Module) order() []*Computation {
	var order []*Computation
	state := map[*Computation]int{} // 1 while it is being visited, 2 after
	var visit func(c *Computation, depth int)
	visit = func(c *Computation, depth int) {
		state[c] = 1
		for i := range c.Ops {
			o := &c.Ops[i]
			m.called(o, func(inner *Computation) {
				by := m.callers[inner]
				m.callers[inner] = caller{c, o, by.op != nil && by.op != o}
				switch {
				case state[inner] == 1 || depth == maxCalls:
					m.fault(o.Line, phrase.New("hlo.circle", "name", phrase.Printable(inner.Name, 40)))
				case state[inner] == 0:
					visit(inner, depth+1)
				}
			})
		}
		state[c] = 2
		order = append(order, c)
	}
	if m.Entry != nil {
		visit(m.Entry, 0)
	}
	for i, j := 0, len(order)-1; i < j; i, j = i+1, j-1 {
		order[i], order[j] = order[j], order[i]
	}
	return order
}

// cost is what an operation takes by itself, or what it begins.
func (m *Module) cost(o *Op, depth int) Cost {
	c := Cost{Passes: 1}
	switch w := o.started(); {
	case w.Code == "fusion", w.Code == "async", w != o && w.Code == "call":
		m.inner(w, &c, depth)
	default:
		each := m.applied(w, depth)
		w.arithmetic(&c, each, &m.taps)
		w.traffic(&c, each)
		if sent, ok := w.collective(); ok {
			m.across(w, &sent)
			c.Sent = append(c.Sent, sent)
		}
	}
	for i := range c.Sent {
		if c.Sent[i].Group == 0 {
			c.Sent[i].Group = m.Devices
		}
	}
	return c
}

// inner counts an operation by what it holds, if the text has that. What runs beside others counts where it begins.
func (m *Module) inner(o *Op, c *Cost, depth int) {
	inside := m.inside(o)
	if inside == nil {
		for _, name := range append(o.calls("calls"), o.Name) {
			if len(c.Sent) == 0 && (o.Code == "async" || name != o.Name) {
				o.guess(c, name)
			}
		}
		o.traffic(c, 1)
		return
	}
	inside.fused = o.Code == "fusion"
	total := m.total(inside, depth+1)
	switch {
	case total == nil:
		m.fault(o.Line, phrase.New("hlo.circle", "name", phrase.Printable(inside.Name, 40)))
	case o.Code == "fusion":
		c.Matrix, c.Vector, c.most, c.Type, c.Passes = total.Matrix, total.Vector, total.most, total.Type, total.Passes
	default:
		*c = *total
	}
	if total != nil {
		c.Sent = o.scattered(inside, total.Sent)
	}
	if o.Code == "fusion" {
		m.fused(o, c, inside)
	}
}

// total is what a computation takes that is run once as a whole; nil if it holds itself.
func (m *Module) total(c *Computation, depth int) *Cost {
	if c.busy || depth > maxCalls {
		return nil
	}
	if c.cost != nil {
		return c.cost
	}
	c.busy = true
	total := &Cost{Passes: 1}
	var shares []float64
	if c.fused {
		shares = c.shares()
	}
	for i := range c.Ops {
		o := &c.Ops[i]
		if c.continues(o) {
			continue
		}
		one := m.cost(o, depth)
		if c.fused {
			one.Vector *= shares[i]
		}
		total.adds(&one, 1)
		m.taken(o, depth, func(inner *Computation) {
			if one := m.total(inner, depth+1); one != nil {
				total.adds(one, m.repeats(c, o))
			}
		})
	}
	c.busy, c.cost = false, total
	return total
}

// guess reads a collective off the name of a computation that the text leaves out: %all-reduce-scatter.3.
func (o *Op) guess(c *Cost, name string) {
	op, ok := sends(name)
	if !ok {
		return
	}
	sent := Collective{Op: op, Group: o.group(), members: o.Attr("replica_groups")}
	sent.size(o.operand(0).Bytes(), o.Shape.Bytes())
	c.Sent = append(c.Sent, sent)
}

// scattered is what a fusion sends. An all-reduce of which it keeps a slice is a reduce-scatter: it is what TPUs make
// of one.
func (o *Op) scattered(inside *Computation, sent []Collective) []Collective {
	if !strings.Contains(inside.Name, "all-reduce-scatter") {
		return sent
	}
	all := append([]Collective(nil), sent...)
	for i := range all {
		all[i].Op, _ = sends("reduce-scatter")
	}
	return all
}
