package hlo

import (
	"math"
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
)

// disagrees says what is wrong with what an operation takes: an operand that the text of its computation lacks, or
// sizes from which its result can't follow. It is counted as it is written all the same, so that the rest is.
func (o *Op) disagrees(lacks bool) *phrase.Phrase {
	varies := o.Shape.Varies
	for i := range o.Operands {
		of := &o.Operands[i]
		if of.Shape == nil && lacks && of.Name != "" {
			return phrase.New("hlo.operand-none", "name", phrase.Printable(o.Name, 40), "operand",
				phrase.Printable(of.Name, 40))
		}
		varies = varies || of.Shape == nil || of.Shape.Varies || of.Shape.Type == ""
	}
	if varies || o.Shape.Type == "" || !o.mixed() {
		return nil
	}
	return phrase.New("hlo.operand-sizes", "name", phrase.Printable(o.Name, 40), "shape", o.Shape.String())
}

// mixed tells whether the sizes of operands and result can't belong together. Of a product of B matrices, M by K times
// K by N, the elements of both operands multiplied are those of the result times B K K. Elsewhere each operand has as
// many elements as the result, or is a scalar.
func (o *Op) mixed() bool {
	if o.Code == "dot" && len(o.Operands) == 2 {
		left, right := o.operand(0), o.operand(1)
		batch := along(left, o.dims("lhs_batch_dims"))
		summed := along(left, o.dims("lhs_contracting_dims"))
		both := left.Elements() * right.Elements()
		rows := o.Attr("rhs_contracting_dims")
		return rows != "" && summed != along(right, o.dims("rhs_contracting_dims")) ||
			math.Abs(both-o.Shape.Elements()*batch*summed*summed) > 1e-9*both
	}
	each := strings.Contains(elementwise+"copy|", "|"+o.Code+"|")
	if !each && o.Code != "transpose" && o.Code != "reshape" {
		return false
	}
	for i := range o.Operands {
		of := o.operand(i)
		same := of.Elements() == o.Shape.Elements() && (!each || slices.Equal(of.Dims, o.Shape.Dims))
		if scalar := len(of.Dims) == 0 && len(o.Operands) > 1; !same && !scalar {
			return true
		}
	}
	return false
}

// along is the product of the sizes of some dimensions.
func along(s *Shape, dims []float64) float64 {
	n := 1.0
	for _, d := range dims {
		if int(d) < len(s.Dims) {
			n *= s.Dims[int(d)]
		}
	}
	return n
}
