package sheet

import (
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

// Row is the value of a row, or why it has none; package expr computes it.
type Row = expr.Row

// What a reader may set is declared in package input.
type (
	Input  = input.Input
	Option = input.Option
	State  = input.State
)
