package expr

import (
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// isList reports an argument that is no list.
func (c *Checker) isList(e *syntax.Call, x *Node) bool {
	if x.Type.Kind == value.List {
		return true
	}
	c.Report(x.Expr.Position(), phrase.New("sheet.needs-list", "function", e.Func, "code", syntax.Brief(x.Expr),
		"type", x.Type),
		phrase.New("sheet.give-a-list"))
	return false
}

// countOf is count(xs), the number of entries of a list.
func (c *Checker) countOf(e *syntax.Call, args []Node) Node {
	if !c.isList(e, &args[0]) {
		return Node{Bad: true}
	}
	list := args[0].val
	length := func(f *Frame) (float64, bool) {
		v, ok := list(f)
		return float64(len(v.List)), ok
	}
	num := func(f *Frame) (quantity.Quantity, bool) {
		n, ok := length(f)
		return quantity.Quantity{Value: n}, ok
	}
	return fold(Node{Expr: e, Type: value.Type{Kind: value.Number}, Fast: length, num: num}, &args[0])
}

// firstOf is first of xs, the first entry of a list.
func (c *Checker) firstOf(e *syntax.Call, args []Node) Node {
	switch {
	case !c.isList(e, &args[0]):
		return Node{Bad: true}
	case args[0].Type.Of == nil:
		return c.Report(args[0].Expr.Position(), phrase.New("sheet.empty-list", "code", syntax.Brief(args[0].Expr)),
			phrase.New("sheet.has-no-first-entry"))
	}
	list := args[0].val
	return entryNode(*args[0].Type.Of, func(f *Frame) (value.Value, bool) {
		v, ok := list(f)
		if ok && len(v.List) == 0 {
			f.fail(e, "sheet.empty-list-value")
			ok = false
		}
		if !ok {
			return value.Value{}, false
		}
		return v.List[0], f.has(v.List[0], *args[0].Type.Of, e)
	})
}

// entryNode is a node of a type from what reads its value.
func entryNode(typ value.Type, read valFn) Node {
	n := Node{Type: typ}
	switch typ.Kind {
	case value.Number:
		n.num = func(f *Frame) (quantity.Quantity, bool) {
			v, ok := read(f)
			return v.Num, ok
		}
		n.Fast = func(f *Frame) (float64, bool) {
			v, ok := read(f)
			return v.Num.Value, ok
		}
	case value.Bool:
		n.cond = func(f *Frame) (bool, bool) {
			v, ok := read(f)
			return v.Bool, ok
		}
	default:
		n.val = read
	}
	return n
}
