package startlog

import (
	"strconv"
	"strings"
)

func itoa(n int) string { return strconv.Itoa(n) }

// search is a search for a regular expression, as llama.cpp takes them for names of tensors: characters, classes,
// groups, alternatives, and what may be repeated. The package regexp is not part of the browser's program.
type search struct{ steps int }

// mostSteps is how many steps a search may take: an expression may ask for more than anybody waits for.
const mostSteps = 20_000

// found tells whether an expression is found in a text.
func found(expression, text string) bool {
	s := &search{}
	for i := range len(text) + 1 {
		if s.either(expression, text, i, func(int) bool { return true }) {
			return true
		}
	}
	return false
}

// either tries the alternatives of an expression at a place; then says whether what follows fits.
func (s *search) either(expression, text string, at int, then func(int) bool) bool {
	deep, begin := 0, 0
	for i := 0; i < len(expression); i++ {
		switch expression[i] {
		case '\\':
			i++
		case '[':
			if end := strings.IndexByte(expression[i+1:], ']'); end > 0 {
				i += end + 1
			}
		case '(':
			deep++
		case ')':
			deep--
		case '|':
			if deep == 0 {
				if s.all(expression[begin:i], text, at, then) {
					return true
				}
				begin = i + 1
			}
		}
	}
	return s.all(expression[begin:], text, at, then)
}

// all tries the parts of an expression one behind the other.
func (s *search) all(expression, text string, at int, then func(int) bool) bool {
	if s.steps++; s.steps > mostSteps {
		return false
	}
	if expression == "" {
		return then(at)
	}
	n := part(expression)
	one, rest := expression[:n], expression[n:]
	switch one {
	case "^":
		return at == 0 && s.all(rest, text, at, then)
	case "$":
		return at == len(text) && s.all(rest, text, at, then)
	}
	least, most, n := repeats(rest)
	rest = rest[n:]
	var again func(at, times int) bool
	again = func(at, times int) bool {
		more := func(next int) bool { return next > at && again(next, times+1) }
		return times < most && s.once(one, text, at, more) || times >= least && s.all(rest, text, at, then)
	}
	return again(at, 0)
}

// once tries a part once.
func (s *search) once(one, text string, at int, then func(int) bool) bool {
	if one[0] == '(' {
		return s.either(strings.TrimPrefix(strings.TrimSuffix(one[1:], ")"), "?:"), text, at, then)
	}
	return at < len(text) && fits(one, text[at]) && then(at+1)
}

// part is how many bytes the first part of an expression takes.
func part(expression string) int {
	switch expression[0] {
	case '\\':
		return min(2, len(expression))
	case '[':
		if end := strings.IndexByte(expression[1:], ']'); end > 0 {
			return end + 2
		}
	case '(':
		deep := 0
		for i := range len(expression) {
			switch expression[i] {
			case '(':
				deep++
			case ')':
				if deep--; deep == 0 {
					return i + 1
				}
			}
		}
		return len(expression)
	}
	return 1
}

// repeats is how often a part may stand, by what stands behind it, and how many bytes that takes.
func repeats(rest string) (least, most, n int) {
	const many = 1 << 10
	least, most = 1, 1
	switch {
	case strings.HasPrefix(rest, "*"):
		least, most, n = 0, many, 1
	case strings.HasPrefix(rest, "+"):
		most, n = many, 1
	case strings.HasPrefix(rest, "?"):
		least, n = 0, 1
	case strings.HasPrefix(rest, "{"):
		if end := strings.IndexByte(rest, '}'); end > 0 {
			low, high, two := strings.Cut(rest[1:end], ",")
			least, _ = strconv.Atoi(low)
			if most = least; two {
				if most, _ = strconv.Atoi(high); high == "" {
					most = many
				}
			}
			n = end + 1
		}
	}
	if n > 0 && strings.HasPrefix(rest[n:], "?") { // as few as will do: whether it is found is the same
		n++
	}
	return least, most, n
}

// fits tells whether a part of one character is that byte.
func fits(one string, c byte) bool {
	switch one[0] {
	case '.':
		return true
	case '\\':
		return len(one) > 1 && class(one[1], c)
	case '[':
		if len(one) < 2 {
			return c == '['
		}
		set := one[1 : len(one)-1]
		inside, not := false, strings.HasPrefix(set, "^")
		if not {
			set = set[1:]
		}
		for i := 0; i < len(set); i++ {
			switch {
			case set[i] == '\\' && i+1 < len(set):
				i++
				inside = inside || class(set[i], c)
			case i+2 < len(set) && set[i+1] == '-':
				inside = inside || c >= set[i] && c <= set[i+2]
				i += 2
			default:
				inside = inside || c == set[i]
			}
		}
		return inside != not
	}
	return one[0] == c
}

// class tells whether a byte is what an escaped letter stands for.
func class(letter, c byte) bool {
	digit := c >= '0' && c <= '9'
	switch letter {
	case 'd':
		return digit
	case 'D':
		return !digit
	case 'w':
		return identifier(c)
	case 'W':
		return !identifier(c)
	}
	return letter == c
}
