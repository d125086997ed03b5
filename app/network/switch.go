package network

import (
	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/phrase"
	q "github.com/scalebook/scalebook/app/quantity"
)

// Switch is devices of which each can send to any other at its full egress at once, as in a node with NVLink and
// NVSwitches. Only the egress (and the equal ingress) of the devices limits.
type Switch struct {
	Name    string      // "H100 node"; may be empty
	Devices int         // at least 1
	Egress  q.Bandwidth // of one device, one way, all its links
	Latency q.Seconds   // of one step through the switch; 0 leaves latency out
	Reduces bool        // the switch adds what passes through it (SHARP, NVLS)
	Direct  bool        // steps: every device sends to all others at once, instead of handing on around a ring
}

// NewNode is the scale-up domain of an accelerator: its node with the catalog's number of devices and the egress of
// each. The error says what the catalog lacks.
func NewNode(device *hardware.Accelerator) (Switch, error) { return newNode(device) }

// Size is the number of devices.
func (s Switch) Size() int { return s.Devices }

// Bisection is the one-way bandwidth between two halves (as near as the number allows): half the devices' egress.
// The collective bandwidth of a device is this over half the devices, 2 Bisection/N.
func (s Switch) Bisection() q.Bandwidth { return q.Bandwidth(s.Devices/2) * s.Egress }

func newNode(device *hardware.Accelerator) (Switch, error) {
	size, err := device.Get("node_size")
	if err != nil {
		return Switch{}, err
	}
	egress, err := device.Get("scaleup_bandwidth")
	if err != nil && size.Value.Value > 1 {
		return Switch{}, err
	}
	return Switch{
		Name:    device.Name + " node",
		Devices: int(size.Value.Value),
		Egress:  q.Bandwidth(egress.Value.Value),
	}, nil
}

// In names s for a reader.
func (s Switch) In(l phrase.Phrases) string {
	if s.Name != "" {
		return s.Name
	}
	return l.Count(s.Devices, "network.switch")
}

// String names s in English.
func (s Switch) String() string { return s.In(phrase.Phrases{}) }

func (s Switch) cost(c Collective) (Cost, error) {
	if err := checkLink(Resource{Kind: DeviceEgress}, s.Egress, s.Latency); err != nil {
		return Cost{}, err
	}
	w := way{algorithm: phrase.New("network.switch-ring")}
	steps := s.Devices - 1
	if s.Direct {
		w.algorithm, steps = phrase.New("network.switch-direct"), 1
	}
	l := s.load(c)
	if inNetwork := s.Reduces && (c.Op == AllReduce || c.Op == Broadcast || c.Op == Reduce); inNetwork {
		w.algorithm, steps = phrase.New("network.switch-adds"), 2
	} else if c.Op == Permute {
		w.algorithm, steps = phrase.New("network.switch-straight"), 1
	}
	w.addHops(steps, s.Latency)
	t := term(Resource{Kind: DeviceEgress}, l.bytes, s.Egress, l.formula, l.shortcut.Over(s.Egress))
	t.Formula, t.Values = c.raggedly(l.formula, []law.Value{c.array(),
		count("N", float64(s.Devices), "network.the-devices"), rate("W", s.Egress, "network.device-egress")})
	w.stages = []Stage{{Op: c.Op, Why: phrase.New(l.why), Terms: []Term{t}}}
	if c.Op == AllReduce && !s.Reduces {
		w.stages[0].Op = ReduceScatter
		w = w.twice(AllGather)
	}
	return w.cost(c, s.Devices)
}

// load is what leaves each device (and comes in) in a stage.
type load struct {
	bytes, shortcut q.Bytes // the shortcut is what the textbook makes of them
	formula         string
	why             string // the key of the sentence
}

func (s Switch) load(c Collective) load {
	n, whole := float64(s.Devices), load{c.Bytes, c.Bytes, "V/W", "network.switch-pieces"}
	lacks := load{
		q.Bytes(gatherTime(c.Bytes, n, n, 1)),
		c.Bytes,
		share + "W",
		"network.switch-lacks",
	}
	switch c.Op {
	case AllGather, ReduceScatter:
		return lacks
	case AllReduce:
		if s.Reduces {
			whole.why = "network.switch-sums"
			return whole
		}
		lacks.why = "network.switch-scatters"
		return lacks
	case AllToAll:
		exact, rough := c.ragged(s.Devices)
		return load{q.Bytes(exact) * lacks.bytes / q.Bytes(n), q.Bytes(rough) * c.Bytes / q.Bytes(n), switchExchange + "W",
			"network.switch-rows"}
	case Broadcast, Reduce:
		if s.Direct && !s.Reduces {
			return load{q.Bytes(n-1) * c.Bytes, c.Bytes, "(N - 1) * V/W", "network.switch-root"}
		}
	case Permute:
		if c.shift(s.Devices) == 0 {
			return load{formula: "0 * V/W", why: "network.switch-still"}
		}
		whole.why = "network.switch-shifts"
	}
	return whole
}
