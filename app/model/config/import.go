// Package config reads a model's config.json, as Hugging Face repositories have it, into a model.Model, and accounts
// for every field: what it set, why it doesn't count, what was assumed in its place, what puts the counts in doubt.
//
// It works in these steps:
//
//  1. The text is read as JSON (json.go), UTF-8 of at most four megabytes, one object, or else line by line
//     (lines.go). Every value remembers its place. Other formats than config.json are recognized by their names
//     (format.go); a file that is something else is refused by the name of what it is. A print of modules, or a list of
//     tensors (tensors.go), is a tree of modules, of which printmodel.go makes a model.
//  2. The object that describes the language model is found: the file itself, or text_config and its like within it.
//     Its model_type, or else its architecture, names the family (import.go). What is no decoder of attention and MLPs
//     is refused.
//  3. Each part of the model asks for its roles (build.go, layers.go): a role is looked up by its names in files, then
//     in the family's defaults, then in what holds in general (lookup.go).
//  4. What stands beside the language model is counted apart (apart.go). The fields that nobody asked for
//     are explained (account.go), and the model is asked whether it is one.
//
// Everything that is known of files is in tables: fields.tsv has the roles, families.tsv how families differ (behind
// gguf., what their published GGUF files have and don't say), formats.tsv the names of other formats, encoders.tsv what
// encoders come to, foreign.tsv and begins.tsv what files are otherwise, doubts.tsv the fields that say what is not
// counted, ignored.tsv those that change nothing, words.tsv by which words unknown fields may count, refused.tsv the
// types that are no such models. A new family is some lines of families.tsv and a sample in testdata. Defaults are
// those of the configuration classes of the transformers library, which the notes name.
//
// A file is not trusted. Numbers are whole and within a range, or an error names the field, its place and the range.
// Nothing from the file is repeated at length or with characters that don't print; whoever shows it on a page escapes
// it. Reading takes time in proportion to the text.
//
// Why a reader of its own: encoding/json is not in the browser's program. The small parser github.com/valyala/fastjson
// (1.6.10) gives no places, neither with errors nor with values, takes 1..2e++ and 01 for numbers, and keeps the first
// of two fields of one name where Python keeps the later. It would add 14 KB (gzip -9) to the browser's program; this
// reader adds 10, the whole package 44.
package config

import (
	"strings"

	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/pasted"
	"github.com/scalebook/scalebook/app/phrase"
)

// Import is a model as a file describes it, and an account of every field.
type Import struct {
	Model        model.Model
	Architecture string // as the file names it, "LlamaForCausalLM"; what it lacks is empty
	Family       string // what it was read as: "Llama"

	Understood []Note // fields that went into the model, and what each set
	Ignored    []Note // fields that change nothing that is counted here, and why
	Unknown    []Note // fields that nothing is known about
	Missing    []Note // fields that are not there, and what was assumed
	Doubts     []Note // why the counts may be wrong
	Apart      []Apart
}

// Note says something about a field. Names and texts are fit to be shown as plain text; a page escapes them as any
// other.
type Note struct {
	Field string // its path in the file, "text_config.hidden_size"; empty if it is about none
	Text  *phrase.Phrase
}

// maxNotes is how many notes a list has at most.
const maxNotes = 200

// note adds to a list, unless it is full. The place of the last note says that it is.
func note(list *[]Note, field string, text *phrase.Phrase) {
	switch {
	case len(*list) < maxNotes-1:
		*list = append(*list, Note{clean(field), text})
	case len(*list) == maxNotes-1:
		*list = append(*list, Note{"", phrase.New("config.more")})
	}
}

// understood says what a field set. A field that set several things has one note.
func (r *reading) understood(field string, text *phrase.Phrase) {
	if n := len(r.Understood); n > 0 && r.Understood[n-1].Field == clean(field) {
		if last := &r.Understood[n-1]; !strings.Contains(last.Text.String(), text.String()) {
			last.Text = and(last.Text, text)
		}
		return
	}
	note(&r.Understood, field, text)
}

// Read reads the text of a config.json. The error is an *Error with a place in the text. The model is valid: counting
// on it gives finite numbers.
func Read(text []byte) (Import, error) {
	im, err := read(string(text), 0)
	if e, ok := err.(*Error); ok && e.uncached {
		// What this does not decide is said all the same.
		if without, err := read(string(text), 1); err == nil {
			e.Remedy = phrase.New("config.without-vocab", "remedy", e.Remedy,
				"n", plainNumber(float64(without.Model.KVBytesPerToken(2))))
		}
	}
	return im, err
}

// read reads a text. If rows is not 0, the embedding has so many, whatever the text says, and an MLP whose width it
// does not say is as wide.
func read(src string, rows int) (Import, error) {
	src = configured(unquoted(unnumbered(pasted.Typed(pasted.Plain(src)))))
	given := src
	if len(src) <= MaxBytes {
		src = sole(src)
		if begin := printed(src); begin >= 0 {
			return readPrint(src, begin)
		}
		if all, err := shapes(src); err != nil {
			return Import{}, err
		} else if all != nil {
			return readTensors(src, all)
		}
	}
	root, doubles, err := readText(src)
	if err != nil {
		return Import{}, err
	}
	if all, err := header(src, root); err != nil {
		return Import{}, err
	} else if len(all) > 0 {
		return readTensors(src, all)
	}
	root = unpack(root)
	r := &reading{src: src, rows: rows, tables: known(), used: map[string]bool{}, seeing: map[string]int{},
		outer: root, inner: root}
	r.descend()
	r.gguf()
	if r.format == nil {
		r.recognize()
	}
	if err := r.foreign(); err != nil {
		return Import{}, err
	}
	if err := r.choose(); err != nil {
		return Import{}, err
	}
	if src != given {
		note(&r.Ignored, "", phrase.New("config.others-left"))
	}
	r.doubt(doubles)
	r.refuse(r.inner)
	r.build()
	r.headless()
	r.countApart()
	r.account()
	if !r.failed() {
		r.err = r.validate()
	}
	switch {
	case r.err != nil:
		return Import{}, r.err
	case r.lacks != nil:
		if other := pasted.Other(src, "config", "empty"); other != nil { // a trace in JSON lacks layers too
			r.fail(r.inner, other, phrase.New("config.give-config"))
			return Import{}, r.err
		}
		return Import{}, r.lacks
	}
	return r.Import, nil
}

// doubt says which fields stand twice, and where.
func (r *reading) doubt(doubles []double) {
	for _, d := range doubles[:min(len(doubles), 20)] {
		said := "config.twice"
		if d.script {
			said = "config.set-again"
		}
		note(&r.Doubts, d.name, phrase.New(said, "first", position(r.src, d.first), "again", position(r.src, d.at)))
	}
}

// reading is a file on its way to a model. Its methods go on after a fault and keep the first.
type reading struct {
	Import
	src    string
	rows   int // of the embedding, if the file doesn't decide
	tables *tables
	outer  *value // the whole file
	inner  *value // the object that describes the language model: the file, or within it text_config or the like
	prefix string // path of inner, "text_config."
	family *family
	format *family        // in whose names the file is written; nil if in those of the family
	byName bool           // a class of the format names the family, whose defaults hold
	seeing map[string]int // roles of the experts for pictures, where those have their own
	own    [][4]int       // what layers have of their own, if any
	nas    *value         // block_configs, if layers are described one by one
	blocks string         // a letter for each layer, if layers are one block each
	// paths of fields that are accounted for; of objects that are looked into with a point behind
	used  map[string]bool
	err   *Error // the first fault of a field
	lacks *Error // the first field that is missing, reported only if none is at fault

	deciding int // fields that err names since nobody knows them, and they may decide a count
}

// nests are the names under which files of models that also see or hear keep their language model.
var nests = [...]string{"text_config", "llm_config", "language_config", "thinker_config", "language_model_config",
	"language_model", "llm", "model", "config", "model_config", "pretrained_config", "decoder", "trainer", "init"}

// descend finds the object that describes the language model. A file may hold it under a name of its own, '7b', if it
// holds nothing else.
func (r *reading) descend() {
	if in := r.inner; len(in.items) == 1 && in.items[0].kind == object && r.hasWidth(in.items[0]) {
		r.inner, r.prefix = in.items[0], in.names[0].text+"."
		r.used[in.names[0].text], r.used[r.prefix] = true, true
	}
	for range 3 {
		for _, n := range nests {
			v := r.inner.field(n)
			if v != nil && v.kind == object && (r.hasWidth(v) || !r.hasWidth(r.inner)) {
				r.inner, r.prefix = v, r.prefix+n+"."
				r.used[strings.TrimSuffix(r.prefix, ".")] = true
				r.used[r.prefix] = true
				break
			}
		}
	}
}

func (r *reading) hasWidth(v *value) bool {
	for _, n := range r.tables.role("width").names {
		if v.field(n) != nil {
			return true
		}
	}
	return v.field("block_count") != nil
}

// architecture is what an object says that it is, by the first name of its list.
func (r *reading) architecture(v *value) string {
	if a := v.field("architectures"); a != nil && a.kind == list && len(a.items) > 0 {
		return wordOf(a.items[0])
	}
	return wordOf(v.field("architecture")) // of TensorRT-LLM
}

// choose finds the family that the file is of.
func (r *reading) choose() *Error {
	for _, at := range []*value{r.inner, r.outer} {
		kind, arch := wordOf(at.field("model_type")), r.architecture(at)
		if r.Architecture == "" || arch != "" {
			r.Architecture = clean(first(arch, kind))
		}
		c, named := row(refusedTable, 0, kind), at.field("model_type")
		if c == nil && drafts(kind+" "+arch) {
			c, kind = row(refusedTable, 0, "eagle"), first(arch, kind)
		}
		if named == nil {
			named = at
		}
		if c != nil {
			return r.fault(
				named,
				phrase.New("config.refused-type", "type", quote(kind), "why", c[1]),
				phrase.New(decoderAlone),
			)
		}
		if r.family == nil {
			r.family = r.tables.familyOf(kind, arch)
		}
		s, _ := r.family.setting("width")
		if s.names != nil && r.format == nil && !r.has(s.names) && r.hasWidth(r.inner) {
			r.family = r.tables.familyOf("", arch) // a type that has names of its own, in a file with the usual ones
		}
	}
	if class := wordOf(r.inner.field("config_class")); r.family == nil && class != "" {
		r.family = r.tables.familyOf("", class+"For")
	}
	if v := r.outer.field("is_encoder_decoder"); v != nil && v.text == "true" {
		return r.fault(v, phrase.New("config.encoder"), phrase.New(decoderAlone))
	}
	if r.family == nil {
		r.family = r.tables.unknown
		switch {
		case r.format == nil && r.twoMatrices():
			r.family = r.tables.familyOf("gptlike", "")
			note(&r.Doubts, "", phrase.New("config.strange-gpt", "name", quote(r.Architecture)))
		case r.format == nil || r.is("gguf"):
			note(&r.Doubts, "", r.stranger())
		}
	}
	r.Family = r.family.title
	if r.format != nil {
		r.Family = r.format.title
		if r.family != r.tables.unknown {
			r.Family = r.family.title + ", " + r.format.title
		}
		if r.is("gguf") {
			return nil
		}
	}
	r.Model.Name = clean(first(wordOf(r.outer.field("_name_or_path")), r.Architecture))
	return nil
}

// drafts tells whether a type or a class guesses tokens for another model.
func drafts(name string) bool {
	name = strings.ToLower(name)
	for _, part := range [...]string{"eagle", "medusa", "speculator", "dflash", "mtp"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

// headless doubts a model whose class has no unembedding: it ends in a classifier, or in the last layer.
func (r *reading) headless() {
	name, class := r.Architecture, r.family.class
	less := class != "" && name == class+"Model" && r.family.id != "chatglm"
	if class == "" && r.prefix == "" {
		less = strings.HasSuffix(name, "Model")
	}
	for _, part := range []string{"ForSequenceClassification", "ForTokenClassification", "RewardModel"} {
		less = less || strings.Contains(name, part)
	}
	if less {
		note(&r.Doubts, "architectures", phrase.New("config.headless", "name", name))
	}
}

// decoderAlone is the remedy for what is no decoder.
const decoderAlone = "config.decoder-alone"

// twoMatrices tells whether a file of an unknown architecture says what GPT and its like have: layer norms, and in the
// MLP a function that is no gate’s.
func (r *reading) twoMatrices() bool {
	if r.has([]string{"rms_norm_eps"}) ||
		!r.has([]string{"layer_norm_epsilon", "layer_norm_eps", "layernorm_epsilon"}) {
		return false
	}
	act := ""
	for _, n := range [...]string{"hidden_act", "activation_function", "hidden_activation", "activation"} {
		act = first(act, wordOf(r.inner.field(n)))
	}
	return strings.HasPrefix(act, "gelu") || strings.HasPrefix(act, "relu")
}

// stranger says how a file of an unknown architecture is read.
func (r *reading) stranger() *phrase.Phrase {
	if r.Architecture == "" {
		return phrase.New("config.no-architecture")
	}
	return phrase.New("config.strange-architecture", "name", quote(r.Architecture))
}

// wordOf is the text of a value that is a text, else nothing.
func wordOf(v *value) string {
	if v == nil || v.kind != text {
		return ""
	}
	return v.text
}

// first is the first of two texts that is not empty.
func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// fault is an error at a value.
func (r *reading) fault(v *value, what, remedy *phrase.Phrase) *Error {
	return &Error{Pos: position(r.src, v.at), What: what, Remedy: remedy}
}

// fail keeps the first error.
func (r *reading) fail(v *value, what, remedy *phrase.Phrase) {
	if r.err == nil {
		r.err = r.fault(v, what, remedy)
	}
}

// lack keeps the first field that is missing.
func (r *reading) lack(v *value, what, remedy *phrase.Phrase) {
	if r.lacks == nil {
		r.lacks = r.fault(v, what, remedy)
	}
}

// failed tells whether there is no model any more, only faults to be found.
func (r *reading) failed() bool { return r.err != nil || r.lacks != nil }

// validate asks the model itself. What it refuses has its place at the start of the object that describes it.
func (r *reading) validate() *Error {
	if err, ok := r.Model.Validate().(*model.Error); ok {
		return r.fault(r.inner, phrase.New("config.misfit", "fault", err.Subject()), err.Remedy)
	}
	return nil
}

// and is two things that are said of a field.
func and(one, other *phrase.Phrase) *phrase.Phrase {
	return phrase.New("list.semicolon", "list", one, "next", other)
}

// asIs is a text of the tables.
func asIs(text string) *phrase.Phrase { return phrase.New("config.as-is", "text", text) }

// layersText is "1 layer" or "3 layers".
func layersText(n int) *phrase.Phrase { return phrase.Count(n, "config.layers") }
