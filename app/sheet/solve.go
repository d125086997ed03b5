package sheet

import (
	"errors"
	"math"
	"strconv"

	"github.com/scalebook/scalebook/app/quantity"
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
	m := meet(two.at, in.span())
	switch {
	case len(m.roots) == 0:
		return nil, s.noMeeting(d, in, two, m)
	case d.Goal == syntax.GoalAll && m.count > len(m.roots):
		return nil, errors.New("more than " + strconv.Itoa(maxRoots) + " values for " + in.Name + " from " + in.rangeText() +
			", too many to list; give `" + in.Name + "` a narrower range")
	}
	return m.roots, nil
}

// noMeeting says in words why the sides of d meet nowhere in the input's range.
func (s *Sheet) noMeeting(d *solveDef, in *Input, two *sidePair, m meetings) error {
	left, right := s.words(d.Left), s.words(d.Right)
	where := " for " + in.Name + " from " + in.rangeText()
	switch {
	case m.valid == 0 && two.err != nil:
		return errors.New("no value" + where + ": " + two.err.Error())
	case m.valid == 0:
		return errors.New("no value" + where)
	case m.always:
		return errors.New(left + " and " + right + " are equal everywhere" + where)
	case len(m.jumps) > 0:
		return errors.New(two.jumpText(left, right, in, m.jumps[0]))
	}
	stays := " stays above "
	if m.nearest.sign() < 0 {
		stays = " stays below "
	}
	if changesSides(m.samples) {
		stays = " never equals "
	}
	return errors.New(left + stays + right + where + " (closest at " + in.at(m.nearest.x) + ": " +
		two.l(m.nearest.l) + " against " + two.r(m.nearest.r) + ")")
}

// changesSides tells whether l is above r in one twoAt and below it in another, without meeting it in between: the
// curves have no value there.
func changesSides(samples []twoAt) bool {
	for _, a := range samples {
		if a.sign() != samples[0].sign() {
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

func (p *sidePair) at(x float64) (l, r float64, ok bool) {
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
func (p *sidePair) jumpText(left, right string, in *Input, jump [2]twoAt) string {
	a, b := jump[0], jump[1]
	who, other, from, to, than := left, right, p.l(a.l), p.l(b.l), p.r(b.r)
	if math.Abs(b.r-a.r) > math.Abs(b.l-a.l) {
		who, other, from, to, than = right, left, p.r(a.r), p.r(b.r), p.l(b.l)
	}
	return who + " never equals " + other + ": it jumps from " + from + " to " + to + " at " + in.at(b.x) +
		", across " + than
}

// span is where a search for a value of in looks: its range, or a wide one around its author's value.
func (in *Input) span() stretch {
	v := in.Default.Num.Value
	switch {
	case in.Ranged:
		return stretch{in.Min, in.Max, in.Log && in.Min > 0}
	case v > 0:
		return stretch{max(v/1e4, 1e-300), min(v*1e4, math.MaxFloat64), true}
	case v < 0:
		v = min(-v, 1e300)
	case in.Unit.Value > 0:
		v = in.Unit.Value
	default:
		v = 1
	}
	return stretch{-1e4 * v, 1e4 * v, false}
}

// quantity is the value x of in: its dimension, label and prefixes are those its author wrote.
func (in *Input) quantity(x float64) quantity.Quantity {
	q := in.Default.Num
	q.Value = x
	return q
}

// at is "B = 512 tokens".
func (in *Input) at(x float64) string { return in.Name + " = " + in.quantity(x).String() }

// rangeText is "1 to 16,384 tokens".
func (in *Input) rangeText() string {
	p := in.span()
	return fromTo(in.quantity(p.lo), in.quantity(p.hi))
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
