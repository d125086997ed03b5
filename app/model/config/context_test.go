package config

import "testing"

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
