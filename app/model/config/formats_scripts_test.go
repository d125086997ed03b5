package config

import (
	"strings"
	"testing"
)

// Scripts of a shell that set Megatron-LM's arguments: excerpts of public ones, whose places stand beside them.
var scriptSamples = []formatSample{
	// THUDM/slime, scripts/models/glm4.5-106B-A12B.sh: the count is that of the model's config.json
	{"sums and lists in a script", `N_DENSE_LAYERS=1
N_MOE_LAYERS=45
MODEL_ARGS=(
    --disable-bias-linear
    --group-query-attention
    --num-attention-heads 96
    --num-query-groups 8
    --kv-channels 128
    --num-layers $((N_DENSE_LAYERS + N_MOE_LAYERS))
    --hidden-size 4096
    --ffn-hidden-size 10944
    --add-qkv-bias
    --normalization RMSNorm
    --swiglu
    --untie-embeddings-and-output-weights
    --vocab-size 151552
    --moe-ffn-hidden-size 1408
    --moe-shared-expert-intermediate-size 1408
    --moe-router-enable-expert-bias
    --moe-router-topk 8
    --moe-layer-freq [0]*$N_DENSE_LAYERS+[1]*$N_MOE_LAYERS
    --num-experts 128
)`, 106852251264, 46 * 2 * 8 * 128 * 2},
	{"flags that begin behind a quote", `#SBATCH -N 4
MODEL_ARGS="--num-layers 32 --hidden-size 4096 --ffn-hidden-size 14336 --num-attention-heads 32 ` +
		`--group-query-attention --num-query-groups 8 --swiglu --normalization RMSNorm ` +
		`--untie-embeddings-and-output-weights --disable-bias-linear --vocab-size 128256"
srun torchrun pretrain_gpt.py $MODEL_ARGS`, 8030261248, 32 * 2 * 8 * 128 * 2},
	// swiss-ai/pretrain-code, pretraining/submit_apertus_8b.sh: a comment that begins at a word
	{"comments behind flags", `NETWORK_SIZE_ARGS=(
	--num-layers 2
	--hidden-size 64
	--ffn-hidden-size ${FFN:-128} # not ${WIDTH}
	--num-attention-heads 4
	--group-query-attention
	--num-query-groups 2
	--qk-layernorm #op-block
	--normalization RMSNorm
	--xielu
	--disable-bias-linear
	--untie-embeddings-and-output-weights
	--padded-vocab-size 128
)`, 2*(2*64*64+2*64*32+2*64*128+2*64+2*16) + 2*128*64 + 64, 2 * 2 * 32 * 2},
	// NVIDIA/Megatron-LM, examples/gpt3/train_gpt3_175b_distributed.sh: the tokenizer is that of GPT-2, whose 50,257
	// tokens become a multiple of 128 times the tensor parallelism
	{"a tokenizer that is known", `VOCAB_FILE=$3 #<Specify path to file>/gpt2-vocab.json
GPT_MODEL_ARGS=(
    --num-layers 96
    --hidden-size 12288
    --num-attention-heads 96
    --seq-length 2048
    --max-position-embeddings 2048
    --attention-backend auto # Can use (flash/fused/unfused/local)
)
MODEL_PARALLEL_ARGS=(
	--tensor-model-parallel-size 8
	--pipeline-model-parallel-size 16
)
DATA_ARGS=(
    --vocab-file $VOCAB_FILE
    --merge-file $MERGE_FILE
)`, 96*(12*12288*12288+13*12288) + (51200+2048+2)*12288, 96 * 2 * 12288 * 2},
	// THUDM/slime, scripts/models/glm4-9B.sh: norms behind attention and behind the MLP
	{"norms behind both", `--num-layers 2 --hidden-size 64 --ffn-hidden-size 128 --num-attention-heads 4 --swiglu
--disable-bias-linear --normalization RMSNorm --padded-vocab-size 128 --post-self-attn-layernorm --post-mlp-layernorm`,
		2*(4*64*64+3*64*128+4*64) + 128*64 + 64, 2 * 2 * 64 * 2},
	// THUDM/slime, scripts/models/moonlight.sh: a loop makes the list of layers with experts, from this variable
	{"a list that a loop makes", `FIRST_K_DENSE_REPLACE=1
arr=()
for ((i=0; i<NLAYERS; i++)); do
  if (( i < FIRST_K_DENSE_REPLACE )); then
    arr+=(0)
  else
    arr+=(1)
  fi
done
printf -v MOE_LAYER_FREQ "[%s]" "$(IFS=', '; echo "${arr[*]}")"
MODEL_ARGS=(
    --num-layers 3
    --hidden-size 64
    --ffn-hidden-size 128
    --num-attention-heads 4
    --swiglu
    --disable-bias-linear
    --normalization RMSNorm
    --padded-vocab-size 128
    --num-experts 4
    --moe-layer-freq $MOE_LAYER_FREQ
    --moe-router-topk 2
    --moe-ffn-hidden-size 32
)`, 3*(4*64*64+2*64) + 3*64*128 + 2*(4*3*64*32+4*64) + 128*64 + 64, 3 * 2 * 64 * 2},
	{"such a loop with another name, and another comparison", `N_DENSE=2
for i in $(seq 0 3); do
  if [ $i -lt ${N_DENSE} ]; then FREQ+="0,"; else FREQ+="1,"; fi
done
torchrun pretrain_gpt.py --num-layers 4 --hidden-size 64 --ffn-hidden-size 128 --num-attention-heads 4 --swiglu ` +
		`--disable-bias-linear --normalization RMSNorm --padded-vocab-size 128 --num-experts 4 ` +
		`--moe-layer-freq "[$FREQ]" --moe-router-topk 2 --moe-ffn-hidden-size 32`,
		4*(4*64*64+2*64) + 2*3*64*128 + 2*(4*3*64*32+4*64) + 128*64 + 64, 4 * 2 * 64 * 2},
	// EleutherAI/gpt-neox, configs/pythia/14M.yml, whose names have dashes; the published count is 14,067,712
	{"GPT-NeoX, Pythia 14M", `{
  # parallelism settings
  "pipe-parallel-size": 0,
  "model-parallel-size": 1,
  "num-layers": 6,
  "hidden-size": 128,
  "num-attention-heads": 4,
  "seq-length": 2048,
  "max-position-embeddings": 2048,
  "pos-emb": "rotary",
  "no-weight-tying": true,
  "gpt-j-residual": true,
  "attention-config": [[["flash"], 6]],
  "padded_vocab_size": 50304,
  "optimizer": {"type": "Adam", "params": {"lr": 0.001, "eps": 1.0e-8,}},
  "train_micro_batch_size_per_gpu": 32,
}`, 14067712, 6 * 2 * 128 * 2},
	// mlfoundations/open_lm, open_lm/model_configs/open_lm_1b.json: its MLP is two thirds of four widths, in steps of
	// 256
	{"open_lm, 1B", `{"hidden_dim": 2048, "n_layers": 24, "n_heads": 16, "seq_len": 2048, "vocab_size": 50432,
		"post_embed_norm": false, "weight_tying": false}`,
		24*(4*2048*2048+3*2048*5632+2*2048) + 2*50432*2048 + 2048, 24 * 2 * 2048 * 2},
	{"open_lm, one matrix, norms of queries and keys", `{"hidden_dim": 96, "n_layers": 2, "n_heads": 4, "seq_len": 64,
		"vocab_size": 128, "weight_tying": true, "qk_norm": true}`,
		2*(4*96*96+3*96*256+2*96+2*96) + 128*96 + 96, 2 * 2 * 96 * 2},
	{"another script's own name for what experts share",
		`--num-layers 1 --hidden-size 64 --num-attention-heads 4 --swiglu
--disable-bias-linear --normalization RMSNorm --padded-vocab-size 128 --num-experts 4 --moe-router-topk 2
--moe-ffn-hidden-size 32 --shared-moe-ffn-hidden-size 48`,
		4*64*64 + 2*64 + 4*3*64*32 + 4*64 + 3*64*48 + 128*64 + 64, 2 * 64 * 2},
}

// What a script doesn't say, or says twice, is told.
func TestScripts(t *testing.T) {
	const shape = "--num-layers %L --hidden-size 64 --num-attention-heads 4 --padded-vocab-size 128\n"
	for _, c := range []struct{ text, err, doubt string }{
		// THUDM/slime, scripts/models/kimi-k2.sh: a loop makes the list
		{"--num-experts 8 --moe-layer-freq $MOE_LAYER_FREQ " + strings.ReplaceAll(shape, "%L", "2"),
			"a script sets it elsewhere", ""},
		{strings.ReplaceAll(shape, "%L", "$1"), "a script sets it elsewhere", ""},
		{strings.ReplaceAll(shape, "%L", "many"), "write a whole number", ""},
		{strings.ReplaceAll(shape, "%L", "${LAYERS:-2}"), "", ""},
		// alibaba/Pai-Megatron-Patch, run_8xH20.sh: a branch for each size
		{"if [ $SIZE = 7B ]; then\nLAYERS=2\nelif [ $SIZE = 72B ]; then\nLAYERS=4\nfi\n" +
			strings.ReplaceAll(shape, "%L", "$LAYERS"), "", "a script sets it at 2:1 and again at 4:1"},
		{"LAYERS=2\nLAYERS=2\n" + strings.ReplaceAll(shape, "%L", "$LAYERS"), "", ""},
		{"SEED=2\nSEED=3\n" + strings.ReplaceAll(shape, "%L", "2"), "", ""},
		{strings.ReplaceAll(shape, "%L", "2") + "--num-layers 4\n", "", "a script sets it at 1:1 and again at 2:1"},
		{strings.ReplaceAll(shape, "%L", "2") + "--num-layers 2\n", "", ""},
		{"--spec own_specs get_spec\n" + strings.ReplaceAll(shape, "%L", "2"), "", "a specification in code"},
	} {
		im, err := Read([]byte(c.text))
		checkRead(t, im, err)
		if (err != nil) != (c.err != "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%q: %v, want %q", c.text, err, c.err)
		}
		stated := ""
		for _, n := range im.Doubts {
			stated += n.Field + " " + n.Text.String() + "\n"
		}
		if c.doubt == "" && strings.Contains(stated, "a script") || !strings.Contains(stated, c.doubt) {
			t.Errorf("%q: doubts %q, want %q", c.text, stated, c.doubt)
		}
	}
}

// A class that ends without an unembedding puts the count of it in doubt: sgl-project/ome has e5-mistral-7b,
// Skywork-Reward-Llama-3.1-8B and internlm2-7b-reward in pkg/hfutil/modelconfig/testdata.
func TestHeadless(t *testing.T) {
	for _, c := range []struct {
		kind, class string
		headless    bool
	}{
		{"mistral", "MistralModel", true}, {"llama", "LlamaForSequenceClassification", true},
		{"internlm2", "InternLM2ForRewardModel", true}, {"qwen2", "Qwen2ForTokenClassification", true},
		{"qwen2", "Qwen2ForRewardModel", true}, {"gemma2", "Gemma2Model", true},
		{"mistral", "MistralForCausalLM", false}, {"chatglm", "ChatGLMModel", false}, {"llama", "", false},
		{"qwen2", "Qwen2_5OmniModel", false}, {"llama", "InternVLChatModel", false},
	} {
		im, err := Read([]byte(`{"model_type": "` + c.kind + `", "architectures": ["` + c.class +
			`"], "hidden_size": 64,
			"num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 4, "head_dim": 16, "vocab_size": 128,
			"intermediate_size": 128, "seq_length": 64, "ffn_hidden_size": 128, "padded_vocab_size": 128,
			"num_layers": 2}`))
		if err != nil {
			t.Errorf("%s: %v", c.class, err)
		}
		stated := false
		for _, n := range im.Doubts {
			stated = stated || strings.Contains(n.Text.String(), "has no unembedding")
		}
		if stated != c.headless {
			t.Errorf("%s: told %v", c.class, stated)
		}
	}
}
