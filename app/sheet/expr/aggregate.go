package expr

import (
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/syntax"
)

// extremum is min and max: the argument itself, with its label.
func extremum(better func(x, y float64) bool) func(*Checker, *syntax.Call, []Node) Node {
	return func(c *Checker, e *syntax.Call, args []Node) Node {
		if !c.numbers(e, args) {
			return Node{Bad: true}
		}
		return Node{Type: args[0].Type, num: func(f *Frame) (quantity.Quantity, bool) {
			best, ok := args[0].num(f)
			for i := 1; ok && i < len(args); i++ {
				var q quantity.Quantity
				if q, ok = args[i].num(f); better(q.Value, best.Value) {
					best = q
				}
			}
			return best, ok
		}, Fast: func(f *Frame) (float64, bool) {
			best, ok := args[0].Fast(f)
			for i := 1; ok && i < len(args); i++ {
				var x float64
				if x, ok = args[i].Fast(f); better(x, best) {
					best = x
				}
			}
			return best, ok
		}}
	}
}

// summation is sum and mean. A label stays if all have it.
func summation(mean bool) func(*Checker, *syntax.Call, []Node) Node {
	return func(c *Checker, e *syntax.Call, args []Node) Node {
		if !c.numbers(e, args) {
			return Node{Bad: true}
		}
		fast := func(f *Frame) (float64, bool) {
			sum, ok := args[0].Fast(f)
			for i := 1; ok && i < len(args); i++ {
				var x float64
				x, ok = args[i].Fast(f)
				sum += x
			}
			if mean {
				sum /= float64(len(args))
			}
			if !ok {
				return 0, false
			}
			return f.finite(sum, e)
		}
		return Node{Type: args[0].Type, Fast: fast, num: func(f *Frame) (quantity.Quantity, bool) {
			var out quantity.Quantity
			for i := range args {
				q, ok := args[i].num(f)
				if !ok {
					return q, false
				}
				if i > 0 && q.Label != out.Label {
					q.Label = quantity.Label{}
				}
				q.Binary = q.Binary || out.Binary
				out = q
			}
			var ok bool
			out.Value, ok = fast(f)
			return out, ok
		}}
	}
}
