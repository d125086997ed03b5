package config

import (
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/model"
)

// Query heads may differ from layer to layer, as may heads of keys and widths.
func TestSizesOfEachLayer(t *testing.T) {
	const base = `{"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
		"head_dim": 8, "vocab_size": 100, "num_key_value_heads": 2, "intermediate_size": 32, `
	m := mustRead(t, []byte(base+`"num_attention_heads_per_layer": [4, 6], "num_key_value_heads_per_layer": [1, 3],
		"intermediate_size_per_layer": [16, 48]}`)).Model
	if m.Heads != 6 || m.KVHeads != 3 || m.FFWidth != 48 {
		t.Errorf("the largest are %d, %d and %d", m.Heads, m.KVHeads, m.FFWidth)
	}
	const D, H = 64, 8
	if got, want := m.Total(), 2*100*D+D+4*D+2*D*(4+6)*H+2*D*(1+3)*H+3*D*(16+48); got != float64(want) {
		t.Errorf("%.0f parameters, want %d", got, want)
	}
	for _, lists := range []string{`"num_attention_heads_per_layer": [4]}`, `"num_key_value_heads_per_layer": [1, "2"]}`,
		`"num_key_value_heads_per_layer": [1, 0]}`, `"num_attention_heads_per_layer": [4, 5]}`} {
		if _, err := Read([]byte(base + lists)); err == nil {
			t.Errorf("%s is taken", lists)
		}
	}
}

// DeepSeek-V4 in the form of transformers: kinds of layers and a rate for each kind say what ratios say.
func TestCompressedKinds(t *testing.T) {
	byName := map[string]model.Model{}
	for _, s := range samples(t) {
		if strings.HasPrefix(s.file, "deepseek-v4-flash") {
			byName[s.file] = mustRead(t, s.text).Model
		}
	}
	a, b := byName["deepseek-v4-flash"], byName["deepseek-v4-flash-hf"]
	if diff := difference(&a, &b); diff != "" {
		t.Error(diff)
	}
	const base = `{"model_type": "deepseek_v4", "hidden_size": 4096, "num_hidden_layers": 2, "num_attention_heads": 64,
		"vocab_size": 9, `
	for _, c := range [][2]string{
		{`"layer_types": ["sliding_attention", "linear_attention"]`, `2:57: a layer’s kind is the text "linear_attention"; ` +
			`write a text, like "compressed_sparse_attention"`},
		{`"layer_types": ["sliding_attention", "sliding_attention"], "mlp_layer_types": ["moe", "hash_moe"]`,
			`2:106: a layer’s kind is the text "hash_moe"; put all of them first`},
		{`"layer_types": ["sliding_attention", "sliding_attention"], "mlp_layer_types": ["moe", "mixture"]`,
			`2:106: a layer’s kind is the text "mixture"; write "dense", "sparse", "moe" or "hash_moe"`},
		{`"layer_types": ["compressed_sparse_attention", "sliding_attention"],
			"compress_rates": {"compressed_sparse_attention": 0}`, `3:54: compress_rates.compressed_sparse_attention is 0; ` +
			`write a whole number from 1 to 268435456`},
		{`"tie_word_embeddings": false`, `1:1: does not say how many tokens an entry of the cache stands for; ` +
			`add compress_ratios, a number for each layer`},
	} {
		if _, err := Read([]byte(base + c[0] + "}")); err == nil || err.Error() != c[1] {
			t.Errorf("%s:\ngot  %v\nwant %s", c[0], err, c[1])
		}
	}
}
