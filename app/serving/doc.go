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
//  6. [Wish.Search] goes through all plans and batches, [Front] keeps those that nothing beats.
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
//	A5  In a closed loop every request is replaced at once. A share of them arrive together: Constants.Together while
//	    all end together, Constants.Wave once their lengths tell them apart. An engine may look for them only every
//	    Engine.Poll steps, or let them wait for more for Engine.Wait steps.
//	A6  All requests have the stated lengths. Open loops may have random ones, by their coefficient of variation.
//	A7  Nothing is shared between requests unless a hit rate says so, and nothing is speculated unless survival is given.
//	A10 Requests are let in by the room that they take on average, where an engine pages its caches; what grows beyond
//	    the room gives its cache back, the last that came first, and is computed again (Replica.hold).
//
// Times are exact sums over these assumptions; how far they lie from measurements is held in app/measured.
package serving
