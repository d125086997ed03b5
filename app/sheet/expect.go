package sheet

import (
	"math"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// Check evaluates every `expect`, at the sheet's default inputs or at those it names.
func (s *Sheet) Check() []ExpectResult {
	fuel := checkFuel
	return s.CheckBy(func(st input.State) *Result {
		share := min(fuel, evalFuel)
		fuel -= share
		r := s.evalOn(&share, st)
		fuel += max(share, 0)
		return r
	})
}

// CheckBy is Check with evaluations of the caller.
func (s *Sheet) CheckBy(eval func(input.State) *Result) []ExpectResult {
	out := make([]ExpectResult, len(s.Expects))
	var first *Result
	for i, e := range s.Expects {
		r := first
		if r == nil || len(e.At) > 0 {
			r = eval(e.At)
		}
		if len(e.At) == 0 {
			first = r
		}
		out[i].Expect = e
		out[i].Got, out[i].Err = r.Value(e.Name)
		if err := r.misfits(e.At); err != nil {
			out[i].Err = err
		}
		out[i].OK = out[i].Err == nil && e.holds(out[i].Got)
	}
	return out
}

// Wanted says what e expects: "17.2 GFLOP", or "below 1 µs".
func (e *Expect) Wanted(l phrase.Phrases) string {
	switch want := e.Want.String(); e.Op {
	case "<":
		return l.Say("sheet.below", "value", want)
	case "<=":
		return l.Say("sheet.at-most", "value", want)
	case ">":
		return l.Say("sheet.above", "value", want)
	case ">=":
		return l.Say("sheet.at-least", "value", want)
	}
	return e.Want.String()
}

// IsBound tells whether e expects a value above or below another one, not a certain value.
func (e *Expect) IsBound() bool { return e.Op != "" && e.Op != "=" }

// misfits is why one of the given values cannot be set in the state of r, if one can't.
func (r *Result) misfits(st input.State) error {
	for _, in := range r.Sheet.Inputs {
		if _, ok := st[in.Name]; !ok {
			continue
		}
		if err := r.Misfit(in.Name); err != nil {
			return phrase.New("sheet.input-fault", "input", in.Name, "fault", err)
		}
	}
	return nil
}

// holds tells whether got is what e wants: numbers within its tolerance, relative to what is wanted (where that is
// zero, in base units), or on the right side of a bound; anything else exactly.
func (e *Expect) holds(got value.Value) bool {
	if got.Kind != value.Number || e.Want.Kind != value.Number {
		return got.Equal(e.Want)
	}
	want := e.Want.Num.Value
	if e.IsBound() {
		return got.Num.Dim == e.Want.Num.Dim && value.Holds(e.Op, value.Compare(got.Num.Value, want, 0))
	}
	scale := math.Abs(want)
	if want == 0 {
		scale = 1
	}
	return got.Num.Dim == e.Want.Num.Dim && math.Abs(got.Num.Value-want) <= float64(e.Within*scale)
}

// expected is the tolerance of an `expect` that names none.
const expected = 1e-9
