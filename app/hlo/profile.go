package hlo

import (
	"cmp"
	"math"
	"strings"
)

// Expected is an operation with what it takes on a chip. Times are those of one run; zero where the chip has no such
// rate.
type Expected struct {
	*Op
	Cost
	Times   float64 // how often it is run
	Math    float64 // seconds: of arithmetic
	Memory  float64 // of traffic with HBM
	Near    float64 // of traffic with VMEM
	Comms   float64 // of what it sends
	Hidden  float64 // of what it sends, while other operations run: between its start and its done
	Unknown bool    // it calls what nobody here can count
	Host    bool    // it runs on the host: it takes no time of the chip
}

// Time is how long the operation takes at least: the longest of its times, less what hides.
func (e *Expected) Time() float64 {
	return max(e.Math, e.Memory, e.Near, e.Comms-e.Hidden)
}

// Bound is what the time is spent on: "compute", "HBM", "VMEM", "network", or nothing.
func (e *Expected) Bound() string {
	switch t := e.Time(); {
	case t <= 0:
		return ""
	case e.Comms-e.Hidden == t:
		return "network"
	case e.Math == t:
		return "compute"
	case e.Memory == t:
		return "HBM"
	}
	return "VMEM"
}

// FLOPs are the operations of one run.
func (e *Expected) FLOPs() float64 { return e.Matrix + e.Vector }

// Intensity is operations for each byte of HBM traffic; infinite if there is none.
func (e *Expected) Intensity() float64 {
	if e.HBM == 0 {
		return math.Inf(1)
	}
	return e.FLOPs() / e.HBM
}

// Profile is a module on a chip.
type Profile struct {
	*Module
	Chip                        Chip
	Ops                         []Expected // that cost anything, in the order of the text
	FLOPs, HBM, Sent            float64    // of the whole program
	Math, Memory, Comms, Hidden float64    // sums of times
	Time                        float64    // of all operations, one after the other
	HostFLOPs                   float64    // operations on the host, which are not among FLOPs
	True, Held                  float64    // bytes of all results, as they are and padded
	Looped                      []*Op      // loops of which nobody knows how often they are run
}

// expected is what an operation takes.
func (p *Profile) expected(o *Op, times float64, thread string) Expected {
	e := Expected{Op: o, Cost: p.cost(o, 0), Times: times}
	if thread == "host" || p.thread(o) == "host" {
		e.Host = true
		return e
	}
	if rate, _ := p.Chip.peak(e.Type); rate > 0 {
		e.Math = e.Matrix * max(1, e.Passes) / rate
	}
	if p.Chip.Vector > 0 {
		e.Math = max(e.Math, e.Vector/p.Chip.Vector)
	}
	if p.Chip.HBM > 0 {
		e.Memory = e.HBM / p.Chip.HBM
	}
	if p.Chip.VMEM > 0 {
		e.Near = e.VMEM / p.Chip.VMEM
	}
	for _, s := range e.Sent {
		e.Comms += p.Chip.sending(s)
	}
	e.Unknown = len(e.Sent) == 0 && p.unknown(o)
	return e
}

// thread is on which thread an operation runs what it begins; empty if that is the one of its computation.
func (m *Module) thread(o *Op) string {
	if strings.Contains(o.rest, `_xla_compute_type="host"`) {
		return "host"
	}
	if o.Code == o.begun().Code {
		return ""
	}
	if thread := threadOf(o.rest); thread != "" {
		return thread
	}
	if inside := m.inside(o); inside != nil {
		return inside.Thread
	}
	return ""
}

// does is the operation that another one begins, also the last of a computation that it begins.
func (m *Module) does(o *Op) *Op {
	w := o.begun()
	if w.Code == "async" {
		if inside := m.inside(w); inside != nil && len(inside.Ops) > 0 {
			return inside.Root()
		}
	}
	return w
}

// Calls is what an operation calls that can't be counted: the target of a call, or the kind of a kernel.
func (m *Module) Calls(o *Op) string {
	w := m.does(o)
	kind, _ := field(w.config(), "kind")
	return cmp.Or(w.Target(), strings.Trim(kind, `"`), w.Code)
}

// unknown tells whether an operation calls what can't be counted, itself or in what it begins, or is a kernel of which
// the text lacks what it holds.
func (m *Module) unknown(o *Op) bool {
	var taps float64
	switch w := m.does(o); w.Code {
	case "custom-call":
		return !w.isMark() && w.library(&taps) == 0
	case "fusion":
		return w.Attr("kind") == "kCustom" && m.inside(w) == nil
	}
	return false
}

// hide finds for each collective that is only started what runs until its end. What hides behind an operation is the
// time of that operation; one that hides two collectives counts for both, as the network has several links.
func (p *Profile) hide(c *Computation, at map[int]int) {
	if !p.Scheduled {
		return
	}
	begun := make([]float64, len(c.Ops)+1) // the time of all before, without what is sent
	for i := range c.Ops {
		begun[i+1] = begun[i]
		if k, ok := at[i]; ok {
			e := &p.Ops[k]
			begun[i+1] += max(e.Math, e.Memory, e.Near)
		}
	}
	for i := range c.Ops {
		o := &c.Ops[i]
		if !strings.HasSuffix(o.Code, "-done") || len(o.Operands) == 0 || o.Operands[0].From < 0 {
			continue
		}
		from := o.Operands[0].From
		for c.Ops[from].ends() && c.Ops[from].from(0) >= 0 {
			from = c.Ops[from].from(0)
		}
		if k, ok := at[from]; ok {
			e := &p.Ops[k]
			e.Hidden = min(e.Comms, begun[i]-begun[from+1])
		}
	}
}

func (p *Profile) sum(e *Expected) {
	if e.Host {
		p.HostFLOPs += e.FLOPs() * e.Times
		return
	}
	p.FLOPs += e.FLOPs() * e.Times
	p.HBM += e.HBM * e.Times
	p.Math += e.Math * e.Times
	p.Memory += e.Memory * e.Times
	p.Comms += e.Comms * e.Times
	p.Hidden += e.Hidden * e.Times
	p.Time += e.Time() * e.Times
	for _, s := range e.Sent {
		p.Sent += s.Bytes * e.Times
	}
}
