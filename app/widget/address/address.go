// Package address is what the address of a page carries: what a reader typed or chose in the sheets, and the text of a
// sheet of their own. It knows neither sheets nor views: an address may say anything.
package address

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/phrase"
)

// Param is one part of the state that an address carries: what the reader typed or chose for one input of one sheet.
type Param struct{ Sheet, Name, Text string }

// An address longer than maxQuery, or a text longer than maxText, is not of our making; both in bytes.
const (
	maxQuery = 8 << 10
	maxText  = 1000
)

// Packed begins the text of a document that was packed as the text of a sheet in the scratch pad is.
const Packed = "~"

// IsPacked says whether the parameter is a document.
func (p *Param) IsPacked() bool { return strings.HasPrefix(p.Text, Packed) }

// tooLong says whether a text is too long for an address. A document may take all that is left of an address.
func (p *Param) tooLong() bool { return len(p.Text) > maxText && !p.IsPacked() }

// Plain are the parameters that are no documents.
func Plain(ps []Param) (plain []Param) {
	for _, p := range ps {
		if !p.IsPacked() {
			plain = append(plain, p)
		}
	}
	return plain
}

// Encode writes parameters as the query of an address, without the question mark, sorted by sheet and name.
// What Decode would refuse is left out; see LeftOut.
func Encode(ps []Param) string {
	query, _ := encode(ps)
	return query
}

// LeftOut are the parameters that an address has no space for: their own text is too long, or that of all together.
func LeftOut(ps []Param) []Param {
	_, left := encode(ps)
	return left
}

// with are parameters with one more, in place of an earlier one of its name.
func with(ps []Param, p Param) []Param {
	for i := range ps {
		if ps[i].Sheet == p.Sheet && ps[i].Name == p.Name {
			ps[i] = p
			return ps
		}
	}
	return append(ps, p)
}

// before is the order by sheet and name.
func (p *Param) before(q *Param) bool {
	return p.Sheet < q.Sheet || p.Sheet == q.Sheet && p.Name < q.Name
}

// inOrder sorts parameters by sheet and name.
func inOrder(ps []Param) {
	for i := range ps { // they are few: a sort of the library for this type would be ten times as much code
		for j := i; j > 0 && ps[j].before(&ps[j-1]); j-- {
			ps[j], ps[j-1] = ps[j-1], ps[j]
		}
	}
}

func encode(ps []Param) (query string, left []Param) {
	ps = slices.Clone(ps)
	inOrder(ps)
	var b strings.Builder
	for _, p := range ps {
		if !isID(p.Sheet) || !IsName(p.Name) || p.tooLong() || !utf8.ValidString(p.Text) {
			left = append(left, p)
			continue
		}
		part := p.Sheet + "." + p.Name + "=" + percent(p.Text)
		if b.Len()+len(part)+1 > maxQuery {
			left = append(left, p)
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('&')
		}
		b.WriteString(part)
	}
	return b.String(), left
}

// Decode reads the query of an address. Parts that are not of the form SHEET.NAME=TEXT belong to somebody else and are
// returned as they are; problems says, in words for the reader, which parts were meant for a sheet and can't be read.
// If a parameter occurs twice the last one counts.
func Decode(query string) (ps []Param, others []string, problems []*phrase.Phrase) {
	query = strings.TrimPrefix(query, "?")
	if len(query) > maxQuery {
		return nil, nil, []*phrase.Phrase{phrase.New("widget.address-too-long", "most", maxQuery)}
	}
	for part := range strings.SplitSeq(query, "&") {
		key, value, _ := strings.Cut(part, "=")
		key, okKey := unpercent(key)
		id, name, dotted := strings.Cut(key, ".")
		switch {
		case part == "":
		case !okKey || !dotted || !isID(id) || !IsName(name):
			others = append(others, part)
		default:
			text, ok := unpercent(value)
			p := Param{id, name, text}
			if !ok || p.tooLong() {
				problems = append(problems, phrase.New("widget.address-unreadable", "sheet", id, "name", name))
				continue
			}
			ps = with(ps, p)
		}
	}
	inOrder(ps)
	return ps, others, problems
}

// Query is the query of an address that carries ps and keeps what belongs to somebody else; with its question mark,
// or empty.
func Query(ps []Param, others []string) string {
	parts := slices.Clone(others)
	if e := Encode(ps); e != "" {
		parts = append(parts, e)
	}
	if len(parts) == 0 {
		return ""
	}
	return "?" + strings.Join(parts, "&")
}

// isID says whether s can be a sheet's id: letters, digits, hyphens and underscores.
func isID(s string) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool { return !WordRune(r) && r != '-' }) < 0
}

// SortPrefix begins the name under which an address carries the order of a table.
const SortPrefix = "sort."

// IsName says whether s can be a variable, or the order of a table, sort.ways or sort.ways.2.
func IsName(s string) bool {
	s = strings.TrimPrefix(s, SortPrefix)
	if list, nth, ok := strings.Cut(s, "."); ok && list != "" && after(nth) {
		s = list
	}
	return s != "" && strings.IndexFunc(s, func(r rune) bool { return !WordRune(r) }) < 0
}

// after says whether s is the number of a table after the first.
func after(s string) bool {
	n, err := strconv.Atoi(s)
	return err == nil && n > 1
}

// WordRune says whether a name can have r in it.
func WordRune(r rune) bool {
	return r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
}

// percent escapes all but what reads well and means nothing in a query.
func percent(s string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(s) {
		switch c := s[i]; {
		case WordRune(rune(c)) && c < 0x80, strings.IndexByte("-.~*/:,()!$", c) >= 0:
			b.WriteByte(c)
		case c == ' ':
			b.WriteByte('+')
		default:
			b.WriteString(string([]byte{'%', hex[c>>4], hex[c&15]}))
		}
	}
	return b.String()
}

// unpercent undoes percent; it is false for a broken escape or bytes that are not text.
func unpercent(s string) (string, bool) {
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '+':
			b = append(b, ' ')
		case '%':
			if i+2 >= len(s) {
				return "", false
			}
			hi, lo := unhex(s[i+1]), unhex(s[i+2])
			if hi < 0 || lo < 0 {
				return "", false
			}
			b = append(b, byte(hi<<4|lo))
			i += 2
		default:
			b = append(b, s[i])
		}
	}
	return string(b), utf8.Valid(b)
}

func unhex(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}
