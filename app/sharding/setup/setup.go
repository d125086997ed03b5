// Package setup is a product of two sharded arrays on chips, as a reader sets it up: written down in the notation of
// app/sharding, on a mesh that the product may not fit, with chips whose pods may have no such slice. What can't be
// taken as it is written is taken as near to it as can be, and a note says so.
package setup

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sharding"
)

// Given is what a reader sets.
type Given struct {
	Product, Mesh string
	Sizes         sharding.Sizes // those that are left out are FirstSize
	Chip          *hardware.Accelerator
	Wires         string // Rings, Lines or Pod, of chips that are joined in a torus
	DType         string // of arrays that name none
}

// How the axes of a mesh are wired.
const (
	Rings = "rings"
	Lines = "lines"
	Pod   = "pod" // as the chips' pods are
)

// FirstSize is the size of a dimension to begin with.
const FirstSize = 8192

// Setup is a product on a mesh of chips.
type Setup struct {
	Given
	Text   string // the product, as it is taken
	Mesh   *sharding.Mesh
	Einsum *sharding.Einsum
	Fabric *sharding.Fabric
	Limits sharding.Chip
	Notes  []*phrase.Phrase // what is not as it is written, and why; whole sentences
}

// New takes what is given.
func New(g Given) (*Setup, error) {
	s := &Setup{Given: g}
	var err error
	if s.Mesh, err = sharding.ParseMesh(g.Mesh, nil); err != nil {
		return nil, err
	}
	s.Sizes = s.sizes()
	if err := s.read(); err != nil {
		return nil, err
	}
	if err := s.arrange(); err != nil {
		return nil, err
	}
	return s, s.limit()
}

// sizes are the sizes of all dimensions of the product's text.
func (s *Setup) sizes() sharding.Sizes {
	var all sharding.Sizes
	for _, name := range Dimensions(s.Product) {
		size := sharding.Size{Name: name, Value: FirstSize}
		if n, ok := s.Given.Sizes.Get(name); ok {
			size.Value = n
		}
		all = append(all, size)
	}
	return all
}

// read reads the product, as far as it suits the mesh.
func (s *Setup) read() error {
	_, fault := sharding.ParseEinsum(s.Product, s.Sizes, s.Mesh)
	s.Text = s.Product
	if fault != nil {
		s.Text = adapted(s.Product, s.Sizes, s.Mesh)
	}
	e, err := s.parse(s.Sizes)
	if err != nil {
		return fault
	}
	if fault != nil {
		s.note(phrase.New("setup.as-near", "fault", placed(fault), "text", s.Text))
	}
	s.Einsum = e
	return nil
}

// parse reads the product with other sizes.
func (s *Setup) parse(sizes sharding.Sizes) (*sharding.Einsum, error) {
	e, err := sharding.ParseEinsum(s.Text, sizes, s.Mesh)
	if err != nil {
		return nil, err
	}
	retype(e, s.Text, s.DType)
	return e, nil
}

// retype gives the arrays of e that name no dtype the one that is set; the result is as wide as the wider operand.
func retype(e *sharding.Einsum, text, dtype string) {
	all := brackets(text)
	if len(all) != 3 {
		return
	}
	for i, a := range []*sharding.Array{&e.A, &e.B} {
		if !all[i].typed() {
			a.DType = dtype
		}
	}
	if !all[2].typed() {
		e.C.DType = e.Arithmetic()
	}
}

// Arrays are the three arrays of the product.
func (s *Setup) Arrays() []*sharding.Array {
	return []*sharding.Array{&s.Einsum.A, &s.Einsum.B, &s.Einsum.C}
}

func (s *Setup) note(said *phrase.Phrase) { s.Notes = append(s.Notes, said) }

// Key is all that a setup depends on: those with equal keys are alike.
type Key struct {
	chip *hardware.Accelerator
	text string
}

// Key is the key of s.
func (s *Setup) Key() Key {
	var b strings.Builder
	for _, text := range []string{s.Product, s.Given.Mesh, s.Wires, s.DType} {
		b.WriteString(text + "\n")
	}
	for _, d := range s.Sizes {
		b.WriteString(d.Name + strconv.FormatFloat(d.Value, 'g', -1, 64) + " ")
	}
	return Key{s.Chip, b.String()}
}

// arrange lays the mesh on the chips; one that their pods don't have is laid on wires of its own.
func (s *Setup) arrange() error {
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
