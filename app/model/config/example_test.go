package config_test

import (
	"fmt"

	"github.com/scalebook/scalebook/app/model/config"
)

// A file says much that changes nothing, and leaves out what the architecture's class assumes.
func ExampleRead() {
	im, err := config.Read([]byte(`{
		"architectures": ["MistralForCausalLM"], "model_type": "mistral",
		"hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32, "num_attention_heads": 32,
		"vocab_size": 32000, "rope_theta": 10000.0, "sliding_window": null, "tie_word_embeddings": false
	}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf(
		"%.0f parameters, %.0f bytes of KV cache for each token\n",
		im.Model.Total(),
		float64(im.Model.KVBytesPerToken(2)),
	)
	for _, n := range im.Missing {
		fmt.Println(n.Field+":", n.Text)
	}

	_, err = config.Read([]byte("{\n  \"hidden_size\": \"4096\"\n}"))
	fmt.Println(err)

	// Output:
	// 7241732096 parameters, 131072 bytes of KV cache for each token
	// num_key_value_heads: assumed heads of keys and values: 8, as in transformers’ MistralConfig
	// head_dim: assumed size of a head: the width divided by the query heads, 128
	// 2:18: hidden_size is the text "4096"; write a whole number from 1 to 1000000
}
