package quantity

import (
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
)

// ParseLike reads what a reader types into an input of like's dimension. A bare number means so many of like's unit:
// like.Value is the size of that unit in base units, and its label and Binary are taken over. A wrong dimension is an
// *Error that says what it is, what to give, and an example. UnitOf makes a like from what an author wrote.
func ParseLike(text string, like Quantity) (Quantity, error) {
	text, ones := inOnes(text, like)
	q, billion, err := parse(text)
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
