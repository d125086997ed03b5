// Package model describes Transformers as their configurations do, and counts: parameters, operations a token, the
// bytes of the KV cache, the activations that training keeps.
//
// A Model is plain data. Sizes that the field calls D, F, N, K, H, V, L are Width, FFWidth, Heads, KVHeads, HeadSize,
// Vocab, Layers. Fields left at zero mean the usual thing: as many KV heads as heads, heads that share the width
// evenly, a gated MLP, RMS norms before attention and MLP, no biases, every layer alike. Layer says what layer i is;
// all laws are sums over the layers, so that windows, experts and leading dense layers need no law of their own.
//
// Conventions. A multiply and an add are two operations. Norms, softmax, rotary positions and the gate's product are
// not counted as operations, as nobody counts them. Modules that predict further tokens (MTP) and encoders of images
// or sound are left out: counts are those of the language model alone. Counts are float64 and exact integers: Validate
// refuses models of more than 2^53 parameters.
//
// What published figures differ in has a name here. Mask says which scores attention counts (Causal, Full, Windowed,
// NoAttention), Pass what of a step (Forward, Train, Frozen), Keep what training keeps in memory; Active, ActiveTotal
// and ActiveWithoutLookup are the ways to count what a token uses. A GPU benchmark of 2026 prints
//
//	m.FLOPsPerToken(4096, model.Causal, model.Train)
//
// and one of the year before Full. The tests hold both to some 180 published runs.
//
// The catalog is models.tsv, a model a line: its sizes, then in words what is unusual about it (set and setBlock say
// which words there are), then its publisher's figures, rounded as printed. A figure that counting contradicts has a
// tolerance behind it and a note that says why.
package model

// Model is the shape of a decoder-only Transformer. It is comparable, and its zero value is no model: Validate says
// what is missing.
type Model struct {
	ID    string // as a sheet names it, "llama3.70b"; empty for a model of one's own
	Name  string // as a reader knows it, "Llama 3.1 70B"
	Group string // menu heading, "Meta Llama"

	Layers int // L, blocks of attention and MLP
	Width  int // D, d_model or hidden size
	Vocab  int // V, rows of the embedding, padding included if the weights have it

	MoreRows   int // rows of the input embedding that the logits lack (Llama 3.2 Vision)
	EmbedWidth int // of a row of the embedding, if it is projected to the model's and back (OPT-350M); 0 means Width

	Heads     int // N, query heads
	KVHeads   int // K, heads of keys and values; 0 means Heads (multi-head attention), 1 is multi-query
	HeadSize  int // H, of a query and of a key; 0 means Width / Heads
	ValueSize int // of a value, where it differs from HeadSize; 0 means HeadSize
	MLA       MLA // latent attention; with it KVHeads, HeadSize and ValueSize are not used
	Window    Window
	// Layers without a window have no projection to values, which are made of what the projection to keys gives (Gemma
	// 4).
	KeysValue bool
	Gate      Gate  // of attention's output
	Index     Index // which picks what attention looks at
	Compress  Compress
	Linear    Linear // layers that keep a state instead of keys and values
	Blocks    Blocks // where layers don't have both blocks
	Sharing   Sharing
	Each      Each
	PerLayer  PerLayer
	NGrams    NGrams
	Side      Side

	FFWidth int  // F, of the dense MLP; may be 0 if every layer has experts
	Plain   bool // two matrices, in and out; otherwise three, gate, in and out. Experts are alike
	Slopes  int  // learned numbers inside each dense MLP: of its function (xIELU has two), or of a norm (BitNet)
	MoE     MoE

	Tied      bool   // the unembedding is the input embedding's matrix
	Positions int    // learned position embeddings, rows of Width; 0 for rotary, ALiBi or none
	Context   int    // tokens of the longest sequence that it is published for (max_position_embeddings), 0 if unknown
	Published string // in which format: see [Model.PublishedIn]

	Norm        Norm // of the norms before and after blocks, and of the final one
	EmbedNorm   bool // one more norm, of the input embedding (BLOOM)
	NoFinalNorm bool // none behind the last layer (OPT 350M)
	// Norms a layer: 0 means 2 (before attention, before MLP), or 1 if Parallel; Gemma's post-norms make it 4.
	Norms  int
	QKNorm QKNorm // norms of queries and keys

	Bias  Bias
	Sinks bool // a learned attention sink for each head (gpt-oss)

	WindowSinks bool // the same, in layers with a window alone (MiMo-V2)
	Parallel    bool // attention and MLP read the same input and are added (PaLM, Falcon)
}

// MLA is multi-head latent attention (DeepSeek-V2): keys and values of all heads are expanded from one latent vector a
// token, and only that and the shared rotary key are cached. It is in use if KVRank is not 0.
type MLA struct {
	// of the queries' latent, q_lora_rank; 0 means they are projected directly. Step 3 has it without KVRank
	QRank     int
	KVRank    int // of the keys' and values' latent, kv_lora_rank
	NopeSize  int // of a head's key without position, qk_nope_head_dim
	RopeSize  int // of the rotary key that all heads share, qk_rope_head_dim
	ValueSize int // of a head's value, v_head_dim
}

// Window limits how far back some layers look. It is in use if Size is not 0.
type Window struct {
	Size    int     // tokens that a token sees at the most, itself included
	Chunked bool    // tokens see their own chunk of Size tokens up to themselves (Llama 4); otherwise the last Size
	Layers  Pattern // which layers are windowed; zero means all. The others see everything

	// The heads of windowed layers, where they differ from the other layers'; 0 means as there.
	Heads, KVHeads, HeadSize, ValueSize int
}

// MoE replaces the MLP of some layers by experts of which each token uses a few. It is in use if Experts is not 0.
type MoE struct {
	Experts     int  // E, routed experts a layer
	PerToken    int  // k, routed experts that a token uses
	Width       int  // of an expert's MLP, moe_intermediate_size; 0 means FFWidth
	Shared      int  // experts that every token uses besides; a dense MLP beside the experts is one too
	SharedWidth int  // of a shared expert; 0 means Width
	SharedGate  bool // the shared experts' output is scaled by a gate of Width weights (Qwen1.5-MoE)
	RouterBias  bool // a bias for each expert in the router, also one used only to choose (DeepSeek-V3)
	Hashed      int  // first layers with experts in which a table of tokens chooses them; their router has no bias
	SightBias   bool // a second such bias, for tokens of images (DeepSeek-V4.1)
	RouterScale bool // the router scales its input and its scores (Gemma 4): Width and Experts more parameters
	Groups      int  // experts stand in so many groups, of which a token uses Chosen (DeepSeek-V3); 0 means one
	Chosen      int
	Latent      int     // routed experts work on tokens projected to so many numbers (Nemotron 3 Ultra); 0 means Width
	Layers      Pattern // which layers have experts; zero means all. The others have the dense MLP
}

// Blocks says which blocks a layer has, where layers don't have both (Nemotron-H). It is in use if Apart is on.
type Blocks struct {
	Apart       bool
	Mixers, MLP Pattern // which layers have attention or what stands in its place, and which an MLP or experts
}

// Sharing lets the last layers, or some between others, do without keys and values of their own: they read those of the
// last layer before them that looks as far (Gemma 3n, Gemma 4).
type Sharing struct {
	Layers int  // how many of the last layers share
	Every  int  // of so many layers each the first alone has keys and values (Hunyuan Large); 0 and 1 say nothing
	Wide   bool // their MLP is twice as wide
	Stored bool // projections to keys and values of their own are stored all the same, and never used (Gemma 3n)
}

// Side is what runs beside the blocks. Each part is in use if its number is not 0.
type Side struct {
	Hyper int // residual streams that each block reads, writes and mixes by weights of its own (DeepSeek-V4)
	// what the last block mixes them with serves at the end too, in place of weights for that (DeepSeek-V4.1)
	OnePass bool
	Streams int // residual streams, of which a layer computes one and predicts the others (AltUp, Gemma 3n)
	Rank    int // of a path of two narrow matrices beside attention (LAuReL, Gemma 3n)
}

// PerLayer is an embedding of each token for each layer, beside the one at the start (Gemma 3n, Gemma 4). It is in use
// if Width is not 0.
type PerLayer struct {
	Width int // numbers for a token and a layer
	Vocab int // rows of the table
}

// NGrams are tables of embeddings of the last tokens taken together (Engram, DeepSeek-V4.1): some layers look up rows
// by hashes of the n-grams that end at a token, and add what a matrix makes of them, gated, to every residual stream.
// They are in use if Rows is not 0.
type NGrams struct {
	Rows   int // of the tables of all these layers together
	Size   int // of a row
	Reads  int // rows that a token reads in such a layer: of each length of n-gram, by each hash
	Layers Pattern
}

// Gate says whether attention's output is scaled before its projection.
type Gate uint8

// The gates of attention's output.
const (
	NoGate    Gate = iota
	WidthGate      // element by element, by as many numbers as there are queries (Qwen3-Next)
	HeadGate       // a number for each head (Step 3)
)

// Pattern says which layers have a property. The zero value says all of them.
//
//	Pattern{}                 every layer
//	Pattern{First: 3}         layers 3, 4, ...: DeepSeek-V3's experts
//	Pattern{Cycle: "01"}      layers 1, 3, 5, ...: Llama 4 Maverick's experts
//	Pattern{Cycle: "111110"}  five of six: Gemma 3's windows
//
// A list of its own for each layer is a Cycle as long as the model has layers.
type Pattern struct {
	First int    // the layers before it don't have the property, whatever Cycle says
	Cycle string // layer i has the property if byte i modulo the length is '1'; '0' if not; empty means all
}

// Covers says whether layer i, counted from 0, has the property.
func (p Pattern) Covers(i int) bool {
	return i >= p.First && i >= 0 && (p.Cycle == "" || p.Cycle[i%len(p.Cycle)] == '1')
}

// Norm is a kind of normalisation, which decides how many parameters each has.
type Norm uint8

// The kinds of norm.
const (
	RMSNorm        Norm = iota // a scale for each element
	LayerNorm                  // a scale and a bias for each element
	ScaleLayerNorm             // a layer norm without bias: a scale for each element
	BareNorm                   // no parameters
)

// QKNorm says whether queries and keys are normalised, always by a scale without bias.
type QKNorm uint8

// The ways to normalise queries and keys.
const (
	NoQKNorm    QKNorm = iota // not, or without parameters
	HeadQKNorm                // over a head; all heads share the scale: H for queries, H for keys (Qwen 3, Gemma 3)
	WidthQKNorm               // a scale for each element of all heads: N H for queries, K H for keys (OLMo 2, Cohere)
)

// Bias says which projections add a bias.
type Bias struct {
	QKV     bool // queries, keys and values; of latent attention the projections down to the latents
	Output  bool // attention's output projection
	MLP     bool // every matrix of dense MLPs and shared experts
	Experts bool // every matrix of routed experts
	Unembed bool // the logits
	Gate    bool // the gate of attention's output, element by element
}

// Layer is what one layer of a model is, with every default filled in.
type Layer struct {
	Heads, KVHeads, HeadSize, ValueSize int // of the heads as they attend; with MLA those of the expanded heads
	Window                              int // tokens that a token sees at the most; 0 if it sees all before it
	Top                                 int // tokens that an index picks for it; 0 if it looks at all
	Compress                            int // tokens that an entry of its cache stands for; 0 if it has none such
	FFWidth                             int // of its dense MLP, if it is not the model's; else 0

	Chunked        bool // of a window
	Experts        bool // the layer has experts; otherwise a dense MLP
	Linear         bool // it is a linear layer; unless Beside, none of attention's sizes count
	Beside         bool // it has attention beside its linear part
	NoMixer, NoMLP bool // it lacks one of its blocks
	OneMatrix      bool // one matrix stands in place of attention
	MatrixMLP      bool // one matrix stands in place of the MLP
	Cross          bool // it attends to something else than the tokens before, and caches nothing of these
	Shares         bool // it reads keys and values of a layer before it
	OneTensor      bool // one projection makes its keys and values
	Wide           bool // its dense MLP is twice as wide
	Indexes        bool // the index is its own
	Candidates     int  // entries that its index looks at, at the most; 0 if it looks at all
	Borrows        bool // it looks at the entries of a layer before it
	Overlaps       bool // its entries draw on the tokens of the one before too
	NGrams         bool // it looks up rows of tables of n-grams
	Hashed         bool // a table of tokens chooses its experts
}

// Attends tells whether a layer has attention of its own.
func (l Layer) Attends() bool { return (!l.Linear || l.Beside) && !l.NoMixer && !l.OneMatrix }

// Layer is what layer i of m is, counted from 0.
func (m *Model) Layer(i int) Layer {
	l := Layer{Heads: m.Heads, KVHeads: m.KVHeads, HeadSize: m.HeadSize, ValueSize: m.ValueSize}
	m.blocks(&l, i)
	if m.Each != "" {
		own := m.Each.of(i)
		l.Heads, l.KVHeads, l.FFWidth = or(own[0], l.Heads), or(own[1], l.KVHeads), own[2]
	}
	if w := &m.Window; w.Size != 0 && w.Layers.Covers(i) {
		l.Window, l.Chunked = w.Size, w.Chunked
		l.Heads, l.KVHeads = or(w.Heads, l.Heads), or(w.KVHeads, l.KVHeads)
		l.HeadSize, l.ValueSize = or(w.HeadSize, l.HeadSize), or(w.ValueSize, l.ValueSize)
	}
	l.OneTensor = m.KeysValue && (l.Window == 0 || m.Compress.used())
	if m.MLA.KVRank != 0 {
		l.KVHeads, l.HeadSize, l.ValueSize = l.Heads, m.MLA.NopeSize+m.MLA.RopeSize, m.MLA.ValueSize
		return l
	}
	l.KVHeads = or(l.KVHeads, l.Heads)
	if l.HeadSize == 0 && m.Heads > 0 {
		l.HeadSize = m.Width / m.Heads
	}
	l.ValueSize = or(l.ValueSize, l.HeadSize)
	return l
}

// blocks says which blocks layer i has.
func (m *Model) blocks(l *Layer, i int) {
	l.Linear = m.Linear.Kind != NoLinear && m.Linear.Layers.Covers(i)
	l.Experts = m.MoE.Experts != 0 && m.MoE.Layers.Covers(i)
	if m.Blocks.Apart {
		l.NoMixer, l.NoMLP = !m.Blocks.Mixers.Covers(i), !m.Blocks.MLP.Covers(i)
		l.Linear, l.Experts = l.Linear && !l.NoMixer, l.Experts && !l.NoMLP
	}
	l.traits(m.Each.of(i)[3])
	l.Beside = l.Linear && m.Linear.Beside
	l.Hashed = l.Experts && i < m.MoE.Hashed
	l.NGrams = m.NGrams.Rows != 0 && m.NGrams.Layers.Covers(i)
	if l.Attends() {
		l.Top, l.Indexes = m.Index.Top, m.Index.Top != 0 && m.Index.Layers.Covers(i)
		m.compress(l, i)
		if l.Indexes && i > m.Index.Source {
			l.Candidates = m.Index.Candidates
		}
	}
	if i >= m.Layers-m.Sharing.Layers {
		l.Shares, l.Wide = true, m.Sharing.Wide
	}
	l.Shares = l.Shares || m.Sharing.between(i)
}

// between tells whether layer i shares because it stands between those that don't.
func (s *Sharing) between(i int) bool { return s.Every > 1 && i%s.Every != 0 }

// SinksIn tells whether layer l has attention sinks.
func (m *Model) SinksIn(l Layer) bool { return m.Sinks || m.WindowSinks && l.Window != 0 }

// DenseWidth is the width F of the dense MLP of a layer: its own, or else FFWidth, or twice that if the layer is wide.
func (m *Model) DenseWidth(l Layer) int {
	if l.FFWidth != 0 {
		return l.FFWidth
	}
	if l.Wide {
		return 2 * m.FFWidth
	}
	return m.FFWidth
}

// ExpertWidth is the width of a routed expert's MLP, with its default filled in.
func (m *Model) ExpertWidth() int { return or(m.MoE.Width, m.FFWidth) }

// SharedWidth is the width of a shared expert's MLP, with its default filled in.
func (m *Model) SharedWidth() int { return or(m.MoE.SharedWidth, m.ExpertWidth()) }

// NormsPerLayer is how many norms a layer with both blocks has, those of queries, keys and latents not counted.
func (m *Model) NormsPerLayer() int {
	if m.Parallel {
		return or(m.Norms, 1)
	}
	return or(m.Norms, 2)
}

// norms is how many norms a layer has: where layers lack blocks and nothing else is said, one before each block.
func (m *Model) norms(l Layer) int {
	n := m.NormsPerLayer()
	if m.Norms == 0 && (l.NoMixer || l.NoMLP) {
		n--
	}
	return n
}

// or is a, or b if a is left out.
func or(a, b int) int {
	if a == 0 {
		return b
	}
	return a
}
