package config

import (
	_ "embed"
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
			if f := v.field(n); f != nil && (f.kind == object || !f.off()) && !r.family.reads(n) {
				r.fail(f, phrase.New("config.not-counted", "field", n, "why", c[2]),
					phrase.New("config.plain-transformer"))
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
	return len(v.items)+v.n == 0 && v.text == ""
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
		} else if v == r.inner && r.decides(n, f) {
			r.mayDecide(path, f)
		} else if r.format == nil && f.kind == object && v == r.outer && v != r.inner &&
			(f.field("model_type") != nil || r.sizes(f, 2)) || r.describes(f, maxNested) {
			note(&r.Doubts, path, phrase.New("config.another-part"))
		} else if r.hints(v, n, f) {
			note(&r.Doubts, path, why)
		} else {
			note(&r.Unknown, path, why)
		}
		if len(r.Ignored) == maxNotes || len(r.Unknown) == maxNotes {
			return
		}
	}
}

// mayDecide refuses a field that nobody knows; of several it names all that there are, so that a reader looks them up
// once.
func (r *reading) mayDecide(path string, f *value) {
	what := phrase.New("config.may-decide", "field", clean(path), "value", f.shown())
	switch {
	case !r.failed():
		r.fail(f, what, phrase.New("config.leave-unknown"))
		r.deciding = 1
	case r.deciding > 0 && r.deciding < mostDeciding:
		r.err.What = and(r.err.What, phrase.New("config.may-decide-too", "field", clean(path), "value", f.shown()))
		r.deciding++
	}
}

// mostDeciding is how many of them a message names.
const mostDeciding = 12

// Words of a name by which a field that nobody knows may decide a count, those by which it doesn't, and those by which
// a switch may.
//
//go:embed words.tsv
var wordTable string

// decides tells whether a field that nobody knows may say how many of something there are, or how wide it is.
func (r *reading) decides(n string, f *value) bool {
	if f.kind == list && len(f.items) > 0 && len(f.items) == r.Model.Layers {
		f = f.items[0]
	}
	if f.kind == object && r.format == nil {
		return strings.Contains(n, "layer") && r.sizes(f, 2)
	}
	if x := f.number(); x < 1 || x != float64(int(x)) {
		return false
	}
	return speaks(n, 0)
}

// hints tells whether a field that nobody knows, and that gives no size, may change a count: a list about layers, or a
// switch that is on. Beside a language model, a name's first word may be that of a part that no object describes.
func (r *reading) hints(of *value, n string, f *value) bool {
	if f.kind == list {
		if of != r.inner && len(r.Apart)+len(r.Doubts) == 0 {
			_, n, _ = strings.Cut(n, "_")
		}
		return len(f.items) > 0 && speaks(n, 0)
	}
	return of == r.inner && f.text == "true" && speaks(n, 2)
}

// speaks tells whether a name has a word of a line of the table, and none of those that change nothing.
func speaks(n string, line int) bool {
	var words [3]string
	for i, rest := 0, wordTable; i < len(words); i++ {
		var c []string
		c, rest = cells(rest)
		words[i] = c[1]
	}
	speaks := false
	between := func(c rune) bool { return c == '_' || c == '.' || c == '-' }
	for word := range strings.FieldsFuncSeq(strings.ToLower(n), between) {
		word = " " + word + " "
		if strings.Contains(words[1], word) {
			return false
		}
		speaks = speaks || strings.Contains(words[line], word)
	}
	return speaks
}

// sizes tells whether an object has a size of the model, in so many levels.
func (r *reading) sizes(v *value, levels int) bool {
	for i, n := range v.names {
		if f := v.items[i]; f.kind == number && r.tables.owners[n.text].role != "" ||
			levels > 1 && f.kind == object && r.sizes(f, levels-1) {
			return true
		}
	}
	return false
}

// maxNested is how deep in a field a part of a model may be described.
const maxNested = 4

// describes tells whether an object has layers and a width, in so many levels.
func (r *reading) describes(v *value, levels int) bool {
	layers := false
	for i, n := range v.names {
		f := v.items[i]
		if f.kind == object && levels > 1 && r.describes(f, levels-1) {
			return true
		}
		layers = layers || f.kind == number && strings.Contains(n.text, "layer")
	}
	return layers && r.hasWidth(v)
}

// why says why a field is ignored, and whether anything is known about it.
func (r *reading) why(n string, f *value) (why *phrase.Phrase, known bool) {
	for end := n; end != ""; { // the name, or what it ends in
		if c := row(ignoredTable, 1, end); c != nil {
			return asIs(c[0]), true
		}
		if _, end, _ = strings.Cut(strings.TrimPrefix(end, "*_"), "_"); end != "" {
			end = "*_" + end
		}
	}
	for i := range r.tables.roles {
		if x := &r.tables.roles[i]; slices.Contains(x.names, n) {
			return phrase.New("config.about", "role", x.label), true
		}
	}
	switch {
	case r.family.reads(n) || r.format.reads(n):
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
