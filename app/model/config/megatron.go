package config

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
)

// What the arguments of Megatron-LM and of NeMo say by rules of their own.

// vocabulary is the rows of the embedding. Megatron-LM makes them a multiple, if the file doesn't give them so.
func (r *reading) vocabulary() int {
	if r.rows > 0 {
		return r.rows
	}
	before, missing := r.err, r.lacks
	n, f := r.count("vocab"), r.find("vocab")
	if v := f.field; r.err != before && v.number() <= 0 {
		r.err.What = phrase.New("config.no-vocab", "fault", r.err.What)
	}
	for _, e := range []*Error{r.err, r.lacks} {
		if e != nil && e != before && e != missing {
			e.vocab = true
		}
	}
	if !r.is("megatron") || f.field == nil || strings.HasSuffix(f.path, "padded_vocab_size") {
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
		note(&r.Missing, r.prefix+"padded_vocab_size", phrase.New("config.rounded", "role", f.label, "n", rows, "step", step))
		return rows
	}
	return n
}

// positions are the learned positions. Of Megatron-LM's arguments one says which kind there is; where none does, they
// are learned in models of its older kind, with layer norms.
func (r *reading) positions() int {
	if r.format != nil && !r.is("megatron") {
		if s, has := r.family.setting("positions"); !has || s.fixed {
			return 0
		}
	}
	if !r.is("megatron") {
		return r.count("positions")
	}
	kind := r.inner.field("position_embedding_type")
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
	return own && s.names != nil || !r.has(r.namesOf("kv_heads"))
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

// ratio is the width of the MLP where the file gives none: of Megatron-LM's two thirds of it, rounded down, with a gate.
func (r *reading) ratio() int {
	m := &r.Model
	n := r.count("ff_ratio") * m.Width
	if r.is("megatron") {
		if !m.Plain {
			n = n * 2 / 3 / 64 * 64
		}
		note(&r.Missing, r.prefix+"ffn_hidden_size", phrase.New("config.assumed-format", "what",
			phrase.New("config.set", "role", r.tables.role("ff").label, "value", strconv.Itoa(n)), "format", r.format.title))
	}
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
