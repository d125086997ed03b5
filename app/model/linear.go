package model

import (
	"github.com/scalebook/scalebook/app/phrase"
	q "github.com/scalebook/scalebook/app/quantity"
)

// Linear is what some layers have in place of attention: linear attention, a state-space model, or a short convolution.
// Such a layer keeps a state of one size, however long its sequence is. It is in use if Kind is not NoLinear.
type Linear struct {
	Kind      LinearKind
	KeyHeads  int // heads of queries and keys; of a state-space model the groups that share an input and an output
	Heads     int // heads of values, each with a state of KeySize x ValueSize
	KeySize   int // of a key; of a state-space model the size of its state
	ValueSize int // of a value
	Conv      int // taps of the convolution over the last tokens; 0 if there is none
	ConvBias  bool
	Bias      bool    // of the projections into and out of a state-space model or a convolution
	FullGate  bool    // KimiDelta: the gate of the output is one matrix instead of two narrow ones
	Rank      int     // Mamba1: of the step's projection
	State16   bool    // its publisher asks for no states in 32 bits, and vLLM keeps them in 16 then
	NoNorm    bool    // of the output, before its projection (Falcon-H1)
	Beside    bool    // these layers have attention too, side by side on the same input (Falcon-H1)
	Layers    Pattern // which layers are so; zero means all. The others have attention
}

// LinearKind says what a linear layer computes, and which matrices it has.
type LinearKind uint8

// The kinds of linear layers.
const (
	NoLinear   LinearKind = iota
	GatedDelta            // Gated DeltaNet: Qwen3-Next, Qwen 3.5
	KimiDelta             // Kimi Delta Attention, which forgets each element of a key at its own rate
	Mamba2                // Nemotron-H, Granite 4, Bamba
	Mamba1                // Jamba
	Lightning             // MiniMax-01, Ring-linear
	ShortConv             // LFM2: a gated convolution, and nothing that reaches farther
)

// Name is what the field calls it.
func (k LinearKind) Name() *phrase.Phrase {
	return phrase.New([...]string{"", "model.gated-delta", "model.kimi-delta", "model.mamba-two", "model.mamba",
		"model.lightning", "model.short-convolution"}[k])
}

// Matrix is a matrix of a layer, with which each token is multiplied.
type Matrix struct {
	key        string // of its name
	Rows, Cols int
}

// Name says what the matrix makes.
func (x Matrix) Name() *phrase.Phrase { return phrase.New(x.key) }

// keys and values are the widths of all heads.
func (l *Linear) keys() int   { return l.KeyHeads * l.KeySize }
func (l *Linear) values() int { return l.Heads * l.ValueSize }

// Channels is how many sequences of numbers the convolution runs over.
func (l *Linear) Channels(width int) int {
	switch l.Kind {
	case Mamba1:
		return l.values()
	case ShortConv:
		return width
	case Lightning:
		return 0
	}
	return 2*l.keys() + l.values()
}

// LinearMatrices are the matrices with which a linear layer multiplies a token. The convolution is one of them: a token
// meets each of its weights once.
func (m *Model) LinearMatrices() []Matrix {
	l, D := &m.Linear, m.Width
	k, v := l.keys(), l.values()
	var all []Matrix
	add := func(key string, rows, cols int) {
		if rows > 0 && cols > 0 {
			all = append(all, Matrix{key, rows, cols})
		}
	}
	switch l.Kind {
	case GatedDelta:
		add("model.m-qkvg", D, 2*k+2*v)
		add("model.m-rates", D, 2*l.Heads)
	case KimiDelta:
		add("model.m-qkv", D, 2*k+v)
		add("model.m-forget-down", D, l.KeySize)
		add("model.m-forget-up", l.KeySize, k)
		add("model.m-rates", D, l.Heads)
		if l.FullGate {
			add("model.m-gate", D, v)
		} else {
			add("model.m-gate-down", D, l.ValueSize)
			add("model.m-gate-up", l.ValueSize, v)
		}
	case Mamba2:
		add("model.m-mamba-two", D, 2*v+2*k+l.Heads)
	case Mamba1:
		add("model.m-gate-values", D, 2*v)
		add("model.m-mamba", v, l.Rank+2*l.KeySize)
		add("model.m-steps-up", l.Rank, v)
	case Lightning:
		add("model.m-qkvg", D, 4*v)
	case ShortConv:
		add("model.m-gates-values", D, 3*D)
		v = D
	}
	add("model.m-convolution", l.Conv, l.Channels(D))
	add("model.m-out", v, D)
	return all
}

// LinearSmall is the parameters of a linear layer that are in no matrix: norms, and biases with rates and the like.
func (m *Model) LinearSmall() (norms, biases float64) {
	l := &m.Linear
	k, v, H := float64(l.keys()), float64(l.values()), float64(l.Heads)
	if l.ConvBias {
		biases += float64(l.Channels(m.Width))
	}
	switch l.Kind {
	case GatedDelta:
		return float64(l.ValueSize), biases + 2*H
	case KimiDelta:
		return float64(l.ValueSize), biases + H + k
	case Mamba2:
		if l.Bias {
			biases += 2*v + 2*k + H + float64(m.Width)
		}
		if l.NoNorm {
			return 0, biases + 3*H
		}
		return v, biases + 3*H
	case Mamba1:
		if l.Bias {
			biases += 2*v + float64(m.Width)
		}
		return float64(l.Rank + 2*l.KeySize), biases + v + v*float64(l.KeySize) + v
	case Lightning:
		if m.QKNorm == HeadQKNorm {
			v += 2 * float64(l.KeySize)
		}
		return v, biases
	}
	if l.Bias {
		biases += 4 * float64(m.Width)
	}
	return 0, biases
}

// stateElements is the state of a linear layer: of its heads, and the last inputs of the convolution.
func (l *Linear) stateElements(width int) (state, conv float64) {
	if l.Kind != ShortConv {
		state = float64(l.values()) * float64(l.KeySize)
	}
	return state, float64(max(0, l.Conv-1)) * float64(l.Channels(width))
}

// What an element of a state takes: of heads four bytes, since rounding would add up, of a convolution two.
const (
	stateElement = 4
	convElement  = 2
)

// StateBytes is what all linear layers keep of a sequence, however long it is: the states of their heads in fp32, and
// the last inputs of their convolutions in bf16; and of layers that compress what is not an entry yet, in fp32.
func (m *Model) StateBytes() q.Bytes {
	state, conv := m.Linear.stateElements(m.Width)
	return q.Bytes(m.linearLayers()*(state*stateElement+conv*convElement) + m.openElements()*stateElement)
}

// StateBytes16 is StateBytes with the states of heads in 16 bits.
func (m *Model) StateBytes16() q.Bytes {
	state, _ := m.Linear.stateElements(m.Width)
	return m.StateBytes() - q.Bytes(m.linearLayers()*state*(stateElement-2))
}

// linearLayers is how many layers are linear.
func (m *Model) linearLayers() float64 {
	n := 0
	for _, k := range m.kinds() {
		if k.Linear {
			n += k.n
		}
	}
	return float64(n)
}

// StateFLOPs are the operations on the states for one token, beside the matmuls with weights: of linear attention by
// the delta rule three products with each state, of the others two. Training in chunks takes more; no formula of a
// publisher counts that.
func (m *Model) StateFLOPs(p Pass) q.FLOPs {
	state, _ := m.Linear.stateElements(m.Width)
	return q.FLOPs(float64(p) * m.linearLayers() * 2 * m.Linear.Products() * state)
}

// Products is how many products with its state a linear layer computes for each token: 3 by the delta rule (what the
// key recalls, what is written, what the query reads), 2 in other layers with a state, 0 in a short convolution.
func (l *Linear) Products() float64 {
	switch l.Kind {
	case NoLinear, ShortConv:
		return 0
	case GatedDelta, KimiDelta:
		return 3
	}
	return 2
}

// Index is a small attention beside the large one, which picks the tokens that the large one looks at (DeepSeek-V3.2,
// GLM-5). It is in use if Top is not 0.
type Index struct {
	Heads int // of its queries
	Size  int // of a head, and of the one key that all share
	Top   int // tokens that it picks for each

	Layers Pattern // which layers have one; zero means all. The others look at what the last one before them picked

	// An index behind layer Source looks only at so many entries, which the index of that layer picked in blocks
	// (DeepSeek-V4.1); 0 means that every index looks at all.
	Candidates, Source int
	FP4                bool // its keys are kept in fp4, with a scale of one byte for each 32 numbers; otherwise in fp8
}

// IndexMatrices are the matrices with which the index of layer l multiplies a token. Its queries come from the latent
// of the queries, if there is one. Where layers share entries, keys of the index are made from these.
func (m *Model) IndexMatrices(l Layer) []Matrix {
	x := &m.Index
	from, key := m.Width, x.Size
	if m.Compress.Shared {
		from = l.HeadSize
	} else if m.Compress.used() {
		key *= 4 // of an entry's tokens and of those before, keys and how much each counts
	}
	all := []Matrix{{"model.m-index-queries", or(m.MLA.QRank, m.Width), x.Heads * x.Size},
		{"model.m-index-weights", m.Width, x.Heads}}
	if !l.Borrows {
		all = append(all, Matrix{"model.m-index-key", from, key})
	}
	return all
}

// IndexBytes is the cache of index keys of a sequence of T tokens, as engines keep it: in fp8, with a scale of four
// bytes for each 128 numbers, or in fp4. A layer that looks at the entries of another looks at its keys too.
func (m *Model) IndexBytes(T float64) q.Bytes {
	if m.Index.Top == 0 {
		return 0
	}
	n := 0.0
	for _, k := range m.kinds() {
		if k.Indexes && !k.Borrows {
			n += float64(k.n) / k.entry()
		}
	}
	element := 1 + 4.0/128
	if m.Index.FP4 {
		element = 1.0/2 + 1.0/32
	}
	return q.Bytes(n * max(T, 0) * float64(m.Index.Size) * element)
}

// elements is how many elements matrices have.
func elements(all []Matrix) float64 {
	n := 0.0
	for _, x := range all {
		n += float64(x.Rows) * float64(x.Cols)
	}
	return n
}

// Compress is attention to entries that stand for several tokens each, beside a window (DeepSeek-V4): each token gives
// keys and a weight for each of their elements, and an entry is the weighted mean of its tokens. Layers with an index
// look at the entries that it picks, and there each entry also draws on the tokens of the one before it; other layers
// look at all entries. Keys are values too. It is in use if OutRank is not 0.
//
// Where Shared is on (DeepSeek-V4.1), only the layers that Makes covers make entries, of their own tokens alone, and
// the layers behind them that Reads covers look at those of the last one, as the last index before them picked them.
type Compress struct {
	Sparse int     // tokens of an entry in layers with an index, which Index.Layers says; 0 if there is none
	Dense  int     // tokens of an entry in layers without one; 0 if there is none
	Layers Pattern // which layers have entries of Dense tokens. The others without an index have the window alone

	// The output's projection has two steps: of Groups of heads each to OutRank numbers, and these to the width.
	Groups, OutRank int

	Shared       bool
	Makes, Reads Pattern // of no use unless Shared
}

func (c *Compress) used() bool { return c.OutRank != 0 }

// compress says what an entry stands for in layer i, and whose it is.
func (m *Model) compress(l *Layer, i int) {
	switch c := &m.Compress; {
	case !c.used():
		return
	case c.Shared && !c.Reads.Covers(i):
		l.Indexes = false
	case c.Dense != 0 && c.Layers.Covers(i) && (c.Shared || !l.Indexes):
		l.Compress = c.Dense
	case c.Shared || c.Sparse != 0 && l.Indexes:
		l.Compress, l.Overlaps = c.Sparse, !c.Shared
	}
	l.Borrows = l.Compress != 0 && m.Compress.Shared && !m.Compress.Makes.Covers(i)
	if !l.Indexes && (!m.Compress.Shared || l.Compress == 0) {
		l.Top = 0
	}
}

// entry is how many tokens an entry of a layer's cache stands for, 1 if it has one for each.
func (l Layer) entry() float64 { return float64(max(1, l.Compress)) }

// overlap is from how many entries' tokens an entry is made.
func (l Layer) overlap() float64 {
	if l.Overlaps {
		return 2
	}
	return 1
}

// compressParams are those of a layer that compresses, or whose model does.
func (m *Model) compressParams(p *Params, l Layer) {
	D, H, out := float64(m.Width), float64(l.HeadSize), float64(m.Compress.OutRank)
	p.Output = float64(l.Heads)*float64(l.ValueSize)*out + float64(m.Compress.Groups)*out*D
	p.Norms += H // of the keys
	switch {
	case l.Compress == 0 || l.Borrows:
		return
	case m.Compress.Shared:
		p.Merge = D * H
		if l.Compress > 1 {
			p.Merge *= 2 // how much each of its tokens counts; one alone needs no weight
		}
		p.Norms += H
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
		if k.Compress == 0 || k.Borrows || k.Compress == 1 {
			continue
		}
		size := float64(k.HeadSize)
		if k.Indexes && !m.Compress.Shared {
			size += float64(m.Index.Size)
		}
		n += float64(k.n) * 2 * k.entry() * k.overlap() * k.overlap() * size
	}
	return n
}
