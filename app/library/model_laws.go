package library

import (
	"slices"

	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet"
)

// Where the laws come from.
const (
	austinMath = "Austin et al., How To Scale Your Model (2025), part 4"
	deepseekV2 = "DeepSeek-V2 (2024), section 2.1"
	pope       = "Pope et al., Efficiently Scaling Transformer Inference (2022)"
)

func (a args) model(i int) (*model.Known, error) { return model.Catalog().Get(a[i].Record.ID) }

// choice reads a text that must be one of a few words, and gives its place among them.
func (a args) choice(i int, what string, words ...string) (int, error) {
	at := slices.Index(words, a[i].Text)
	if at < 0 {
		list := words[0]
		for _, w := range words[1:] {
			list += ", " + w
		}
		return 0, &model.Error{What: "unknown " + what + " `" + a[i].Text + "`", Remedy: "give one of " + list}
	}
	return at, nil
}

// mask reads which scores are counted. The zero value of model.Mask is not what published figures have, so the words
// stand in another order here.
func (a args) mask(i int) (model.Mask, error) {
	at, err := a.choice(i, "mask", "causal", "full", "windowed", "none")
	return [...]model.Mask{model.Causal, model.Full, model.Windowed, model.NoAttention}[at], err
}

// keep reads which activations are kept.
func (a args) keep(i int) (model.Keep, error) {
	at, err := a.choice(i, "policy", "all", "matmuls", "blocks")
	return [...]model.Keep{model.KeepAll, model.KeepMatmuls, model.KeepBlocks}[at], err
}

// word is a text parameter that need not be given.
func word(name, preset string) sheet.Param {
	return sheet.Param{Name: name, Type: text, Optional: true, Default: sheet.Value{Kind: sheet.Text, Text: preset}}
}

// gate is the parameter that tells whether an MLP has a gate; it has one unless the sheet says otherwise.
func gate() sheet.Param {
	return sheet.Param{Name: "gated", Type: flag, Optional: true, Default: sheet.Value{Kind: sheet.Bool, Bool: true}}
}

// modelLaws are the laws of app/model: those of a model of the catalog, and those of one layer in the book's letters.
func modelLaws(kin *sheet.Kin) []law {
	return slices.Concat(flopLaws(kin), memoryLaws(kin), layerLaws(), runLaws())
}

// flopLaws count operations of a model.
func flopLaws(kin *sheet.Kin) []law {
	m, T, mask := of("model", sheet.Type{Kind: sheet.Rec, Kin: kin}), count("T"), word("mask", "causal")
	masked := []sheet.Param{m, T, mask}
	attention := func(pass model.Pass) func(a args) (quantity.Quantity, error) {
		return func(a args) (quantity.Quantity, error) {
			k, s, err := a.masked()
			return k.AttentionFLOPs(a.num(1), s, pass).Quantity(), err
		}
	}
	all := func(pass model.Pass) func(a args) (quantity.Quantity, error) {
		return func(a args) (quantity.Quantity, error) {
			k, s, err := a.masked()
			return k.FLOPsPerToken(a.num(1), s, pass).Quantity(), err
		}
	}
	return []law{
		{"tokens_seen", "How many tokens a token of a sequence of T looks at, on average over tokens and layers: T/2 if the mask is causal, T if full, less if windowed.",
			"", counting, masked, plain, func(a args) (quantity.Quantity, error) {
				k, s, err := a.masked()
				return tokens(k.Seen(a.num(1), s)), err
			}},
		{"flops_per_token", "Training operations on one of T tokens: 6 for each weight it is multiplied with, and attention. The mask is causal, full, windowed or none; published figures differ in it.",
			"6 FLOP * model.matmul_params + 12 FLOP * model.attention_width * tokens_seen(model, T, mask)", austinMath, masked, flops, all(model.Train)},
		{"forward_flops_per_token", "The forward pass of the same: a third.",
			"2 FLOP * model.matmul_params + 4 FLOP * model.attention_width * tokens_seen(model, T, mask)", austinMath, masked, flops, all(model.Forward)},
		{"attention_flops_per_token", "Training operations of attention's scores and weighted values alone, on one of T tokens.",
			"12 FLOP * model.attention_width * tokens_seen(model, T, mask)", austinMath, masked, flops, attention(model.Train)},
		{"forward_attention_flops_per_token", "The forward pass of the same: a third.",
			"4 FLOP * model.attention_width * tokens_seen(model, T, mask)", austinMath, masked, flops, attention(model.Forward)},
		{"decode_flops", "Operations of generating one token with T in the cache. Latent attention works on the cached latents as they are.",
			"", deepseekV2, []sheet.Param{m, T}, flops, func(a args) (quantity.Quantity, error) {
				k, err := a.model(0)
				return k.DecodeFLOPs(a.num(1)).Quantity(), err
			}},
		{"crossover_context", "Context at which attention's scores and weighted values take as many operations as the layers' matmuls, the unembedding left out.",
			"", austinMath, []sheet.Param{m, mask}, plain, func(a args) (quantity.Quantity, error) {
				k, err := a.model(0)
				if err != nil {
					return quantity.Quantity{}, err
				}
				s, err := a.mask(1)
				if err != nil {
					return quantity.Quantity{}, err
				}
				T, err := k.CrossoverContext(s)
				return tokens(T), err
			}},
	}
}

// masked reads a model, a length and a mask; the model of an error is empty, never nil.
func (a args) masked() (*model.Known, model.Mask, error) {
	k, err := a.model(0)
	if err != nil {
		return &model.Known{}, 0, err
	}
	s, err := a.mask(2)
	return k, s, err
}

// memoryLaws count bytes of a model.
func memoryLaws(kin *sheet.Kin) []law {
	m, T := of("model", sheet.Type{Kind: sheet.Rec, Kin: kin}), count("T")
	return []law{
		{"kv_bytes", "What the KV cache grows by with each token as long as no window is full.",
			"model.kv_elements * d.bytes", counting, []sheet.Param{m, width("d")}, bytes, func(a args) (quantity.Quantity, error) {
				k, err := a.known()
				return k.KVBytesPerToken(a.bytes(1)).Quantity(), err
			}},
		{"tokens_cached", "How many of T tokens the cache keeps, on average over layers: all of them, but no more than the window in windowed layers.",
			"", counting, []sheet.Param{m, T}, plain, func(a args) (quantity.Quantity, error) {
				k, err := a.known()
				return tokens(k.Cached(a.num(1))), err
			}},
		{"kv_bytes_at", "The KV cache of a sequence of T tokens; windowed layers stop growing at their window.",
			"model.kv_elements * tokens_cached(model, T) * d.bytes", counting, []sheet.Param{m, T, width("d")}, bytes, func(a args) (quantity.Quantity, error) {
				k, err := a.known()
				return k.KVBytes(a.num(1), a.bytes(2)).Quantity(), err
			}},
		{"decode_intensity", "Attention's operations for each byte of cache that it reads while generating, which no batch changes.",
			"", pope, []sheet.Param{m, width("d")}, intensity, func(a args) (quantity.Quantity, error) {
				k, err := a.known()
				return k.DecodeIntensity(a.bytes(1)).Quantity(), err
			}},
		{"activation_bytes", "What training keeps of each token for the backward pass, every tensor as wide as it is. keep is all, matmuls (outputs of matmuls) or blocks (layer inputs alone).",
			"", counting, []sheet.Param{m, word("keep", "all"), width("d")}, bytes, func(a args) (quantity.Quantity, error) {
				k, err := a.known()
				keep, wrong := a.keep(1)
				return k.ActivationBytes(keep, a.bytes(2)).Quantity(), first(err, wrong)
			}},
		{"recompute_flops_per_token", "What a policy computes again for one of T tokens: nothing (all), attention (matmuls), the forward pass of all layers (blocks).",
			"", counting, []sheet.Param{m, T, word("keep", "blocks"), word("mask", "causal")}, flops, func(a args) (quantity.Quantity, error) {
				k, err := a.known()
				keep, wrong := a.keep(2)
				mask, unknown := a.mask(3)
				return k.RecomputeFLOPs(keep, a.num(1), mask).Quantity(), first(err, wrong, unknown)
			}},
	}
}

// known is the model that comes first; of an error it is empty, never nil.
func (a args) known() (*model.Known, error) {
	k, err := a.model(0)
	if err != nil {
		k = &model.Known{}
	}
	return k, err
}

// first is the first error that is one.
func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
