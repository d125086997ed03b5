package expr

import (
	"math"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// member compiles x.field: a field of a record, or .bytes and .bits of a dtype.
func (c *Checker) member(e *syntax.Member) Node {
	x := c.Compile(e.X)
	switch {
	case x.Bad:
		return x
	case x.Type.Kind == value.DType:
		return c.dtypeField(e, &x)
	case x.Type.Kind == value.List:
		return c.Report(e.Pos, phrase.New("sheet.list-no-fields", "code", syntax.Brief(e.X)),
			phrase.New("sheet.take-entry-first",
				"code", syntax.Brief(e.X), "field", syntax.Clip(e.Field)))
	case x.Type.Kind != value.Rec:
		return c.Report(e.Pos, phrase.New("sheet.no-fields-of", "code", syntax.Brief(e.X), "type", x.Type),
			phrase.New("sheet.leave-out-field", "field", syntax.Clip(e.Field)))
	}
	if x.Const != nil && x.Const.Record != nil {
		if v, ok := x.Const.Record.All()[e.Field]; ok {
			return constant(e, v)
		}
	}
	field := x.Type.Record.Field(e.Field)
	if field == nil {
		return c.unknownField(e, &x)
	}
	if x.Const != nil {
		return c.Report(e.Pos, value.MissingField(x.Const.Record, field), phrase.New("sheet.choose-another-entry"))
	}
	return c.fieldNode(e, &x, field)
}

// fieldNode reads a declared field of a record that is known only when the sheet is evaluated.
func (c *Checker) fieldNode(e *syntax.Member, x *Node, field *value.Field) Node {
	get, typ := x.val, field.Type
	read := func(f *Frame) (value.Value, bool) {
		r, ok := get(f)
		if !ok {
			return value.Value{}, false
		}
		v, ok := r.Record.Field(field.Name)
		if !ok {
			f.Err = value.MissingField(r.Record, field)
			return value.Value{}, false
		}
		return v, f.has(v, typ, e)
	}
	return c.remembered(e, typ, read)
}

// has tells whether v is what its declaration promised, and fit to be shown.
func (f *Frame) has(v value.Value, typ value.Type, e syntax.Expr) bool {
	got := v.Type()
	switch {
	case got.Kind != typ.Kind, got.Kind == value.Number && got.Dim != typ.Dim, got.Kind == value.Rec && v.Record == nil:
		f.fail(e, "sheet.should-be", "type", typ, "got", got)
		return false
	case v.Kind == value.Number && !v.Num.IsFinite():
		f.fail(e, "sheet.too-large-number")
		return false
	case v.Kind == value.List:
		return f.hasEntries(v.List, typ, e)
	}
	return true
}

func (c *Checker) unknownField(e *syntax.Member, x *Node) Node {
	if c.methodOf(x.Type.Record, e.Field) != nil {
		return c.Report(e.Pos, phrase.New("sheet.field-is-method", "field", e.Field),
			phrase.New("sheet.call-it", "code", syntax.Brief(e.X), "field", e.Field))
	}
	names := FieldNames(x)
	if len(names) == 0 {
		return c.Report(e.Pos, phrase.New("sheet.no-field", "record", x.describe(), "field", syntax.Clip(e.Field)),
			phrase.New("sheet.no-fields"))
	}
	return c.Report(e.Pos, phrase.New("sheet.no-field", "record", x.describe(), "field", syntax.Clip(e.Field)),
		syntax.DidYouMean(e.Field, names, phrase.New("sheet.its-fields", "names", syntax.OneOf(names))))
}

// describe names a record in a message: by itself if it is always the same, otherwise by its record type.
func (n *Node) describe() *phrase.Phrase {
	if n.Const != nil && n.Const.Record != nil {
		return phrase.New("sheet.code", "code", syntax.Brief(n.Expr))
	}
	return n.Type.Record.Describe()
}

// FirstEntry is an entry of the family that n is, such as tpu.v5e of tpu; "" if it is none.
func FirstEntry(n *Node) string {
	if n.Const == nil || n.Const.Record == nil {
		return ""
	}
	fields := n.Const.Record.All()
	for _, name := range value.Names(fields) {
		if fields[name].Kind == value.Rec {
			return syntax.Code(n.Expr) + "." + name
		}
	}
	return ""
}

// FieldNames are the fields of x, declared ones first, and its methods.
func FieldNames(x *Node) []string {
	var names []string
	if k := x.Type.Record; k != nil {
		for _, f := range k.Fields {
			names = append(names, f.Name)
		}
		names = append(names, value.Names(k.Methods)...)
	}
	if len(names) == 0 && x.Const != nil && x.Const.Record != nil {
		names = value.Names(x.Const.Record.All())
	}
	return names
}

// dtypeFields are the fields of a dtype.
var dtypeFields = [...]struct {
	name string
	typ  value.Type
	per  float64 // bits in one
}{
	{"bytes", value.Type{Kind: value.Number, Dim: quantity.Dim{quantity.Byte: 1}}, 8},
	{"bits", value.Type{Kind: value.Number}, 1},
}

func (c *Checker) dtypeField(e *syntax.Member, x *Node) Node {
	for _, field := range dtypeFields {
		if field.name != e.Field {
			continue
		}
		get, per, dim := x.val, field.per, field.typ.Dim
		n := Node{Type: field.typ, num: func(f *Frame) (quantity.Quantity, bool) {
			v, ok := get(f)
			return quantity.Quantity{Value: v.Bits / per, Dim: dim}, ok
		}, Fast: func(f *Frame) (float64, bool) {
			v, ok := get(f)
			return v.Bits / per, ok
		}}
		n.Expr = e
		return foldConstant(n, x)
	}
	return c.Report(e.Pos, phrase.New("sheet.dtype-no-field", "field", syntax.Clip(e.Field)),
		syntax.DidYouMean(e.Field, []string{"bytes", "bits"}, phrase.New("sheet.dtype-fields")))
}

// MaxEntries is how long a list may be.
const MaxEntries = 100_000

// hasEntries tells whether each entry is what the declaration of the list promised.
func (f *Frame) hasEntries(list []value.Value, typ value.Type, e syntax.Expr) bool {
	if len(list) > MaxEntries {
		f.fail(e, "sheet.list-too-long", "most", MaxEntries)
		return false
	}
	for i := range list {
		of := typ.Of
		if of == nil {
			first := list[0].Type() // the declaration doesn't say
			of = &first
		}
		if !f.has(list[i], *of, e) {
			return false
		}
	}
	return true
}

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
	return foldConstant(Node{Expr: e, Type: value.Type{Kind: value.Number}, Fast: length, num: num}, &args[0])
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

// choose is if(condition, a, b). Only the branch that is taken is computed.
func (c *Checker) choose(e *syntax.Call, args []Node) Node {
	cond, a, b := &args[0], &args[1], &args[2]
	switch {
	case cond.Type.Kind != value.Bool:
		return c.Report(cond.Expr.Position(), phrase.New("sheet.if-needs-switch", "code", syntax.Brief(cond.Expr),
			"type", cond.Type),
			phrase.New("sheet.write-if-comparison"))
	case a.Type.Kind == value.Number && b.Type.Kind == value.Number && a.Type.Dim != b.Type.Dim:
		return c.mismatch(b.Expr.Position(), "sheet.cannot-choose-between", a, b)
	case !value.SameType(a.Type, b.Type):
		return c.Report(b.Expr.Position(), phrase.New("sheet.cannot-choose-between", "left", syntax.Brief(a.Expr),
			"type", a.Type,
			"right", syntax.Brief(b.Expr), "othertype", b.Type), phrase.New("sheet.same-kind-to-choose"))
	}
	test := cond.cond
	pick := func(f *Frame) (*Node, bool) {
		yes, ok := test(f)
		if yes {
			return a, ok
		}
		return b, ok
	}
	return chosen(a.Type, pick)
}

// chosen is the node that pick picks, of either branch's type.
func chosen(typ value.Type, pick func(f *Frame) (*Node, bool)) Node {
	n := Node{Type: typ}
	switch typ.Kind {
	case value.Number:
		n.num = func(f *Frame) (quantity.Quantity, bool) {
			if m, ok := pick(f); ok {
				return m.num(f)
			}
			return quantity.Quantity{}, false
		}
		n.Fast = func(f *Frame) (float64, bool) {
			if m, ok := pick(f); ok {
				return m.Fast(f)
			}
			return 0, false
		}
	case value.Bool:
		n.cond = func(f *Frame) (bool, bool) {
			if m, ok := pick(f); ok {
				return m.cond(f)
			}
			return false, false
		}
	default:
		n.val = func(f *Frame) (value.Value, bool) {
			if m, ok := pick(f); ok {
				return m.val(f)
			}
			return value.Value{}, false
		}
	}
	return n
}

// Numbers that differ by no more than rounding are equal, so that parts which add up on paper add up here: exactly one
// of <, = and > holds.

// sizedFn evaluates a number, and the largest of the terms that it is the sum of.
type sizedFn func(f *Frame) (v, size float64, ok bool)

// terms is n as a sum of terms: for what is no sum, itself.
func (n *Node) terms() sizedFn {
	if n.sized != nil {
		return n.sized
	}
	fast := n.Fast
	return func(f *Frame) (float64, float64, bool) {
		v, ok := fast(f)
		return v, math.Abs(v), ok
	}
}

// negated is -n as a sum of terms, if n is one.
func (n *Node) negated() sizedFn {
	sized := n.sized
	if sized == nil {
		return nil
	}
	return func(f *Frame) (float64, float64, bool) {
		v, size, ok := sized(f)
		return -v, size, ok
	}
}

// sumTerms is the sum of x and y as terms.
func sumTerms(x, y *Node, add scalar) sizedFn {
	a, b := x.terms(), y.terms()
	return func(f *Frame) (float64, float64, bool) {
		p, m, ok := a(f)
		if !ok {
			return 0, 0, false
		}
		q, n, ok := b(f)
		if !ok {
			return 0, 0, false
		}
		v, ok := add(f, p, q)
		return v, max(m, n), ok
	}
}

func (c *Checker) comparison(e *syntax.Binary, x, y *Node) Node {
	order := e.Op != "=" && e.Op != "==" && e.Op != "!="
	switch {
	case x.Type.Kind != y.Type.Kind || x.Type.Kind != value.Number && !value.SameType(x.Type, y.Type):
		return c.Report(e.Pos, phrase.New("sheet.cannot-compare", "left", syntax.Brief(e.X), "type", x.Type, "right",
			syntax.Brief(e.Y), "othertype", y.Type), phrase.New("sheet.same-kind"))
	case x.Type.Kind == value.Number && x.Type.Dim != y.Type.Dim:
		return c.mismatch(e.Pos, "sheet.cannot-compare", x, y)
	case x.Type.Kind != value.Number && order:
		return c.Report(e.Pos, phrase.New("sheet.compares-numbers", "op", e.Op, "code", syntax.Brief(e.X), "type",
			x.Type), phrase.New("sheet.use-equals"))
	case x.Type.Kind == value.Number:
		return Node{Type: value.Type{Kind: value.Bool}, cond: compareNumbers(e.Op, x, y)}
	}
	a, b, want := *x, *y, e.Op != "!="
	return Node{Type: value.Type{Kind: value.Bool}, cond: func(f *Frame) (bool, bool) {
		v, ok := a.value(f)
		if !ok {
			return false, false
		}
		w, ok := b.value(f)
		return v.Equal(w) == want, ok
	}}
}

// compareNumbers compiles x op y of two numbers of one dimension.
func compareNumbers(op string, x, y *Node) boolFn {
	a, b := x.terms(), y.terms()
	return func(f *Frame) (bool, bool) {
		p, m, ok := a(f)
		if !ok {
			return false, false
		}
		q, n, ok := b(f)
		return value.Holds(op, value.Compare(p, q, max(m, n))), ok
	}
}
