package setup

import (
	"slices"
	"strings"
	"unicode"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sharding"
)

// brackets are the parts of a product's text: what stands before each bracket, and the dimensions in it.
type bracket struct {
	prefix string   // "bf16 A", without what joins it to the one before
	dims   []string // "I_X"
	sums   string   // "{U_X}", or nothing
}

func brackets(text string) []bracket {
	var all []bracket
	for {
		before, rest, ok := strings.Cut(text, "[")
		if !ok {
			return all
		}
		inside, after, _ := strings.Cut(rest, "]")
		b := bracket{prefix: strings.Trim(before, " \t\u00a0.*·×@,->=→"), dims: split(inside)}
		if tail := strings.TrimLeft(after, " \t\u00a0"); strings.HasPrefix(tail, "{") {
			b.sums, after, _ = strings.Cut(tail, "}")
			b.sums += "}"
		}
		all = append(all, b)
		text = after
	}
}

// split cuts at commas that stand in no braces.
func split(inside string) []string {
	var all []string
	depth, from := 0, 0
	for i, c := range inside {
		switch {
		case c == '{':
			depth++
		case c == '}':
			depth--
		case (c == ',' || c == ';') && depth == 0:
			all = append(all, strings.TrimSpace(inside[from:i]))
			from = i + 1
		}
	}
	if last := strings.TrimSpace(inside[from:]); last != "" {
		all = append(all, last)
	}
	return all
}

func join(all []bracket) string {
	var b strings.Builder
	for i, x := range all {
		b.WriteString([...]string{"", " . ", " -> "}[min(i, 2)])
		b.WriteString(x.prefix + "[" + strings.Join(x.dims, ", ") + "]" + x.sums)
	}
	return b.String()
}

// bare is a product without any axes: valid on every mesh.
func bare(text string) string {
	all := brackets(text)
	for i := range all {
		all[i].sums = ""
		for k, d := range all[i].dims {
			all[i].dims[k], _, _ = strings.Cut(d, "_")
		}
	}
	return join(all)
}

// Dimensions are the names of a product's dimensions, each once, in the order in which they come.
func Dimensions(text string) []string {
	var names []string
	for _, b := range brackets(bare(text)) {
		for _, d := range b.dims {
			if d != "" && !slices.Contains(names, d) {
				names = append(names, d)
			}
		}
	}
	return names
}

// typed says whether an array's text names its dtype.
func (b bracket) typed() bool {
	for _, word := range strings.Fields(b.prefix) {
		if _, ok := sharding.ElementBytes(word); ok {
			return true
		}
	}
	return false
}

// subscript is "_XY", or "_{data,model}" where names have more letters than one.
func subscript(axes []string) string {
	if len(axes) == 0 {
		return ""
	}
	for _, a := range axes {
		if len(a) > 1 && len(axes) > 1 {
			return "_{" + strings.Join(axes, ",") + "}"
		}
	}
	return "_" + strings.Join(axes, "")
}

// SizeName is the name of the input that holds the size of a dimension: size_i. Names of inputs are in lower case, so a
// small letter of a dimension stands behind an underscore: size_d_f_f is that of Dff.
func SizeName(dim string) string {
	var b strings.Builder
	b.WriteString("size_")
	for _, c := range dim {
		switch {
		case c >= 'A' && c <= 'Z':
			b.WriteRune(c - 'A' + 'a')
		case c >= '0' && c <= '9':
			b.WriteRune(c)
		default:
			b.WriteString("_" + string(c))
		}
	}
	return b.String()
}

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
