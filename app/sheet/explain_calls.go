package sheet

import (
	"strings"

	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/notation"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// name is a variable, or a name of the environment.
func (t *setter) name(name string) notation.Piece {
	if t.values != nil {
		if v, ok := t.values(name); ok {
			return valueNote(v)
		}
	}
	if t.sheet != nil && t.sheet.Row(name) != nil || t.env == nil {
		return symbolNote(name)
	}
	switch v, ok := t.env.Values[name]; {
	case !ok:
		return symbolNote(name)
	case v.Kind == Number && t.values != nil:
		return valueNote(v)
	case v.Kind == Number:
		return symbolNote(name)
	default:
		return valueNote(v)
	}
}

// member is x.field: its value, or the field's label with x as its subscript.
func (t *setter) member(e *syntax.Member) notation.Piece {
	if t.values != nil {
		if v, err := expr.Eval(t.env, e, t.values); err == nil {
			return valueNote(v)
		}
	}
	kind := t.typeOf(e.X)
	if own, err := expr.Eval(t.env, e, noNames); err == nil && own.Kind == Rec {
		return valueNote(own) // tpu.v5e, an entry of a catalog
	}
	if kind.Kind == DType {
		return &notation.Apply{Head: &notation.Symbol{Base: e.Field}, Args: []notation.Piece{t.set(e.X)}, Subscript: true}
	}
	return t.owned(value.FieldWords(kind.Kin, e.Field), e.X, kind.Kin)
}

func noNames(string) (Value, bool) { return Value{}, false }

// owned is the symbol for what belongs to a record x.
func (t *setter) owned(word string, x syntax.Expr, kin *Kin) *notation.Symbol {
	s := &notation.Symbol{Base: word, Of: t.set(x)}
	_, isName := syntax.Ungroup(x).(*syntax.Name)
	s.Quiet = isName && t.sheet != nil && kin != nil && t.sheet.only(kin)
	return s
}

// only tells whether the sheet has a single row of that kin, so that nobody asks whose bandwidth is meant.
func (s *Sheet) only(kin *Kin) bool {
	n := 0
	for i := range s.Rows {
		if s.Rows[i].Type.Kind == Rec && s.Rows[i].Type.Kin == kin {
			n++
		}
	}
	return n == 1
}

// typeOf is the type of e; the zero Type where that cannot be said.
func (t *setter) typeOf(e syntax.Expr) Type {
	if t.values != nil {
		if v, err := expr.Eval(t.env, e, t.values); err == nil {
			out := Type{Kind: v.Kind}
			if v.Kind == Rec && v.Record != nil {
				out.Kin = v.Record.Kin
			}
			return out
		}
	}
	kind, errs := expr.TypeOf(t.env, e, t.rowType)
	if len(errs) > 0 {
		return Type{}
	}
	return kind
}

func (t *setter) rowType(name string) (Type, bool) {
	if t.sheet != nil {
		if row := t.sheet.Row(name); row != nil {
			return row.Type, true
		}
	}
	return Type{}, false
}

// call is f(args).
func (t *setter) call(e *syntax.Call) notation.Piece {
	if e.Recv != nil {
		return t.method(e)
	}
	if e.Func == "if" && len(e.Args) == 3 {
		return t.cases(e)
	}
	if len(e.Args) == 1 {
		if n := t.mark(e.Func, e.Args[0]); n != nil {
			return n
		}
	}
	return &notation.Apply{Head: functionName(e.Func), Args: t.args(e.Args)}
}

// mark sets the functions that have a sign of their own.
func (t *setter) mark(name string, x syntax.Expr) notation.Piece {
	switch name {
	case "sqrt":
		return &notation.Root{Degree: 2, X: t.set(x)}
	case "cbrt":
		return &notation.Root{Degree: 3, X: t.set(x)}
	case "abs":
		return &notation.Abs{X: t.set(x)}
	}
	return nil
}

// functionName sets the name of a function: log2 has a subscript.
func functionName(name string) notation.Piece {
	switch name {
	case "log2":
		return &notation.Symbol{Base: "log", Sub: "2", Joined: true}
	case "log10":
		return &notation.Symbol{Base: "log", Sub: "10", Joined: true}
	}
	return &notation.Symbol{Base: strings.ReplaceAll(name, "_", " "), Called: true}
}

func (t *setter) args(es []syntax.Expr) []notation.Piece {
	out := make([]notation.Piece, len(es))
	for i, e := range es {
		if isZero(e) && t.values == nil {
			out[i] = &notation.Number{Mantissa: "0"}
			continue
		}
		out[i] = t.set(e)
	}
	return out
}

// method is x.f(args): its value, or f of the arguments with x as its subscript.
func (t *setter) method(e *syntax.Call) notation.Piece {
	if t.values != nil {
		if v, err := expr.Eval(t.env, e, t.values); err == nil {
			return valueNote(v)
		}
	}
	kin, word := t.typeOf(e.Recv).Kin, strings.ReplaceAll(e.Func, "_", " ")
	if kin != nil {
		if f := kin.Methods[e.Func]; f != nil && f.Name != "" {
			word = strings.ReplaceAll(f.Name, "_", " ")
		}
	}
	head := t.owned(word, e.Recv, kin)
	head.Called = true
	return &notation.Apply{Head: head, Args: t.args(e.Args)}
}

// cases is if(c, a, b); an if inside its last part becomes a further case.
func (t *setter) cases(e *syntax.Call) notation.Piece {
	out := &notation.Cases{}
	for {
		out.Arms = append(out.Arms, notation.Arm{Value: t.set(e.Args[1]), When: t.set(e.Args[0])})
		next, ok := syntax.Ungroup(e.Args[2]).(*syntax.Call)
		if !ok || next.Func != "if" || next.Recv != nil || len(next.Args) != 3 {
			out.Other = t.set(e.Args[2])
			return out
		}
		e = next
	}
}
