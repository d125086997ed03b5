package explain

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/notation"
	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
	"github.com/scalebook/scalebook/app/spell"
)

// greek are the names that stand for a letter.
const greek = " alpha:α beta:β gamma:γ delta:δ epsilon:ε zeta:ζ eta:η theta:θ kappa:κ lambda:λ mu:μ nu:ν xi:ξ pi:π " +
	"rho:ρ sigma:σ tau:τ phi:φ chi:χ psi:ψ omega:ω Gamma:Γ Delta:Δ Theta:Θ Lambda:Λ Sigma:Σ Phi:Φ Psi:Ψ Omega:Ω "

func letterOf(word string) string {
	if letter := syntax.WordFor(greek, word); letter != "" {
		return letter
	}
	return word
}

// symbolNote is a name as it is set: what follows the first underscore is the subscript of a letter (T_math), and so
// are the digits after it (W1). A longer name with underscores is no mathematics: it is set as code (so_far).
func symbolNote(name string) *notation.Symbol {
	base, sub, _ := strings.Cut(strings.Trim(name, "_"), "_")
	if base == "" {
		return &notation.Symbol{Base: name}
	}
	if head, n := utf8.DecodeRuneInString(base); sub == "" && n < len(base) && unicode.IsLetter(head) &&
		notation.IsDigits(base[n:]) {
		return &notation.Symbol{Base: base[:n], Sub: base[n:], Joined: true}
	}
	if sub != "" && utf8.RuneCountInString(base) > 1 && letterOf(base) == base {
		return &notation.Symbol{Base: name, Code: true}
	}
	words := strings.FieldsFunc(sub, func(r rune) bool { return r == '_' })
	for i, w := range words {
		words[i] = letterOf(w)
	}
	return &notation.Symbol{Base: letterOf(base), Sub: strings.Join(words, " ")}
}

// Symbol is the name of a row as formulas write it: T with the subscript math for T_math, α for alpha.
func Symbol(name string, f Format) string {
	switch f {
	case Code:
		return name
	case MathML:
		return notation.MathML(symbolNote(name))
	}
	return notation.Plain(symbolNote(name))
}

// WordsFor is the row of that name for a sentence: its label in quotes, or else its name.
func (t *Writer) WordsFor(name string) any {
	if row := t.row(name); row != nil && row.Label != "" {
		return phrase.New("sheet.quoted", "label", row.Label)
	}
	return name
}

// Words is an expression for a sentence: the label of a row, or else the formula.
func (t *Writer) Words(e syntax.Expr) any {
	if n, ok := syntax.Ungroup(e).(*syntax.Name); ok {
		return t.WordsFor(n.Name)
	}
	if e == nil {
		return phrase.New("sheet.one-side")
	}
	return notation.Plain(t.Piece(e))
}

// Name is a variable, or a name of the environment.
func (t *Writer) Name(name string) notation.Piece {
	if t.Values != nil {
		if v, ok := t.Values(name); ok && !long(v) {
			return ValueNote(v)
		}
	}
	if t.row(name) != nil || t.Env == nil {
		return symbolNote(name)
	}
	switch v, ok := t.Env.Value(name); {
	case !ok:
		return symbolNote(name)
	case v.Kind == value.Number && t.Values != nil:
		return ValueNote(v)
	case v.Kind == value.Number:
		return symbolNote(name)
	default:
		return ValueNote(v)
	}
}

// member is x.field: its value, or the field's label with x as its subscript.
func (t *Writer) member(e *syntax.Member) notation.Piece {
	if t.Values != nil {
		if v, err := expr.Eval(t.Env, e, t.Values); err == nil {
			return ValueNote(v)
		}
	}
	kind := t.typeOf(e.X)
	if own, err := expr.Eval(t.Env, e, noNames); err == nil && own.Kind == value.Rec {
		return ValueNote(own) // tpu.v5e, an entry of a catalog
	}
	if kind.Kind == value.DType {
		return &notation.Apply{Head: &notation.Symbol{Base: e.Field}, Args: []notation.Piece{t.Piece(e.X)},
			Subscript: true}
	}
	var l phrase.Phrases
	if t.Env != nil {
		l = t.Env.Phrases
	}
	return t.owned(value.FieldLabel(kind.Record, e.Field).In(l), e.X, kind.Record)
}

func noNames(string) (value.Value, bool) { return value.Value{}, false }

// owned is the symbol for what belongs to a record x.
func (t *Writer) owned(word string, x syntax.Expr, rt *value.RecordType) *notation.Symbol {
	s := &notation.Symbol{Base: word, Of: t.Piece(x)}
	_, isName := syntax.Ungroup(x).(*syntax.Name)
	s.Quiet = isName && rt != nil && t.only(rt)
	return s
}

// only tells whether the sheet has a single row of that record type, so that nobody asks whose bandwidth is meant.
func (t *Writer) only(rt *value.RecordType) bool {
	n := 0
	for i := range t.Rows {
		if t.Rows[i].Type.Kind == value.Rec && t.Rows[i].Type.Record == rt {
			n++
		}
	}
	return n == 1
}

// typeOf is the type of e; the zero Type where that cannot be said.
func (t *Writer) typeOf(e syntax.Expr) value.Type {
	if t.Values != nil {
		if v, err := expr.Eval(t.Env, e, t.Values); err == nil {
			out := value.Type{Kind: v.Kind}
			if v.Kind == value.Rec && v.Record != nil {
				out.Record = v.Record.Type
			}
			return out
		}
	}
	kind, errs := expr.TypeOf(t.Env, e, t.rowType)
	if len(errs) > 0 {
		return value.Type{}
	}
	return kind
}

func (t *Writer) rowType(name string) (value.Type, bool) {
	if row := t.row(name); row != nil {
		return row.Type, true
	}
	return value.Type{}, false
}

// call is f(args).
func (t *Writer) call(e *syntax.Call) notation.Piece {
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
	if t.Env != nil && t.Env.Func(e.Func) != nil {
		return &notation.Apply{Head: &notation.Symbol{Base: e.Func, Code: true}, Args: t.args(e.Args)}
	}
	return &notation.Apply{Head: functionName(e.Func), Args: t.args(e.Args)}
}

// mark sets the functions that have a sign of their own.
func (t *Writer) mark(name string, x syntax.Expr) notation.Piece {
	switch name {
	case "sqrt":
		return &notation.Root{Degree: 2, X: t.Piece(x)}
	case "cbrt":
		return &notation.Root{Degree: 3, X: t.Piece(x)}
	case "abs":
		return &notation.Abs{X: t.Piece(x)}
	}
	return nil
}

// functionName sets the name of a function of mathematics: log2 has a subscript.
func functionName(name string) notation.Piece {
	switch name {
	case "log2":
		return &notation.Symbol{Base: "log", Sub: "2", Joined: true}
	case "log10":
		return &notation.Symbol{Base: "log", Sub: "10", Joined: true}
	}
	return &notation.Symbol{Base: strings.ReplaceAll(name, "_", " "), Called: true}
}

// args are the arguments of a call. With numbers in the place of names, long texts are cut: the formula has them whole.
func (t *Writer) args(es []syntax.Expr) []notation.Piece {
	out := make([]notation.Piece, len(es))
	for i, e := range es {
		if s, ok := syntax.Ungroup(e).(*syntax.Str); ok && t.Values != nil {
			out[i] = textNote(spell.Clip(s.Text, longText))
			continue
		}
		if isZero(e) && t.Values == nil {
			out[i] = &notation.Number{Mantissa: "0"}
			continue
		}
		out[i] = t.Piece(e)
	}
	return out
}

// method is x.f(args): its value, or f of the arguments with x as its subscript.
func (t *Writer) method(e *syntax.Call) notation.Piece {
	if t.Values != nil {
		if v, err := expr.Eval(t.Env, e, t.Values); err == nil {
			return ValueNote(v)
		}
	}
	rt, word := t.typeOf(e.Recv).Record, e.Func
	if rt != nil {
		if f := rt.Methods[e.Func]; f != nil && f.Name != "" {
			word = strings.ReplaceAll(f.Name, "_", " ")
		}
	}
	head := t.owned(word, e.Recv, rt)
	head.Called, head.Code = true, word == e.Func && strings.Contains(word, "_")
	return &notation.Apply{Head: head, Args: t.args(e.Args)}
}

// cases is if(c, a, b); an if inside its last part becomes a further case.
func (t *Writer) cases(e *syntax.Call) notation.Piece {
	out := &notation.Cases{}
	for {
		out.Arms = append(out.Arms, notation.Arm{Value: t.Piece(e.Args[1]), When: t.Piece(e.Args[0])})
		next, ok := syntax.Ungroup(e.Args[2]).(*syntax.Call)
		if !ok || next.Func != "if" || next.Recv != nil || len(next.Args) != 3 {
			out.Other = t.Piece(e.Args[2])
			return out
		}
		e = next
	}
}
