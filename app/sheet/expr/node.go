package expr

import (
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// Node is an expression, compiled.
type Node struct {
	Expr  syntax.Expr
	Type  value.Type
	Bad   bool         // the fault is reported; nothing that uses this node reports another
	num   numFn        // of a Number
	Fast  fastFn       // of a Number
	sized sizedFn      // of a sum of numbers
	cond  boolFn       // of a Bool
	val   valFn        // of anything else
	Const *value.Value // what it is, if that is known before evaluation
}

// value evaluates n, whatever its kind.
func (n *Node) value(f *Frame) (value.Value, bool) {
	switch n.Type.Kind {
	case value.Number:
		q, ok := n.num(f)
		return value.Value{Kind: value.Number, Num: q}, ok
	case value.Bool:
		b, ok := n.cond(f)
		return value.Value{Kind: value.Bool, Bool: b}, ok
	}
	return n.val(f)
}

// Into evaluates n into v, which may hold what n was before. Where there is no value, it leaves the reason in f.Err.
func (n *Node) Into(f *Frame, v *value.Value) (ok bool) {
	f.Err, ok = nil, true
	switch n.Type.Kind {
	case value.Number:
		v.Kind = value.Number
		if v.Num, ok = n.num(f); ok {
			_, ok = f.finite(v.Num.Value, n.Expr) // what the environment says may be anything
		}
	case value.Bool:
		v.Kind = value.Bool
		v.Bool, ok = n.cond(f)
	default:
		*v, ok = n.val(f)
	}
	return ok
}

// Counted is n as a number that counts what label says.
func (n Node) Counted(label quantity.Label) Node {
	num := n.num
	n.num = func(f *Frame) (quantity.Quantity, bool) {
		q, ok := num(f)
		q.Label = label
		return q, ok
	}
	return n
}

// constant is a node that is always v.
func constant(e syntax.Expr, v value.Value) Node {
	n := Node{Expr: e, Type: v.Type(), Const: &v}
	switch v.Kind {
	case value.Number:
		x := v.Num.Value
		n.num = func(*Frame) (quantity.Quantity, bool) { return v.Num, true }
		n.Fast = func(*Frame) (float64, bool) { return x, true }
	case value.Bool:
		n.cond = func(*Frame) (bool, bool) { return v.Bool, true }
	default:
		n.val = func(*Frame) (value.Value, bool) { return v, true }
	}
	return n
}

// Reading is a node that reads the row in slot i.
func Reading(e syntax.Expr, typ value.Type, i int) Node {
	n := Node{Expr: e, Type: typ}
	switch typ.Kind {
	case value.Number:
		n.num = func(f *Frame) (quantity.Quantity, bool) {
			r := &f.Rows[i]
			if r.Err != nil {
				f.need(r)
				return quantity.Quantity{}, false
			}
			return r.Value.Num, true
		}
		n.Fast = func(f *Frame) (float64, bool) {
			r := &f.Rows[i]
			if r.Err != nil {
				f.need(r)
				return 0, false
			}
			return r.Value.Num.Value, true
		}
	case value.Bool:
		n.cond = func(f *Frame) (bool, bool) {
			r := &f.Rows[i]
			if r.Err != nil {
				f.need(r)
			}
			return r.Value.Bool, r.Err == nil
		}
	default:
		n.val = func(f *Frame) (value.Value, bool) {
			r := &f.Rows[i]
			if r.Err != nil {
				f.need(r)
				return value.Value{}, false
			}
			return r.Value, true
		}
	}
	return n
}
