package collectives

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/library"
	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

// subject is what is set, as package network knows it.
type subject struct {
	net       string
	a         *hardware.Accelerator
	n, nodes  int // of a ring, line or node; of a tree the devices in a node, and its nodes
	axes      []network.Axis
	link, dcn quantity.Bandwidth
	hop       quantity.Seconds
	adds      bool
	c         network.Collective
	size      quantity.Quantity
	group     network.Group
	cost      network.Cost
	err       error
}

func subjectOf(s *instrument.State) *subject {
	x := &subject{
		net: s.Text("fabric"), a: device(s), n: s.Int("n"), nodes: s.Int("nodes"), size: s.Quantity("size"),
		link: quantity.Bandwidth(s.Number("link")), dcn: quantity.Bandwidth(s.Number("share")), hop: quantity.Seconds(s.Number("hop")),
	}
	x.c = network.Collective{Op: operation(s), Bytes: quantity.Bytes(x.size.Value), OneWay: turns(s) && !s.On("both")}
	x.adds = s.On("adds") && switched(s) && x.c.Op == network.AllReduce && sharp(s.Text("hardware"))
	x.group, x.err = x.join(s)
	if x.err == nil {
		x.cost, x.err = x.c.Over(x.group)
	}
	return x
}

// join is the group.
func (x *subject) join(s *instrument.State) (network.Group, error) {
	switch x.net {
	case node:
		return network.Switch{Devices: x.n, Egress: x.link, Latency: x.hop, Reduces: x.adds, Direct: x.c.Op == network.AllToAll}, nil
	case tree:
		return x.tree().All(), nil
	case slice:
		sl, err := cut(s.Text("hardware"), s.Text("shape"))
		if err != nil {
			return nil, err
		}
		x.axes = sl.WithLink(x.link).WithLatency(x.hop).Axes
	default:
		x.axes = []network.Axis{{Name: "X", Size: x.n, Wrap: x.net == ring, OneWay: x.link, Latency: x.hop}}
	}
	return network.Torus{Axes: x.axes}, nil
}

// tree is nodes joined by a network in which nothing is lost: a node's egress is that of its devices' ports.
func (x *subject) tree() network.Tree {
	return network.Tree{Levels: []network.Level{
		{Name: "node", Degree: x.n, Egress: x.link, Latency: x.hop, Reduces: x.adds},
		{Name: "network", Degree: x.nodes, Egress: quantity.Bandwidth(x.n) * x.dcn, Latency: x.hop, Reduces: x.adds},
	}}
}

// at is the time for another size of the array: by the exact law, and by the shortcut. Both are 0 where there is none.
func (x *subject) at(bytes float64) (law, rough float64) {
	c := x.c
	c.Bytes = quantity.Bytes(bytes)
	cost, err := c.Over(x.group)
	if err != nil {
		return 0, 0
	}
	return float64(cost.Time), float64(max(cost.Shortcut, cost.Latency))
}

// bytes is a number of bytes as the reader wrote the size, in MiB or in MB.
func (x *subject) bytes(n float64) string {
	q := x.size
	q.Value = n
	return q.String()
}

// who is what the chips are called.
func (x *subject) who() string {
	if x.net == node || x.net == tree {
		return "GPU"
	}
	return "chip"
}

// knee is the size at which the bytes take as long as the hops, 0 if there is none.
func (x *subject) knee() float64 {
	if x.cost.Bandwidth <= 0 || x.cost.Latency <= 0 {
		return 0
	}
	return float64(x.c.Bytes) * float64(x.cost.Latency/x.cost.Bandwidth)
}

// busText is the formula of what NCCL's tests multiply with.
func (x *subject) busText() string {
	n := float64(x.group.Size())
	_, formula := x.c.Op.BusShare(n)
	w, _ := library.Work(formula, []law.Value{{Name: "N", Num: quantity.Quantity{Value: n}}}, sheet.Plain)
	return w.Symbols
}

// bus is the bus bandwidth if so many bytes take so long.
func (x *subject) bus(bytes, t float64) float64 {
	share, _ := x.c.Op.BusShare(float64(x.group.Size()))
	return share * bytes / t
}

// result is a named result with how it comes about.
type result struct {
	instrument.Value
	how string
}

// results are the table of the answer.
type results struct {
	x   *subject
	all []result
}

// put adds a number in base units: of seconds, of bytes, of bytes a second, or of steps.
func (r *results) put(name, label, how string, v float64, unit byte) {
	var q quantity.Quantity
	switch unit {
	case 's':
		q = quantity.Seconds(v).Quantity()
	case 'b':
		q = r.x.size
		q.Value = v
	case 'w':
		q = quantity.Bandwidth(v).Quantity()
	default:
		q = quantity.Quantity{Value: v, Label: quantity.Label{Over: "step"}}
	}
	r.all = append(r.all, result{instrument.Of(name, label, q), how})
}

// none adds a result that there isn't.
func (r *results) none(name, label, how, why string) {
	r.all = append(r.all, result{instrument.Value{Name: name, Label: label, Text: why}, how})
}

// results are all of them; p may be nil.
func (x *subject) results(p *play) []result {
	c, r := &x.cost, &results{x: x}
	r.put("time", "Time, exactly", "the longer of the two below", float64(c.Time), 's')
	r.put("bytes_time", "The bytes alone", "stage by stage, below", float64(c.Bandwidth), 's')
	r.put("latency", "The steps' latency alone", steps(c.Hops)+" of "+x.hop.Quantity().String(), float64(c.Latency), 's')
	r.put("shortcut", "Time, by the textbook's shortcut", "the bytes simplified, or the latency", float64(max(c.Shortcut, c.Latency)), 's')
	r.put("per_link", "Over the busiest link, one way", x.linkText(), float64(c.PerLink), 'b')
	r.put("steps", "Steps, one after the other", c.Algorithm, float64(c.Hops), 'n')
	r.all = append(r.all, result{instrument.Value{Name: "binding", Label: "What it waits for", Text: x.binding(), Data: c.Binding}, "the longest of all terms"})
	const rate, bus, knee = "Bytes of the array a second", "Bus bandwidth, by NCCL's definition", "The knee: latency-bound below"
	if c.Time > 0 {
		r.put("rate", rate, "array over time", float64(x.c.Bytes)/float64(c.Time), 'w')
		r.put("bus", bus, "array over time × "+x.busText(), x.bus(float64(x.c.Bytes), float64(c.Time)), 'w')
	} else {
		r.none("rate", rate, "", "no value")
		r.none("bus", bus, "", "no value")
	}
	if k := x.knee(); k > 0 {
		r.put("knee", knee, "where the bytes take as long as the steps", k, 'b')
	} else {
		r.none("knee", knee, "", "none")
	}
	if p != nil && p.stand == "" && p.clock(len(p.s.Steps)) > 0 {
		r.put("played", "The steps drawn, one after the other", "each waits for its latency or its longest link", float64(p.clock(len(p.s.Steps))), 's')
	}
	return r.all
}

func values(s *instrument.State, m *memo) (all []instrument.Value) {
	x := subjectOf(s)
	if x.err != nil {
		return nil
	}
	for _, r := range x.results(m.of(s)) {
		all = append(all, r.Value)
	}
	return all
}

// binding is what the time is spent on, in words.
func (x *subject) binding() string {
	switch b := x.cost.Binding; {
	case b == "latency":
		return "the latency of " + steps(x.cost.Hops)
	case x.net == ring || x.net == line:
		return "its links"
	case strings.HasPrefix(b, "ax"):
		return "the links of " + b
	case b == "level node":
		return "the egress of a device"
	case b == "level network":
		return "the way out of a node"
	}
	return x.cost.Binding
}

func steps(n int) string {
	if n == 1 {
		return "1 step"
	}
	return strconv.Itoa(n) + " steps"
}

func summary(s *instrument.State, m *memo) string {
	x := subjectOf(s)
	if x.err != nil {
		return x.err.Error()
	}
	said := instrument.Capital(x.c.Op.String()) + " over " + x.group.String() + " takes " + x.cost.Time.Quantity().String() + ", waiting for " + x.binding()
	if p := m.of(s); p != nil && len(p.s.Steps) > 0 {
		k := min(s.Int("step"), len(p.s.Steps)-1)
		said += "; " + p.says(k) + ", " + p.soFar(k+1)
	}
	return said
}
