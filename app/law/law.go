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
