package setup

import (
	"strings"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sharding"
)

// lay lays the mesh on the chips; one that their pods don't have is laid on wires of its own.
func (s *Setup) lay() error {
	m := *s.Mesh
	if s.Chip.Has("ici_link_bandwidth") && s.Wires != Pod {
		if h, err := m.Hardware(); err == nil && h.Wraps == "" {
			m.On = strings.TrimSpace(m.On + " " + s.Wires)
		}
	}
	f, err := sharding.On(&m, s.Chip)
	if err != nil {
		own, note, failed := s.alone()
		if failed != nil {
			return err
		}
		s.note(phrase.New(note, "fault", sentence{err}))
		f = own
	}
	f.Mesh = s.Mesh
	s.Fabric = f
	return nil
}

// alone is the fabric that there always is, and the key of what is said of it.
func (s *Setup) alone() (f *sharding.Fabric, note string, err error) {
	if link, err := s.Chip.Get("ici_link_bandwidth"); err == nil {
		t := network.Torus{}
		for _, a := range s.Mesh.Axes {
			t.Axes = append(t.Axes, network.Axis{Name: a.Name, Size: a.Size, Wrap: true,
				OneWay: quantity.Bandwidth(link.Value.Value)})
		}
		f, err = sharding.OnTorus(s.Mesh, t)
		return f, "setup.own-rings", err
	}
	node, err := network.NewNode(s.Chip)
	if err != nil {
		return nil, "", err
	}
	node.Devices = max(node.Devices, s.Mesh.Chips())
	f, err = sharding.OnSwitch(s.Mesh, node)
	return f, "setup.one-switch", err
}

// limit reads what a chip can do.
func (s *Setup) limit() error {
	peak, err := s.Chip.Peak(s.Einsum.Arithmetic())
	if err != nil {
		s.note(phrase.New("setup.other-rate", "fault", sentence{err}, "dtype", s.DType))
		if peak, err = s.Chip.Peak(s.DType); err != nil {
			return err
		}
	}
	s.Limits.Peak = quantity.FLOPRate(peak.Value.Value)
	if c, err := s.Chip.Get("hbm_bandwidth"); err == nil {
		s.Limits.HBM = quantity.Bandwidth(c.Value.Value)
	}
	if c, err := s.Chip.Get("hbm"); err == nil {
		s.Limits.Memory = quantity.Bytes(c.Value.Value)
	}
	return nil
}

// Laid says what the axes of the mesh run over.
func (s *Setup) Laid() phrase.List {
	laid := s.Fabric.Laid()
	if s.Fabric.Note == nil {
		return laid
	}
	return phrase.Clauses([]phrase.Speaker{laid, s.Fabric.Note})
}

// sentence is a fault that begins like a sentence, without its period.
type sentence struct{ fault error }

func (s sentence) In(l phrase.Phrases) string {
	return phrase.Capital(strings.TrimSuffix(strings.TrimSpace(l.Text(s.fault)), "."))
}

// Joined tells whether it is known how chips are joined.
func Joined(chip *hardware.Accelerator) bool {
	for _, wires := range []string{"", Rings} {
		pair := sharding.Mesh{Axes: []sharding.Axis{{Name: "X", Size: 2, Over: []int{2}}}, On: wires}
		if _, err := sharding.On(&pair, chip); err == nil {
			return true
		}
	}
	return false
}
