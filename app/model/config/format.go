package config

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
)

// Formats other than Hugging Face's config.json. A format is a table of names like a family's, formats.tsv: what its
// files call a role, and what holds if they don't say. What follows from an architecture, the family says; only GGUF
// names one. The few fields that are no role but say one by a rule are turned into roles here.

//go:embed formats.tsv
var formatTable string // as families.tsv; all and any are names that its files have

// is tells whether the file is of a format.
func (r *reading) is(id string) bool { return r.format != nil && r.format.id == id }

// recognize finds the format of the file, if its architecture is not one that names its fields itself.
func (r *reading) recognize() {
	for _, v := range []*value{r.inner, r.outer} {
		if r.tables.familyOf(wordOf(v.field("model_type")), r.architecture(v)) != nil ||
			v.field("num_hidden_layers") != nil {
			return
		}
	}
	r.hybrid()
	if r.inner.field("num-layers") != nil { // GPT-NeoX takes names with either
		for i, n := range r.inner.names {
			r.inner.names[i].text = strings.ReplaceAll(n.text, "-", "_")
		}
	}
	for _, f := range r.tables.formats {
		if f.marks(r.inner) || f.marks(r.outer) {
			r.format = f
			r.conclude()
			return
		}
	}
}

// hybrid takes Megatron-LM's letters of blocks for those of Nemotron-H, which are the same. A | parts stages of a
// pipeline; behind a / are blocks that predict further tokens.
func (r *reading) hybrid() {
	for _, n := range []string{"hybrid_layer_pattern", "hybrid_override_pattern"} {
		v := r.inner.field(n)
		if wordOf(v) == "" {
			continue
		}
		letters, _, _ := strings.Cut(strings.ReplaceAll(v.text, "|", ""), "/")
		r.inner.add("hybrid_override_pattern", &value{kind: text, at: v.at, text: letters})
		if r.inner.field("num_layers") == nil {
			r.inner.add("num_layers", whole(len(letters), v.at))
		}
		r.used[r.prefix+n] = true
		r.family = r.tables.familyOf("nemotron_h", "")
		return
	}
}

// conclude adds fields that others say by rules of a format's own.
func (r *reading) conclude() {
	in := r.inner
	backbone := strings.TrimSuffix(wordOf(r.outer.field("class_name")), "Backbone")
	class := first(wordOf(in.field("config_class")), backbone)
	for _, name := range []string{class, strings.TrimRight(class, "0123456789")} {
		if family := r.tables.familyOf("", name+"For"); family != nil && !r.byName {
			r.family, r.byName = family, true
		}
	}
	for _, kind := range [...]struct{ format, field string }{{"llamacpp", "arch"}, {"levanter", "type"}} {
		if r.is(kind.format) {
			r.family = r.tables.familyOf(wordOf(in.field(kind.field)), "")
			r.used[r.prefix+kind.field] = true
		}
	}
	switch {
	case r.is("maxtext"):
		r.maxtext()
	case r.is("llamacpp"):
		in.latent("n_embd_head_k", "n_embd_head_v", "n_embd_head_nope", within(in, "n_rot"))
	case r.is("torchtune"):
		r.built()
	case r.is("keras") && class == "Gemma":
		r.derived("halved", &value{kind: boolean, at: in.at, text: "true"})
	case r.is("gemma"):
		r.moreNorms("use_post_attn_norm", "use_post_ffw_norm")
	case r.is("megatron"):
		const gpt = "GPT2BPETokenizer"
		kind := wordOf(in.field("tokenizer_type"))
		if !r.has(r.namesOf("vocab")) && (kind == gpt || kind == "" && in.field("merge_file") != nil) {
			r.derived("vocab_size", whole(50257, in.at))
			note(&r.Missing, r.prefix+"padded_vocab_size", phrase.New("config.assumed-format", "what",
				r.tables.role("vocab").say("50257"), "format", gpt))
		}
		r.moreNorms("post_self_attn_layernorm", "post_mlp_layernorm")
	case r.is("litgpt"):
		r.litgpt()
	}
}

// maxtext is for MaxText: its blocks, its MLP, and its encoder of pictures, whose fields end in _for_vit.
func (r *reading) maxtext() {
	in := r.inner
	r.family = r.tables.familyOf(wordOf(in.field("decoder_block")), "")
	if v := in.field("mlp_activations"); v != nil && v.kind == list {
		r.derived("mlp_gated", &value{kind: boolean, at: v.at, text: truth(len(v.items) > 1)}, "mlp_activations")
	}
	v := in.field("base_num_decoder_layers")
	if v != nil && wordOf(in.field("decoder_block")) == "gemma2" && v.number() < 5000 {
		v.text = strconv.Itoa(2 * int(v.number())) // each of its blocks is two layers
	}
	for i, n := range in.names {
		if name, ok := strings.CutSuffix(n.text, "_for_vit"); ok {
			seen := in.inside("vision_config", n.at)
			seen.add(name, in.items[i])
			seen.add("model_type", &value{kind: text, at: n.at, text: wordOf(in.field("vision_encoder_block"))})
			r.used[r.prefix+n.text], r.used[r.prefix+"vision_encoder_block"] = true, true
		}
	}
	for _, n := range []string{"base_moe_mlp_dim", "num_experts"} { // what stands for nothing there
		if v := in.field(n); v != nil && v.kind == number && v.number() < 0 {
			v.kind = null
		}
	}
}

// litgpt counts the norms of a layer of LitGPT, which two blocks may share.
func (r *reading) litgpt() {
	in := r.inner
	norms := 0
	parts := []string{"norm_1", "norm_2", "post_attention_norm", "post_mlp_norm"}
	for i, n := range parts {
		if v := in.field(n); on(v) || v == nil && i < 2 {
			norms++
		}
	}
	if norms != 2 {
		r.derived("norms", whole(norms, 0), parts...)
	}
	if v := in.field("shared_attention_norm"); on(v) {
		r.derived("parallel_norms", whole(1, v.at), "shared_attention_norm")
	}
}

// moreNorms counts norms of a layer beyond two, by fields that say that there are such.
func (r *reading) moreNorms(names ...string) {
	norms := 2
	for _, n := range names {
		if on(r.inner.field(n)) {
			norms++
			r.derived("norms", whole(norms, 0), n)
		}
	}
}

// derived adds a field that others say.
func (r *reading) derived(name string, v *value, from ...string) {
	r.inner.add(name, v)
	for _, n := range append(from, name) {
		r.used[r.prefix+n] = true
	}
}

// built takes over what the builder of torchtune that has the sizes for arguments decides beside them. That of Llama
// 3.2 ties the embeddings always.
func (r *reading) built() {
	before, _, _ := strings.Cut(r.src, "vocab_size")
	before = before[:max(0, strings.LastIndexByte(before, '('))]
	name := strings.TrimPrefix(before[strings.LastIndexAny(before, " .=\n")+1:], "lora_")
	switch r.family = r.tables.familyOf("llama", ""); name {
	case "llama3_2":
		r.derived("tie_word_embeddings", &value{kind: boolean, at: r.inner.at, text: "true"})
	case "gemma", "gemma2", "qwen2", "qwen3":
		r.family = r.tables.familyOf(name, "")
	}
	for _, n := range []string{"k_norm", "k_proj_bias", "v_proj_bias"} { // as those of queries
		r.used[r.prefix+n] = true
	}
}

// marks tells whether an object has the names that files of a format have: all of some, and one of others.
func (f *family) marks(v *value) bool {
	some := true
	for _, s := range f.settings {
		switch s.role {
		case "all":
			for n := range strings.FieldsSeq(s.value) {
				if v.field(n) == nil {
					return false
				}
			}
		case "any":
			some = false
			for n := range strings.FieldsSeq(s.value) {
				some = some || v.field(n) != nil
			}
		}
	}
	return some
}

func whole(n, at int) *value { return &value{kind: number, at: at, text: strconv.Itoa(n)} }

func truth(on bool) string {
	if on {
		return "true"
	}
	return "false"
}

// What the arguments of Megatron-LM and of NeMo say by rules of their own.

// vocabulary is the rows of the embedding. Megatron-LM makes them a multiple, if the file doesn't give them so.
func (r *reading) vocabulary() int {
	if r.rows > 0 {
		r.used[r.prefix+"make_vocab_size_divisible_by"] = true
		return r.rows
	}
	before, missing := r.err, r.lacks
	n, f := r.count("vocab"), r.find("vocab")
	if v := f.field; r.err != before && v.number() <= 0 {
		r.err.What = phrase.New("config.no-vocab", "fault", r.err.What)
	}
	for _, e := range []*Error{r.err, r.lacks} {
		if e != nil && e != before && e != missing {
			e.uncached = true
		}
	}
	if !r.is("megatron") {
		return n
	}
	if f.field == nil || strings.HasSuffix(f.path, "padded_vocab_size") || strings.HasSuffix(f.path,
		"override_vocab_size") {
		r.used[r.prefix+"make_vocab_size_divisible_by"] = true // nothing is rounded up
		return n
	}
	step := 1
	for _, name := range []string{"make_vocab_size_divisible_by", "tensor_model_parallel_size"} {
		v := r.inner.field(name)
		if v == nil && name[0] == 'm' {
			step = 128
		}
		if x := v.number(); x >= 1 && x <= 1<<20 && step < 1<<20 {
			step *= int(x)
			r.used[r.prefix+name] = true
			r.understood(r.prefix+name, phrase.New("config.multiple", "role", f.label))
		}
	}
	if rows := (n + step - 1) / step * step; rows != n && rows <= int(f.most) {
		note(&r.Missing, r.prefix+"padded_vocab_size", phrase.New("config.rounded", "role", f.label,
			"n", rows, "step", step))
		return rows
	}
	return n
}

// positions are the learned positions. Of Megatron-LM's arguments one says which kind there is; where none does, they
// are learned in models of its older kind, with layer norms.
func (r *reading) positions() int {
	if r.format != nil && !r.is("megatron") && !r.is("nanogpt") && !r.is("fairseq") && !r.is("foundry") {
		if s, has := r.family.setting("positions"); !has || s.fixed {
			return 0
		}
	}
	if r.is("foundry") && (on(within(r.inner, "attn_config.alibi")) || on(within(r.inner, "attn_config.rope"))) {
		r.leave("positions", phrase.New("config.no-positions"))
		return 0
	}
	if !r.is("megatron") {
		return r.count("positions")
	}
	kind := r.inner.field("position_embedding_type")
	if kind == nil {
		kind = r.inner.field("pos_emb") // of GPT-NeoX
	}
	rotary := r.inner.field("use_rotary_position_embeddings")
	learned := strings.HasPrefix(wordOf(kind), "learned")
	if kind == nil || kind.kind == null {
		learned = (rotary == nil || rotary.text != "true") && r.norm() == "layer"
	}
	if learned {
		return r.count("positions")
	}
	r.leave("", phrase.New("config.no-positions"), "max_position_embeddings")
	return 0
}

// qkvBias tells whether queries, keys and values have biases.
func (r *reading) qkvBias() bool {
	has, alone := r.flag("qkv_bias"), r.flag("more_qkv_bias")
	return has || alone
}

// rank is the rank of keys and values, unless latent attention is off.
func (r *reading) rank() int {
	if r.flag("use_latent") {
		return r.count("kv_rank")
	}
	not := phrase.New("config.off-by", "field", "multi_latent_attention")
	for _, role := range []string{"kv_rank", "q_rank", "nope", "rope", "latent_value"} {
		s, _ := r.format.setting(role)
		r.leave("", not, s.names...)
	}
	return 0
}

// oneHead tells whether all queries share one head of keys and values. Heads that the file gives are not overruled.
func (r *reading) oneHead() bool {
	if !r.flag("multi_query") || r.flag("new_decoder") {
		return false
	}
	s, own := r.family.setting("multi_query")
	return own && s.names != nil && r.format == nil || !r.has(r.namesOf("kv_heads"))
}

// namesOf are the names that a role has in this file.
func (r *reading) namesOf(role string) []string {
	names := r.tables.role(role).names
	if s, has := r.family.setting(role); has && s.names != nil {
		names = s.names
	}
	if s, has := r.format.setting(role); has && s.names != nil {
		names = append(append([]string(nil), s.names...), names...)
	}
	return names
}

// width is the width of the MLP, as far as the file gives it.
func (r *reading) width() int {
	f := r.find("ff")
	if v := f.field; v != nil && v.kind == text && strings.HasPrefix(v.text, "${multiply:4") {
		r.understood(f.path, phrase.New("config.set", "role", f.label, "value", quote(v.text)))
		return 4 * r.Model.Width
	}
	return r.each("ff", ownWidth)
}

// ratio is the width of the MLP where the file gives none: of Megatron-LM's two thirds of it, rounded down, with a
// gate.
func (r *reading) ratio() int {
	m := &r.Model
	n := r.count("ff_ratio") * m.Width
	what := func() *phrase.Phrase {
		return phrase.New("config.set", "role", r.tables.role("ff").label, "value", strconv.Itoa(n))
	}
	if !r.is("megatron") {
		said := func(name string) bool { return within(r.inner, field0(name)) != nil }
		if names := r.namesOf("ff"); n > 0 && !slices.ContainsFunc(slices.Concat(names, r.namesOf("ff_ratio")), said) {
			note(&r.Missing, r.prefix+field0(names[0]), phrase.New("config.assumed", "what", what()))
		}
		return n
	}
	if step := r.count("ff_multiple"); !m.Plain && step > 0 { // of GPT-NeoX
		n = (n*2/3 + step - 1) / step * step
	} else if !m.Plain {
		n = n * 2 / 3 / 64 * 64
	}
	note(&r.Missing, r.prefix+"ffn_hidden_size", phrase.New("config.assumed-format", "what", what(), "format",
		r.format.title))
	return n
}

// pieces reads which layers have experts from an expression: "([0]*3+[1]*58)".
func (r *reading) pieces(v *value, n int) (string, bool) {
	text := v.text
	for _, sign := range []string{" ", "(", ")"} {
		text = strings.ReplaceAll(text, sign, "")
	}
	var b strings.Builder
	for term := range strings.SplitSeq(text, "+") {
		list, times, has := strings.Cut(term, "]*")
		k := 1
		if has {
			k, _ = strconv.Atoi(times)
		}
		signs := strings.ReplaceAll(strings.Trim(list, "[]"), ",", "")
		if signs == "" || strings.Trim(signs, "01") != "" || k < 1 || k*len(signs) > n {
			return "", false
		}
		b.WriteString(strings.Repeat(signs, k))
		if b.Len() > n {
			return "", false
		}
	}
	return b.String(), b.Len() == n
}
