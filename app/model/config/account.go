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

// Pos is a place in the text: line and column from 1, columns in characters.
type Pos struct{ Line, Col int }

// String is "3:14".
func (p Pos) String() string { return strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Col) }

// Error says why a text gives no model.
type Error struct {
	Pos    Pos
	What   *phrase.Phrase // "hidden_size is -1"
	Remedy *phrase.Phrase // what would be valid
	lines  bool           // the text is no JSON, and may be lines

	uncached bool // what is not known does not change the cache of keys and values
}

// In is "3:14: what; what would be valid", in a language.
func (e *Error) In(l phrase.Phrases) string {
	return l.Say("config.at", "place", e.Pos.String(), "fault", e.fault())
}

// Error is the error in English.
func (e *Error) Error() string { return phrase.Unlinked(e.In(phrase.Phrases{})) }

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

// What a file has beside the language model is counted apart: encoders of images and sound with what joins them to it,
// modules that predict further tokens, experts for pictures alone. What each encoder's parameters are is a formula of
// its sizes in encoders.tsv; which fields give the sizes is in sizes.tsv. A test holds them to what the transformers
// library builds.

var (
	//go:embed encoders.tsv
	encoderTable string // tower or joint of images, sound or heard; model types; formula
	//go:embed sizes.tsv
	sizeTable string // letter, fields, what it is if none is there
)

// Apart is a part that a file describes beside the language model.
type Apart struct {
	Field  string // in the file
	Name   *phrase.Phrase
	Params float64
}

// countApart counts what stands beside the language model.
func (r *reading) countApart() {
	if r.failed() {
		return
	}
	images := [2]*phrase.Phrase{phrase.New("config.images"), phrase.New("config.images-alone")}
	sound := [2]*phrase.Phrase{phrase.New("config.sound"), phrase.New("config.sound-alone")}
	r.encoder(images, "tower", "whole", "joint", "vision_config", "vision_encoder", "visual", "vision_tower_config")
	r.encoder(sound, "sound", "heardwhole", "heard", "audio_config", "audio_encoder_config")
	r.predictors()
	r.pictureExperts()
}

// counts counts a part that is not of the language model.
func (r *reading) counts(field string, name *phrase.Phrase, params float64) {
	r.Apart = append(r.Apart, Apart{clean(field), name, params})
	r.used[field] = true
	note(&r.Understood, field, phrase.New("config.counted-apart", "what", name, "n", plainNumber(params)))
}

// encoder counts an encoder and what joins it to the language model, if the tables know how: whole, or the encoder and
// what joins it one by one.
func (r *reading) encoder(names [2]*phrase.Phrase, tower, whole, joint string, fields ...string) {
	outer := r.outer
	for _, n := range nests { // an encoder may stand beside a language model two levels down
		if v := outer.field(n); v != nil && v != r.inner && v.kind == object && r.prefix != n+"." {
			outer = v
		}
	}
	for _, n := range fields {
		for _, at := range []*value{outer, r.outer, r.inner} {
			v := at.field(n)
			if v == nil || v.kind != object {
				continue
			}
			path := n
			if at == r.inner {
				path = r.prefix + n
			} else if at == outer && outer != r.outer {
				path, _, _ = strings.Cut(r.prefix, ".")
				path += "." + n
			}
			kind, of := wordOf(v.field("model_type")), first(wordOf(at.field("model_type")),
				wordOf(r.outer.field("model_type")))
			if r.is("params") {
				kind, of = "params", "params"
			}
			if params := r.formula(whole, v, v, kind, of); params > 0 {
				r.counts(path, names[0], params)
				if of != "" && of != kind && r.formula(whole, v, v, of) == 0 { // another model's encoder, joined anew
					note(&r.Doubts, path, phrase.New("config.no-joint"))
				}
			} else if params = r.formula(tower, v, v, kind, of); params > 0 {
				from := at.field("vision_feature_layer") // several of them are joined at once
				if joins := r.formula(joint, v, at, of); joins > 0 && (from == nil || len(from.items) < 2) {
					r.counts(path, names[0], params+joins)
				} else {
					r.counts(path, names[1], params)
					note(&r.Doubts, path, phrase.New("config.no-joint"))
				}
			}
			return // what is not counted, the doubts say
		}
	}
}

// formula is what the first type that the tables have a formula for comes to; 0 if there is none, or a size is missing.
func (r *reading) formula(place string, v, beside *value, types ...string) float64 {
	for _, kind := range types {
		for table := encoderTable; table != "" && kind != ""; {
			var c []string
			if c, table = cells(table); c[0] == place && strings.Contains(" "+c[1]+" ", " "+kind+" ") {
				f := formula{c[2], v, beside, float64(r.Model.Width), false}
				if x := f.sum(); !f.lacks && x < 1e15 {
					return x
				}
				return 0
			}
		}
	}
	return 0
}

// formula is a sum of products of numbers and of sizes, a letter each. W is the width of the language model. A quotient
// is rounded down.
type formula struct {
	text      string
	v, beside *value // the encoder's object, and the one that it stands in
	width     float64
	lacks     bool // a size is not there
}

func (f *formula) next() byte {
	if f.text == "" {
		return 0
	}
	return f.text[0]
}

func (f *formula) sum() float64 {
	x := f.product()
	for f.next() == '+' {
		f.text = f.text[1:]
		x += f.product()
	}
	return x
}

func (f *formula) product() float64 {
	x := f.factor()
	for {
		switch f.next() {
		case '*':
			f.text = f.text[1:]
			x *= f.factor()
		case '/':
			f.text = f.text[1:]
			if y := f.factor(); y > 0 {
				x = float64(int64(x / y))
			}
		default:
			return x
		}
	}
}

func (f *formula) factor() float64 {
	c := f.next()
	if c >= '0' && c <= '9' {
		n := len(f.text) - len(strings.TrimLeft(f.text, "0123456789"))
		x, _ := strconv.ParseFloat(f.text[:n], 64)
		f.text = f.text[n:]
		return x
	}
	f.text = f.text[1:]
	if c == '(' {
		x := f.sum()
		f.text = f.text[1:]
		return x
	}
	if c == 'W' {
		return f.width
	}
	x := f.size(string(c))
	if x < 0 || x > model.MaxSize {
		f.lacks = true
	}
	return x
}

// size is a size of the encoder; -1 if it is not known.
func (f *formula) size(letter string) float64 {
	for table := sizeTable; table != ""; {
		var c []string
		if c, table = cells(table); c[0] != letter {
			continue
		}
		for n := range strings.FieldsSeq(c[1]) {
			for _, at := range []*value{f.v, f.beside} {
				v := at.field(n)
				if v == nil || v.kind == null || at == f.beside && at != f.v && len(n) < 12 {
					continue
				}
				return v.extent(letter)
			}
		}
		if x, err := strconv.ParseFloat(c[2], 64); err == nil {
			return x
		}
	}
	return -1
}

// extent is a size as its field has it: a number, one for height and width, whether there is something, or a list of
// whose entries there are so many.
func (v *value) extent(letter string) float64 {
	switch {
	case v.kind == boolean && v.text == "true":
		return 1
	case v.kind == boolean:
		return 0
	case v.kind == list && letter == "E":
		return float64(len(v.items))
	case v.kind == list && len(v.items) > 0:
		return v.items[0].number()
	case v.kind == number:
		return v.number()
	}
	return -1
}

// predictors counts modules that predict further tokens: each a layer like the last that attends, what joins it to the
// embedding of a token, and three norms. Embedding and unembedding are the model's.
func (r *reading) predictors() {
	for _, n := range []string{"num_nextn_predict_layers", "num_mtp_modules", "mtp_num_hidden_layers", "mtp_num_layers",
		"num_mtp_layers", "n_mtp_layers", "nextn_predict_layers"} {
		v := r.inner.field(n)
		k := v.number()
		if k < 1 || k > 1000 || k != float64(int(k)) {
			continue
		}
		if each := r.inner.field("mtp_transformer_layers").number(); each > 1 && each < 1000 {
			k *= float64(int(each))
		}
		if r.flag("shared_entries") {
			r.used[r.prefix+n] = true
			note(&r.Doubts, r.prefix+n, phrase.New("config.drafts-left"))
			return
		}
		r.counts(r.prefix+n, phrase.New("config.predictors"), k*r.Model.Predictor())
		r.leave("", phrase.New("config.goes-with", "field", r.prefix+n), "mtp_layers_block_type",
			"mtp_transformer_layers", "mtp_hybrid_override_pattern")
		return
	}
}

// pictureExperts counts experts that pictures alone use, where a file gives sizes for text and for pictures.
func (r *reading) pictureExperts() {
	m := &r.Model
	width, has := r.seeing["expert_ff"]
	if !has || m.MoE.Experts == 0 {
		return
	}
	n, has := r.seeing["experts"]
	if !has {
		n = m.MoE.Experts
	}
	layers := float64(m.CountLayers(model.Layer.WithExperts))
	params := layers * (float64(n)*3*float64(width) + float64(n)) * float64(m.Width)
	if m.MoE.RouterBias {
		params += layers * float64(n)
	}
	field := r.find("expert_ff").path
	r.Apart = append(r.Apart, Apart{clean(field), phrase.New("config.picture-experts"), params})
	note(&r.Understood, field, phrase.New("config.counted-apart", "what", phrase.New("config.picture-experts"), "n",
		plainNumber(params)))
}
