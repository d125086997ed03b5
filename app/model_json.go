package main

import (
	"io"
	"strings"

	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/model/config"
)

// modelJSON is what model -json prints.
type modelJSON struct {
	Name         string             `json:"name"`
	Architecture string             `json:"architecture"`
	Family       string             `json:"family"`
	Context      int                `json:"context"`
	DType        string             `json:"dtype"`
	Total        float64            `json:"params_total"`
	Active       float64            `json:"params_active"`
	ActiveBare   float64            `json:"params_active_without_input_embedding"`
	KV           float64            `json:"kv_bytes_per_token"`
	Index        float64            `json:"index_bytes_per_token,omitempty"`
	State        float64            `json:"state_bytes_per_sequence,omitempty"`
	FLOPs        float64            `json:"flops_per_token_train"`
	Parts        map[string]float64 `json:"parts"`
	Apart        map[string]float64 `json:"apart,omitempty"` // by field: encoders, modules that predict further tokens
	Ignored      []string           `json:"ignored"`         // those nobody knows included
	Missing      []string           `json:"missing"`
	Doubts       []string           `json:"doubts"`
	Notes        []noteJSON         `json:"notes"`
}

type noteJSON struct {
	List  string `json:"list"` // understood, ignored, unknown, missing, doubts
	Field string `json:"field"`
	Text  string `json:"text"`
}

// writeModelJSON prints a model for programs: one object on one line, numbers in base units.
func writeModelJSON(w io.Writer, im config.Import, q question) error {
	m := &im.Model
	j := modelJSON{Name: m.Name, Architecture: im.Architecture, Family: im.Family, Context: q.context, DType: q.dtype,
		Total: m.Total(), Active: m.ActiveTotal(), ActiveBare: m.ActiveWithoutLookup(),
		KV:    float64(m.KVBytesPerToken(q.element)),
		Index: float64(m.IndexBytes(1)), State: float64(m.StateBytes()),
		FLOPs: float64(m.FLOPsPerToken(float64(q.context), model.Windowed, model.Train)), Parts: map[string]float64{},
		Ignored: []string{}, Missing: fieldNames(im.Missing), Doubts: []string{}, Notes: []noteJSON{}}
	for _, a := range im.Apart {
		if j.Apart == nil {
			j.Apart = map[string]float64{}
		}
		j.Apart[a.Field] = a.Params
	}
	for _, p := range parts(m) {
		j.Parts[p.name] = p.value
	}
	j.Ignored = append(fieldNames(im.Ignored), fieldNames(im.Unknown)...)
	for _, n := range im.Doubts {
		j.Doubts = append(j.Doubts, strings.TrimPrefix(n.Field+": "+n.Text.String(), ": "))
	}
	for _, l := range accounts(im) {
		for _, n := range l.notes {
			j.Notes = append(j.Notes, noteJSON{l.name, n.Field, n.Text.String()})
		}
	}
	line, err := compactJSON(j)
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, line+"\n")
	return err
}

// fieldNames are the names of the fields of a list.
func fieldNames(notes []config.Note) []string {
	names := []string{}
	for _, n := range notes {
		names = append(names, n.Field)
	}
	return names
}
