package config

import "testing"

// A token of Llama 3.2 Vision is multiplied with the queries and the MLP of the layers that look at pictures, and not
// with their keys and values, which are made of the picture: 8 layers of 2 times 4096 by 1024 less than are stored.
func TestKeysOfPicturesAreNoTokens(t *testing.T) {
	im, err := Read([]byte(`{"architectures": ["MllamaForConditionalGeneration"], "model_type": "mllama", ` +
		`"text_config": {"cross_attention_layers": [3, 8, 13, 18, 23, 28, 33, 38], "hidden_size": 4096, ` +
		`"intermediate_size": 14336, ` +
		`"model_type": "mllama_text_model", "num_attention_heads": 32, "num_hidden_layers": 40, ` +
		`"num_key_value_heads": 8, "tie_word_embeddings": false, "vocab_size": 128256}}`))
	if err != nil {
		t.Fatal(err)
	}
	if less := im.Model.Total() - im.Model.ActiveTotal(); less != 8*2*4096*1024 {
		t.Errorf("a token uses %v parameters less than are stored", less)
	}
}
