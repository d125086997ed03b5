package sharding

import (
	"slices"
	"strconv"

	"github.com/scalebook/scalebook/app/phrase"
)

// What more than one place says.
const (
	arrayForm     = "sharding.array-form"
	einsumForm    = "sharding.einsum-form"
	unreducedForm = "sharding.unreduced-form"
	theEnd        = "sharding.want-end"
)

// parser reads arrays of one text.
type parser struct {
	*scanner
	sizes Sizes
	mesh  *Mesh
}

func newParser(s *scanner, sizes Sizes, mesh *Mesh) *parser {
	if mesh == nil {
		mesh = &Mesh{}
	}
	return &parser{s, sizes, mesh}
}

// ParseArray reads one array: "A[I_X, J]", "bf16[1024_XY, D]{U_Z}". A dimension is a name that sizes knows, or a
// number. Without a dtype it is bf16.
func ParseArray(text string, sizes Sizes, mesh *Mesh) (*Array, error) {
	s, err := newScanner("notation", text)
	if err != nil {
		return nil, err
	}
	p := newParser(s, sizes, mesh)
	a, err := p.array()
	if err != nil {
		return nil, err
	}
	if p.peek() != 0 {
		return nil, p.expected(phrase.New(theEnd), arrayForm)
	}
	return a, nil
}

func (p *parser) array() (*Array, error) {
	a := &Array{DType: "bf16"}
	if err := p.prefix(a); err != nil {
		return a, err
	}
	if !p.accept("[") {
		return a, p.expected("`[`", arrayForm)
	}
	for !p.accept("]") {
		if len(a.Dims) > 0 {
			if !p.accept(",", ";") {
				return a, p.expected(commaOr("`]`"), arrayForm)
			}
		}
		if err := p.dim(a); err != nil {
			return a, err
		}
	}
	a.at.len = p.at - a.at.col + 1
	return a, p.unreduced(a)
}

// prefix takes the words before the bracket: a dtype, a name, or both.
func (p *parser) prefix(a *Array) error {
	a.at = p.here()
	for range 2 {
		if !letter(p.peek()) {
			return nil
		}
		word, at := p.run(func(c rune) bool { return wordy(c) || c == '_' })
		_, known := ElementBytes(word)
		switch {
		case known && !a.typed && !a.named:
			a.DType, a.typed = word, true
		case looksLikeDType(word) && !known || !a.typed && letter(p.peek()):
			return at.fault("notation", phrase.New("sharding.unknown-dtype", "name", quoted(word)),
				phrase.New("sharding.dtypes", "names", dtypeNames()))
		case len([]rune(word)) > maxName:
			return at.fault("notation", phrase.New("sharding.long-name", "name", quoted(word)), shortName())
		case a.named || known:
			return at.fault("notation", phrase.New("sharding.stands", "found", quoted(word), "wanted", "`[`"),
				phrase.New(arrayForm))
		default:
			a.Name, a.named = word, true
		}
	}
	return nil
}

// dim takes one dimension with its subscript.
func (p *parser) dim(a *Array) error {
	start := p.here()
	d := Dim{}
	if digit(p.peek()) {
		n, at, err := p.whole(maxSize)
		if err != nil {
			return err
		}
		d.Name, d.Size, d.at = strconv.Itoa(n), float64(n), at
	} else {
		name, at, err := p.name("sharding.want-dim", arrayForm)
		if err != nil {
			return err
		}
		d.Name, d.at = name, at
		var known bool
		if d.Size, known = p.sizes.Get(name); !known {
			return at.fault("notation", phrase.New("sharding.dim-sizeless", "dim", quoted(name)), p.sizes.given(name))
		}
		if slices.ContainsFunc(a.Dims, func(o Dim) bool { return o.Name == name }) {
			return at.fault("notation", phrase.New("sharding.dim-twice", "dim", quoted(name)),
				phrase.New("sharding.no-diagonals"))
		}
	}
	if len(a.Dims) == maxDims {
		return start.fault("notation", phrase.New("sharding.array-dims"), upTo(maxDims))
	}
	axes, err := p.subscript(a, d.Axes)
	if err != nil {
		return err
	}
	d.Axes = axes
	d.at.len = p.at - d.at.col + 1
	a.Dims = append(a.Dims, d)
	return p.fits(d)
}

// fits refuses to split a dimension into more parts than it has elements.
func (p *parser) fits(d Dim) error {
	n := d.Shards(p.mesh)
	if float64(n) <= d.Size {
		return nil
	}
	elements := strconv.FormatFloat(d.Size, 'f', -1, 64)
	return d.at.fault("notation", phrase.New("sharding.cannot-split", "n", elements, "dim", d.Name, "parts", n),
		phrase.New("sharding.fewer-axes"))
}

// uses tells whether a names a mesh axis.
func (a *Array) uses(axis int) bool {
	return slices.Contains(a.Unreduced, axis) ||
		slices.ContainsFunc(a.Dims, func(d Dim) bool { return slices.Contains(d.Axes, axis) })
}

// unreduced takes "{U_XY}", if there is one.
func (p *parser) unreduced(a *Array) error {
	if !p.accept("{") {
		return nil
	}
	if !p.accept("U") || p.at >= len(p.text) || p.text[p.at] != '_' {
		return p.expected(phrase.New("sharding.want-unreduced"), unreducedForm)
	}
	axes, err := p.subscript(a, nil)
	if err != nil {
		return err
	}
	if !p.accept("}") {
		return p.expected("`}`", unreducedForm)
	}
	slices.Sort(axes)
	a.Unreduced = axes
	a.at.len = p.at - a.at.col + 1
	return nil
}
