package sheet

import (
	"math"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/search"
)

// Seek answers "which input makes output equal target?": the value nearest to the present one, within the input's
// range. The error says, in words for the reader, what the output can reach. It evaluates the sheet some thousand
// times at most.
func (s *Sheet) Seek(st State, output string, target quantity.Quantity, input string) (quantity.Quantity, error) {
	in, row := s.InputIn(st, input), s.Row(output)
	switch {
	case in == nil:
		return quantity.Quantity{}, phrase.New("sheet.no-input-named", "name", input)
	case row == nil:
		return quantity.Quantity{}, phrase.New("sheet.no-row", "name", output)
	case !in.IsNumber():
		return quantity.Quantity{}, phrase.New("sheet.not-sought", "what", s.writer().WordsFor(input))
	case row.Type.Kind != Number:
		return quantity.Quantity{}, phrase.New("sheet.not-aimed", "what", s.writer().WordsFor(output))
	case row.Type.Dim != target.Dim:
		return quantity.Quantity{}, phrase.New("sheet.target-dim", "what", s.writer().WordsFor(output), "dim",
			row.Type.Dim.Words(), "target", target.String(), "wanted", target.Dim.Words())
	case !target.IsFinite():
		return quantity.Quantity{}, phrase.New("sheet.target-not-finite-number")
	}
	one := &aim{sw: s.sweep(st, input, []string{output}), target: target.Value}
	p := in.Span()
	m := search.Meet(one.curves, p)
	if m.Always {
		return in.Quantity(s.current(st, in)), nil
	}
	if len(m.Roots) == 0 {
		return quantity.Quantity{}, s.outOfReach(output, target, in, one, m)
	}
	return in.Quantity(p.Nearest(m.Roots, s.current(st, in))), nil
}

// aim reads one swept row against a fixed value.
type aim struct {
	sw     *sweeper
	target float64
	output quantity.Quantity
	err    error
}

func (a *aim) curves(x float64) (l, r float64, ok bool) {
	rows := a.sw.Num(x)
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
	if in.Dependent {
		f := s.newFrame(st, s.share(evalFuel))
		slots, _ := s.prog.plan([]int{s.slot(in.Name)}, -1)
		f.run(slots, false)
		if r := f.Rows[s.slot(in.Name)]; r.Err == nil {
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
	what := s.writer().WordsFor(output)
	switch {
	case m.Valid == 0 && one.err != nil:
		return phrase.New("sheet.no-value-for-why", "what", what, "input", in.Name, "range", in.RangeText(), "why", one.err)
	case m.Valid == 0:
		return phrase.New("sheet.no-value-for", "what", what, "input", in.Name, "range", in.RangeText())
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, a := range m.Samples {
		lo, hi = min(lo, a.Left), max(hi, a.Left)
	}
	low, high := one.output, one.output
	low.Value, high.Value = lo, hi
	if hi-lo <= search.SameWithin*math.Abs(hi) {
		return phrase.New("sheet.always", "what", what, "value", low.String(), "input", in.Name)
	}
	if len(m.Jumps) > 0 {
		a, b := m.Jumps[0][0], m.Jumps[0][1]
		return phrase.New("sheet.never-jumps", "what", what, "target", target.String(), "from", withValue(low, a.Left),
			"to", withValue(low, b.Left), "place", in.Assigned(b.X))
	}
	return phrase.New("sheet.out-of-reach", "target", target.String(), "what", what, "reach", input.FromTo(low, high),
		"input", in.Name, "range", in.RangeText())
}
