package plot

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/search"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// curves are rows given as functions, and a count of how often they were looked at.
type curves struct {
	f     []func(x float64) float64
	looks *int
}

func (c curves) Num(x float64) []expr.Row {
	*c.looks++
	rows := make([]expr.Row, len(c.f))
	for i, f := range c.f {
		rows[i] = expr.Row{Value: number(f(x))}
		if y := f(x); math.IsNaN(y) {
			rows[i].Err = errors.New("no value")
		}
	}
	return rows
}

func (c curves) At(v value.Value) []expr.Row { return c.Num(v.Num.Value) }

func number(x float64) value.Value {
	return value.Value{Kind: value.Number, Num: quantity.Quantity{Value: x}}
}

// plotOf plots functions of x from 0 to 100, with fuel for so many looks.
func plotOf(fuel int, f ...func(x float64) float64) *Plot {
	looks := 0
	p := &Plot{
		Over: &input.Input{Name: "x", Default: number(10), Ranged: true, Max: 100},
		Now:  number(10), Range: search.Interval{Lo: 0, Hi: 100},
		Spent: func() error {
			if looks > fuel {
				return errors.New("too long")
			}
			return nil
		},
		Bands: []Band{{
			Sweep:   func([]string) Sweep { return curves{f, &looks} },
			Extreme: func(string) *Extreme { return nil },
		}},
	}
	for i := range f {
		p.Y = append(p.Y, Row{Name: string(rune('a' + i))})
	}
	return p
}

// TestSampleIsSharp puts a point where a curve has a corner, and marks where two curves cross.
func TestSampleIsSharp(t *testing.T) {
	d := plotOf(1e4, func(x float64) float64 { return math.Abs(x - 33.3) },
		func(x float64) float64 { return 20 }).Sample()
	if d.Err != nil || len(d.Series) != 2 {
		t.Fatalf("%+v", d)
	}
	near := func(want float64) func(x float64) bool {
		return func(x float64) bool { return math.Abs(x-want) < 1e-6 }
	}
	if !slices.ContainsFunc(d.Series[0].X, near(33.3)) {
		t.Error("no point at the corner")
	}
	if len(d.Marks) != 2 || !near(13.3)(d.Marks[0].X) || !near(53.3)(d.Marks[1].X) {
		t.Errorf("marks %+v", d.Marks)
	}
}

// TestSampleStops ends a plot that costs too much, and says why one has nothing to draw.
func TestSampleStops(t *testing.T) {
	line := func(x float64) float64 { return x }
	if d := plotOf(50, line).Sample(); d.Err == nil || len(d.Series) != 0 {
		t.Errorf("beyond its fuel: %+v", d)
	}
	d := plotOf(1e4, func(float64) float64 { return math.NaN() }).Sample()
	if d.Err == nil || d.Err.Error() != "no value" {
		t.Errorf("without values: %v", d.Err)
	}
}
