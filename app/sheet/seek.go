package sheet

import (
	"errors"
	"math"

	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/search"
)

// Seek answers "which input makes output equal target?": the value nearest to the present one, within the input's
// range. The error says, in words for the reader, what the output can reach. It evaluates the sheet some thousand
// times at most.
func (s *Sheet) Seek(st State, output string, target quantity.Quantity, input string) (quantity.Quantity, error) {
	in, row := s.InputIn(st, input), s.Row(output)
	switch {
	case in == nil:
		return quantity.Quantity{}, errors.New("the sheet has no input `" + input + "`")
	case row == nil:
		return quantity.Quantity{}, errors.New("the sheet has no row `" + output + "`")
	case !in.IsNumber():
		return quantity.Quantity{}, errors.New(s.wordsFor(input) + " is no number that could be sought")
	case row.Type.Kind != Number:
		return quantity.Quantity{}, errors.New(s.wordsFor(output) + " is no number that could be aimed at")
	case row.Type.Dim != target.Dim:
		return quantity.Quantity{}, errors.New(s.wordsFor(output) + " is " + row.Type.Dim.Words() +
			", and the target " + target.String() + " is " + target.Dim.Words())
	case !target.IsFinite():
		return quantity.Quantity{}, errors.New("the target is not a finite number")
	}
	one := &aim{sw: s.sweep(st, input, []string{output}), target: target.Value}
	p := in.span()
	m := search.Meet(one.curves, p)
	if m.Always {
		return in.quantity(s.current(st, in)), nil
	}
	if len(m.Roots) == 0 {
		return quantity.Quantity{}, s.outOfReach(output, target, in, one, m)
	}
	return in.quantity(p.Nearest(m.Roots, s.current(st, in))), nil
}

// aim reads one swept row against a fixed value.
type aim struct {
	sw     *sweeper
	target float64
	output quantity.Quantity
	err    error
}

func (a *aim) curves(x float64) (l, r float64, ok bool) {
	rows := a.sw.num(x)
	if len(rows) == 0 {
		return 0, 0, false
	}
	if rows[0].Err != nil {
		a.err = rows[0].Err
		return 0, 0, false
	}
	a.output = rows[0].Value.Num
	return a.output.Value, a.target, true
}

// current is the present value of a number input.
func (s *Sheet) current(st State, in *Input) float64 {
	return s.present(st, in).Num.Value
}

// present is the value of an input in state st.
func (s *Sheet) present(st State, in *Input) Value {
	if in.follows {
		f := s.newFrame(st, s.share(evalFuel))
		slots, _ := s.prog.plan([]int{s.slot(in.Name)}, -1)
		f.run(slots, false)
		if r := f.rows[s.slot(in.Name)]; r.Err == nil {
			return r.Value
		}
		return in.Default
	}
	if v, ok := st[in.Name]; ok && v.Kind == in.Default.Kind {
		return v
	}
	return in.Default
}

// outOfReach says what output does instead of becoming target.
func (s *Sheet) outOfReach(output string, target quantity.Quantity, in *Input, one *aim, m search.Meetings) error {
	what, where := s.wordsFor(output), " for "+in.Name+" from "+in.rangeText()
	switch {
	case m.Valid == 0 && one.err != nil:
		return errors.New(what + " has no value" + where + ": " + one.err.Error())
	case m.Valid == 0:
		return errors.New(what + " has no value" + where)
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, a := range m.Samples {
		lo, hi = min(lo, a.Left), max(hi, a.Left)
	}
	low, high := one.output, one.output
	low.Value, high.Value = lo, hi
	if hi-lo <= search.SameWithin*math.Abs(hi) {
		return errors.New(what + " is " + low.String() + " whatever " + in.Name + " is")
	}
	if len(m.Jumps) > 0 {
		a, b := m.Jumps[0][0], m.Jumps[0][1]
		return errors.New(what + " is never " + target.String() + ": it jumps from " + withValue(low, a.Left) + " to " +
			withValue(low, b.Left) + " at " + in.assigned(b.X))
	}
	return errors.New(target.String() + " is out of reach: " + what + " goes from " + fromTo(low, high) + where)
}
