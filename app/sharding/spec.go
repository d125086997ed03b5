package sharding

import (
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
)

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
