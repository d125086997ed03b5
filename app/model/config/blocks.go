package config

import (
	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/phrase"
)

// Layers that a search has made different (Llama-Nemotron, DeciLM), layers with widths of their own (OpenELM), and
// layers that attend to something else than the text before.

// blockConfigs reads what is said of each layer's attention and MLP.
func (r *reading) blockConfigs() {
	const name = "block_configs"
	m := &r.Model
	v := r.inner.field(name)
	if v == nil || v.kind == null || r.failed() {
		return
	}
	if v.kind != list || len(v.items) < m.Layers {
		r.fail(v, phrase.New("config.few-entries", "field", name, "n", len(v.items), "layers", layersText(m.Layers)),
			phrase.New("config.each-layer"))
		return
	}
	r.nas = v
	r.used[r.prefix+name] = true
	r.understood(r.prefix+name, phrase.New("config.blocks-listed"))
	for i, block := range v.items[:m.Layers] {
		a, f := block.field("attention"), block.field("ffn")
		if a == nil || a.kind != object || f == nil || f.kind != object {
			r.fail(block, phrase.New("config.is", "field", name, "value", block.shown()), phrase.New("config.write-block"))
			return
		}
		m.KVHeads = r.owns(i, ownKVHeads, r.blockHeads(i, a), m.KVHeads)
		m.FFWidth = r.owns(i, ownWidth, r.blockWidth(i, f), m.FFWidth)
	}
	if m.FFWidth == 0 {
		m.FFWidth = m.Width // no layer has an MLP, but a model has a width of one
	}
}

// blockHeads reads a layer's attention: its heads of keys and values.
func (r *reading) blockHeads(i int, a *value) int {
	if r.trait(i, a, model.LacksMixer, model.MatrixMixer) {
		return 0
	}
	r.strangeBlock(a)
	if v := a.field("num_key_value_heads"); v != nil && v.kind != null {
		n, _ := r.whole(v, "num_key_value_heads", 1, 100000)
		return n
	}
	if v := a.field("n_heads_in_group"); v != nil && v.kind != null {
		if n, ok := r.whole(v, "n_heads_in_group", 1, float64(r.Model.Heads)); ok {
			return r.Model.Heads / n
		}
	}
	return 0
}

// blockWidth reads the width of a layer's MLP: two thirds of a multiple of the model's, rounded up to 256.
func (r *reading) blockWidth(i int, f *value) int {
	if r.trait(i, f, model.LacksMLP, model.MatrixMLP) {
		return 0
	}
	r.strangeBlock(f)
	if v := f.field("intermediate_size"); v != nil && v.kind != null {
		n, _ := r.whole(v, "intermediate_size", 1, 1e7)
		return n
	}
	v := f.field("ffn_mult")
	if x := v.number(); x > 0 && x <= 1000 {
		return (int(2*x*float64(r.Model.Width)/3) + 255) / 256 * 256
	}
	if v == nil {
		v = f
	}
	r.fail(v, phrase.New("config.is", "field", "ffn_mult", "value", v.shown()), phrase.New("config.write-positive"))
	return 0
}

// trait reads whether a layer lacks a block, or has a matrix in its place.
func (r *reading) trait(i int, v *value, lacks, matrix int) bool {
	own := 0
	switch {
	case on(v.field("no_op")):
		own = lacks
	case on(v.field("replace_with_linear")):
		own = matrix
	default:
		return false
	}
	r.owns(i, ownTraits, r.traitsOf(i)|own, 0)
	return true
}

// strangeBlock doubts what is known of blocks and not counted.
func (r *reading) strangeBlock(v *value) {
	for _, n := range []string{"window_length", "num_sink_tokens", "mamba", "moe", "llama4"} {
		if f := v.field(n); f != nil && !f.off() {
			r.fail(f, phrase.New("config.not-counted", "field", n, "why", phrase.New("config.strange-block")),
				phrase.New("config.plain-transformer"))
		}
	}
}

// traitsOf is what layer i lacks so far, or has in place of it.
func (r *reading) traitsOf(i int) int {
	if r.own == nil {
		return 0
	}
	return r.own[i][ownTraits]
}

func on(v *value) bool { return v != nil && v.kind == boolean && v.text == "true" }

// scaled reads widths of MLPs that are multiples of the model's, rounded to a multiple (OpenELM).
func (r *reading) scaled() bool {
	m := &r.Model
	f := r.find("ff_scales")
	if f.field == nil || r.failed() {
		return false
	}
	v := r.list("ff_scales", m.Layers)
	if v == nil {
		return false
	}
	step := max(1, r.count("ff_multiple"))
	for i, item := range v.items[:m.Layers] {
		x := item.number()
		if !(x > 0 && x <= 1000) {
			r.fail(item, phrase.New("config.is", "field", f.label, "value", item.shown()), phrase.New("config.to-thousand"))
			return true
		}
		exact := x * float64(m.Width)
		n := max(step, int(exact+float64(step)/2)/step*step)
		if float64(n) < 0.9*exact {
			n += step
		}
		m.FFWidth = r.owns(i, ownWidth, n, m.FFWidth)
	}
	return true
}

// crossing reads which layers attend to something else.
func (r *reading) crossing() {
	v := r.list("cross_list", -1)
	if v == nil || r.failed() {
		return
	}
	for i, crosses := range r.indices(v) {
		if crosses {
			r.owns(i, ownTraits, r.traitsOf(i)|model.Crossing, 0)
		}
	}
	note(&r.Understood, r.find("cross_list").path, phrase.New("config.no-text-cache"))
}
