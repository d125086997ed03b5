package config

// Arguments of Megatron-LM and of what is built on it: NeMo, GPT-NeoX.
var megatronSamples = []formatSample{
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
		`--untie-embeddings-and-output-weights --padded-vocab-size 1000`, 2*1000*64 + 2*(4*64*64+3*64*96+2*64) + 64,
		512},
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
	{"Megatron-LM’s Namespace", `Namespace(num_layers=32, hidden_size=4096, ffn_hidden_size=14336, ` +
		`num_attention_heads=32, num_query_groups=8, group_query_attention=True, swiglu=True, padded_vocab_size=128256, ` +
		`normalization='RMSNorm', untie_embeddings_and_output_weights=True, add_bias_linear=False, betas=(0.9, 0.95))`,
		8030261248, 131072},
	{"GPT-3 in Megatron-LM", `{"num_layers": 96, "hidden_size": 12288, "num_attention_heads": 96, "seq_length": 2048,
		"max_position_embeddings": 2048, "padded_vocab_size": 51200}`,
		96*(12*12288*12288+13*12288) + (51200+2048+2)*12288, 96 * 2 * 12288 * 2},
	{"Megatron-LM, heads not grouped", `{"num_layers": 2, "hidden_size": 64, "num_attention_heads": 4,
		"num_query_groups": 1, "group_query_attention": false, "padded_vocab_size": 128, "ffn_hidden_size": 128,
		"swiglu": true, "normalization": "RMSNorm", "add_bias_linear": false}`,
		2*(4*64*64+3*64*128+2*64) + 128*64 + 64, 2 * 2 * 64 * 2},
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
}
