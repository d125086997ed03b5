package library

import (
	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet"
)

// The types of parameters and results.
var (
	plain     = sheet.Type{Kind: sheet.Number}
	flops     = number(quantity.FLOPs(1).Quantity())
	bytes     = number(quantity.Bytes(1).Quantity())
	seconds   = number(quantity.Seconds(1).Quantity())
	flopRate  = number(quantity.FLOPRate(1).Quantity())
	bandwidth = number(quantity.Bandwidth(1).Quantity())
	intensity = number(quantity.Intensity(1).Quantity())
	dtype     = sheet.Type{Kind: sheet.DType}
	text      = sheet.Type{Kind: sheet.Text}
)

// number is the type of numbers of q's dimension.
func number(q quantity.Quantity) sheet.Type { return sheet.Type{Kind: sheet.Number, Dim: q.Dim} }

// count is a parameter that is a plain number.
func count(name string) sheet.Param { return sheet.Param{Name: name, Type: plain} }

// of is a parameter of the given type.
func of(name string, t sheet.Type) sheet.Param { return sheet.Param{Name: name, Type: t} }

// width is a dtype parameter that is bf16 unless the sheet says otherwise.
func width(name string) sheet.Param {
	return sheet.Param{Name: name, Type: dtype, Optional: true, Default: dtypeValue("bf16", 16)}
}

// args are the values a sheet calls a law with, read out by position.
type args []sheet.Value

func (a args) num(i int) float64              { return a[i].Num.Value }
func (a args) bytes(i int) quantity.Bytes     { return quantity.Bytes(a[i].Bits / 8) }
func (a args) rate(i int) quantity.FLOPRate   { return quantity.FLOPRate(a[i].Num.Value) }
func (a args) speed(i int) quantity.Bandwidth { return quantity.Bandwidth(a[i].Num.Value) }
func (a args) dense(i int) quantity.Intensity { return quantity.Intensity(a[i].Num.Value) }

// law is a function of the estimation rooms as a sheet sees it: call computes, formula is the same in sheet notation
// (a test holds them equal).
type law struct {
	name, doc, formula, source string
	params                     []sheet.Param
	result                     sheet.Type
	call                       func(a args) (quantity.Quantity, error)
}

// function makes l callable from sheets.
func (l law) function() *sheet.Func {
	return &sheet.Func{
		Name: l.name, Params: l.params, Doc: l.doc, Formula: l.formula, Source: l.source, Result: l.result,
		Call: func(a []sheet.Value) (sheet.Value, error) {
			if err := l.refuse(a); err != nil {
				return sheet.Value{}, err
			}
			q, err := l.call(a)
			if err == nil && !q.IsFinite() {
				err = &network.Error{What: l.name + " has no finite value here", Remedy: "give numbers above 0, and none too large"}
			}
			return sheet.Value{Kind: sheet.Number, Num: q}, err
		},
	}
}

// refuse is the fault of arguments below 0: no law counts less than nothing.
func (l law) refuse(a []sheet.Value) error {
	for i, p := range l.params {
		if p.Type.Kind == sheet.Number && i < len(a) && a[i].Num.Value < 0 {
			return &network.Error{What: p.Name + " is " + a[i].Num.String(), Remedy: "give 0 or more"}
		}
	}
	return nil
}

// tokens is n with the label of what a batch is counted in.
func tokens(n float64) quantity.Quantity {
	return quantity.Quantity{Value: n, Label: quantity.Label{Over: "token"}}
}
