package library

import (
	"errors"
	"strings"

	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/model/config"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// addConfigs offers the reader's own model, from the text of a config.json, to stand among those of the catalog.
func addConfigs(env *value.Env) {
	models, fields := kinNamed(env, "model"), withFields(value.RecordType{Name: "configuration field"}, nil)
	one := kinType(models)
	kin := withFields(value.RecordType{Name: "configuration"}, map[string]value.Type{"model": one,
		"fields": listType(fields)})
	read := func(a []value.Value) (value.Value, error) { return readConfig(kin, models, fields, a[0].Text) }
	env.Funcs["model_config"] = &value.Func{
		Name: "model_config", Params: []value.Param{param("config", text)}, Source: "counted field by field",
		Result: kinType(kin), Work: 1 << 16, Call: read, Begin: once(read),
		Doc: "The model that the text of a config.json describes, and what became of each field. Without a text it is a " +
			"model of which nothing is known yet.",
	}
	none := newRecord(models, phrase.New("library.no-other-model"))
	none.ID = "none"
	env.Values["no_model"] = none.value()
	env.Funcs["models_and"] = &value.Func{
		Name: "models_and", Params: []value.Param{param("first", one)}, Variadic: true, Result: value.ListOf(one),
		Source: law.Catalog, Doc: "These models, and then those of the catalog: for a menu.",
		Call: func(a []value.Value) (value.Value, error) {
			v := recordList(models.Members)
			v.List = append(append([]value.Value(nil), a...), v.List...)
			return v, nil
		},
	}
}

// readConfig reads the text of a config.json.
func readConfig(kin, models, fields *value.RecordType, src string) (value.Value, error) {
	mine := newRecord(models, phrase.New("library.own-config"))
	mine.ID, mine.Group = "own", english(phrase.New("library.from-a-file"))
	r := newRecord(kin, "config.json")
	r.Fields["model"] = value.Value{Kind: value.Rec, Record: mine.Record}
	r.Fields["fields"] = recordList(nil)
	if strings.TrimSpace(src) == "" {
		r.say("summary", phrase.New("library.no-config"))
		return r.value(), nil
	}
	im, err := config.Read([]byte(src))
	if err != nil {
		var at *config.Error
		if errors.As(err, &at) {
			err = at.Beside(src)
		}
		return value.Value{}, err
	}
	ownModel(mine, &im)
	r.say("summary", configSummary(&im))
	r.Fields["fields"] = recordList(configFields(fields, &im))
	return r.value(), nil
}

// ownModel fills in what a file says of a model.
func ownModel(r filling, im *config.Import) {
	im.Model.Name = called(im.Model.Name)
	r.Name, r.Of = im.Model.Name, &im.Model
	modelFields(r, &model.Known{Model: im.Model})
	r.Noted = func(string) string { return english(phrase.New("library.from-config")) }
}

// called is the name of a model from a file, short enough for the heads of tables: the last of a path.
func called(name string) string {
	name = strings.TrimRight(name, "/ ")
	name = strings.TrimSpace(name[strings.LastIndexByte(name, '/')+1:])
	if name == "" {
		return english(phrase.New("library.your-model"))
	}
	return phrase.Printable(name, 28)
}

// configSummary says how a file was read.
func configSummary(im *config.Import) *phrase.Phrase {
	as := []string{im.Family}
	if im.Architecture != "" {
		as = append(as, im.Architecture)
	}
	doubts := phrase.Count(len(im.Doubts), "library.doubts")
	if len(im.Doubts) == 0 {
		doubts = phrase.New("library.no-doubts")
	}
	return phrase.New("library.config-read", "as", phrase.Commas(as), "understood", len(im.Understood),
		"ignored", len(im.Ignored), "missing", len(im.Missing), "unknown", len(im.Unknown), "doubts", doubts)
}

// configFields are what is said of each field, what puts the counts in doubt first.
func configFields(kin *value.RecordType, im *config.Import) []*value.Record {
	var all []*value.Record
	for _, list := range []struct {
		became string
		notes  []config.Note
	}{{"library.doubtful", im.Doubts}, {"library.unknown", im.Unknown}, {"library.missing-assumed", im.Missing},
		{"library.understood", im.Understood}, {"library.ignored", im.Ignored}} {
		for _, n := range list.notes {
			r := newRecord(kin, n.Field)
			r.say("field", n.Field)
			r.say("became", phrase.New(list.became))
			r.say("why", n.Text)
			all = append(all, r.Record)
		}
	}
	return all
}
