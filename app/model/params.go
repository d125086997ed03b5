package model

// Params are the parameters of a model by what they do: exact integers, sums over all layers.
type Params struct {
	Embedding   float64 // V D, the input table, if the unembedding has a matrix of its own
	Unembedding float64 // V D, the matrix that makes logits; if tied, the input table too
	Positions   float64 // learned positions

	Query  float64 // D N H; of latent attention D q + q N (nope + rope), q the queries' rank
	Latent float64 // of latent attention the way down, D (r + rope), r the keys' and values' rank; else 0
	Key    float64 // D K H; of latent attention r N nope
	Value  float64 // D K Hv; of latent attention r N v
	Output float64 // N Hv D
	Gate   float64 // of attention's output: D N Hv, or D N
	Index  float64 // of the small attention that picks tokens
	Merge  float64 // what makes one entry of several tokens, 2 D H, or 4 D H if entries overlap
	Linear float64 // of linear layers, their convolutions included

	MLP    float64 // 3 D F in dense layers, 2 D F without a gate
	Routed float64 // E experts a layer
	Shared float64 // shared experts, with their gate
	Router float64 // D E
	Narrow float64 // into and out of the space in which routed experts work

	PerLayer float64 // the table of embeddings for each layer
	NGrams   float64 // tables of n-grams
	Injected float64 // what brings them into the layers, and what runs beside the blocks
	Unused   float64 // matrices that are stored and that no token is multiplied with

	Norms  float64 // scales and biases of every norm, those of queries, keys and latents included
	Biases float64 // of projections, experts, routers and logits
	Sinks  float64 // N a layer
}

// Attention is the weights of the attention blocks, and of what stands in their place: of attention 2 D (N + K) H a
// layer, without norms and biases.
func (p Params) Attention() float64 {
	return p.Query + p.Latent + p.Key + p.Value + p.Output + p.Gate + p.Index + p.Merge + p.Linear
}

// FeedForward is the weights of dense MLPs, experts and routers, and of what brings embeddings into the layers.
func (p Params) FeedForward() float64 {
	return p.MLP + p.Routed + p.Shared + p.Router + p.Narrow + p.Injected
}

// Lookup is the tables of which a token reads one row, or a few: no arithmetic is done with them.
func (p Params) Lookup() float64 { return p.Embedding + p.Positions + p.PerLayer + p.NGrams }

// Small is everything that is no matrix: norms, biases, sinks.
func (p Params) Small() float64 { return p.Norms + p.Biases + p.Sinks }

// Matmul is the weights that a token is multiplied with: two operations each.
func (p Params) Matmul() float64 { return p.Attention() + p.FeedForward() + p.Unembedding }

// Total is the sum of all parts.
func (p Params) Total() float64 { return p.Matmul() + p.Lookup() + p.Small() + p.Unused }

// Params are the parameters that m stores.
func (m *Model) Params() Params { return m.params(m.MoE.Experts) }

// Active are the parameters of m that one token uses: of each layer's routed experts PerToken. The tables of which a
// token reads one row count in full, as most published figures have it; Lookup says how many they are. Of tables of
// n-grams, which no published figure has in full, it is the rows that the token reads.
func (m *Model) Active() Params {
	p := m.params(m.MoE.PerToken)
	p.Unused = 0
	for _, k := range m.kinds() {
		if k.Cross { // its keys and values are made of what it looks at, not of the token
			one := m.layerParams(k.Layer, 0)
			p.Key, p.Value = p.Key-float64(k.n)*one.Key, p.Value-float64(k.n)*one.Value
		}
	}
	if g := &m.NGrams; g.Rows != 0 {
		p.NGrams = float64(m.CountLayers(Layer.WithNGrams)) * float64(g.Reads) * float64(g.Size)
	}
	return p
}

// Total is how many parameters m stores.
func (m *Model) Total() float64 { return m.Params().Total() }

// ActiveTotal is how many parameters a token uses, the input table included: the figure of Mixtral, Qwen and DeepSeek.
func (m *Model) ActiveTotal() float64 { return m.Active().Total() }

// ActiveWithoutLookup is how many parameters a token uses, tables of which it reads one row left out: the figure of
// gpt-oss, and the N of 6N.
func (m *Model) ActiveWithoutLookup() float64 {
	p := m.Active()
	return p.Total() - p.Lookup()
}

// params counts with the given number of routed experts a layer.
func (m *Model) params(experts int) Params {
	D, V := float64(m.Width), float64(m.Vocab)
	E := D // what a row of the embedding has
	p := Params{Positions: float64(m.Positions) * D, Norms: m.normSize(D)}
	if m.NoFinalNorm {
		p.Norms = 0
	}
	if n := float64(m.EmbedWidth); n != 0 && n != D {
		E = n
		p.Injected += 2 * D * E // into the model and out of it
	}
	p.Unembedding = V * E
	if !m.Tied {
		p.Embedding = V * E
	}
	if n := float64(m.MoreRows); n != 0 {
		p.Embedding += n * D
	}
	if m.EmbedNorm {
		p.Norms += m.normSize(D)
	}
	if m.Bias.Unembed {
		p.Biases = V
	}
	if w := float64(m.PerLayer.Width); w != 0 {
		p.PerLayer = float64(m.PerLayer.Vocab) * float64(m.Layers) * w
		p.Injected += D * float64(m.Layers) * w
		p.Norms += m.normSize(w)
	}
	p.NGrams = float64(m.NGrams.Rows) * float64(m.NGrams.Size)
	if s := float64(m.Side.Streams); s > 1 {
		p.Injected += 2 * (s - 1) * D * D // into the streams and out of them
	}
	if s := float64(m.Side.Hyper); s != 0 && !m.Side.OnePass {
		p.Injected += s * s * D // out of the streams
		p.Biases += s + 1
	}
	for _, k := range m.kinds() {
		one := m.layerParams(k.Layer, float64(experts))
		p.add(one, float64(k.n))
	}
	return p
}

// LayerParams are the parameters of layer i, counted from 0, by what they do.
func (m *Model) LayerParams(i int) Params { return m.layerParams(m.Layer(i), float64(m.MoE.Experts)) }

// layerParams counts one layer of the given kind.
func (m *Model) layerParams(l Layer, experts float64) Params {
	var p Params
	if l.Attends() {
		m.attentionParams(&p, l)
	}
	D := float64(m.Width)
	if l.OneMatrix {
		p.Output = D * D
	}
	if l.Linear {
		norms, biases := m.LinearSmall()
		p.Linear, p.Norms, p.Biases = elements(m.LinearMatrices()), p.Norms+norms, p.Biases+biases
	}
	p.Norms += float64(m.norms(l)) * m.normSize(D)
	switch w := m.DenseWidth(l); {
	case l.Experts:
		m.expertParams(&p, experts)
		if l.Hashed && m.MoE.RouterBias {
			p.Biases -= float64(m.MoE.Experts)
		}
	case l.MatrixMLP:
		p.MLP = D * D
	case !l.NoMLP:
		p.MLP, p.Biases = m.mlp(w), p.Biases+m.mlpBias(m.Bias.MLP, w)+float64(m.Slopes)
	}
	if w := float64(m.PerLayer.Width); w != 0 {
		p.Injected = 2 * D * w
		p.Norms += m.normSize(D)
	}
	if l.NGrams { // a key for each stream and a value for all; queries and keys have scales
		streams := float64(max(1, m.Side.Hyper))
		p.Injected += float64(m.NGrams.Reads) * float64(m.NGrams.Size) * D * (streams + 1)
		p.Biases += 2 * streams * D
	}
	m.sideParams(&p, D)
	return p
}

// sideParams are those of what runs beside the blocks of a layer.
func (m *Model) sideParams(p *Params, D float64) {
	if r := float64(m.Side.Rank); r != 0 {
		p.Injected += 2 * D * r
		p.Norms += m.normSize(D)
	}
	if s := float64(m.Side.Streams); s != 0 {
		p.Injected += D * s                  // tells how the streams mix
		p.Norms += m.normSize(D)             // of its input
		p.Biases += float64(s*s*s) + s*s + D // to predict, to correct, and to scale the correction
	}
	if s := float64(m.Side.Hyper); s != 0 {
		mixed := s * (s + 2) // streams into streams, into the block and out of it
		p.Injected += 2 * mixed * s * D
		p.Biases += 2 * (mixed + 3)
	}
}

// attentionParams are those of attention.
func (m *Model) attentionParams(p *Params, l Layer) {
	if m.MLA.KVRank != 0 {
		m.latentParams(p, l)
	} else {
		m.headParams(p, l)
	}
	D, N := float64(m.Width), float64(l.Heads)
	p.Output = N * float64(l.ValueSize) * D
	switch m.Gate {
	case WidthGate:
		p.Gate = p.Output
		if m.Bias.Gate {
			p.Biases += N * float64(l.ValueSize)
		}
	case HeadGate:
		p.Gate = D * N
	}
	if m.Bias.Output {
		p.Biases += D
	}
	if m.SinksIn(l) {
		p.Sinks = N
	}
	if l.Indexes {
		p.Index = elements(m.IndexMatrices(l))
		switch {
		case m.Compress.Shared && !l.Borrows:
			p.Norms += float64(m.Index.Size) // of its key
		case !m.Compress.Shared:
			p.Norms += 2 * float64(m.Index.Size) // a layer norm
		}
	}
	if m.Compress.used() {
		m.compressParams(p, l)
	}
}

// headParams are the projections to queries, keys and values of ordinary heads.
func (m *Model) headParams(p *Params, l Layer) {
	D, N, K, H := float64(m.Width), float64(l.Heads), float64(l.KVHeads), float64(l.HeadSize)
	p.Query, p.Key, p.Value = D*N*H, D*K*H, D*K*float64(l.ValueSize)
	if m.Bias.QKV {
		p.Biases = N*H + K*H + K*float64(l.ValueSize)
	}
	if l.OneTensor {
		p.Value = 0
	}
	keys := 1.0
	if q := float64(m.MLA.QRank); q != 0 {
		p.Query, p.Norms = D*q+q*N*H, q
	}
	if l.Shares && m.Sharing.Stored {
		p.Unused = p.Key + p.Value
	} else if l.Shares {
		keys = 0
	}
	if l.Shares {
		p.Key, p.Value = 0, 0
	}
	switch m.QKNorm {
	case HeadQKNorm:
		p.Norms += H + keys*H
	case NoQKNorm:
		if l.Cross { // Llama 3.2 Vision's have norms, and each layer a gate for attention and one for the MLP
			p.Norms += 2 * H
			p.Biases += 2
		}
	case WidthQKNorm:
		p.Norms += N*H + keys*K*H
	}
}

// latentParams are the projections of latent attention, with a norm of each latent.
func (m *Model) latentParams(p *Params, l Layer) {
	D, N, r, rope := float64(m.Width), float64(l.Heads), float64(m.MLA.KVRank), float64(m.MLA.RopeSize)
	p.Latent, p.Key, p.Value = D*(r+rope), r*N*float64(m.MLA.NopeSize), r*N*float64(m.MLA.ValueSize)
	p.Query, p.Norms = D*N*float64(l.HeadSize), r
	if m.Bias.QKV {
		p.Biases = r + rope
	}
	if q := float64(m.MLA.QRank); q != 0 {
		p.Query = D*q + q*N*float64(l.HeadSize)
		p.Norms += q
		if m.Bias.QKV {
			p.Biases += q
		}
	}
}

// expertParams are the experts and the router of one layer.
func (m *Model) expertParams(p *Params, experts float64) {
	D, E, shared := float64(m.Width), float64(m.MoE.Experts), float64(m.MoE.Shared)
	p.Router = D * E
	p.Routed = experts * m.mlpFrom(or(m.MoE.Latent, m.Width), m.ExpertWidth())
	p.Narrow = 2 * D * float64(m.MoE.Latent)
	p.Shared = shared * m.mlp(m.SharedWidth())
	if m.MoE.SharedGate {
		p.Shared += D
	}
	p.Biases += experts*m.mlpBias(m.Bias.Experts, m.ExpertWidth()) + shared*m.mlpBias(m.Bias.MLP, m.SharedWidth())
	if m.MoE.RouterBias {
		p.Biases += E
	}
	if m.MoE.SightBias {
		p.Biases += E
	}
	if m.MoE.RouterScale {
		p.Biases += D + E
	}
}

// mlp is the matrices of an MLP of the given width: in, out, and a gate unless m is plain.
func (m *Model) mlp(width int) float64 { return m.mlpFrom(m.Width, width) }

// mlpFrom is the same for tokens of so many numbers.
func (m *Model) mlpFrom(from, width int) float64 {
	return (m.inward() + 1) * float64(from) * float64(width)
}

// inward is how many matrices of an MLP read its input.
func (m *Model) inward() float64 {
	if m.Plain {
		return 1
	}
	return 2
}

// mlpBias is the biases of an MLP of the given width, if it has any.
func (m *Model) mlpBias(has bool, width int) float64 {
	if !has {
		return 0
	}
	return m.inward()*float64(width) + float64(m.Width)
}

// RoutedBiases are the biases of all routed experts, which Params counts among its Biases.
func (m *Model) RoutedBiases() float64 {
	layers := m.CountLayers(func(l Layer) bool { return l.Experts })
	return float64(layers*m.MoE.Experts) * m.mlpBias(m.Bias.Experts, m.ExpertWidth())
}

// normSize is the parameters of one norm over width elements.
func (m *Model) normSize(width float64) float64 {
	switch m.Norm {
	case LayerNorm:
		return 2 * width
	case BareNorm:
		return 0
	}
	return width
}

// add adds n times the parts of a layer.
func (p *Params) add(l Params, n float64) {
	p.Query += n * l.Query
	p.Latent += n * l.Latent
	p.Key += n * l.Key
	p.Value += n * l.Value
	p.Output += n * l.Output
	p.Gate += n * l.Gate
	p.Index += n * l.Index
	p.Merge += n * l.Merge
	p.Linear += n * l.Linear
	p.MLP += n * l.MLP
	p.Routed += n * l.Routed
	p.Shared += n * l.Shared
	p.Router += n * l.Router
	p.Narrow += n * l.Narrow
	p.Injected += n * l.Injected
	p.Unused += n * l.Unused
	p.Norms += n * l.Norms
	p.Biases += n * l.Biases
	p.Sinks += n * l.Sinks
}
