package model

import "strconv"

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
				strconv.Itoa(s.value) + " is out of range",
				"give a whole number from " + strconv.Itoa(s.least) + " to " + strconv.Itoa(MaxSize),
			}
		}
	}
	for _, check := range []func() *Error{m.checkLayers, m.checkKinds, m.checkHeads, m.checkLatent, m.checkExperts,
		m.checkWindow, m.checkLinear, m.checkIndex, m.checkBlocks} {
		if err := check(); err != nil {
			return err
		}
	}
	if m.Total() > maxParams {
		return &Error{What: "more than 2^53 parameters", Remedy: "give smaller sizes"}
	}
	return nil
}

// sizes are the whole numbers of m and the least that each may be.
func (m *Model) sizes() []size {
	a, w, e := &m.MLA, &m.Window, &m.MoE
	return []size{
		{
			"Layers",
			m.Layers,
			1,
		}, {"Width", m.Width, 1}, {"Vocab", m.Vocab, 1}, {"Heads", m.Heads, 1}, {"KVHeads", m.KVHeads, 0},
		{
			"HeadSize",
			m.HeadSize,
			0,
		}, {"ValueSize", m.ValueSize, 0}, {"FFWidth", m.FFWidth, 0}, {"Positions", m.Positions, 0}, {"Norms", m.Norms, 0},
		{
			"MLA.QRank",
			a.QRank,
			0,
		}, {"MLA.KVRank", a.KVRank, 0}, {"MLA.NopeSize", a.NopeSize, 0}, {"MLA.RopeSize", a.RopeSize, 0}, {"MLA.ValueSize", a.ValueSize, 0},
		{
			"Window.Size",
			w.Size,
			0,
		}, {"Window.Heads", w.Heads, 0}, {"Window.KVHeads", w.KVHeads, 0}, {"Window.HeadSize", w.HeadSize, 0}, {"Window.ValueSize", w.ValueSize, 0},
		{
			"Window.Layers.First",
			w.Layers.First,
			0,
		}, {"MoE.Experts", e.Experts, 0}, {"MoE.PerToken", e.PerToken, 0}, {"MoE.Width", e.Width, 0},
		{"Linear.KeyHeads", m.Linear.KeyHeads, 0}, {"Linear.Heads", m.Linear.Heads, 0},
		{"Linear.KeySize", m.Linear.KeySize, 0},
		{"Linear.ValueSize", m.Linear.ValueSize, 0}, {"Linear.Conv", m.Linear.Conv, 0}, {"Linear.Rank", m.Linear.Rank, 0},
		{"Linear.Layers.First", m.Linear.Layers.First, 0}, {"Index.Heads", m.Index.Heads, 0}, {"Index.Size", m.Index.Size, 0},
		{"Index.Top", m.Index.Top, 0}, {"Index.Layers.First", m.Index.Layers.First, 0}, {"Sharing.Layers", m.Sharing.Layers, 0}, {"PerLayer.Width", m.PerLayer.Width, 0},
		{"PerLayer.Vocab", m.PerLayer.Vocab, 0}, {"MoE.Latent", e.Latent, 0},
		{"MoE.Shared", e.Shared, 0}, {"MoE.SharedWidth", e.SharedWidth, 0}, {"MoE.Layers.First", e.Layers.First, 0},
	}
}

func (m *Model) checkLayers() *Error {
	if m.Layers > MaxLayers {
		return &Error{
			"Layers",
			strconv.Itoa(m.Layers) + " is out of range",
			"give a whole number from 1 to " + strconv.Itoa(MaxLayers),
		}
	}
	if err := m.Window.Layers.check("Window.Layers"); err != nil {
		return err
	}
	for _, p := range []struct {
		name string
		Pattern
	}{{"MoE.Layers", m.MoE.Layers}, {"Linear.Layers", m.Linear.Layers}, {"Blocks.Mixers", m.Blocks.Mixers},
		{"Blocks.MLP", m.Blocks.MLP}, {"Index.Layers", m.Index.Layers}} {
		if err := p.check(p.name); err != nil {
			return err
		}
	}
	return nil
}

// check refuses a cycle of other signs than 0 and 1.
func (p Pattern) check(name string) *Error {
	if len(p.Cycle) > MaxLayers {
		return &Error{name + ".Cycle", "more than " + strconv.Itoa(MaxLayers) + " signs", "leave out what repeats"}
	}
	for i := range len(p.Cycle) {
		if c := p.Cycle[i]; c != '0' && c != '1' {
			return &Error{
				name + ".Cycle",
				strconv.Quote(p.Cycle[i:i+1]) + " is neither 0 nor 1",
				`write "01" for every second layer`,
			}
		}
	}
	return nil
}

func (m *Model) checkKinds() *Error {
	if m.Norm > BareNorm {
		return &Error{
			"Norm",
			"unknown kind " + strconv.Itoa(int(m.Norm)),
			"give RMSNorm, LayerNorm, ScaleLayerNorm or BareNorm",
		}
	}
	if m.QKNorm > WidthQKNorm {
		return &Error{"QKNorm", "unknown kind " + strconv.Itoa(int(m.QKNorm)), "give NoQKNorm, HeadQKNorm or WidthQKNorm"}
	}
	return nil
}

// checkHeads refuses heads that do not share what they must share evenly, in every kind of layer.
func (m *Model) checkHeads() *Error {
	if m.MLA.KVRank != 0 {
		return nil
	}
	if m.HeadSize == 0 && m.Width%m.Heads != 0 {
		return &Error{
			"HeadSize",
			"Width " + strconv.Itoa(m.Width) + " is no multiple of Heads " + strconv.Itoa(m.Heads),
			"give the size of a head",
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
				strconv.Itoa(k.Heads) + " query heads are no multiple of " + strconv.Itoa(k.KVHeads) + " KV heads",
				"give a divisor of " + strconv.Itoa(k.Heads),
			}
		}
	}
	return nil
}

func (m *Model) checkLatent() *Error {
	a := &m.MLA
	switch {
	case a.KVRank == 0 && *a != (MLA{}):
		return &Error{
			"MLA.KVRank",
			"latent attention has no rank of keys and values",
			"give the rank, or leave out the rest of MLA",
		}
	case a.KVRank != 0 && a.NopeSize+a.RopeSize == 0:
		return &Error{"MLA.NopeSize", "latent attention has keys of no size", "give NopeSize, RopeSize or both"}
	case a.KVRank != 0 && a.ValueSize == 0:
		return &Error{"MLA.ValueSize", "latent attention has values of no size", "give the size of a head's value"}
	case a.KVRank != 0 && (m.Window.HeadSize|m.Window.KVHeads|m.Window.ValueSize) != 0:
		return &Error{
			"Window.HeadSize",
			"windowed layers with latent attention have its sizes",
			"leave out Window.KVHeads, HeadSize and ValueSize",
		}
	}
	return nil
}

func (m *Model) checkExperts() *Error {
	e := &m.MoE
	switch {
	case e.Experts == 0 && *e != (MoE{}):
		return &Error{"MoE.Experts", "a mixture of no experts", "give their number, or leave out the rest of MoE"}
	case e.Experts != 0 && (e.PerToken < 1 || e.PerToken > e.Experts):
		return &Error{
			"MoE.PerToken",
			strconv.Itoa(e.PerToken) + " of " + strconv.Itoa(e.Experts) + " experts",
			"give a number from 1 to " + strconv.Itoa(e.Experts),
		}
	case e.Experts != 0 && m.ExpertWidth() == 0:
		return &Error{"MoE.Width", "experts of no width", "give MoE.Width or FFWidth"}
	case e.SharedGate && e.Shared == 0:
		return &Error{"MoE.SharedGate", "a gate of no shared experts", "give MoE.Shared"}
	}
	for _, k := range m.kinds() {
		if !k.Experts && !k.NoMLP && m.FFWidth == 0 {
			return &Error{"FFWidth", "layers without experts have an MLP of no width", "give the width"}
		}
	}
	return nil
}

func (m *Model) checkWindow() *Error {
	if w := &m.Window; w.Size == 0 && *w != (Window{}) {
		return &Error{"Window.Size", "a window of no tokens", "give its size, or leave out the rest of Window"}
	}
	return nil
}

func (m *Model) checkLinear() *Error {
	l := &m.Linear
	heads := l.KeyHeads != 0 && l.Heads != 0 && l.KeySize != 0 && l.ValueSize != 0
	switch {
	case l.Kind > ShortConv:
		return &Error{"Linear.Kind", "unknown kind " + strconv.Itoa(int(l.Kind)), "give GatedDelta, Mamba2 or another one"}
	case l.Kind == NoLinear && *l != (Linear{}):
		return &Error{"Linear.Kind", "linear layers of no kind", "give the kind, or leave out the rest of Linear"}
	case l.Kind != NoLinear && l.Kind != ShortConv && !heads:
		return &Error{"Linear.Heads", "linear layers with heads of no size", "give KeyHeads, Heads, KeySize and ValueSize"}
	}
	return nil
}

func (m *Model) checkIndex() *Error {
	if x := &m.Index; x.Top == 0 && *x != (Index{}) || x.Top != 0 && (x.Heads == 0 || x.Size == 0) {
		return &Error{"Index.Top", "an index without all its sizes", "give Heads, Size and Top, or none of them"}
	}
	return nil
}

func (m *Model) checkBlocks() *Error {
	if b := &m.Blocks; !b.Apart && *b != (Blocks{}) {
		return &Error{"Blocks.Apart", "layers that have both blocks, and lack one", "set Apart, or leave out the rest"}
	}
	if m.Sharing.Layers > m.Layers {
		return &Error{"Sharing.Layers", strconv.Itoa(m.Sharing.Layers) + " of " + strconv.Itoa(m.Layers) + " layers share",
			"give fewer"}
	}
	return nil
}
