package sharding

import (
	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/phrase"
	q "github.com/scalebook/scalebook/app/quantity"
)

// Hardware is the torus that a mesh says it is laid on: "on 4x4x4", "on 8x4 lines", "on rings".
type Hardware struct {
	Sides []int  // those of the mesh's own axes if the text gives none
	Wraps string // "rings" or "lines" for all axes; empty: as the chips are wired
}

// Hardware reads what stands after "on".
func (m *Mesh) Hardware() (Hardware, error) {
	s := &scanner{where: "mesh", text: []rune(m.On)}
	var h Hardware
	err := s.hardware(&h)
	if fault, ok := err.(*Error); ok {
		fault.Col += max(m.onAt, 1) - 1
	}
	if len(h.Sides) == 0 {
		for _, a := range m.Axes {
			for _, n := range a.Over {
				if n > 1 {
					h.Sides = append(h.Sides, n)
				}
			}
		}
	}
	return h, err
}

func (s *scanner) hardware(h *Hardware) error {
	const form = "sharding.torus-form"
	for digit(s.peek()) {
		n, at, err := s.whole(maxChips)
		if err != nil {
			return err
		}
		if len(h.Sides) == maxAxes {
			return at.fault("mesh", phrase.New("sharding.torus-axes"), phrase.New(threeAxes))
		}
		h.Sides = append(h.Sides, n)
		if s.accept("x", "×", "*") && !digit(s.peek()) {
			return s.expected(phrase.New("sharding.want-size"), form)
		}
	}
	switch {
	case s.accept("rings", "ring"):
		h.Wraps = "rings"
	case s.accept("lines", "line"):
		h.Wraps = "lines"
	}
	if s.peek() != 0 {
		return s.expected(phrase.New(theEnd), form)
	}
	return nil
}

// On lays the mesh on chips: TPUs in the torus that the mesh names (its own axes, if it names none), wired as their
// pods are unless it says rings or lines; others in one node, or in the published cluster if they don't fit a node.
func On(m *Mesh, chip *hardware.Accelerator) (*Fabric, error) {
	h, err := m.Hardware()
	if err != nil {
		return nil, err
	}
	if h.Wraps != "" {
		if _, torus := network.RuleFor(chip); !torus {
			return nil, &Error{
				Where:  "mesh",
				Col:    m.onAt,
				What:   phrase.New("sharding.no-torus", "chip", chip.Name),
				Remedy: phrase.New("sharding.leave-out-on", "text", m.On),
			}
		}
		link, err := chip.Get("ici_link_bandwidth")
		if err != nil {
			return nil, err
		}
		return OnTorus(m, h.torus(q.Bandwidth(link.Value.Value)))
	}
	if rule, ok := network.RuleFor(chip); ok {
		for m.On == "" && len(h.Sides) < rule.Dims {
			h.Sides = append(h.Sides, 1)
		}
		slice, err := network.NewSlice(chip, h.Sides...)
		if err != nil {
			return nil, m.misplaced(err)
		}
		return OnTorus(m, slice.Torus)
	}
	node, err := network.NewNode(chip)
	if err != nil {
		return nil, m.misplaced(err)
	}
	if m.Chips() > node.Devices {
		if tree, err := network.NewCluster(chip); err == nil {
			return OnTree(m, tree)
		}
	}
	return OnSwitch(m, node)
}

// torus is the sides with all axes rings, or all lines.
func (h Hardware) torus(oneWay q.Bandwidth) network.Torus {
	var t network.Torus
	for _, n := range h.Sides {
		t.Axes = append(t.Axes, network.Axis{Size: n, Wrap: h.Wraps == "rings", OneWay: oneWay})
	}
	return t
}

// misplaced adds to an error of the network where a mesh says what it lies on.
func (m *Mesh) misplaced(err error) error {
	if n, ok := err.(phrase.Fault); ok {
		remedy := n.Remedy
		if m.On == "" {
			remedy = phrase.New("list.semicolon", "list", n.Remedy, "next", phrase.New("sharding.say-on"))
		}
		return &Error{Where: "mesh", Col: m.onAt, What: n.What, Remedy: remedy}
	}
	return err
}
