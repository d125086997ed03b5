// Package quantity is numbers with a dimension: reading what people write, computing without mixing units up, and
// printing with the right prefix and no more digits than help.
//
// A [Quantity] is a float64 in base units and a [Dim], the exponents of five base units: FLOP, byte, second, US dollar
// and joule. Counts (token, chip, parameter, layer, ...) are plain numbers with a [Label] that is carried along and
// never enforced. [Parse] and [Literal] read, [Quantity.String] writes, and Parse(q.String()) is q again as far as its
// digits go.
//
// # Units
//
//	operations  FLOP, FLOPs, flop, flops, OP, OPs, op, ops, with k M G T P E Z Y
//	            a capital S is a rate: 197 TFLOPS is 197 TFLOP/s, 197 TFLOPs is 197 TFLOP
//	data        byte, kB (KB) to EB are powers of 1000, KiB to EiB powers of 1024; bit, kbit to Pbit;
//	            GBps is GB/s, Gbps is Gbit/s; b, Gb and a B that stands alone are refused, since they are read both ways
//	time        ps ns us (µs) ms s min h hour day week year (365.25 days), with their plurals
//	money       $ USD dollar cent
//	energy      J with p to E, Wh kWh MWh; W is J/s
//	rate        Hz is 1/s
//	counts      token chip parameter layer head expert request sequence step core host node device GPU TPU sample link
//	            hop slice pod word example epoch user image, singular or plural, in any case; ktoken, Mtoken
//
// k, M, B and T after a number are its magnitude: 8k, 70B parameters, 15T tokens. % is a hundredth.
package quantity

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
)

// Base is one of the five base units every dimension is made of.
type Base uint8

// The base units.
const (
	FLOP Base = iota
	Byte
	Second
	Dollar
	Joule
	numBases
)

// Dim is a dimension: the exponent of each base unit. The zero Dim is a plain number.
type Dim [numBases]int8

// Label says what a count counts ("token", "chip"); it is shown, carried along, and never enforced.
// Over and Under are singular nouns: token per chip is {"token", "chip"}. Where a product has left several in one
// place, "layer*token", nothing is shown until the others have cancelled.
type Label struct{ Over, Under string }

// Quantity is a number with a dimension. The zero value is the plain number 0.
type Quantity struct {
	Value  float64 // in base units
	Dim    Dim
	Label  Label
	Binary bool // prints bytes as KiB, MiB, ... because whoever wrote it did
}

// Error says what is wrong with a text or an operation, and what would be valid.
type Error struct {
	Offset int            // byte offset in the parsed text
	What   *phrase.Phrase // "unknown unit GiBs"
	Remedy *phrase.Phrase // "write GiB or GiB/s"
}

// In says it in a language: "what; remedy".
func (e *Error) In(l phrase.Phrases) string {
	return phrase.Fault{What: e.What, Remedy: e.Remedy}.In(l)
}

func (e *Error) Error() string { return e.In(phrase.Phrases{}) }

// The types below carry their unit in their name, for the laws of the estimation packages: a law that takes Bytes and a
// Bandwidth and returns Seconds cannot be called with the wrong thing. They are float64 in base units.
type (
	FLOPs     float64 // floating-point operations; a multiply and an add are two
	Bytes     float64 // 8 bits each
	Seconds   float64
	FLOPRate  float64 // FLOP/s
	Bandwidth float64 // byte/s; one-way unless the name says otherwise
	Intensity float64 // FLOP/byte
)

// The dimensions of the types above, for whoever meets them as plain quantities.
var (
	dimFLOPs     = Dim{FLOP: 1}
	dimBytes     = Dim{Byte: 1}
	dimSeconds   = Dim{Second: 1}
	dimFLOPRate  = Dim{FLOP: 1, Second: -1}
	dimBandwidth = Dim{Byte: 1, Second: -1}
	dimIntensity = Dim{FLOP: 1, Byte: -1}
)

// Quantity is f with its dimension.
func (f FLOPs) Quantity() Quantity { return Quantity{Value: float64(f), Dim: dimFLOPs} }

// Quantity is b with its dimension.
func (b Bytes) Quantity() Quantity { return Quantity{Value: float64(b), Dim: dimBytes} }

// Quantity is s with its dimension.
func (s Seconds) Quantity() Quantity { return Quantity{Value: float64(s), Dim: dimSeconds} }

// Quantity is r with its dimension.
func (r FLOPRate) Quantity() Quantity { return Quantity{Value: float64(r), Dim: dimFLOPRate} }

// Quantity is b with its dimension.
func (b Bandwidth) Quantity() Quantity { return Quantity{Value: float64(b), Dim: dimBandwidth} }

// Quantity is i with its dimension.
func (i Intensity) Quantity() Quantity { return Quantity{Value: float64(i), Dim: dimIntensity} }

// Over is the time that f operations take at rate r, at the least.
func (f FLOPs) Over(r FLOPRate) Seconds { return Seconds(float64(f) / float64(r)) }

// Over is the time that b bytes take at bandwidth w, at the least.
func (b Bytes) Over(w Bandwidth) Seconds { return Seconds(float64(b) / float64(w)) }

// Exact is the value in base units with all its digits, and the base unit: "8.720745778680202e-05 s". A share is in
// hundredths: "80 %". ParseLike reads it back to the same bits.
func (q Quantity) Exact() string {
	if !q.IsFinite() {
		return phrase.New("quantity.no-finite-value").String()
	}
	if q.IsPercent() && q.Dim.IsZero() {
		return hundredfold(q.Value) + " %"
	}
	text := strconv.FormatFloat(q.Value, 'g', -1, 64)
	over, under := q.Dim.over(), q.Dim.under()
	label := q.Label.shown()
	if _, known := nounOf(label.Over); over == "" && known {
		over = label.Over
	}
	if _, known := nounOf(label.Under); known {
		under += "/" + label.Under
	}
	if over != "" {
		text += " " + over
	}
	return text + under
}

// hundredfold is 100 x in decimal. Moving the point keeps all digits, where multiplying would round.
func hundredfold(x float64) string {
	mantissa, exp, _ := strings.Cut(strconv.FormatFloat(x, 'e', -1, 64), "e")
	n, _ := strconv.Atoi(exp)
	text := mantissa + "e" + strconv.Itoa(n+2)
	if y, err := strconv.ParseFloat(text, 64); err == nil && n > -5 && n < 15 {
		if short := strconv.FormatFloat(y, 'f', -1, 64); strings.Trim(strings.Replace(short, ".", "", 1), "0-") ==
			strings.Trim(strings.Replace(mantissa, ".", "", 1), "0-") {
			return short
		}
	}
	return text
}

// ParseLike reads what a reader types into an input of like's dimension. A bare number means so many of like's unit:
// like.Value is the size of that unit in base units, and its label and Binary are taken over. A wrong dimension is an
// *Error that says what it is, what to give, and an example. UnitOf makes a like from what an author wrote.
func ParseLike(text string, like Quantity) (Quantity, error) {
	text, ones := inOnes(text, like)
	q, billion, err := parse(text, &like.Dim)
	if err != nil || q.Dim != like.Dim && !(q.Dim.IsZero() && q.Label == (Label{})) {
		if whole, ok := wholly(text, like.Dim); ok && !like.Dim.IsZero() {
			q, err = whole, nil
		}
	}
	if err != nil {
		return q, err
	}
	if ones {
		like.Value = 1
	}
	bare := q.Dim.IsZero() && q.Label == (Label{})
	if billion > 0 && bare && like.Dim[Byte] != 0 {
		return Quantity{}, &Error{Offset: billion - 1, What: phrase.New("quantity.byte-or-billion"),
			Remedy: phrase.New("quantity.write-bytes")}
	}
	notZero := q.Value != 0
	if bare && !like.Dim.IsZero() {
		q = Quantity{Value: inUnits(q.Value, like.Value), Dim: like.Dim, Label: like.Label, Binary: like.Binary}
	}
	if bare && like.Dim.IsZero() {
		q.Value = inUnits(q.Value, like.Value)
	}
	if q.Dim != like.Dim {
		return Quantity{}, &Error{What: phrase.New("quantity.this-is", "dim", thisIs(q.Dim)),
			Remedy: phrase.New("quantity.wanted", "dim", wanted(like.Dim), "example", example(like))}
	}
	if !q.IsFinite() {
		return Quantity{}, outOfRange("quantity.too-large", 0, text)
	}
	if err := tooSmall(q.Value, notZero); err != nil {
		return Quantity{}, err
	}
	if like.Label != (Label{}) || q.IsPercent() {
		q.Label = like.Label
	}
	return q, nil
}

// inOnes cuts off a unit of 1, which says that a number is not meant in hundredths, or in whatever unit like is.
func inOnes(text string, like Quantity) (string, bool) {
	number, ones := strings.CutSuffix(strings.TrimSpace(text), " 1")
	if ones && like.Dim.IsZero() && like.Value != 1 {
		return number, true
	}
	return text, false
}

// inUnits is v units of the given size. Dividing by a whole number keeps 87.2 us the float64 nearest to 8.72e-05
// where multiplying by 1e-6 would not.
func inUnits(v, size float64) float64 {
	if size == 0 {
		size = 1
	}
	if n := 1 / size; size < 1 && n < 1e15 && n == float64(int64(n)) && 1/n == size {
		return v / n
	}
	return v * size
}

// percent is the label of a share that prints in hundredths, because whoever wrote it did: 80 %. Its value is 0.8.
// What becomes of it in products, quotients and sums is decided by the methods of Label; what a typed number without
// the sign means, by ParseLike, ParseShare and, in a field of a sheet, package input.
const percent = "%"

// IsPercent tells whether q prints in hundredths.
func (q Quantity) IsPercent() bool { return q.Label.Over == percent }

// Uncounted is q without the noun that it counts, for where a label says it. A share stays one, in hundredths.
func (q Quantity) Uncounted() Quantity {
	if q.Dim.IsZero() && !q.IsPercent() {
		q.Label = Label{}
	}
	return q
}

// Percent writes a share in hundredths, to so many decimals: Percent(0.1712, 1) is "17.1 %", with a space at which no
// line breaks. Format writes a share to so many significant digits; in a column or a progress bar all numbers should
// have the same decimals.
func Percent(share float64, decimals int) string {
	return minus(strconv.FormatFloat(100*share, 'f', decimals, 64)) + "\u00a0" + percent
}

// ParseShare reads a share as people write it in a list of settings: 0.25 or 25%. Beyond 0 to 1 there is none.
func ParseShare(text string) (share float64, ok bool) {
	number, hundredths := strings.CutSuffix(text, percent)
	share, err := strconv.ParseFloat(number, 64)
	if hundredths {
		share /= 100
	}
	return share, err == nil && share >= 0 && share <= 1
}
