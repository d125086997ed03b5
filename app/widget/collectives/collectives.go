package collectives

import (
	"errors"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/network/play"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

// New is the instrument.
func New() *instrument.Instrument {
	return &instrument.Instrument{
		ID: "collectives", Title: "Collectives, step by step", Style: "instrument-collectives.css",
		About:    "All-gather, reduce-scatter, all-reduce, all-to-all and broadcast on rings, slices, switches and trees: each message, who holds what, the cost over size, the law with its numbers, and measurements beside it.",
		Controls: controls,
		View:     view,
		Values:   values,
		Summary:  summary,
	}
}

// controls are read in this order. An address is read by their names in alphabetical order, so fabric and hardware, on which
// others depend, come before them there, too.
func controls() []instrument.Control {
	return []instrument.Control{
		{Name: "fabric", Label: "Network", Kind: instrument.Menu, Default: string(play.Ring), Options: []instrument.Option{
			{ID: string(play.Ring), Name: "A ring of chips", Group: "Chips wired to their neighbours"}, {ID: string(play.Line), Name: "A line of chips", Group: "Chips wired to their neighbours"},
			{ID: string(play.Slice), Name: "A slice of a TPU pod", Group: "Chips wired to their neighbours"},
			{ID: string(play.Node), Name: "A node behind a switch", Group: "Devices behind switches"}, {ID: string(play.Tree), Name: "A tree: several nodes", Group: "Devices behind switches"}}},
		{Name: "op", Label: "Collective", Kind: instrument.Menu, Default: "all-gather", Options: operations()},
		{Name: "hardware", Label: "Chip", Kind: instrument.Menu, Default: "tpu.v5e", Options: chips(play.Ring), Fit: fitChip},
		{Name: "n", Label: "Chips", Default: "4", Min: "1", Max: "1024", Whole: true, Fit: fitNumber},
		{Name: "nodes", Label: "Nodes", Default: "4", Min: "1", Max: "4096", Log: true, Whole: true, Fit: func(s *instrument.State, c *instrument.Control) {
			c.Hidden = s.Text("fabric") != string(play.Tree)
		}},
		{Name: "shape", Label: "Shape, in chips", Kind: instrument.Text, Default: "4x4", Help: "Such as 4x4 or 4x4x8.", Fit: fitShape,
			Check: func(s *instrument.State, text string) error { _, err := cut(s.Text("hardware"), text); return err }},
		{Name: "size", Label: "The array", Default: "64 MiB", Min: "1 kB", Max: "1 TB", Log: true, Fit: fitSize},
		{Name: "both", Label: "Both ways round", Kind: instrument.Switch, Default: "on", Fit: func(s *instrument.State, c *instrument.Control) { c.Hidden = !turns(s) }},
		{Name: "adds", Label: "The switches add (SHARP)", Kind: instrument.Switch, Default: "off", Fit: func(s *instrument.State, c *instrument.Control) {
			c.Hidden = !switched(s) || s.Text("op") != "all-reduce" || !play.Sharp(device(s))
		}},
		{Name: "link", Label: "One link, one way", Default: "45 GB/s", Check: positive, Fit: fitLink},
		{Name: "share", Label: "A device's share of the network, one way", Default: "50 GB/s", Check: positive, Fit: fitShare},
		{Name: "hop", Label: "Latency of a step", Default: "1 us", Help: "An assumption. What software adds at the start is not in it.",
			Check: func(_ *instrument.State, text string) error {
				if q, err := quantity.ParseLike(text, quantity.Seconds(1).Quantity()); err == nil && (q.Value < 0 || q.Value > 1) {
					return errors.New(q.String() + " is no latency; write 0 s to 1 s")
				}
				return nil
			}},
		{Name: "step", Label: "Step", Kind: instrument.Step, Default: "0", Every: 1400, Placed: true, Fit: func(s *instrument.State, c *instrument.Control) {
			c.Steps = 1
			if p := steps(s); p != nil {
				c.Steps = max(1, len(p.Schedule.Steps))
				c.StepName = func(_ *instrument.State, step int) string { return p.Says(step) }
			}
			c.Hidden = c.Steps == 1
			c.Strip = frames(c.Steps)
		}},
		{Name: "over", Label: "Drawn over size", Kind: instrument.Menu, Default: "time", Placed: true,
			Options: []instrument.Option{{ID: "time", Name: "Time"}, {ID: "bus", Name: "Bus bandwidth"}}},
	}
}

// frames are the steps besides the first that a page without scripts shows: at most three, the last among them.
func frames(steps int) []int {
	switch {
	case steps < 2:
		return nil
	case steps < 5:
		var all []int
		for i := 1; i < steps; i++ {
			all = append(all, i)
		}
		return all
	}
	return []int{1, steps / 2, steps - 1}
}

// operations are the collectives to choose from, by the names of package network.
func operations() []instrument.Option {
	var all []instrument.Option
	for _, op := range []network.Op{network.AllGather, network.ReduceScatter, network.AllReduce, network.AllToAll, network.Broadcast} {
		all = append(all, instrument.Option{ID: op.String(), Name: instrument.Capital(op.String())})
	}
	return all
}

// operation is the collective that is set.
func operation(s *instrument.State) network.Op {
	for op := network.AllGather; op < network.Permute; op++ {
		if op.String() == s.Text("op") {
			return op
		}
	}
	return network.AllGather
}

func device(s *instrument.State) *hardware.Accelerator {
	a, err := hardware.Catalog().Get(s.Text("hardware"))
	if err != nil {
		return nil
	}
	return a
}

func switched(s *instrument.State) bool { return play.Kind(s.Text("fabric")).Switched() }

// positive refuses what no link can be.
func positive(_ *instrument.State, text string) error {
	q, err := quantity.ParseLike(text, quantity.Bandwidth(1e9).Quantity())
	if err == nil && (q.Value < 1 || q.Value > 1e18) {
		return errors.New(q.String() + " is no bandwidth of a link; write one from 1 byte/s to 1e18 byte/s")
	}
	return nil
}
