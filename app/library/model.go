package library

import (
	"strings"
	"sync"

	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet"
)

// addModels offers every model by its family, llama3.70b, and all of them as one kin, so that a menu offers them all.
func addModels(env *sheet.Env, catalog *model.Models) {
	kin := &sheet.Kin{
		Name:    "model",
		Methods: map[string]*sheet.Func{},
		Members: make([]*sheet.Record, 0, len(catalog.All)),
	}
	modelFields(catalog.All[0], func(name, label string, v sheet.Value, _ bool) {
		kin.Fields = append(kin.Fields, sheet.Field{Name: name, Label: label, Type: v.Type()})
	})
	for _, k := range catalog.All {
		r := modelRecord(k, kin)
		kin.Members = append(kin.Members, r)
		family, member, _ := strings.Cut(k.ID, ".")
		modelFamily(env, family).Fields[member] = sheet.Value{Kind: sheet.Rec, Record: r}
	}
	env.Kins = append(env.Kins, kin)
}

// modelRecord is k as a sheet sees it.
func modelRecord(k *model.Known, kin *sheet.Kin) *sheet.Record {
	read := func() map[string]sheet.Value {
		fields := make(map[string]sheet.Value, len(kin.Fields))
		modelFields(k, func(name, _ string, v sheet.Value, known bool) {
			if known {
				fields[name] = v
			}
		})
		return fields
	}
	return &sheet.Record{ID: k.ID, Name: k.Name, Group: k.Group, Kin: kin, Of: &k.Model, Read: sync.OnceValue(read),
		Noted: func(field string) string { return modelNote(k, field) }}
}

// modelFields sets the fields of k: the same ones in the same order for every model, not all of them known.
func modelFields(k *model.Known, set func(name, label string, v sheet.Value, known bool)) {
	set("name", "name", sheet.Value{Kind: sheet.Text, Text: k.Name}, true)
	set("attention", "kind of attention", sheet.Value{Kind: sheet.Text, Text: attentionOf(k)}, true)
	set("gated", "gated MLP", sheet.Value{Kind: sheet.Bool, Bool: !k.Plain}, true)
	set("tied", "tied embeddings", sheet.Value{Kind: sheet.Bool, Bool: k.Tied}, true)
	for _, f := range modelSizes(k) {
		set(f.name, f.label, sheet.Value{Kind: sheet.Number, Num: amount(float64(f.value), f.noun)}, !f.missing)
	}
	state, index := k.StateBytes(), k.IndexBytes(1)
	set("state_bytes", "state of linear layers, for each sequence", quantityValue(state.Quantity()), true)
	set("index_bytes", "keys of the index, for each token", quantityValue(index.Quantity()), true)
	set("state_flops", "operations on states, for each token", quantityValue(k.StateFLOPs(model.Forward).Quantity()), true)
	for _, f := range modelCounts(k) {
		set(f.name, f.label, sheet.Value{Kind: sheet.Number, Num: amount(f.value, f.noun)}, true)
	}
}

// modelFamily is the record whose fields are the members of a family: llama3 in llama3.70b.
func modelFamily(env *sheet.Env, name string) *sheet.Record {
	if _, ok := env.Values[name]; !ok {
		env.Values[name] = sheet.Value{Kind: sheet.Rec, Record: &sheet.Record{ID: name, Name: name,
			Kin: &sheet.Kin{Name: "family of models"}, Fields: map[string]sheet.Value{}}}
	}
	return env.Values[name].Record
}

// modelSize is a size of a model's configuration; a model may lack it.
type modelSize struct {
	name, label, noun string
	value             int
	missing           bool
}

// modelSizes are the same ones in the same order for every model.
func modelSizes(k *model.Known) [18]modelSize {
	l, dense := k.Layer(0), k.MoE.Experts == 0
	experts, windowed := layersWith(k)
	return [...]modelSize{
		{"layers", "layers", "layer", k.Layers, false},
		{"width", "width", "", k.Width, false},
		{"d_model", "width", "", k.Width, false},
		{"heads", "query heads", "head", k.Heads, false},
		{"kv_heads", "heads of keys and values", "head", l.KVHeads, false},
		{"head_size", "size of a head", "", l.HeadSize, false},
		{"value_size", "size of a head's value", "", l.ValueSize, false},
		{"ff_width", "width of the dense MLP", "", k.FFWidth, k.FFWidth == 0},
		{"vocab", "vocabulary", "", k.Vocab, false},
		{"experts", "routed experts in a layer", "expert", k.MoE.Experts, dense},
		{"experts_per_token", "routed experts that a token uses", "expert", k.MoE.PerToken, dense},
		{"shared_experts", "experts that every token uses", "expert", k.MoE.Shared, dense},
		{"expert_width", "width of an expert", "", k.ExpertWidth(), dense},
		{"expert_layers", "layers with experts", "layer", experts, dense},
		{"window", "window", "token", k.Window.Size, k.Window.Size == 0},
		{"windowed_layers", "layers with a window", "layer", windowed, false},
		{"kv_rank", "rank of the latent of keys and values", "", k.MLA.KVRank, k.MLA.KVRank == 0},
		{"rope_size", "size of the rotary key that all heads share", "", k.MLA.RopeSize, k.MLA.KVRank == 0},
	}
}

// modelCount is something that is counted of a model.
type modelCount struct {
	name, label, noun string
	value             float64
}

// modelCounts are the same ones in the same order for every model.
func modelCounts(k *model.Known) [15]modelCount {
	p, a := k.Params(), k.Active()
	return [...]modelCount{
		{"params", "parameters", "parameter", p.Total()},
		{"active_params", "parameters that a token uses", "parameter", a.Total()},
		{
			"active_params_without_input_embedding",
			"parameters that a token uses without the input embedding",
			"parameter",
			a.Total() - a.Lookup(),
		},
		{"matmul_params", "weights that a token is multiplied with", "parameter", a.Matmul()},
		{
			"embedding_params",
			"parameters of embedding tables, positions and the unembedding included",
			"parameter",
			p.Lookup() + p.Unembedding,
		},
		{"unembedding_params", "parameters of the unembedding", "parameter", p.Unembedding},
		{"attention_params", "parameters of attention's projections", "parameter", p.Attention() - p.Linear - p.Index},
		{"linear_params", "parameters of layers with a state", "parameter", p.Linear},
		{"index_params", "parameters of indexes", "parameter", p.Index},
		{"mlp_params", "parameters of MLPs, experts and routers", "parameter", p.FeedForward()},
		{"active_mlp_params", "parameters of MLPs, experts and routers that a token uses", "parameter", a.FeedForward()},
		{"expert_params", "parameters of routed experts", "parameter", p.Routed},
		{"other_params", "parameters of norms and biases", "parameter", p.Small()},
		{"kv_elements", "elements of the KV cache for each token", "", float64(k.KVBytesPerToken(1))},
		{
			"attention_width",
			"width of attention, all layers",
			"",
			float64(k.AttentionFLOPs(1, model.Full, model.Forward)) / 4,
		},
	}
}

// amount is a number of things.
func amount(n float64, noun string) quantity.Quantity {
	return quantity.Quantity{Value: n, Label: quantity.Label{Over: noun}}
}

// layersWith is how many layers of k have experts, and how many a window.
func layersWith(k *model.Known) (experts, windowed int) {
	for i := range k.Layers {
		l := k.Layer(i)
		if l.Experts {
			experts++
		}
		if l.Window != 0 {
			windowed++
		}
	}
	return experts, windowed
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
		return "counted; published as " + published(k.PublishedTotal) + " (" + k.Figure.Title + ")"
	case "active_params", "active_params_without_input_embedding":
		if k.PublishedActive != "" {
			return "counted; published as " + published(k.PublishedActive) + " (" + k.Figure.Title + ")"
		}
	}
	if k.Source.Date == "" {
		return k.Source.Title
	}
	return k.Source.Title + ", " + k.Source.Date
}

// published is a figure of the catalog without the words for its comparison.
func published(text string) string {
	figure, _, _ := strings.Cut(text, " ")
	return figure
}
