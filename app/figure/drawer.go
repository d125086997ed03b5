package figure

import (
	"math"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// drawer draws a figure from its values.
type drawer func(l phrase.Phrases, a values) (*Drawing, error)

// values are what a figure is drawn from, one for each of its parameters.
type values []value.Value

// num is a value as a number.
func (a values) num(i int) float64 { return a[i].Num.Value }

// whole is a number as a step or a place.
func (a values) whole(i int) int { return int(a.num(i) + 0.5) }

// infallible is a figure that refuses no values.
func infallible(draw func(phrase.Phrases, values) *Drawing) drawer {
	return func(l phrase.Phrases, a values) (*Drawing, error) { return draw(l, a), nil }
}

// positive is a figure whose numbers are all above 0: it stands on a logarithmic axis, or shares them out.
func positive(draw func(phrase.Phrases, values) *Drawing) drawer {
	return func(l phrase.Phrases, a values) (*Drawing, error) {
		for _, v := range a {
			if v.Kind == value.Number && !(v.Num.Value > 0 && v.Num.Value <= math.MaxFloat64) {
				return nil, phrase.New("library.give-finite")
			}
		}
		return draw(l, a), nil
	}
}

// trying is a figure of what is behind its first value, and of all its values; it may refuse them.
func trying[T any](draw func(phrase.Phrases, T, values) (*Drawing, error)) drawer {
	return func(l phrase.Phrases, a values) (*Drawing, error) {
		x, err := unwrap[T](a[0])
		if err != nil {
			return nil, err
		}
		return draw(l, x, a)
	}
}

// drawing is a figure of what is behind its first value, and of all its values.
func drawing[T any](draw func(phrase.Phrases, T, values) *Drawing) drawer {
	return trying(func(l phrase.Phrases, x T, a values) (*Drawing, error) { return draw(l, x, a), nil })
}

// alone is a figure of what is behind its only value.
func alone[T any](draw func(phrase.Phrases, T) *Drawing) drawer {
	return drawing(func(l phrase.Phrases, x T, _ values) *Drawing { return draw(l, x) })
}

// unwrap is the value of the domain that a record stands for.
func unwrap[T any](v value.Value) (x T, err error) {
	if v.Record != nil {
		if x, ok := v.Record.Of.(T); ok {
			return x, nil
		}
	}
	return x, phrase.New("figure.undrawn", "value", v.String())
}
