// Package setup is a product of two sharded arrays on chips, as a reader sets it up: written down in the notation of
// app/sharding, on a mesh that the product may not fit, with chips whose pods may have no such slice. What can't be
// taken as it is written is taken as near to it as can be, and a note says so.
package setup

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

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
	Topology      string // Rings, Lines or Pod, of chips that are joined in a torus
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
	for _, text := range []string{s.Product, s.Given.Mesh, s.Topology, s.DType} {
		b.WriteString(text + "\n")
	}
	for _, d := range s.Sizes {
		b.WriteString(d.Name + strconv.FormatFloat(d.Value, 'g', -1, 64) + " ")
	}
	return Key{s.Chip, b.String()}
}

// arrange lays the mesh on the chips; one that their pods don't have is laid on links of its own.
func (s *Setup) arrange() error {
	m := *s.Mesh
	if s.Chip.Has("ici_link_bandwidth") && s.Topology != Pod {
		if h, err := m.Hardware(); err == nil && h.Wraps == "" {
			m.On = strings.TrimSpace(m.On + " " + s.Topology)
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
	for _, topology := range []string{"", Rings} {
		pair := sharding.Mesh{Axes: []sharding.Axis{{Name: "X", Size: 2, Over: []int{2}}}, On: topology}
		if _, err := sharding.On(&pair, chip); err == nil {
			return true
		}
	}
	return false
}

// bracket is a part of a product's text: what stands before a bracket, and the dimensions in it.
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
	return strings.FieldsFunc(text, func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c) &&
			c != '\''
	})
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
