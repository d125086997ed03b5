// Package modelcard is an instrument: a model of the catalog, or one that the reader's own config.json describes, counted:
// its parameters, what they cost in operations and memory, and which chips hold it. A second model may stand beside it.
//
// The numbers are all app/model's; what is said about a file is app/model/config's account. subject.go finds the models,
// document.go reads a file, and each of the other files is a part of the view.
package modelcard

import (
	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/model/config"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

// New is the card of a model.
func New() *instrument.Instrument {
	c := &card{}
	return &instrument.Instrument{
		ID: "modelcard", Title: "Model card", Style: "instrument-modelcard.css",
		About:    "Any model of the catalog, or a config.json of your own: parameters by part, total and active, operations for each token, the KV cache, and how many chips hold it; two models side by side.",
		Controls: c.controls, View: c.view, Values: c.values, Summary: c.summary,
	}
}

// The choices of the menus that are no models.
const (
	none = "none"
	own  = "own"
)

func (c *card) controls() []instrument.Control {
	return []instrument.Control{
		{Name: "model", Label: "Model", Kind: instrument.Menu, Default: "llama3.70b", Options: models()},
		{Name: "other", Label: "Compare with", Kind: instrument.Menu, Default: none, Options: append([]instrument.Option{{ID: none, Name: "no other model"}}, models()...)},
		{Name: "context", Label: "Context", Default: "8192 token", Min: "1 token", Max: "16777216 token", Log: true, Whole: true},
		{Name: "batch", Label: "Sequences at once", Default: "16 sequence", Min: "1 sequence", Max: "65536 sequence", Log: true, Whole: true},
		{Name: "weights", Label: "Weights stored as", Kind: instrument.Menu, Default: "bf16", Options: dtypeOptions(weightTypes())},
		{Name: "cache", Label: "KV cache stored as", Kind: instrument.Menu, Default: "bf16", Options: dtypeOptions(cacheTypes())},
		{Name: "mask", Label: "Attention counts", Kind: instrument.Menu, Default: "windowed", Options: []instrument.Option{
			{ID: "windowed", Name: "the causal half, windows kept"}, {ID: "causal", Name: "the causal half, no windows"}, {ID: "full", Name: "the full square"}}},
		{Name: "pass", Label: "Operations of", Kind: instrument.Menu, Default: "train", Options: []instrument.Option{
			{ID: "train", Name: "training: forward and back"}, {ID: "forward", Name: "a forward pass"}}},
		{Name: "sort", Label: "Order of the chips", Kind: instrument.Text, Placed: true},
		{Name: "config", Label: "A config.json of your own", Kind: instrument.Document, Accept: ".json,application/json", Cap: config.MaxBytes, Placed: true,
			Help:  "Paste it, drop it here, or choose the file. It is read in this page and sent nowhere, and a link to this card does not carry it.",
			Check: c.check, Then: c.follow},
	}
}

// models are the reader's own and those of the catalog, for a menu.
func models() []instrument.Option {
	all := []instrument.Option{{ID: own, Name: "your own config.json", Group: "From a file"}}
	for _, k := range model.Catalog().All {
		all = append(all, instrument.Option{ID: k.ID, Name: k.Name, Group: k.Group})
	}
	return all
}

// dtype is a number format and what a number takes in it.
type dtype struct {
	name  string
	bytes float64
	note  string
}

// label is "fp8, 1 byte".
func (d dtype) label() string {
	if d.note != "" {
		return d.name + ", " + d.note
	}
	return d.name
}

func weightTypes() []dtype {
	return []dtype{{"fp32", 4, ""}, {"bf16", 2, ""}, {"fp8", 1, ""}, {"int8", 1, ""}, {"nvfp4", 9.0 / 16, "4.5 bits with scales"}, {"mxfp4", 17.0 / 32, "4.25 bits with scales"}, {"int4", 0.5, ""}}
}

func cacheTypes() []dtype {
	return []dtype{{"fp32", 4, ""}, {"bf16", 2, ""}, {"fp8", 1, ""}, {"int4", 0.5, ""}}
}

func dtypeOptions(all []dtype) []instrument.Option {
	var options []instrument.Option
	for _, d := range all {
		options = append(options, instrument.Option{ID: d.name, Name: d.label()})
	}
	return options
}

// element is what a number of the chosen format takes.
func element(all []dtype, name string) float64 {
	for _, d := range all {
		if d.name == name {
			return d.bytes
		}
	}
	return 2
}

// mask is what of attention is counted.
func mask(s *instrument.State) model.Mask {
	switch s.Text("mask") {
	case "causal":
		return model.Causal
	case "full":
		return model.Full
	}
	return model.Windowed
}

// pass is what of a step is counted, and what it is called.
func pass(s *instrument.State) (model.Pass, string) {
	if s.Text("pass") == "forward" {
		return model.Forward, "forward"
	}
	return model.Train, "training"
}
