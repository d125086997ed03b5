package hlo

import (
	"math"
	"slices"
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
	Far    float64 // the same of the host's memory
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
	c.Far += d.Far * times
	for _, sum := range []*float64{&c.Matrix, &c.Vector, &c.HBM, &c.VMEM, &c.Far} {
		*sum = min(*sum, maxSum)
	}
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

// arithmetic is the operations that an operation does itself: of matrices, and others. What it applies to each element
// that it takes comes as each.
func (o *Op) arithmetic(c *Cost, each float64, taps *float64) {
	matrix := 0.0
	switch o.Code {
	case "dot", "scaled-dot":
		matrix = o.dot()
	case "ragged-dot":
		matrix = o.ragged()
	case "convolution":
		matrix = o.convolution(taps)
	case "custom-call":
		if matrix = o.library(taps); o.isSelection() {
			c.Vector += o.operand(0).Elements()
		}
	case "reduce":
		c.Vector += each * max(0, o.operand(0).Elements()-o.gives().Elements())
	case "reduce-window":
		c.Vector += each * o.windows()
	case "select-and-scatter": // it chooses one of each window, and adds to that
		c.Vector += o.operand(1).Elements() * product(sizes(o.windowSize()))
	case "scatter":
		c.Vector += each * o.operand(len(o.Operands)-1).Elements()
	case "map":
		c.Vector += each * o.Shape.Elements()
	case "scan":
		c.Vector += each * o.operand(0).Elements()
	case "sort":
		c.Vector += o.sorted()
	case "cholesky":
		matrix = o.cholesky(nil)
	case "triangular-solve":
		matrix = o.triangular(nil)
	case "fft":
		c.Vector += o.fourier()
	default:
		if strings.Contains(elementwise, "|"+o.Code+"|") {
			c.Vector += o.Shape.Elements()
		}
	}
	if strings.HasPrefix(o.operand(0).Type, "c") { // complex: a product has four of real numbers
		matrix *= 4
	}
	if matrix > 0 {
		c.Matrix += matrix
		c.multiplies(matrix, o.operand(0).Type, o.passes())
	}
}

// applied is how many operations a reduction or a scatter does with each element that it takes: those of the
// computation that it applies, or one for each of its results if the text lacks that.
func (m *Module) applied(o *Op, depth int) float64 {
	inner := m.first(o, "to_apply")
	if inner != nil && strings.Contains("|reduce|reduce-window|scatter|map|scan|", "|"+o.Code+"|") {
		if c := m.total(inner, depth+1); c != nil {
			each := c.Vector + c.Matrix
			if o.Code == "scan" && len(inner.Ops) > 0 { // which goes through its array slice by slice
				each /= max(1, inner.Ops[0].Shape.Elements())
			}
			return each
		}
	}
	return float64(max(1, len(o.Shape.Tuple)))
}

// windows is how often the windows of a reduction apply its computation. Along a dimension of which every window has
// the whole, they all give one result: so TPUs write a sum or a maximum that all places of its row then have.
func (o *Op) windows() float64 {
	taken, given := 1.0, o.gives().Elements()
	in, w := o.operand(0).Dims, o.window()
	for i, size := range sizes(o.windowSize()) {
		if s := w.along(i); i < len(in) && i < len(o.gives().Dims) {
			if out := o.gives().Dims[i]; size > 1 && out > 0 && (out-1)*s.stride <= s.pad && size-s.pad >= in[i] {
				size, given = in[i], given/out
			}
		}
		taken *= size
	}
	return given * max(0, taken-1)
}

// sorted counts a sort as the comparisons of a merge: each element of a row log2 of its length times.
func (o *Op) sorted() float64 {
	row := o.operand(0)
	if ns := o.dims("dimensions"); len(ns) == 1 && int(ns[0]) < len(row.Dims) && row.Dims[int(ns[0])] > 1 {
		return row.Elements() * math.Ceil(math.Log2(row.Dims[int(ns[0])]))
	}
	return 0
}

// triangular counts the solution of a triangular system: for each element of it half a row of multiplies and adds.
func (o *Op) triangular(*float64) float64 {
	rows := o.operand(0).Dims
	if len(rows) == 0 {
		return 0
	}
	return o.gives().Elements() * rows[len(rows)-1]
}

// cholesky counts a factorisation, or the inverse of a triangle: a third of n³ operations each.
func (o *Op) cholesky(*float64) float64 { return o.triangular(nil) / 3 }

// factors counts the factors L and U of a matrix of m rows and n columns: n² (m - n/3), of the longer side as m.
func (o *Op) factors(*float64) float64 {
	s := o.operand(0)
	if len(s.Dims) < 2 {
		return 0
	}
	m, n := s.Dims[len(s.Dims)-2], s.Dims[len(s.Dims)-1]
	return s.Elements() * min(m, n) * (1 - min(m, n)/(3*max(m, n, 1)))
}

// orthogonal counts the factors Q and R, the former as reflections: twice those of L and U.
func (o *Op) orthogonal(*float64) float64 { return 2 * o.factors(nil) }

// elementwise are the operations that do one operation for each element of their result.
const elementwise = "|add|subtract|multiply|divide|remainder|power|maximum|minimum|negate|abs|sign|floor|ceil|" +
	"round-nearest-afz|round-nearest-even|exponential|exponential-minus-one|log|log-plus-one|logistic|tanh|sqrt|rsqrt|" +
	"cbrt|sine|cosine|tan|sinh|cosh|asin|acos|asinh|acosh|atanh|atan2|erf|and|or|xor|not|shift-left|" +
	"shift-right-arithmetic|shift-right-logical|compare|select|clamp|convert|stochastic-convert|reduce-precision|" +
	"is-finite|popcnt|count-leading-zeros|mulhi|"

// passes is how often a matrix unit goes over its operands for the asked precision: TPUs make a product of fp32 of
// three or six products of bf16.
func (o *Op) passes() float64 {
	p, _ := field(o.config(), "operand_precision")
	p = strings.ToLower(o.Attr("operand_precision") + p)
	switch {
	case o.operand(0).Type != "f32":
		return 1
	case strings.Contains(p, "highest"):
		return mostPasses
	case strings.Contains(p, "high"):
		return 3
	}
	return 1
}

const mostPasses = 6

func (o *Op) windowSize() string {
	for part := range strings.FieldsSeq(strings.Trim(o.Attr("window"), "{}")) {
		if size, ok := strings.CutPrefix(part, "size="); ok {
			return size
		}
	}
	return ""
}

// fourier counts transforms as 5 N log2 N operations each, the usual count of the complex fast transform, and those of
// real numbers as half of it.
func (o *Op) fourier() float64 {
	n := product(o.dims("fft_length"))
	in := math.Max(o.operand(0).Elements(), o.Shape.Elements())
	if n < 2 {
		return 0
	}
	if strings.Contains(o.Attr("fft_type"), "RFFT") {
		in /= 2
	}
	return 5 * in * math.Log2(n)
}

// dot counts a dot: two operations for each element of the result and of what is summed over.
func (o *Op) dot() float64 {
	return 2 * o.Shape.Elements() * along(o.operand(0), o.dims("lhs_contracting_dims"))
}

// ragged counts a product whose rows belong to groups of the right matrix: each row meets the matrix of its own group
// alone.
func (o *Op) ragged() float64 {
	return o.dot() / o.parts(o.dims("lhs_contracting_dims"), o.dims("lhs_ragged_dims"))
}

// parts is into how many groups what a ragged product sums over is split: each part of the sums goes into one of the
// results.
func (o *Op) parts(contracting, ragged []float64) float64 {
	groups := o.operand(2).Dims
	if len(ragged) == 1 && len(groups) > 0 && slices.Contains(contracting, ragged[0]) &&
		int(ragged[0]) < len(o.operand(0).Dims) {
		return max(1, groups[len(groups)-1])
	}
	return 1
}

// mostTaps is how many places of windows over arrays are looked at one by one in a module, to leave out those in the
// padding.
const mostTaps = 1 << 26

// convolution counts a convolution, which is also how TPUs write matmuls: two operations for each element of the
// result, input feature and place of the window, less the places that lie in padding or in the gaps of a dilated input.
func (o *Op) convolution(taps *float64) float64 {
	return o.convolve(o.operand(0), o.operand(1), &o.Shape, taps)
}

func (o *Op) convolve(left, right, out *Shape, taps *float64) float64 {
	labels, result, ok := strings.Cut(o.Attr("dim_labels"), "->")
	input, kernel, both := strings.Cut(labels, "_")
	if !ok || !both || len(input) != len(left.Dims) || len(kernel) != len(right.Dims) || len(result) != len(out.Dims) {
		return 0
	}
	count, w := 2.0, o.window()
	for i, c := range kernel {
		if c == 'i' {
			count *= right.Dims[i]
		}
	}
	for i, c := range result {
		if !digit(c) {
			count *= out.Dims[i]
			continue
		}
		from, over := strings.IndexRune(input, c), strings.IndexRune(kernel, c)
		if from < 0 || over < 0 {
			return 0
		}
		count *= w.along(int(c-'0')).pairs(left.Dims[from], right.Dims[over], out.Dims[i], taps)
	}
	return count
}

// window is how a window moves: for each dimension its step, padding and dilations.
type window struct{ stride, pad, left, right []float64 }

// step is a window along one dimension.
type step struct{ stride, pad, left, right float64 }

// window reads window={size=3x3 stride=2x2 pad=1_1x1_1 lhs_dilate=1x1 rhs_dilate=1x1}.
func (o *Op) window() window {
	var w window
	for part := range strings.FieldsSeq(strings.Trim(o.Attr("window"), "{}")) {
		name, value, _ := strings.Cut(part, "=")
		for _, to := range []struct {
			name string
			list *[]float64
		}{{"stride", &w.stride}, {"pad", &w.pad}, {"lhs_dilate", &w.left}, {"rhs_dilate", &w.right}} {
			if to.name == name {
				*to.list = sizes(value)
			}
		}
	}
	return w
}

// sizes reads 3x3, or the lower ends of 1_1x1_1, which may be negative.
func sizes(text string) []float64 {
	var all []float64
	for part := range strings.SplitSeq(text, "x") {
		low, _, _ := strings.Cut(part, "_")
		low, minus := strings.CutPrefix(low, "-")
		n, _ := numbers(low)
		x := 0.0
		if len(n) == 1 {
			x = n[0]
		}
		if minus {
			x = -x
		}
		if all = append(all, x); len(all) == maxDims {
			break
		}
	}
	return all
}

func (w *window) along(dim int) step {
	pick := func(list []float64, usual float64) float64 {
		if dim < len(list) {
			return list[dim]
		}
		return usual
	}
	return step{pick(w.stride, 1), pick(w.pad, 0), max(1, pick(w.left, 1)), max(1, pick(w.right, 1))}
}

// pairs counts the places of a result and of a window that meet an element of the input. If they are too many to look
// at, all count.
func (s step) pairs(in, taps, out float64, left *float64) float64 {
	if *left -= taps * out; *left < 0 {
		return taps * out
	}
	n, reach := 0.0, (in-1)*s.left
	for t := range int(taps) {
		for i := range int(out) {
			at := float64(i)*s.stride + float64(t)*s.right - s.pad
			if at >= 0 && at <= reach && at == s.left*float64(int(at/s.left)) {
				n++
			}
		}
	}
	return n
}

// free are the operations that move nothing: names for what is there, and the ends of what was started before.
const free = "|parameter|constant|tuple|get-tuple-element|bitcast|after-all|add-dependency|partition-id|replica-id|" +
	"opt-barrier|domain|while|call|conditional|async|"

// traffic adds the bytes that an operation reads and writes in each memory.
func (o *Op) traffic(c *Cost, each float64) {
	if strings.Contains(free, "|"+o.Code+"|") || o.ends() || o.isMark() {
		return
	}
	result := &o.Shape
	switch o.Code {
	case "slice", "dynamic-slice", "gather":
		o.partly(c)
		return
	case "dynamic-update-slice":
		c.moves(o.operand(1), 1)
		c.moves(o.operand(1).at(result.Layout.Space), 1)
		return
	case "scatter":
		arrays := (len(o.Operands) - 1) / 2 // each with its updates; the places stand between them
		c.moves(o.operand(arrays), 1)
		for i := range arrays {
			c.moves(o.operand(arrays+1+i), 2+min(1, each)) // what they are added to is read
		}
		return
	case "send", "recv":
		s := o.gives()
		if o.Code == "send" {
			s = o.operand(0)
		}
		if c.moves(s, 1); o.Attr("is_host_transfer") == "true" { // as between slices of TPUs
			c.Far += s.Bytes()
		}
		return
	case "collective-permute":
		if parts := o.pieces(); parts > 0 {
			sent := Shape{Type: "u8", Dims: []float64{parts}}
			c.moves(sent.at(o.operand(0).Layout.Space), 1)
			c.moves(sent.at(o.operand(1).Layout.Space), 1)
			return
		}
	case "ragged-all-to-all": // what it writes into is its second operand
		c.moves(o.operand(0), 1)
		c.moves(result, 1)
		return
	case "custom-call":
		for i := range result.Tuple {
			if part := &result.Tuple[i]; !o.scratch(i, part) {
				c.moves(part, 1)
			}
		}
		if len(result.Tuple) > 0 {
			result = &Shape{}
		}
	}
	c.moves(result, 1)
	for i := range o.Operands {
		c.moves(o.operand(i), 1)
	}
}

// partly is the traffic of an operation that reads only as much as it gives, and the places from which.
func (o *Op) partly(c *Cost) {
	from, gives := o.operand(0), &o.Shape
	c.moves(gives, 1)
	c.moves(gives.at(from.Layout.Space), 1)
	if o.Code == "gather" {
		c.moves(o.operand(1), 1)
	}
}

// moves adds the bytes of a shape, so many times.
func (c *Cost) moves(s *Shape, times float64) {
	c.HBM += s.In(0) * times
	c.VMEM += s.In(1) * times
	c.Far += s.In(hostSpace) * times
}
