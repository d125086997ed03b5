package layer

import (
	"slices"
	"strconv"

	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/phrase"
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
	slices.SortStableFunc(all, func(a, b Kind) int {
		if a.Count == b.Count && a.Experts != b.Experts {
			if a.Experts {
				return -1
			}
			return 1
		}
		return b.Count - a.Count
	})
	return all
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
func (b *Box) Title() string {
	if b.Sub != "" {
		return b.Name + "_" + b.Sub
	}
	return b.Name
}

// Counted is a layer with the pass in which its operations are counted.
type Counted struct {
	*Layer
	Pass model.Pass
}
