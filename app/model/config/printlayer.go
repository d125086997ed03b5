package config

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/phrase"
)

// layer reads one layer of a print.
func (b *printBuilder) layer(m *module) printLayer {
	l := printLayer{}
	a := attentionOf(m)
	if a == nil {
		b.refuse(m, "config.print-no-attention")
		return l
	}
	if len(a.kids) == 1 && a.kids[0].kid("q_proj", "c_attn", "out_proj") != nil { // GPT-Neo has one more level
		a = a.kids[0]
	}
	l.attention = b.attention(a)
	mlp := m.kid("mlp", "feed_forward", "block_sparse_moe", "ffn", "moe")
	if mlp == nil {
		mlp = m // OPT has its two matrices in the layer
	}
	for _, k := range m.kids {
		if strings.Contains(k.class, "Norm") {
			l.norms++
		}
	}
	b.mlp(mlp, &l)
	return l
}

// attention reads the projections of attention.
func (b *printBuilder) attention(a *module) (s attentionShape) {
	D := b.Model.Width
	out, outIn := 0, 0
	for _, name := range []string{"o_proj", "out_proj", "c_proj", "dense", "wo", "linear_proj", "output_proj"} {
		if in, n, bias, is := a.kid(name).linear(); is && int(n) == D {
			out, outIn, s.outBias = int(n), int(in), bias
			break
		}
	}
	if out == 0 {
		b.refuse(a, "config.print-no-attention")
		return s
	}
	s.o = outIn
	if _, n, _, is := a.kid("kv_a_proj_with_mqa").linear(); is {
		b.latent(a, int(n), &s)
		return s
	}
	if _, n, bias, is := a.kid("qkv_proj", "query_key_value", "Wqkv", "c_attn", "W_pack", "wqkv",
		"linear_qkv").linear(); is {
		s.q, s.qBias = outIn, bias
		s.k = (int(n) - outIn) / 2
		s.v = s.k
		if 2*s.k+s.q != int(n) || s.k < 1 {
			b.refuse(a, "config.print-no-attention")
		}
	} else {
		for _, x := range []struct {
			names string
			at    *int
		}{{"q_proj wq", &s.q}, {"k_proj wk", &s.k}, {"v_proj wv", &s.v}} {
			in, n, bias, is := a.kid(strings.Fields(x.names)...).linear()
			if !is || int(in) != D {
				b.refuse(a, "config.print-no-attention")
				return s
			}
			*x.at, s.qBias = int(n), s.qBias || bias
		}
	}
	if s.q == 2*outIn && s.q != s.k { // a gate in one matrix with the queries
		b.refuse(a, "config.print-no-attention")
		return s
	}
	if n := int(a.part("sinks").side(0)); n > 0 && s.q%n == 0 { // a number for each head
		s.sinks, s.size = true, s.q/n
	}
	for _, k := range a.kids {
		if n := numbers(k.args); strings.Contains(k.class, "Norm") && len(n) > 0 && strings.HasPrefix(k.name, "q") {
			if s.qk = model.WidthQKNorm; int(n[0]) != s.q {
				s.qk, s.size = model.HeadQKNorm, int(n[0])
			}
		}
	}
	return s
}

// latent reads latent attention: how many heads there are follows from the widths.
func (b *printBuilder) latent(a *module, down int, s *attentionShape) {
	in, up, _, has := a.kid("kv_b_proj").linear()
	_, q, _, direct := a.kid("q_proj").linear()
	rank := 0.0
	if !direct {
		var has bool
		if rank, q, _, has = a.kid("q_b_proj").linear(); !has {
			b.refuse(a, "config.print-no-attention")
			return
		}
	}
	rope := down - int(in)
	if !has || rope <= 0 {
		b.refuse(a, "config.print-no-attention")
		return
	}
	nope := int(up) - s.o // of all heads together
	if s.heads = (int(q) - nope) / rope; s.heads < 1 || nope < 0 || s.heads*rope+nope != int(q) || s.o%s.heads != 0 {
		b.refuse(a, "config.print-no-attention")
		return
	}
	s.mla = model.MLA{QRank: int(rank), KVRank: int(in), NopeSize: nope / s.heads, RopeSize: rope,
		ValueSize: s.o / s.heads}
}

// mlp reads an MLP or experts.
func (b *printBuilder) mlp(m *module, l *printLayer) {
	experts := m.kid("experts", "switch_mlp")
	if experts == nil {
		l.ff, l.plain, l.mlpBias = b.width(m)
		if l.ff == 0 {
			b.refuse(m, "config.print-no-mlp")
		}
		return
	}
	if len(experts.kids) == 0 {
		b.refuse(experts, "config.print-no-experts")
		return
	}
	e := &l.moe
	for _, k := range experts.kids {
		e.Experts += k.times
	}
	e.Width, l.plain, b.Model.Bias.Experts = b.width(experts.kids[0])
	if _, _, bias, is := m.kid("gate", "router").linear(); is && bias {
		e.RouterBias = true
	}
	if e.Width == 0 || e.Experts > model.MaxSize {
		b.refuse(experts, "config.print-no-experts")
		return
	}
	if shared := m.kid("shared_experts", "shared_expert"); shared != nil {
		e.Shared = 1
		e.SharedWidth, _, _ = b.width(shared)
		e.SharedGate = m.kid("shared_expert_gate") != nil
	}
	if s, has := b.reading.family.setting("router_bias"); has && s.value == "on" {
		e.RouterBias = true
	}
	s, has := b.reading.family.setting("top_k")
	if e.PerToken, _ = strconv.Atoi(s.value); !has || e.PerToken < 1 || e.PerToken > e.Experts {
		e.PerToken = 1
	}
	b.once("num_experts_per_tok", phrase.New("config.print-experts", "n", e.PerToken))
}

// once notes something that is missing once.
func (b *printBuilder) once(field string, text *phrase.Phrase) {
	for _, n := range b.Missing {
		if n.Field == field {
			return
		}
	}
	note(&b.Missing, field, text)
}

// width is that of an MLP: what its matrices give that read a token, with or without a gate.
func (b *printBuilder) width(m *module) (ff int, plain, bias bool) {
	D, wide, down := b.Model.Width, 0, 0
	for _, k := range m.kids {
		in, out, has, is := k.linear()
		if !is || k.name == "gate" || k.name == "router" || k.name == "shared_expert_gate" {
			continue
		}
		switch {
		case int(out) == D && (int(in) != D || gives(k.name)):
			down = int(in)
		case int(in) == D:
			wide += int(out)
		}
		bias = bias || has
	}
	switch {
	case down == 0 || wide != down && wide != 2*down:
		return 0, false, false
	case wide == down:
		return down, true, bias
	}
	return down, false, bias
}

// gives tells whether a matrix of an MLP that is as wide as the model gives the next block its tokens, by its name.
func gives(name string) bool {
	return strings.Contains(name, "down") || strings.HasSuffix(name, "2") || strings.HasPrefix(name, "c_proj") ||
		name == "dense_4h_to_h" || name == "output_linear"
}

// compare sets the model beside what the print shows, and counts what stands beside it.
func (b *printBuilder) compare() {
	var adapters, none float64
	var unstated []string
	shown, head := b.holder.total(&adapters, &unstated), 0.0
	if b.head != nil {
		head = b.head.total(&none, &unstated)
		if b.holder.kid(b.head.name) != b.head {
			shown += head
		}
	}
	exact := shown
	if b.Model.Tied {
		exact -= head
	}
	if total := b.Model.Total(); total != exact {
		note(&b.Doubts, "", phrase.New("config.print-differs", "n", plainNumber(exact), "model", plainNumber(total)))
	} else {
		note(&b.Understood, "", phrase.New("config.print-exact", "n", plainNumber(exact)))
	}
	if len(unstated) > 0 {
		note(&b.Doubts, "", phrase.New("config.print-untold", "classes", classNames(unstated)))
	}
	var all float64
	var rest []string
	if beside := b.root.total(&all, &rest) - shown; beside > 0 {
		b.Apart = append(b.Apart, Apart{"", phrase.New("config.print-beside"), beside})
	}
	if all > 0 {
		b.Apart = append(b.Apart, Apart{"lora_A, lora_B", phrase.New("config.adapters"), all})
		note(&b.Understood, "lora_A, lora_B", phrase.New("config.counted-apart", "what", phrase.New("config.adapters"),
			"n", plainNumber(all)))
	}
}
