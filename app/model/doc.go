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
