// Package sharding is arrays split over a mesh of chips: who holds what, what a product of two such arrays needs, and
// the cheapest way to compute it.
//
//	mesh, err := sharding.ParseMesh("X=4, Y=8", nil)
//	sizes, err := sharding.ParseSizes("I=8192, J=4096, K=16384", nil)
//	e, err := sharding.ParseEinsum("A[I_X, J] . B[J, K_Y] -> C[I_X, K_Y]", sizes, mesh)
//	f, err := sharding.OnTorus(mesh, slice.Torus)
//	plan := sharding.NewPlan(e, chip, f, sharding.Options{})
//
// In the order of the files:
//
//  1. parse.go, mesh.go, array.go: the texts, to a [Mesh], [Sizes] and an [Array]. Faults are
//     [Error] values with column and remedy. The notation is that of Austin et al., How To Scale Your Model (2025),
//     part 3.
//  2. array.go: what each chip holds of an array, and how much is copied or padded.
//  3. einsum.go: a product of two arrays ([Einsum]), its indices by role, and which of the four cases it is.
//  4. fabric.go, mesh.go: a mesh laid on hardware ([Fabric]), and what collectives along its axes cost there.
//  5. moves.go: the moves that change how an array is sharded, and the cheapest way
//     from one layout to every other.
//  6. planner.go, strategy.go: the ways to compute an einsum ([NewPlan]), each with its steps,
//     times and memory, ranked.
//
// The package execute runs a strategy on numbers, chip by chip.
package sharding

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/phrase"
	q "github.com/scalebook/scalebook/app/quantity"
)

// Axis is a named axis of a mesh.
type Axis struct {
	Name string
	Size int
	// the sides of the hardware's axes it spans, where the text says so: X=4x4 is 16 chips over two axes of 4
	Over []int
	at   span
}

// Mesh is a grid of chips with named axes. The first axis is the outermost: chips that are neighbours along the last
// axis have neighbouring numbers. The zero Mesh is a single chip.
type Mesh struct {
	Axes []Axis
	On   string // the hardware that the text lays it on, as written after "on"; empty if it doesn't say
	onAt int    // the column of On
}

// Same tells whether o has the same axes, laid on the same hardware.
func (m *Mesh) Same(o *Mesh) bool {
	return m.On == o.On && slices.EqualFunc(m.Axes, o.Axes, func(a, b Axis) bool {
		return a.Name == b.Name && a.Size == b.Size && slices.Equal(a.Over, b.Over)
	})
}

// Chips is the product of the sizes.
func (m *Mesh) Chips() int {
	n := 1
	for _, a := range m.Axes {
		n *= a.Size
	}
	return n
}

// Coords is where chip number i stands along each axis.
func (m *Mesh) Coords(i int) []int {
	at := make([]int, len(m.Axes))
	for k := len(m.Axes) - 1; k >= 0; k-- {
		at[k] = i % m.Axes[k].Size
		i /= m.Axes[k].Size
	}
	return at
}

// Find is the index of the axis of that name, or -1.
func (m *Mesh) Find(name string) int {
	for i, a := range m.Axes {
		if a.Name == name {
			return i
		}
	}
	return -1
}

// has is the sentence that names the axes, or the one that says that there are none; both are keys.
func (m *Mesh) has(some, none string) *phrase.Phrase {
	if len(m.Axes) == 0 {
		return phrase.New(none)
	}
	return phrase.New(some, "names", phrase.Commas(m.names()))
}

func (m *Mesh) names() []string {
	names := make([]string, len(m.Axes))
	for i, a := range m.Axes {
		names[i] = a.Name
	}
	return names
}

// String is the mesh as a text: "X=4, Y=8 on 4x8".
func (m *Mesh) String() string {
	var b strings.Builder
	for i, a := range m.Axes {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(a.Name + "=" + a.sides())
	}
	if m.On != "" {
		b.WriteString(" on " + m.On)
	}
	return b.String()
}

func (a Axis) sides() string {
	if len(a.Over) < 2 {
		return strconv.Itoa(a.Size)
	}
	var b strings.Builder
	for i, n := range a.Over {
		if i > 0 {
			b.WriteByte('x')
		}
		b.WriteString(strconv.Itoa(n))
	}
	return b.String()
}

// Numbers are sizes that stand outside of a text: each name without a size takes the next one, so that a size may be
// computed, or moved by a slider.
type Numbers struct {
	List []float64
	used int
}

// take is the next number.
func (n *Numbers) take(most float64) (float64, bool) {
	if n == nil || n.used >= len(n.List) {
		return 0, false
	}
	v := n.List[n.used]
	n.used++
	return v, v >= 1 && v <= most
}

// missing says why a name got no size: there is no number for it, or the last one is no size.
func (n *Numbers) missing(at span, where, name string, took int) error {
	if n == nil || n.used == took {
		return at.fault(where, phrase.New("sharding.sizeless", "name", quoted(name)),
			phrase.New("sharding.write-size", "name", clip(name)))
	}
	return at.fault(
		where,
		phrase.New("sharding.number-no-size", "value", strconv.FormatFloat(n.List[took], 'g', 6, 64), "name",
			quoted(name)),
		phrase.New("sharding.number-at-least"),
	)
}

// taken is how many numbers are used up.
func (n *Numbers) taken() int {
	if n == nil {
		return 0
	}
	return n.used
}

// Left is how many numbers no name took.
func (n *Numbers) Left() int { return len(n.List) - n.used }

const meshForm = "sharding.mesh-form"

// ParseMesh reads "X=4, Y=8, Z=2". An axis may say which sides of the hardware it spans (X=4x4), and the mesh what it
// is laid on (on 4x4x4). An axis without a size takes the next of open, which may be nil. An empty text is a single
// chip.
func ParseMesh(text string, open *Numbers) (*Mesh, error) {
	s, err := newScanner("mesh", text)
	if err != nil {
		return &Mesh{}, err
	}
	m := &Mesh{}
	for s.peek() != 0 {
		a, err := s.axis(m, open)
		if err != nil {
			return &Mesh{}, err
		}
		m.Axes = append(m.Axes, a)
		if s.accept(",", ";", "×") {
			if s.peek() == 0 {
				return &Mesh{}, s.expected(phrase.New("sharding.want-another-axis"), meshForm)
			}
			continue
		}
		if s.on(m) {
			break
		}
		if s.peek() != 0 {
			return &Mesh{}, s.expected(phrase.New("sharding.want-comma"), meshForm)
		}
	}
	return m, nil
}

// on takes "on" and all that follows it.
func (s *scanner) on(m *Mesh) bool {
	if !s.accept("on ") {
		return false
	}
	s.space()
	m.onAt = s.at + 1
	m.On = strings.TrimSpace(string(s.text[s.at:]))
	s.at = len(s.text)
	return true
}

func (s *scanner) axis(m *Mesh, open *Numbers) (Axis, error) {
	name, at, err := s.name("sharding.want-axis-name", meshForm)
	if err != nil {
		return Axis{}, err
	}
	switch {
	case m.Find(name) >= 0:
		return Axis{}, at.fault("mesh", phrase.New("sharding.two-axes", "name", quoted(name)),
			phrase.New("sharding.own-name"))
	case len(m.Axes) == maxAxes:
		return Axis{}, at.fault("mesh", phrase.New("sharding.many-axes"), upTo(maxAxes))
	}
	a := Axis{Name: name, Size: 1, at: at}
	if err := s.axisSize(&a, open); err != nil {
		return Axis{}, err
	}
	if m.Chips()*a.Size > maxChips {
		return Axis{}, manyChips(at)
	}
	return a, nil
}

func manyChips(at span) *Error {
	return at.fault("mesh", phrase.New("sharding.many-chips", "most", maxChips), phrase.New("sharding.smaller-axes"))
}

// threeAxes is the remedy for too many axes of a torus.
const threeAxes = "sharding.three-axes"

// axisSize takes "=16" or "=4x4", or the next open number.
func (s *scanner) axisSize(a *Axis, open *Numbers) error {
	if !s.accept("=", ":") {
		took := open.taken()
		v, ok := open.take(maxChips)
		if !ok {
			return open.missing(a.at, "mesh", a.Name, took)
		}
		n := int(v + 0.5) // a plot may ask for sizes in between, but there are no such meshes
		a.Size, a.Over = n, []int{n}
		return nil
	}
	for {
		n, at, err := s.whole(maxChips)
		if err != nil {
			return err
		}
		if a.Size*n > maxChips {
			return manyChips(at)
		}
		a.Size *= n
		a.Over = append(a.Over, n)
		if len(a.Over) > maxAxes {
			return at.fault("mesh", phrase.New("sharding.many-sides", "axis", quoted(a.Name)), phrase.New(threeAxes))
		}
		if !s.accept("x", "×", "*") {
			return nil
		}
	}
}

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

// schemeTable is the ways to split a layer over four chips, step by step: a line for each scheme (id, name, mesh), and
// below it a line for each step (what is done, the arrays there are). An array that has just arrived names its
// collective behind "<". The steps are those of the listings of chapter 5.
//
//go:embed schemes.tsv
var schemeTable string

// Scheme is a way to split a layer over four chips.
type Scheme struct {
	ID, Name string
	Mesh     *Mesh
	Steps    []SchemeStep
}

// SchemeStep is what the chips hold at a moment, and what has just been done.
type SchemeStep struct {
	Does   string
	Arrays []SchemeArray
}

// SchemeArray is an array, its text in the notation, and the collective that has just brought it.
type SchemeArray struct {
	*Array
	Text, Message string
}

// schemeSizes are sizes that four chips divide; of an array only the shares matter here.
const schemeSizes = "B=16, D=16, F=16, T=16, H=16, E=4"

// ReadScheme finds a scheme by its id.
func ReadScheme(id string) (*Scheme, error) {
	var found *Scheme
	for line := range strings.SplitSeq(strings.TrimSpace(schemeTable), "\n") {
		cells := strings.Split(line, "\t")
		switch {
		case cells[0] == "scheme" && found != nil:
			return found, nil
		case cells[0] == "scheme" && cells[1] == id:
			mesh, err := ParseMesh(cells[3], nil)
			if err != nil {
				return nil, err
			}
			found = &Scheme{ID: id, Name: cells[2], Mesh: mesh}
		case cells[0] == "step" && found != nil:
			if err := found.add(cells[1], cells[2:]); err != nil {
				return nil, err
			}
		}
	}
	if found == nil {
		return nil, phrase.Fault{What: phrase.New("sharding.no-scheme", "name", id),
			Remedy: phrase.New("sharding.schemes")}
	}
	return found, nil
}

// add adds a step.
func (s *Scheme) add(does string, arrays []string) error {
	sizes, err := ParseSizes(schemeSizes, nil)
	if err != nil {
		return err
	}
	step := SchemeStep{Does: does}
	for _, cell := range arrays {
		text, message, _ := strings.Cut(cell, " < ")
		array, err := ParseArray(text, sizes, s.Mesh)
		if err != nil {
			return err
		}
		step.Arrays = append(step.Arrays, SchemeArray{array, text, message})
	}
	s.Steps = append(s.Steps, step)
	return nil
}
