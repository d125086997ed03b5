package config

// Metadata of GGUF as programs print it.
var ggufSamples = []formatSample{
	{"GGUF, with its types", `general.architecture str = qwen2
qwen2.block_count u32 = 28
qwen2.embedding_length u32 = 3584
qwen2.feed_forward_length u32 = 18944
qwen2.attention.head_count u32 = 28
qwen2.attention.head_count_kv u32 = 4
tokenizer.ggml.tokens arr[str,152064] = ["!", "#", ...]
`, 7615616512, 57344},
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
	// heads of keys and values by layer, which a log cuts off and prints whole below: 6 of 16 layers attend
	{"a log of a hybrid", `llama_model_loader: - kv   0:     general.architecture str              = lfm2
llama_model_loader: - kv   9:               lfm2.block_count u32              = 16
llama_model_loader: - kv  11:          lfm2.embedding_length u32              = 2048
llama_model_loader: - kv  12:       lfm2.feed_forward_length u32              = 8192
llama_model_loader: - kv  13:      lfm2.attention.head_count u32              = 32
llama_model_loader: - kv  14:   lfm2.attention.head_count_kv arr[i32,16]      = [0, 0, 8, 0, 0, 8, 0, 0, 8, 0, 8, 0, ...
llama_model_loader: - kv  17:                lfm2.vocab_size u32              = 65536
llama_model_loader: - kv  18:         lfm2.shortconv.l_cache u32              = 3
print_info: n_head_kv        = [0, 0, 8, 0, 0, 8, 0, 0, 8, 0, 8, 0, 8, 0, 8, 0]
`, 1170340608, 12288},
	// a dump whose tensors are cut off doesn't say that the output has no matrix
	{"a dump cut off", `      2: UINT64     |        1 | GGUF.tensor_count = 459
      4: STRING     |        1 | general.architecture = 'llama'
     13: UINT32     |        1 | llama.block_count = 32
     15: UINT32     |        1 | llama.embedding_length = 4096
     16: UINT32     |        1 | llama.feed_forward_length = 14336
     17: UINT32     |        1 | llama.attention.head_count = 32
     18: UINT32     |        1 | llama.attention.head_count_kv = 8
     19: UINT32     |        1 | llama.vocab_size = 128256
      1:       4096 |  4096,     1,     1,     1 | F32     | blk.0.attn_norm.weight
`, 8030261248, 131072},
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
}
