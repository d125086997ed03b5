package hlo

import (
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
	True, Held                  float64    // bytes of all results, as they are and padded
	Looped                      []*Op      // loops of which nobody knows how often they are run
}

// expected is what an operation takes.
func (p *Profile) expected(o *Op, times float64) Expected {
	e := Expected{Op: o, Cost: p.cost(o, 0), Times: times}
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
	e.Unknown = e.Matrix == 0 && o.Code == "custom-call"
	return e
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
		if k, ok := at[o.Operands[0].From]; ok {
			e := &p.Ops[k]
			e.Hidden = min(e.Comms, begun[i]-begun[o.Operands[0].From+1])
		}
	}
}

func (p *Profile) sum(e *Expected) {
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
