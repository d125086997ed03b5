package library

import (
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
	flag      = sheet.Type{Kind: sheet.Bool} // yes or no
)

// number is the type of numbers of q's dimension.
func number(q quantity.Quantity) sheet.Type { return sheet.Type{Kind: sheet.Number, Dim: q.Dim} }

// param is a parameter of the given type.
func param(name string, t sheet.Type) sheet.Param { return sheet.Param{Name: name, Type: t} }

// count is a parameter that is a plain number.
func count(name string) sheet.Param { return param(name, plain) }
