package config

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/phrase"
)

// build fills the model in, part by part.
func (r *reading) build() {
	r.traits()
	m := &r.Model
	if r.apart(); r.blocks != "" && within(r.inner, "num_hidden_layers") == nil {
		m.Layers = len(r.blocks)
	} else {
		m.Layers = r.count("layers")
		if n := int(within(r.inner, "nextn_predict_layers").number()); 0 < n && n < m.Layers { // GGUF counts them in
			m.Layers -= n
		}
	}
	m.Width, m.Vocab = r.count("width"), r.vocabulary()
	m.MoreRows, m.EmbedWidth = r.count("more_rows"), r.count("embed_width")
	m.Heads = r.each("heads", ownHeads)
	r.blockLayers()
	m.Tied = r.flag("tied")
	if m.Positions = r.positions(); m.Positions > 0 {
		m.Positions += r.count("more_positions")
	}
	r.context()
	m.Plain, m.Slopes = r.flag("plain"), r.count("slopes")
	m.Parallel = r.flag("parallel")
	r.norms()
	r.blockConfigs()
	r.attention()
	if m.Norms == 0 && m.Parallel && m.KVHeads > 1 && r.family.id == "falcon" {
		m.Norms = 2 // GGUF does not name the newer decoder, which alone has several heads
	}
	r.linear()
	r.windows()
	r.wide()
	r.compress()
	r.crossing()
	r.feedForward()
	if r.flag("ff_norm") {
		m.Slopes += m.FFWidth
	}
	r.perLayer()
	r.ngrams()
	m.Bias = model.Bias{
		QKV:     r.qkvBias(),
		Gate:    m.Gate == model.WidthGate && r.flag("gate_bias"),
		Output:  r.flag("o_bias"),
		MLP:     r.flag("mlp_bias"),
		Experts: r.flag("expert_bias"),
		Unembed: r.flag("unembed_bias"),
	}
	m.Sinks = r.flag("sinks")
	m.WindowSinks = m.Window.Size != 0 && r.flag("window_sinks")
	if r.own != nil {
		m.Each = model.NewEach(m.Layers, func(i int) [4]int { return r.own[i] })
	}
}

func (r *reading) norms() {
	m := &r.Model
	switch r.norm() {
	case "layer":
		m.Norm = model.LayerNorm
	case "scale":
		m.Norm = model.ScaleLayerNorm
	case "bare":
		m.Norm = model.BareNorm
	}
	if m.Norm == model.LayerNorm && r.is("foundry") && on(r.inner.field("no_bias")) {
		m.Norm = model.ScaleLayerNorm
	}
	if !r.flag("norm_affine") {
		m.Norm = model.BareNorm
	}
	m.EmbedNorm = r.flag("embed_norm")
	before, none := r.flag("norm_before"), r.flag("no_final_norm")
	m.NoFinalNorm = none || !before
	if m.Norms = r.count("norms"); m.Norms == 0 && m.Parallel && r.flag("new_decoder") {
		m.Norms = 2 // Falcon's newer decoder: one before attention and one before the MLP
	}
	if r.flag("post_norms") {
		m.Norms = 4
	}
	if n := r.count("parallel_norms"); n > 0 && m.Parallel {
		m.Norms = n
	}
	kind := r.constant("qk_norm")
	if v := r.inner.field("norm_qk_type"); wordOf(v) == "olmo2" { // LitGPT's
		kind = "width"
	}
	block := ""
	if r.is("maxtext") {
		block = r.family.id
	}
	if r.inner.field("ffn_exp") != nil || block == "llama4" { // Llama 4's norms have no weights
		kind = "none"
		r.leave("", phrase.New("config.no-weights"), "use_qk_norm")
	}
	always := block > "gemma2" && strings.HasPrefix(block, "gemma") // its code has them, whatever the file says
	if kind == "none" || !always && !r.flag("use_qk_norm") {
		m.QKNorm = model.NoQKNorm
	} else if kind == "head" {
		m.QKNorm = model.HeadQKNorm
	} else {
		m.QKNorm = model.WidthQKNorm
	}
}

// attention reads heads, or the ranks of latent attention.
func (r *reading) attention() {
	m := &r.Model
	r.gate()
	if m.MLA.KVRank = r.rank(); m.MLA.KVRank > 0 {
		m.MLA.QRank = r.count("q_rank")
		m.MLA.NopeSize, m.MLA.RopeSize, m.MLA.ValueSize = r.count("nope"), r.count("rope"), r.count("latent_value")
		not := phrase.New("config.latent-heads")
		r.leave("kv_heads", not)
		r.leave("head_size", not)
		r.leave("", not, "qk_head_dim", "n_embd_head_k_mla")
		r.index()
		return
	}
	if r.oneHead() {
		m.KVHeads = 1
		r.leave("kv_heads", phrase.New("config.multi-query"))
	} else if v := r.inner.field("group_query_attention"); v != nil && v.text == "false" && r.is("megatron") {
		r.leave("kv_heads", phrase.New("config.off-by", "field", "group_query_attention"))
	} else if r.nas == nil || r.has(r.namesOf("kv_heads")) {
		m.KVHeads = r.each("kv_heads", ownKVHeads)
	}
	m.MLA.QRank = r.count("q_rank")
	m.HeadSize = r.count("head_size")
	m.ValueSize = r.count("value_size")
	r.heads()
}

// heads refuses heads that don't fit together, at the field that is to blame.
func (r *reading) heads() {
	m := &r.Model
	if r.failed() {
		return
	}
	if m.HeadSize == 0 && m.Width%m.Heads != 0 {
		r.failAt(
			"heads",
			phrase.New("config.uneven-width", "heads", m.Heads, "width", m.Width),
			phrase.New("config.add-head-dim"),
		)
	}
	if f := r.find("kv_heads").field; f != nil && f.kind == number && f.number() == 0 && m.KVHeads == 0 {
		r.fail(f, r.find("kv_heads").is(), phrase.New("config.divisor", "n", m.Heads))
	}
	if m.KVHeads != 0 && m.Heads%m.KVHeads != 0 {
		r.failAt(
			"kv_heads",
			phrase.New("config.uneven-heads", "heads", m.Heads, "kv", m.KVHeads),
			phrase.New("config.divisor", "n", m.Heads),
		)
	}
}

// failAt is fail at the field of a role, or lack if it isn't there.
func (r *reading) failAt(role string, what, remedy *phrase.Phrase) {
	if v := r.find(role).field; v != nil {
		r.fail(v, what, remedy)
		return
	}
	r.lack(r.inner, what, remedy)
}

// leave accounts for the fields of a role, and for others, that are there but don't count.
func (r *reading) leave(role string, why *phrase.Phrase, more ...string) {
	names := more
	if role != "" {
		names = append(append(names, r.namesOf(role)...), r.tables.role(role).names...)
	}
	for _, n := range names {
		n = field0(n)
		if v := within(r.inner, n); v != nil && !r.used[r.prefix+n] {
			r.used[r.prefix+n] = true
			note(&r.Ignored, r.prefix+n, why)
		}
	}
}

// feedForward reads the MLP and the experts.
func (r *reading) feedForward() {
	m := &r.Model
	if r.nas != nil && !r.has(r.namesOf("ff")) {
		r.leave("ff", phrase.New("config.blocks-say"))
		r.leave("kv_heads", phrase.New("config.blocks-say"))
	} else if r.scaled() {
	} else if m.FFWidth = r.width(); m.FFWidth == 0 && (r.is("params") || r.is("openlm")) {
		m.FFWidth = r.adjusted(2*4*m.Width/3, 1)
	} else if m.FFWidth == 0 {
		if m.FFWidth = r.ratio(); m.FFWidth > 0 && r.flag("ff_pair") {
			m.FFWidth /= 2
		}
	} else if r.flag("ff_pair") {
		m.FFWidth /= 2 // the file counts the gate and what it gates together
	} else if r.flag("ff_adjust") {
		m.FFWidth = r.adjusted(2*m.FFWidth/3, 1)
	}
	if r.flag("use_experts") {
		m.MoE.Experts = r.count("experts")
	}
	if m.MoE.Experts > 0 && m.MoE.Experts < r.count("least_experts") {
		m.MoE.Experts = 0
		for _, role := range []string{"top_k", "expert_every", "expert_offset"} {
			r.leave(role, phrase.New("config.few-experts"))
		}
	}
	if m.MoE.Experts > 0 {
		r.experts()
	}
	if m.MoE.Experts > 0 && m.MoE.Layers == (model.Pattern{}) {
		if m.MoE.Width == 0 {
			m.MoE.Width = m.FFWidth
		}
		m.FFWidth = 0 // no layer has a dense MLP
	} else if m.FFWidth == 0 && !m.Blocks.Apart {
		r.noWidth()
	}
}

// noWidth refuses an MLP without a width.
func (r *reading) noWidth() {
	if r.Model.FFWidth = r.rows; r.rows > 0 {
		return
	}
	whole := !r.failed()
	r.failAt("ff", phrase.New("config.no-mlp"), phrase.New("config.add-mlp"))
	if e := r.lacks; whole && e != nil {
		e.uncached = true
	}
}

// adjusted is a width of the MLP that is scaled, shared out and rounded: of LFM2's, which files give before, and of
// Meta's models.
func (r *reading) adjusted(width int, shares float64) int {
	if f := r.find("ff_scale"); f.field != nil && f.field.kind == number {
		x, err := strconv.ParseFloat(f.field.text, 64)
		if err != nil || !(x > 0 && x <= 1000) {
			r.fail(f.field, f.is(), phrase.New("config.to-thousand"))
			return 0
		}
		r.understood(f.path, phrase.New("config.mlp-scale", "value", clean(f.field.text)))
		width = int(float64(width) * x)
	}
	width = int(float64(width) / shares)
	step := max(1, r.count("ff_multiple"))
	return (width + step - 1) / step * step
}

// metaExperts reads the width of experts from a params.json of Llama 4: that of an MLP, shared among the experts that a
// token uses, as many as the capacity factor, and the one that all use, if the file says so (meta-llama/llama-models,
// models/llama4/moe.py).
func (r *reading) metaExperts() bool {
	const ratio, scales, capacity = "ffn_exp", "moe_args.auto_scale_F", "moe_args.capacity_factor"
	x := r.inner.field(ratio)
	if x == nil || !r.is("params") {
		return false
	}
	if n := x.number(); !(n > 0 && n <= 1000) {
		r.fail(x, phrase.New("config.is", "field", ratio, "value", x.shown()), phrase.New("config.to-thousand"))
		return false
	}
	shares := 1.0
	if on(within(r.inner, scales)) {
		shares = 1 + max(1, within(r.inner, capacity).number())
	}
	n := r.adjusted(int(2*float64(int(x.number()*float64(r.Model.Width)))/3), shares)
	for _, path := range []string{ratio, scales, capacity} {
		r.used[r.prefix+path] = true
	}
	r.understood(r.prefix+ratio, phrase.New("config.set", "role", r.tables.role("expert_ff").label, "value", n))
	r.Model.MoE.Width = n
	return true
}

func (r *reading) experts() {
	m := &r.Model
	e := &m.MoE
	e.PerToken = r.count("top_k")
	if e.PerToken > e.Experts {
		r.failAt(
			"top_k",
			phrase.New("config.experts-of", "k", e.PerToken, "n", e.Experts),
			phrase.New("config.whole", "least", 1, "most", e.Experts),
		)
	}
	e.Width = r.count("expert_ff")
	meta := e.Width == 0 && r.metaExperts()
	if e.Width == 0 && m.FFWidth == 0 {
		r.failAt(
			"expert_ff",
			phrase.New("config.no-expert-width"),
			phrase.New("config.add-expert-width"),
		)
	}
	if e.SharedWidth = r.count("shared_ff"); e.SharedWidth > 0 {
		e.Shared = 1
		r.leave("shared", phrase.New("config.shared-whole"))
	} else if e.Shared = r.count("shared"); meta {
		e.Shared = 1 // Meta's code always makes one
	}
	if r.flag("beside") {
		if e.Shared, e.SharedWidth = 1, r.count("beside_ff"); e.SharedWidth == 0 {
			e.SharedWidth = m.FFWidth
		}
		if n := r.count("beside_norms"); n > 0 {
			m.Norms = m.NormsPerLayer() + n
		}
	}
	if s, has := r.family.setting("shared"); has && s.fixed && r.inner.field("n_shared_experts").number() > 1 {
		note(&r.Doubts, r.prefix+"n_shared_experts", phrase.New("config.one-shared"))
	}
	if n := e.Shared; n > 1 && r.flag("mlp_bias") { // one MLP, and one bias of its output
		e.Shared, e.SharedWidth = 1, n*m.SharedWidth()
	}
	e.SharedGate = r.flag("shared_gate") && e.Shared > 0
	e.RouterBias = r.flag("router_bias") || r.is("megatron") && r.flag("expert_bias") // as every matrix there
	e.RouterScale, e.Latent = r.flag("router_scale"), r.count("expert_latent")
	e.SightBias = r.flag("sight_bias")
	has := r.expertLayers()
	e.Hashed = r.hashed()
	e.Groups, e.Chosen = r.count("expert_groups"), r.count("chosen_groups")
	if r.failed() {
		return
	}
	if !strings.Contains(has, "1") {
		if r.blocks == "" { // of blocks, letters say which are there
			note(&r.Doubts, "", phrase.New("config.no-experts", "n", e.Experts))
		}
		*e = model.MoE{}
		return
	}
	e.Layers = pattern(has)
}

// traits says what follows from the architecture alone, whatever else the file says.
func (r *reading) traits() {
	said := phrase.New("config.read-as", "family", r.family.title)
	for i := range r.tables.roles {
		x := &r.tables.roles[i]
		if s, has := r.family.setting(x.name); has && s.fixed && s.value != x.fallback && s.value != "0" {
			said = and(said, x.trait(s.value))
		}
	}
	field := r.prefix + "model_type"
	if r.inner.field("model_type") == nil {
		field = "" // the family follows from the architecture's name, or is a guess
	}
	r.used[field] = true
	r.understood(field, said)
}

// trait is a value of a role in words.
func (x *role) trait(value string) *phrase.Phrase {
	switch {
	case value == "on":
		return asIs(x.label)
	case value == "off":
		return phrase.New("config.no-role", "role", x.label)
	case x.kind == "count":
		return x.say(value)
	case value == "rms":
		return phrase.New("config.rms-norms")
	case value == "layer":
		return phrase.New("config.layer-norms")
	case value == "scale":
		return phrase.New("config.scale-norms")
	case value == "bare":
		return phrase.New("config.bare-norms")
	case x.name == "linear":
		return linearName(value)
	case value == "head":
		return phrase.New("config.over-head", "role", x.label)
	case value == "width":
		return phrase.New("config.over-heads", "role", x.label)
	}
	return phrase.New("config.no-role", "role", x.label)
}

// What layers have beside or beyond the usual: heads of another size where they look at everything, gates, an index,
// embeddings of their own, caches that they share.

// wide reads the heads of layers without a window, where they differ from those with one, as in Gemma 4.
func (r *reading) wide() {
	m := &r.Model
	r.wideLayers()
	size, heads, same := r.count("global_head_size"), r.count("global_kv_heads"), r.flag("keys_are_values")
	if m.MLA.KVRank != 0 || size == 0 && !same || r.failed() {
		return
	}
	if w := &m.Window; w.Size != 0 {
		w.KVHeads, w.HeadSize = m.Layer(0).KVHeads, m.Layer(0).HeadSize
	}
	if size != 0 {
		m.HeadSize = size
	}
	if m.KeysValue = same; same && heads != 0 {
		m.KVHeads = heads
	}
}

// wideLayers turns what newer files say of single layers into the heads of all layers without a window, where that is
// what it comes to: {"05": {"head_dim": 512}, "11": {"head_dim": 512}}.
func (r *reading) wideLayers() {
	const name = "per_layer_config"
	v, kinds := r.inner.field(name), r.inner.field("layer_types")
	if v == nil || v.kind != object || len(v.items) == 0 || kinds == nil || kinds.kind != list {
		return
	}
	full := 0
	for _, k := range kinds.items {
		if wordOf(k) == "full_attention" {
			full++
		}
	}
	for i, layer := range v.items {
		n, err := strconv.Atoi(v.names[i].text)
		if err != nil || n < 0 || n >= len(kinds.items) || len(v.items) != full ||
			wordOf(kinds.items[n]) != "full_attention" {
			return
		}
		for j, field := range layer.names {
			first := v.items[0].field(field.text)
			known := field.text == "head_dim" || field.text == "num_key_value_heads"
			if !known || first.number() != layer.items[j].number() || len(layer.names) != len(v.items[0].names) {
				return
			}
		}
	}
	for _, as := range [][2]string{{"head_dim", "global_head_dim"},
		{"num_key_value_heads", "num_global_key_value_heads"}} {
		if x := v.items[0].field(as[0]); x != nil && r.inner.field(as[1]) == nil {
			r.inner.add(as[1], x)
		}
	}
	r.used[r.prefix+name] = true
	r.understood(r.prefix+name, phrase.New("config.one-by-one", "role", r.tables.role("head_size").label))
}

// gate reads whether attention's output is scaled.
func (r *reading) gate() {
	switch {
	case r.flag("width_gate"):
		r.Model.Gate = model.WidthGate
	case r.flag("head_gate"):
		if v := r.inner.field("gating"); v != nil && v.kind == boolean && v.text == "false" {
			r.used[r.prefix+"gating"] = true // Laguna's: else for each number
			r.understood(r.prefix+"gating", asIs(r.tables.role("width_gate").label))
			r.Model.Gate = model.WidthGate
			return
		}
		r.Model.Gate = model.HeadGate
	}
}

// index reads the small attention that picks tokens for the large one.
func (r *reading) index() {
	top := r.count("index_top")
	if top == 0 {
		return
	}
	x := model.Index{Heads: r.count("index_heads"), Size: r.count("index_size"), Top: top}
	if x.Heads == 0 || x.Size == 0 {
		note(&r.Doubts, r.prefix+"index_topk", phrase.New("config.no-index"))
		return
	}
	if v := r.list("index_types", r.Model.Layers); v != nil {
		x.Layers = pattern(r.ask(v, r.Model.Layers, func(item *value) bool { return item.text != "shared" }))
	}
	r.Model.Index = x
}

// perLayer reads embeddings of each layer, and layers that share keys and values.
func (r *reading) perLayer() {
	m := &r.Model
	if w := r.count("layer_embedding"); w > 0 {
		m.PerLayer = model.PerLayer{Width: w, Vocab: r.count("layer_vocab")}
		if m.PerLayer.Vocab == 0 {
			m.PerLayer.Vocab = m.Vocab
		}
	} else {
		r.leave("layer_vocab", phrase.New("config.no-embeddings"))
	}
	if n := r.count("sharing"); n > 0 && n <= m.Layers {
		m.Sharing = model.Sharing{Layers: n, Wide: r.flag("sharing_wide"),
			Stored: r.flag("sharing_stored")}
	} else {
		r.leave("sharing_wide", phrase.New("config.no-sharing"))
	}
	if r.flag("use_sharing") {
		m.Sharing.Every = r.count("sharing_every")
	} else {
		r.leave("sharing_every", phrase.New("config.no-sharing"))
	}
	m.Side = model.Side{Streams: r.count("streams"), Rank: r.count("side_rank"), Hyper: r.count("hyper"),
		OnePass: r.flag("one_pass")}
}

// Sizes that layers have of their own: lists with a number for each.

// each reads a role of which a file may give one number for all layers or a list, under the role's own names or under
// those of its list: the number, or the largest of the list, which goes to what layers have of their own.
func (r *reading) each(name string, own int) int {
	v := r.list(name+"_list", r.Model.Layers)
	if v == nil {
		f := r.find(name).field
		if f == nil || f.kind != list || len(f.items) == 0 || f.same() != f {
			return r.count(name)
		}
		v = r.list(name, r.Model.Layers)
	}
	most := 0
	if x := r.tables.role(name); v != nil {
		for i := range r.Model.Layers {
			n, _ := r.whole(v.items[i], x.label, 1, x.most)
			most = r.owns(i, own, n, most)
		}
	}
	return most
}

// owns says that a layer has a size of its own, and which is the largest so far.
func (r *reading) owns(layer, own, n, most int) int {
	if r.own == nil {
		r.own = make([][4]int, r.Model.Layers)
	}
	r.own[layer][own] = n
	return max(n, most)
}

// What layers may have of their own.
const (
	ownHeads = iota
	ownKVHeads
	ownWidth
	ownTraits
)
