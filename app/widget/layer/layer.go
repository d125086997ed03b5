// Package layer is an instrument: one layer of a Transformer, box by box, with the shape, the parameters and the operations
// of each.
package layer

import (
	"github.com/scalebook/scalebook/app/figure"
	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/model/layer"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

// New is the instrument.
func New() *instrument.Instrument {
	return &instrument.Instrument{
		ID: "layer", Title: "One layer of a Transformer", Style: "instrument-layer.css",
		About:    "A layer of any model of the catalog, box by box: the shape of its weights and of what it gives, its parameters, and its operations for a token.",
		Controls: controls, View: view, Values: values, Summary: summary,
	}
}

func controls() []instrument.Control {
	var models []instrument.Option
	for _, k := range model.Catalog().All {
		models = append(models, instrument.Option{ID: k.ID, Name: k.Name, Group: k.Group})
	}
	return []instrument.Control{
		{Name: "model", Label: "Model", Kind: instrument.Menu, Default: "llama3.70b", Options: models},
		{Name: "kind", Label: "Layer", Kind: instrument.Menu, Default: "all", Options: []instrument.Option{{ID: "all", Name: "all alike"}}, Fit: fitKind},
		{Name: "t", Label: "Tokens in a sequence, T", Default: "8192 token", Min: "1 token", Max: "1M token", Log: true, Whole: true},
		{Name: "pass", Label: "Counted", Kind: instrument.Menu, Default: "train", Options: []instrument.Option{
			{ID: "train", Name: "training: forward and backward"}, {ID: "forward", Name: "forward alone"}}},
		{Name: "mask", Label: "Scores counted", Kind: instrument.Menu, Default: "windowed", Options: []instrument.Option{
			{ID: "windowed", Name: "those it looks at"}, {ID: "causal", Name: "the causal half, windows ignored"}, {ID: "full", Name: "the full square"}}},
		{Name: "box", Label: "Box", Kind: instrument.Text, Placed: true},
	}
}

func fitKind(s *instrument.State, c *instrument.Control) {
	c.Options = nil
	for i, k := range layer.Kinds(chosen(s)) {
		c.Options = append(c.Options, instrument.Option{ID: k.ID, Name: k.Name})
		if i == 0 {
			c.Default = k.ID
		}
	}
}

// chosen is the model that is set.
func chosen(s *instrument.State) *model.Model {
	k, err := model.Catalog().Get(s.Text("model"))
	if err != nil {
		k = model.Catalog().All[0]
	}
	return &k.Model
}

// picture is all that is shown.
type picture struct {
	*layer.Layer
	drawn       *figure.Drawing
	n           int // how many layers there are of this kind
	T           float64
	pass        model.Pass
	mask        model.Mask
	flops       float64 // of the layer, for a token
	params      float64
	of          *model.Model
	passingName string
}

func draw(s *instrument.State) *picture {
	p := &picture{of: chosen(s), T: s.Number("t"), pass: model.Train, passingName: "learnt from"}
	if s.Text("pass") == "forward" {
		p.pass, p.passingName = model.Forward, "passed forward"
	}
	p.mask = map[string]model.Mask{"causal": model.Causal, "full": model.Full}[s.Text("mask")]
	all := layer.Kinds(p.of)
	kind := all[0]
	for _, k := range all {
		if k.ID == s.Text("kind") {
			kind = k
		}
	}
	p.Layer, p.n = layer.New(p.of, kind.Layer, p.T, p.mask), kind.Count
	p.params, p.flops = p.Sums(p.pass)
	p.drawn = figure.Layer(p.Layer, p.pass, s.Text("box"))
	return p
}

func count(n float64) quantity.Quantity { return quantity.Quantity{Value: n} }

func values(s *instrument.State) []instrument.Value {
	p := draw(s)
	return []instrument.Value{
		instrument.Of("params", "Parameters of the layer", count(p.params)),
		instrument.Of("flops", "For each token "+p.passingName, quantity.FLOPs(p.flops).Quantity()),
		instrument.Of("model_params", "Parameters of the model", count(p.of.Total())),
		instrument.Of("model_flops", "The whole model, for a token", p.of.FLOPsPerToken(p.T, p.mask, p.pass).Quantity()),
	}
}

func summary(s *instrument.State) string {
	p := draw(s)
	return p.drawn.About + " The layer: " + count(p.params).String() + " parameters, " + quantity.FLOPs(p.flops).Quantity().String() + " for a token"
}
