package config

// Models as MaxText, LitGPT and OLMo describe them.
var trainerSamples = []formatSample{
	// 12 x (12 x 768^2 + 13 x 768) + 2 x 768 + 50,304 x 768 + 1,024 x 768
	{"nanoGPT", `@dataclass
class GPTConfig:
    block_size: int = 1024
    vocab_size: int = 50304 # padded
    n_layer: int = 12
    n_head: int = 12
    n_embd: int = 768
    dropout: float = 0.0
    bias: bool = True
`, 124475904, 12 * 2 * 768 * 2},
	{"sections of TOML behind a comment", `# a model
[model]
dim = 4096
n_layers = 32
n_heads = 32
n_kv_heads = 8
ffn_dim_multiplier = 1.3
multiple_of = 1024
vocab_size = 128256
`, 8030261248, 131072},
	{"MaxText, Mixtral 8x7B", `base_emb_dim: 4096
base_num_query_heads: 32
base_num_kv_heads: 8
base_mlp_dim: 14336
base_num_decoder_layers: 32
head_dim: 128
mlp_activations: ["silu","linear"]
vocab_size: 32000
enable_dropout: False
logits_via_embedding: False
normalization_layer_epsilon: 1.0e-5
num_experts: 8
num_experts_per_tok: 2
rope_max_timescale: 1_000_000
decoder_block: "mixtral"
`, 46702792704, 131072},
	{"MaxText, Gemma 4 26B", `base_num_decoder_layers: 30
base_emb_dim: 2816
base_num_query_heads: 16
base_num_kv_heads: 8
base_mlp_dim: 2112
base_moe_mlp_dim: 704
mlp_activations: ["gelu","linear"]
head_dim: 256
global_head_dim: 512
global_num_kv_heads: 2
vocab_size: 262_144
decoder_block: "gemma4"
logits_via_embedding: true
use_qk_norm: true
sliding_window_size: 1024
share_kv_projections: true
num_experts: 128
num_experts_per_tok: 8
shared_experts: 1
`, 25233141760, (25*2*8*256 + 5*2*2*512) * 2},
	{"MaxText, gpt-oss 20B", `base_emb_dim: 2880
base_num_query_heads: 64
base_num_kv_heads: 8
head_dim: 64
sliding_window_size: 128
attention_bias: true
base_mlp_dim: 2880
base_moe_mlp_dim: 2880
mlp_activations: ["sigmoid","linear"]
routed_bias: true
mlp_bias: true
num_experts: 32
num_experts_per_tok: 4
base_num_decoder_layers: 24
vocab_size: 201088
decoder_block: "gpt_oss"
`, 20914757184, 49152},
	{"MaxText, Qwen3-Next", `decoder_block: "qwen3_next"
base_emb_dim: 2048
base_num_decoder_layers: 48
base_num_query_heads: 16
base_num_kv_heads: 2
head_dim: 256
vocab_size: 151936
base_mlp_dim: 512
base_moe_mlp_dim: 512
num_experts: 512
shared_experts: 1
num_experts_per_tok: 10
gdn_conv_kernel_dim: 4
gdn_key_head_dim: 128
gdn_value_head_dim: 128
gdn_num_key_heads: 16
gdn_num_value_heads: 32
`, 79674385152, 24576},
	{"OLMo’s configuration, OLMo 2 7B", `run_name: x
model:
  d_model: 4096
  n_heads: 32
  n_layers: 32
  mlp_hidden_size: 22016
  weight_tying: false
  alibi: false
  rope: true
  include_bias: false
  block_type: sequential
  layer_norm_type: rms
  layer_norm_with_affine: true
  attention_layer_norm: true
  activation_type: swiglu
  vocab_size: 100278
  embedding_size: 100352
`, 7298617344, 524288},
	{"OLMo’s configuration, a ratio and one matrix", `model:
  d_model: 2048
  n_heads: 16
  n_layers: 16
  mlp_ratio: 8
  weight_tying: true
  rope: true
  include_bias: false
  layer_norm_type: rms
  activation_type: swiglu
  vocab_size: 50280
  embedding_size: 50304
`, 50304*2048 + 16*(4*2048*2048+3*2048*8192+2*2048) + 2048, 131072},
	{"OLMo-core", `{"model": {"d_model": 4096, "vocab_size": 100352, "n_layers": 32, "block": {"name": "reordered_norm",
		"attention": {"name": "default", "n_heads": 32, "bias": false, "rope": {"theta": 500000}}, "feed_forward":
		{"hidden_size": 11008, "bias": false}, "layer_norm": {"name": "rms"}}, "lm_head": {"bias": false}}}`,
		2*100352*4096 + 32*(4*4096*4096+3*4096*11008+2*4096) + 4096, 524288},
	{"MaxText, DeepSeek-V3", `base_emb_dim: 7168
base_num_query_heads: 128
base_num_kv_heads: 128
base_mlp_dim: 18432
base_moe_mlp_dim: 2048
base_num_decoder_layers: 61
first_num_dense_layers: 3
mlp_activations: ["silu","linear"]
vocab_size: 129280
logits_via_embedding: False
num_experts: 256
num_experts_per_tok: 8
shared_experts: 1
routed_scaling_factor: 2.5
routed_score_func: "sigmoid"
routed_bias: True
decoder_block: "deepseek"
attention_type: "mla"
q_lora_rank: 1536
kv_lora_rank: 512
qk_nope_head_dim: 128
qk_rope_head_dim: 64
v_head_dim: 128
`, 671026419200, 61 * 576 * 2},
	{"MaxText, Gemma 2 9B", `base_emb_dim: 3584
base_num_query_heads: 16
base_num_kv_heads: 8
base_num_decoder_layers: 21
base_mlp_dim: 14336
head_dim: 256
mlp_activations: ["gelu","linear"]
vocab_size: 256000
decoder_block: "gemma2"
logits_via_embedding: True
sliding_window_size: 4096
attn_logits_soft_cap: 50.0
final_logits_soft_cap: 30.0
use_post_attn_norm: True
use_post_ffw_norm: True
`, 9241705984, 42 * 2 * 8 * 256 * 2},
	{"MaxText, Qwen3 8B", `base_emb_dim: 4096
base_num_query_heads: 32
base_num_kv_heads: 8
base_mlp_dim: 12288
base_num_decoder_layers: 36
head_dim: 128
mlp_activations: ["silu", "linear"]
vocab_size: 151936
decoder_block: "qwen3"
use_qk_norm: True
logits_via_embedding: False
`, 8190735360, 147456},
	{"LitGPT, Llama 3 8B", `name: Llama-3-8B
hf_config:
  name: Meta-Llama-3-8B
  org: meta-llama
block_size: 8192
vocab_size: 128000
padded_vocab_size: 128256
n_layer: 32
n_head: 32
n_query_groups: 8
n_embd: 4096
head_size: 128
rotary_percentage: 1.0
parallel_residual: false
bias: false
norm_class_name: RMSNorm
mlp_class_name: LLaMAMLP
intermediate_size: 14336
`, 8030261248, 131072},
	{"LitGPT, Pythia 1B", `name: pythia-1b
block_size: 2048
vocab_size: 50254
padded_vocab_size: 50304
n_layer: 16
n_head: 8
n_query_groups: 8
n_embd: 2048
head_size: 256
rotary_percentage: 0.25
parallel_residual: true
shared_attention_norm: false
bias: true
lm_head_bias: false
norm_class_name: LayerNorm
mlp_class_name: GptNeoxMLP
intermediate_size: 8192
`, 1011781632, 16 * 2 * 2048 * 2},
	{"LitGPT, Falcon 7B", `name: falcon-7b
block_size: 2048
padded_vocab_size: 65024
n_layer: 32
n_head: 71
n_query_groups: 1
n_embd: 4544
head_size: 64
parallel_residual: true
shared_attention_norm: true
bias: false
norm_class_name: LayerNorm
mlp_class_name: GptNeoxMLP
intermediate_size: 18176
`, 6921720704 + 65024*4544, 32 * 2 * 64 * 2}, // LitGPT keeps both tables
	{"LitGPT, Mixtral 8x7B", `name: Mixtral-8x7B-v0.1
padded_vocab_size: 32000
vocab_size: 32000
n_layer: 32
n_head: 32
n_query_groups: 8
n_embd: 4096
head_size: 128
parallel_residual: false
bias: false
norm_class_name: RMSNorm
mlp_class_name: LLaMAMoE
intermediate_size: 14336
n_expert: 8
n_expert_per_token: 2
`, 46702792704, 131072},
	{"LitGPT, Gemma 2 9B", `name: Gemma-2-9b
padded_vocab_size: 256000
n_layer: 42
n_head: 16
n_query_groups: 8
n_embd: 3584
head_size: 256
parallel_residual: false
bias: false
norm_class_name: RMSNorm
post_attention_norm: true
post_mlp_norm: true
mlp_class_name: GemmaMLP
gelu_approximate: tanh
intermediate_size: 14336
scale_embeddings: true
sliding_window_size: 4096
`, 9241705984 + 256000*3584, 42 * 2 * 8 * 256 * 2},
	{"OLMo’s own", `{"model_type": "hf_olmo", "d_model": 2048, "n_layers": 16, "n_heads": 16, "mlp_ratio": 8,
		"vocab_size": 50280, "embedding_size": 50304, "weight_tying": true, "include_bias": false}`, 1176764416, 131072},
}
