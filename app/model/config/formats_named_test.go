package config

import (
	"strings"
	"testing"
)

// Sizes under names of other makers, or said by the name of a class. What is right is the arithmetic beside.
func TestSizesByOtherNames(t *testing.T) {
	const llama = "num_layers=28,\n    hidden_size=3072,\n    ffn_hidden_size=8192,\n    num_attention_heads=24,\n" +
		"    num_query_groups=8,\n    kv_channels=128,\n    vocab_size=128256,\n" +
		"    share_embeddings_and_output_weights=True,\n)\n"
	layers := func(n, width, heads, kv, mlp float64) float64 { // two norms, four projections, three matrices
		return n * (2*width + 2*width*heads + 2*width*kv + 3*width*mlp)
	}
	small := layers(28, 3072, 3072, 1024, 8192) + 128256*3072 + 3072
	for _, c := range []struct {
		name, text string
		params, kv float64
	}{
		// Llama 3.2 3B; NeMo's class has a gate, RMS norms and no biases (nemo/collections/llm/gpt/model/llama.py)
		{"NeMo’s class", "cfg = llm.Llama3Config(\n    " + llama, small, 2 * 28 * 1024 * 2},
		{"on one line", "cfg = Llama3Config(" + strings.ReplaceAll(llama, "\n    ", " "), small, 2 * 28 * 1024 * 2},
		{"declared with its size", "@dataclass\nclass Llama3Config3B(Llama3Config):\n    " + strings.ReplaceAll(
			strings.ReplaceAll(llama, "=", ": int = "), ",\n", "\n"), small, 2 * 28 * 1024 * 2},
		{"assigned one by one", "args.swiglu = True\nargs.normalization = \"RMSNorm\"\nargs.add_bias_linear = False\n" +
			"args.num_layers = 28\nargs.hidden_size = 3072\nargs.ffn_hidden_size = 8192\n" +
			"args.num_attention_heads = 24\n" +
			"args.num_query_groups = 8\nargs.padded_vocab_size = 128256\n", small, 2 * 28 * 1024 * 2},
		// of Qwen 3: two norms of heads of 128 numbers, and a router; 2 experts of a token in a call within
		{"a call in a call", "args = {\n    \"x\": Qwen3ModelArgs(\n        dim=1024,\n        n_layers=2,\n" +
			"        n_heads=8,\n        n_kv_heads=8,\n        qk_norm=True,\n        vocab_size=1000,\n" +
			"        hidden_dim=4096,\n        moe_inter_dim=512,\n        moe_args=MoEArgs(\n            " +
			"num_experts=4,\n" +
			"            top_k=2,\n        ),\n    ),\n}\n",
			2*(4*1024*1024+2*1024+2*128+4*1024+4*3*1024*512) + 2*1000*1024 + 1024, 2 * 2 * 1024 * 2},
		{"a dict of calls", "args = {\n    \"8B\": TransformerModelArgs(\n        dim=4096,\n        n_layers=32,\n" +
			"        n_heads=32,\n        n_kv_heads=8,\n        vocab_size=128256,\n        " +
			"hidden_dim=14336,\n    ),\n}\n",
			layers(32, 4096, 4096, 1024, 14336) + 2*128256*4096 + 4096, 131072},
		{"digits by thousands", "num_hidden_layers: 32\nhidden_size: 4,096\nnum_attention_heads: 32\n" +
			"num_key_value_heads: 8\nintermediate_size: 14,336\nvocab_size: 128,256\ntie_word_embeddings: false\n",
			layers(32, 4096, 4096, 1024, 14336) + 2*128256*4096 + 4096, 131072},
		{"llama.cpp’s log", "print_info: n_embd           = 4096\nprint_info: n_layer          = 32\n" +
			"print_info: n_head           = 32\nprint_info: n_head_kv        = 8\nprint_info: n_embd_k_gqa     " +
			"= 1024\n" +
			"print_info: n_embd_v_gqa     = 1024\nprint_info: n_ff             = 14336\n" +
			"print_info: n_vocab          = 128256\n",
			layers(32, 4096, 4096, 1024, 14336) + 2*128256*4096 + 4096, 131072},
		// OLMo 2 7B; norms of queries and keys are as wide as the model
		{"OLMo-core", `{"d_model": 4096, "vocab_size": 100352, "n_layers": 32, "block": {"attention": {"n_heads": 32,
			"bias": false, "qk_norm": {"name": "rms", "bias": false}},
			"feed_forward": {"hidden_size": 11008, "bias": false},
			"layer_norm": {"name": "rms", "bias": false}, "name": "reordered_norm"}, "lm_head": {"bias": false}}`,
			layers(32, 4096, 4096, 4096, 11008) + 32*2*4096 + 2*100352*4096 + 4096, 2 * 32 * 4096 * 2},
		// latents of 512 and 1,536, heads of 128 + 64 and 128; 2 layers, the first without experts
		{"Pangu", `{"model_type": "pangu_ultra_moe", "architectures": ["PanguUltraMoEForCausalLM"], "hidden_size": 7680,
			"num_hidden_layers": 2, "num_attention_heads": 128, "attention_kv_lora_dim": 512,
			"attention_q_lora_dim": 1536,
			"attention_qk_dim": 128, "attention_qk_rope_dim": 64, "attention_v_dim": 128, "intermediate_size": 18432,
			"moe_intermediate_size": 2048, "num_dense_layers": 1, "num_routed_experts": 256, "num_experts_per_tok": 8,
			"num_shared_experts": 1, "tie_word_embeddings": false, "vocab_size": 153600}`,
			2*(7680*1536+1536+1536*128*192+7680*576+512+512*128*256+128*128*7680+2*7680) + 3*7680*18432 +
				257*3*7680*2048 + 256*7680 + 2*153600*7680 + 7680, 2 * 576 * 2},
		// Llama 3.1 8B, as TensorRT-LLM writes it: https://nvidia.github.io/TensorRT-LLM, "checkpoint format"
		{"TensorRT-LLM’s engine", `{"version": "0.17", "pretrained_config": {"architecture": "LlamaForCausalLM",
			"num_hidden_layers": 32, "num_attention_heads": 32, "hidden_size": 4096, "intermediate_size": 14336,
			"num_key_value_heads": 8, "vocab_size": 128256, "mapping": {"world_size": 2, "tp_size": 2}}}`,
			8030261248, 2 * 32 * 1024 * 2},
		// Llama 2 7B in EasyLM's table of sizes
		{"under a name of its own", `{"7b": {"vocab_size": 32000, "hidden_size": 4096, "intermediate_size": 11008,
			"num_hidden_layers": 32, "num_attention_heads": 32, "tie_word_embeddings": false}}`,
			6738415616, 2 * 32 * 4096 * 2},
		// nanochat's d20: 4 width² of attention and 8 of the MLP in a layer, norms without weights, 561M
		{"nanochat’s class", "@dataclass\nclass GPTConfig:\n    sequence_len: int = 2048\n" +
			"    vocab_size: int = 65536\n    n_layer: int = 20\n    n_head: int = 10\n" +
			"    n_kv_head: int = 10\n    n_embd: int = 1280\n",
			20*12*1280*1280 + 2*65536*1280, 2 * 20 * 1280 * 2},
		// OLMo 7B, https://github.com/allenai/OLMo, configs/official/OLMo-7B.yaml: 6,888,095,744 parameters
		{"norms without weights", "model:\n  d_model: 4096\n  n_heads: 32\n  n_layers: 32\n  mlp_hidden_size: 22016\n" +
			"  weight_tying: false\n  include_bias: false\n  layer_norm_type: default\n" +
			"  layer_norm_with_affine: false\n  activation_type: swiglu\n  vocab_size: 50304\n",
			32*(4*4096*4096+3*4096*11008) + 2*50304*4096, 2 * 32 * 4096 * 2},
	} {
		im, err := Read([]byte(c.text))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got, kv := im.Model.Total(), float64(im.Model.KVBytesPerToken(2)); got != c.params || kv != c.kv {
			t.Errorf("%s: %.0f parameters, %.0f bytes a token; want %.0f, %.0f", c.name, got, kv, c.params, c.kv)
		}
	}
}

// Models as other libraries write them, by hand: two layers of width 64 with 4 heads of 16, 2 of keys and values, an
// MLP of 160, 1000 tokens. Norms are as many as the comment says.
func TestSizesInOtherLibraries(t *testing.T) {
	const attention = 2*64*64 + 2*64*32
	const gated = 2*(attention+3*64*160+2*64) + 64
	for _, c := range []struct {
		name, text string
		params, kv float64
	}{
		{"torchtune", "return llama3(\n    vocab_size=1_000,\n    num_layers=2,\n    num_heads=4,\n" +
			"    num_kv_heads=2,\n" +
			"    embed_dim=64,\n    intermediate_dim=160,\n)\n", gated + 2*1000*64, 256},
		{"torchtune: Llama 3.2 is tied always, with adapters too", "return lora_llama3_2(\n" +
			"    lora_attn_modules=modules,\n    vocab_size=1_000,\n    num_layers=2,\n    num_heads=4,\n" +
			"    num_kv_heads=2,\n    embed_dim=64,\n    intermediate_dim=160,\n)\n", gated + 1000*64, 256},
		{"torchtune: Gemma 2 has two more norms a layer", "return gemma2(\n    vocab_size=1_000,\n    num_layers=2,\n" +
			"    num_heads=4,\n    head_dim=16,\n    num_kv_heads=2,\n    embed_dim=64,\n    intermediate_dim=160,\n" +
			"    hidden_capping_value=30.0,\n)\n", gated + 2*2*64 + 1000*64, 256},
		{"torchtune: Qwen 2 has biases", "model = qwen2(\n    vocab_size=1_000,\n    num_layers=2,\n" +
			"    num_heads=4,\n    num_kv_heads=2,\n    embed_dim=64,\n    intermediate_dim=160,\n" +
			"    tie_word_embeddings=True,\n)\n",
			gated + 2*(64+2*32) + 1000*64, 256},
		{"torchtune: Qwen 3 has norms of heads", "return qwen3(\n    vocab_size=1_000,\n    num_layers=2,\n" +
			"    num_heads=4,\n    head_dim=16,\n    num_kv_heads=2,\n    embed_dim=64,\n    intermediate_dim=160,\n" +
			"    q_proj_bias=False,\n    q_norm=True,\n    k_norm=True,\n)\n", gated + 2*2*16 + 2*1000*64, 256},
		{"Gemma in JAX", "return cls(\n    num_layers=2,\n    num_embed=1000,\n    embed_dim=64,\n" +
			"    hidden_dim=160,\n" +
			"    num_heads=4,\n    head_dim=16,\n    num_kv_heads=2,\n    use_post_attn_norm=True,\n" +
			"    use_post_ffw_norm=True,\n)\n", gated + 2*2*64 + 1000*64, 256}, // two more norms a layer
		{"KerasHub: Gemma counts both halves of its MLP", `{"class_name": "GemmaBackbone", "config": {
			"vocabulary_size": 1000, "num_layers": 2, "num_query_heads": 4, "num_key_value_heads": 2,
			"hidden_dim": 64, "head_dim": 16, "intermediate_dim": 320}, "registered_name": "keras_hub>GemmaBackbone"}`,
			gated + 1000*64, 256},
		{"KerasHub: Llama does not", `{"class_name": "LlamaBackbone", "config": {"vocabulary_size": 1000,
			"num_layers": 2, "num_query_heads": 4, "num_key_value_heads": 2, "hidden_dim": 64,
			"intermediate_dim": 160}}`,
			gated + 2*1000*64, 256},
		// layer norms with biases, an MLP of two matrices, biases of all, learned positions
		{"fairseq", "--decoder-layers 2 --decoder-embed-dim 64 --decoder-ffn-embed-dim 160\n" +
			"--decoder-attention-heads 4\n" +
			"--share-decoder-input-output-embed --max-target-positions 128 --vocab-size 1000\n",
			2*(4*64*64+4*64+2*64*160+160+64+2*2*64) + 2*64 + (1000+128)*64, 512},
		// layer norms with biases, but none of anything where it says so
		{"LLM Foundry", "model:\n  name: mpt_causal_lm\n  d_model: 64\n  n_heads: 4\n  n_layers: 2\n" +
			"  expansion_ratio: 4\n" +
			"  max_seq_len: 128\n  vocab_size: 1000\n  attn_config:\n    alibi: true\n",
			2*(4*64*64+4*64+2*64*256+256+64+2*2*64) + 2*64 + 1000*64, 512},
		{"LLM Foundry, without biases", "model:\n  d_model: 64\n  n_heads: 4\n  n_layers: 2\n  expansion_ratio: 4\n" +
			"  max_seq_len: 128\n  vocab_size: 1000\n  no_bias: true\n",
			2*(4*64*64+2*64*256+2*64) + 64 + (1000+128)*64, 512},
		{"Levanter", "model:\n  type: llama\n  hidden_dim: 64\n  intermediate_dim: 160\n  num_layers: 2\n" +
			"  num_heads: 4\n" +
			"  num_kv_heads: 2\n  vocab_size: 1000\n", gated + 2*1000*64, 256},
		// biases of queries, keys and values, as the architecture has them
		{"llama.cpp’s log of an architecture", "print_info: arch             = qwen2\n" +
			"print_info: n_embd           = 64\n" +
			"print_info: n_layer          = 2\nprint_info: n_head           = 4\nprint_info: n_head_kv        = 2\n" +
			"print_info: n_ff             = 160\nprint_info: n_vocab          = 1000\n",
			gated + 2*(64+32+32) + 2*1000*64, 256},
		{"a call in a program", "from transformers import LlamaConfig\nconfig = LlamaConfig(\n    vocab_size=1000,\n" +
			"    hidden_size=64,\n    intermediate_size=160,\n    num_hidden_layers=2,\n    num_attention_heads=4,\n" +
			"    num_key_value_heads=2,\n    tie_word_embeddings=True,\n)\nbatch_size = 12\nlayers = 99\n" +
			"print(config)\n",
			gated + 1000*64, 256},
		{"a table", "| Parameter | Value |\n|---|---|\n| Hidden size | 64 |\n| `num_attention_heads` | 4 |\n" +
			"| num_key_value_heads | 2 |\n| num_hidden_layers | 2 |\n| intermediate_size | 160 |\n" +
			"| vocab_size | 1,000 |\n",
			gated + 2*1000*64, 256},
		{"quoted in a letter", "> A wrote:\n" +
			"> {\"hidden_size\": 64, \"num_attention_heads\": 4, \"num_key_value_heads\": 2,\n" +
			"> \"num_hidden_layers\": 2, \"intermediate_size\": 160, \"vocab_size\": 1000}\n", gated + 2*1000*64, 256},
		{"added by a diff", "diff --git a/config.json b/config.json\n--- /dev/null\n+++ b/config.json\n" +
			"@@ -0,0 +1,4 @@\n+{\n" +
			"+\"hidden_size\": 64, \"num_attention_heads\": 4, \"num_key_value_heads\": 2,\n" +
			"-\"num_hidden_layers\": 3,\n+\"num_hidden_layers\": 2,\n" +
			" \"intermediate_size\": 160, \"vocab_size\": 1000}\n",
			gated + 2*1000*64, 256},
		{"of Cerebras", "trainer:\n  init:\n    model:\n      vocab_size: 1000\n      hidden_size: 64\n" +
			"      num_hidden_layers: 2\n      num_heads: 4\n      extra_attention_params:\n" +
			"        num_kv_groups: 2\n" +
			"      filter_size: 160\n      share_embedding_weights: true\n", gated + 1000*64, 256},
		{"a vocabulary one level up", `{"model": {"type": "llama", "vocab_size": 1000, "decoder": {"head_size": 16,
			"hidden_size": 64, "num_attention_heads": 4, "num_hidden_layers": 2, "num_key_value_heads": 2,
			"intermediate_size": 160}}}`, gated + 2*1000*64, 256},
		{"the usual names, of a type that has others", `{"model_type": "llada", "hidden_size": 64,
			"num_attention_heads": 4, "num_key_value_heads": 2, "num_hidden_layers": 2,
			"intermediate_size": 160, "vocab_size": 1000}`,
			gated + 2*1000*64, 256},
		{"a dict, as Python prints it", `{'hidden_size': 64, 'num_attention_heads': 4, 'num_key_value_heads': 2,
			'num_hidden_layers': 2, 'intermediate_size': 160, 'vocab_size': 1000, 'torch_dtype': torch.bfloat16,
			'rope_theta': inf, 'tie_word_embeddings': True}`, gated + 1000*64, 256},
		{"comments between sentences", "Does this fit?\n```json\n{\n  // mine\n  \"hidden_size\": 64, /* width,\n" +
			"  all of it */ \"num_attention_heads\": 4, \"num_key_value_heads\": 2, \"num_hidden_layers\": 2,\n" +
			"  \"intermediate_size\": 160, \"vocab_size\": 1000,\n}\n```\nThanks\n", gated + 2*1000*64, 256},
	} {
		im, err := Read([]byte(c.text))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got, kv := im.Model.Total(), float64(im.Model.KVBytesPerToken(2)); got != c.params || kv != c.kv {
			t.Errorf("%s: %.0f parameters, %.0f bytes a token; want %.0f, %.0f", c.name, got, kv, c.params, c.kv)
		}
	}
}

// Layers that are gone through several times, or stand beside those that are counted, are said.
func TestLoopsAndLayersBeside(t *testing.T) {
	for field, want := range map[string]string{`"total_ut_steps": 4`: "gone through several times",
		`"vision_num_cross_attention_layers": 8`: "look at images"} {
		im := mustRead(t, []byte(`{"hidden_size": 64, "num_attention_heads": 4, "num_hidden_layers": 2,
			"intermediate_size": 160, "vocab_size": 1000, `+field+"}"))
		if said := strings.Join(texts(im.Doubts), "; "); !strings.Contains(said, want) {
			t.Errorf("%s: %s", field, said)
		}
	}
}
