// Package law says how a law of the domain is declared: as data, in the package that the law belongs to. That package
// offers its laws as a list; app/library turns each into a function of sheets, so that adding a law is one
// declaration.
//
// The formula, in the notation of sheets, is the law: a sheet computes with it and opens it for its reader. Beside
// it stands a Go function only where planners or figures need its speed, or where no expression says the law; a test
// of app/library holds the two equal at random arguments.
package law

import (
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
)

// Law is a law of a domain.
type Law struct {
	Name    string         // as sheets call it: "all_gather_time_exact"
	Takes   string         // its parameters, as Params reads them: "V byte, N >= 1, W byte/s > 0"
	Gives   string         // the unit of its value, or what it counts: "s", "FLOP/byte", "token"
	Formula string         // in the notation of sheets: "(N - 1)/N * V/W"; empty if no expression says it, and Go does
	Where   string         // a condition in the same notation, where ranges of parameters are not enough
	Else    *phrase.Phrase // why there is no value where the condition fails, and what would be valid
	Source  string
	Doc     string // a sentence or two for the reader
	// Go computes the law in base units; it may be nil if there is a formula. Its arguments are within their ranges.
	Go func(a Args) (float64, error)
}

// Arg is an argument of a law.
type Arg struct {
	Num  float64 // a number in base units; of a dtype, the bytes of an element
	Text string
	On   bool
	Of   any // the thing itself: a *model.Model
}

// Args are the arguments of a law, in the order of its parameters.
type Args []Arg

// Num is a number.
func (a Args) Num(i int) float64 { return a[i].Num }

// Bytes is a number of bytes, or the size of a dtype's element.
func (a Args) Bytes(i int) quantity.Bytes { return quantity.Bytes(a[i].Num) }

// Seconds is a time.
func (a Args) Seconds(i int) quantity.Seconds { return quantity.Seconds(a[i].Num) }

// Bandwidth is a number of bytes a second.
func (a Args) Bandwidth(i int) quantity.Bandwidth { return quantity.Bandwidth(a[i].Num) }

// Value is a named value in a formula, and what it is.
type Value struct {
	Name string            // as the formula writes it: "W"
	Num  quantity.Quantity // 90 GB/s
	Is   *phrase.Phrase    // "a link’s bandwidth, both ways together"
}

// Used are those of values that a formula names.
func Used(formula string, values []Value) []Value {
	names := strings.FieldsFunc(formula, func(r rune) bool {
		return !(r == '_' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9')
	})
	var used []Value
	for _, v := range values {
		if slices.Contains(names, v.Name) {
			used = append(used, v)
		}
	}
	return used
}

// Kind is what a parameter takes.
type Kind uint8

// The kinds of parameters.
const (
	Number Kind = iota
	DType
	Text
	Switch
	Record // an entry of a catalog
)

// Param is a parameter of a law.
type Param struct {
	Name       string
	Kind       Kind
	Dim        quantity.Dim // of a Number
	Least      float64      // of a Number
	Above      bool         // whether it must be more than Least
	RecordType string       // of a Record: "model", or "list training plan" for a list of them
	Default    string       // "bf16", "causal", "on"; empty if it must be given
}

// Params are the parameters of l.
func (l Law) Params() []Param { return Params(l.Takes) }

// Params reads parameters of laws and functions, separated by commas. Each is a name, what it takes and what it must
// be:
//
//	N             a plain number, 0 or more
//	N >= 1        a plain number, 1 or more
//	W byte/s > 0  a bandwidth above 0
//	d dtype = bf16, gated switch = on, mask text = causal    with what they are if nobody says
//	model model, plans list training plan    a record, or a list of records
func Params(takes string) []Param {
	params := make([]Param, 0, 1+strings.Count(takes, ","))
	for rest, more := takes, true; more; {
		var part string
		part, rest, more = strings.Cut(rest, ",")
		params = append(params, param(part))
	}
	return params
}

// param is a parameter of these words. What cannot be read leaves it without name.
func param(text string) Param {
	var p Param
	name, what := word(text)
	limit := ""
	if i := strings.IndexAny(what, "=>"); i >= 0 {
		what, limit = what[:i], what[i:]
	}
	if what = strings.TrimSpace(what); what != "" {
		p.take(what)
	}
	if limit != "" {
		sign, rest := word(limit)
		limit, end := word(rest)
		if end != "" || !p.bound(sign, limit) {
			return p
		}
	}
	p.Name = name
	return p
}

// word is the first word of a text, and the rest.
func word(text string) (first, rest string) {
	first, rest, _ = strings.Cut(strings.TrimLeft(text, " "), " ")
	return first, rest
}

// take reads what a parameter takes.
func (p *Param) take(what string) {
	switch what {
	case "dtype":
		p.Kind = DType
	case "text":
		p.Kind = Text
	case "switch":
		p.Kind = Switch
	default:
		dim, label := Unit(what)
		if p.Dim = dim; label.Over != "" {
			p.Kind, p.RecordType = Record, what
		}
	}
}

// bound reads a range or a default.
func (p *Param) bound(sign, what string) bool {
	if sign == "=" {
		p.Default = what
		return p.Kind != Number
	}
	least, err := strconv.ParseFloat(what, 64)
	p.Least, p.Above = least, sign == ">"
	return err == nil && p.Kind == Number && (sign == ">" || sign == ">=")
}

// Unit is the dimension of a unit of laws; any other word is the label of what is counted.
func Unit(name string) (quantity.Dim, quantity.Label) {
	switch name {
	case "":
		return quantity.Dim{}, quantity.Label{}
	case "FLOP":
		return quantity.FLOPs(1).Quantity().Dim, quantity.Label{}
	case "byte":
		return quantity.Bytes(1).Quantity().Dim, quantity.Label{}
	case "s":
		return quantity.Seconds(1).Quantity().Dim, quantity.Label{}
	case "FLOP/s":
		return quantity.FLOPRate(1).Quantity().Dim, quantity.Label{}
	case "byte/s":
		return quantity.Bandwidth(1).Quantity().Dim, quantity.Label{}
	case "FLOP/byte":
		return quantity.Intensity(1).Quantity().Dim, quantity.Label{}
	case "1/s":
		return quantity.Dim{quantity.Second: -1}, quantity.Label{}
	case "USD":
		return quantity.Dim{quantity.Dollar: 1}, quantity.Label{}
	case "USD/s":
		return quantity.Dim{quantity.Dollar: 1, quantity.Second: -1}, quantity.Label{}
	case "J":
		return quantity.Dim{quantity.Joule: 1}, quantity.Label{}
	case "J/s":
		return quantity.Dim{quantity.Joule: 1, quantity.Second: -1}, quantity.Label{}
	}
	return quantity.Dim{}, quantity.Label{Over: name}
}
