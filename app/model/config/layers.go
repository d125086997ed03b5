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
	size := r.count("window")
	if size > 0 && !r.flag("use_window") {
		size = 0
	}
	has := r.windowLayers(size)
	if size == 0 || r.failed() || !strings.Contains(has, "1") {
		return
	}
	m.Window = model.Window{Size: size, Chunked: r.flag("chunked"), Layers: pattern(has)}
	if m.MLA.KVRank == 0 {
		m.Window.Heads, m.Window.KVHeads = r.count("window_heads"), r.count("window_kv_heads")
		m.Window.HeadSize, m.Window.ValueSize = r.count("window_head_size"), r.count("window_value_size")
	}
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
	if v := r.find("window_period").field; v != nil && v.kind == text {
		return r.letters(v, n)
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
		case "sliding_attention", "chunked_attention", "local_attention", "sliding_window_attention", "sliding", "local":
			windowed = true
			return true
		}
		if r.Model.Linear.Kind != model.NoLinear && isLinear(item.text) {
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
				r.fail(item, phrase.New("config.layer-kind", "value", item.shown()), phrase.New("config.write-mlp-kind"))
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
