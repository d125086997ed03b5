package config

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/phrase"
)

// readPrint reads a model from the print of its modules, which begins at a byte.
func readPrint(src string, begin int) (Import, error) {
	p := &printReader{src: src, pos: begin}
	root := p.module(0)
	if p.err != nil {
		return Import{}, p.err
	}
	return modelOf(src, root, false)
}

// modelOf makes a model of a tree of modules, which a text prints, or whose tensors it lists.
func modelOf(src string, root *module, listed bool) (Import, error) {
	r := &reading{src: src, tables: known(), used: map[string]bool{}, seeing: map[string]int{}}
	b := &printBuilder{reading: r, root: root, listed: listed}
	b.architecture(root)
	b.stack(root, nil)
	if why := b.lacking(); why != "" {
		return Import{}, b.refused(root, phrase.New(why))
	}
	b.build()
	if r.err == nil {
		r.err = b.fault()
	}
	if r.err != nil {
		return Import{}, r.err
	}
	return r.Import, nil
}

// printBuilder makes a model of a print.
type printBuilder struct {
	*reading
	root, list, holder *module // the layers, and the module that has them
	head               *module // that makes logits
	listed             bool    // by tensors, which say whether there is an unembedding
	failed             *Error
}

// lacking says what a tree lacks to be a model.
func (b *printBuilder) lacking() string {
	var adapters float64
	var none []string
	if b.root.total(&adapters, &none) == 0 && adapters > 0 {
		return "config.tensors-adapter"
	}
	if b.holder == nil {
		return "config.print-no-layers"
	}
	for i, k := range b.list.kids {
		if b.listed && k.name != strconv.Itoa(i) {
			return "config.tensors-part"
		}
	}
	last := b.holder.kid("norm", "final_layernorm", "ln_f", "final_layer_norm", "embedding_norm", "norm_f")
	if b.listed && last == nil {
		return "config.tensors-part"
	}
	return ""
}

// architecture finds the class of the model, through what wraps it, and the family that has such classes.
func (b *printBuilder) architecture(m *module) {
	r := b.reading
	if b.Architecture == "" || strings.Contains(m.class, "For") && !strings.HasPrefix(m.class, "Peft") &&
		r.family == nil {
		b.Architecture = clean(m.class)
	}
	if r.family == nil {
		r.family = r.tables.familyOf("", m.class)
		if name, ok := strings.CutSuffix(m.class, "Model"); ok && r.family == nil && name != "" {
			r.family = r.tables.familyOf("", name+"ForCausalLM")
		}
	}
	for _, k := range m.kids {
		if k.name == "lm_head" || k.name == "embed_out" || k.name == "output_layer" || k.name == "lm_head_" ||
			k.name == "output" && m.kid("layers") != nil { // Meta's, and torchtune's
			b.head = k
		}
		if k.times == 1 && !sees(k.name) {
			b.architecture(k)
		}
	}
}

// sees tells whether a module of this name is of images or sound.
func sees(name string) bool {
	for _, part := range []string{"visi", "visual", "image", "audio", "sound", "speech", "multi_modal", "mm_",
		"aligner",
		"connector"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

// stack finds the list of layers that attend, the largest if there are several.
func (b *printBuilder) stack(m, holder *module) {
	var unused float64
	var none []string
	for _, k := range m.kids {
		if attentionOf(k) != nil && b.list != m &&
			(b.list == nil || m.total(&unused, &none) > b.list.total(&unused, &none)) {
			b.list, b.holder = m, holder
		}
		if !sees(k.name) {
			b.stack(k, m)
		}
	}
}

// attentionOf is the attention of a layer; nil if it is none.
func attentionOf(m *module) *module {
	return m.kid("self_attn", "attn", "attention", "self_attention", "linear_attn", "mixer", "mamba", "conv")
}

// refused says how many parameters a print has that this reader makes no model of.
func (b *printBuilder) refused(at *module, why *phrase.Phrase) *Error {
	var adapters float64
	var unstated []string
	n := b.root.total(&adapters, &unstated) + adapters
	what := phrase.New("config.print-counted", "n", plainNumber(n), "why", why)
	if len(unstated) > 0 {
		what = phrase.New("config.print-counted-without", "n", plainNumber(n), "classes", classNames(unstated), "why",
			why)
	}
	return b.fault0(at, what, phrase.New("config.need-config"))
}

func (b *printBuilder) fault0(at *module, what, remedy *phrase.Phrase) *Error {
	return &Error{Pos: position(b.src, at.at), What: what, Remedy: remedy}
}

// classNames names classes, each once, as many as fit a line.
func classNames(classes []string) string {
	var all []string
	seen := map[string]bool{}
	for _, c := range classes {
		if !seen[c] && len(all) < 8 {
			seen[c] = true
			all = append(all, clean(c))
		}
	}
	return strings.Join(all, ", ")
}

// refuse keeps the first reason why there is no model.
func (b *printBuilder) refuse(at *module, key string) {
	if b.failed == nil {
		b.failed = b.refused(at, phrase.New(key, "class", clean(at.class)))
	}
}

func (b *printBuilder) fault() *Error {
	if b.failed != nil {
		return b.failed
	}
	if err, ok := b.Model.Validate().(*model.Error); ok {
		return b.refused(b.list, err.Subject())
	}
	b.compare()
	return nil
}

func (b *printBuilder) build() {
	if b.reading.family == nil {
		b.reading.family = b.tables.unknown
		if b.listed {
			b.Architecture = ""
			note(&b.Missing, "sliding_window", phrase.New("config.print-windows"))
		} else {
			note(&b.Doubts, "", b.stranger())
		}
	}
	b.Family = b.reading.family.title
	m := &b.Model
	m.Name = b.Architecture
	embed := b.holder.kid("embed_tokens", "wte", "word_embeddings", "embed_in", "embedding", "tok_embeddings",
		"embeddings")
	if embed != nil && len(embed.kids) > 0 {
		embed = embed.kids[0]
	}
	var size []float64
	if embed != nil {
		size = numbers(embed.args)
	}
	if len(size) < 2 {
		b.refuse(b.holder, "config.print-no-embedding")
		return
	}
	m.Vocab, m.Width = int(size[0]), int(size[1])
	if p := b.holder.kid("wpe", "embed_positions", "position_embeddings"); p != nil {
		if n := numbers(p.args); len(n) > 1 && int(n[1]) == m.Width {
			m.Positions = int(n[0])
		}
	}
	m.EmbedNorm = b.holder.kid("word_embeddings_layernorm") != nil
	tied, has := b.reading.family.setting("tied")
	m.Tied = has && tied.value == "on" || b.head == nil
	if s, has := b.reading.family.setting("parallel"); has && s.value == "on" {
		m.Parallel = true
	}
	said := "config.print-untied"
	if m.Tied {
		said = "config.print-tied"
	}
	if !b.listed {
		note(&b.Missing, "lm_head", phrase.New(said))
	}
	if _, _, bias, is := b.head.linear(); is && bias {
		m.Bias.Unembed = true
	}
	b.layers()
	if s, has := b.reading.family.setting("window"); has && s.value != "0" {
		note(&b.Missing, "sliding_window", phrase.New("config.print-windows"))
	}
	if b.listed {
		return
	}
	note(&b.Understood, "", phrase.New("config.print-read", "class", b.Architecture, "layers", layersText(m.Layers)))
}

// printLayer is what the print of a layer shows.
type printLayer struct {
	attention attentionShape
	ff        int
	plain     bool
	moe       model.MoE
	norms     int
	mlpBias   bool
}

type attentionShape struct {
	q, k, v, o     int // widths of the projections
	size           int // of a head, 0 if it isn't shown
	mla            model.MLA
	heads          int
	qk             model.QKNorm
	qBias, outBias bool
	sinks          bool
}

// layers reads the layers one by one: their attention must be alike.
func (b *printBuilder) layers() {
	m := &b.Model
	var first printLayer
	experts := make([]byte, 0, 64)
	for i, k := range b.list.kids {
		l := b.layer(k)
		if b.failed != nil {
			return
		}
		if i == 0 {
			first = l
		}
		if l.attention != first.attention || l.norms != first.norms || l.plain != first.plain {
			b.refuse(k, "config.print-mixed")
			return
		}
		if l.ff != 0 && m.FFWidth != 0 && l.ff != m.FFWidth || l.moe.Experts != 0 && m.MoE.Experts != 0 &&
			l.moe != m.MoE {
			b.refuse(k, "config.print-mixed")
			return
		}
		if l.moe.Experts != 0 {
			m.MoE = l.moe
		}
		m.FFWidth = max(m.FFWidth, l.ff)
		m.Bias.MLP = m.Bias.MLP || l.mlpBias
		if len(experts)+k.times > model.MaxLayers {
			b.refuse(k, "config.print-mixed")
			return
		}
		experts = append(experts, strings.Repeat(string("01"[min(1, l.moe.Experts)]), k.times)...)
	}
	m.Layers, m.Plain = len(experts), first.plain
	if m.MoE.Experts != 0 {
		m.MoE.Layers = pattern(string(experts))
	}
	b.heads(&first.attention)
	m.Norms = first.norms
	if n := len(b.list.kids); n > 0 {
		b.normKind(b.list.kids[0])
	}
}

// normKind is that of a layer's norms.
func (b *printBuilder) normKind(layer *module) {
	for _, k := range layer.kids {
		if !strings.Contains(k.class, "Norm") {
			continue
		}
		switch n, stated := k.own(); {
		case stated && n == float64(2*b.Model.Width):
			b.Model.Norm = model.LayerNorm
		case stated && n == 0:
			b.Model.Norm = model.BareNorm
		case strings.Contains(k.class, "LayerNorm") && !strings.Contains(k.class, "RMS"):
			b.Model.Norm = model.ScaleLayerNorm
		}
		return
	}
}

// heads says how many heads the projections are of.
func (b *printBuilder) heads(a *attentionShape) {
	m := &b.Model
	m.Bias.QKV, m.Bias.Output, m.QKNorm, m.Sinks = a.qBias, a.outBias, a.qk, a.sinks
	if a.mla.KVRank != 0 {
		m.MLA, m.Heads = a.mla, a.heads
		return
	}
	size := a.size
	if a.q < 1 || a.k < 1 || a.v < 1 || size > 0 && (a.q%size != 0 || a.k%size != 0) || size > a.k {
		b.refuse(b.list, "config.print-no-attention")
		return
	}
	if size == 0 {
		for _, s := range []int{b.usualHead(), 128, 64, 96, 80, 256, 32, 16, 8, 1} {
			if s > 0 && a.q%s == 0 && a.k%s == 0 && a.q/s%max(1, a.k/s) == 0 {
				size = s
				break
			}
		}
		note(&b.Missing, "head_dim", phrase.New("config.print-heads", "n", size))
	}
	if size == 0 {
		b.refuse(b.list, "config.print-no-attention")
		return
	}
	m.Heads, m.KVHeads, m.HeadSize = a.q/size, a.k/size, size
	if a.v != a.k {
		m.ValueSize = a.v / max(1, m.KVHeads)
	}
}

// usualHead is the size of a head that the class has by default; 0 if it has none.
func (b *printBuilder) usualHead() int {
	f := b.reading.family
	if s, has := f.setting("head_size"); has {
		n, _ := strconv.Atoi(s.value)
		return n
	}
	heads, has := f.setting("heads")
	width, also := f.setting("width")
	n, _ := strconv.Atoi(heads.value)
	w, _ := strconv.Atoi(width.value)
	if has && also && n > 0 {
		return w / n
	}
	return 0
}
