package library

import (
	"errors"
	"strconv"
	"strings"
	"sync"

	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/model/config"
	"github.com/scalebook/scalebook/app/model/layer"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// addModels offers every model by its family, llama3.70b, and all of them as one record type, so that a menu offers
// them all.
func addModels(env *value.Env, catalog *model.Models) {
	rt := withFields(value.RecordType{Name: "model", Members: make([]*value.Record, 0, len(catalog.All))}, nil)
	for _, k := range catalog.All {
		r := modelRecord(k, rt)
		rt.Members = append(rt.Members, r)
		addMember(env, value.RecordType{Name: "family of models"}, r)
	}
	env.RecordTypes = append(env.RecordTypes, rt)
}

// modelRecord is k as a sheet sees it.
func modelRecord(k *model.Known, rt *value.RecordType) *value.Record {
	read := func() map[string]value.Value {
		r := newRecord(rt, k.Name)
		modelFields(r, k)
		return r.Fields
	}
	return &value.Record{ID: k.ID, Name: k.Name, Group: k.Group, Type: rt, Of: &k.Model, Read: sync.OnceValue(read),
		Noted: func(field string) any { return modelNote(k, field) }}
}

// modelFields sets what is known of k. Labels and units of the fields stand in the table of fields.
func modelFields(r recordBuilder, k *model.Known) {
	r.say("name", k.Name)
	r.say("attention", attentionOf(k))
	r.flag("gated", !k.Plain)
	r.flag("tied", k.Tied)
	for _, f := range modelSizes(k) {
		if !f.missing {
			r.num(f.name, float64(f.value))
		}
	}
	r.num("state_bytes", float64(k.StateBytes()))
	r.num("index_bytes", float64(k.IndexBytes(1)))
	r.num("state_flops", float64(k.StateFLOPs(model.Forward)))
	for _, f := range modelCounts(k) {
		r.num(f.name, f.value)
	}
}

// modelSize is a size of a model's configuration; a model may lack it.
type modelSize struct {
	name    string
	value   int
	missing bool
}

// modelSizes are the same ones in the same order for every model.
func modelSizes(k *model.Known) [19]modelSize {
	l, dense := k.Layer(0), k.MoE.Experts == 0
	experts, windowed := k.CountLayers(model.Layer.WithExperts), k.CountLayers(model.Layer.WithWindow)
	return [...]modelSize{
		{"layers", k.Layers, false},
		{"width", k.Width, false},
		{"d_model", k.Width, false},
		{"heads", k.Heads, false},
		{"kv_heads", l.KVHeads, false},
		{"head_size", l.HeadSize, false},
		{"value_size", l.ValueSize, false},
		{"ff_width", k.FFWidth, k.FFWidth == 0},
		{"vocab", k.Vocab, false},
		{"context", k.Context, k.Context == 0},
		{"experts", k.MoE.Experts, dense},
		{"experts_per_token", k.MoE.PerToken, dense},
		{"shared_experts", k.MoE.Shared, dense},
		{"expert_width", k.ExpertWidth(), dense},
		{"expert_layers", experts, dense},
		{"window", k.Window.Size, k.Window.Size == 0},
		{"windowed_layers", windowed, false},
		{"kv_rank", k.MLA.KVRank, k.MLA.KVRank == 0},
		{"rope_size", k.MLA.RopeSize, k.MLA.KVRank == 0},
	}
}

// modelCount is something that is counted of a model.
type modelCount struct {
	name  string
	value float64
}

// modelCounts are the same ones in the same order for every model.
func modelCounts(k *model.Known) [15]modelCount {
	p, a := k.Params(), k.Active()
	return [...]modelCount{
		{"params", p.Total()},
		{"active_params", a.Total()},
		{"active_params_without_input_embedding", a.Total() - a.Lookup()},
		{"matmul_params", a.Matmul()},
		{"embedding_params", p.Lookup() + p.Unembedding},
		{"unembedding_params", p.Unembedding},
		{"attention_params", p.Attention() - p.Linear - p.Index},
		{"linear_params", p.Linear},
		{"index_params", p.Index},
		{"mlp_params", p.FeedForward()},
		{"active_mlp_params", a.FeedForward()},
		{"expert_params", p.Routed},
		{"other_params", p.Small()},
		{"kv_elements", float64(k.KVBytesPerToken(1))},
		{"attention_width", float64(k.AttentionFLOPs(1, model.Full, model.Forward)) / 4},
	}
}

// attentionOf is how the field calls k's attention.
func attentionOf(k *model.Known) string {
	switch l := k.Layer(0); {
	case k.MLA.KVRank != 0:
		return "MLA"
	case l.KVHeads == 1:
		return "MQA"
	case l.KVHeads == l.Heads:
		return "MHA"
	}
	return "GQA"
}

// modelNote is where a field of k comes from; "note" is about all of k.
func modelNote(k *model.Known, field string) any {
	switch field {
	case "note":
		return phrase.Name(k.Note)
	case "params":
		return countedAs(k, k.PublishedTotal)
	case "active_params", "active_params_without_input_embedding":
		if k.PublishedActive != "" {
			return countedAs(k, k.PublishedActive)
		}
	}
	return dated(k.Source.Title, k.Source.Date)
}

// countedAs says that a number is counted, and what its publisher prints instead.
func countedAs(k *model.Known, figure string) any {
	return phrase.New("library.counted-published", "figure", published(figure), "source", k.Figure.Title)
}

// published is a figure of the catalog without the words for its comparison, an exact count with its digits in groups.
func published(text string) string {
	figure, _, _ := strings.Cut(text, " ")
	if len(figure) > 9 && strings.Trim(figure, "0123456789") == "" {
		return quantity.Grouped(figure)
	}
	return figure
}

// addModelTables offers the sizes and the counts of two models, beside each other.
func addModelTables(env *value.Env) {
	one := typeOfRecord(env.RecordType("model"))
	for _, t := range []struct {
		of   value.RecordType
		f    value.Func
		rows func(rt *value.RecordType, a, b *value.Record) []*value.Record
	}{
		{value.RecordType{Name: "model size"}, value.Func{Name: "model_sizes",
			Doc: "The sizes of one model, and of another one if there is one."}, sizeRows},
		{value.RecordType{Name: "model count"}, value.Func{Name: "model_counts",
			Doc: "Three ways to count a model’s parameters, exactly, and what its publisher prints."}, countRows},
	} {
		rt, f := withFields(t.of, nil), t.f
		f.Params = []value.Param{param("model", one), param("other", one)}
		f.Result, f.Source, f.Work = listType(rt), "counted", 1<<12
		f.Call = func(a []value.Value) (value.Value, error) {
			return recordList(t.rows(rt, a[0].Record, a[1].Record)), nil
		}
		env.Funcs[f.Name] = &f
	}
}

// shapeOf is the model behind a record; nil if there is none.
func shapeOf(r *value.Record) *model.Model {
	m, _ := r.Of.(*model.Model)
	return m
}

// sizeRows is a line for each size that one of the two has.
func sizeRows(rt *value.RecordType, a, b *value.Record) []*value.Record {
	of := func(r *value.Record) []model.Size {
		if m := shapeOf(r); m != nil {
			return m.Sizes()
		}
		return nil
	}
	x, y := of(a), of(b)
	names := x
	if x == nil {
		names = y
	}
	var all []*value.Record
	for i, s := range names {
		r, any := newRecord(rt, s.Name), false
		r.say("size", s.Name)
		for column, sizes := range map[string][]model.Size{"model": x, "other": y} {
			if sizes != nil && sizes[i].Text != nil {
				r.say(column, sizes[i].Text)
				any = true
			}
		}
		if any {
			all = append(all, r.Record)
		}
	}
	return all
}

// countRows is a line for each of the three counts.
func countRows(rt *value.RecordType, a, b *value.Record) []*value.Record {
	var all []*value.Record
	for i, key := range []string{"library.params-stored", "library.params-active", "library.params-without-input"} {
		r := newRecord(rt, phrase.New(key))
		r.say("count", r.called())
		r.count("", a, i)
		r.count("other_", b, i)
		all = append(all, r.Record)
	}
	return all
}

// count fills in the columns of a model: its count in full, and what its publisher prints.
func (r recordBuilder) count(prefix string, of *value.Record, i int) {
	m := shapeOf(of)
	if m == nil {
		return
	}
	n := [...]float64{m.Total(), m.ActiveTotal(), m.ActiveWithoutLookup()}[i]
	r.say(prefix+"counted", quantity.Grouped(strconv.FormatFloat(n, 'f', -1, 64)))
	if k, err := model.Catalog().Get(of.ID); err == nil {
		if text := publishedAs(k, i); text != "" {
			r.say(prefix+"published", text)
		}
	}
}

// publishedAs is what the publisher prints for one of the three counts; empty if that isn't one of them.
func publishedAs(k *model.Known, i int) string {
	text := k.PublishedTotal
	if i > 0 {
		text = ""
		if without := strings.HasSuffix(k.PublishedActive, " without"); without == (i == 2) {
			text = k.PublishedActive
		}
	}
	return published(text)
}

// addConfigs offers the reader's own model, from the text of a config.json, to stand among those of the catalog.
func addConfigs(env *value.Env) {
	models, fields := env.RecordType("model"), withFields(value.RecordType{Name: "configuration field"}, nil)
	one := typeOfRecord(models)
	rt := withFields(value.RecordType{Name: "configuration"}, map[string]value.Type{"model": one,
		"fields": listType(fields)})
	read := func(a []value.Value) (value.Value, error) { return readConfig(rt, models, fields, a[0].Text) }
	env.Funcs["model_config"] = &value.Func{
		Name: "model_config", Params: []value.Param{param("config", text)}, Source: "counted field by field",
		Result: typeOfRecord(rt), Work: 1 << 16, Call: read, Begin: once(read),
		Doc: "The model that the text of a config.json describes, and what became of each field. Without a text it " +
			"is a model of which nothing is known yet.",
	}
	env.Funcs["model_answer"] = &value.Func{
		Name: "model_answer", Result: text, Work: 1 << 10, Source: "counted",
		Params: []value.Param{param("model", one), param("weights", dtype), param("size", bytes),
			param("context", plain), param("cache", bytes), param("batch", plain), param("alone", text)},
		Doc: "In sentences: parameters, bytes of weights and of a sequence’s cache, and chips that hold them alone.",
		Call: func(a []value.Value) (value.Value, error) {
			sizes := []any{"weights", a[1], "size", a[2].Num, "length", a[3].Num, "cache", a[4].Num, "many", a[5].Num,
				"alone", a[6]}
			has, counts := "library.model-dense", [2]quantity.Quantity{}
			for i, name := range [...]string{"params", "active_params"} {
				n, known := a[0].Record.Field(name)
				if !known {
					return value.Value{}, value.MissingField(a[0].Record, &value.Field{Name: name})
				}
				counts[i] = n.Num
			}
			if counts[1].Value < counts[0].Value {
				has = "library.model-sparse"
			}
			said := phrase.Sentences(phrase.New(has, "model", a[0], "params", counts[0], "active", counts[1]),
				phrase.New("library.model-answer", sizes...))
			return spoken(said), nil
		},
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
func readConfig(rt, models, fields *value.RecordType, src string) (value.Value, error) {
	mine := newRecord(models, phrase.New("library.own-config"))
	mine.ID, mine.Group = "own", english(phrase.New("library.from-a-file"))
	r := newRecord(rt, "config.json")
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
func ownModel(r recordBuilder, im *config.Import) {
	im.Model.Name = called(im.Model.Name)
	r.Name, r.Of = im.Model.Name, &im.Model
	modelFields(r, &model.Known{Model: im.Model})
	r.Noted = func(string) any { return phrase.New("library.from-config") }
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
func configFields(rt *value.RecordType, im *config.Import) []*value.Record {
	var all []*value.Record
	for _, list := range []struct {
		became string
		notes  []config.Note
	}{{"library.doubtful", im.Doubts}, {"library.unknown", im.Unknown}, {"library.missing-assumed", im.Missing},
		{"library.understood", im.Understood}, {"library.ignored", im.Ignored}} {
		for _, n := range list.notes {
			r := newRecord(rt, n.Field)
			r.say("field", n.Field)
			r.say("became", phrase.New(list.became))
			r.say("why", n.Text)
			all = append(all, r.Record)
		}
	}
	return all
}

// layers offers the layers of a model, kind by kind and box by box.
type layers struct{ kinds, layers, boxes *value.RecordType }

// addLayers offers them.
func addLayers(env *value.Env) {
	n := &layers{newRecordType(env, "layer kind", nil), newRecordType(env, "layer", nil),
		newRecordType(env, "layer box", nil)}
	register(env, law.CountedBoxes, []funcDecl{
		{Name: "layer_kinds", Takes: "model model", Gives: "list layer kind", Work: 1 << 10, Call: n.layerKinds,
			Doc: "The different layers of a model, the most frequent first: with experts or a dense MLP, with a " +
				"window or without."},
		{Name: "model_layer", Takes: "kind layer kind, T, pass text, mask text", Gives: "layer", Work: 1 << 12,
			Call: n.modelLayer,
			Doc: "A layer of a model, box by box, that looks at T tokens. pass: \"train\" or \"forward\"; mask: " +
				"which scores are counted, \"windowed\" (those it looks at), \"causal\" (the causal half, windows " +
				"ignored) or \"full\"."},
		{Name: "layer_boxes", Takes: "layer layer", Gives: "list layer box", Work: 1 << 12, Call: n.layerBoxes,
			Doc: "The boxes of a layer from its input to its output: what each stores and takes."},
		{Name: "main_box", Takes: "layer layer", Gives: "layer box", Work: 1 << 12, Call: n.mainBox,
			Doc: "The first box of a layer that has a matrix."},
	})
}

// mainBox is the first box of a layer that has a matrix.
func (n *layers) mainBox(a []value.Value) (value.Value, error) {
	y := a[0].Record.Of.(*layer.Counted)
	_, flops := y.Sums(y.Pass)
	return boxRecord(n.boxes, y.Box(""), y.Pass, flops), nil
}

// kindOfLayer is what is behind a record of a kind: the model, and the layer.
type kindOfLayer struct {
	model *model.Model
	layer.Kind
}

func (n *layers) layerKinds(a []value.Value) (value.Value, error) {
	m, _ := a[0].Record.Of.(*model.Model)
	if m == nil {
		return value.Value{}, phrase.Fault{What: phrase.New("library.no-model", "value", a[0]),
			Remedy: phrase.New("library.give-model")}
	}
	var all []*value.Record
	for _, k := range layer.Kinds(m) {
		r := newRecord(n.kinds, k.Name)
		r.ID, r.Of = k.ID, kindOfLayer{m, k}
		r.num("layers", float64(k.Count))
		r.num("window", float64(k.Window))
		r.flag("experts", k.Experts)
		all = append(all, r.Record)
	}
	return recordList(all), nil
}

func (n *layers) modelLayer(a []value.Value) (value.Value, error) {
	k := a[0].Record.Of.(kindOfLayer)
	T := a[1].Num.Value
	if !(T >= 1) {
		return value.Value{}, phrase.Fault{What: phrase.New("library.sequence-of", "tokens", a[1].Num),
			Remedy: phrase.New("library.give-at-least-one")}
	}
	pass, ok := map[string]model.Pass{"train": model.Train, "forward": model.Forward}[a[2].Text]
	if !ok {
		return value.Value{}, phrase.Fault{What: phrase.New("library.no-pass", "pass", strconv.Quote(a[2].Text)),
			Remedy: phrase.New("library.write-train-or-forward")}
	}
	mask, ok := map[string]model.Mask{"windowed": model.Windowed, "causal": model.Causal, "full": model.Full}[a[3].Text]
	if !ok {
		return value.Value{}, phrase.Fault{What: phrase.New("library.no-mask", "mask", strconv.Quote(a[3].Text)),
			Remedy: phrase.New("library.write-mask")}
	}
	y := &layer.Counted{Layer: layer.New(k.model, k.Kind.Layer, T, mask), Pass: pass}
	params, flops := y.Sums(pass)
	r := newRecord(n.layers, phrase.New("library.layer-of", "model", k.model.Name))
	r.Of = y
	r.num("params", params)
	r.num("flops", flops)
	return r.value(), nil
}

func (n *layers) layerBoxes(a []value.Value) (value.Value, error) {
	y := a[0].Record.Of.(*layer.Counted)
	_, flops := y.Sums(y.Pass)
	var all []*value.Record
	for _, b := range y.Boxes() {
		all = append(all, boxRecord(n.boxes, b, y.Pass, flops).Record)
	}
	return recordList(all), nil
}

// boxRecord is a box of a layer that takes so many operations.
func boxRecord(rt *value.RecordType, b *layer.Box, pass model.Pass, flops float64) value.Value {
	r := newRecord(rt, strings.ReplaceAll(b.Title(phrase.Phrases{}), "_", " "))
	if b.Sub == "" {
		r.Phrase = b.Name
	}
	r.ID, r.Of = b.ID, b
	if b.Rows != nil {
		r.say("weights", b.Shape(false))
	}
	r.say("gives", b.Gives(false))
	r.num("params", b.Params())
	if x := b.FLOPs(pass); x > 0 {
		r.num("flops", x)
		r.num("share", x/flops)
	}
	return r.value()
}
