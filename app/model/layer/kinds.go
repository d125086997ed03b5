// Package layer is one layer of a Transformer, box by box: the shape of each, what it stores and what it takes.
// boxes.tsv says what a layer consists of.
package layer

import (
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
)

// Kind is one of the different layers of a model.
type Kind struct {
	model.Layer
	ID    string         // "window_experts": tells the kinds of a model apart
	Name  *phrase.Phrase // "3 layers: dense MLP"
	Count int            // how many there are
}

// Kinds are the different layers of a model, the most frequent first; of as many, those with experts.
func Kinds(m *model.Model) []Kind {
	var all []Kind
	for i := range m.Layers {
		l := m.Layer(i)
		k := slices.IndexFunc(all, func(k Kind) bool { return k.Layer == l })
		if k < 0 {
			k, all = len(all), append(all, Kind{Layer: l})
		}
		all[k].Count++
	}
	for i := range all {
		all[i].ID, all[i].Name = all[i].id(len(all)), all[i].name(len(all))
	}
	for i := range all { // the few in order; a sort of their type is much code for the browser
		for ; i > 0 && all[i].before(&all[i-1]); i-- {
			all[i], all[i-1] = all[i-1], all[i]
		}
	}
	return all
}

// before tells whether more layers are of this kind, or as many and with experts.
func (k *Kind) before(o *Kind) bool {
	return k.Count > o.Count || k.Count == o.Count && k.Experts && !o.Experts
}

func (k *Kind) id(kinds int) string {
	id := ""
	if k.Window != 0 {
		id = "window_"
	}
	switch {
	case kinds == 1:
		return "all"
	case k.NoMLP && k.Linear:
		return id + "linear"
	case k.Top != 0 && !k.Indexes:
		id += "picked_"
	case k.NoMLP:
		return id + "attention"
	case k.Linear:
		id += "linear_"
	case k.NoMixer:
		id += "alone_"
	}
	if k.Compress != 0 {
		id += "of" + strconv.Itoa(k.Compress) + "_"
	}
	switch {
	case k.Shares:
		return id + "sharing"
	case k.Hashed:
		return id + "hashed"
	case k.Experts:
		return id + "experts"
	}
	return id + "dense"
}

func (k *Kind) name(kinds int) *phrase.Phrase {
	what := k.blocks()
	if k.Shares {
		what = phrase.New("layer.sharing", "what", what)
	}
	if k.Window != 0 {
		what = phrase.New("layer.windowed", "what", what, "n", k.Window)
	}
	if k.Compress != 0 {
		what = phrase.New("layer.compressed", "what", what, "n", k.Compress)
	}
	if kinds == 1 {
		return phrase.New("layer.all", "n", k.Count, "what", what)
	}
	return phrase.Count(k.Count, "layer.count", "what", what)
}

// blocks says what the layers consist of.
func (k *Kind) blocks() *phrase.Phrase {
	if k.NoMLP && !k.Linear {
		return phrase.New("layer.attention-alone")
	}
	what := phrase.New("layer.dense-mlp")
	switch {
	case k.NoMLP:
		what = phrase.New("layer.nothing-else")
	case k.Hashed:
		what = phrase.New("layer.hashed")
	case k.Experts:
		what = phrase.New("layer.with-experts")
	}
	switch {
	case k.Beside:
		what = phrase.New("layer.state-beside", "what", what)
	case k.Linear:
		what = phrase.New("layer.state-instead", "what", what)
	case k.Top != 0 && !k.Indexes:
		what = phrase.New("layer.picked", "what", what)
	}
	if k.NoMixer {
		return phrase.New("layer.no-mixer", "what", what)
	}
	return what
}

// Sums are what all boxes of a layer store, and what they take for a token.
func (y *Layer) Sums(pass model.Pass) (params, flops float64) {
	for _, b := range y.Boxes() {
		params += b.Params()
		flops += b.FLOPs(pass)
	}
	return params, flops
}

// Box is the box of that id; without one, the first that has a matrix.
func (y *Layer) Box(id string) *Box {
	var first *Box
	for _, b := range y.Boxes() {
		if b.ID == id {
			return b
		}
		if first == nil && b.Rows != nil {
			first = b
		}
	}
	return first
}

// Title is what a box is called in a line of text: "W_Q".
func (b *Box) Title(l phrase.Phrases) string {
	if b.Sub != "" {
		return b.Name.In(l) + "_" + b.Sub
	}
	return b.Name.In(l)
}

// Counted is a layer with the pass in which its operations are counted.
type Counted struct {
	*Layer
	Pass model.Pass
}

// Box is one step of a layer. What it stores and what it takes follow from its shape; the tests hold the sums over all
// boxes to the laws of app/model.
type Box struct {
	ID, Sub    string         // "wq", "Q"
	Name       phrase.Speaker // "W"
	About      *phrase.Phrase
	Copies     Dim     // how many there are of it, if it is an expert
	Met        float64 // how many of them a token meets; 1 if there are no copies
	Rows, Cols []Dim   // of its weights; none if it has no matrix
	Small      float64 // parameters that are no matrix: biases, scales, sinks
	Scores     []Dim   // of a product without weights: what a token multiplies for each token it looks at
	Seen       float64 // how many those are
	Out        []Dim   // what it gives
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
