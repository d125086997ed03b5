package quantity

import "github.com/scalebook/scalebook/app/phrase"

// dimWord names a dimension for a reader, with an example of what to write.
type dimWord struct {
	dim     Dim
	word    string // the key of "data"
	amount  string // the key of "an amount of data"
	example string // "900 GB/s"
}

// dimWords are the dimensions that have a name of their own.
var dimWords = [...]dimWord{
	{Dim{}, "quantity.plain-number", "quantity.a-plain-number", "4096"},
	{Dim{FLOP: 1}, "quantity.operations", "quantity.a-number-of-operations", "2 TFLOP"},
	{Dim{Byte: 1}, "quantity.data", "quantity.an-amount-of-data", "16 GiB"},
	{Dim{Second: 1}, "quantity.time", "quantity.a-time", "2.5 ms"},
	{Dim{Dollar: 1}, "quantity.money", "quantity.an-amount-of-money", "$5"},
	{Dim{Joule: 1}, "quantity.energy", "quantity.an-energy", "3.6 MJ"},
	{Dim{FLOP: 1, Second: -1}, "quantity.operations-per-second", "quantity.operations-per-second", "197 TFLOP/s"},
	{Dim{Byte: 1, Second: -1}, "quantity.data-per-second", "quantity.data-per-second", "900 GB/s"},
	{Dim{FLOP: 1, Byte: -1}, "quantity.operations-per-byte", "quantity.operations-per-byte", "240 FLOP/byte"},
	{Dim{Byte: 1, FLOP: -1}, "quantity.data-per-operation", "quantity.data-per-operation", "0.5 byte/FLOP"},
	{Dim{Second: -1}, "quantity.rate-per-second", "quantity.a-rate-per-second", "120/s"},
	{Dim{Dollar: 1, Second: -1}, "quantity.price-per-time", "quantity.a-price-per-time", "$2.10/hour"},
	{Dim{Joule: 1, Second: -1}, "quantity.power", "quantity.a-power", "400 W"},
	{Dim{Joule: 1, FLOP: -1}, "quantity.energy-per-operation", "quantity.an-energy-per-operation", "0.7 pJ/FLOP"},
	{Dim{Joule: 1, Byte: -1}, "quantity.energy-per-byte", "quantity.an-energy-per-byte", "30 pJ/byte"},
}

// overWords and underWords are the keys of a base unit in the numerator and in the denominator.
var (
	overWords = [numBases]string{
		"quantity.operations", "quantity.data", "quantity.time", "quantity.money", "quantity.energy"}
	underWords = [numBases]string{
		"quantity.an-operation", "quantity.a-byte", "quantity.a-second", "quantity.a-dollar", "quantity.a-joule"}
)

// Words names d for a reader: "time", "data per second", "plain number".
func (d Dim) Words() *phrase.Phrase {
	for _, w := range dimWords {
		if w.dim == d {
			return phrase.New(w.word)
		}
	}
	var over, under *phrase.Phrase
	for i, e := range d {
		for n := 0; n < min(int(e), 8); n++ {
			over = joined(over, "quantity.times", overWords[i])
		}
		for n := 0; n < min(-int(e), 8); n++ {
			under = joined(under, "list.and", underWords[i])
		}
	}
	switch {
	case under == nil:
		return over
	case over == nil:
		over = phrase.New("quantity.rate")
	}
	return phrase.New("quantity.per", "over", over, "under", under)
}

// joined adds a word to those before it, if there are any.
func joined(before *phrase.Phrase, key, word string) *phrase.Phrase {
	if before == nil {
		return phrase.New(word)
	}
	return phrase.New(key, "list", before, "next", phrase.New(word))
}

// describe names d by unit and by word, as errors do: "byte (data)", "a plain number".
func describe(d Dim) *phrase.Phrase {
	if d.IsZero() {
		return phrase.New("quantity.a-plain-number")
	}
	return phrase.New("quantity.dim", "unit", d.String(), "word", d.Words())
}

// thisIs completes "this is ...": "a time", "data per second".
func thisIs(d Dim) *phrase.Phrase {
	for _, w := range dimWords {
		if w.dim == d {
			return phrase.New(w.amount)
		}
	}
	return d.Words()
}

// wanted completes "give ...": "data per second", "a plain number".
func wanted(d Dim) *phrase.Phrase {
	if d.IsZero() {
		return phrase.New("quantity.a-plain-number")
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
	if like.IsPercent() {
		one.Value = 0.8
	}
	return one.String()
}
