package config

import "testing"

// Language models that generate by diffusion have the shapes of those that they were made from: Dream 7B is Qwen2.5-7B,
// whose queries, keys and values have biases, SDAR 8B is Qwen3-8B with its norms of queries and keys, and LLaDA2.0 is a
// Ling with 20 layers: 20 x 2 norms of 128 numbers more than their heads alone. Files as their publishers have them.
func TestDiffusionModels(t *testing.T) {
	for _, c := range []struct {
		file      string
		params    float64
		cache     float64
		family    string
		normsOnly float64
	}{
		{`{"architectures": ["DreamModel"], "model_type": "Dream", "hidden_size": 3584, "intermediate_size": 18944,
			"num_hidden_layers": 28, "num_attention_heads": 28, "num_key_value_heads": 4, "vocab_size": 152064,
			"mask_token_id": 151666, "tie_word_embeddings": false}`, 7615616512, 57344, "Qwen 2", (28*2 + 1) * 3584},
		{`{"architectures": ["SDARForCausalLM"], "model_type": "sdar", "hidden_size": 4096, "intermediate_size": 12288,
			"num_hidden_layers": 36, "num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 128,
			"vocab_size": 151936, "block_size": 4, "tie_word_embeddings": false}`, 8190735360, 147456, "Qwen 3",
			(36*2+1)*4096 + 36*2*128},
		{`{"architectures": ["LLaDA2MoeModelLM"], "model_type": "llada2_moe", "hidden_size": 2048,
			"intermediate_size": 5120, "moe_intermediate_size": 512, "num_hidden_layers": 20, "num_attention_heads": 16,
			"num_key_value_heads": 4, "head_dim": 128, "num_experts": 256, "num_experts_per_tok": 8,
			"num_shared_experts": 1, "n_group": 8, "topk_group": 4, "first_k_dense_replace": 1, "use_bias": false,
			"use_qk_norm": true, "vocab_size": 157184, "tie_word_embeddings": false}`, 0, 40960, "Ling",
			(20*2+1)*2048 + 20*2*128},
	} {
		im, err := Read([]byte(c.file))
		if err != nil {
			t.Fatal(err)
		}
		m := &im.Model
		if got := float64(m.KVBytesPerToken(2)); got != c.cache || im.Family != c.family {
			t.Errorf("%s keeps %v bytes a token, not %v; family %q", m.Name, got, c.cache, im.Family)
		}
		p := m.Params()
		if p.Norms != c.normsOnly || c.params > 0 && p.Total() != c.params {
			t.Errorf("%s has %.0f parameters, %.0f of them in norms; want %.0f and %.0f", m.Name, p.Total(), p.Norms,
				c.params, c.normsOnly)
		}
	}
}
