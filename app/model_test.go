package main

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/answer"
	"github.com/scalebook/scalebook/app/sheet/value"
	"github.com/scalebook/scalebook/app/widget"
)

// counted is what programs read from model -json.
type counted struct {
	Total  float64            `json:"params_total"`
	Active float64            `json:"params_active"`
	Bare   float64            `json:"params_active_without_input_embedding"`
	KV     float64            `json:"kv_bytes_per_token"`
	State  float64            `json:"state_bytes_per_sequence"`
	FLOPs  float64            `json:"flops_per_token_train"`
	Parts  map[string]float64 `json:"parts"`
}

func modelAnswer(t *testing.T, args ...string) counted {
	t.Helper()
	var out, complaints bytes.Buffer
	if status := run(append([]string{"model", "-json"}, args...), strings.NewReader(""), &out,
		&complaints); status != ok {
		t.Fatalf("%v: exit %d: %s", args, status, complaints.String())
	}
	var a counted
	if err := json.Unmarshal(out.Bytes(), &a); err != nil {
		t.Fatal(err)
	}
	return a
}

// modelType is the catalog as sheets see it.
func modelType(t *testing.T) *value.RecordType {
	for _, rt := range widget.Env().RecordTypes {
		if rt.Name == "model" {
			return rt
		}
	}
	t.Fatal("sheets have no models")
	return nil
}

// The command and a sheet must say the same of a model of the catalog.
func TestModelAgreesWithSheets(t *testing.T) {
	for _, r := range modelType(t).Members {
		a := modelAnswer(t, r.ID)
		for field, got := range map[string]float64{
			"params": a.Total, "active_params": a.Active, "active_params_without_input_embedding": a.Bare,
			"kv_elements": a.KV / 2, "attention_params": a.Parts["attention"],
			"expert_params": a.Parts["routed_experts"],
		} {
			if want := r.All()[field].Num.Value; got != want {
				t.Errorf("%s: %s is %v, in sheets %v", r.ID, field, got, want)
			}
		}
	}
}

// Of every sample file: the parts are the whole; a token's operations are at least six for each weight that it meets
// and at most six for each parameter, the causal half of attention, and 18 for each four bytes of a state.
func TestModelAddsUp(t *testing.T) {
	files, err := filepath.Glob("model/config/testdata/configs/*.json")
	if err != nil || len(files) < 50 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		one, long := modelAnswer(t, file, "-context", "1"), modelAnswer(t, file, "-context", "100000")
		sum := 0.0
		for _, p := range one.Parts {
			sum += p
		}
		if sum != one.Total {
			t.Errorf("%s: the parts are %v, the whole is %v", file, sum, one.Total)
		}
		weights := one.Bare - one.Parts["norms"] - one.Parts["sinks"]
		if one.FLOPs > 6*one.Bare*1.001+18/4.*one.State || one.FLOPs < 6*weights*0.995 {
			t.Errorf("%s: %v operations for %v weights", file, one.FLOPs, weights)
		}
		if !(long.FLOPs > one.FLOPs) || long.KV != one.KV || one.Active > one.Total || one.Bare > one.Active {
			t.Errorf("%s: out of order: %+v, %+v", file, one, long)
		}
	}
}

// Models and chips are found by what people call them, too.
func TestNamesOfPeople(t *testing.T) {
	for name, want := range map[string]string{"llama3.1-70b": "llama3.70b",
		"meta-llama/Llama-3.1-8B-Instruct": "llama3.8b",
		"deepseek-v3":                      "deepseek.v3", "Qwen/Qwen3-8B": "qwen3.8b",
		"openai/gpt-oss-120b":                  "gpt_oss.120b",
		"mistralai/Mixtral-8x7B-Instruct-v0.1": "mixtral.8x7b", "llama3.8b": "llama3.8b"} {
		im, err := findModel(name, streams{})
		if err != nil || im.Model.ID != want {
			t.Errorf("%s is %q, not %s: %v", name, im.Model.ID, want, err)
		}
	}
	for name, want := range map[string]string{"RTX 4090": "gpu.rtx4090", "h100": "gpu.h100", "NVIDIA H200": "gpu.h200",
		"NVIDIA RTX 4090": "gpu.rtx4090", "v5e": "tpu.v5e", "AMD MI300X": "gpu.mi300x"} {
		if a, err := answer.FindChip(name); err != nil || a.ID != want {
			t.Errorf("%s is not %s: %v", name, want, err)
		}
	}
	for _, name := range []string{"nobody-7b", "8xH100"} {
		if a, err := answer.FindChip(name); err == nil {
			t.Errorf("%q is %s", name, a.ID)
		}
		if im, err := findModel(name, streams{}); err == nil {
			t.Errorf("%q is %s", name, im.Model.ID)
		}
	}
}
