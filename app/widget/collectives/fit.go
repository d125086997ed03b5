package collectives

import (
	"strconv"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/network/play"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

// The controls follow each other: the chips are those of the network, the links those of the chip.

// chips are those that a network is made of.
func chips(net play.Kind) []instrument.Option {
	var all []instrument.Option
	for _, a := range hardware.Catalog().All {
		_, torus := network.RuleFor(a)
		behind := a.Has("scaleup_bandwidth") && count(a, "node_size") > 1
		if net == play.Tree {
			behind = behind && a.Has("network_bandwidth")
		}
		if wired := net == play.Ring || net == play.Line || net == play.Slice; wired && torus || !wired && behind {
			all = append(all, instrument.Option{ID: a.ID, Name: a.Name, Group: a.Group})
		}
	}
	return all
}

// count is a constant that counts, 0 if the catalog lacks it.
func count(a *hardware.Accelerator, field string) int {
	k, err := a.Get(field)
	if err != nil {
		return 0
	}
	return int(k.Value.Value)
}

func fitChip(s *instrument.State, c *instrument.Control) {
	c.Options = chips(play.Kind(s.Text("fabric")))
	usual := "tpu.v5e"
	if switched(s) {
		usual = "gpu.h200"
	}
	for _, o := range c.Options {
		if o.ID == c.Default {
			return
		}
	}
	c.Default = usual
}

// fitNumber lets a node begin with all its devices.
func fitNumber(s *instrument.State, c *instrument.Control) {
	c.Hidden = s.Text("fabric") == string(play.Slice)
	if !switched(s) {
		return
	}
	c.Label = "Devices"
	if s.Text("fabric") == string(play.Tree) {
		c.Label = "Devices in each node"
	}
	a := device(s)
	if a == nil {
		return
	}
	size := max(1, count(a, "node_size"))
	if n, err := strconv.Atoi(c.Default); err != nil || n == 4 || n > size {
		c.Default = strconv.Itoa(size)
	}
	c.Max = strconv.Itoa(size)
}

// fitShape lets the shape of a chip that the default doesn't fit begin with one that it has.
func fitShape(s *instrument.State, c *instrument.Control) {
	c.Hidden = s.Text("fabric") != string(play.Slice)
	for _, shape := range []string{c.Default, "4x4", "4x4x4"} {
		if _, err := cut(s.Text("hardware"), shape); err == nil {
			c.Default = shape
			return
		}
	}
}

func fitSize(s *instrument.State, c *instrument.Control) {
	switch operation(s) {
	case network.AllGather:
		c.Help = "What every chip has in the end; each begins with its piece."
	case network.ReduceScatter:
		c.Help = "What every chip begins with; each ends with its piece of the sum."
	case network.AllReduce:
		c.Help = "What every chip begins and ends with."
	case network.AllToAll:
		c.Help = "All chips together; each holds a row of it and sends a piece of the row to every other."
	default:
		c.Help = "What chip 0 has, and everyone in the end."
	}
}

// turns says whether there is a ring to be gone around in one direction only.
func turns(s *instrument.State) bool {
	switch play.Kind(s.Text("fabric")) {
	case play.Ring:
		return true
	case play.Slice:
		sl, err := cut(s.Text("hardware"), s.Text("shape"))
		if err != nil || sl.Size() < 2 {
			return false
		}
		for _, a := range sl.Axes {
			if a.Size > 1 && !a.Wrap {
				return false
			}
		}
		return true
	}
	return false
}

func fitLink(s *instrument.State, c *instrument.Control) {
	field := "ici_link_bandwidth"
	c.Label = "One ICI link, one way"
	if switched(s) {
		field, c.Label = "scaleup_bandwidth", "Egress of a device, one way"
	}
	constant(s, c, field)
}

func fitShare(s *instrument.State, c *instrument.Control) {
	if c.Hidden = s.Text("fabric") != string(play.Tree); !c.Hidden {
		constant(s, c, "network_bandwidth")
	}
}

// constant lets a control begin with a constant of the chip, unless the author of the place has given another.
func constant(s *instrument.State, c *instrument.Control, field string) {
	a := device(s)
	if a == nil || c.Default != "45 GB/s" && c.Default != "50 GB/s" {
		return
	}
	if k, err := a.Get(field); err == nil {
		c.Default, c.Help = k.Text, k.Source.Title
		if k.Date != "" {
			c.Help += ", " + k.Date
		}
	}
}

// cut is a slice by the text of its shape: 4x4x8, with x, × or *.
func cut(id, text string) (network.Slice, error) {
	a, err := hardware.Catalog().Get(id)
	if err != nil {
		return network.Slice{}, err
	}
	return network.CutSlice(a, text)
}
