package sheet

import (
	"github.com/scalebook/scalebook/app/sheet/explain"
	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// What sheets compute with, and what they may name without defining it, is declared in package value. It goes by the
// same names here, for the rooms above.
type (
	Constant = value.Constant
	Env      = value.Env
	Field    = value.Field
	Figure   = value.Figure
	Func     = value.Func
	Kin      = value.Kin
	Kind     = value.Kind
	Param    = value.Param
	Reading  = value.Reading
	Record   = value.Record
	Task     = value.Task
	Type     = value.Type
	Value    = value.Value
)

// The kinds of value.
const (
	Number = value.Number
	Text   = value.Text
	Bool   = value.Bool
	DType  = value.DType
	Rec    = value.Rec
	List   = value.List
)

// ListOf is the type of lists whose entries are of type t.
func ListOf(t Type) Type { return value.ListOf(t) }

// Rows, and formulas over parameters, are declared in package expr.
type (
	Formula = expr.Formula
	Row     = expr.Row
	RowDef  = expr.RowDef
	Under   = expr.Under
)

// NewFormula is the formula of that text, in the notation of sheets.
func NewFormula(text string, params []Param, env *Env) *Formula {
	return expr.NewFormula(text, params, env)
}

// Formulas written down are declared in package explain.
type (
	Format  = explain.Format
	Law     = explain.Law
	Named   = explain.Named
	Working = explain.Working
)

// The formats of a formula.
const (
	Plain  = explain.Plain
	MathML = explain.MathML
	Code   = explain.Code
)

// Symbol is the name of a row as formulas write it: T with the subscript math for T_math, α for alpha.
func Symbol(name string, f Format) string { return explain.Symbol(name, f) }

// Work works a formula out with named values, as sheets do with their steps. The error says what is wrong with the
// formula, or why it has no value.
func Work(formula string, values []Named, env *Env, f Format) (Working, error) {
	return explain.Work(formula, values, env, f)
}

// What a reader may set is declared in package input.
type (
	Form   = input.Form
	Input  = input.Input
	Option = input.Option
	State  = input.State
)

// The forms of an input.
const (
	NumberForm   = input.NumberForm
	SwitchForm   = input.SwitchForm
	MenuForm     = input.MenuForm
	SeveralForm  = input.SeveralForm
	StepForm     = input.StepForm
	TextForm     = input.TextForm
	DocumentForm = input.DocumentForm
)
