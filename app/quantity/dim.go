package quantity

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/phrase"
)

// baseNames are the base units as they are written.
var baseNames = [numBases]string{"FLOP", "byte", "s", "USD", "J"}

// IsZero tells whether d is the dimension of a plain number.
func (d Dim) IsZero() bool { return d == Dim{} }

// mostExponent bounds the exponents of a dimension, which no real quantity comes near.
const mostExponent = 127

// Mul is the dimension of a product. The error says that an exponent leaves -127 to 127.
func (d Dim) Mul(e Dim) (Dim, error) { return d.times(e, 1) }

// Div is the dimension of a quotient. The error says that an exponent leaves -127 to 127.
func (d Dim) Div(e Dim) (Dim, error) { return d.times(e, -1) }

// times is the dimension of d × e^n, for n that is 1 or -1.
func (d Dim) times(e Dim, n int) (Dim, error) {
	for i := range d {
		sum := int(d[i]) + n*int(e[i])
		if sum > mostExponent || sum < -mostExponent {
			return Dim{}, outOfReach(baseNames[i], sum)
		}
		d[i] = int8(sum)
	}
	return d, nil
}

// Pow is the dimension of the n-th power; n may be negative. The error says that an exponent leaves -127 to 127.
func (d Dim) Pow(n int) (Dim, error) {
	for i := range d {
		if d[i] == 0 {
			continue
		}
		if n > mostExponent || n < -mostExponent || int(d[i])*n > mostExponent || int(d[i])*n < -mostExponent {
			return Dim{}, outOfReach(baseNames[i], int(d[i])*n)
		}
		d[i] = int8(int(d[i]) * n)
	}
	return d, nil
}

// outOfReach is the error for a power of a base unit that no dimension can hold.
func outOfReach(base string, power int) error {
	return &Error{What: phrase.New("quantity.power-out-of-reach", "unit", base+"^"+strconv.Itoa(power)),
		Remedy: phrase.New("quantity.use-smaller-exponent", "most", mostExponent)}
}

// Root is the dimension of the n-th root, n > 0. It is false where an exponent does not divide: s has no square root.
func (d Dim) Root(n int) (Dim, bool) {
	if n <= 0 {
		return Dim{}, false
	}
	for i := range d {
		if int(d[i])%n != 0 {
			return Dim{}, false
		}
		d[i] = int8(int(d[i]) / n)
	}
	return d, true
}

// String is d in base units, as results carry it: "byte/s", "FLOP/(byte*s)", "1/s", "s^2", and "" for a plain number.
func (d Dim) String() string {
	over, under := d.over(), d.under()
	switch {
	case under == "":
		return over
	case over == "":
		return "1" + under
	}
	return over + under
}

// over is the product of the base units with a positive exponent: "FLOP*byte^2".
func (d Dim) over() string {
	text, _ := d.product(1)
	return text
}

// under is what is divided by, slash included: "", "/s", "/(byte*s)".
func (d Dim) under() string {
	text, n := d.product(-1)
	switch n {
	case 0:
		return ""
	case 1:
		return "/" + text
	}
	return "/(" + text + ")"
}

// product writes the base units whose exponent has the given sign, and says how many there are.
func (d Dim) product(sign int) (string, int) {
	var b strings.Builder
	n := 0
	for i, e := range d {
		k := int(e) * sign
		if k <= 0 {
			continue
		}
		if n > 0 {
			b.WriteByte('*')
		}
		b.WriteString(baseNames[i])
		if k > 1 {
			b.WriteByte('^')
			b.WriteString(strconv.Itoa(k))
		}
		n++
	}
	return b.String(), n
}

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
	{Dim{FLOP: 1, Byte: -1}, "quantity.operations-per-byte", "quantity.operations-per-byte", "500 FLOP/byte"},
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
	one.Value = 500 // no answer to a question of the book, which 240 often is
	if like.IsPercent() {
		one.Value = 0.8
	}
	return one.String()
}

// noun is something that can be counted, with further spellings that are understood.
type noun struct {
	one   string
	alias string // another singular that means the same
}

// nouns are the labels that a count may carry, besides what code sets.
var nouns = [...]noun{
	{"token", "tok"}, {"chip", ""}, {"parameter", "param"}, {"layer", ""}, {"head", ""}, {"expert", ""},
	{"request", ""}, {"sequence", ""}, {"step", ""}, {"core", ""}, {"host", ""}, {"node", ""}, {"device", ""},
	{"GPU", ""}, {"TPU", ""}, {"sample", ""}, {"link", ""}, {"hop", ""}, {"slice", ""}, {"pod", ""}, {"word", ""},
	{"example", ""}, {"epoch", ""}, {"user", ""}, {"image", ""},
}

// nounOf finds the noun a word is the singular or plural of, in any case: "Tokens" is token.
func nounOf(word string) (string, bool) {
	for _, n := range nouns {
		if isForm(word, n.one) || n.alias != "" && isForm(word, n.alias) {
			return n.one, true
		}
	}
	return "", false
}

func isForm(word, one string) bool {
	if len(word) == len(one)+1 && (word[len(one)] == 's' || word[len(one)] == 'S') {
		word = word[:len(one)]
	}
	return len(word) == len(one) && strings.EqualFold(word, one)
}

// plural is the plural of an English noun. What a translation calls a count, which ends in no letter of ASCII, stays.
func plural(one string) string {
	switch {
	case one != "" && one[len(one)-1] >= utf8.RuneSelf:
		return one
	case strings.HasSuffix(one, "tch"), strings.HasSuffix(one, "s"), strings.HasSuffix(one, "x"):
		return one + "es"
	case strings.HasSuffix(one, "y") && len(one) > 1 && !strings.ContainsRune("aeiou", rune(one[len(one)-2])):
		return one[:len(one)-1] + "ies"
	}
	return one + "s"
}

// mul combines the labels of two factors: a noun above cancels the same noun below. Where two stand in one place, both
// are remembered, so that a later factor may cancel either, and neither is shown, because tokens times layers are
// neither.
func (l Label) mul(m Label) Label {
	l, m = l.besides(m), m.besides(l)
	l.Over, m.Under = cancel(l.Over, m.Under)
	m.Over, l.Under = cancel(m.Over, l.Under)
	out := Label{Over: together(l.Over, m.Over), Under: together(l.Under, m.Under)}
	if out.Under == percent {
		out.Under = ""
	}
	return out
}

// between joins the nouns of a product. It stands in no noun.
const between = "*"

// maxNouns bounds the nouns of a product that are remembered.
const maxNouns = 6

// cancel takes the nouns out of both that stand in both.
func cancel(over, under string) (string, string) {
	switch {
	case over == "" || under == "":
		return over, under
	case over == under:
		return "", ""
	case !strings.Contains(over, between) && !strings.Contains(under, between):
		return over, under
	}
	above, below := strings.Split(over, between), strings.Split(under, between)
	kept := above[:0]
	for _, noun := range above {
		if i := slices.Index(below, noun); i >= 0 {
			below = slices.Delete(below, i, i+1)
		} else {
			kept = append(kept, noun)
		}
	}
	return strings.Join(kept, between), strings.Join(below, between)
}

// together are the nouns of a and b in one place, in alphabetical order. A share of a share is no share.
func together(a, b string) string {
	switch {
	case a == "":
		return b
	case b == "":
		return a
	case a == percent || b == percent:
		return strings.Trim(a+b, percent)
	}
	nouns := append(strings.Split(a, between), strings.Split(b, between)...)
	if len(nouns) > maxNouns {
		return ""
	}
	slices.Sort(nouns)
	return strings.Join(nouns, between)
}

// shown is l as it is printed: without labels where several nouns stand in one place.
func (l Label) shown() Label {
	if strings.Contains(l.Over, between) || strings.Contains(l.Under, between) {
		return Label{}
	}
	return l
}

// asShare is l beside 100%: what is so many of one thing for each other thing prints as a share.
func (l Label) asShare(factor Quantity) Label {
	if factor.IsPercent() && factor.Value == 1 && l.Under != "" {
		return Label{}
	}
	return l
}

// besides is l beside another factor's label: a share of something counted is no longer a share.
func (l Label) besides(m Label) Label {
	if l.Over == percent && m.Over != "" && m.Over != percent {
		l.Over = ""
	}
	return l
}

// forDim is l for a quantity of dimension d: only a plain number can be a share.
func (l Label) forDim(d Dim) Label {
	if l.Over == percent && !d.IsZero() {
		l.Over = ""
	}
	return l
}

func (l Label) inverse() Label { return Label{Over: l.Under, Under: l.Over} }

// CountLabel reads what a count counts, as an author names it: "GPUs", "tokens/chip", "%" for a share, "" for nothing.
func CountLabel(text string) (Label, error) {
	over, under, ratio := strings.Cut(text, "/")
	label := Label{Over: singular(over), Under: singular(under)}
	if text == "" || text == percent || isNoun(over) && !ratio || (over == "" || isNoun(over)) && isNoun(under) {
		return label, nil
	}
	return Label{}, &Error{What: phrase.New("quantity.no-name-for-count", "text", text),
		Remedy: phrase.New("quantity.write-a-name")}
}

// isNoun tells whether text may name what is counted: letters, digits, spaces and hyphens, the first a letter.
func isNoun(text string) bool {
	for i, r := range text {
		if !unicode.IsLetter(r) && (i == 0 || r != ' ' && r != '-' && !unicode.IsDigit(r)) {
			return false
		}
	}
	return text != "" && len(text) <= 40 && !strings.HasSuffix(text, " ")
}

// singular is the noun of which word is the plural, or word itself.
func singular(word string) string {
	if one, ok := nounOf(word); ok {
		return one
	}
	for _, one := range []string{strings.TrimSuffix(word, "s"), strings.TrimSuffix(word, "es"),
		strings.TrimSuffix(word, "ies") + "y"} {
		if one != "" && one != word && plural(one) == word {
			return one
		}
	}
	return word
}
