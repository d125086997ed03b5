package shardinglab

import (
	"errors"
	"strconv"

	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sharding"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

// checkMesh reads a mesh.
func checkMesh(_ *instrument.State, text string) error {
	m, err := sharding.ParseMesh(text, nil)
	if err != nil {
		return err
	}
	_, err = m.Hardware()
	return err
}

// checkProduct reads a product on the mesh that is set.
func checkProduct(s *instrument.State, text string) error {
	m, err := sharding.ParseMesh(s.Text("mesh"), nil)
	if err != nil {
		return nil
	}
	_, err = sharding.ParseEinsum(text, sizesFor(s, text), m)
	return err
}

// checkSize refuses a size that can't be split as the product asks.
func checkSize(s *instrument.State, dim, text string) error {
	q, err := quantity.Parse(text)
	if err != nil {
		return nil // the control says it itself
	}
	m, err := sharding.ParseMesh(s.Text("mesh"), nil)
	if err != nil {
		return nil
	}
	if limit, _ := strconv.ParseFloat(mostSize, 64); q.Value > limit || q.Value < 1 {
		return errors.New(q.String() + " is no size for " + dim + "; give a whole number from 1 to " + mostSize)
	}
	product := s.Text("product")
	sizes := sizesFor(s, product)
	before := sizesFor(s, product)
	for i := range sizes {
		if sizes[i].Name == dim {
			sizes[i].Value = q.Value
		}
	}
	if _, err := sharding.ParseEinsum(product, before, m); err != nil {
		return nil
	}
	_, err = sharding.ParseEinsum(product, sizes, m)
	if fault, ok := err.(*sharding.Error); ok {
		return errors.New(fault.What + "; " + fault.Remedy)
	}
	return err
}

// follow lets the product follow a mesh that lacks some of its axes.
func follow(s *instrument.State) []instrument.Change {
	m, err := sharding.ParseMesh(s.Text("mesh"), nil)
	if err != nil {
		return nil
	}
	text := s.Text("product")
	if next := adapted(text, sizesFor(s, text), m); next != text {
		return []instrument.Change{{Name: "product", Text: next}}
	}
	return nil
}
