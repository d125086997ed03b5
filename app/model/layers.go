package model

// kind is a kind of layer and how many of them a model has.
type kind struct {
	Layer
	n int
}

// kindKey tells kinds of layers apart.
type kindKey struct {
	traits uint16
	own    [4]int
}

// kinds are the different kinds of layer of m. Every law is a sum over them. Layers beyond the largest number that
// Validate allows are not counted, so that no model takes long.
func (m *Model) kinds() []kind {
	layers := min(m.Layers, MaxLayers)
	if layers > 0 && m.alike() {
		return []kind{{m.Layer(0), layers}}
	}
	found, keys := make([]kind, 0, 4), make([]kindKey, 0, 4)
	for i := range layers {
		key := kindKey{m.kindOf(i), m.Each.of(i)}
		at := 0
		for at < len(keys) && keys[at] != key {
			at++
		}
		if at == len(keys) {
			keys, found = append(keys, key), append(found, kind{Layer: m.Layer(i)})
		}
		found[at].n++
	}
	return found
}

// alike tells whether all layers are of one kind.
func (m *Model) alike() bool {
	return m.Window.Size == 0 && (m.MoE.Experts == 0 || m.MoE.Layers == Pattern{}) && m.Linear.Kind == NoLinear &&
		!m.Blocks.Apart && m.Sharing == Sharing{} && m.Each == "" &&
		m.Index.Layers == Pattern{} && !m.Compress.used() && m.MoE.Hashed == 0
}

// kindOf is a number for the kind of layer i.
func (m *Model) kindOf(i int) uint16 {
	var key uint16
	for bit, is := range [...]bool{
		m.Window.Size != 0 && m.Window.Layers.Covers(i), m.MoE.Experts != 0 && m.MoE.Layers.Covers(i),
		m.Linear.Kind != NoLinear && m.Linear.Layers.Covers(i), m.Blocks.Apart && !m.Blocks.Mixers.Covers(i),
		m.Blocks.Apart && !m.Blocks.MLP.Covers(i), i >= m.Layers-m.Sharing.Layers,
		m.Index.Top != 0 && m.Index.Layers.Covers(i), m.Compress.Dense != 0 && m.Compress.Layers.Covers(i),
		i < m.MoE.Hashed, m.Sharing.between(i),
	} {
		if is {
			key |= 1 << bit
		}
	}
	return key
}
