package setup

import (
	"strings"
	"unicode"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sharding"
)

// MeshFault says what is wrong with the text of a mesh; nil if nothing is.
func MeshFault(text string) error {
	m, err := sharding.ParseMesh(text, nil)
	if err == nil {
		_, err = m.Hardware()
	}
	return placed(err)
}

// ProductFault says what is wrong with the text of a product on a mesh; nil if something can be made of it, or the mesh
// can't be read. Axes that the mesh lacks are no fault, nor are sizes that it can't split: New leaves them out.
func ProductFault(text, mesh string) error {
	m, err := sharding.ParseMesh(mesh, nil)
	if err != nil {
		return nil
	}
	var sizes sharding.Sizes
	for _, name := range words(text) {
		sizes = append(sizes, sharding.Size{Name: name, Value: ample})
	}
	_, err = sharding.ParseEinsum(text, sizes, m)
	if err == nil {
		return nil
	}
	if _, still := sharding.ParseEinsum(adapted(text, sizes, m), sizes, m); still == nil {
		return nil
	}
	return placed(err)
}

// words are all that could be the name of a dimension.
func words(text string) []string {
	return strings.FieldsFunc(text, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '\'' })
}

// SizesFault says what is wrong with the text of sizes; nil if nothing is.
func SizesFault(text string) error {
	_, err := sharding.ParseSizes(text, nil)
	return placed(err)
}

// SpecFault says what is wrong with JAX's PartitionSpec of an array on a mesh; nil if nothing is.
func SpecFault(array, spec, mesh string) error {
	text, err := sharding.WithSpecs(array, spec)
	if err != nil {
		return placed(err)
	}
	m, err := sharding.ParseMesh(mesh, nil)
	if err != nil {
		return nil
	}
	var sizes sharding.Sizes
	for _, name := range words(array) {
		sizes = append(sizes, sharding.Size{Name: name, Value: ample})
	}
	_, err = sharding.ParseArray(text, sizes, m)
	if fault, ok := err.(*sharding.Error); ok { // its place is one of text, which the reader doesn't see
		return fault.Fault()
	}
	return err
}

// ample is a size that every mesh can split.
const ample = 1 << 24

// placeError is a fault of a text that needs no name, since it stands beside the text.
type placeError struct{ fault *sharding.Error }

func placed(err error) error {
	if fault, ok := err.(*sharding.Error); ok {
		return placeError{fault}
	}
	return err
}

// In is the fault in a language.
func (e placeError) In(l phrase.Phrases) string {
	if e.fault.Col > 0 {
		return l.Say("setup.column", "column", e.fault.Col, "fault", e.fault.Fault())
	}
	return e.fault.Fault().In(l)
}

// Error is the fault in English.
func (e placeError) Error() string { return e.In(phrase.Phrases{}) }
