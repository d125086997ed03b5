// Package solve finds the values of one input at which rows of a sheet meet, are least or greatest, or reach a target,
// and says in words why there are none. Package search does the finding, among numbers; whoever evaluates the rows is
// handed in.
package solve

import (
	"math"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/search"
	"github.com/scalebook/scalebook/app/sheet/syntax"
)

// Search looks through the range of an input.
type Search struct {
	In    *input.Input               // a number
	Rows  func(x float64) []expr.Row // the rows that it is about where the input is x; the next call reuses the slice
	Words func(e syntax.Expr) any    // what readers call an expression
}

// Def is a `solve` statement. Its sides are hidden steps of the sheet, called "NAME.left" and "NAME.right".
type Def struct {
	Name, Input string
	Left, Right syntax.Expr // Right is nil where Left is to be least or greatest
	Goal        syntax.Goal
}

// IsExtreme tells whether d looks for a least or greatest value.
func (d *Def) IsExtreme() bool { return d.Right == nil }

// Sides are the names of the hidden steps of a solve.
func (d *Def) Sides() []string {
	if d.IsExtreme() {
		return []string{d.Name + ".left"}
	}
	return []string{d.Name + ".left", d.Name + ".right"}
}

// Find finds the values of the input that d asks for, ascending. The error says why there are none.
func (s *Search) Find(d *Def) ([]float64, error) {
	if d.IsExtreme() {
		return s.least(d)
	}
	in, two := s.In, &pair{rows: s.Rows}
	m := search.Meet(two.curves, in.Span())
	switch {
	case len(m.Roots) == 0:
		return nil, s.noMeeting(d, two, m)
	case d.Goal == syntax.GoalAll && m.Count > len(m.Roots):
		return nil, phrase.New("sheet.too-many-roots", "most", search.MaxRoots, "input", in.Name, "range",
			in.RangeText())
	}
	return m.Roots, nil
}

// noMeeting says in words why the sides of d meet nowhere in the input's range.
func (s *Search) noMeeting(d *Def, two *pair, m search.Meetings) error {
	in, left, right := s.In, s.Words(d.Left), s.Words(d.Right)
	switch {
	case m.Valid == 0 && two.err != nil:
		return phrase.New("sheet.no-root-why", "input", in.Name, "range", in.RangeText(), "why", two.err)
	case m.Valid == 0:
		return phrase.New("sheet.no-root", "input", in.Name, "range", in.RangeText())
	case m.Coincide:
		return phrase.New("sheet.always-equal", "left", left, "right", right, "input", in.Name, "range", in.RangeText())
	case len(m.Jumps) > 0:
		return two.jump(left, right, in, m.Jumps[0])
	}
	key := "sheet.stays-above"
	if m.Nearest.Sign() < 0 {
		key = "sheet.stays-below"
	}
	if changesSides(m.Samples) {
		key = "sheet.never-equals"
	}
	return phrase.New(key, "left", left, "right", right, "input", in.Name, "range", in.RangeText(),
		"place", in.Assigned(m.Nearest.X), "lefthas", two.l(m.Nearest.Left), "righthas", two.r(m.Nearest.Right))
}

// changesSides tells whether l is above r in one place and below it in another, without meeting it in between: the
// curves have no value there.
func changesSides(samples []search.Look) bool {
	for _, a := range samples {
		if a.Sign() != samples[0].Sign() {
			return true
		}
	}
	return false
}

// pair reads two swept rows as two curves, and remembers what kind of quantities they are.
type pair struct {
	rows        func(x float64) []expr.Row
	left, right quantity.Quantity
	err         error // why there was no value, the last time there was none
}

func (p *pair) curves(x float64) (l, r float64, ok bool) {
	rows := p.rows(x)
	for i := range rows {
		if rows[i].Err != nil {
			p.err = rows[i].Err
			return 0, 0, false
		}
	}
	if len(rows) < 2 {
		return 0, 0, false
	}
	p.left, p.right = rows[0].Value.Num, rows[1].Value.Num
	return p.left.Value, p.right.Value, true
}

func (p *pair) l(v float64) string { return withValue(p.left, v) }
func (p *pair) r(v float64) string { return withValue(p.right, v) }

// jump says that one side leaps over the other.
func (p *pair) jump(left, right any, in *input.Input, jump [2]search.Look) *phrase.Phrase {
	a, b := jump[0], jump[1]
	who, other, from, to, than := left, right, p.l(a.Left), p.l(b.Left), p.r(b.Right)
	if math.Abs(b.Right-a.Right) > math.Abs(b.Left-a.Left) {
		who, other, from, to, than = right, left, p.r(a.Right), p.r(b.Right), p.l(b.Left)
	}
	return phrase.New("sheet.never-equals-jumps", "who", who, "other", other, "from", from, "to", to, "place",
		in.Assigned(b.X), "than", than)
}

func withValue(q quantity.Quantity, v float64) string {
	q.Value = v
	return q.String()
}

// Reach is the value of the input at which the row becomes target: the one nearest to now, the present one. The error
// says what the row, which readers know as what, can reach.
func (s *Search) Reach(target quantity.Quantity, what any, now float64) (quantity.Quantity, error) {
	in, one := s.In, &aim{rows: s.Rows, target: target.Value}
	p := in.Span()
	m := search.Meet(one.curves, p)
	switch {
	case m.Coincide:
		return in.Quantity(now), nil
	case len(m.Roots) == 0:
		return quantity.Quantity{}, one.outOfReach(what, target, in, m)
	}
	return in.Quantity(p.Nearest(m.Roots, now)), nil
}

// aim reads a row against a fixed value.
type aim struct {
	rows   func(x float64) []expr.Row
	target float64
	output quantity.Quantity
	err    error
}

func (a *aim) curves(x float64) (l, r float64, ok bool) {
	rows := a.rows(x)
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

// outOfReach says what the row does instead of becoming target.
func (a *aim) outOfReach(what any, target quantity.Quantity, in *input.Input, m search.Meetings) error {
	switch {
	case m.Valid == 0 && a.err != nil:
		return phrase.New("sheet.no-value-for-why", "what", what, "input", in.Name, "range", in.RangeText(), "why",
			a.err)
	case m.Valid == 0:
		return phrase.New("sheet.no-value-for", "what", what, "input", in.Name, "range", in.RangeText())
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, look := range m.Samples {
		lo, hi = min(lo, look.Left), max(hi, look.Left)
	}
	low, high := a.output, a.output
	low.Value, high.Value = lo, hi
	if hi-lo <= search.SameWithin*math.Abs(hi) {
		return phrase.New("sheet.always", "what", what, "value", low.String(), "input", in.Name)
	}
	if len(m.Jumps) > 0 {
		before, after := m.Jumps[0][0], m.Jumps[0][1]
		return phrase.New("sheet.never-jumps", "what", what, "target", target.String(), "from",
			withValue(low, before.Left), "to", withValue(low, after.Left), "place", in.Assigned(after.X))
	}
	return phrase.New("sheet.out-of-reach", "target", target.String(), "what", what, "reach", input.FromTo(low, high),
		"input", in.Name, "range", in.RangeText())
}

// least is where d's left side is least or greatest: `solve best: B where T is least`.
func (s *Search) least(d *Def) ([]float64, error) {
	in, sign, failed := s.In, 1.0, error(nil)
	if d.Goal == syntax.GoalGreatest {
		sign = -1
	}
	value := func(x float64) float64 {
		row := &s.Rows(x)[0]
		if row.Err != nil {
			failed = row.Err
			return math.Inf(1)
		}
		return sign * row.Value.Num.Value
	}
	at, flat := search.Least(value, in.Span(), in.Min, in.Step)
	switch {
	case math.IsInf(at.Y, 1) && failed != nil:
		return nil, phrase.New("sheet.no-value-for-why", "what", s.Words(d.Left), "input", in.Name,
			"range", in.RangeText(), "why", failed)
	case flat:
		return nil, phrase.New("sheet.same-everywhere", "what", s.Words(d.Left), "input", in.Name,
			"range", in.RangeText())
	}
	return []float64{at.X}, nil
}
