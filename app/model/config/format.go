package config

import (
	_ "embed"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
)

// Formats other than Hugging Face's config.json. A format is a table of names like a family's, formats.tsv: what its
// files call a role, and what holds if they don't say. What follows from an architecture, the family says; only GGUF
// names one. The few fields that are no role but say one by a rule are turned into roles here.

var (
	//go:embed formats.tsv
	formatTable string // as families.tsv; all and any are names that its files have
	//go:embed foreign.tsv
	foreignTable string // what a file is that describes no model, names that it has
	//go:embed begins.tsv
	beginTable string // how a text begins, what it is, what to do
)

// is tells whether the file is of a format.
func (r *reading) is(id string) bool { return r.format != nil && r.format.id == id }

// recognize finds the format of the file, if its architecture is not one that names its fields itself.
func (r *reading) recognize() {
	for _, v := range []*value{r.inner, r.outer} {
		if r.tables.familyOf(wordOf(v.field("model_type")), r.architecture(v)) != nil || v.field("num_hidden_layers") != nil {
			return
		}
	}
	for _, f := range r.tables.formats {
		if f.marks(r.inner) || f.marks(r.outer) {
			r.format = f
			return
		}
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

// unpack puts GGUF's names, parted by points, into objects, and takes what its dumps wrap values in away.
func unpack(root *value) *value {
	flat := root
	if m := root.field("metadata"); m != nil && m.kind == object && m.field("general.architecture") != nil {
		flat = m
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
		if len(t.names) > 0 {
			own := t.field("output.weight") != nil
			in.inside("output", t.at).add("weight", &value{kind: boolean, at: t.at, text: truth(own)})
			r.used[r.prefix+"output."] = true
		}
	}
	a := in.field("attention")
	if a == nil || a.kind != object {
		return
	}
	if a.field("kv_lora_rank") != nil {
		key := a.field("key_length_mla")
		if key == nil {
			key = a.field("key_length")
		}
		if nope := key.number() - within(in, "rope.dimension_count").number(); nope >= 0 && key != nil {
			a.add("key_length_nope", whole(int(nope), key.at))
		}
	}
	if p := a.field("sliding_window_pattern"); p != nil && p.kind == number {
		a.add("sliding_window_period", p)
		p.kind = null
	}
	if s := in.field("ssm"); s != nil && s.field("time_step_rank").number() > 0 {
		size := s.field("inner_size")
		s.inside("x", 0)
		s.add("value_size", whole(int(size.number()/s.field("time_step_rank").number()), s.at))
	}
}

// count is how many items a list has, as a value; nil if it is none.
func count(v *value) *value {
	if v == nil || v.kind != list {
		return nil
	}
	if v.text != "" {
		return &value{kind: number, at: v.at, text: v.text}
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

func whole(n, at int) *value { return &value{kind: number, at: at, text: strconv.Itoa(n)} }

func truth(on bool) string {
	if on {
		return "true"
	}
	return "false"
}

// foreign refuses a file that describes no model, by the name of what it is.
func (r *reading) foreign() *Error {
	if r.format != nil || r.hasWidth(r.inner) {
		return nil
	}
	for table := foreignTable; table != ""; {
		var c []string
		c, table = cells(table)
		for n := range strings.FieldsSeq(c[1]) {
			if c != nil && r.outer.field(n) == nil {
				c = nil
			}
		}
		if c != nil {
			return r.fault(r.outer, phrase.New("config.foreign", "what", c[0]), r.needed())
		}
	}
	return nil
}

// needed is the remedy: the file that is needed, and of which model.
func (r *reading) needed() *phrase.Phrase {
	for _, n := range []string{"base_model_name_or_path", "base_model", "model_name_or_path"} {
		if base := wordOf(r.outer.field(n)); base != "" {
			return phrase.New("config.need-base", "base", quote(base))
		}
	}
	return phrase.New("config.need-config")
}

// begins refuses a text that begins as no description of a model does.
func (r *reader) begins() bool {
	for table := beginTable; table != ""; {
		var c []string
		if c, table = cells(table); !strings.HasPrefix(r.src[r.pos:], c[0]) {
			continue
		}
		remedy := phrase.New("config.need-config")
		if len(c) > 2 {
			remedy = phrase.New("config.need-printed", "how", c[2])
		}
		return r.fail(r.pos, phrase.New("config.foreign", "what", c[1]), remedy)
	}
	return true
}
