package model

// kind is a kind of layer and how many of them a model has.
type kind struct {
	Layer
	n int
}

// kinds are the different kinds of layer of m, at most four: windowed or not, with experts or not. Every law is a sum
// over them. Layers beyond the largest number that Validate allows are not counted, so that no model takes long.
func (m *Model) kinds() []kind {
	layers := min(m.Layers, MaxLayers)
	if layers > 0 && m.Window.Size == 0 && (m.MoE.Experts == 0 || m.MoE.Layers == Pattern{}) {
		return []kind{{m.Layer(0), layers}}
	}
	var found [4]kind
	for i := range layers {
		k := &found[m.kindOf(i)]
		if k.n == 0 {
			k.Layer = m.Layer(i)
		}
		k.n++
	}
	out := make([]kind, 0, len(found))
	for _, k := range found {
		if k.n > 0 {
			out = append(out, k)
		}
	}
	return out
}

// kindOf is the index of layer i's kind.
func (m *Model) kindOf(i int) int {
	at := 0
	if m.Window.Size != 0 && m.Window.Layers.At(i) {
		at = 1
	}
	if m.MoE.Experts != 0 && m.MoE.Layers.At(i) {
		at += 2
	}
	return at
}
