package trace

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/phrase"
)

// summaryBegin is how a summary begins, and no trace.
const summaryBegin = `{"traceSummary":1,`

// Summary is the trace as a short text in JSON. A [Reader] reads it as it reads the trace itself, so that a page need
// not keep the megabytes that were recorded.
func (t *Trace) Summary() string {
	b := appendFields([]byte(summaryBegin), t.fields())
	return string(append(b, '}'))
}

// field is a part of a summary: its name, and where it stands.
type field struct {
	name string
	at   any
}

func (t *Trace) fields() []field {
	return []field{{"events", &t.Events}, {"named", &t.Named}, {"time", &t.Time}, {"hosts", &t.Hosts},
		{"alone", &t.Alone}, {"async", &t.Async}, {"crowded", &t.Crowded}, {"sums", &t.Sums}, {"unread", &t.Unread},
		{"steps", &t.Steps}, {"devices", &t.Devices}, {"ops", &t.Ops}, {"faults", &t.Faults}, {"kinds", &t.Kinds},
		{"card", &t.Card}}
}

func (d *Device) fields() []field {
	return []field{{"name", &d.Name}, {"tracks", &d.Tracks}, {"span", &d.Span}, {"compute", &d.Compute},
		{"comms", &d.Comms}, {"exposed", &d.Exposed}, {"copies", &d.Copies}, {"unknown", &d.Unknown},
		{"idle", &d.Idle}}
}

func (s *Spent) fields() []field {
	return []field{{"name", &s.Name}, {"kind", &s.Kind}, {"does", &s.Does}, {"library", &s.Library},
		{"class", &s.Class}, {"times", &s.Times}, {"time", &s.Time}, {"text", &s.Text}, {"flops", &s.FLOPs},
		{"bytes", &s.Bytes}}
}

func (k *Kind) fields() []field {
	return []field{{"does", &k.Does}, {"class", &k.Class}, {"time", &k.Time}}
}

func (f *Fault) fields() []field { return []field{{"line", &f.Line}, {"kind", &f.Kind}} }

func appendFields(b []byte, all []field) []byte {
	for i, f := range all {
		b = append(appendText(between(b, i), f.name), ':')
		b = appendValue(b, f.at)
	}
	return b
}

func appendValue(b []byte, at any) []byte {
	switch at := at.(type) {
	case *bool:
		return strconv.AppendBool(b, *at)
	case *int:
		return strconv.AppendInt(b, int64(*at), 10)
	case *Class:
		return strconv.AppendInt(b, int64(*at), 10)
	case *FaultKind:
		return strconv.AppendInt(b, int64(*at), 10)
	case *float64:
		return strconv.AppendFloat(b, *at, 'g', -1, 64)
	case *string:
		return appendText(b, *at)
	case *[]float64:
		b = append(b, '[')
		for i := range *at {
			b = appendValue(between(b, i), &(*at)[i])
		}
		return append(b, ']')
	case *[]Device:
		return appendList(b, len(*at), func(i int) []field { return (*at)[i].fields() })
	case *[]Spent:
		return appendList(b, len(*at), func(i int) []field { return (*at)[i].fields() })
	case *[]Kind:
		return appendList(b, len(*at), func(i int) []field { return (*at)[i].fields() })
	case *[]Fault:
		return appendList(b, len(*at), func(i int) []field { return (*at)[i].fields() })
	}
	panic("trace: a summary has no such field")
}

// appendList writes n objects, each on a line of its own.
func appendList(b []byte, n int, fields func(i int) []field) []byte {
	b = append(b, '[')
	for i := range n {
		b = append(appendFields(append(between(b, i), "\n{"...), fields(i)), '}')
	}
	return append(b, ']')
}

// between writes what stands before the entry i of a list.
func between(b []byte, i int) []byte {
	if i > 0 {
		b = append(b, ',')
	}
	return b
}

// appendText writes a text in quotes. What is no UTF-8 is replaced: a summary is a text.
func appendText(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	for _, c := range s {
		switch {
		case c == '"' || c == '\\':
			b = append(b, '\\', byte(c))
		case c < ' ':
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		default:
			b = utf8.AppendRune(b, c)
		}
	}
	return append(b, '"')
}

// summary reads a summary.
func (r *Reader) summary() (more bool) {
	if r.pos = 0; r.short(len(r.src)) {
		return true
	}
	all := append(r.trace.fields(), field{"traceSummary", new(int)})
	if !r.into(all) || r.next() != 0 {
		r.trace, r.err = Trace{}, phrase.New("trace.no-summary")
	}
	return false
}

// into reads an object of these fields.
func (c *cursor) into(all []field) bool {
	return c.fields(func(name string) bool {
		for _, f := range all {
			if f.name == name {
				return c.read(f.at)
			}
		}
		return false
	})
}

// read reads a value of the kind that stands at a place.
func (c *cursor) read(at any) (ok bool) {
	switch at := at.(type) {
	case *bool:
		s, ok := c.value()
		*at = s == "true"
		return ok
	case *int:
		x := c.whole(math.MaxInt32)
		*at = x
		return x >= 0
	case *Class:
		x := c.whole(int(Holds))
		*at = Class(max(0, x))
		return x >= 0
	case *FaultKind:
		x := c.whole(int(tooMany))
		*at = FaultKind(max(0, x))
		return x >= 0
	case *float64:
		s, _ := c.value()
		x, err := strconv.ParseFloat(s, 64)
		*at = x
		return err == nil && x >= 0 && !math.IsInf(x, 1)
	case *string:
		*at, ok = c.text()
		return ok
	case *[]float64:
		return c.list(func() bool { *at = append(*at, 0); return c.read(&(*at)[len(*at)-1]) })
	case *[]Device:
		return c.list(func() bool { *at = append(*at, Device{}); return c.into((*at)[len(*at)-1].fields()) })
	case *[]Spent:
		return c.list(func() bool { *at = append(*at, Spent{}); return c.into((*at)[len(*at)-1].fields()) })
	case *[]Kind:
		return c.list(func() bool { *at = append(*at, Kind{}); return c.into((*at)[len(*at)-1].fields()) })
	case *[]Fault:
		return c.list(func() bool { *at = append(*at, Fault{}); return c.into((*at)[len(*at)-1].fields()) })
	}
	return false
}

// whole reads a whole number up to most; it is -1 if there is none.
func (c *cursor) whole(most int) int {
	s, _ := c.value()
	x, err := strconv.Atoi(s)
	if err != nil || x < 0 || x > most {
		return -1
	}
	return x
}

// list reads a list, of which next reads an entry.
func (c *cursor) list(next func() bool) bool {
	if !c.take('[') {
		return false
	}
	for first := true; !c.take(']'); first = false {
		if !first && !c.take(',') || !next() {
			return false
		}
	}
	return true
}

// isSummary tells a summary from a trace.
func isSummary(text string) bool { return strings.HasPrefix(text, summaryBegin) }
