package sharding

import (
	"strconv"
	"strings"
)

const specRemedy = "a PartitionSpec is written like P('X', None) or P(('X', 'Y'))"

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
			return "", &Error{Where: "spec", What: "there is no array for spec " + strconv.Itoa(i+1), Remedy: arrayRemedy}
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
			What:   "the spec has " + strconv.Itoa(len(entries)) + " entries, the array " + strconv.Itoa(len(dims)),
			Remedy: "write one entry for each dimension, or fewer",
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
		return nil, s.expected("`P(`", specRemedy)
	}
	var entries [][]string
	for !s.accept(")") {
		if len(entries) > 0 && !s.accept(",") {
			return nil, s.expected("a comma or `)`", specRemedy)
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
		return nil, s.expected("the end", specRemedy)
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
			return nil, s.expected("a comma or `)`", specRemedy)
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
		return "", s.expected("the name of an axis in quotes, or None", specRemedy)
	}
	s.at++
	name, _ := s.run(func(c rune) bool { return letter(c) || digit(c) })
	if name == "" {
		return "", s.expected("the name of an axis", specRemedy)
	}
	if !s.accept(string(mark)) {
		return "", s.expected("the quote that ends the name", specRemedy)
	}
	return name, nil
}
