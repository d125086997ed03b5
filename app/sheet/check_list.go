package sheet

import (
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/syntax"
)

// isList reports an argument that is no list.
func (c *checker) isList(e *syntax.Call, x *node) bool {
	if x.typ.Kind == List {
		return true
	}
	c.report(x.expr.Position(), phrase.New("sheet.needs-list", "function", e.Func, "code", brief(x.expr), "type", x.typ),
		phrase.New("sheet.give-a-list"))
	return false
}

// countOf is count(xs), the number of entries of a list.
func (c *checker) countOf(e *syntax.Call, args []node) node {
	if !c.isList(e, &args[0]) {
		return node{bad: true}
	}
	list := args[0].val
	length := func(f *frame) (float64, bool) {
		v, ok := list(f)
		return float64(len(v.List)), ok
	}
	return fold(node{expr: e, typ: Type{Kind: Number}, fast: length, num: func(f *frame) (quantity.Quantity, bool) {
		n, ok := length(f)
		return quantity.Quantity{Value: n}, ok
	}}, &args[0])
}

// firstOf is first of xs, the first entry of a list.
func (c *checker) firstOf(e *syntax.Call, args []node) node {
	switch {
	case !c.isList(e, &args[0]):
		return node{bad: true}
	case args[0].typ.Of == nil:
		return c.report(args[0].expr.Position(), phrase.New("sheet.empty-list", "code", brief(args[0].expr)),
			phrase.New("sheet.has-no-first-entry"))
	}
	list := args[0].val
	return entryNode(*args[0].typ.Of, func(f *frame) (Value, bool) {
		v, ok := list(f)
		if ok && len(v.List) == 0 {
			f.fail(e, "sheet.empty-list-value")
			ok = false
		}
		if !ok {
			return Value{}, false
		}
		return v.List[0], f.has(v.List[0], *args[0].typ.Of, e)
	})
}

// entryNode is a node of a type from what reads its value.
func entryNode(typ Type, read valFn) node {
	n := node{typ: typ}
	switch typ.Kind {
	case Number:
		n.num = func(f *frame) (quantity.Quantity, bool) {
			v, ok := read(f)
			return v.Num, ok
		}
		n.fast = func(f *frame) (float64, bool) {
			v, ok := read(f)
			return v.Num.Value, ok
		}
	case Bool:
		n.cond = func(f *frame) (bool, bool) {
			v, ok := read(f)
			return v.Bool, ok
		}
	default:
		n.val = read
	}
	return n
}
