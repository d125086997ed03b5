package law

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/quantity"
)

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
	Name    string
	Kind    Kind
	Dim     quantity.Dim // of a Number
	Least   float64      // of a Number
	Above   bool         // whether it must be more than Least
	Kin     string       // of a Record: "model", or "list training plan" for a list of them
	Default string       // "bf16", "causal", "on"; empty if it must be given
}

// Params are the parameters of l.
func (l Law) Params() []Param { return Params(l.Takes) }

// Params reads parameters of laws and functions, separated by commas. Each is a name, what it takes and what it must be:
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
			p.Kind, p.Kin = Record, what
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
