package hlo

import (
	"math"
	"strings"
)

// Cost is what an operation takes, or a computation run once.
type Cost struct {
	Matrix float64 // operations of matmuls and convolutions
	Type   string  // of the elements that most of them multiply
	Passes float64 // how many times over the matrix unit goes for them: 1, or more for higher precision
	Vector float64 // other operations
	HBM    float64 // bytes read and written there
	VMEM   float64 // the same
	Sent   []Collective
	most   float64 // operations of the largest matmul
}

// maxSum keeps hostile counts finite.
const maxSum = 1e300

// add adds a cost that comes so many times.
func (c *Cost) add(d *Cost, times float64) {
	c.Matrix += d.Matrix * times
	c.Vector += d.Vector * times
	c.HBM += d.HBM * times
	c.VMEM += d.VMEM * times
	c.Matrix, c.Vector, c.HBM, c.VMEM = min(c.Matrix, maxSum), min(c.Vector, maxSum), min(c.HBM, maxSum), min(c.VMEM, maxSum)
	c.multiplies(d.most, d.Type, d.Passes)
}

// adds adds a cost with what it sends. Of many messages it keeps some.
func (c *Cost) adds(d *Cost, times float64) {
	c.add(d, times)
	for ; times >= 1 && len(d.Sent) > 0 && len(c.Sent) < maxNested; times-- {
		c.Sent = append(c.Sent, d.Sent...)
	}
}

// multiplies keeps the type of the largest matmul.
func (c *Cost) multiplies(flops float64, of string, passes float64) {
	if flops > c.most {
		c.most, c.Type, c.Passes = flops, of, passes
	}
}

// arithmetic is the operations that an operation does itself: of matrices, and others.
func (o *Op) arithmetic(c *Cost, taps *float64) {
	matrix := 0.0
	switch o.Code {
	case "dot":
		matrix = o.dot()
	case "convolution":
		matrix = o.convolution(taps)
	case "custom-call":
		matrix = o.library(taps)
	case "reduce":
		c.Vector += o.reduced()
	case "reduce-window":
		size := 1.0
		for _, s := range sizes(o.windowSize()) {
			size *= s
		}
		c.Vector += o.Shape.Elements() * math.Max(0, size-1)
	case "fft":
		c.Vector += o.fourier()
	default:
		if strings.Contains(elementwise, "|"+o.Code+"|") {
			c.Vector += o.Shape.Elements()
		}
	}
	if matrix > 0 {
		c.Matrix += matrix
		c.multiplies(matrix, o.operand(0).Type, o.passes())
	}
}

// reduced counts a reduction: an operation for each element that goes, of each of the arrays that it takes.
func (o *Op) reduced() float64 {
	results, gone := o.Shape.Tuple, 0.0
	if o.Shape.Type != "" {
		results = []Shape{o.Shape}
	}
	for i := range results {
		gone += math.Max(0, o.operand(i).Elements()-results[i].Elements())
	}
	return gone
}

// elementwise are the operations that do one operation for each element of their result.
const elementwise = "|add|subtract|multiply|divide|remainder|power|maximum|minimum|negate|abs|sign|floor|ceil|" +
	"round-nearest-afz|round-nearest-even|exponential|exponential-minus-one|log|log-plus-one|logistic|tanh|sqrt|rsqrt|" +
	"cbrt|sine|cosine|tan|atan2|erf|and|or|xor|not|shift-left|shift-right-arithmetic|shift-right-logical|compare|select|" +
	"clamp|"

// passes is how often a matrix unit goes over its operands for the asked precision: TPUs make a product of fp32 of
// three or six products of bf16.
func (o *Op) passes() float64 {
	p := o.Attr("operand_precision")
	switch {
	case o.operand(0).Type != "f32":
		return 1
	case strings.Contains(p, "highest"):
		return 6
	case strings.Contains(p, "high"):
		return 3
	}
	return 1
}

func (o *Op) windowSize() string {
	for part := range strings.FieldsSeq(strings.Trim(o.Attr("window"), "{}")) {
		if size, ok := strings.CutPrefix(part, "size="); ok {
			return size
		}
	}
	return ""
}

// fourier counts transforms as 5 N log2 N operations each, the usual count of the complex fast transform.
func (o *Op) fourier() float64 {
	n := product(o.dims("fft_length"))
	in := math.Max(o.operand(0).Elements(), o.Shape.Elements())
	if n < 2 {
		return 0
	}
	return 5 * in * math.Log2(n)
}
