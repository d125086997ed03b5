package config

import (
	"strings"
	"testing"
)

const linearBase = `{"hidden_size": 64, "num_hidden_layers": 4, "num_attention_heads": 4, "vocab_size": 9, "intermediate_size": 16, `

// Which layers are linear is read from a list, a period, letters, or the numbers of the others.
func TestLinearLayers(t *testing.T) {
	const delta = `"linear_num_value_heads": 4, "linear_num_key_heads": 2, "linear_key_head_dim": 8, "linear_value_head_dim": 8, `
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
