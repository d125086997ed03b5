package library

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/explain"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// sampleWord draws a word that a text parameter takes.
func sampleWord(r *rand.Rand, name string) string {
	words := []string{"causal", "full", "windowed", "none"}
	if name == "keep" {
		words = []string{"all", "matmuls", "blocks"}
	}
	return `"` + words[r.IntN(len(words))] + `"`
}

// recordTypeOf is the record type of that name.
func recordTypeOf(env *value.Env, name string) *value.RecordType {
	for _, k := range env.RecordTypes {
		if k.Name == name {
			return k
		}
	}
	return nil
}

func TestModelsInSheets(t *testing.T) {
	env := New()
	evaluate(t, env, []evaluated{
		{"x = llama3.70b.params", "70.6 B parameters"},
		{"x = llama3.70b", "Llama 3.1 70B"},
		{"x = llama3.70b.d_model", "8192"},
		{"x = llama3.70b.layers", "80 layers"},
		{"x = llama3.70b.kv_bytes(int8)", "164 kB"},
		{"x = kv_bytes(llama3.70b)", "328 kB"},
		{"let m = mixtral.8x7b\nx = m.active_params", "12.9 B parameters"},
		{"let m = gpt_oss.120b\nx = m.active_params_without_input_embedding", "5.13 B parameters"},
		{"let m = qwen3.30b_a3b\nx = m.experts / m.experts_per_token", "16"},
		{"x = deepseek.v3.attention", "MLA"},
		{"x = gpt3.175b.attention", "MHA"},
		{"x = palm.540b.attention", "MQA"},
		{"x = gemma3.27b.attention", "GQA"},
		{"x = gemma3.27b.kv_bytes_at(1M token) / gemma3.27b.kv_bytes()", "16"},
		{"x = llama3.70b.experts", "no entry for routed experts"},
		{"x = llama3.80b.params", "did you mean `70b`"},
		{"x = llama3.70b.parms", "did you mean `params`"},
		{"x = llama3.70b.flops_per_token(8192)", "449 GFLOP"},
		{"let mask = full of causal, full, windowed\nx = llama3.70b.flops_per_token(8192, mask)", "481 GFLOP"},
		{"x = flops_per_token(llama3.70b, 8192, \"half\")",
			"unknown mask `half`; give one of causal, full, windowed, none"},
		{"x = activation_bytes(llama3.70b, \"some\")", "unknown policy `some`; give one of all, matmuls, blocks"},
		{"x = mistral.7b.crossover_context(\"windowed\")", "attention never takes as many operations"},
		{"x = crossover_context(gemma2.27b, \"full\")", "69,120 tokens"},
		{"x = moe_critical_batch(197 TFLOP/s, 810 GB/s, 256, 8, int8)", "3891 tokens"},
		{"x = mfu(llama3.70b.flops_per_token(8192), 2686.98 token/s, 2307 TFLOP/s)", "52.3 %"},
		{"x = run_mfu(training_flops(37B, 14.8T token), 2.79e6 hour, 1513 TFLOP/s)", "21.6 %"},
		{"let m = llama3.8b\nx = m.flops_per_token(8192)\nexpect x = 51.5 GFLOP within 0.1%\nexpect x = 449.2 GFLOP " +
			"within 0.1% at m = llama3.70b\ntable x over m", "51.5 GFLOP"},
	})
}

// TestEveryModelIsOffered: what the catalog knows a sheet can name, every field with a value of its declared type.
func TestEveryModelIsOffered(t *testing.T) {
	env := New()
	rt := recordTypeOf(env, "model")
	if len(rt.Members) != len(model.Catalog().All) {
		t.Fatalf("the menu offers %d models, the catalog has %d", len(rt.Members), len(model.Catalog().All))
	}
	for i, k := range model.Catalog().All {
		r := rt.Members[i]
		if got := eval(t, env, "x = "+k.ID); got != k.Name || r.ID != k.ID {
			t.Errorf("%s is %s", k.ID, got)
		}
		var english phrase.Phrases
		counted := r.Note(english, "params")
		if r.All()["params"].Num.Value != k.Params().Total() || counted == "" || r.Note(english, "layers") == "" {
			t.Errorf("%s: params are %v, %q", k.ID, r.All()["params"], counted)
		}
		for _, f := range rt.Fields {
			v, ok := r.All()[f.Name]
			if ok &&
				(v.Type().Kind != f.Type.Kind || v.Type().Dim != f.Type.Dim || v.Kind == value.Number &&
					!v.Num.IsFinite()) {
				t.Errorf("%s.%s is %+v", k.ID, f.Name, v)
			}
		}
		sum := 0.0
		for _, part := range []string{"embedding_params", "attention_params", "linear_params", "index_params",
			"mlp_params",
			"other_params"} {
			sum += r.All()[part].Num.Value
		}
		if sum != r.All()["params"].Num.Value {
			t.Errorf("%s: the parts make %.0f", k.ID, sum)
		}
	}
}

// TestRecordsOpenUp: a law of a model shows its formula over the record's fields, with the model's numbers.
func TestRecordsOpenUp(t *testing.T) {
	s, errs := sheet.Compile("let m = llama3.70b\nx = m.flops_per_token(8192, \"full\")\ny = m.kv_bytes(int8)", New())
	if len(errs) > 0 {
		t.Fatal(errs[0])
	}
	res := s.Eval(nil)
	for name, want := range map[string]string{"x": "m.matmul_params", "y": "m.kv_elements"} {
		laws := res.Opened(name, explain.Code)
		if len(laws) == 0 || !strings.Contains(laws[0].Formula, want) {
			t.Errorf("%s opens as %+v, want %s in it", name, laws, want)
		}
	}
}
