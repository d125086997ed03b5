package model

import (
	"strconv"

	"github.com/scalebook/scalebook/app/phrase"
)

// The largest sizes that Validate allows: far beyond any model, and small enough that counting stays quick and exact.
const (
	MaxLayers = 100_000
	MaxSize   = 1 << 28 // of a width, a head, a vocabulary, a window, or a number of heads or experts
	maxParams = 1 << 53 // float64 counts exactly up to here
)

// size is a size of a model with its name.
type size struct {
	name  string
	value int
	least int
}

// Validate says what keeps m from being a model, or nil. The error is an *Error that names the first field at fault.
func (m *Model) Validate() error {
	for _, s := range m.sizes() {
		if s.value < s.least || s.value > MaxSize {
			return &Error{
				s.name,
				phrase.New("model.out-of-range", "n", s.value),
				phrase.New("model.range", "least", s.least, "most", MaxSize),
			}
		}
	}
	for _, check := range []func() *Error{m.checkLayers, m.checkKinds, m.checkHeads, m.checkLatent, m.checkExperts,
		m.checkWindow, m.checkLinear, m.checkIndex, m.checkCompress, m.checkNGrams, m.checkBlocks} {
		if err := check(); err != nil {
			return err
		}
	}
	if m.Total() > maxParams {
		return refuse("", "model.too-large", "model.smaller")
	}
	return nil
}

// sizes are the whole numbers of m and the least that each may be.
func (m *Model) sizes() []size {
	a, w, e := &m.MLA, &m.Window, &m.MoE
	return []size{
		{"Layers", m.Layers, 1}, {"Width", m.Width, 1}, {"Vocab", m.Vocab, 1}, {"Heads", m.Heads, 1},
		{"KVHeads", m.KVHeads, 0}, {"HeadSize", m.HeadSize, 0}, {"ValueSize", m.ValueSize, 0},
		{"FFWidth", m.FFWidth, 0}, {"Slopes", m.Slopes, 0}, {"Positions", m.Positions, 0}, {"MoreRows", m.MoreRows, 0},
		{"EmbedWidth", m.EmbedWidth, 0}, {"Norms", m.Norms, 0},
		{"MLA.QRank", a.QRank, 0}, {"MLA.KVRank", a.KVRank, 0}, {"MLA.NopeSize", a.NopeSize, 0},
		{"MLA.RopeSize", a.RopeSize, 0},
		{"MLA.ValueSize", a.ValueSize, 0}, {"Window.Size", w.Size, 0}, {"Window.Heads", w.Heads, 0},
		{"Window.KVHeads", w.KVHeads, 0}, {"Window.HeadSize", w.HeadSize, 0}, {"Window.ValueSize", w.ValueSize, 0},
		{"Window.Layers.First", w.Layers.First, 0}, {"MoE.Experts", e.Experts, 0}, {"MoE.PerToken", e.PerToken, 0},
		{"MoE.Width", e.Width, 0}, {"Linear.KeyHeads", m.Linear.KeyHeads, 0}, {"Linear.Heads", m.Linear.Heads, 0},
		{"Linear.KeySize", m.Linear.KeySize, 0}, {"Linear.ValueSize", m.Linear.ValueSize, 0},
		{"Linear.Conv", m.Linear.Conv, 0}, {"Linear.Rank", m.Linear.Rank, 0},
		{"Linear.Layers.First", m.Linear.Layers.First, 0}, {"Index.Heads", m.Index.Heads, 0},
		{"Index.Size", m.Index.Size, 0}, {"Index.Top", m.Index.Top, 0},
		{"Index.Layers.First", m.Index.Layers.First, 0}, {"Sharing.Layers", m.Sharing.Layers, 0},
		{"Sharing.Every", m.Sharing.Every, 0}, {"PerLayer.Width", m.PerLayer.Width, 0},
		{"PerLayer.Vocab", m.PerLayer.Vocab, 0}, {"Side.Streams", m.Side.Streams, 0},
		{"Side.Rank", m.Side.Rank, 0}, {"Side.Hyper", m.Side.Hyper, 0}, {"Compress.Sparse", m.Compress.Sparse, 0},
		{"Compress.Dense", m.Compress.Dense, 0}, {"Compress.Groups", m.Compress.Groups, 0},
		{"Compress.OutRank", m.Compress.OutRank, 0}, {"MoE.Hashed", e.Hashed, 0},
		{"MoE.Latent", e.Latent, 0}, {"MoE.Shared", e.Shared, 0}, {"MoE.SharedWidth", e.SharedWidth, 0},
		{"MoE.Layers.First", e.Layers.First, 0}, {"NGrams.Size", m.NGrams.Size, 0}, {"NGrams.Reads", m.NGrams.Reads, 0},
		{"Index.Candidates", m.Index.Candidates, 0}, {"Index.Source", m.Index.Source, 0},
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
		{"Blocks.MLP", m.Blocks.MLP}, {"Index.Layers", m.Index.Layers}, {"NGrams.Layers", m.NGrams.Layers},
		{"Compress.Layers", m.Compress.Layers}, {"Compress.Makes", m.Compress.Makes},
		{"Compress.Reads", m.Compress.Reads}} {
		if err := p.check(p.name); err != nil {
			return err
		}
	}
	return nil
}

// check refuses a cycle of other signs than 0 and 1.
func (p Pattern) check(name string) *Error {
	if len(p.Cycle) > MaxLayers {
		return &Error{name + ".Cycle", phrase.New("model.long-cycle", "most", MaxLayers),
			phrase.New("model.no-repeats")}
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
		if !k.Experts && !k.NoMLP && !k.MatrixMLP && k.FFWidth == 0 && m.FFWidth == 0 {
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
	case c.Shared && c.Sparse == 0 && c.Dense == 0:
		return refuse("Compress.Shared", "model.no-entries", "model.give-entries")
	}
	made := false
	for i := range m.Layers {
		l := m.Layer(i)
		if made = made || l.Compress != 0 && !l.Borrows; l.Borrows && !made {
			return &Error{"Compress.Makes", phrase.New("model.no-source", "layer", i), phrase.New("model.give-source")}
		}
		if !m.Compress.Shared {
			break
		}
	}
	return nil
}

// maxRows is how many rows tables of n-grams may have.
const maxRows = 1 << 40

func (m *Model) checkNGrams() *Error {
	g := &m.NGrams
	switch used := g.Rows != 0 && g.Size != 0 && g.Reads != 0; {
	case g.Rows < 0 || g.Rows > maxRows:
		return &Error{"NGrams.Rows", phrase.New("model.out-of-range", "n", g.Rows),
			phrase.New("model.range", "least", 0, "most", maxRows)}
	case !used && *g != (NGrams{}):
		return refuse("NGrams.Rows", "model.half-ngrams", "model.whole-ngrams")
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

// Error says what is wrong with a model or a question to it, and what would be right.
type Error struct {
	Field        string // of Model, "MoE.PerToken"; empty if the fault is of no single one
	What, Remedy *phrase.Phrase
}

// refuse is an error of a field in sentences without gaps, by their keys.
func refuse(field, what, remedy string) *Error {
	return &Error{field, phrase.New(what), phrase.New(remedy)}
}

// Subject is what is wrong, and with which field.
func (e *Error) Subject() *phrase.Phrase {
	if e.Field == "" {
		return e.What
	}
	return phrase.New("model.in-field", "field", e.Field, "fault", e.What)
}

// In is the error in a language, in one line.
func (e *Error) In(l phrase.Phrases) string {
	return phrase.Fault{What: e.Subject(), Remedy: e.Remedy}.In(l)
}

// Error is the error in English.
func (e *Error) Error() string { return e.In(phrase.Phrases{}) }
