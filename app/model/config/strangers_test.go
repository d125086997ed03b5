package config

import (
	"strings"
	"testing"
)

// strangers are files of architectures that few or no libraries have, counted by hand.
var strangers = []struct {
	name, text, doubt string
	want              float64
}{
	{"an unknown architecture with the layer norms and the MLP of a GPT", `{
		"architectures": ["CodeShellForCausalLM"], "activation_function": "gelu_pytorch_tanh", "layer_norm_epsilon": 1e-5,
		"n_embd": 4096, "n_head": 32,
		"n_inner": 16384, "n_layer": 42, "n_positions": 8192, "num_query_groups": 8,
		"position_embedding_type": "rope", "vocab_size": 70144, "tie_word_embeddings": false}`, "read like a GPT",
		// two tables; queries, 8 of 32 heads of keys and of values, output, with biases; two matrices of an MLP
		2*70144*4096 + 42*(4096*6144+6144+4096*4096+4096+2*4096*16384+16384+4096+4*4096) + 2*4096},
	{"an unknown architecture with RMS norms", `{"architectures": ["XForCausalLM"], "hidden_act": "gelu",
		"rms_norm_eps": 1e-5, "hidden_size": 64, "num_attention_heads": 4, "intermediate_size": 128,
		"num_hidden_layers": 2, "vocab_size": 1000, "tie_word_embeddings": false}`, "read like a Llama",
		2*1000*64 + 2*(4*64*64+3*64*128+2*64) + 64},
	{"experts of a class whose type another architecture has", `{"architectures": ["LLaDAMoEModelLM"],
		"model_type": "llada", "dense_intermediate_size": 8192, "expert_intermediate_size": 1024,
		"hidden_size": 2048, "moe_layer_freq": [1, 1], "num_attention_heads": 16, "num_experts": 64,
		"num_experts_per_tok": 8,
		"num_hidden_layers": 2, "num_key_value_heads": 16, "qk_layernorm": true, "rms_norm_eps": 1e-5,
		"shared_expert_intermediate_size": null, "tie_word_embeddings": false, "vocab_size": 157184}`, "",
		2*157184*2048 + 2*(4*2048*2048+64*3*2048*1024+64*2048+2*2048+2*128) + 2048},
	{"norms inside attention and MLP", `{"model_type": "bitnet", "hidden_size": 2560, "intermediate_size": 6912,
		"num_attention_heads": 20, "num_key_value_heads": 5, "num_hidden_layers": 30, "vocab_size": 128256,
		"tie_word_embeddings": true}`, "",
		128256*2560 + 30*(2*2560*2560+2*2560*640+3*2560*6912+3*2560+6912) + 2560},
	{"norms behind blocks that are turned off", `{"model_type": "lfm3", "hidden_size": 64, "num_attention_heads": 4,
		"num_key_value_heads": 2, "head_dim": 16, "intermediate_size": 128, "num_hidden_layers": 2, "vocab_size": 1000,
		"layer_types": ["full_attention", "full_attention"], "use_sandwich_norm": false, "use_attention_gate": false,
		"tie_word_embeddings": true}`, "", 1000*64 + 2*(2*64*64+2*64*32+3*64*128+2*64+2*16) + 64},
	{"layers that are gone through four times", `{"model_type": "ouro", "hidden_size": 2048,
		"intermediate_size": 5632, "num_attention_heads": 16, "num_key_value_heads": 16, "head_dim": 128,
		"num_hidden_layers": 24, "vocab_size": 49152, "tie_word_embeddings": false, "total_ut_steps": 4}`,
		"gone through several times", 2*49152*2048 + 24*(4*2048*2048+3*2048*5632+4*2048) + 2048},
	{"a file that another one completes, and a number in quotes", "extends: base.yaml\nnum_layers: \"2\"\n" +
		"hidden_size: 64\nnum_attention_heads: 4\nffn_hidden_size: 128\npadded_vocab_size: 1000\nswiglu: true\n" +
		"normalization: RMSNorm\nuntie_embeddings_and_output_weights: true\nposition_embedding_type: rope\n" +
		"add_bias_linear: false\n", "what another file sets", 2*1000*64 + 2*(4*64*64+3*64*128+2*64) + 64},
	{"a part of its own beside the language model", `{"model_type": "x", "text_config": {"model_type": "llama",
		"hidden_size": 64, "num_attention_heads": 4, "intermediate_size": 128, "num_hidden_layers": 2,
		"vocab_size": 1000, "tie_word_embeddings": false}, "tokenizer_encoder_config": {"model_type": "y",
		"hidden_size": 64, "depths": [3, 3]}}`, "another part of the model",
		2*1000*64 + 2*(4*64*64+3*64*128+2*64) + 64},
}

func TestStrangers(t *testing.T) {
	for _, c := range strangers {
		im, err := Read([]byte(c.text))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var doubts strings.Builder
		for _, n := range im.Doubts {
			doubts.WriteString(n.Text.String())
		}
		if got := im.Model.Total(); got != c.want || !strings.Contains(doubts.String(), c.doubt) ||
			c.doubt == "" && doubts.Len() > 0 {
			t.Errorf("%s: %.0f parameters, want %.0f; doubts %q", c.name, got, c.want, doubts.String())
		}
	}
}
