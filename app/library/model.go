package library

import (
	"strings"
	"sync"

	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// addModels offers every model by its family, llama3.70b, and all of them as one record type, so that a menu offers
// them all.
func addModels(env *value.Env, catalog *model.Models) {
	kin := withFields(value.RecordType{Name: "model", Members: make([]*value.Record, 0, len(catalog.All))}, nil)
	for _, k := range catalog.All {
		r := modelRecord(k, kin)
		kin.Members = append(kin.Members, r)
		family, member, _ := strings.Cut(k.ID, ".")
		modelFamily(env, family).Fields[member] = value.Value{Kind: value.Rec, Record: r}
	}
	env.RecordTypes = append(env.RecordTypes, kin)
}

// modelRecord is k as a sheet sees it.
func modelRecord(k *model.Known, kin *value.RecordType) *value.Record {
	read := func() map[string]value.Value {
		r := newRecord(kin, k.Name)
		modelFields(r, k)
		return r.Fields
	}
	return &value.Record{ID: k.ID, Name: k.Name, Group: k.Group, Type: kin, Of: &k.Model, Read: sync.OnceValue(read),
		Noted: func(field string) string { return modelNote(k, field) }}
}

// modelFields sets what is known of k. Labels and units of the fields stand in the table of fields.
func modelFields(r filling, k *model.Known) {
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

// modelFamily is the record whose fields are the members of a family: llama3 in llama3.70b.
func modelFamily(env *value.Env, name string) *value.Record {
	if _, ok := env.Values[name]; !ok {
		env.Values[name] = value.Value{Kind: value.Rec, Record: &value.Record{ID: name, Name: name,
			Type: &value.RecordType{Name: "family of models"}, Fields: map[string]value.Value{}}}
	}
	return env.Values[name].Record
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
func modelNote(k *model.Known, field string) string {
	switch field {
	case "note":
		return k.Note
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
func countedAs(k *model.Known, figure string) string {
	return english(phrase.New("library.counted-published", "figure", published(figure), "source", k.Figure.Title))
}

// published is a figure of the catalog without the words for its comparison, an exact count with its digits in groups.
func published(text string) string {
	figure, _, _ := strings.Cut(text, " ")
	if len(figure) > 9 && strings.Trim(figure, "0123456789") == "" {
		return quantity.Grouped(figure)
	}
	return figure
}
