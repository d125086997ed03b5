package library

import (
	"errors"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/model/config"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet"
)

// addConfigs offers the reader's own model, from the text of a config.json, to stand among those of the catalog.
func addConfigs(env *sheet.Env) {
	models, fields := kinNamed(env, "model"), networkKin("configuration field", nil)
	one := sheet.Type{Kind: sheet.Rec, Kin: models}
	kin := &sheet.Kin{Name: "configuration", Fields: []sheet.Field{
		{Name: "model", Label: "the model", Type: one},
		{Name: "summary", Label: "what became of its fields", Type: text},
		{Name: "fields", Label: "its fields", Type: sheet.ListOf(sheet.Type{Kind: sheet.Rec, Kin: fields})},
	}}
	read := func(a []sheet.Value) (sheet.Value, error) { return readConfig(kin, models, fields, a[0].Text) }
	env.Funcs["model_config"] = &sheet.Func{
		Name: "model_config", Params: []sheet.Param{param("config", text)}, Source: "counted field by field",
		Result: sheet.Type{Kind: sheet.Rec, Kin: kin}, Work: 1 << 16, Call: read,
		Begin: func(a []sheet.Value) sheet.Task {
			v, err := read(a)
			return remembered{v, err}
		},
		Doc: "The model that the text of a config.json describes, and what became of each field. Without a text it is a " +
			"model of which nothing is known yet.",
	}
	none := &sheet.Record{ID: "none", Name: "no other model", Kin: models, Fields: map[string]sheet.Value{}}
	env.Values["no_model"] = sheet.Value{Kind: sheet.Rec, Record: none}
	env.Funcs["models_and"] = &sheet.Func{
		Name: "models_and", Params: []sheet.Param{param("first", one)}, Variadic: true, Result: sheet.ListOf(one),
		Source: "the catalog", Doc: "These models, and then those of the catalog: for a menu.",
		Call: func(a []sheet.Value) (sheet.Value, error) {
			v := recordList(models.Members)
			v.List = append(append([]sheet.Value(nil), a...), v.List...)
			return v, nil
		},
	}
}

// remembered is work that is done already: a view of a sheet keeps it until its arguments change.
type remembered struct {
	v   sheet.Value
	err error
}

func (remembered) Step() bool                    { return false }
func (remembered) Progress() float64             { return 1 }
func (r remembered) Value() (sheet.Value, error) { return r.v, r.err }

// readConfig reads the text of a config.json.
func readConfig(kin, models, fields *sheet.Kin, src string) (sheet.Value, error) {
	own := &sheet.Record{ID: "own", Name: "your own config.json", Group: "From a file", Kin: models,
		Fields: map[string]sheet.Value{}}
	r := fill(kin, "config.json")
	r.Fields["model"] = sheet.Value{Kind: sheet.Rec, Record: own}
	r.Fields["fields"] = recordList(nil)
	if strings.TrimSpace(src) == "" {
		r.say("summary", "No config.json has been read yet. Links don’t carry one: open the fold above and paste it, or "+
			"choose a model of the catalog.")
		return r.value(), nil
	}
	im, err := config.Read([]byte(src))
	if err != nil {
		var at *config.Error
		if errors.As(err, &at) {
			err = errors.New(at.In(src))
		}
		return sheet.Value{}, err
	}
	ownModel(own, &im)
	r.say("summary", configSummary(&im))
	r.Fields["fields"] = recordList(configFields(fields, &im))
	return r.value(), nil
}

// ownModel fills in what a file says of a model.
func ownModel(r *sheet.Record, im *config.Import) {
	im.Model.Name = called(im.Model.Name)
	r.Name, r.Of = im.Model.Name, &im.Model
	modelFields(&model.Known{Model: im.Model}, func(name, _ string, v sheet.Value, known bool) {
		if known {
			r.Fields[name] = v
		}
	})
	r.Noted = func(string) string { return "from your config.json" }
}

// called is the name of a model from a file, short enough for the heads of tables: the last of a path.
func called(name string) string {
	name = strings.TrimRight(name, "/ ")
	name = strings.TrimSpace(name[strings.LastIndexByte(name, '/')+1:])
	if name == "" {
		return "Your model"
	}
	return phrase.Printable(name, 28)
}

// configSummary says how a file was read.
func configSummary(im *config.Import) string {
	said := "Read as " + im.Family
	if a := im.Architecture; a != "" {
		said += ", " + a
	}
	said += ": " + strconv.Itoa(len(im.Understood)) + " fields understood, " + strconv.Itoa(len(im.Ignored)) +
		" ignored, " + strconv.Itoa(len(im.Missing)) + " missing and assumed, " + strconv.Itoa(len(im.Unknown)) + " unknown; "
	switch n := len(im.Doubts); n {
	case 0:
		return said + "no doubts"
	case 1:
		return said + "one doubt"
	default:
		return said + strconv.Itoa(n) + " doubts"
	}
}

// configFields are what is said of each field, what puts the counts in doubt first.
func configFields(kin *sheet.Kin, im *config.Import) []*sheet.Record {
	var all []*sheet.Record
	for _, list := range []struct {
		became string
		notes  []config.Note
	}{{"doubtful", im.Doubts}, {"unknown", im.Unknown}, {"missing, assumed", im.Missing}, {"understood", im.Understood},
		{"ignored", im.Ignored}} {
		for _, n := range list.notes {
			r := fill(kin, n.Field)
			r.say("field", n.Field)
			r.say("became", list.became)
			r.say("why", n.Text)
			all = append(all, r.Record)
		}
	}
	return all
}
