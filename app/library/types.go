package library

import (
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// The types of parameters and results.
var (
	plain     = value.Type{Kind: value.Number}
	flops     = number(quantity.FLOPs(1).Quantity())
	bytes     = number(quantity.Bytes(1).Quantity())
	seconds   = number(quantity.Seconds(1).Quantity())
	flopRate  = number(quantity.FLOPRate(1).Quantity())
	bandwidth = number(quantity.Bandwidth(1).Quantity())
	intensity = number(quantity.Intensity(1).Quantity())
	dtype     = value.Type{Kind: value.DType}
	text      = value.Type{Kind: value.Text}
	flag      = value.Type{Kind: value.Bool} // yes or no
)

// number is the type of numbers of q's dimension.
func number(q quantity.Quantity) value.Type { return value.Type{Kind: value.Number, Dim: q.Dim} }

// param is a parameter of the given type.
func param(name string, t value.Type) value.Param { return value.Param{Name: name, Type: t} }

// count is a parameter that is a plain number.
func count(name string) value.Param { return param(name, plain) }
