package sheet

import (
	"errors"
	"math"
	"strconv"

	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/search"
	"github.com/scalebook/scalebook/app/sheet/syntax"
)

// solve finds the values of in, d's input, within its range, that d asks for, ascending. sw sweeps the sides of d.
func (s *Sheet) solve(in *Input, d *solveDef, sw *sweeper) ([]float64, error) {
	if in == nil || !in.IsNumber() {
		return nil, errors.New("`" + d.Input + "` is no number that could be solved for")
	}
	if d.isExtreme() {
		return s.solveExtreme(d, in, sw)
	}
	two := &sidePair{sw: sw}
	m := search.Meet(two.curves, in.span())
	switch {
	case len(m.Roots) == 0:
		return nil, s.noMeeting(d, in, two, m)
	case d.Goal == syntax.GoalAll && m.Count > len(m.Roots):
		return nil, errors.New("more than " + strconv.Itoa(search.MaxRoots) + " values for " + in.Name + " from " + in.rangeText() +
			", too many to list; give `" + in.Name + "` a narrower range")
	}
	return m.Roots, nil
}

// noMeeting says in words why the sides of d meet nowhere in the input's range.
func (s *Sheet) noMeeting(d *solveDef, in *Input, two *sidePair, m search.Meetings) error {
	left, right := s.words(d.Left), s.words(d.Right)
	where := " for " + in.Name + " from " + in.rangeText()
	switch {
	case m.Valid == 0 && two.err != nil:
		return errors.New("no value" + where + ": " + two.err.Error())
	case m.Valid == 0:
		return errors.New("no value" + where)
	case m.Always:
		return errors.New(left + " and " + right + " are equal everywhere" + where)
	case len(m.Jumps) > 0:
		return errors.New(two.jumpText(left, right, in, m.Jumps[0]))
	}
	stays := " stays above "
	if m.Nearest.Sign() < 0 {
		stays = " stays below "
	}
	if changesSides(m.Samples) {
		stays = " never equals "
	}
	return errors.New(left + stays + right + where + " (closest at " + in.assigned(m.Nearest.X) + ": " +
		two.l(m.Nearest.Left) + " against " + two.r(m.Nearest.Right) + ")")
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

// sidePair reads two swept rows as two curves, and remembers what kind of quantities they are.
type sidePair struct {
	sw          *sweeper
	left, right quantity.Quantity
	err         error // why there was no value, the last time there was none
}

func (p *sidePair) curves(x float64) (l, r float64, ok bool) {
	rows := p.sw.num(x)
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

func (p *sidePair) l(v float64) string { return withValue(p.left, v) }
func (p *sidePair) r(v float64) string { return withValue(p.right, v) }

// jumpText says that one side leaps over the other.
func (p *sidePair) jumpText(left, right string, in *Input, jump [2]search.Look) string {
	a, b := jump[0], jump[1]
	who, other, from, to, than := left, right, p.l(a.Left), p.l(b.Left), p.r(b.Right)
	if math.Abs(b.Right-a.Right) > math.Abs(b.Left-a.Left) {
		who, other, from, to, than = right, left, p.r(a.Right), p.r(b.Right), p.l(b.Left)
	}
	return who + " never equals " + other + ": it jumps from " + from + " to " + to + " at " + in.assigned(b.X) +
		", across " + than
}

// span is where a search for a value of in looks: its range, or a wide one around its author's value.
func (in *Input) span() search.Interval {
	v := in.Default.Num.Value
	switch {
	case in.Ranged:
		return search.Interval{Lo: in.Min, Hi: in.Max, Log: in.Log && in.Min > 0}
	case v > 0:
		return search.Interval{Lo: max(v/1e4, 1e-300), Hi: min(v*1e4, math.MaxFloat64), Log: true}
	case v < 0:
		v = min(-v, 1e300)
	case in.Unit.Value > 0:
		v = in.Unit.Value
	default:
		v = 1
	}
	return search.Interval{Lo: -1e4 * v, Hi: 1e4 * v}
}

// quantity is the value x of in: its dimension, label and prefixes are those its author wrote.
func (in *Input) quantity(x float64) quantity.Quantity {
	q := in.Default.Num
	q.Value = x
	return q
}

// assigned is "B = 512 tokens".
func (in *Input) assigned(x float64) string { return in.Name + " = " + in.quantity(x).String() }

// rangeText is "1 to 16,384 tokens".
func (in *Input) rangeText() string {
	p := in.span()
	return fromTo(in.quantity(p.Lo), in.quantity(p.Hi))
}

// fromTo is "1 to 16,384 tokens": the unit once where it is the same.
func fromTo(lo, hi quantity.Quantity) string {
	a, ua := lo.Parts()
	b, ub := hi.Parts()
	if ua != "" && (ua == ub || ua+"s" == ub || ua+"es" == ub) {
		return a + " to " + b + " " + ub
	}
	return lo.String() + " to " + hi.String()
}

func withValue(q quantity.Quantity, v float64) string {
	q.Value = v
	return q.String()
}
