package quantity

import "strings"

// dimWord names a dimension for a reader, with an example of what to write.
type dimWord struct {
	dim     Dim
	word    string // "data per second"
	article string // "a ", "an " or ""
	example string // "900 GB/s"
}

// dimWords are the dimensions that have a name of their own.
var dimWords = [...]dimWord{
	{Dim{}, "plain number", "a ", "4096"},
	{Dim{FLOP: 1}, "operations", "a number of ", "2 TFLOP"},
	{Dim{Byte: 1}, "data", "an amount of ", "16 GiB"},
	{Dim{Second: 1}, "time", "a ", "2.5 ms"},
	{Dim{Dollar: 1}, "money", "an amount of ", "$5"},
	{Dim{Joule: 1}, "energy", "an ", "3.6 MJ"},
	{Dim{FLOP: 1, Second: -1}, "operations per second", "", "197 TFLOP/s"},
	{Dim{Byte: 1, Second: -1}, "data per second", "", "900 GB/s"},
	{Dim{FLOP: 1, Byte: -1}, "operations per byte", "", "240 FLOP/byte"},
	{Dim{Byte: 1, FLOP: -1}, "data per operation", "", "0.5 byte/FLOP"},
	{Dim{Second: -1}, "rate per second", "a ", "120/s"},
	{Dim{Dollar: 1, Second: -1}, "price per time", "a ", "$2.10/hour"},
	{Dim{Joule: 1, Second: -1}, "power", "a ", "400 W"},
	{Dim{Joule: 1, FLOP: -1}, "energy per operation", "an ", "0.7 pJ/FLOP"},
	{Dim{Joule: 1, Byte: -1}, "energy per byte", "an ", "30 pJ/byte"},
}

// overWords and underWords name a base unit in the numerator and in the denominator.
var (
	overWords  = [numBases]string{"operations", "data", "time", "money", "energy"}
	underWords = [numBases]string{"operation", "byte", "second", "dollar", "joule"}
)

// Words names d for a reader: "time", "data per second", "plain number".
func (d Dim) Words() string {
	for _, w := range dimWords {
		if w.dim == d {
			return w.word
		}
	}
	var over, under []string
	for i, e := range d {
		for ; e > 0 && len(over) < 8; e-- {
			over = append(over, overWords[i])
		}
		for ; e < 0 && len(under) < 8; e++ {
			under = append(under, underWords[i])
		}
	}
	if len(over) == 0 {
		over = []string{"rate"}
	}
	text := strings.Join(over, " times ")
	if len(under) > 0 {
		text += " per " + strings.Join(under, " and ")
	}
	return text
}

// describe names d by unit and by word, as errors do: "byte (data)", "a plain number".
func describe(d Dim) string {
	if d.IsZero() {
		return "a plain number"
	}
	return d.String() + " (" + d.Words() + ")"
}

// thisIs completes "this is ...": "a time", "data per second".
func thisIs(d Dim) string {
	for _, w := range dimWords {
		if w.dim == d {
			return w.article + w.word
		}
	}
	return d.Words()
}

// wanted completes "give ...": "data per second", "a plain number".
func wanted(d Dim) string {
	if d.IsZero() {
		return "a plain number"
	}
	return d.Words()
}

// example is something to write that has the dimension and label of like.
func example(like Quantity) string {
	one := Quantity{Value: 1, Dim: like.Dim, Label: like.Label, Binary: like.Binary}
	if like.Label == (Label{}) {
		for _, w := range dimWords {
			if w.dim == like.Dim {
				return w.example
			}
		}
		return one.String()
	}
	one.Value = 240
	return one.String()
}
