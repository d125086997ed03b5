package sheet

import (
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// member compiles x.field: a field of a record, or .bytes and .bits of a dtype.
func (c *checker) member(e *syntax.Member) node {
	x := c.expr(e.X)
	switch {
	case x.bad:
		return x
	case x.typ.Kind == DType:
		return c.dtypeField(e, &x)
	case x.typ.Kind == List:
		return c.report(e.Pos, phrase.New("sheet.list-no-fields", "code", brief(e.X)), phrase.New("sheet.take-entry-first",
			"code", brief(e.X), "field", clip(e.Field)))
	case x.typ.Kind != Rec:
		return c.report(e.Pos, phrase.New("sheet.no-fields-of", "code", brief(e.X), "type", x.typ),
			phrase.New("sheet.leave-out-field", "field", clip(e.Field)))
	}
	if x.konst != nil && x.konst.Record != nil {
		if v, ok := x.konst.Record.All()[e.Field]; ok {
			return constant(e, v)
		}
	}
	field := x.typ.Kin.Field(e.Field)
	if field == nil {
		return c.unknownField(e, &x)
	}
	if x.konst != nil {
		return c.report(e.Pos, value.MissingField(x.konst.Record, field), phrase.New("sheet.choose-another-entry"))
	}
	return c.fieldNode(e, &x, field)
}

// fieldNode reads a declared field of a record that is known only when the sheet is evaluated.
func (c *checker) fieldNode(e *syntax.Member, x *node, field *Field) node {
	get, typ := x.val, field.Type
	read := func(f *frame) (Value, bool) {
		r, ok := get(f)
		if !ok {
			return Value{}, false
		}
		v, ok := r.Record.Field(e.Field)
		if !ok {
			f.err = value.MissingField(r.Record, field)
			return Value{}, false
		}
		return v, f.has(v, typ, e)
	}
	return c.remembered(e, typ, read)
}

// remembered is a node of the given type that reads a Value, once for all samples of a sweep in which it stays the
// same.
func (c *checker) remembered(e syntax.Expr, typ Type, read valFn) node {
	site := len(c.sites)
	c.sites = append(c.sites, e)
	recall := func(f *frame) *memo {
		m := &f.memo[site]
		if !m.done {
			m.v, m.ok = read(f)
			m.done, m.err = true, f.err
		}
		if !m.ok {
			f.err = m.err
		}
		return m
	}
	n := node{typ: typ}
	switch typ.Kind {
	case Number:
		n.num = func(f *frame) (quantity.Quantity, bool) {
			m := recall(f)
			return m.v.Num, m.ok
		}
		n.fast = func(f *frame) (float64, bool) {
			m := recall(f)
			return m.v.Num.Value, m.ok
		}
	case Bool:
		n.cond = func(f *frame) (bool, bool) {
			m := recall(f)
			return m.v.Bool, m.ok
		}
	default:
		n.val = func(f *frame) (Value, bool) {
			m := recall(f)
			return m.v, m.ok
		}
	}
	return n
}

// has tells whether v is what its declaration promised, and fit to be shown.
func (f *frame) has(v Value, typ Type, e syntax.Expr) bool {
	got := v.Type()
	switch {
	case got.Kind != typ.Kind, got.Kind == Number && got.Dim != typ.Dim, got.Kind == Rec && v.Record == nil:
		f.fail(e, "sheet.should-be", "type", typ, "got", got)
		return false
	case v.Kind == Number && !v.Num.IsFinite():
		f.fail(e, "sheet.too-large-number")
		return false
	case v.Kind == List:
		return f.hasEntries(v.List, typ, e)
	}
	return true
}

func (c *checker) unknownField(e *syntax.Member, x *node) node {
	if x.typ.Kin.Method(e.Field) != nil {
		return c.report(e.Pos, phrase.New("sheet.field-is-method", "field", e.Field), phrase.New("sheet.call-it", "code",
			brief(e.X), "field", e.Field))
	}
	names := fieldNames(x)
	if len(names) == 0 {
		return c.report(e.Pos, phrase.New("sheet.no-field", "record", x.describe(), "field", clip(e.Field)),
			phrase.New("sheet.no-fields"))
	}
	return c.report(e.Pos, phrase.New("sheet.no-field", "record", x.describe(), "field", clip(e.Field)),
		didYouMean(e.Field, names, phrase.New("sheet.its-fields", "names", oneOf(names))))
}

// describe names a record in a message: by itself if it is always the same, otherwise by its kin.
func (n *node) describe() *phrase.Phrase {
	if n.konst != nil && n.konst.Record != nil {
		return phrase.New("sheet.code", "code", brief(n.expr))
	}
	return n.typ.Kin.Describe()
}

// firstEntry is an entry of the family that n is, such as tpu.v5e of tpu; "" if it is none.
func firstEntry(n *node) string {
	if n.konst == nil || n.konst.Record == nil {
		return ""
	}
	fields := n.konst.Record.All()
	for _, name := range keys(fields) {
		if fields[name].Kind == Rec {
			return syntax.Code(n.expr) + "." + name
		}
	}
	return ""
}

// fieldNames are the fields of x, declared ones first, and its methods.
func fieldNames(x *node) []string {
	var names []string
	if k := x.typ.Kin; k != nil {
		for _, f := range k.Fields {
			names = append(names, f.Name)
		}
		names = append(names, keys(k.Methods)...)
	}
	if len(names) == 0 && x.konst != nil && x.konst.Record != nil {
		names = keys(x.konst.Record.All())
	}
	return names
}

// dtypeFields are the fields of a dtype.
var dtypeFields = [...]struct {
	name string
	typ  Type
	per  float64 // bits in one
}{
	{"bytes", Type{Kind: Number, Dim: quantity.Dim{quantity.Byte: 1}}, 8},
	{"bits", Type{Kind: Number}, 1},
}

func (c *checker) dtypeField(e *syntax.Member, x *node) node {
	for _, field := range dtypeFields {
		if field.name != e.Field {
			continue
		}
		get, per, dim := x.val, field.per, field.typ.Dim
		n := node{typ: field.typ, num: func(f *frame) (quantity.Quantity, bool) {
			v, ok := get(f)
			return quantity.Quantity{Value: v.Bits / per, Dim: dim}, ok
		}, fast: func(f *frame) (float64, bool) {
			v, ok := get(f)
			return v.Bits / per, ok
		}}
		n.expr = e
		return fold(n, x)
	}
	return c.report(e.Pos, phrase.New("sheet.dtype-no-field", "field", clip(e.Field)),
		didYouMean(e.Field, []string{"bytes", "bits"}, phrase.New("sheet.dtype-fields")))
}

// hasEntries tells whether each entry is what the declaration of the list promised.
func (f *frame) hasEntries(list []Value, typ Type, e syntax.Expr) bool {
	if len(list) > maxEntries {
		f.fail(e, "sheet.list-too-long", "most", maxEntries)
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
