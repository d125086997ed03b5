package config

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

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
			r.fail(f, phrase.New("config.may-decide", "field", clean(path), "value", f.shown()), phrase.New("config.leave-unknown"))
		} else {
			note(&r.Unknown, path, why)
		}
		if len(r.Ignored) == maxNotes || len(r.Unknown) == maxNotes {
			return
		}
	}
}

// Words of a name by which a field that nobody knows may decide a count, and those by which it doesn't.
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
	yes, rest := cells(wordTable)
	no, _ := cells(rest)
	decides := false
	for word := range strings.FieldsFuncSeq(strings.ToLower(n), func(c rune) bool { return c == '_' || c == '.' || c == '-' }) {
		if strings.Contains(no[1], " "+word+" ") {
			return false
		}
		decides = decides || strings.Contains(yes[1], " "+word+" ")
	}
	return decides
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

// Pos is a place in the text: line and column from 1, columns in characters.
type Pos struct{ Line, Col int }

// String is "3:14".
func (p Pos) String() string { return strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Col) }

// Error says why a text gives no model.
type Error struct {
	Pos    Pos
	What   *phrase.Phrase // "hidden_size is -1"
	Remedy *phrase.Phrase // what would be valid
	vocab  bool           // the vocabulary alone is not known
	lines  bool           // the text is no JSON, and may be lines
}

// In is "3:14: what; what would be valid", in a language.
func (e *Error) In(l phrase.Phrases) string {
	return l.Say("config.at", "place", e.Pos.String(), "fault", e.fault())
}

// Error is the error in English.
func (e *Error) Error() string { return e.In(phrase.Phrases{}) }

func (e *Error) fault() phrase.Fault { return phrase.Fault{What: e.What, Remedy: e.Remedy} }

// Beside is the message for whoever wrote the text: where the fault is, what stands there, and what would be valid.
func (e *Error) Beside(text string) *phrase.Phrase {
	if said := excerpt(text, e.Pos); said != "" {
		return phrase.New("config.line-text", "line", e.Pos.Line, "column", e.Pos.Col, "text", said, "fault", e.fault())
	}
	return phrase.New("config.line", "line", e.Pos.Line, "column", e.Pos.Col, "fault", e.fault())
}

// excerpt is what stands at a place of a text: a line, or of a long one what follows the place.
func excerpt(text string, at Pos) string {
	for range at.Line - 1 {
		_, text, _ = strings.Cut(text, "\n")
	}
	line, _, _ := strings.Cut(text, "\n")
	const most = 40
	if len(line) > most {
		skipped := 1
		for i := range line {
			if skipped == at.Col {
				line = line[i:]
				break
			}
			skipped++
		}
	}
	if line = phrase.Printable(strings.TrimSpace(line), most); utf8.RuneCountInString(line) < 3 {
		return ""
	}
	return line
}

// position is the place of a byte offset.
func position(src string, at int) Pos {
	before := src[:at]
	line := strings.LastIndexByte(before, '\n') + 1
	return Pos{strings.Count(before, "\n") + 1, utf8.RuneCountInString(strings.TrimPrefix(before[line:], "\ufeff")) + 1}
}

// maxShown is how many characters of a text from the file a message repeats.
const maxShown = 60

// clean makes a text from the file fit to be shown.
func clean(s string) string { return phrase.Printable(s, maxShown) }

// quote is a text from the file, cleaned, in quotation marks.
func quote(s string) string { return `"` + clean(s) + `"` }
