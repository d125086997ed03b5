package network

import (
	"strconv"

	"github.com/scalebook/scalebook/app/law"
	q "github.com/scalebook/scalebook/app/quantity"
)

// String names s for a reader.
func (s Switch) String() string {
	if s.Name != "" {
		return s.Name
	}
	return strconv.Itoa(s.Devices) + " devices on a switch"
}

func (s Switch) cost(c Collective) (Cost, error) {
	if err := checkLink("a device", s.Egress, s.Latency); err != nil {
		return Cost{}, err
	}
	w := way{algorithm: "ring through the switch"}
	steps := s.Devices - 1
	if s.Direct {
		w.algorithm, steps = "all to all others at once", 1
	}
	l := s.load(c)
	if inNetwork := s.Reduces && (c.Op == AllReduce || c.Op == Broadcast || c.Op == Reduce); inNetwork {
		w.algorithm, steps = "added up and copied in the switch", 2
	} else if c.Op == Permute {
		w.algorithm, steps = "straight through the switch", 1
	}
	w.addHops(steps, s.Latency)
	t := term("egress of a device", l.bytes, s.Egress, l.formula, l.shortcut.Over(s.Egress))
	t.Formula, t.Values = c.raggedly(l.formula, []law.Value{c.array(), count("N", float64(s.Devices), "the devices"),
		rate("W", s.Egress, "the one-way egress of a device")})
	w.stages = []Stage{{Name: c.Op.String(), Why: l.why, Terms: []Term{t}}}
	if c.Op == AllReduce && !s.Reduces {
		w.stages[0].Name = ReduceScatter.String()
		w = w.twice(AllGather.String())
	}
	return w.cost(c, s.Devices)
}

// load is what leaves each device (and comes in) in a stage.
type load struct {
	bytes, shortcut q.Bytes // the shortcut is what the textbook makes of them
	formula, why    string
}

func (s Switch) load(c Collective) load {
	n, whole := float64(s.Devices), load{c.Bytes, c.Bytes, "V/W", "in small pieces, each device handing on what it gets"}
	lacks := load{
		q.Bytes(gatherTime(c.Bytes, n, n, 1)),
		c.Bytes,
		share + "W",
		"every device has (N-1)/N of the array to take in, or to give away",
	}
	switch c.Op {
	case AllGather, ReduceScatter:
		return lacks
	case AllReduce:
		if s.Reduces {
			whole.why = "every device sends its array once and takes the sum in once, at the same time"
			return whole
		}
		lacks.why = "every device gives (N-1)/N of its array away, to be added up"
		return lacks
	case AllToAll:
		exact, rough := c.ragged(s.Devices)
		return load{q.Bytes(exact) * lacks.bytes / q.Bytes(n), q.Bytes(rough) * c.Bytes / q.Bytes(n), switchExchange + "W",
			"every device has V/N^2 for each of N-1 others"}
	case Broadcast, Reduce:
		if s.Direct && !s.Reduces {
			return load{q.Bytes(n-1) * c.Bytes, c.Bytes, "(N - 1) * V/W", "one device sends to, or takes in from, each other"}
		}
	case Permute:
		if c.shift(s.Devices) == 0 {
			return load{formula: "0 * V/W", why: "nobody sends to another"}
		}
		whole.why = "every device sends its array to one other"
	}
	return whole
}
