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

// Lookup is the tables of which a token reads one row: no arithmetic is done with them.
func (p Params) Lookup() float64 { return p.Embedding + p.Positions + p.PerLayer }

// Small is everything that is no matrix: norms, biases, sinks.
func (p Params) Small() float64 { return p.Norms + p.Biases + p.Sinks }

// Matmul is the weights that a token is multiplied with: two operations each.
func (p Params) Matmul() float64 { return p.Attention() + p.FeedForward() + p.Unembedding }

// Total is the sum of all parts.
func (p Params) Total() float64 { return p.Matmul() + p.Lookup() + p.Small() + p.Unused }

// Params are the parameters that m stores.
func (m *Model) Params() Params { return m.params(m.MoE.Experts) }

// Active are the parameters of m that one token uses: of each layer's routed experts PerToken. The tables of which a
// token reads one row count in full, as most published figures have it; Lookup says how many they are.
func (m *Model) Active() Params {
	p := m.params(m.MoE.PerToken)
	p.Unused = 0
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
