package library

import (
	"strings"

	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet"
)

// flag is the type of yes or no.
var flag = sheet.Type{Kind: sheet.Bool}

// addModels offers every model by its family, llama3.70b, and all of them as one kin, so that a menu offers them all.
func addModels(env *sheet.Env, catalog *model.Models) {
	kin := &sheet.Kin{Name: "model", Methods: map[string]*sheet.Func{}}
	for i, k := range catalog.All {
		r := &sheet.Record{ID: k.ID, Name: k.Name, Group: k.Group, Kin: kin, Noted: func(field string) string { return modelNote(k, field) },
			Fields: make(map[string]sheet.Value, 48)}
		for _, f := range modelFacts(k) {
			if i == 0 {
				kin.Fields = append(kin.Fields, sheet.Field{Name: f.name, Label: f.label, Type: f.value.Type()})
			}
			if f.known {
				r.Fields[f.name] = f.value
			}
		}
		kin.Members = append(kin.Members, r)
		family, member, _ := strings.Cut(k.ID, ".")
		modelFamily(env, family).Fields[member] = sheet.Value{Kind: sheet.Rec, Record: r}
	}
	env.Kins = append(env.Kins, kin)
	for _, l := range modelLaws(kin) {
		f := l.function()
		env.Funcs[l.name] = f
		if kin := f.Params[0].Type.Kin; kin != nil {
			kin.Methods[l.name] = f
		}
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

// modelFact is one thing that a sheet can ask of a model, and whether this model has it.
type modelFact struct {
	name, label string
	value       sheet.Value
	known       bool
}

// modelFacts are the fields of a model's record, the same ones in the same order for every model.
func modelFacts(k *model.Known) []modelFact {
	l := k.Layer(0)
	experts, windowed := layersWith(k)
	dense := k.MoE.Experts == 0
	facts := []modelFact{
		textFact("name", "name", k.Name), textFact("attention", "kind of attention", attentionOf(k)),
		flagFact("gated", "gated MLP", !k.Plain), flagFact("tied", "tied embeddings", k.Tied),
	}
	for _, f := range []struct {
		name, label, noun string
		value             int
		missing           bool
	}{
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
	} {
		facts = append(facts, numberFact(f.name, f.label, f.noun, float64(f.value), !f.missing))
	}
	return append(facts, parameterFacts(k)...)
}

// parameterFacts are those that are counted.
func parameterFacts(k *model.Known) []modelFact {
	p, a := k.Params(), k.Active()
	facts := []modelFact{
		numberFact("kv_elements", "elements of the KV cache for each token", "", float64(k.KVBytesPerToken(1)), true),
		numberFact("attention_width", "width of attention, all layers", "", float64(k.AttentionFLOPs(1, model.Full, model.Forward))/4, true),
	}
	for _, f := range []struct {
		name, label string
		value       float64
	}{
		{"params", "parameters", p.Total()},
		{"active_params", "parameters that a token uses", a.Total()},
		{"active_params_without_input_embedding", "parameters that a token uses, the input embedding left out", a.Total() - a.Lookup()},
		{"matmul_params", "weights that a token is multiplied with", a.Matmul()},
		{"embedding_params", "parameters of input embedding, positions and unembedding", p.Lookup() + p.Unembedding},
		{"unembedding_params", "parameters of the unembedding", p.Unembedding},
		{"attention_params", "parameters of attention's projections", p.Attention()},
		{"mlp_params", "parameters of MLPs, experts and routers", p.FeedForward()},
		{"active_mlp_params", "parameters of MLPs, experts and routers that a token uses", a.FeedForward()},
		{"expert_params", "parameters of routed experts", p.Routed},
		{"other_params", "parameters of norms and biases", p.Small()},
	} {
		facts = append(facts, numberFact(f.name, f.label, "parameter", f.value, true))
	}
	return facts
}

func numberFact(name, label, noun string, value float64, known bool) modelFact {
	return modelFact{name, label, sheet.Value{Kind: sheet.Number, Num: amount(value, noun)}, known}
}

func textFact(name, label, value string) modelFact {
	return modelFact{name, label, sheet.Value{Kind: sheet.Text, Text: value}, true}
}

func flagFact(name, label string, value bool) modelFact {
	return modelFact{name, label, sheet.Value{Kind: sheet.Bool, Bool: value}, true}
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
