package serving

// Constants are what measurements say beyond data sheets. They are few, hold for all models, and are fitted on a named
// part of the rows (app/measured); times are seconds, shares are of the peak.
type Constants struct {
	Weights  float64 // share of the memory bandwidth at which weights are read
	Weights4 float64 // the same of weights of 4 bits, which have scales to read and to apply
	Sparse   float64 // the same of experts, of which each is read by itself
	Cache    float64 // share at which keys and values are read
	Math16   float64 // share of the peak that a large product reaches, 16-bit
	Math8    float64 // 8-bit
	Math4    float64 // 4-bit
	Grouped  float64 // of products of experts, against those of dense layers
	Score    float64 // share of the 16-bit peak that attention over a prompt reaches
	Alike    float64 // share of further tokens that choose experts of their own; the others choose as those before
	Tile     float64 // rows of an expert below which its product takes no less time

	Layer       float64 // a layer, whatever it does
	Block       float64 // a layer with experts besides: routing, sorting
	Latent      float64 // a layer with latent attention besides
	Eager       float64 // a layer of a step with prompts, launched kernel by kernel
	EagerLatent float64 // a layer with latent attention besides, in such a step
	Captured    float64 // tokens of a step up to which the engine replays a graph of its kernels, prompts or not
	Sequence    float64 // a sequence that decodes: sampling, bookkeeping
	Passes      float64 // times that a layer reads or writes the vectors of a prompt's tokens in memory
	Collective  float64 // a collective within the scale-up domain, by kernels of the engine
	Begin       float64 // what a sum around a ring takes longer to begin than one where each reads from all others
	Far         float64 // a collective beyond it
	Links       float64 // share of the links' bandwidth that collectives reach
	Imbalance   float64 // busiest expert rank over the mean, of many ranks; 1 in the fit, which can't tell it from Grouped

	Request  float64 // a request of a closed loop before its first step: the client, tokenising, transport
	Ingest   float64 // the same of a request that comes by itself
	Together float64 // share of a closed loop's requests that arrive as one burst, if nothing tells them apart
	Wave     float64 // the same where lengths differ: the first of all waves, and what is left of it in the next
	Crowd    float64 // share of a closed loop's requests that arrive together on chips that only prefill
	Ahead    float64 // steps that pass by besides: already scheduled, or whose tokens are sent together with the first
	Gather   float64 // decode steps that an attention group waits for the others' prompts
	Join     float64 // decode steps until a sequence whose prompt was computed elsewhere is let in
	Handover float64 // a request that moves from prefill chips to decode chips
}

// Named is a constant by name, for tables and fits.
type Named struct {
	Name  string
	Value *float64
}

// All lists the constants in the order in which they are declared.
func (k *Constants) All() []Named {
	return []Named{
		{"weights", &k.Weights}, {"weights4", &k.Weights4}, {"sparse", &k.Sparse}, {"cache", &k.Cache},
		{"math16", &k.Math16}, {"math8", &k.Math8}, {"math4", &k.Math4},
		{"grouped", &k.Grouped}, {"score", &k.Score}, {"alike", &k.Alike}, {"tile", &k.Tile},
		{"layer", &k.Layer}, {"block", &k.Block}, {"latent", &k.Latent}, {"eager", &k.Eager},
		{"eager_latent", &k.EagerLatent}, {"captured", &k.Captured}, {"sequence", &k.Sequence}, {"passes", &k.Passes},
		{"collective", &k.Collective}, {"begin", &k.Begin}, {"far", &k.Far}, {"links", &k.Links},
		{"imbalance", &k.Imbalance}, {"request", &k.Request}, {"ingest", &k.Ingest}, {"together", &k.Together},
		{"wave", &k.Wave}, {"crowd", &k.Crowd}, {"ahead", &k.Ahead}, {"gather", &k.Gather}, {"join", &k.Join},
		{"handover", &k.Handover},
	}
}
