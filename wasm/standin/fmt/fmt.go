// Package fmt stands in for fmt in the browser's program, where it writes a few messages: numbers, texts, errors, names
// of types and addresses, with width, precision and the flags - 0 +. Of what has parts it writes only the type, so that
// nothing here walks through values.
package fmt

import (
	"errors"
	"io"
	"os"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Stringer is what says itself.
type Stringer interface{ String() string }

// Sprint writes values side by side, with a space between two that are no texts.
func Sprint(all ...any) string {
	var out strings.Builder
	text := true
	for i, v := range all {
		_, is := v.(string)
		if i > 0 && !is && !text {
			out.WriteByte(' ')
		}
		text = is
		out.WriteString(plain(v))
	}
	return out.String()
}

// plain writes a value as it is.
func plain(v any) string { return (&directive{verb: 'v', precision: -1}).of(v) }

// Sprintf writes values as a format says.
func Sprintf(format string, all ...any) string {
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(format, "%")
		out.WriteString(before)
		if !found {
			return out.String()
		}
		d := directive{precision: -1}
		format = d.read(rest)
		switch {
		case d.verb == '%':
			out.WriteByte('%')
		case len(all) == 0:
			out.WriteString("%!" + string(d.verb) + "(MISSING)")
		default:
			out.WriteString(d.padded(d.of(all[0])))
			all = all[1:]
		}
	}
}

// Errorf is an error with that text. It wraps the error that stands for %w.
func Errorf(format string, all ...any) error {
	e := wrapped{text: Sprintf(format, all...)}
	if strings.Contains(format, "%w") {
		for _, v := range all {
			if inner, ok := v.(error); ok {
				e.inner = inner
			}
		}
	}
	if e.inner == nil {
		return errors.New(e.text)
	}
	return &e
}

type wrapped struct {
	text  string
	inner error
}

func (e *wrapped) Error() string { return e.text }
func (e *wrapped) Unwrap() error { return e.inner }

// Fprintf writes to w.
func Fprintf(w io.Writer, format string, all ...any) (int, error) {
	return io.WriteString(w, Sprintf(format, all...))
}

// Printf writes to the console.
func Printf(format string, all ...any) (int, error) { return Fprintf(os.Stdout, format, all...) }

// directive is what stands behind a percent sign.
type directive struct {
	verb              rune
	left, zeros, plus bool
	width, precision  int // -1 is no precision
}

// read reads a directive, and gives what is behind it.
func (d *directive) read(s string) (rest string) {
	at := 0
	number := func() (n int) {
		for ; at < len(s) && '0' <= s[at] && s[at] <= '9' && n < 1000; at++ {
			n = 10*n + int(s[at]-'0')
		}
		return n
	}
	for ; at < len(s) && strings.IndexByte("+-0# ", s[at]) >= 0; at++ {
		switch s[at] {
		case '-':
			d.left = true
		case '0':
			d.zeros = true
		case '+':
			d.plus = true
		}
	}
	d.width = number()
	if at < len(s) && s[at] == '.' {
		at++
		d.precision = number()
	}
	verb, size := utf8.DecodeRuneInString(s[at:])
	d.verb = verb
	return s[at+size:]
}

// padded is a text that is as wide as the directive asks.
func (d *directive) padded(s string) string {
	missing := d.width - utf8.RuneCountInString(s)
	switch {
	case missing <= 0:
		return s
	case d.left:
		return s + strings.Repeat(" ", missing)
	case d.zeros && s != "" && (s[0] == '-' || s[0] == '+'):
		return s[:1] + strings.Repeat("0", missing) + s[1:]
	case d.zeros:
		return strings.Repeat("0", missing) + s
	}
	return strings.Repeat(" ", missing) + s
}

// of writes a value. One that panics when it is asked for its text is written by its type.
func (d *directive) of(v any) (text string) {
	if v == nil {
		return "<nil>"
	}
	kind := reflect.TypeOf(v).String()
	if d.verb == 'T' {
		return kind
	}
	defer func() {
		if recover() != nil {
			text = "{" + kind + "}"
		}
	}()
	if d.verb == 'p' {
		return "0x" + strconv.FormatUint(uint64(reflect.ValueOf(v).Pointer()), 16)
	}
	switch said := v.(type) {
	case error:
		return d.text(said.Error())
	case Stringer:
		return d.text(said.String())
	case []byte:
		if d.verb != 'v' && d.verb != 'd' {
			return d.text(string(said))
		}
	}
	switch r := reflect.ValueOf(v); r.Kind() {
	case reflect.Bool:
		return strconv.FormatBool(r.Bool())
	case reflect.String:
		return d.text(r.String())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return d.whole(uint64(max(r.Int(), -r.Int())), r.Int() < 0)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return d.whole(r.Uint(), false)
	case reflect.Float32:
		return d.float(r.Float(), 32)
	case reflect.Float64:
		return d.float(r.Float(), 64)
	}
	return "{" + kind + "}"
}

func (d *directive) text(s string) string {
	if runes := []rune(s); d.precision >= 0 && d.precision < len(runes) {
		s = string(runes[:d.precision])
	}
	switch d.verb {
	case 'q':
		return strconv.Quote(s)
	case 'x':
		const digits = "0123456789abcdef"
		out := make([]byte, 0, 2*len(s))
		for i := range len(s) {
			out = append(out, digits[s[i]>>4], digits[s[i]&15])
		}
		return string(out)
	}
	return s
}

func (d *directive) whole(n uint64, negative bool) string {
	base := 10
	switch d.verb {
	case 'c':
		return string(rune(n))
	case 'q':
		return strconv.QuoteRune(rune(n))
	case 'x':
		base = 16
	case 'b':
		base = 2
	}
	return d.sign(negative) + strconv.FormatUint(n, base)
}

func (d *directive) float(x float64, bits int) string {
	form, precision := byte('g'), d.precision
	if d.verb == 'e' || d.verb == 'f' {
		form = byte(d.verb)
		if precision < 0 {
			precision = 6
		}
	}
	s := strconv.FormatFloat(x, form, precision, bits)
	if s[0] != '-' && s[0] != '+' {
		s = d.sign(false) + s
	}
	return s
}

// sign is what stands before a number.
func (d *directive) sign(negative bool) string {
	switch {
	case negative:
		return "-"
	case d.plus:
		return "+"
	}
	return ""
}
