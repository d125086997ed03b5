package answer

import (
	"strings"

	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/model/config"
	"github.com/scalebook/scalebook/app/quantity"
)

// Model is a counted model.
type Model struct {
	Name         string             `json:"name"`
	Architecture string             `json:"architecture"`
	Family       string             `json:"family"`
	Context      int                `json:"context" jsonschema:"tokens of a sequence, for what depends on them"`
	DType        string             `json:"dtype" jsonschema:"of the KV cache"`
	Total        float64            `json:"params_total" jsonschema:"parameters"`
	Active       float64            `json:"params_active" jsonschema:"parameters that a token uses"`
	ActiveBare   float64            `json:"params_active_without_input_embedding" jsonschema:"the same without lookup"`
	KV           float64            `json:"kv_bytes_per_token" jsonschema:"byte, windows not counted"`
	Index        float64            `json:"index_bytes_per_token,omitempty" jsonschema:"byte of keys of sparse attention"`
	State        float64            `json:"state_bytes_per_sequence,omitempty" jsonschema:"byte of recurrent state"`
	FLOPs        float64            `json:"flops_per_token_train" jsonschema:"FLOP of training a token, causal"`
	Parts        map[string]float64 `json:"parts" jsonschema:"parameters by part"`
	Apart        map[string]float64 `json:"apart,omitempty" jsonschema:"parameters beside the language model, by field"`
	Ignored      []string           `json:"ignored" jsonschema:"fields that change nothing, or are not known"`
	Missing      []string           `json:"missing" jsonschema:"fields that are assumed"`
	Doubts       []string           `json:"doubts" jsonschema:"what may make these numbers wrong"`
	Notes        []Note             `json:"notes" jsonschema:"what became of each field"`
}

type Note struct {
	List  string `json:"list" jsonschema:"understood, ignored, unknown, missing or doubts"`
	Field string `json:"field"`
	Text  string `json:"text"`
}

// ModelOf counts a model: what depends on the length of its sequences at so many tokens, the cache with elements of a
// dtype of so many bytes.
func ModelOf(im config.Import, context int, dtype string, element quantity.Bytes) Model {
	m := &im.Model
	j := Model{Name: m.Name, Architecture: im.Architecture, Family: im.Family, Context: context, DType: dtype,
		Total: m.Total(), Active: m.ActiveTotal(), ActiveBare: m.ActiveWithoutLookup(),
		KV:    float64(m.KVBytesPerToken(element)),
		Index: float64(m.IndexBytes(1)), State: float64(m.StateBytes()),
		FLOPs: float64(m.FLOPsPerToken(float64(context), model.Windowed, model.Train)), Parts: map[string]float64{},
		Ignored: []string{}, Missing: fieldNames(im.Missing), Doubts: []string{}, Notes: []Note{}}
	for _, a := range im.Apart {
		if j.Apart == nil {
			j.Apart = map[string]float64{}
		}
		j.Apart[a.Field] = a.Params
	}
	for _, p := range Parts(m) {
		j.Parts[p.Name] = p.Value
	}
	j.Ignored = append(fieldNames(im.Ignored), fieldNames(im.Unknown)...)
	for _, n := range im.Doubts {
		j.Doubts = append(j.Doubts, strings.TrimPrefix(n.Field+": "+n.Text.String(), ": "))
	}
	for _, l := range Accounts(im) {
		for _, n := range l.Notes {
			j.Notes = append(j.Notes, Note{l.Name, n.Field, n.Text.String()})
		}
	}
	return j
}

// fieldNames are the names of the fields of a list.
func fieldNames(notes []config.Note) []string {
	names := []string{}
	for _, n := range notes {
		names = append(names, n.Field)
	}
	return names
}

// Account is one of the lists of an import.
type Account struct {
	Name, Title string
	Notes       []config.Note
}

// Accounts are the lists of an import, the doubtful ones first.
func Accounts(im config.Import) []Account {
	return []Account{
		{"doubts", "What may make these numbers wrong", im.Doubts},
		{"missing", "Not in the file, and assumed", im.Missing},
		{"unknown", "Not known", im.Unknown},
		{"understood", "Understood", im.Understood},
		{"ignored", "Ignored", im.Ignored},
	}
}

// Part is a share of the parameters; together they are all.
type Part struct {
	Name, Label string
	Value       float64
}

// Parts are those of a model, in the order of its layers.
func Parts(m *model.Model) []Part {
	p := m.Params()
	all := []Part{
		{"embedding", "input embedding", p.Embedding},
		{"unembedding", unembedding(m), p.Unembedding},
		{"positions", "learned positions", p.Positions},
		{"attention", "attention’s projections", p.Attention() - p.Linear - p.Index},
		{"mlp", "dense MLPs", p.MLP},
		{"routed_experts", "routed experts", p.Routed},
		{"shared_experts", "shared experts", p.Shared},
		{"router", "routers", p.Router},
		{"norms", "norms", p.Norms},
		{"biases", "biases", p.Biases},
		{"sinks", "attention sinks", p.Sinks},
	}
	for _, x := range []Part{
		{"linear", "layers with a state", p.Linear},
		{"index", "indexes of sparse attention", p.Index},
		{"narrow", "into and out of the experts’ space", p.Narrow},
		{"layer_embeddings", "embeddings of each layer", p.PerLayer},
		{"injected", "paths into the layers and beside them", p.Injected},
		{"unused", "keys and values that are stored and not used", p.Unused},
	} {
		if x.Value != 0 {
			all = append(all, x)
		}
	}
	return all
}

func unembedding(m *model.Model) string {
	if m.Tied {
		return "embedding and unembedding, one matrix"
	}
	return "unembedding"
}
