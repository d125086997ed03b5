package config

import (
	_ "embed"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/phrase"
)

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
