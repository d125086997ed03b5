package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/model"
)

// sample is a file of testdata/configs with what is known of it.
type sample struct {
	file, catalog string
	total, active string // parameters in full; "-" if no figure is known
	source        string
	text          []byte
}

// samples reads testdata/expected.tsv: file, catalog ID or -, total, active, where the figures come from.
func samples(t testing.TB) []sample {
	table, err := os.ReadFile("testdata/expected.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var all []sample
	for line := range strings.Lines(string(table)) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		text, err := os.ReadFile(filepath.Join("testdata/configs", c[0]+".json"))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, sample{c[0], c[1], c[2], c[3], c[4], text})
	}
	return all
}

func mustRead(t *testing.T, text []byte) Import {
	t.Helper()
	im, err := Read(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return im
}

// The figures are the whole numbers published with the weights ("release weights"), some of them as remembered ("from
// memory"), or where only a rounded one was published, a count by a formula that is not this project's code.
func TestPublishedCounts(t *testing.T) {
	for _, s := range samples(t) {
		m := mustRead(t, s.text).Model
		if got := fmt.Sprintf("%.0f", m.Total()); got != s.total {
			t.Errorf("%s: %s parameters, %s: %s", s.file, got, s.source, s.total)
		}
		if got := fmt.Sprintf("%.0f", m.ActiveTotal()); s.active != "-" && got != s.active {
			t.Errorf("%s: %s active parameters, %s: %s", s.file, got, s.source, s.active)
		}
	}
}

// A file and the catalog's entry for the same model must agree in every layer and every law.
func TestCatalogAgrees(t *testing.T) {
	covered := map[string]bool{
		"palm.540b":                   true, // never published as a config.json
		"qwen3_8.flash_next_125b_a6b": true, // of this only the metadata of a GGUF file were found
	}
	for _, s := range samples(t) {
		if s.catalog == "-" {
			continue
		}
		covered[s.catalog] = true
		known, err := model.Catalog().Get(s.catalog)
		if err != nil {
			t.Fatal(err)
		}
		m := mustRead(t, s.text).Model
		if diff := difference(&m, &known.Model); diff != "" {
			t.Errorf("%s and %s differ: %s", s.file, s.catalog, diff)
		}
	}
	for _, known := range model.Catalog().All {
		if !covered[known.ID] {
			t.Errorf("no config.json for %s", known.ID)
		}
	}
}

// difference tells where two models are not the same, whichever way they are written.
func difference(a, b *model.Model) string {
	for i := range max(a.Layers, b.Layers) {
		if a.Layer(i) != b.Layer(i) {
			return fmt.Sprintf("layer %d: %+v and %+v", i, a.Layer(i), b.Layer(i))
		}
	}
	const T, bf16 = 100_000, 2
	switch {
	case a.Params() != b.Params():
		return fmt.Sprintf("parameters: %+v and %+v", a.Params(), b.Params())
	case a.Active() != b.Active():
		return fmt.Sprintf("active parameters: %+v and %+v", a.Active(), b.Active())
	case a.KVBytes(T, bf16) != b.KVBytes(T, bf16):
		return "KV cache"
	case a.FLOPsPerToken(T, model.Windowed, model.Train) != b.FLOPsPerToken(T, model.Windowed, model.Train):
		return "operations"
	case a.ActivationElements(model.KeepAll) != b.ActivationElements(model.KeepAll):
		return "activations"
	}
	return ""
}

// Reading a real file takes well under a millisecond, also in a browser.
func BenchmarkRead(b *testing.B) {
	for _, s := range samples(b) {
		switch s.file {
		case "llama3-70b", "gpt-oss-120b", "kimi-k2.5":
			b.Run(s.file, func(b *testing.B) {
				for b.Loop() {
					if _, err := Read(s.text); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// How long a sequence may be is what engines derive: stretched positions count, unless the length counts them already.
func TestContext(t *testing.T) {
	const llama = `{"model_type":"llama","hidden_size":64,"num_hidden_layers":2,"num_attention_heads":4,` +
		`"vocab_size":100,"intermediate_size":128`
	for more, want := range map[string]int{
		``:                               0,
		`"max_position_embeddings":4096`: 4096,
		`"max_position_embeddings":32768,"model_max_length":8192`:                             8192,
		`"max_position_embeddings":0`:                                                         0,
		`"max_position_embeddings":1e300`:                                                     0,
		`"max_position_embeddings":4096,"rope_scaling":null`:                                  4096,
		`"max_position_embeddings":4096,"rope_scaling":{"type":"linear","factor":2}`:          8192,
		`"max_position_embeddings":4096,"rope_scaling":{"rope_type":"dynamic","factor":4.0}`:  16384,
		`"max_position_embeddings":131072,"rope_scaling":{"rope_type":"llama3","factor":8.0}`: 131072,
		`"max_position_embeddings":32768,"rope_scaling":{"type":"yarn","factor":4}`:           131072,
		`"max_position_embeddings":131072,"rope_parameters":{"rope_type":"yarn","factor":32,` +
			`"original_max_position_embeddings":4096}`: 131072,
		`"max_position_embeddings":4096,"rope_scaling":{"type":"linear","factor":"2"}`: 4096,
	} {
		text := llama
		if more != "" {
			text += "," + more
		}
		if got := mustRead(t, []byte(text+"}")).Model.Context; got != want {
			t.Errorf("%s: %d tokens, want %d", more, got, want)
		}
	}
	gemma := `{"model_type":"gemma3_text","hidden_size":64,"num_hidden_layers":6,"num_attention_heads":4,` +
		`"head_dim":16,"vocab_size":99,"intermediate_size":128,"sliding_window":512,"max_position_embeddings":131072,` +
		`"rope_scaling":{"rope_type":"linear","factor":8}}`
	if got := mustRead(t, []byte(gemma)).Model.Context; got != 131072 {
		t.Errorf("Gemma 3's length counts its stretching already: %d tokens", got)
	}
}

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
	for _, lists := range []string{`"num_attention_heads_per_layer": [4]}`,
		`"num_key_value_heads_per_layer": [1, "2"]}`,
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
		{`"layer_types": ["sliding_attention", "linear_attention"]`,
			`2:57: a layer’s kind is the text "linear_attention"; ` +
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
