package config

import (
	"os"
	"strings"
	"testing"
	"time"
)

// What people have that is no config.json of Hugging Face's: parameters and bytes of cache for each token in bf16. Each
// count is a published one, or written as the product that the text says.
var formatSamples = []struct {
	name, text string
	params, kv float64
}{
	{"Meta, 8B", `{"dim": 4096, "n_layers": 32, "n_heads": 32, "n_kv_heads": 8, "vocab_size": 128256,
		"ffn_dim_multiplier": 1.3, "multiple_of": 1024, "norm_eps": 1e-05, "rope_theta": 500000.0}`, 8030261248, 131072},
	{"Meta, 70B", `{"dim": 8192, "n_layers": 80, "n_heads": 64, "n_kv_heads": 8, "vocab_size": 128256,
		"ffn_dim_multiplier": 1.3, "multiple_of": 4096, "norm_eps": 1e-05}`, 70553706496, 327680},
	{"Meta, 405B", `{"dim": 16384, "ffn_dim_multiplier": 1.2, "multiple_of": 4096, "n_heads": 128, "n_kv_heads": 8,
		"n_layers": 126, "norm_eps": 1e-05, "rope_theta": 500000.0, "use_scaled_rope": true, "vocab_size": 128256}`,
		405853388800, 516096},
	{"Meta, 13B", `{"dim": 5120, "multiple_of": 256, "n_heads": 40, "n_layers": 40, "norm_eps": 1e-05, "vocab_size": 32000}`,
		13015864320, 819200},
	{"Mistral, 7B", `{"dim": 4096, "n_layers": 32, "head_dim": 128, "hidden_dim": 14336, "n_heads": 32, "n_kv_heads": 8,
		"norm_eps": 1e-05, "vocab_size": 32000, "sliding_window": 4096}`, 7241732096, 131072},
	{"Mistral, 8x7B", `{"dim": 4096, "n_layers": 32, "head_dim": 128, "hidden_dim": 14336, "n_heads": 32, "n_kv_heads": 8,
		"norm_eps": 1e-05, "vocab_size": 32000, "moe": {"num_experts_per_tok": 2, "num_experts": 8}}`, 46702792704, 131072},
	{"Mistral, Nemo", `{"dim": 5120, "n_layers": 40, "head_dim": 128, "hidden_dim": 14336, "n_heads": 32, "n_kv_heads": 8,
		"rope_theta": 1000000.0, "norm_eps": 1e-05, "vocab_size": 131072}`, 12247782400, 163840},
	{"Meta, Llama 4 Scout", `{"dim": 5120, "n_layers": 48, "n_heads": 40, "n_kv_heads": 8, "vocab_size": 202048,
		"ffn_dim_multiplier": 1.2, "multiple_of": 2048, "ffn_exp": 4.0, "attention_chunk_size": 8192,
		"nope_layer_interval": 4, "use_qk_norm": true, "moe_args": {"num_experts": 16, "capacity_factor": 1.0,
		"auto_scale_F": true, "top_k": 1, "interleave_moe_layer_step": 1}}`, 107769861120, 196608},
	{"Meta, Llama 4 Maverick", `{"dim": 5120, "n_layers": 48, "n_heads": 40, "n_kv_heads": 8, "vocab_size": 202048,
		"ffn_dim_multiplier": 1.2, "multiple_of": 2048, "ffn_exp": 4.0, "attention_chunk_size": 8192,
		"nope_layer_interval": 4, "moe_args": {"num_experts": 128, "capacity_factor": 1.0, "auto_scale_F": true,
		"top_k": 1, "interleave_moe_layer_step": 2}}`, 400711848960, 196608},
	{"Meta, experts that don’t scale", `{"dim": 64, "n_layers": 1, "n_heads": 4, "n_kv_heads": 4, "vocab_size": 100,
		"multiple_of": 32, "ffn_exp": 3.0, "moe_args": {"num_experts": 4, "auto_scale_F": false, "top_k": 1}}`,
		2*100*64 + 4*64*64 + 3*64 + 64*4 + 5*3*64*128, 4 * 16 * 2 * 2},
	{"Mistral, windows in turn", `{"dim": 4096, "n_layers": 36, "head_dim": 128, "hidden_dim": 12288, "n_heads": 32,
		"n_kv_heads": 8, "vocab_size": 131072, "_sliding_window": [null, 32768, 32768, 32768]}`, 8019808256, 147456},
	{"TorchTitan’s arguments", `TransformerModelArgs(dim=8192, n_layers=80, n_heads=64, n_kv_heads=8, ` +
		`ffn_dim_multiplier=1.3, multiple_of=4096, rope_theta=500000, vocab_size=128256)`, 70553706496, 327680},
	{"TorchTitan’s arguments, line by line", `TransformerModelArgs(
    dim=16384,
    n_layers=126,
    n_heads=128,
    n_kv_heads=8,
    ffn_dim_multiplier=1.2,
    multiple_of=4096,
    vocab_size=128256,
)`, 405853388800, 516096},
	{"GGUF, with its types", `general.architecture str = qwen2
qwen2.block_count u32 = 28
qwen2.embedding_length u32 = 3584
qwen2.feed_forward_length u32 = 18944
qwen2.attention.head_count u32 = 28
qwen2.attention.head_count_kv u32 = 4
tokenizer.ggml.tokens arr[str,152064] = ["!", "#", ...]
`, 7615616512, 57344},
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
`, 25233141760, 215040},
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
`, 20914688064, 49152},
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
	{"DeepSeek’s own configuration of DeepSeek-V3", `{"vocab_size": 129280, "dim": 7168, "inter_dim": 18432,
		"moe_inter_dim": 2048, "n_layers": 61, "n_dense_layers": 3, "n_heads": 128, "n_routed_experts": 256,
		"n_shared_experts": 1, "n_activated_experts": 8, "n_expert_groups": 8, "n_limited_groups": 4,
		"route_scale": 2.5, "score_func": "sigmoid", "q_lora_rank": 1536, "kv_lora_rank": 512,
		"qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128, "dtype": "fp8"}`, 671026419200, 70272},
	{"GPT-NeoX with comments, Pythia 6.9B", `{
  # parallelism
  "pipe_parallel_size": 1,
  "num_layers": 32, "hidden_size": 4096, "num_attention_heads": 32,
  "seq_length": 2048, "max_position_embeddings": 2048,
  "pos_emb": "rotary", "no_weight_tying": true, "gpt_j_residual": true, // beside each other
  "vocab_size": 50432,
}`, 6857302016, 524288},
	{"GPT-NeoX, Llama 2 7B", `{"num_layers": 32, "hidden_size": 4096, "num_attention_heads": 32, "seq_length": 4096,
  "pos_emb": "rotary", "no_weight_tying": True, "norm": "rmsnorm", "mlp_type": "llama", "activation": "silu",
  "mlp_multiple_of": 256, "add_bias_linear": False, 'padded_vocab_size': 32000, 'x': None,
}`, 6738415616, 524288},
	{"Megatron-LM, Nemotron-H 8B", `MODEL_ARGS=" \
    --disable-bias-linear \
    --untie-embeddings-and-output-weights \
    --no-position-embedding \
    --normalization RMSNorm \
    --squared-relu \
    --hidden-size 4096 \
    --ffn-hidden-size 21504 \
    --num-attention-heads 32 \
    --group-query-attention \
    --num-query-groups 8 \
    --hybrid-layer-pattern M-M-M-M*-M-M-M-M-M*-M-M-|M-M-M*-M-M-M-M-M*-M-M-M-M-M-/MM \
    --mamba-head-dim 64 \
    --mamba-num-heads 128 \
    --mamba-num-groups 8 \
    --mamba-state-dim 128 \
    --padded-vocab-size 131072 \
    --make-vocab-size-divisible-by 1 \
"
`, 8100852736, 16384},
	{"Megatron-LM, an MLP with a gate by quick_geglu", `--num-layers 2 --hidden-size 64 --num-attention-heads 4 ` +
		`--ffn-hidden-size 96 --quick-geglu --disable-bias-linear --normalization RMSNorm --position-embedding-type rope ` +
		`--untie-embeddings-and-output-weights --padded-vocab-size 1000`, 2*1000*64 + 2*(4*64*64+3*64*96+2*64) + 64, 512},
	{"ollama show -v", `  Model
    architecture        qwen3
    parameters          8.2B

  Metadata
    general.architecture                      qwen3
    general.parameter_count                   8.190735e+09
    qwen3.attention.head_count                32
    qwen3.attention.head_count_kv             8
    qwen3.attention.key_length                128
    qwen3.block_count                         36
    qwen3.embedding_length                    4096
    qwen3.feed_forward_length                 12288
    tokenizer.ggml.tokens                     [!, ", #, $, %, ...+151931 more]

  Tensors
    output.weight                             Q6_K    [4096 151936]
    token_embd.weight                         Q4_K    [4096 151936]
`, 8190735360, 147456},
	{"Ollama’s interface", `{"details": {"family": "llama"}, "model_info": {"general.architecture": "llama",
		"llama.attention.head_count": 32, "llama.attention.head_count_kv": 8, "llama.block_count": 32,
		"llama.embedding_length": 4096, "llama.feed_forward_length": 14336, "llama.vocab_size": 128256,
		"tokenizer.ggml.tokens": []}}`, 8030261248, 131072},
	{"as Python prints a dictionary", `{'model_type': 'qwen2', 'hidden_size': 3584, 'intermediate_size': 18944,
		'num_attention_heads': 28, 'num_hidden_layers': 28, 'num_key_value_heads': 4, 'tie_word_embeddings': False,
		'sliding_window': None, 'vocab_size': 152064}`, 7615616512, 57344},
	{"with the numbers of its lines", `12	{
13	  "model_type": "llama", // its family
14	  "hidden_size": 4096, "intermediate_size": 14336,
15	  "num_attention_heads": 32, "num_hidden_layers": 32,
16	  "num_key_value_heads": 8, "vocab_size": 128256,
17	}`, 8030261248, 131072},
	{"OPT 350M, a narrower embedding", `{"model_type": "opt", "do_layer_norm_before": false, "ffn_dim": 4096,
		"hidden_size": 1024, "max_position_embeddings": 2048, "num_attention_heads": 16, "num_hidden_layers": 24,
		"vocab_size": 50272, "word_embed_proj_dim": 512}`,
		50272*512 + 2*512*1024 + 2050*1024 + 24*(4*1024*1024+2*1024*4096+4096+5*1024+4*1024) + 2*1024, 98304},
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
	{"Megatron-LM’s flags", `#!/bin/bash
HIDDEN=4096
GPT_ARGS=(
    --num-layers 32 \
    --hidden-size $HIDDEN \
    --ffn-hidden-size 14336
    --num-attention-heads 32 --group-query-attention --num-query-groups 8
    --seq-length 8192 --max-position-embeddings 8192
    --position-embedding-type rope --normalization RMSNorm --swiglu
    --disable-bias-linear --untie-embeddings-and-output-weights
    --vocab-size 128256 --make-vocab-size-divisible-by 128
)`, 8030261248, 131072},
	{"Megatron-LM, as it prints its arguments", `------------------------ arguments ------------------------
  add_bias_linear ................................. False
  add_qkv_bias .................................... True
  ffn_hidden_size ................................. 18944
  group_query_attention ........................... True
  hidden_size ..................................... 3584
  kv_channels ..................................... 128
  kv_lora_rank .................................... 32
  multi_latent_attention .......................... False
  normalization ................................... RMSNorm
  num_attention_heads ............................. 28
  num_experts ..................................... None
  num_layers ...................................... 28
  num_query_groups ................................ 4
  padded_vocab_size ............................... 152064
  position_embedding_type ......................... rope
  max_position_embeddings ......................... 131072
  qk_head_dim ..................................... 128
  swiglu .......................................... True
  untie_embeddings_and_output_weights ............. True
  v_head_dim ...................................... 128
-------------------- end of arguments ---------------------`, 7615616512, 57344},
	{"Megatron-LM’s Namespace", `Namespace(num_layers=32, hidden_size=4096, ffn_hidden_size=14336, num_attention_heads=32, ` +
		`num_query_groups=8, group_query_attention=True, swiglu=True, padded_vocab_size=128256, normalization='RMSNorm', ` +
		`untie_embeddings_and_output_weights=True, add_bias_linear=False, betas=(0.9, 0.95))`, 8030261248, 131072},
	{"GPT-3 in Megatron-LM", `{"num_layers": 96, "hidden_size": 12288, "num_attention_heads": 96, "seq_length": 2048,
		"max_position_embeddings": 2048, "padded_vocab_size": 51200}`,
		96*(12*12288*12288+13*12288) + (51200+2048+2)*12288, 96 * 2 * 12288 * 2},
	{"Megatron-LM, heads not grouped", `{"num_layers": 2, "hidden_size": 64, "num_attention_heads": 4, "num_query_groups": 1,
		"group_query_attention": false, "padded_vocab_size": 128, "ffn_hidden_size": 128, "swiglu": true,
		"normalization": "RMSNorm", "add_bias_linear": false}`, 2*(4*64*64+3*64*128+2*64) + 128*64 + 64, 2 * 2 * 64 * 2},
	{"Megatron-LM, experts in some layers", `{"num_layers": 4, "hidden_size": 64, "num_attention_heads": 4,
		"ffn_hidden_size": 128, "num_experts": 8, "moe_ffn_hidden_size": 32, "moe_layer_freq": "([0]*1+[1]*3)",
		"swiglu": true, "normalization": "RMSNorm", "add_bias_linear": false, "padded_vocab_size": 128}`,
		4*(4*64*64+2*64) + 3*64*128 + 3*(8*3*64*32+64*8) + 128*64 + 64, 4 * 2 * 64 * 2},
	{"NeMo’s YAML", `name: megatron_llama
trainer:
  devices: 8
  num_nodes: 1
model:
  micro_batch_size: 1
  tensor_model_parallel_size: 4   # across a node
  encoder_seq_length: 4096
  max_position_embeddings: ${.encoder_seq_length}
  num_layers: 32
  hidden_size: 4096
  ffn_hidden_size: 11008
  num_attention_heads: 32
  num_query_groups: null
  activation: 'fast-swiglu'
  normalization: rmsnorm
  bias: false
  position_embedding_type: rope
  share_embeddings_and_output_weights: false
  override_vocab_size: 32000
  make_vocab_size_divisible_by: 1
  optim:
    name: distributed_fused_adam
    betas:
    - 0.9
    - 0.98
`, 6738415616, 524288},
	{"NeMo 2’s YAML", `_target_: nemo.collections.llm.gpt.model.llama.LlamaModel
config:
  _target_: nemo.collections.llm.gpt.model.llama.Llama3Config8B
  num_layers: 32
  hidden_size: 4096
  ffn_hidden_size: 14336
  num_attention_heads: 32
  num_query_groups: 8
  gated_linear_unit: true
  add_bias_linear: false
  normalization: RMSNorm
  share_embeddings_and_output_weights: false
  position_embedding_type: rope
  vocab_size: 128256
  make_vocab_size_divisible_by: 128
`, 8030261248, 131072},
	{"GGUF, as gguf-dump --json prints it", `{"filename": "a.gguf", "endian": "LITTLE", "metadata": {
		"GGUF.version": {"index": 1, "type": "UINT32", "offset": 4, "value": 3},
		"general.architecture": {"index": 4, "type": "STRING", "offset": 24, "value": "qwen2"},
		"general.name": {"index": 5, "type": "STRING", "offset": 24, "value": "Qwen2.5 7B"},
		"qwen2.block_count": {"index": 6, "type": "UINT32", "offset": 1, "value": 28},
		"qwen2.context_length": {"index": 6, "type": "UINT32", "offset": 1, "value": 32768},
		"qwen2.embedding_length": {"index": 7, "type": "UINT32", "offset": 1, "value": 3584},
		"qwen2.feed_forward_length": {"index": 8, "type": "UINT32", "offset": 1, "value": 18944},
		"qwen2.attention.head_count": {"index": 9, "type": "UINT32", "offset": 1, "value": 28},
		"qwen2.attention.head_count_kv": {"index": 9, "type": "UINT32", "offset": 1, "value": 4},
		"tokenizer.ggml.tokens": {"index": 10, "type": "ARRAY", "offset": 1, "array_types": ["STRING"]}},
		"tensors": {"token_embd.weight": {"index": 0, "shape": [3584, 152064], "type": "Q4_K", "offset": 0},
		"output.weight": {"index": 1, "shape": [3584, 152064], "type": "Q6_K", "offset": 0}}}`, 7615616512, 57344},
	{"GGUF, as text", `general.architecture: qwen3moe
qwen3moe.block_count: 48
qwen3moe.embedding_length: 2048
qwen3moe.feed_forward_length: 6144
qwen3moe.attention.head_count: 32
qwen3moe.attention.head_count_kv: 4
qwen3moe.attention.key_length: 128
qwen3moe.attention.value_length: 128
qwen3moe.expert_count: 128
qwen3moe.expert_used_count: 8
qwen3moe.expert_feed_forward_length: 768
qwen3moe.vocab_size: 151936
`, 30532122624, 98304},
	{"GGUF, as gguf-dump prints it", `* Dumping 9 key/value pair(s)
      1: UINT32     |        1 | GGUF.version = 3
      4: STRING     |        1 | general.architecture = 'llama'
      5: UINT32     |        1 | llama.block_count = 32
      6: UINT32     |        1 | llama.embedding_length = 4096
      7: UINT32     |        1 | llama.feed_forward_length = 14336
      8: UINT32     |        1 | llama.attention.head_count = 32
      9: UINT32     |        1 | llama.attention.head_count_kv = 8
     10: UINT32     |        1 | llama.expert_count = 8
     11: UINT32     |        1 | llama.expert_used_count = 2
     12: [STRING]   |    32000 | tokenizer.ggml.tokens = ['<unk>', '<s>', '</s>', '<0x00>', '<0x01>', ...]
* Dumping 2 tensor(s)
      1:  131072000 |  4096, 32000,     1,     1 | Q4_K    | token_embd.weight
      2:  131072000 |  4096, 32000,     1,     1 | Q6_K    | output.weight
`, 46702792704, 131072},
	{"llama.cpp’s loader", `llama_model_loader: loaded meta data with 29 key-value pairs and 464 tensors
llama_model_loader: - kv   0:                       general.architecture str              = gemma2
llama_model_loader: - kv   1:                               general.name str              = Gemma 2 9b It
llama_model_loader: - kv   2:                      gemma2.context_length u32              = 8192
llama_model_loader: - kv   3:                    gemma2.embedding_length u32              = 3584
llama_model_loader: - kv   4:                         gemma2.block_count u32              = 42
llama_model_loader: - kv   5:                 gemma2.feed_forward_length u32              = 14336
llama_model_loader: - kv   6:                gemma2.attention.head_count u32              = 16
llama_model_loader: - kv   7:             gemma2.attention.head_count_kv u32              = 8
llama_model_loader: - kv   8:                gemma2.attention.key_length u32              = 256
llama_model_loader: - kv   9:              gemma2.attention.value_length u32              = 256
llama_model_loader: - kv  10:            gemma2.attention.sliding_window u32              = 4096
llama_model_loader: - kv  15:                      tokenizer.ggml.tokens arr[str,256000]  = ["<pad>", "<eos>", "...
`, 9241705984, 42 * 2 * 8 * 256 * 2},
	{"GGUF, as gguf’s reader tells of its tokens", `general.architecture: gemma2
gemma2.embedding_length: 3584
gemma2.block_count: 42
gemma2.feed_forward_length: 14336
gemma2.attention.head_count: 16
gemma2.attention.head_count_kv: 8
gemma2.attention.key_length: 256
gemma2.attention.value_length: 256
gemma2.attention.sliding_window: 4096
tokenizer.ggml.tokens: [array of 256000 strings]
`, 9241705984, 42 * 2 * 8 * 256 * 2},
	{"YAML of NeMo whose vocabulary is as it is said", `model:
  tensor_model_parallel_size: 4
  num_layers: 32
  hidden_size: 4096
  ffn_hidden_size: 14336
  num_attention_heads: 32
  num_query_groups: 8
  normalization: rmsnorm
  bias: False
  activation: fast-swiglu
  share_embeddings_and_output_weights: False
  make_vocab_size_divisible_by: 128
  override_vocab_size: 128256
  position_embedding_type: rope
`, 8030261248, 131072},
	{"config.json in Markdown", "```json\n" + `{"model_type": "llama", "hidden_size": 4096, "intermediate_size": 14336,
		"num_attention_heads": 32, "num_hidden_layers": 32, "num_key_value_heads": 8, "vocab_size": 128256,
		"tie_word_embeddings": false}` + "\n```\n", 8030261248, 131072},
	{"config.json of GLM-4V with other heads", `{"model_type": "glm4v_text", "hidden_size": 4096, "intermediate_size": 13696,
		"num_attention_heads": 16, "num_hidden_layers": 1, "num_key_value_heads": 2, "vocab_size": 1000,
		"tie_word_embeddings": true, "attention_bias": false}`,
		1000*4096 + 2*4096*4096 + 2*4096*512 + 4096 + 512 + 512 + 3*4096*13696 + 5*4096, 2 * 2 * 256 * 2},
	{"llama.cpp’s print", `print_info: arch             = llama
print_info: vocab_only       = 0
print_info: n_ctx_train      = 8192
print_info: n_embd           = 4096
print_info: n_layer          = 32
print_info: n_head           = 32
print_info: n_head_kv        = 8
print_info: n_rot            = 128
print_info: n_swa            = 0
print_info: n_embd_head_k    = 128
print_info: n_embd_head_v    = 128
print_info: n_gqa            = 4
print_info: n_ff             = 14336
print_info: n_expert         = 0
print_info: n_expert_used    = 0
print_info: model params     = 8.03 B
print_info: n_vocab          = 128256
`, 8030261248, 131072},
	{"GGUF, latent attention", `{"general.architecture": "deepseek2", "deepseek2.block_count": 27,
		"deepseek2.embedding_length": 2048, "deepseek2.feed_forward_length": 10944, "deepseek2.attention.head_count": 16,
		"deepseek2.attention.head_count_kv": 16, "deepseek2.attention.key_length": 192,
		"deepseek2.attention.value_length": 128, "deepseek2.attention.kv_lora_rank": 512,
		"deepseek2.rope.dimension_count": 64, "deepseek2.expert_count": 64, "deepseek2.expert_used_count": 6,
		"deepseek2.expert_feed_forward_length": 1408, "deepseek2.expert_shared_count": 2,
		"deepseek2.leading_dense_block_count": 1, "deepseek2.vocab_size": 102400}`, 15706484224, 27 * 576 * 2},
	{"OpenELM", `{"model_type": "openelm", "model_dim": 1280, "num_transformer_layers": 16, "head_dim": 64,
		"num_query_heads": [12, 12, 12, 12, 12, 16, 16, 16, 16, 16, 16, 16, 20, 20, 20, 20],
		"num_kv_heads": [3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5],
		"ffn_multipliers": [0.5, 0.73, 0.97, 1.2, 1.43, 1.67, 1.9, 2.13, 2.37, 2.6, 2.83, 3.07, 3.3, 3.53, 3.77, 4.0],
		"ffn_dim_divisor": 256, "ffn_with_glu": true, "vocab_size": 32000, "share_input_output_layers": true,
		"normalize_qk_projections": true}`, 271527168, 16128},
	{"LLaDA", `{"model_type": "llada", "architectures": ["LLaDAModelLM"], "d_model": 4096, "n_layers": 32, "n_heads": 32,
		"n_kv_heads": 32, "mlp_hidden_size": 12288, "mlp_ratio": 4, "vocab_size": 126464, "embedding_size": 126464,
		"weight_tying": false, "include_bias": false, "include_qkv_bias": false, "block_type": "llama"}`, 8015581184, 524288},
	{"OLMo’s own", `{"model_type": "hf_olmo", "d_model": 2048, "n_layers": 16, "n_heads": 16, "mlp_ratio": 8,
		"vocab_size": 50280, "embedding_size": 50304, "weight_tying": true, "include_bias": false}`, 1176764416, 131072},
	{"blocks of a search", `{"architectures": ["DeciLMForCausalLM"], "model_type": "nemotron-nas", "hidden_size": 8192,
		"num_attention_heads": 64, "num_hidden_layers": 2, "vocab_size": 128256, "tie_word_embeddings": false,
		"block_configs": [{"attention": {"n_heads_in_group": 8}, "ffn": {"ffn_mult": 2.625}},
		{"attention": {"replace_with_linear": true}, "ffn": {"replace_with_linear": true}}]}`,
		2*128256*8192 + 2*8192*72*128 + 3*8192*14336 + 2*8192*8192 + 5*8192, 2 * 8 * 128 * 2},
	{"what print shows of a configuration", `LlamaConfig {
  "hidden_size": 4096, "intermediate_size": 14336, "num_attention_heads": 32, "num_hidden_layers": 32,
  "num_key_value_heads": 8, "vocab_size": 128256, "model_type": "llama", "tie_word_embeddings": false
}`, 8030261248, 131072},
}

func TestFormats(t *testing.T) {
	for _, c := range formatSamples {
		im, err := Read([]byte(c.text))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if m := &im.Model; m.Total() != c.params || float64(m.KVBytesPerToken(2)) != c.kv {
			t.Errorf("%s: %.0f parameters and %v bytes, want %.0f and %v", c.name, m.Total(),
				float64(m.KVBytesPerToken(2)), c.params, c.kv)
			for _, n := range append(im.Understood, im.Missing...) {
				t.Log(n.Field, n.Text)
			}
		}
		checkRead(t, im, err)
	}
}

// What is something else is named, and the file that is needed; what lacks a size asks for it by name.
func TestForeign(t *testing.T) {
	for _, c := range []struct{ text, want, or string }{
		{`{"peft_type": "LORA", "base_model_name_or_path": "org/base", "r": 16}`, "adapter_config.json", "org/base"},
		{`{"bos_token_id": 1, "do_sample": true, "temperature": 0.6}`, "generation_config.json", "config.json is needed"},
		{`{"_from_model_config": true, "eos_token_id": 2, "transformers_version": "4.1"}`, "generation_config.json", ""},
		{`{"metadata": {"total_size": 16}, "weight_map": {"a": "b"}}`, "index of weights", "config.json is needed"},
		{`{"tokenizer_class": "X", "model_max_length": 131072}`, "tokenizer_config.json", "config.json is needed"},
		{`{"version": "1.0", "truncation": null, "added_tokens": [], "model": {"type": "BPE"}}`, "tokenizer.json", ""},
		{`{"image_processor_type": "X", "size": {"height": 336}}`, "preprocessor_config.json", "config.json is needed"},
		{`{"schemaVersion": 2, "mediaType": "x", "config": {}, "layers": []}`, "manifest of Ollama", "config.json is needed"},
		{`{"zero_optimization": {"stage": 3}, "bf16": {"enabled": true}}`, "DeepSpeed", "config.json is needed"},
		{"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 654\n", "Git LFS pointer", "config.json is needed"},
		{"FROM ./model.gguf\nPARAMETER temperature 0.7\n", "Modelfile of Ollama", "config.json is needed"},
		{"GGUF\x03", "GGUF file itself", "gguf-dump --json"},
		{"base_model: org/base\nsequence_len: 4096\nadapter: lora\n", "axolotl", "org/base"},
		{`{"dim": 4096, "multiple_of": 256, "n_heads": 32, "n_layers": 32, "norm_eps": 1e-05, "vocab_size": -1}`,
			"vocab_size is -1", "whole number"},
		{`{"dim": 4096, "multiple_of": 256, "n_heads": 32, "n_layers": 32}`, "no vocab_size", "vocab_size"},
		{`{"general.architecture": "llama", "llama.block_count": 2, "llama.embedding_length": 8,
			"llama.attention.head_count": 2, "llama.feed_forward_length": 8}`, "no llama.vocab_size", "vocab_size"},
		{llama(`, "num_memory_heads": 4`), "num_memory_heads is 4", "not known"},
		{llama(`, "extra_expert_count": 0, "n_ghost_experts": 16`), "n_ghost_experts is 16", "not known"},
		{llama(`, "query_groups": 4`), "query_groups is 4", "not known"},
		{llama(`, "second_ffn_width": 1000`), "second_ffn_width is 1000", "not known"},
	} {
		_, err := Read([]byte(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), c.or) {
			t.Errorf("%.60s: %v", c.text, err)
		}
	}
}

// A value that a file states under any name that is known is never replaced by an assumption.
func TestStatedCounts(t *testing.T) {
	const base = `{"hidden_size": 4096, "num_attention_heads": 32, "num_hidden_layers": 32, "intermediate_size": 16384,
		"vocab_size": 32000, `
	for field, kv := range map[string]float64{`"multi_query": true`: 1, `"num_query_groups": 4`: 4, `"n_head_kv": 2`: 2,
		`"multi_query_group_num": 2, "multi_query_attention": true`: 2, `"num_attention_groups": 8`: 8,
		`"n_kv_heads": 8, "multi_query": false`: 8} {
		if m := mustRead(t, []byte(base+field+"}")).Model; float64(m.KVBytesPerToken(2)) != 32*2*kv*128*2 {
			t.Errorf("%s: %v bytes", field, float64(m.KVBytesPerToken(2)))
		}
	}
}

// Three megabytes of names of what is not quantised are read, and soon.
func TestLongConfig(t *testing.T) {
	var b strings.Builder
	for b.Len() < 3_000_000 {
		b.WriteString(`"model.layers.10.mlp.experts.100.down_proj", `)
	}
	text := llama(`, "quantization_config": {"ignore": [` + b.String() + `"lm_head"], "bits": 4}`)
	start := time.Now()
	m := mustRead(t, []byte(text)).Model
	if d := time.Since(start); m.Layers != 32 || d > time.Second {
		t.Errorf("%d layers, after %v", m.Layers, d)
	}
}

// The page about the book names each format that is read.
func TestAboutNamesFormats(t *testing.T) {
	page, err := os.ReadFile("../../../content/about.md")
	if err != nil {
		t.Fatal(err)
	}
	formats := known().formats
	for _, f := range formats {
		title := strings.TrimPrefix(strings.TrimPrefix(f.title, "a log of "), "a ")
		if !strings.Contains(string(page), title) {
			t.Errorf("content/about.md doesn't name %s", f.title)
		}
	}
	if len(formats) < 3 {
		t.Errorf("%d formats", len(formats))
	}
}
