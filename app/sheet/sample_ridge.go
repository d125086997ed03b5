package sheet

import (
	"math"
	"slices"

	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/search"
	"github.com/scalebook/scalebook/app/sheet/syntax"
)

// ridge watches which operand of a min or max is its value while an input varies.
type ridge struct {
	env   *Env
	sw    *sweeper
	names []string // what sw sweeps: the names in the operands
	args  []syntax.Expr
	least bool // min
}

// maxAliases bounds how far a name is followed to what it stands for.
const maxAliases = 8

// ridgeOf is the min or max that a row is as a whole, seen through parentheses, factors, names that only stand for
// another row, and laws whose formula is a min or max; nil if it is none.
func (pl *plotter) ridgeOf(b *band, name string) *ridge {
	call := pl.s.outermost(name)
	if call == nil {
		return nil
	}
	r := &ridge{env: pl.s.env, args: call.Args, least: call.Func == "min"}
	for _, a := range call.Args {
		r.collect(pl.s, a)
	}
	r.sw = pl.s.sweepOn(pl.fuel, b.st, pl.in.Name, r.names)
	return r
}

// outermost is the call of min or max that row name is as a whole, but for factors: the rate ops / max(a, b) has its
// ridge where the max has. It is nil if there is none, or more than one.
func (s *Sheet) outermost(name string) *syntax.Call {
	if e := s.def(name); e != nil {
		return s.extreme(e, maxAliases)
	}
	return nil
}

func (s *Sheet) extreme(e syntax.Expr, depth int) *syntax.Call {
	if depth == 0 {
		return nil
	}
	switch x := syntax.Ungroup(e).(type) {
	case *syntax.Name:
		return s.extremeOf(s.def(x.Name), depth)
	case *syntax.Unary:
		return s.extreme(x.X, depth)
	case *syntax.Binary:
		if x.Op != "*" && x.Op != "/" {
			return nil
		}
		left, right := s.extreme(x.X, depth-1), s.extreme(x.Y, depth-1)
		switch {
		case left == nil:
			return right
		case right == nil:
			return left
		}
	case *syntax.Call:
		if x.Recv == nil && (x.Func == "min" || x.Func == "max") {
			if len(x.Args) > 1 {
				return x
			}
			return nil
		}
		body, _ := s.writer().Expand(x)
		return s.extremeOf(body, depth)
	}
	return nil
}

func (s *Sheet) extremeOf(e syntax.Expr, depth int) *syntax.Call {
	if e == nil {
		return nil
	}
	return s.extreme(e, depth-1)
}

// collect notes the rows that e names.
func (r *ridge) collect(s *Sheet, e syntax.Expr) {
	if n, ok := e.(*syntax.Name); ok && s.Row(n.Name) != nil {
		for _, old := range r.names {
			if old == n.Name {
				return
			}
		}
		r.names = append(r.names, n.Name)
	}
	for _, x := range syntax.Parts(e) {
		r.collect(s, x)
	}
}

// values are the operands at x; NaN where one has no value.
func (r *ridge) values(x float64, out []float64) []float64 {
	rows := r.sw.num(x)
	scope := func(name string) (Value, bool) {
		for i, n := range r.names {
			if n == name && i < len(rows) && rows[i].Err == nil {
				return rows[i].Value, true
			}
		}
		return Value{}, false
	}
	out = out[:0]
	for _, a := range r.args {
		y := math.NaN()
		if v, ok := r.operand(a, scope); ok && v.Kind == Number {
			y = v.Num.Value
		}
		out = append(out, y)
	}
	return out
}

// operand is one operand: a row's value as it is, anything else computed from the rows.
func (r *ridge) operand(a syntax.Expr, scope func(string) (Value, bool)) (Value, bool) {
	if n, ok := syntax.Ungroup(a).(*syntax.Name); ok {
		if v, ok := scope(n.Name); ok {
			return v, true
		}
	}
	v, err := expr.Eval(r.env, a, scope)
	return v, err == nil
}

// winner is the operand that is the min or max; -1 if one has no value, or two share the place.
func (r *ridge) winner(ys []float64) int {
	best := 0
	for i, y := range ys {
		if math.IsNaN(y) {
			return -1
		}
		if r.least && y < ys[best] || !r.least && y > ys[best] {
			best = i
		}
	}
	for i, y := range ys {
		if i != best && y == ys[best] {
			return -1
		}
	}
	return best
}

// changes are the x at which the winner changes, among samples at xs.
func (r *ridge) changes(xs []float64, scale search.Interval) []float64 {
	var at []float64
	last, from := -1, 0.0
	var ys, before []float64
	for _, x := range xs {
		ys = r.values(x, ys)
		w := r.winner(ys)
		if w >= 0 && last >= 0 && w != last && len(at) < maxMarks {
			at = append(at, r.between(scale, last, w, from, x, before, ys)...)
		}
		if w >= 0 {
			last, from = w, x
			before = append(before[:0], ys...)
		} else if anyNaN(ys) {
			last = -1
		}
	}
	return at
}

// between is where operand w takes over from operand v, between from and to.
func (r *ridge) between(scale search.Interval, v, w int, from, to float64, before, after []float64) []float64 {
	var ys []float64
	both := func(x float64) (float64, float64, bool) {
		ys = r.values(x, ys)
		return ys[v], ys[w], !math.IsNaN(ys[v]) && !math.IsNaN(ys[w])
	}
	a := search.Look{X: from, Left: before[v], Right: before[w], OK: true}
	b := search.Look{X: to, Left: after[v], Right: after[w], OK: true}
	return search.Changeovers(both, scale, a, b)
}

func anyNaN(ys []float64) bool { return slices.ContainsFunc(ys, math.IsNaN) }
