package model

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
)

// The largest sizes that Validate allows: far beyond any model, and small enough that counting stays quick and exact.
const (
	MaxLayers = 100_000
	MaxSize   = 1 << 28 // of a width, a head, a vocabulary, a window, or a number of heads or experts
	maxParams = 1 << 53 // float64 counts exactly up to here
)

// Validate says what keeps m from being a model, or nil. The error is an *Error that names the first field at fault.
func (m *Model) Validate() error {
	for i, n := range m.sizes() {
		least := 0
		if i < needed {
			least = 1
		}
		if n < least || n > MaxSize {
			return &Error{
				strings.Split(sizeNames, ",")[i],
				phrase.New("model.out-of-range", "n", n),
				phrase.New("model.range", "least", least, "most", MaxSize),
			}
		}
	}
	for _, check := range []func() *Error{m.checkLayers, m.checkKinds, m.checkHeads, m.checkLatent, m.checkExperts,
		m.checkWindow, m.checkLinear, m.checkIndex, m.checkCompress, m.checkBlocks} {
		if err := check(); err != nil {
			return err
		}
	}
	if m.Total() > maxParams {
		return refuse("", "model.too-large", "model.smaller")
	}
	return nil
}

// sizeNames are the names of sizes, in their order.
const sizeNames = "" +
	"Layers,Width,Vocab,Heads,KVHeads,HeadSize,ValueSize,FFWidth,Slopes,Positions,Norms,MLA.QRank,MLA.KVRank," +
	"MLA.NopeSize,MLA.RopeSize,MLA.ValueSize,Window.Size,Window.Heads,Window.KVHeads,Window.HeadSize," +
	"Window.ValueSize,Window.Layers.First,MoE.Experts,MoE.PerToken,MoE.Width,Linear.KeyHeads,Linear.Heads," +
	"Linear.KeySize,Linear.ValueSize,Linear.Conv,Linear.Rank,Linear.Layers.First,Index.Heads,Index.Size," +
	"Index.Top,Index.Layers.First,Sharing.Layers,Sharing.Every,PerLayer.Width,PerLayer.Vocab,Side.Streams," +
	"Side.Rank,Side.Hyper,Compress.Sparse,Compress.Dense,Compress.Groups,Compress.OutRank,MoE.Hashed," +
	"MoE.Latent,MoE.Shared,MoE.SharedWidth,MoE.Layers.First"

// needed is how many of the first sizes must be at least 1; the others may be 0.
const needed = 4

// sizes are the whole numbers of m.
func (m *Model) sizes() []int {
	a, w, e := &m.MLA, &m.Window, &m.MoE
	return []int{
		m.Layers, m.Width, m.Vocab, m.Heads, m.KVHeads, m.HeadSize, m.ValueSize, m.FFWidth, m.Slopes,
		m.Positions, m.Norms, a.QRank, a.KVRank, a.NopeSize, a.RopeSize, a.ValueSize, w.Size, w.Heads, w.KVHeads,
		w.HeadSize, w.ValueSize, w.Layers.First, e.Experts, e.PerToken, e.Width, m.Linear.KeyHeads,
		m.Linear.Heads, m.Linear.KeySize, m.Linear.ValueSize, m.Linear.Conv, m.Linear.Rank,
		m.Linear.Layers.First, m.Index.Heads, m.Index.Size, m.Index.Top, m.Index.Layers.First, m.Sharing.Layers,
		m.Sharing.Every, m.PerLayer.Width, m.PerLayer.Vocab, m.Side.Streams, m.Side.Rank, m.Side.Hyper,
		m.Compress.Sparse, m.Compress.Dense, m.Compress.Groups, m.Compress.OutRank, e.Hashed, e.Latent, e.Shared,
		e.SharedWidth, e.Layers.First,
	}
}

func (m *Model) checkLayers() *Error {
	if m.Layers > MaxLayers {
		return &Error{
			"Layers",
			phrase.New("model.out-of-range", "n", m.Layers),
			phrase.New("model.range", "least", 1, "most", MaxLayers),
		}
	}
	if err := m.Window.Layers.check("Window.Layers"); err != nil {
		return err
	}
	for _, p := range []struct {
		name string
		Pattern
	}{{"MoE.Layers", m.MoE.Layers}, {"Linear.Layers", m.Linear.Layers}, {"Blocks.Mixers", m.Blocks.Mixers},
		{"Blocks.MLP", m.Blocks.MLP}, {"Index.Layers", m.Index.Layers},
		{"Compress.Layers", m.Compress.Layers}} {
		if err := p.check(p.name); err != nil {
			return err
		}
	}
	return nil
}

// check refuses a cycle of other signs than 0 and 1.
func (p Pattern) check(name string) *Error {
	if len(p.Cycle) > MaxLayers {
		return &Error{name + ".Cycle", phrase.New("model.long-cycle", "most", MaxLayers), phrase.New("model.no-repeats")}
	}
	for i := range len(p.Cycle) {
		if c := p.Cycle[i]; c != '0' && c != '1' {
			return &Error{
				name + ".Cycle",
				phrase.New("model.no-sign", "sign", strconv.Quote(p.Cycle[i:i+1])),
				phrase.New("model.write-cycle"),
			}
		}
	}
	return nil
}

func (m *Model) checkKinds() *Error {
	if m.Norm > BareNorm {
		return noKind("Norm", int(m.Norm), "model.give-norm")
	}
	if m.QKNorm > WidthQKNorm {
		return noKind("QKNorm", int(m.QKNorm), "model.give-qk-norm")
	}
	return nil
}

// noKind is the error of a kind that there is not; the remedy is a key.
func noKind(field string, kind int, remedy string) *Error {
	return &Error{field, phrase.New("model.no-kind", "n", kind), phrase.New(remedy)}
}

// checkHeads refuses heads that do not share what they must share evenly, in every kind of layer.
func (m *Model) checkHeads() *Error {
	if m.MLA.KVRank != 0 {
		return nil
	}
	if m.HeadSize == 0 && m.Width%m.Heads != 0 {
		return &Error{
			"HeadSize",
			phrase.New("model.no-multiple", "width", m.Width, "heads", m.Heads),
			phrase.New("model.give-head-size"),
		}
	}
	for _, k := range m.kinds() {
		if k.Heads%k.KVHeads != 0 {
			field := "KVHeads"
			if k.Window != 0 && m.Window.KVHeads+m.Window.Heads != 0 {
				field = "Window.KVHeads"
			}
			return &Error{
				field,
				phrase.New("model.no-kv-multiple", "heads", k.Heads, "kv", k.KVHeads),
				phrase.New("model.divisor", "n", k.Heads),
			}
		}
	}
	return nil
}

func (m *Model) checkLatent() *Error {
	a := &m.MLA
	switch {
	case a.KVRank == 0 && *a != (MLA{QRank: a.QRank}):
		return refuse("MLA.KVRank", "model.no-rank", "model.give-rank")
	case a.KVRank != 0 && a.NopeSize+a.RopeSize == 0:
		return refuse("MLA.NopeSize", "model.no-key-size", "model.give-key-size")
	case a.KVRank != 0 && a.ValueSize == 0:
		return refuse("MLA.ValueSize", "model.no-value-size", "model.give-value-size")
	case a.KVRank != 0 && (m.Window.HeadSize|m.Window.KVHeads|m.Window.ValueSize) != 0:
		return refuse("Window.HeadSize", "model.latent-windows", "model.no-window-heads")
	}
	return nil
}

func (m *Model) checkExperts() *Error {
	e := &m.MoE
	switch {
	case e.Experts == 0 && *e != (MoE{}):
		return refuse("MoE.Experts", "model.no-experts", "model.give-experts")
	case e.Experts != 0 && (e.PerToken < 1 || e.PerToken > e.Experts):
		return &Error{
			"MoE.PerToken",
			phrase.New("model.too-many-experts", "k", e.PerToken, "n", e.Experts),
			phrase.New("model.up-to", "n", e.Experts),
		}
	case e.Experts != 0 && m.ExpertWidth() == 0:
		return refuse("MoE.Width", "model.no-expert-width", "model.give-expert-width")
	case e.SharedGate && e.Shared == 0:
		return refuse("MoE.SharedGate", "model.no-shared", "model.give-shared")
	}
	for _, k := range m.kinds() {
		if !k.Experts && !k.NoMLP && m.FFWidth == 0 {
			return refuse("FFWidth", "model.no-width", "model.give-width")
		}
	}
	return nil
}

func (m *Model) checkWindow() *Error {
	if w := &m.Window; w.Size == 0 && *w != (Window{}) {
		return refuse("Window.Size", "model.no-window", "model.give-window")
	}
	return nil
}

func (m *Model) checkLinear() *Error {
	l := &m.Linear
	heads := l.KeyHeads != 0 && l.Heads != 0 && l.KeySize != 0 && l.ValueSize != 0
	switch {
	case l.Kind > ShortConv:
		return noKind("Linear.Kind", int(l.Kind), "model.give-linear-kind")
	case l.Kind == NoLinear && *l != (Linear{}):
		return refuse("Linear.Kind", "model.no-linear-kind", "model.give-kind")
	case l.Kind != NoLinear && l.Kind != ShortConv && !heads:
		return refuse("Linear.Heads", "model.no-linear-heads", "model.give-linear-heads")
	}
	return nil
}

func (m *Model) checkIndex() *Error {
	if x := &m.Index; x.Top == 0 && *x != (Index{}) || x.Top != 0 && (x.Heads == 0 || x.Size == 0) {
		return refuse("Index.Top", "model.half-index", "model.whole-index")
	}
	return nil
}

func (m *Model) checkCompress() *Error {
	switch c := &m.Compress; {
	case !c.used() && *c != (Compress{}) || c.used() && (c.Groups == 0 || m.MLA.KVRank != 0):
		return refuse("Compress.OutRank", "model.half-compress", "model.whole-compress")
	case c.used() && m.Window.Size == 0:
		return refuse("Compress.OutRank", "model.no-compress-window", "model.give-window-size")
	}
	return nil
}

func (m *Model) checkBlocks() *Error {
	if b := &m.Blocks; !b.Apart && *b != (Blocks{}) {
		return refuse("Blocks.Apart", "model.half-blocks", "model.set-apart")
	}
	if m.Sharing.Layers > m.Layers {
		return &Error{"Sharing.Layers", phrase.New("model.many-share", "n", m.Sharing.Layers, "all", m.Layers),
			phrase.New("model.fewer")}
	}
	return nil
}
