package layer

import (
	"slices"
	"strconv"

	"github.com/scalebook/scalebook/app/model"
)

// Kind is one of the different layers of a model.
type Kind struct {
	model.Layer
	ID    string // "window_experts": tells the kinds of a model apart
	Name  string // "3 layers: dense MLP"
	Count int    // how many there are
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
	switch {
	case k.Shares:
		return id + "sharing"
	case k.Experts:
		return id + "experts"
	}
	return id + "dense"
}

func (k *Kind) name(kinds int) string {
	number := strconv.Itoa(k.Count) + " layers: "
	switch {
	case kinds == 1:
		number = "all " + strconv.Itoa(k.Count) + ": "
	case k.Count == 1:
		number = "1 layer: "
	}
	what := "dense MLP"
	switch {
	case k.NoMLP:
		what = "nothing else"
	case k.Experts:
		what = "experts"
	}
	switch {
	case k.Beside:
		what = "a state beside a cache, " + what
	case k.Linear:
		what = "a state instead of a cache, " + what
	case k.Top != 0 && !k.Indexes:
		what += ", what an earlier index picked"
	}
	if k.NoMixer {
		what += " alone"
	}
	if k.NoMLP && !k.Linear {
		what = "attention alone"
	}
	if k.Shares {
		what += ", sharing a cache"
	}
	if k.Window != 0 {
		what += ", window of " + strconv.Itoa(k.Window)
	}
	return number + what
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
