package config

import (
	"strings"
	"testing"
)

// What is known not to be counted is said, at the field that tells of it.
func TestDoubts(t *testing.T) {
	for _, c := range []struct{ fields, want string }{
		{`"vision_config": {"hidden_size": 9}`,
			"vision_config: the encoder of images and what joins it to the language " +
				"model are left out"},
		{`"vision_feature_layer": [-2, -5], "vision_config": {"model_type": "clip_vision_model", "hidden_size": 8,
			"num_hidden_layers": 1, "image_size": 4, "patch_size": 2, "intermediate_size": 8, "num_channels": 3}`,
			"vision_config: what joins the encoder to the language model is left out"},
		{`"num_nextn_predict_layers": 1`, ""}, // counted apart
		{`"num_nextn_predict_layers": 0`, ""},
		{`"index_topk": 2048, "index_n_heads": 64`,
			"index_topk: the index that picks tokens for sparse attention is not " +
				"counted: neither its parameters, nor what it saves, nor its part of the cache"},
		{`"full_attention_interval": 4`, "full_attention_interval: layers with linear attention are counted as " +
			"if they had full attention: parameters, operations and above all the KV cache are off"},
		{`"layer_types": ["linear_attention", "linear_attention", "linear_attention", "full_attention"]`,
			`layer_types: 3 layers of kind "linear_attention", which is not counted: here they have full attention, so parameters, operations and above all the KV cache are off`},
		{`"layer_types": ["sliding_attention", "full_attention", "full_attention", "full_attention"]`,
			"layer_types: names layers with a window, but no window is given or in use: they are counted without"},
		{`"layer_types": ["indexed_attention", "full_attention", "full_attention", "full_attention"]`,
			`layer_types: 1 layer of kind "indexed_attention", which is not counted: here it has full attention, so parameters, operations and above all the KV cache are off`},
		{`"model_type": "deepseek_v32", "kv_lora_rank": 4, "q_lora_rank": 4, "qk_nope_head_dim": 4, "qk_rope_head_dim": 2,
			"v_head_dim": 4, "index_topk": 2, "index_n_heads": 2, "index_head_dim": 4, "layer_types": ["indexed_attention",
			"indexed_attention", "indexed_attention", "indexed_attention"]`, ""},
		{`"use_qk_norm": true`, "use_qk_norm: norms of queries and keys are not counted"},
		{`"model_type": "qwen3", "num_key_value_heads": 1, "use_qk_norm": true`, ""},
		{`"num_experts": 4, "num_experts_per_tok": 1, "mlp_only_layers": [0, 1, 2, 3]`,
			"no layer has experts, though there are 4"},
		{`"model_type": "new"`, `the architecture "new" is not known here: read like a Llama, with RMS norms, a gated MLP, and no biases but those that the file names`},
		{`"model_type": "new", "architectures": ["LlamaForCausalLM"]`, ""},
		{`"model_type": "opt", "word_embed_proj_dim": 8`, ""},
	} {
		text := `{"model_type": "llama", "hidden_size": 8, "num_hidden_layers": 4, "num_attention_heads": 2, "vocab_size": 9, "intermediate_size": 16, ` + c.fields + "}"
		var got []string
		for _, n := range mustRead(t, []byte(text)).Doubts {
			if n.Field != "model_type" { // stands twice
				got = append(got, strings.TrimPrefix(n.Field+": "+n.Text.String(), ": "))
			}
		}
		if strings.Join(got, "\n") != c.want {
			t.Errorf("%s\n got %q\nwant %q", c.fields, got, c.want)
		}
	}
}

// Windows are read from a list, a period, a number of leading layers, or a switch.
func TestWindows(t *testing.T) {
	for _, c := range []struct{ fields, want string }{
		{`"model_type": "llama", "sliding_window": 5`, "111111"},
		{`"model_type": "llama", "sliding_window": 5, "use_sliding_window": false`, "000000"},
		{`"model_type": "llama", "sliding_window": null`, "000000"},
		{`"model_type": "mistral"`, "111111"},
		{`"model_type": "mistral", "sliding_window": null`, "000000"},
		{`"model_type": "llama", "sliding_window": 5, "sliding_window_pattern": 3`, "110110"},
		{`"model_type": "llama", "sliding_window": 5, "hybrid_layer_pattern": [0, 1, 1, 1, 0, 1]`, "011101"},
		{`"model_type": "gemma2"`, "101010"},
		{`"model_type": "gemma3_text"`, "111110"},
		{`"model_type": "gemma3_text", "layer_types": ["full_attention", "sliding_attention", "full_attention", "full_attention", "full_attention", "sliding_attention"]`, "010001"},
		{`"model_type": "gpt_oss"`, "101010"},
		{`"model_type": "qwen2"`, "000000"},
		{`"model_type": "qwen2", "use_sliding_window": true, "max_window_layers": 4`, "000011"},
		{`"model_type": "qwen2", "use_sliding_window": true`, "000000"},
		{`"model_type": "llama4_text"`, "111011"},
		{`"model_type": "llama4_text", "no_rope_layers": [1, 0, 1, 0, 1, 0]`, "101010"},
	} {
		text := `{"hidden_size": 8, "num_hidden_layers": 6, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 2, "vocab_size": 9,
			"intermediate_size": 16, "num_local_experts": 4, "num_experts_per_tok": 1, ` + c.fields + "}"
		m := mustRead(t, []byte(text)).Model
		got := layers(m.Layers, func(i int) bool { return m.Layer(i).Window != 0 })
		if got != c.want {
			t.Errorf("%s: windows at %s, want %s", c.fields, got, c.want)
		}
	}
}

// Experts are read from a list, from periods that count from either end, and behind leading dense layers.
func TestExpertLayers(t *testing.T) {
	for _, c := range []struct{ fields, want string }{
		{`"model_type": "mixtral"`, "111111"},
		{`"model_type": "deepseek_v3"`, "000111"},
		{`"model_type": "deepseek_v2", "first_k_dense_replace": 1, "moe_layer_freq": 2`, "001010"},
		{`"model_type": "qwen3_moe", "decoder_sparse_step": 2`, "010101"},
		{`"model_type": "qwen3_moe", "mlp_only_layers": [0, 5]`, "011110"},
		{`"model_type": "llama4_text", "interleave_moe_layer_step": 3`, "001001"},
		{`"model_type": "llama4_text", "moe_layers": [1, 2]`, "011000"},
		{`"model_type": "mimo_v2_flash", "sliding_window": null, "moe_layer_freq": [0, 1, 1, 1, 1, 0]`, "011110"},
		{`"model_type": "glm4_moe", "first_k_dense_replace": 3`, "000111"},
		{`"model_type": "llama", "mlp_layer_types": ["dense", "sparse", "sparse", "dense", "dense", "sparse"]`,
			"011001"},
	} {
		text := `{"hidden_size": 8, "num_hidden_layers": 6, "num_attention_heads": 4, "num_key_value_heads": 2, "vocab_size": 9,
			"intermediate_size": 16, "num_experts": 4, "num_experts_per_tok": 1, "moe_intermediate_size": 3, ` + c.fields + "}"
		m := mustRead(t, []byte(text)).Model
		got := layers(m.Layers, func(i int) bool { return m.Layer(i).Experts })
		if got != c.want {
			t.Errorf("%s: experts at %s, want %s", c.fields, got, c.want)
		}
	}
}

const linearBase = `{"hidden_size": 64, "num_hidden_layers": 4, "num_attention_heads": 4, "vocab_size": 9, ` +
	`"intermediate_size": 16, `

// Which layers are linear is read from a list, a period, letters, or the numbers of the others.
func TestLinearLayers(t *testing.T) {
	const delta = `"linear_num_value_heads": 4, "linear_num_key_heads": 2, "linear_key_head_dim": 8, ` +
		`"linear_value_head_dim": 8, `
	const mamba = `"mamba_num_heads": 8, "mamba_head_dim": 16, "ssm_state_size": 8, `
	for _, c := range []struct{ fields, want string }{
		{delta + `"full_attention_interval": 2`, "1010"},
		{delta + `"layer_types": ["linear_attention", "full_attention", "full_attention", "linear_attention"]`, "1001"},
		{delta + `"full_attention_interval": 0`, "1111"},
		{`"linear_attn_config": {"num_heads": 4, "head_dim": 8, "kda_layers": [1, 2, 4]}`, "1101"},
		{mamba + `"hybrid_override_pattern": "M*-M"`, "1001"},
		{mamba + `"layers_block_type": ["mamba", "attention", "mlp", "mamba"]`, "1001"},
		{mamba + `"attn_layer_indices": [1]`, "1011"},
		{`"mamba_dt_rank": 4, "mamba_d_state": 8, "attn_layer_period": 4, "attn_layer_offset": 1`, "1011"},
		{`"conv_L_cache": 3, "full_attn_idxs": [0, 3]`, "0110"},
		{`"attn_type_list": [0, 0, 0, 1]`, "1110"},
		{`"num_key_value_heads": 2`, "0000"},
	} {
		m := mustRead(t, []byte(linearBase+c.fields+"}")).Model
		got := ""
		for i := range m.Layers {
			if m.Layer(i).Linear {
				got += "1"
			} else {
				got += "0"
			}
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.fields, got, c.want)
		}
	}
}

// What can't be is refused at its place.
func TestBadLinearLayers(t *testing.T) {
	for _, c := range []struct{ fields, want string }{
		{`"linear_num_value_heads": -1`, "linear_num_value_heads is -1; write a whole number from 1"},
		{`"linear_num_value_heads": 4, "linear_key_head_dim": 1e308`, "linear_key_head_dim is 1e308"},
		{`"linear_num_value_heads": 4`, "there is no linear_key_head_dim"},
		{`"mamba_num_heads": 4, "hybrid_override_pattern": "MX*M"`, "a layer of an unknown kind"},
		{`"mamba_num_heads": 4, "hybrid_override_pattern": "M*"`, "2 blocks for 4 layers"},
		{`"mamba_num_heads": 4, "layers_block_type": ["mamba", "<img>", "moe", "mlp"]`, "a layer of an unknown kind"},
		{`"mamba_d_state": 16`, "mamba_d_state says what is not counted here"},
		{`"block_auto_adjust_ff_dim": true, "block_ffn_dim_multiplier": 1e9`, "block_ffn_dim_multiplier is 1e9"},
		{`"num_experts": 2, "num_experts_per_tok": 1, "moe_layers_enum": "1,9"`, "moe_layers_enum"},
	} {
		_, err := Read([]byte(linearBase + c.fields + "}"))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q in it", c.fields, err, c.want)
		}
	}
}

// GGUF has the pattern of windows as a list or as a period.
func TestWindowsOfGGUF(t *testing.T) {
	for pattern, want := range map[string]string{"4": "11101110", "2": "10101010",
		"[true, true, false, true, false, true, true, true]": "11010111"} {
		m := mustRead(t, []byte(`{"general.architecture": "olmo2", "olmo2.block_count": 8, "olmo2.embedding_length": 8,
			"olmo2.feed_forward_length": 16, "olmo2.attention.head_count": 4, "olmo2.attention.head_count_kv": 2,
			"olmo2.vocab_size": 9, "olmo2.attention.sliding_window": 5,
			"olmo2.attention.sliding_window_pattern": `+pattern+`}`)).Model
		got := layers(m.Layers, func(i int) bool { return m.Layer(i).Window != 0 })
		if got != want {
			t.Errorf("%s: windows at %s, want %s", pattern, got, want)
		}
	}
}
