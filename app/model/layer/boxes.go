// Package layer is one layer of a Transformer, box by box: the shape of each, what it stores and what it takes.
// boxes.tsv says what a layer consists of.
package layer

import (
	"strings"

	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
)

// Box is one step of a layer. What it stores and what it takes follow from its shape; the tests hold the sums over all
// boxes to the laws of app/model.
type Box struct {
	ID, Name, Sub string // "wq", "W", "Q"
	About         string
	Copies        Dim     // how many there are of it, if it is an expert
	Met           float64 // how many of them a token meets; 1 if there are no copies
	Rows, Cols    []Dim   // of its weights; none if it has no matrix
	Small         float64 // parameters that are no matrix: biases, scales, sinks
	Scores        []Dim   // of a product without weights: what a token multiplies for each token it looks at
	Seen          float64 // how many those are
	Out           []Dim   // what it gives
}

// Dim is a size with its letter. One without a number depends on the run: B, T, S.
type Dim struct {
	Letter string
	N      int
}

func product(dims []Dim) float64 {
	p := 1.0
	for _, d := range dims {
		p *= float64(d.N)
	}
	return p
}

// Matrix is the weights of one copy.
func (b *Box) Matrix() float64 {
	if b.Rows == nil {
		return 0
	}
	return product(b.Rows) * product(b.Cols)
}

// Params is what the box stores.
func (b *Box) Params() float64 {
	return max(1, float64(b.Copies.N))*b.Matrix() + b.Small
}

// FLOPs is what it takes for a token.
func (b *Box) FLOPs(pass model.Pass) float64 {
	if b.Scores != nil {
		return float64(pass) * 2 * product(b.Scores) * b.Seen
	}
	met := 1.0
	if b.Copies.N > 0 {
		met = b.Met
	}
	return float64(pass) * 2 * met * b.Matrix()
}

// grouped is a size with commas between its thousands, where quantities have them.
func grouped(n int) string { return quantity.Quantity{Value: float64(n)}.String() }

// join writes sizes as letters, or as the numbers that they are.
func join(dims []Dim, between string, letters bool) string {
	var all []string
	for _, d := range dims {
		if letters || d.N == 0 {
			all = append(all, d.Letter)
		} else {
			all = append(all, grouped(d.N))
		}
	}
	return strings.Join(all, between)
}

// Shape is that of the weights: "D × Q·H", "8192 × 64·128".
func (b *Box) Shape(letters bool) string {
	if b.Rows == nil {
		return ""
	}
	shape := join(b.Rows, "·", letters) + " × " + join(b.Cols, "·", letters)
	if b.Copies.N > 0 {
		shape = phrase.New("layer.copies", "n", join([]Dim{b.Copies}, "", letters), "shape", shape).String()
	}
	return shape
}

// Product is what a token multiplies for each token it looks at: "Q·H".
func (b *Box) Product(letters bool) string { return join(b.Scores, "·", letters) }

// Gives is the shape of what comes out: "[B, Q, H]".
func (b *Box) Gives(letters bool) string { return "[" + join(b.Out, ", ", letters) + "]" }
