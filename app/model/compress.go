package model

// Compress is attention to entries that stand for several tokens each, beside a window (DeepSeek-V4): each token gives
// keys and a weight for each of their elements, and an entry is the weighted mean of its tokens. Layers with an index
// look at the entries that it picks, and there each entry also draws on the tokens of the one before it; other layers
// look at all entries. Keys are values too. It is in use if OutRank is not 0.
type Compress struct {
	Sparse int     // tokens of an entry in layers with an index, which Index.Layers says; 0 if there is none
	Dense  int     // tokens of an entry in layers without one; 0 if there is none
	Layers Pattern // which layers have entries of Dense tokens. The others without an index have the window alone

	// The output's projection has two steps: of Groups of heads each to OutRank numbers, and these to the width.
	Groups, OutRank int
}

func (c *Compress) used() bool { return c.OutRank != 0 }

// compress says what an entry stands for in layer i.
func (m *Model) compress(l *Layer, i int) {
	switch c := &m.Compress; {
	case c.Sparse != 0 && m.Index.Top != 0 && m.Index.Layers.Covers(i):
		l.Compress = c.Sparse
	case c.Dense != 0 && c.Layers.Covers(i):
		l.Compress = c.Dense
	}
}

// entry is how many tokens an entry of a layer's cache stands for, 1 if it has one for each.
func (l Layer) entry() float64 { return float64(max(1, l.Compress)) }

// overlap is from how many entries' tokens an entry is made.
func (l Layer) overlap() float64 {
	if l.Indexes {
		return 2
	}
	return 1
}

// compressParams are those of a layer that compresses, or whose model does.
func (m *Model) compressParams(p *Params, l Layer) {
	D, H, out := float64(m.Width), float64(l.HeadSize), float64(m.Compress.OutRank)
	p.Output = float64(l.Heads)*float64(l.ValueSize)*out + float64(m.Compress.Groups)*out*D
	p.Norms += H // of the keys
	if l.Compress == 0 {
		return
	}
	wide := l.overlap() * H
	p.Merge = 2 * D * wide
	p.Norms += H                 // of an entry
	p.Biases += l.entry() * wide // for each place in an entry
	if l.Indexes {
		d := float64(m.Index.Size)
		p.Norms -= d // its entries have a norm without biases
		p.Biases += l.entry() * l.overlap() * d
	}
}

// openElements is what a sequence keeps of tokens that are no entry yet, as the publisher's code does: keys and their
// weights, of all tokens that the next entry is made from.
func (m *Model) openElements() float64 {
	n := 0.0
	for _, k := range m.kinds() {
		if k.Compress == 0 {
			continue
		}
		size := float64(k.HeadSize)
		if k.Indexes {
			size += float64(m.Index.Size)
		}
		n += float64(k.n) * 2 * k.entry() * k.overlap() * k.overlap() * size
	}
	return n
}
