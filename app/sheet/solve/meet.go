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
		return nil, phrase.New("sheet.too-many-roots", "most", search.MaxRoots, "input", in.Name, "range", in.RangeText())
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
	case m.Always:
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
