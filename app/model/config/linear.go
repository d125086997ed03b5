package config

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/phrase"
)

// linearKinds are the kinds of linear layers by the word of the tables, each with a field that only its files have.
var linearKinds = [...]struct {
	word, field string
	kind        model.LinearKind
}{
	{"delta", "linear_num_value_heads", model.GatedDelta},
	{"kimi", "linear_attn_config", model.KimiDelta},
	{"mamba2", "mamba_num_heads", model.Mamba2},
	{"mamba2", "mamba_n_heads", model.Mamba2},
	{"mamba", "mamba_dt_rank", model.Mamba1},
	{"convolution", "conv_L_cache", model.ShortConv},
	{"lightning", "attn_type_list", model.Lightning},
	{"lightning", "linear_attn_alpha_factor", model.Lightning},
}

// linearName says what the layers of a word of the tables are.
func linearName(word string) *phrase.Phrase {
	for _, k := range linearKinds {
		if k.word == word {
			return phrase.New("config.layers-of", "kind", k.kind.Name())
		}
	}
	return nil
}

// linearKind is what the file, or its architecture, has in place of attention.
func (r *reading) linearKind() model.LinearKind {
	word := r.constant("linear")
	for _, k := range linearKinds {
		if f := r.inner.field(k.field); k.word == word || word == "none" && f != nil && !f.off() {
			return k.kind
		}
	}
	return model.NoLinear
}

// linear reads layers that keep a state in place of keys and values.
func (r *reading) linear() {
	m := &r.Model
	kind := r.linearKind()
	if r.failed() {
		return
	}
	if kind == model.NoLinear {
		r.strangeState()
		return
	}
	has := r.linearLayers()
	if !strings.Contains(has, "1") {
		return // all of them have attention
	}
	l := model.Linear{Kind: kind, Layers: pattern(has)}
	if kind == model.Lightning {
		l.Heads, l.KeyHeads = m.Heads, m.Heads
		l.KeySize = m.Layer(0).HeadSize
		l.ValueSize = l.KeySize
		m.Linear = l
		return
	}
	l.Conv = r.count("linear_conv")
	l.ConvBias = kind != model.ShortConv && r.flag("linear_conv_bias")
	l.Bias = kind != model.GatedDelta && kind != model.KimiDelta && r.flag("linear_bias")
	l.Beside, l.NoNorm = r.flag("linear_beside"), kind == model.Mamba2 && !r.flag("linear_norm")
	r.linearHeads(&l)
	if !r.failed() {
		m.Linear = l
	}
}

// strangeState refuses layers with a state of which nobody here knows the matrices.
func (r *reading) strangeState() {
	for _, n := range []string{"mamba_d_state", "ssm_state_size", "mamba_expand", "conv_kernel_size"} {
		if v := r.inner.field(n); v != nil && !v.off() {
			r.fail(v, phrase.New("config.no-state", "field", n), phrase.New("config.plain-transformer"))
		}
	}
}

// linearHeads reads the heads of linear layers.
func (r *reading) linearHeads(l *model.Linear) {
	if l.Kind == model.ShortConv {
		return
	}
	D := r.Model.Width
	l.KeySize = r.count("linear_key_size")
	if l.Kind == model.Mamba1 {
		l.Heads, l.KeyHeads, l.ValueSize, l.Rank = r.count("linear_expand")*D, 1, 1, r.count("linear_rank")
		return
	}
	if f := r.find("linear_heads"); f.field == nil && r.is("megatron") { // as many as fit twice the width
		l.Heads = 2 * D / max(1, r.count("linear_value_size"))
		f.assumed, f.format = strconv.Itoa(l.Heads), true
		r.assume(f)
	} else {
		l.Heads = r.count("linear_heads")
	}
	l.KeyHeads, l.ValueSize = l.Heads, l.KeySize
	switch l.Kind {
	case model.KimiDelta:
		l.FullGate = r.flag("linear_full_gate")
		return
	case model.Mamba2:
		l.ValueSize = r.mambaHead(D, l.Heads)
		r.leave("linear_expand", phrase.New("config.heads-say"))
	default:
		l.ValueSize = r.count("linear_value_size")
	}
	l.KeyHeads = r.count("linear_key_heads")
}

// mambaHead is the size of a head in Mamba 2: as the file or the family has it, or what the heads share of the width.
func (r *reading) mambaHead(width, heads int) int {
	f := r.find("linear_value_size")
	if f.family || f.field != nil && f.field.kind == number {
		return r.count("linear_value_size")
	}
	r.leave("linear_value_size", phrase.New("config.left-for-head"))
	n := r.count("linear_expand") * width / max(1, heads)
	if inner := r.count("linear_inner"); inner > 0 {
		n = inner / max(1, heads)
	}
	if f.field == nil && f.path != "" {
		note(&r.Missing, f.path, phrase.New("config.assumed", "what", f.say(strconv.Itoa(n))))
	}
	return n
}

// linearLayers says of each layer whether it is linear. A list in the file comes before a period.
func (r *reading) linearLayers() string {
	n := r.Model.Layers
	if r.blocks != "" {
		return layers(n, func(i int) bool { return r.blocks[i] == 'M' })
	}
	if v := within(r.inner, "layer_types"); v != nil && v.kind == list && len(v.items) >= n {
		listed := phrase.New("config.kinds-listed")
		r.leave("attention_every", listed)
		r.leave("attention_offset", listed)
		return layers(n, func(i int) bool { return isLinear(v.items[i].text) })
	}
	r.leave("", phrase.New("config.linear-listed"), "linear_attn_config.full_attn_layers")
	for _, role := range []string{"linear_list", "attention_list", "attention_flags"} {
		if has := r.linearList(role, n); has != "" {
			return has
		}
	}
	if every := r.count("attention_every"); every > 0 {
		offset := every - 1
		_, own := r.family.setting("attention_offset")
		if f := r.find("attention_offset"); f.field != nil || own {
			offset = r.count("attention_offset")
		}
		first := r.count("attention_first")
		return layers(n, func(i int) bool { return i%every != offset || i < first })
	}
	return layers(n, func(int) bool { return true })
}

// linearList reads a list of linear layers or of those with attention; empty if there is none. Kimi counts from 1.
func (r *reading) linearList(role string, n int) string {
	all := -1
	if role == "attention_flags" {
		all = n
	}
	v := r.list(role, all)
	if v == nil || r.failed() {
		return ""
	}
	switch role {
	case "attention_flags":
		full := r.signs(v, n)
		return layers(n, func(i int) bool { return full[i] == '0' })
	case "attention_list":
		in := r.indices(v)
		return layers(n, func(i int) bool { return !in[i] })
	}
	in := make([]bool, n+1)
	for _, item := range v.items {
		if x, ok := r.whole(item, phrase.New("config.layer-number"), 1, float64(n)); ok {
			in[x] = true
		}
	}
	return layers(n, func(i int) bool { return in[i+1] })
}

// isLinear tells whether a kind of layer, as files name it, keeps a state.
func isLinear(kind string) bool {
	switch kind {
	case "linear_attention", "mamba", "mamba2", "conv", "short_conv", "kda", "gated_deltanet", "recurrent", "lightning":
		return true
	}
	return false
}

// apart reads layers that are one block each: a text with a letter for each, or a list. The layers are as many as it
// has.
func (r *reading) apart() {
	f := r.find("block_letters")
	v := f.field
	if v == nil || r.failed() {
		return
	}
	switch {
	case v.kind == text:
		r.blocks = v.text
	case v.kind == list:
		var b strings.Builder
		for _, item := range v.items {
			b.WriteByte(blockLetter(item.text))
		}
		r.blocks = b.String()
	}
	if i := strings.IndexFunc(r.blocks, func(c rune) bool { return !strings.ContainsRune("ME*-", c) }); i >= 0 ||
		r.blocks == "" {
		r.fail(v, phrase.New("config.odd-block", "field", clean(f.path), "value", v.shown()),
			phrase.New("config.write-blocks"))
		return
	}
	r.understood(f.path, phrase.New("config.single-blocks", "layers", layersText(len(r.blocks))))
}

// blockLetter is the letter of a kind of block that a list names; '?' for one that isn't known.
func blockLetter(kind string) byte {
	switch kind {
	case "mamba", "mamba2", "linear_attention":
		return 'M'
	case "attention", "full_attention":
		return '*'
	case "moe":
		return 'E'
	case "mlp":
		return '-'
	}
	return '?'
}

// blockLayers fills in what the letters of the blocks say.
func (r *reading) blockLayers() {
	if n := len(r.blocks); r.blocks == "" || n != r.Model.Layers {
		if n > 0 && !r.failed() {
			r.failAt("block_letters", phrase.New("config.blocks-for", "blocks", phrase.Count(n, "config.blocks"),
				"layers", layersText(r.Model.Layers)), phrase.New("config.each-layer"))
		}
		r.blocks = ""
		return
	}
	is := func(letters string) model.Pattern {
		return pattern(layers(len(r.blocks), func(i int) bool { return strings.IndexByte(letters, r.blocks[i]) >= 0 }))
	}
	r.Model.Blocks = model.Blocks{Apart: true, Mixers: is("M*"), MLP: is("E-")}
}

// sparse is the tokens of an entry in layers with an index: the publisher's code has one where the ratio is this.
const sparse = 4

// compress reads what stands for several tokens in the cache of DeepSeek-V4, layer by layer. Entries of the list behind
// the last layer are of layers that predict further tokens.
func (r *reading) compress() {
	m := &r.Model
	c := model.Compress{Groups: r.count("out_groups"), OutRank: r.count("out_rank")}
	if c.OutRank == 0 || r.failed() {
		return
	}
	if r.flag("shared_entries") {
		r.shared(&c)
	} else if v := r.list("compress", m.Layers); v != nil {
		r.ratios(&c, v)
	} else if v := r.list("compress_types", m.Layers); v != nil {
		r.compressed(&c, v)
	} else if !r.failed() {
		r.lack(r.inner, phrase.New("config.no-ratios"), phrase.New("config.add-ratios"))
	}
	m.Compress, m.KeysValue = c, true
}

// compressed reads the kinds of the layers' attention, as transformers writes them.
func (r *reading) compressed(c *model.Compress, v *value) {
	n := r.Model.Layers
	c.Sparse, c.Dense = r.count("compress_sparse"), r.count("compress_dense")
	for _, item := range v.items[:n] {
		switch item.text {
		case "sliding_attention", sparseKind, denseKind:
		default:
			r.fail(item, phrase.New("config.layer-kind", "value", item.shown()),
				phrase.New("config.write-kind", "kind", sparseKind))
		}
	}
	r.entries(c, func(i int) bool { return v.items[i].text == sparseKind },
		func(i int) bool { return v.items[i].text == denseKind })
}

// The kinds of layers that compress, in layer_types.
const (
	sparseKind = "compressed_sparse_attention"
	denseKind  = "heavily_compressed_attention"
)

// entries says which layers have entries of which kind, and forgets the kinds that none has.
func (r *reading) entries(c *model.Compress, isSparse, isDense func(i int) bool) {
	n := r.Model.Layers
	if has := layers(n, isDense); strings.Contains(has, "1") {
		c.Layers = pattern(has)
	} else {
		c.Dense = 0
	}
	if has := layers(n, isSparse); strings.Contains(has, "1") {
		r.index()
		r.Model.Index.Layers = pattern(has)
	} else {
		c.Sparse = 0
	}
}

// hashed is the kind of a layer in which a table of tokens chooses experts.
const hashed = "hash_moe"

// hashed reads in how many of the first layers a table of tokens chooses experts.
func (r *reading) hashed() int {
	v := r.list("mlp_types", r.Model.Layers)
	if v == nil {
		return r.count("hashed")
	}
	n := 0
	for i, item := range v.items[:r.Model.Layers] {
		if item.text != hashed {
			continue
		}
		if i > n {
			r.fail(item, phrase.New("config.layer-kind", "value", item.shown()), phrase.New("config.hash-first"))
		}
		n = i + 1
	}
	return n
}

// ratios reads how many tokens share an entry in each layer: none, four, or one larger number.
func (r *reading) ratios(c *model.Compress, v *value) {
	m := &r.Model
	of := make([]int, m.Layers)
	for i := range of {
		of[i], _ = r.whole(v.items[i], phrase.New("config.ratio"), 0, model.MaxSize)
		switch x := of[i]; {
		case x == sparse:
			c.Sparse = sparse
		case x > 1 && (c.Dense == 0 || c.Dense == x):
			c.Dense = x
		case x > 1:
			r.fail(v.items[i], phrase.New("config.third-ratio", "n", x, "other", c.Dense),
				phrase.New("config.two-ratios"))
		}
	}
	r.entries(c, func(i int) bool { return of[i] == sparse }, func(i int) bool { return of[i] > 1 && of[i] != sparse })
}
