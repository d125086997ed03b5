package sharding

import (
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
)

// scanner walks over one text.
type scanner struct {
	where string
	text  []rune
	at    int
}

func newScanner(where, text string) (*scanner, error) {
	s := &scanner{where: where, text: []rune(text)}
	if len(s.text) > maxText {
		return nil, span{maxText + 1, 1}.fault(where, phrase.New("sharding.long-text", "most", maxText),
			phrase.New("sharding.shorten"))
	}
	return s, nil
}

func (s *scanner) space() {
	for s.at < len(s.text) && (s.text[s.at] == ' ' || s.text[s.at] == '\t' || s.text[s.at] == '\u00a0') {
		s.at++
	}
}

// peek is the next character that is no space; 0 at the end.
func (s *scanner) peek() rune {
	s.space()
	if s.at < len(s.text) {
		return s.text[s.at]
	}
	return 0
}

func (s *scanner) here() span {
	s.space()
	return span{s.at + 1, min(1, len(s.text)-s.at)}
}

func (s *scanner) since(start int) span { return span{start + 1, s.at - start} }

// accept takes one of the words, which are written one against the other.
func (s *scanner) accept(words ...string) bool {
	s.space()
	for _, w := range words {
		r := []rune(w)
		if s.at+len(r) <= len(s.text) && string(s.text[s.at:s.at+len(r)]) == w {
			s.at += len(r)
			return true
		}
	}
	return false
}

// run takes the characters that are of a kind.
func (s *scanner) run(of func(rune) bool) (string, span) {
	s.space()
	start := s.at
	for s.at < len(s.text) && of(s.text[s.at]) {
		s.at++
	}
	return string(s.text[start:s.at]), s.since(start)
}

// expected is the error that something else should stand here; remedy is the key of a sentence.
func (s *scanner) expected(wanted any, remedy string) *Error {
	what := phrase.New("sharding.ends", "wanted", wanted)
	if c := s.peek(); c != 0 {
		what = phrase.New("sharding.stands", "found", quoted(string(c)), "wanted", wanted)
	}
	return s.here().fault(s.where, what, phrase.New(remedy))
}

// commaOr is what may stand between or behind the parts of a list.
func commaOr(sign string) *phrase.Phrase { return phrase.New("sharding.want-comma-or", "sign", sign) }

func letter(c rune) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 'α' && c <= 'ω'
}
func digit(c rune) bool { return c >= '0' && c <= '9' }
func wordy(c rune) bool { return letter(c) || digit(c) || c == '\'' }

// name takes a name of letters and digits that begins with a letter; wanted and remedy are the keys of what it says
// without one.
func (s *scanner) name(wanted, remedy string) (string, span, error) {
	if !letter(s.peek()) {
		return "", span{}, s.expected(phrase.New(wanted), remedy)
	}
	word, at := s.run(wordy)
	if len([]rune(word)) > maxName {
		return "", span{}, at.fault(s.where, phrase.New("sharding.long-name", "name", quoted(word)), shortName())
	}
	return word, at, nil
}

// whole takes a whole number: 8192, 8_192, 8k (thousand), 8Ki (1024), 2M, 2Mi.
func (s *scanner) whole(most float64) (int, span, error) {
	word, at := s.run(func(c rune) bool {
		return digit(c) || c == '_' && s.at+1 < len(s.text) &&
			digit(s.text[s.at+1])
	})
	factor := 1.0
	for _, u := range []struct {
		word   string
		factor float64
	}{{"Ki", 1 << 10}, {"Mi", 1 << 20}, {"Gi", 1 << 30}, {"k", 1e3}, {"M", 1e6}, {"B", 1e9}} {
		if s.at < len(s.text) && strings.HasPrefix(string(s.text[s.at:min(len(s.text), s.at+2)]), u.word) {
			s.at += len(u.word)
			factor = u.factor
			at.len += len(u.word)
			break
		}
	}
	n, err := strconv.ParseFloat(strings.ReplaceAll(word, "_", ""), 64)
	if err != nil || n*factor > most || n < 1 {
		for word == "" && s.at < len(s.text) && !strings.ContainsRune(",; ", s.text[s.at]) {
			s.at++ // show what stands there instead of a number
		}
		return 0, at, at.fault(
			s.where,
			phrase.New("sharding.no-size", "text", quoted(string(s.text[at.col-1:s.at]))),
			phrase.New("sharding.whole-number", "most", strconv.FormatFloat(most, 'f', -1, 64)),
		)
	}
	return int(n * factor), at, nil
}

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

// subscript takes "_XY" or "_{X,Y}", if there is one. The axes are also looked for in the rest of a, and in own.
func (p *parser) subscript(a *Array, own []int) ([]int, error) {
	if p.at >= len(p.text) || p.text[p.at] != '_' {
		return own, nil
	}
	p.at++
	if p.at < len(p.text) && p.text[p.at] == '{' {
		return p.braced(a, own)
	}
	word, at := p.run(wordy)
	return p.axes(a, own, word, at)
}

func (p *parser) braced(a *Array, own []int) ([]int, error) {
	p.at++
	for !p.accept("}") {
		word, at := p.run(wordy)
		if word == "" {
			return nil, p.expected(phrase.New("sharding.want-axis-or-brace"), "sharding.braces-form")
		}
		var err error
		if own, err = p.axes(a, own, word, at); err != nil {
			return nil, err
		}
		p.accept(",")
	}
	return own, nil
}

// axes reads a run of axis names, appends them to own, and refuses one that the array uses already.
func (p *parser) axes(a *Array, own []int, word string, at span) ([]int, error) {
	if word == "" {
		return nil, at.fault("notation", phrase.New("sharding.no-axis-follows"),
			p.mesh.has("sharding.mesh-has", "sharding.mesh-has-none"))
	}
	found, count := p.segment([]rune(word))
	switch {
	case count == 0:
		return nil, p.unknownAxis(word, at)
	case count > 1:
		return nil, at.fault("notation", phrase.New("sharding.ambiguous", "word", quoted(word)),
			phrase.New("sharding.separate"))
	}
	col := at.col
	for _, x := range found {
		n := len([]rune(p.mesh.Axes[x].Name))
		if slices.Contains(own, x) || a.uses(x) {
			return nil, span{col, n}.fault("notation", phrase.New("sharding.axis-twice", "axis", p.mesh.Axes[x].Name),
				p.spare(a, own))
		}
		own = append(own, x)
		col += n
	}
	return own, nil
}

// spare says which axes are still to be had.
func (p *parser) spare(a *Array, own []int) *phrase.Phrase {
	var free []string
	for i, x := range p.mesh.Axes {
		if !a.uses(i) && !slices.Contains(own, i) {
			free = append(free, x.Name)
		}
	}
	if len(free) == 0 {
		return phrase.New("sharding.axes-left-none")
	}
	return phrase.New("sharding.axes-left", "names", phrase.Commas(free))
}

func (p *parser) unknownAxis(word string, at span) error {
	r := []rune(word)
	for n := range len(r) { // the longest beginning that is made of axes shows where the fault is
		if _, count := p.segment(r[:len(r)-1-n]); count > 0 {
			at = span{at.col + len(r) - 1 - n, 1 + n}
			word = string(r[len(r)-1-n:])
			break
		}
	}
	return at.fault("notation", phrase.New("sharding.no-axis", "axis", quoted(word)),
		p.mesh.has("sharding.it-has", "sharding.it-has-none"))
}

// segment splits a word into names of axes, and counts in how many ways that can be done (up to 2). The empty word is
// one way.
func (p *parser) segment(word []rune) (axes []int, count int) {
	if len(word) == 0 {
		return nil, 1
	}
	if len(word) > maxAxes*maxName {
		return nil, 0
	}
	ways2 := make([]int, len(word)+1) // ways to split what follows
	next := make([]int, len(word)+1)
	ways2[len(word)] = 1
	for i := len(word) - 1; i >= 0; i-- {
		for k, x := range p.mesh.Axes {
			if n := len([]rune(x.Name)); strings.HasPrefix(string(word[i:]), x.Name) && ways2[i+n] > 0 {
				ways2[i] = min(2, ways2[i]+ways2[i+n])
				next[i] = k
			}
		}
	}
	if ways2[0] != 1 {
		return nil, ways2[0]
	}
	for i := 0; i < len(word); i += len([]rune(p.mesh.Axes[next[i]].Name)) {
		axes = append(axes, next[i])
	}
	return axes, 1
}

const specForm = "sharding.spec-form"

// WithSpecs writes JAX's PartitionSpecs into the arrays of a text, one for each array: of "A[I, J]" and "P('X', None)"
// it makes "A[I_X, J]". A spec may be shorter than its array; the dimensions that it leaves out are not sharded.
func WithSpecs(text string, specs ...string) (string, error) {
	var b strings.Builder
	for i, spec := range specs {
		entries, err := parseSpec(spec)
		if err != nil {
			return "", err
		}
		before, rest, _ := strings.Cut(text, "[")
		inner, after, ok := strings.Cut(rest, "]")
		if !ok {
			return "", &Error{Where: "spec", What: phrase.New("sharding.spec-no-array", "n", i+1),
				Remedy: phrase.New(arrayForm)}
		}
		dims, err := specified(strings.Split(inner, ","), entries)
		if err != nil {
			return "", err
		}
		b.WriteString(before + "[" + dims + "]")
		text = after
	}
	return b.String() + text, nil
}

// specified is the dimensions of an array with the mesh axes that shard each.
func specified(dims []string, entries [][]string) (string, error) {
	if len(entries) > len(dims) {
		return "", &Error{
			Where:  "spec",
			What:   phrase.New("sharding.spec-long", "n", len(entries), "dims", len(dims)),
			Remedy: phrase.New("sharding.spec-fewer"),
		}
	}
	for i := range dims {
		dims[i] = strings.TrimSpace(dims[i])
		if i >= len(entries) {
			continue
		}
		switch axes := entries[i]; len(axes) {
		case 0:
		case 1:
			dims[i] += "_" + axes[0]
		default:
			dims[i] += "_{" + strings.Join(axes, ",") + "}"
		}
	}
	return strings.Join(dims, ", "), nil
}

// parseSpec reads P('X', None, ('Y', 'Z')): the axes of each dimension, none for None.
func parseSpec(text string) ([][]string, error) {
	s, err := newScanner("spec", text)
	if err != nil {
		return nil, err
	}
	if !s.accept("jax.P(", "PartitionSpec(", "P(") {
		return nil, s.expected("`P(`", specForm)
	}
	var entries [][]string
	for !s.accept(")") {
		if len(entries) > 0 && !s.accept(",") {
			return nil, s.expected(commaOr("`)`"), specForm)
		}
		if s.accept(")") { // Python takes a comma behind the last entry
			break
		}
		axes, err := s.specEntry()
		if err != nil {
			return nil, err
		}
		entries = append(entries, axes)
	}
	if s.peek() != 0 {
		return nil, s.expected(phrase.New(theEnd), specForm)
	}
	return entries, nil
}

// specEntry takes None, the name of an axis, or several in parentheses.
func (s *scanner) specEntry() ([]string, error) {
	if s.accept("None") {
		return nil, nil
	}
	if !s.accept("(") {
		name, err := s.quotedName()
		return []string{name}, err
	}
	var axes []string
	for !s.accept(")") {
		if len(axes) > 0 && !s.accept(",") {
			return nil, s.expected(commaOr("`)`"), specForm)
		}
		if len(axes) > 0 && s.accept(")") {
			break
		}
		name, err := s.quotedName()
		if err != nil {
			return nil, err
		}
		axes = append(axes, name)
	}
	return axes, nil
}

// quotedName takes the name of an axis in single or double quotes.
func (s *scanner) quotedName() (string, error) {
	mark := s.peek()
	if mark != '\'' && mark != '"' {
		return "", s.expected(phrase.New("sharding.want-quoted-axis"), specForm)
	}
	s.at++
	name, _ := s.run(func(c rune) bool { return letter(c) || digit(c) })
	if name == "" {
		return "", s.expected(phrase.New("sharding.want-axis-name"), specForm)
	}
	if !s.accept(string(mark)) {
		return "", s.expected(phrase.New("sharding.want-quote"), specForm)
	}
	return name, nil
}
