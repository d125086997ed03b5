// Package shell puts in what a script's words stand for, as far as the text of the script alone tells it.
package shell

import (
	"strconv"
	"strings"
)

// Expand is a text with values in place of $NAME, ${NAME}, ${NAME:-what it is otherwise}, which = and no colon say as
// well, and $((sums and products)). known is the value of a name, "" if nothing has set it. What has no value stays as
// it is, and so does a value that is to be cut.
func Expand(text string, known func(name string) string) string {
	var b strings.Builder
	for {
		before, rest, more := strings.Cut(text, "$")
		b.WriteString(before)
		if !more {
			return b.String()
		}
		length, value := reference(rest, known)
		if value == "" {
			value = "$" + rest[:length]
		}
		b.WriteString(value)
		text = rest[length:]
	}
}

// longest is how many bytes an expression in brackets may have.
const longest = 200

// reference is how long what stands behind a $ is, and its value.
func reference(text string, known func(string) string) (length int, value string) {
	if len(text) > longest && (text[0] == '(' || text[0] == '{') {
		text = text[:longest]
	}
	switch {
	case strings.HasPrefix(text, "(("):
		if inner, _, closed := strings.Cut(text[2:], "))"); closed {
			e := expression{inner, known, false}
			if n := e.sum(); !e.wrong && e.text == "" {
				value = strconv.Itoa(n)
			}
			return len(inner) + 4, value
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
			if value = known(text[1:n]); value == "" && otherwise != "" && otherwise[0] != '?' {
				value = strings.Trim(Expand(otherwise[1:], known), `"'`)
			}
			return i + 1, value
		}
	default:
		length = nameLength(text)
		return length, known(text[:length])
	}
	return 0, ""
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
	n := e.factor()
	for c := e.next(); c == '*' || c == '/'; c = e.next() {
		e.text = e.text[1:]
		switch x := e.factor(); {
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

func (e *expression) factor() int {
	if e.next() == '(' {
		e.text = e.text[1:]
		n := e.sum()
		e.wrong = e.wrong || e.next() != ')'
		e.text = strings.TrimPrefix(e.text, ")")
		return n
	}
	e.text = strings.TrimLeft(e.text, "${")
	length := nameLength(e.text)
	word := e.text[:length]
	e.text = strings.TrimPrefix(e.text[length:], "}")
	if known := e.known(word); known != "" {
		word = known
	}
	n, err := strconv.Atoi(word)
	e.wrong = e.wrong || err != nil || n > most || n < -most
	return n
}
