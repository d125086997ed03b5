package config

import "strings"

// Dumps and logs of GGUF files, whose names are parted by points and whose architecture names its fields.

// unpack puts GGUF's names, parted by points, into objects, and takes what its dumps wrap values in away.
func unpack(root *value) *value {
	flat := root
	for i, v := range root.items { // of an experiment's settings: with a description, or alone
		if inner := within(v, "value"); inner != nil && len(v.items) < 3 {
			root.items[i] = inner
		}
	}
	for _, n := range []string{"metadata", "model_info"} { // of gguf-dump and of Ollama's interface
		if m := root.field(n); m != nil && m.kind == object && m.field("general.architecture") != nil {
			flat = m
		}
	}
	if flat.field("general.architecture") == nil {
		return root
	}
	out := &value{kind: object, at: root.at}
	for i, n := range flat.names {
		v, at := flat.items[i], out
		if wrapped := v.field("type"); v.kind == object && wrapped != nil {
			if inner := v.field("value"); inner != nil {
				v = inner
			} else {
				continue
			}
		}
		path := strings.Split(n.text, ".")
		for _, p := range path[:min(len(path), maxDepth)-1] {
			at = at.inside(p, v.at)
		}
		last := path[min(len(path), maxDepth)-1]
		if old := at.field(last); old == nil || old.kind != object {
			at.add(last, v)
		}
	}
	if t := root.field("tensors"); t != nil && t.kind == object {
		out.add("tensors", t)
	}
	return out
}

// gguf goes to the fields of GGUF's architecture.
func (r *reading) gguf() {
	general := r.outer.field("general")
	if general == nil || r.outer.kind != object {
		return
	}
	arch := wordOf(general.field("architecture"))
	inner := r.outer.field(arch)
	if arch == "" || inner == nil || inner.kind != object {
		return
	}
	r.format = r.tables.formatNamed("gguf")
	r.inner, r.prefix, r.Architecture = inner, arch+".", clean(arch)
	r.used[arch], r.used[r.prefix] = true, true
	r.used["general."], r.used["general.architecture"] = true, true
	r.Model.Name = clean(first(wordOf(general.field("name")), arch))
	r.family = r.tables.familyOf(arch, "")
	r.derived("model_type", within(general, "architecture"))
	r.derive()
}

// derive adds fields that others of a GGUF file, or its tensors, say.
func (r *reading) derive() {
	in := r.inner
	if in.field("vocab_size") == nil {
		if n := count(within(r.outer, "tokenizer.ggml.tokens")); n != nil {
			in.add("vocab_size", n)
			r.used["tokenizer."], r.used["tokenizer.ggml."], r.used["tokenizer.ggml.tokens"] = true, true, true
		}
	}
	if t := r.outer.field("tensors"); t != nil {
		r.used["tensors"] = true
		if shape := shapeOf(t.field("token_embd.weight")); len(shape) > 1 {
			in.add("vocab_size", shape[1])
		}
		own := t.field("output.weight") != nil
		if all := within(r.outer, "GGUF.tensor_count"); len(t.names) > 0 && (own || len(t.names) >= int(all.number())) {
			in.inside("output", t.at).add("weight", &value{kind: boolean, at: t.at, text: truth(own)})
			r.used[r.prefix+"output."] = true
		}
	}
	a := in.field("attention")
	if a == nil || a.kind != object {
		return
	}
	r.mixed(a)
	if a.field("kv_lora_rank") != nil {
		a.latent("key_length", "value_length", "key_length_nope", within(in, "rope.dimension_count"))
	}
	if p := a.field("sliding_window_pattern"); p != nil && p.kind == number {
		period := *p
		a.add("sliding_window_period", &period)
		p.kind = null
	}
	if s := in.field("ssm"); s != nil && s.field("time_step_rank").number() > 0 {
		size := s.field("inner_size")
		s.inside("x", 0)
		s.add("value_size", whole(int(size.number()/s.field("time_step_rank").number()), s.at))
	}
}

// latent adds the size of a head's key without position. Where keys and values are one latent, sizes of the cache stand
// under the usual names, and those of a head behind _mla.
func (v *value) latent(keyName, valueName, as string, rope *value) {
	for _, n := range []string{keyName, valueName} {
		if size, own := within(v, n), within(v, n+"_mla"); own != nil && size != nil {
			*size = *own
		}
	}
	if key := within(v, keyName); key.number() >= rope.number() && key != nil {
		v.add(as, whole(int(key.number()-rope.number()), key.at))
	}
}

// mend puts another list in place of one that is cut off.
func (v *value) mend(other *value) {
	if v != nil && other != nil && v.kind == list && len(v.items) == 0 {
		*v = *other
	}
}

// mixed reads which layers attend from a list of their heads of keys and values: those without any do not. Where each
// layer is one block, those with a width of an MLP are an MLP. What a log of llama.cpp cuts off in its list of fields,
// it prints whole below.
func (r *reading) mixed(a *value) {
	heads, widths := a.field("head_count_kv"), r.inner.field("feed_forward_length")
	heads.mend(r.outer.field("n_head_kv"))
	widths.mend(r.outer.field("n_ff"))
	if heads == nil || heads.kind != list || r.family == nil {
		return
	}
	var letters strings.Builder
	most := &value{kind: number, at: heads.at, text: "0"}
	for i, h := range heads.items {
		letter := byte('M')
		if h.number() > 0 {
			letter = '*'
		} else if widths != nil && i < len(widths.items) && widths.items[i].number() > 0 {
			letter = '-'
			if _, has := r.family.setting("experts"); has || r.inner.field("expert_count").number() > 0 {
				letter = 'E'
			}
		}
		letters.WriteByte(letter)
		if h.number() > most.number() {
			most = h
		}
	}
	if !strings.Contains(letters.String(), "M") {
		return
	}
	if r.family.id == "nemotronh" {
		r.derived("hybrid_override_pattern", &value{kind: text, at: heads.at, text: letters.String()})
		for _, w := range widths.list() {
			if w.number() > 0 {
				*widths = *w
				break
			}
		}
	} else if s, is := r.family.setting("linear"); is && s.value != "none" {
		flags := &value{kind: list, at: heads.at}
		for _, h := range heads.items {
			flags.items = append(flags.items, whole(int(min(1, h.number())), h.at))
		}
		r.derived("attn_type_list", flags)
	} else {
		return
	}
	*heads = *most
}

// count is how many items a list has, as a value; nil if it is none.
func count(v *value) *value {
	if v == nil || v.kind != list {
		return nil
	}
	if v.text != "" {
		return &value{kind: number, at: v.at, text: v.text}
	}
	if n := len(v.items); n > 0 && strings.HasPrefix(v.items[n-1].text, "...") { // cut off: its end is not known
		return nil
	}
	if len(v.items) == 1 { // no list of tokens, but what a dump says of it: [array of 256000 strings]
		words := strings.FieldsFunc(v.items[0].text, func(c rune) bool { return c < '0' || c > '9' })
		if len(words) != 1 {
			return nil
		}
		return &value{kind: number, at: v.at, text: words[0]}
	}
	return whole(len(v.items), v.at)
}

// shapeOf is the shape of a tensor as dumps have it.
func shapeOf(v *value) []*value {
	if v != nil && v.kind == object {
		v = v.field("shape")
	}
	if v == nil {
		return nil
	}
	return v.items
}
