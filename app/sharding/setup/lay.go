package setup

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/network"
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
		own, of, failed := s.alone()
		if failed != nil {
			return err
		}
		s.note(capital(trimmed(err.Error())) + ". Until then " + of)
		f = own
	}
	f.Mesh = s.Mesh
	s.Fabric = f
	return nil
}

// alone is the fabric that there always is, and what it is in words.
func (s *Setup) alone() (f *sharding.Fabric, of string, err error) {
	if link, err := s.Chip.Get("ici_link_bandwidth"); err == nil {
		t := network.Torus{}
		for _, a := range s.Mesh.Axes {
			t.Axes = append(t.Axes, network.Axis{Name: a.Name, Size: a.Size, Wrap: true,
				OneWay: quantity.Bandwidth(link.Value.Value)})
		}
		f, err = sharding.OnTorus(s.Mesh, t)
		return f, "each mesh axis is taken for a ring of its own", err
	}
	node, err := network.NewNode(s.Chip)
	if err != nil {
		return nil, "", err
	}
	node.Devices = max(node.Devices, s.Mesh.Chips())
	f, err = sharding.OnSwitch(s.Mesh, node)
	return f, "all devices are taken to be on one switch, each with the egress that it has in a node", err
}

// limit reads what a chip can do.
func (s *Setup) limit() error {
	peak, err := s.Chip.Peak(s.Einsum.Arithmetic())
	if err != nil {
		s.note(capital(trimmed(err.Error())) + ". Until then computed at the rate of " + s.DType)
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
func (s *Setup) Laid() string {
	said := s.Fabric.Laid()
	if s.Fabric.Note != "" {
		said += "; " + s.Fabric.Note
	}
	return said
}

// capital makes a text begin like a sentence.
func capital(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[size:]
}

// Joined tells whether it is known how chips are joined.
func Joined(chip *hardware.Accelerator) bool {
	for _, mesh := range []string{"X=2", "X=2 on rings"} {
		m, err := sharding.ParseMesh(mesh, nil)
		if err != nil {
			return false
		}
		if _, err := sharding.On(m, chip); err == nil {
			return true
		}
	}
	return false
}
