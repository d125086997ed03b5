package sheet

import (
	"math"
	"slices"

	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/plot"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// maxAliases bounds how far a name is followed to what it stands for.
const maxAliases = 8

// extremeOf is the min or max that a row is as a whole, with its operands along a sweep; nil if it is none.
func (s *Sheet) extremeOf(name string, sweep func(names []string) *sweeper) *plot.Extreme {
	call := s.outermost(name)
	if call == nil {
		return nil
	}
	o := &operands{env: s.env, args: call.Args}
	for _, a := range call.Args {
		o.collect(s, a)
	}
	o.sw = sweep(o.names)
	return &plot.Extreme{Least: call.Func == "min", Operands: o.values}
}

// outermost is the call of min or max that row name is as a whole, seen through parentheses, factors, names that only
// stand for another row, and laws whose formula is a min or max: the rate ops / max(a, b) has its ridge where the max
// has. It is nil if there is none, or more than one.
func (s *Sheet) outermost(name string) *syntax.Call { return s.extreme(s.def(name), maxAliases) }

// extreme is outermost for an expression, which may be nil; depth is how many names may still be followed.
func (s *Sheet) extreme(e syntax.Expr, depth int) *syntax.Call {
	if e == nil || depth == 0 {
		return nil
	}
	switch x := syntax.Ungroup(e).(type) {
	case *syntax.Name:
		return s.extreme(s.def(x.Name), depth-1)
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
		return s.extreme(body, depth-1)
	}
	return nil
}

// operands evaluates the operands of a min or max while an input varies.
type operands struct {
	env   *value.Env
	sw    *sweeper
	names []string // what sw sweeps: the rows in the operands
	args  []syntax.Expr
}

// collect notes the rows that e names.
func (o *operands) collect(s *Sheet, e syntax.Expr) {
	if n, ok := e.(*syntax.Name); ok && s.Row(n.Name) != nil && !slices.Contains(o.names, n.Name) {
		o.names = append(o.names, n.Name)
	}
	for _, x := range syntax.Parts(e) {
		o.collect(s, x)
	}
}

// values are the operands at x; NaN where one has no value.
func (o *operands) values(x float64, out []float64) []float64 {
	rows := o.sw.Num(x)
	scope := func(name string) (value.Value, bool) {
		i := slices.Index(o.names, name)
		if i < 0 || i >= len(rows) || rows[i].Err != nil {
			return value.Value{}, false
		}
		return rows[i].Value, true
	}
	out = out[:0]
	for _, a := range o.args {
		y := math.NaN()
		if v, ok := o.operand(a, scope); ok && v.Kind == value.Number {
			y = v.Num.Value
		}
		out = append(out, y)
	}
	return out
}

// operand is one operand: a row's value as it is, anything else computed from the rows.
func (o *operands) operand(a syntax.Expr, scope func(string) (value.Value, bool)) (value.Value, bool) {
	if n, ok := syntax.Ungroup(a).(*syntax.Name); ok {
		if v, ok := scope(n.Name); ok {
			return v, true
		}
	}
	v, err := expr.Eval(o.env, a, scope)
	return v, err == nil
}
