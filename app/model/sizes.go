package model

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/quantity"
)

// Size is a size of a model's configuration as a reader knows it. Its text is empty where the model has none.
type Size struct{ Name, Text string }

// Sizes are the same ones in the same order for every model.
func (m *Model) Sizes() []Size {
	return []Size{
		{"Layers, L", strconv.Itoa(m.Layers)},
		{"Width, D", grouped(m.Width)},
		{"Heads: queries N, keys and values K, size H", m.headsText()},
		{"Latent of keys and values", m.latentText()},
		{"Window", m.WindowText()},
		{"Dense MLP’s width, F", m.denseText()},
		{"Experts", m.expertsText()},
		{"Vocabulary, V", m.vocabText()},
	}
}

func (m *Model) headsText() string {
	l := m.Layer(m.Layers - 1)
	if m.MLA.KVRank != 0 {
		return strconv.Itoa(l.Heads) + ", keys of " + strconv.Itoa(m.MLA.NopeSize) + " + " +
			strconv.Itoa(m.MLA.RopeSize) + ", values of " + strconv.Itoa(m.MLA.ValueSize)
	}
	seen := l.headsText()
	for i := range min(m.Layers, MaxLayers) { // windowed layers may have heads of their own
		if other := m.Layer(i); other.Window != l.Window && other.headsText() != seen {
			return seen + " in the last layer; " + other.headsText() + " in layer " + strconv.Itoa(i+1) + " and its like"
		}
	}
	return seen
}

func (l Layer) headsText() string {
	said := strconv.Itoa(l.Heads) + ", " + strconv.Itoa(l.KVHeads) + ", " + strconv.Itoa(l.HeadSize)
	if l.ValueSize != l.HeadSize {
		said += " (values of " + strconv.Itoa(l.ValueSize) + ")"
	}
	return said
}

func (m *Model) latentText() string {
	if m.MLA.KVRank == 0 {
		return ""
	}
	return strconv.Itoa(m.MLA.KVRank) + " + " + strconv.Itoa(m.MLA.RopeSize) + " for position"
}

// WindowText is "128 tokens in 18 of 36 layers", or empty.
func (m *Model) WindowText() string {
	if m.Window.Size == 0 {
		return ""
	}
	kind := " tokens in "
	if m.Window.Chunked {
		kind = " tokens, in chunks, in "
	}
	return strconv.Itoa(m.Window.Size) + kind + m.layersWith(func(l Layer) bool { return l.Window != 0 })
}

// layersWith is "18 of 36 layers".
func (m *Model) layersWith(has func(Layer) bool) string {
	n := 0
	for i := range min(m.Layers, MaxLayers) {
		if has(m.Layer(i)) {
			n++
		}
	}
	if n == m.Layers {
		return "every layer"
	}
	return strconv.Itoa(n) + " of " + strconv.Itoa(m.Layers) + " layers"
}

func (m *Model) denseText() string {
	if m.Params().MLP == 0 {
		return ""
	}
	return grouped(m.FFWidth)
}

func (m *Model) expertsText() string {
	e := m.MoE
	if e.Experts == 0 {
		return ""
	}
	said := []string{strconv.Itoa(e.PerToken) + " of " + strconv.Itoa(e.Experts) + " for a token, width " +
		grouped(m.ExpertWidth())}
	if e.Shared > 0 {
		said = append(said, strconv.Itoa(e.Shared)+" shared")
	}
	return strings.Join(append(said, "in "+m.layersWith(func(l Layer) bool { return l.Experts })), "; ")
}

func (m *Model) vocabText() string {
	if m.Tied {
		return grouped(m.Vocab) + ", embeddings tied"
	}
	return grouped(m.Vocab)
}

// grouped is a size with commas between its thousands, where quantities have them.
func grouped(n int) string { return quantity.Quantity{Value: float64(n)}.String() }
