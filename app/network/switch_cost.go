package network

import (
	"strconv"

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
	bytes, shortcut, formula, why := s.load(c)
	if inNetwork := s.Reduces && (c.Op == AllReduce || c.Op == Broadcast || c.Op == Reduce); inNetwork {
		w.algorithm, steps = "added up and copied in the switch", 2
	} else if c.Op == Permute {
		w.algorithm, steps = "straight through the switch", 1
	}
	w.addHops(steps, s.Latency)
	w.stages = []Stage{{Name: c.Op.String(), Why: why, Terms: []Term{term("egress of a device", bytes, s.Egress, formula, shortcut.Over(s.Egress))}}}
	if c.Op == AllReduce && !s.Reduces {
		w.stages[0].Name = ReduceScatter.String()
		w = w.twice(AllGather.String())
	}
	return w.cost(c, s.Devices)
}

// load is the bytes that leave each device (and come in) in a stage, and what the textbook makes of them.
func (s Switch) load(c Collective) (bytes, shortcut q.Bytes, formula, why string) {
	n, v := float64(s.Devices), float64(c.Bytes)
	switch c.Op {
	case AllGather, ReduceScatter:
		return q.Bytes((n - 1) / n * v), c.Bytes, "(N - 1)/N * V/W", "every device has (N-1)/N of the array to take in, or to give away"
	case AllReduce:
		if s.Reduces {
			return c.Bytes, c.Bytes, "V/W", "every device sends its array once and takes the sum in once, at the same time"
		}
		return q.Bytes((n - 1) / n * v), c.Bytes, "(N - 1)/N * V/W", "every device gives (N-1)/N of its array away, to be added up"
	case AllToAll:
		exact, rough := c.ragged(s.Devices)
		formula = "(N - 1)/N^2 * V/W"
		if c.Active > 0 {
			formula = "(1 - ((N - 1)/N)^k) * " + formula
		}
		return q.Bytes(exact * (n - 1) / (n * n) * v), q.Bytes(rough * v / n), formula, "every device has V/N^2 for each of N-1 others"
	case Broadcast, Reduce:
		if s.Direct && !s.Reduces {
			return q.Bytes((n - 1) * v), c.Bytes, "(N - 1) * V/W", "one device sends to, or takes in from, each other"
		}
	case Permute:
		if c.shift(s.Devices) == 0 {
			return 0, 0, "0", "nobody sends to another"
		}
		return c.Bytes, c.Bytes, "V/W", "every device sends its array to one other"
	}
	return c.Bytes, c.Bytes, "V/W", "in small pieces, each device handing on what it gets"
}
