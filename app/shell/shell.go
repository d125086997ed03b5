// Package shell puts in what a script's words stand for, as far as the text of the script alone tells it.
package shell

import (
	"strconv"
	"strings"
)

// Expand is a text with values in place of $NAME, ${NAME}, ${NAME:-what it is otherwise}, which = and no colon say as
// well, $((sums and products)) and $(expr of them). known is the value of a name, "" if nothing has set it. What has no
// value stays as it is, and so do a value that is to be cut and a long one: where each line names the one before it
// many times, values would grow without end.
func Expand(text string, lookup func(name string) string) string {
	var b strings.Builder
	for {
		before, rest, more := strings.Cut(text, "$")
		b.WriteString(before)
		if !more {
			return b.String()
		}
		length, value := reference(rest, lookup)
		if value == "" || len(value) > longestValue {
			value = "$" + rest[:length]
		}
		b.WriteString(value)
		text = rest[length:]
	}
}

// The most bytes of an expression in brackets, and of a value.
const (
	longest      = 200
	longestValue = 500
)

// reference is how long what stands behind a $ is, and its value.
func reference(text string, lookup func(string) string) (length int, value string) {
	if len(text) > longest && (text[0] == '(' || text[0] == '{') {
		text = text[:longest]
	}
	switch {
	case strings.HasPrefix(text, "(("):
		return calculated(text, "((", "))", lookup)
	case strings.HasPrefix(text, evaluates[1:]):
		return calculated(text, evaluates[1:], ")", lookup)
	case strings.HasPrefix(text, "("): // of make, and of a cluster's manifests: $(TP)
		n := 1 + nameLength(text[1:])
		if name := text[1:n]; strings.HasPrefix(text[n:], ")") && name == strings.ToUpper(name) {
			return n + 1, lookup(name)
		}
	case strings.HasPrefix(text, "{"):
		deep := 0
		for i := range len(text) {
			switch text[i] {
			case '{':
				deep++
			case '}':
				deep--
			}
			if deep > 0 {
				continue
			}
			n := 1 + nameLength(text[1:i])
			otherwise := strings.TrimPrefix(strings.TrimSuffix(text[n:i], "[@]"), ":")
			if otherwise != "" && strings.IndexByte("-=?", otherwise[0]) < 0 { // what cuts the value
				return i + 1, ""
			}
			if value = lookup(text[1:n]); value == "" && otherwise != "" && otherwise[0] != '?' {
				value = strings.Trim(Expand(otherwise[1:], lookup), `"'`)
			}
			return i + 1, value
		}
	default:
		length = nameLength(text)
		return length, lookup(text[:length])
	}
	return 0, ""
}

// evaluates begins an expression that the command expr works out, whose words have spaces between them.
const evaluates = "$(expr "

// Sums tells whether a text has expressions, whose spaces part no words.
func Sums(text string) bool {
	return strings.Contains(text, "$((") || strings.Contains(text, evaluates)
}

// calculated is an expression between an opening and a closing: how long both are with it, and its value.
func calculated(text, opening, closing string, lookup func(string) string) (length int, value string) {
	inner, closed := text[len(opening):], false
	deep := 0
	for i := range len(inner) {
		if inner[i] == '(' {
			deep++
		} else if deep > 0 && inner[i] == ')' {
			deep--
		} else if strings.HasPrefix(inner[i:], closing) {
			inner, closed = inner[:i], true
			break
		}
	}
	if !closed {
		return 0, ""
	}
	e := expression{strings.ReplaceAll(inner, `\*`, "*"), lookup, false}
	if n := e.sum(); !e.wrong && e.next() == 0 {
		value = strconv.Itoa(n)
	}
	return len(opening) + len(inner) + len(closing), value
}

// nameLength is how many bytes of a name a text begins with.
func nameLength(text string) int {
	n := 0
	for n < len(text) && (text[n] == '_' || text[n] >= '0' && text[n] <= '9' ||
		text[n]|0x20 >= 'a' && text[n]|0x20 <= 'z') {
		n++
	}
	return n
}

// expression is what is left of a sum.
type expression struct {
	text  string
	known func(string) string
	wrong bool
}

// most is the largest number in a sum.
const most = 1 << 30

func (e *expression) next() byte {
	if e.text = strings.TrimLeft(e.text, " \t"); e.text == "" {
		return 0
	}
	return e.text[0]
}

func (e *expression) sum() int {
	n := e.product()
	for c := e.next(); c == '+' || c == '-'; c = e.next() {
		e.text = e.text[1:]
		x := e.product()
		if c == '-' {
			x = -x
		}
		n += x
	}
	return n
}

func (e *expression) product() int {
	n := e.power()
	for c := e.next(); c == '*' || c == '/'; c = e.next() {
		e.text = e.text[1:]
		switch x := e.power(); {
		case c == '*':
			n *= x
		case x == 0:
			e.wrong = true
		default:
			n /= x
		}
		e.wrong = e.wrong || n > most || n < -most
	}
	return n
}

func (e *expression) power() int {
	base := e.factor()
	if e.next(); !strings.HasPrefix(e.text, "**") {
		return base
	}
	e.text = e.text[2:]
	n := 1
	for exponent := e.power(); exponent > 0 && !e.wrong; exponent-- {
		n *= base
		e.wrong = n > most || n < -most || exponent > 30
	}
	return n
}

func (e *expression) factor() int {
	if e.next() == '(' {
		e.text = e.text[1:]
		n := e.sum()
		e.wrong = e.wrong || e.next() != ')' || n > most || n < -most
		e.text = strings.TrimPrefix(e.text, ")")
		return n
	}
	e.text = strings.TrimLeft(e.text, "${")
	length := nameLength(e.text)
	word := e.text[:length]
	e.text = strings.TrimPrefix(e.text[length:], "}")
	if lookup := e.known(word); lookup != "" {
		word = lookup
	}
	n, err := strconv.Atoi(word)
	e.wrong = e.wrong || err != nil || n > most || n < -most
	return n
}
