package hlo

import (
	"cmp"
	"math"
	"strings"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/network"
	q "github.com/scalebook/scalebook/app/quantity"
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
	Comms   float64 // of what it sends, also to the host's memory and from there
	Hidden  float64 // of what it sends, while other operations run: between its start and its done
	Unknown bool    // it calls what nobody here can count
	Unrated string  // the type of what it multiplies, where no rate of the chip for that is known
	Host    bool    // it runs on the host: it takes no time of the chip
	beside  float64 // of its traffic with HBM, while others that leave HBM free run
}

// Time is how long the operation takes at least: the longest of its times, less what hides.
func (e *Expected) Time() float64 {
	return max(e.Math, e.Memory-e.beside, e.Near, e.Comms-e.Hidden)
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
	case e.Memory-e.beside == t:
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
	Looped                      []Loop     // of which the text does not say how often they are run, or which branch is
}

// Loop is a loop that runs so often at the most, for which it counts; once if nobody knows. Of a condition the dearest
// branch counts once.
type Loop struct {
	*Op
	Most float64
}

// expected is what an operation takes.
func (p *Profile) expected(o *Op, times float64, thread string) Expected {
	e := Expected{Op: o, Cost: p.cost(o, 0), Times: times}
	if thread == "host" || p.thread(o) == "host" {
		e.Host = true
		return e
	}
	of, passes := e.Type, max(1, e.Passes)
	if p.Chip.Link == 0 && passes > 1 { // a GPU multiplies fp32 as it is only where all its digits are asked for
		if passes == mostPasses {
			of = "exact"
		}
		passes = 1
	}
	if rate, _ := p.Chip.peak(of); rate > 0 {
		e.Math = e.Matrix * passes / rate
	} else if e.Matrix > 0 {
		e.Unrated = e.Type
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
	if p.Chip.PCIe > 0 {
		e.Comms += e.Far / p.Chip.PCIe
	}
	e.Unknown = len(e.Sent) == 0 && p.unknown(o)
	return e
}

// thread is on which thread an operation runs what it begins; empty if that is the one of its computation.
func (m *Module) thread(o *Op) string {
	if strings.Contains(o.rest, `_xla_compute_type="host"`) {
		return "host"
	}
	if o.Code == o.started().Code {
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
	w := o.started()
	if w.Code == "async" {
		if inside := m.inside(w); inside != nil && len(inside.Ops) > 0 {
			return inside.Root()
		}
	}
	return w
}

// Bounded tells whether an operation may give or send less than its sizes say, as only its run knows.
func (m *Module) Bounded(o *Op) bool { return o.Shape.Varies || m.does(o).Code == "ragged-all-to-all" }

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
		return !w.isMark() && !w.isSelection() && w.library(&taps) == 0
	case "fusion":
		return w.Attr("kind") == "kCustom" && m.inside(w) == nil
	}
	return false
}

// hide finds for each collective that is only started what runs until its end. What hides behind an operation is the
// time of that operation; one that hides two collectives counts for both, as the network has several links. Their own
// traffic with HBM goes on beside it as far as it leaves HBM free.
func (p *Profile) hide(c *Computation, at map[int]int) {
	if !p.Scheduled {
		return
	}
	started := make([]float64, len(c.Ops)+1) // the time of all before, without what is sent
	free := make([]float64, len(c.Ops)+1)    // that of it when HBM has nothing to do
	for i := range c.Ops {
		started[i+1], free[i+1] = started[i], free[i]
		p.taken(&c.Ops[i], 0, func(inner *Computation) {
			times := p.repeats(c, &c.Ops[i])
			started[i+1] += times * inner.takes
			free[i+1] += times * inner.free
		})
		if k, ok := at[i]; ok && (p.Ops[k].Comms == 0 || c.Ops[i].Code == c.Ops[i].started().Code) {
			e := &p.Ops[k]
			started[i+1] += max(e.Math, e.Memory, e.Near)
			free[i+1] += max(e.Math, e.Memory, e.Near) - e.Memory
		}
	}
	c.takes, c.free = started[len(c.Ops)], free[len(c.Ops)]
	open, over := -1, "" // what began last in a fusion, and its channel
	for i := range c.Ops {
		o := &c.Ops[i]
		from := o.from(0)
		switch target, channel := p.async(o); {
		case target == asyncStart:
			open, over = i, channel
			continue
		case target == asyncDone:
			if from = open; channel != over {
				continue
			}
		case !strings.HasSuffix(o.Code, "-done"):
			continue
		}
		if from < 0 {
			continue
		}
		for c.Ops[from].ends() && c.Ops[from].from(0) >= 0 {
			from = c.Ops[from].from(0)
		}
		if k, ok := at[from]; ok {
			e := &p.Ops[k]
			e.Hidden = min(e.Comms, started[i]-started[from+1])
			if e.Comms > 0 {
				e.beside = min(e.Memory, free[i]-free[from+1])
			}
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

// On prices the operations of a module on a chip.
func (m *Module) On(chip Chip) *Profile {
	p := m.Pricing(chip)
	for p.Step() {
	}
	return p.Profile
}

// Pricing prices the operations of a module step by step, computation by computation.
type Pricing struct {
	*Profile
	times map[*Computation]float64
	left  []*Computation
	at    map[int]int // where an operation of the first of them stands in the profile
	next  int         // of its operations
	first int         // of its operations in the profile
}

// Pricing begins to price the operations of a module on a chip.
func (m *Module) Pricing(chip Chip) *Pricing {
	p := &Pricing{Profile: &Profile{Module: m, Chip: chip}, times: m.runs()}
	for _, c := range m.Computations {
		if c.takes, c.free = 0, 0; p.times[c] > 0 {
			p.left = append(p.left, c)
		}
	}
	return p
}

// Step prices some operations, and says whether there are more.
func (p *Pricing) Step() (more bool) {
	const some = 200
	for range some {
		if len(p.left) == 0 {
			return false
		}
		c := p.left[0]
		if p.next == 0 {
			p.at, p.first = make(map[int]int, len(c.Ops)), len(p.Ops)
		}
		if p.next == len(c.Ops) {
			p.end(c)
			continue
		}
		p.operation(c, p.next)
		p.next++
	}
	return true
}

// operation prices an operation of a computation.
func (p *Pricing) operation(c *Computation, i int) {
	o := &c.Ops[i]
	switch o.Code {
	case "while":
		if most, known := p.trips(c, o); !known {
			p.Looped = append(p.Looped, Loop{o, most})
		}
	case "conditional":
		p.Looped = append(p.Looped, Loop{o, 1})
	}
	p.True += o.Shape.Bytes()
	p.Held += o.Shape.Held()
	e := p.expected(o, p.times[c], c.Thread)
	if e.FLOPs()+e.HBM+e.VMEM+e.Far+e.Comms > 0 || len(e.Sent) > 0 || e.Unknown {
		p.at[i] = len(p.Ops)
		p.Ops = append(p.Ops, e)
	}
}

// end adds up a computation.
func (p *Pricing) end(c *Computation) {
	p.hide(c, p.at)
	for i := p.first; i < len(p.Ops); i++ {
		p.sum(&p.Ops[i])
	}
	p.left, p.next = p.left[1:], 0
}

// Chip is what turns counts into times. A rate that nobody knows is 0, and what depends on it has no time.
type Chip struct {
	Name      string
	Peak      func(dtype string) float64 // operations a second of its matrix unit on "bf16"; 0 if it has none
	Vector    float64                    // operations a second of its vector unit
	HBM, VMEM float64                    // bytes a second
	Link      float64                    // bytes a second to a neighbour of a ring, one way; 0 if there is a switch
	Egress    float64                    // bytes a second into a switch, one way, or of all links to others of its node
	Node      int                        // devices of a node
	Mesh      hardware.Mesh              // where its devices are joined by no switch
	Beyond    float64                    // bytes a second of a device that leave its node
	PCIe      float64                    // bytes a second to the host's memory, or from there
}

// NewChip is an accelerator of the catalog, in bytes and operations a second; what its sources don't say is 0.
func NewChip(a *hardware.Accelerator) Chip {
	known := func(field string) float64 {
		c, err := a.Get(field)
		if err != nil {
			return 0
		}
		return c.Value.Value
	}
	c := Chip{Name: a.Name, HBM: known("hbm_bandwidth"), VMEM: known("vmem_bandwidth"), Vector: known("vpu_flops"),
		Link: known("ici_link_bandwidth"), Egress: known("scaleup_bandwidth"), Node: int(known("node_size")),
		Mesh: a.Mesh(), Beyond: known("network_bandwidth"),
		PCIe: cmp.Or(known("host_bandwidth"), known("pcie_bandwidth"))}
	c.Peak = func(dtype string) float64 { return known("flops." + dtype) }
	if c.Vector == 0 && c.Link == 0 {
		c.Vector = known("flops.fp32")
	}
	return c
}

// rates are the rates that a matmul of elements of a type can go at, the first that a chip has. TPUs multiply fp32 in
// bf16, GPUs in tf32, unless a program asks for more.
const rates = "|exact fp32 bf16|c64 tf32 bf16 fp32|bf16 bf16|f16 fp16 bf16|f32 tf32 bf16 fp32|s8 int8 bf16|" +
	"u8 int8 bf16|s4 int4 int8 bf16|u4 int4 int8 bf16|s32 int8 bf16|f4e2m1fn fp4 fp8 bf16|f8 fp8 bf16|"

// peak is the rate of a matmul of elements of a type, and in which dtype.
func (c *Chip) peak(of string) (rate float64, in string) {
	if len(of) > 2 && of[:2] == "f8" {
		of = "f8"
	}
	_, names, _ := strings.Cut(rates, "|"+of+" ")
	names, _, _ = strings.Cut(names, "|")
	for name := range strings.FieldsSeq(names) {
		if r := c.Peak(name); r > 0 {
			return r, name
		}
	}
	return 0, ""
}

// sending is the time of a collective: around a ring of neighbours, or over a switch.
func (c *Chip) sending(s Collective) float64 {
	if s.Group < 2 {
		return 0
	}
	var g network.Group = network.Torus{Axes: []network.Axis{{Size: s.Group, Wrap: s.Group > 2,
		OneWay: q.Bandwidth(c.Link)}}}
	if c.Link == 0 {
		egress := c.Egress * c.Mesh.Share(float64(s.Group))
		if (s.Group > max(c.Node, 1) || s.leaves(c.Node)) && c.Beyond > 0 {
			egress = c.Beyond
		}
		if egress == 0 {
			return 0
		}
		g = network.Switch{Devices: s.Group, Egress: q.Bandwidth(egress)}
	}
	cost, err := network.Collective{Op: s.Op, Bytes: q.Bytes(s.Bytes)}.Over(g)
	if err != nil {
		return 0
	}
	return float64(cost.Time)
}
