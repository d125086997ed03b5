package config

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/phrase"
)

// windows reads which layers look back how far.
func (r *reading) windows() {
	m := &r.Model
	size, has, cycle := r.windowCycle()
	if !cycle {
		size = r.count("window")
	}
	if size > 0 && !r.flag("use_window") {
		size = 0
	}
	if !cycle || size == 0 {
		has = r.windowLayers(size)
	}
	if n := len(has); n > 0 && r.flag("last_full") && has[n-1] == '1' {
		has = has[:n-1] + "0" // the class sees to it, whatever the file lists
		note(&r.Understood, r.prefix+"layer_types", phrase.New("config.last-full"))
	}
	if size == 0 || r.failed() || !strings.Contains(has, "1") {
		return
	}
	chunked := r.flag("chunked") || r.is("params") && r.inner.field("attention_chunk_size") != nil
	m.Window = model.Window{Size: size, Chunked: chunked, Layers: pattern(has)}
	if m.MLA.KVRank == 0 {
		m.Window.Heads, m.Window.KVHeads = r.count("window_heads"), r.count("window_kv_heads")
		m.Window.HeadSize, m.Window.ValueSize = r.count("window_head_size"), r.count("window_value_size")
	}
}

// windowCycle reads windows from a list that the layers go through again and again: [null, 32768, 32768, 32768].
func (r *reading) windowCycle() (size int, has string, is bool) {
	f := r.find("window")
	if f.field == nil || f.field.kind != list || len(f.field.items) == 0 {
		return 0, "", false
	}
	for _, item := range f.field.items {
		if item.kind == null {
			continue
		}
		n, _ := r.whole(item, f.label, 1, f.most)
		if size != 0 && n != size {
			r.fail(item, f.is(), phrase.New("config.one-window"))
		}
		size = n
	}
	r.understood(f.path, phrase.New("config.one-by-one", "role", f.label))
	return size, layers(r.Model.Layers, func(i int) bool {
		return f.field.items[i%len(f.field.items)].kind != null
	}), true
}

// windowLayers says of each layer whether it has a window: a '1' or a '0'. A list in the file comes before a period.
func (r *reading) windowLayers(size int) string {
	n := r.Model.Layers
	if n == 0 {
		return "" // a fault is known already
	}
	if v := r.list("layer_types", n); v != nil {
		return r.kinds(v, n, size)
	}
	if size == 0 {
		return ""
	}
	if v := r.list("window_flags", n); v != nil {
		return r.signs(v, n)
	}
	if v := r.list("rope_flags", n); v != nil {
		return r.signs(v, n)
	}
	if r.flag("window_listed") {
		note(&r.Missing, r.prefix+"layer_types",
			phrase.New("config.assumed-as", "what", phrase.New("config.no-windows"), "class", r.family.class+"Config"))
		return ""
	}
	if v := r.find("window_period").field; v != nil && v.kind == text {
		return r.letters(v, n)
	}
	if every := r.count("window_first"); every > 0 {
		return layers(n, func(i int) bool { return i%every != 0 })
	}
	from, period := r.count("window_from"), r.count("window_period")
	return layers(n, func(i int) bool { return i >= from && (period == 0 || (i+1)%period != 0) })
}

// letters reads a cycle such as "LLLG": L for a window, G for none. The last layer never has one.
func (r *reading) letters(v *value, n int) string {
	if v.text == "" || strings.Trim(v.text, "LG") != "" {
		r.fail(v, phrase.New("config.window-pattern", "value", v.shown()), phrase.New("config.write-pattern"))
		return ""
	}
	f := r.find("window_period")
	r.understood(f.path, phrase.New("config.window-letters", "pattern", quote(v.text)))
	return layers(n, func(i int) bool { return i < n-1 && v.text[i%len(v.text)] == 'L' })
}

// kinds reads the kinds of the layers' attention. Those that are no attention are counted as if they were, and that is
// said.
func (r *reading) kinds(v *value, n, size int) string {
	other := map[string]int{}
	windowed := false
	has := r.ask(v, n, func(item *value) bool {
		switch item.text {
		case "full_attention", "global_attention", "attention", "full", "global":
			return false
		case "sliding_attention", "chunked_attention", "local_attention", "sliding_window_attention", "sliding",
			"local":
			windowed = true
			return true
		}
		if r.Model.Linear.Kind != model.NoLinear && isLinear(item.text) ||
			item.text == "indexed_attention" && r.has(r.namesOf("index_top")) { // it is counted apart, or doubted
			return false
		}
		other[item.text]++
		return false
	})
	if windowed && size == 0 {
		note(&r.Doubts, r.prefix+"layer_types", phrase.New("config.no-window"))
	}
	for _, item := range v.items[:n] { // in the order of the file
		if k := other[item.text]; k > 0 {
			note(&r.Doubts, r.prefix+"layer_types", phrase.Count(k, "config.other-layers", "kind", quote(item.text)))
			other[item.text] = 0
		}
	}
	return has
}

// expertLayers says of each layer whether it has experts.
func (r *reading) expertLayers() string {
	n := r.Model.Layers
	if n == 0 {
		return "" // a fault is known already
	}
	if r.blocks != "" {
		return layers(n, func(i int) bool { return r.blocks[i] == 'E' })
	}
	if v := r.list("mlp_types", n); v != nil {
		return r.ask(v, n, func(item *value) bool {
			switch item.text {
			case "dense", "sparse", "moe", hashed:
			default:
				r.fail(item, phrase.New("config.layer-kind", "value", item.shown()),
					phrase.New("config.write-mlp-kind"))
			}
			return item.text != "dense"
		})
	}
	if f := r.find("expert_every"); f.field != nil && f.field.kind == list {
		if v := r.list("expert_every", n); v != nil {
			return r.signs(v, n)
		}
	} else if f.field != nil && f.field.kind == text && r.is("megatron") {
		if has, ok := r.pieces(f.field, n); ok {
			r.understood(f.path, phrase.New("config.expert-layers"))
			return has
		}
	}
	if v := r.list("expert_list", -1); v != nil {
		in := r.indices(v)
		return layers(n, func(i int) bool { return in[i] })
	}
	if v := r.inner.field("moe_layers_enum"); v != nil && v.kind == text {
		return r.enumerated(v, n)
	}
	from, every, step := r.count("first_dense"), r.count("expert_every"), r.count("expert_step")
	offset, end := r.count("expert_offset"), r.count("last_expert")
	if end < 0 {
		end = n
	}
	dense := make([]bool, n)
	if v := r.list("dense_list", -1); v != nil {
		dense = r.indices(v)
	}
	if r.failed() {
		return ""
	}
	return layers(n, func(i int) bool {
		return i >= from && i <= end && i%every == offset%every && (i+1)%step == 0 && !dense[i]
	})
}

// enumerated reads the layers with experts from a text: "3,4,5", counted from 0.
func (r *reading) enumerated(v *value, n int) string {
	in := make([]bool, n)
	for word := range strings.SplitSeq(v.text, ",") {
		i, err := strconv.Atoi(strings.TrimSpace(word))
		if err != nil || i < 0 || i >= n {
			r.fail(v, phrase.New("config.is", "field", "moe_layers_enum", "value", v.shown()),
				phrase.New("config.write-layers", "most", n-1))
			return ""
		}
		in[i] = true
	}
	r.used[r.prefix+"moe_layers_enum"] = true
	r.understood(r.prefix+"moe_layers_enum", phrase.New("config.expert-layers"))
	r.leave("first_dense", phrase.New("config.experts-listed"))
	return layers(n, func(i int) bool { return in[i] })
}

// ask asks a question of each of the first n texts of a list.
func (r *reading) ask(v *value, n int, has func(*value) bool) string {
	for i := range v.items[:n] {
		if v.items[i].kind != text {
			r.fail(v.items[i], phrase.New("config.layer-kind", "value", v.items[i].shown()),
				phrase.New("config.write-kind", "kind", "full_attention"))
		}
	}
	return layers(n, func(i int) bool { return has(v.items[i]) })
}

// signs reads a list of 0 and 1, or of false and true.
func (r *reading) signs(v *value, n int) string {
	return layers(n, func(i int) bool {
		item := v.items[i]
		if item.kind == boolean {
			return item.text == "true"
		}
		x, _ := r.whole(item, phrase.New("config.layer-entry"), 0, 1)
		return x == 1
	})
}

// indices reads a list of layers, counted from 0.
func (r *reading) indices(v *value) []bool {
	in := make([]bool, r.Model.Layers)
	for i := range v.items {
		if x, ok := r.whole(v.items[i], phrase.New("config.layer-index"), 0, float64(r.Model.Layers-1)); ok {
			in[x] = true
		}
	}
	return in
}

// layers asks a question of n layers.
func layers(n int, has func(i int) bool) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = '0'
		if has(i) {
			b[i] = '1'
		}
	}
	return string(b)
}

// pattern is the shortest pattern that says the same as a sign for each layer.
func pattern(has string) model.Pattern {
	from := strings.IndexByte(has, '1')
	if from < 0 {
		return model.Pattern{Cycle: "0"}
	}
	if !strings.Contains(has[from:], "0") {
		return model.Pattern{First: from}
	}
	for p := 2; p <= len(has)/2; p++ {
		if has[p:] == has[:len(has)-p] {
			return model.Pattern{Cycle: has[:p]}
		}
	}
	return model.Pattern{Cycle: has}
}

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
			r.fail(block, phrase.New("config.is", "field", name, "value", block.shown()),
				phrase.New("config.write-block"))
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
			r.fail(item, phrase.New("config.is", "field", f.label, "value", item.shown()),
				phrase.New("config.to-thousand"))
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
	if f := r.find("cross_list"); v == nil && f.field == nil && r.family.id == "mllama" && !r.failed() {
		// as the class has them if the file names none: eight layers of 40
		note(&r.Missing, f.path, phrase.New("config.assumed-as", "what", asIs(f.label), "class", "MllamaTextConfig"))
		for i := 3; i < min(r.Model.Layers, 40); i += 5 {
			r.owns(i, ownTraits, r.traitsOf(i)|model.Crossing, 0)
		}
	}
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
