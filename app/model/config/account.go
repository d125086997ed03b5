package config

import (
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/phrase"
)

// account says of every field that did not go into the model why not, and what that puts in doubt.
func (r *reading) account() {
	r.suspect(r.inner, r.prefix)
	r.rest(r.inner, r.prefix)
	if r.prefix != "" {
		r.understood(strings.TrimSuffix(r.prefix, "."), phrase.New("config.language-model"))
		r.suspect(r.outer, "")
		r.rest(r.outer, "")
	}
}

// refuse looks for fields which say that the model is none of those that can be counted.
func (r *reading) refuse(v *value) {
	for table := doubtTable; table != ""; {
		var c []string
		if c, table = cells(table); c[0] != "refuse" {
			continue
		}
		for _, n := range strings.Fields(c[1]) {
			if f := v.field(n); f != nil && !f.off() && !r.family.reads(n) {
				r.fail(f, phrase.New("config.not-counted", "field", n, "why", c[2]), phrase.New("config.plain-transformer"))
			}
		}
	}
}

// suspect looks for fields of which it is known that they change what is counted here.
func (r *reading) suspect(v *value, prefix string) {
	for table := doubtTable; table != ""; {
		var c []string
		if c, table = cells(table); c[0] == "refuse" {
			continue
		}
		first := ""
		for _, n := range strings.Fields(c[1]) {
			f := v.field(n)
			if f == nil || f.off() || r.used[prefix+n] || f.kind == object && r.used[prefix+n+"."] || r.harmless(n, f) {
				continue
			}
			r.used[prefix+n] = true
			if first == "" {
				first = prefix + n
				note(&r.Doubts, first, asIs(c[2]))
				continue
			}
			note(&r.Ignored, prefix+n, phrase.New("config.goes-with", "field", first))
		}
	}
}

// harmless tells whether a suspicious field changes nothing after all.
func (r *reading) harmless(n string, f *value) bool {
	switch n {
	case "word_embed_proj_dim", "embedding_size":
		width, err := strconv.ParseFloat(f.text, 64)
		return f.kind == number && err == nil && width == float64(r.Model.Width)
	case "gating", "gating_types":
		return r.Model.Gate != model.NoGate
	case "use_qk_norm", "qk_norm", "qk_layernorm":
		return r.Model.QKNorm != model.NoQKNorm || r.family.id == "llama4" // Llama 4's have no parameters
	}
	return false
}

// off tells whether a field says that the model does not have what it is about.
func (v *value) off() bool {
	switch v.kind {
	case null:
		return true
	case boolean:
		return v.text == "false"
	case number:
		return strings.Trim(v.text, "-0.") == ""
	case text:
		return v.text == "" || v.text == "none"
	}
	return len(v.items) == 0
}

// rest says why the other fields are ignored, as many as fit the lists.
func (r *reading) rest(v *value, prefix string) {
	for i := range v.names {
		n, f := v.names[i].text, v.items[i]
		path := prefix + n
		if r.used[path] {
			continue
		}
		if f.kind == object && r.used[path+"."] {
			r.rest(f, path+".")
			continue
		}
		if why, known := r.why(n, f); known {
			note(&r.Ignored, path, why)
		} else {
			note(&r.Unknown, path, why)
		}
		if len(r.Ignored) == maxNotes || len(r.Unknown) == maxNotes {
			return
		}
	}
}

// why says why a field is ignored, and whether anything is known about it.
func (r *reading) why(n string, f *value) (why *phrase.Phrase, known bool) {
	if c := row(ignoredTable, 1, n); c != nil {
		return asIs(c[0]), true
	}
	for i := range r.tables.roles {
		if x := &r.tables.roles[i]; slices.Contains(x.names, n) {
			return phrase.New("config.about", "role", x.label), true
		}
	}
	switch {
	case r.family.reads(n):
		return phrase.New("config.elsewhere"), true
	case f.off() && row(doubtTable, 1, n) != nil:
		return phrase.New("config.off", "value", f.shown()), true
	case f.kind == strange:
		return phrase.New("config.strange", "value", f.text), false
	case f.off():
		return phrase.New("config.unknown-off", "value", f.shown()), false
	}
	return phrase.New("config.unknown"), false
}
