// Package setup is a product of two sharded arrays on chips, as a reader sets it up: written down in the notation of
// app/sharding, on a mesh that the product may not fit, with chips whose pods may have no such slice. What can't be
// taken as it is written is taken as near to it as can be, and a note says so.
package setup

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/phrase"
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
	if err := s.lay(); err != nil {
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
