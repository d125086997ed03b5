// Package serving is what it costs to generate text: the time of one step, the memory that it needs, and what a
// system of such steps does under a load.
//
// # The pipeline
//
//  1. A [Shape] is a model at given precisions, as serving meets it: weights by what reads them, caches by kind.
//  2. A [Chip] is what serving needs of an accelerator; a [Plan] is how one replica is spread over chips.
//  3. [Replica.Step] prices a step from its [Work]: prefill tokens, sequences that decode, their context.
//  4. [Replica.Memory] says what a chip holds, as engines budget it, and how many sequences fit.
//  5. [Replica.Closed] and [Replica.Open] answer for a load; [Split] does it for prefill and decode on
//     chips of their own.
//  6. [Spec.Search] goes through all plans and batches, [Front] keeps the Pareto-optimal ones.
//
// # Assumptions, numbered
//
//	A1  Weights, cache and activations move at a fixed share of the peak bandwidth; arithmetic runs at a fixed
//	    share of the peak rate.
//	A2  A layer, an expert layer, a collective and a sequence each cost a fixed time besides; a step with prompts takes
//	    at least the time to launch its kernels, unless it is so short that the engine has captured it as a graph. A
//	    request waits for the steps that are scheduled already (Constants).
//	A3  Tokens choose experts evenly: E (1 - (1 - k/E)^n) are read, where n is 1 + (tokens - 1) Constants.Alike, since
//	    some choose as others do; the busiest rank has Constants.Imbalance times the mean.
//	A4  Reads and arithmetic of one product overlap; products, attention and collectives follow one another, unless
//	    Engine.Halves lets one half of a batch compute while the other exchanges tokens.
//	A5  In a closed loop every request is replaced at once, but for its client's time (Constants.Request), which has
//	    one mean and no memory. A share of them arrive together: Constants.Together while all end together,
//	    Constants.Wave once their lengths tell them apart. An engine may look for them only every Engine.Poll steps, or
//	    let them wait for more for Engine.Wait steps.
//	A6  All requests have the stated lengths. Open loops may have random ones, by their coefficient of variation.
//	A7  Nothing is shared between requests unless a hit rate says so, and nothing is speculated unless survival is given;
//	    each guess that is checked takes the host a time (Constants.Checked).
//	A10 Requests are let in by the memory that they take on average, where an engine pages its caches; what grows beyond
//	    the memory gives its cache back, the last that came first, and is computed again (Replica.hold).
//
// Times are exact sums over these assumptions; how far they lie from measurements is held in app/measured.
package serving

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
)

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
	Checked     float64 // a guess that a step checks: the host keeps its books before the next step can begin
	Passes      float64 // times that a layer reads or writes the vectors of a prompt's tokens in memory
	Collective  float64 // a collective within the scale-up domain, by kernels of the engine
	Begin       float64 // what a sum around a ring takes longer to begin than one where each reads from all others
	Far         float64 // a collective beyond it
	Links       float64 // share of the links' bandwidth that collectives reach
	// busiest expert rank over the mean, of many ranks; 1 in the fit, which can't tell it from Grouped
	Imbalance float64

	Request  float64 // a request of a closed loop before its first step: the client, tokenising, transport
	Ingest   float64 // the same of a request that comes by itself
	Together float64 // share of a closed loop's requests that arrive as one burst, if nothing tells them apart
	Wave     float64 // the same where lengths differ: the first of all waves, and what is left of it in the next
	Crowd    float64 // share of a closed loop's requests that arrive together on chips that only prefill
	Ahead    float64 // steps that pass by besides: already scheduled, or whose tokens are sent together with the first
	Gather   float64 // decode steps that an attention group waits for the others' prompts
	Join     float64 // decode steps until a sequence whose prompt was computed elsewhere is let in
	Handover float64 // a request that moves from prefill chips to decode chips

	scaled bool // to what AMD's chips reach
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
		{"eager_latent", &k.EagerLatent}, {"captured", &k.Captured}, {"sequence", &k.Sequence}, {"checked", &k.Checked},
		{"passes", &k.Passes}, {"collective", &k.Collective}, {"begin", &k.Begin}, {"far", &k.Far}, {"links", &k.Links},
		{"imbalance", &k.Imbalance}, {"request", &k.Request}, {"ingest", &k.Ingest}, {"together", &k.Together},
		{"wave", &k.Wave}, {"crowd", &k.Crowd}, {"ahead", &k.Ahead}, {"gather", &k.Gather}, {"join", &k.Join},
		{"handover", &k.Handover},
	}
}

// constantTable is the fitted constants: those of all engines, and of each engine those that are its own.
//
//go:embed constants.tsv
var constantTable string

var fitted = sync.OnceValue(func() map[string]Constants { return ReadConstants(constantTable) })

// Fitted are the constants of an engine, "vllm", "sglang" or "trtllm"; of any other those of all together.
func Fitted(engine string) Constants {
	if k, found := fitted()[engine]; found {
		return k
	}
	return fitted()["all"]
}

// Calibrated are the constants of somebody's own system: what grows with the batch (attention, experts, collectives,
// the books kept of a sequence) takes so many times as long as here, and each step of a model of so many layers so much
// longer besides. Two measured steps tell both.
func (k Constants) Calibrated(growth, added, layers float64) Constants {
	for _, share := range []*float64{&k.Cache, &k.Score, &k.Sparse, &k.Grouped, &k.Links} {
		*share /= growth
	}
	for _, time := range []*float64{&k.Sequence, &k.Checked, &k.Collective, &k.Begin, &k.Far} {
		*time *= growth
	}
	k.Layer += added / layers
	return k
}

// ReadConstants reads such a table: a constant a line, a column an engine; what an engine leaves out is as for all.
func ReadConstants(table string) map[string]Constants {
	out := map[string]Constants{}
	var engines []string
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if engines == nil {
			engines = cells[1:]
			continue
		}
		for i, engine := range engines {
			text := cells[1]
			if i+1 < len(cells) && cells[i+1] != "" {
				text = cells[i+1]
			}
			k := out[engine]
			for _, named := range k.All() {
				if named.Name == cells[0] {
					*named.Value, _ = strconv.ParseFloat(text, 64)
				}
			}
			out[engine] = k
		}
	}
	return out
}

// storedTable is published checkpoints whose parts are stored in different formats: the model, the bytes of an element
// of the format that the checkpoint is named by, then those of attention, MLPs, experts and tables. Whose each is
// stands in stored.sources.tsv.
//
//go:embed stored.tsv
var storedTable string

// Int4 is the bytes of an element of weights in integers of 4 bits that have a scale of 16 bits and a zero of 4 for
// each 128 of them, as AWQ and GPTQ store them.
const Int4 = (4 + 20.0/128) / 8

// Stored is how the published checkpoint of a model in a format of so many bytes an element stores its parts. Most
// have one format for all weights but tables.
func Stored(model string, weights, cache float64) Precision {
	p := Uniform(weights, cache)
	for line := range strings.Lines(storedTable) {
		c := strings.Fields(line)
		if size, _ := strconv.ParseFloat(c[1], 64); c[0] == model && size == weights {
			for i, at := range []*float64{&p.Attention, &p.MLP, &p.Experts, &p.Tables} {
				*at, _ = strconv.ParseFloat(c[2+i], 64)
			}
		}
	}
	return p
}

// besideTable is the weights that a model loads beside its text model, in bytes: encoders of images, in bf16. A line is
// a model, the bytes, and those that trying the encoder takes in vLLM where it is run as its publisher wrote it; what
// they are stands in beside.sources.tsv.
//
//go:embed beside.tsv
var besideTable string

// beside is the bytes of besideTable; 0 of a model that has none, or of which nobody knows.
func beside(model string) (bytes, trial, split float64) {
	for line := range strings.Lines(besideTable) {
		if c := strings.Fields(line); c[0] == model {
			bytes, _ = strconv.ParseFloat(c[1], 64)
			for i, to := range []*float64{&trial, &split} {
				if len(c) > 2+i {
					*to, _ = strconv.ParseFloat(c[2+i], 64)
				}
			}
		}
	}
	return bytes, trial, split
}
