package config

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scalebook/scalebook/app/cputime"
)

// What people have that is no config.json of Hugging Face's: parameters and bytes of cache for each token in bf16. Each
// count is a published one, or written as the product that the text says.
type formatSample struct {
	name, text string
	params, kv float64
}

var formatSamples = slices.Concat(paramsSamples, ggufSamples, megatronSamples, scriptSamples, trainerSamples,
	[]formatSample{
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
			50272*512 + 2*512*1024 + 2050*1024 + 24*(4*1024*1024+2*1024*4096+4096+5*1024+4*1024), 98304}, // 331,196,416
		{"OPT without a final norm", `{"model_type": "opt", "_remove_final_layer_norm": true, "ffn_dim": 3072,
		"hidden_size": 768, "max_position_embeddings": 2048, "num_attention_heads": 12, "num_hidden_layers": 12,
		"vocab_size": 50272}`, 125239296 - 2*768, 36864},
		{"OPT whose norms have no parameters", `{"model_type": "opt", "layer_norm_elementwise_affine": false,
		"ffn_dim": 3072, "hidden_size": 768, "max_position_embeddings": 2048, "num_attention_heads": 12,
		"num_hidden_layers": 12, "vocab_size": 50272}`, 125239296 - 25*2*768, 36864},
		{"config.json in Markdown", "```json\n" +
			`{"model_type": "llama", "hidden_size": 4096, "intermediate_size": 14336,
		"num_attention_heads": 32, "num_hidden_layers": 32, "num_key_value_heads": 8, "vocab_size": 128256,
		"tie_word_embeddings": false}` + "\n```\n", 8030261248, 131072},
		{"config.json of GLM-4V with other heads", `{"model_type": "glm4v_text", "hidden_size": 4096,
		"intermediate_size": 13696, "num_attention_heads": 16, "num_hidden_layers": 1, "num_key_value_heads": 2,
		"vocab_size": 1000, "tie_word_embeddings": true, "attention_bias": false}`,
			1000*4096 + 2*4096*4096 + 2*4096*512 + 4096 + 512 + 512 + 3*4096*13696 + 5*4096, 2 * 2 * 256 * 2},
		{"OpenELM", `{"model_type": "openelm", "model_dim": 1280, "num_transformer_layers": 16, "head_dim": 64,
		"num_query_heads": [12, 12, 12, 12, 12, 16, 16, 16, 16, 16, 16, 16, 20, 20, 20, 20],
		"num_kv_heads": [3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5],
		"ffn_multipliers": [0.5, 0.73, 0.97, 1.2, 1.43, 1.67, 1.9, 2.13, 2.37, 2.6, 2.83, 3.07, 3.3, 3.53, 3.77, 4.0],
		"ffn_dim_divisor": 256, "ffn_with_glu": true, "vocab_size": 32000, "share_input_output_layers": true,
		"normalize_qk_projections": true}`, 271527168, 16128},
		{"LLaDA", `{"model_type": "llada", "architectures": ["LLaDAModelLM"], "d_model": 4096, "n_layers": 32, "n_heads": 32,
		"n_kv_heads": 32, "mlp_hidden_size": 12288, "mlp_ratio": 4, "vocab_size": 126464, "embedding_size": 126464,
		"weight_tying": false, "include_bias": false, "include_qkv_bias": false, "block_type": "llama"}`, 8015581184, 524288},
		{"blocks of a search",
			`{"architectures": ["DeciLMForCausalLM"], "model_type": "nemotron-nas", "hidden_size": 8192,
		"num_attention_heads": 64, "num_hidden_layers": 2, "vocab_size": 128256, "tie_word_embeddings": false,
		"block_configs": [{"attention": {"n_heads_in_group": 8}, "ffn": {"ffn_mult": 2.625}},
		{"attention": {"replace_with_linear": true}, "ffn": {"replace_with_linear": true}}]}`,
			2*128256*8192 + 2*8192*72*128 + 3*8192*14336 + 2*8192*8192 + 5*8192, 2 * 8 * 128 * 2},
		{"a class in Python, whose fields have types", `@dataclass
class ModelArgs:
    dim: int = 4096
    n_layers: int = 32
    n_heads: int = 32
    n_kv_heads: Optional[int] = 8
    vocab_size: int = 128256
    multiple_of: int = 1024  # of the MLP
    ffn_dim_multiplier: Optional[float] = 1.3
    norm_eps: float = 1e-5
`, 8030261248, 131072},
		{"arguments of Python, several on a line", `config = dict(
    hidden_size=4096, intermediate_size=14336, num_attention_heads=32,  # and heads of keys
    num_hidden_layers=32, num_key_value_heads=8, vocab_size=128_256,
)`, 8030261248, 131072},
		{"what print shows of a configuration", `LlamaConfig {
  "hidden_size": 4096, "intermediate_size": 14336, "num_attention_heads": 32, "num_hidden_layers": 32,
  "num_key_value_heads": 8, "vocab_size": 128256, "model_type": "llama", "tie_word_embeddings": false
}`, 8030261248, 131072},
	})

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
		{`{"bos_token_id": 1, "do_sample": true, "temperature": 0.6}`, "generation_config.json",
			"config.json is needed"},
		{`{"_from_model_config": true, "eos_token_id": 2, "transformers_version": "4.1"}`, "generation_config.json",
			""},
		{`{"metadata": {"total_size": 16}, "weight_map": {"a": "b"}}`, "index of weights", "config.json is needed"},
		{`{"tokenizer_class": "X", "model_max_length": 131072}`, "tokenizer_config.json", "config.json is needed"},
		{`{"version": "1.0", "truncation": null, "added_tokens": [], "model": {"type": "BPE"}}`, "tokenizer.json", ""},
		{`{"image_processor_type": "X", "size": {"height": 336}}`, "preprocessor_config.json", "config.json is needed"},
		{`{"schemaVersion": 2, "mediaType": "x", "config": {}, "layers": []}`, "manifest of Ollama",
			"config.json is needed"},
		{`{"zero_optimization": {"stage": 3}, "bf16": {"enabled": true}}`, "DeepSpeed", "config.json is needed"},
		{`{"modelId": "org/x", "siblings": [], "tags": ["a"], "library_name": "x"}`, "Hugging Face’s interface", ""},
		{"====\nLayer (type:depth-idx)    Param #\n====\nLinear: 1-1    64\nTotal params: 64\n", "summary of layers",
			"print(model)"},
		{`{"producer": {"name": "modelopt"}, "quantization": {"quant_algo": "NVFP4"}}`, "recipe of quantisation", ""},
		{"{\n  \"hidden_size\": 64,\n  \"num_attention_hea\n", "without its closing quote", "cut off"},
		{"x - kv 0: general.architecture str = lfm2\nx - kv 1: lfm2.block_count u32 = 16\n" +
			"x - kv 2: lfm2.embedding_length u32 = 64\nx - kv 3: lfm2.attention.head_count u32 = 4\n" +
			"x - kv 4: lfm2.attention.head_count_kv arr[i32,16] = " +
			"[0, 0, 8, ...\nx - kv 5: lfm2.vocab_size u32 = 9\n", "head_count_kv is a list", "cut off"},
		{"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 654\n", "Git LFS pointer",
			"config.json is needed"},
		{"FROM ./model.gguf\nPARAMETER temperature 0.7\n", "Modelfile of Ollama", "config.json is needed"},
		{"GGUF\x03", "GGUF file itself", "gguf-dump --json"},
		{"base_model: org/base\nsequence_len: 4096\nadapter: lora\n", "axolotl", "org/base"},
		{`{"dim": 4096, "multiple_of": 256, "n_heads": 32, "n_layers": 32, "norm_eps": 1e-05, "vocab_size": -1}`,
			"vocab_size is -1", "whole number"},
		{`{"dim": 4096, "multiple_of": 256, "n_heads": 32, "n_layers": 32}`, "no vocab_size", "vocab_size"},
		{`{"general.architecture": "llama", "llama.block_count": 2, "llama.embedding_length": 8,
			"llama.attention.head_count": 2, "llama.feed_forward_length": 8}`, "no llama.vocab_size", "vocab_size"},
		{"XForCausalLM(\n  (model): XModel(\n    (q_proj): Linear(in_features=8, out_features=8, bias=False)\n  )\n)\n",
			"these are 64 parameters", "config.json is needed"},
		{"base_emb_dim: 8\nbase_num_query_heads: 2\nvocab_size: 8\ndecoder_block: \"gemma2\"\n",
			"no base_num_decoder_layers", "write"},
		{"## Model Overview\n- Type: Causal\n- Number of Layers: 36\n", "model card", "config.json is needed"},
		{"---\nlicense: mit\nlanguage:\n- en\n---\n# X\n\n| layers | 32 |\n", "model card", "config.json is needed"},
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
	layers := 0
	took, soon := cputime.Within(time.Second, func() { layers = mustRead(t, []byte(text)).Model.Layers })
	if layers != 32 || !soon {
		t.Errorf("%d layers, after %v", layers, took)
	}
}

// The page about the book names each format that is read.
func TestPageOfFilesNamesFormats(t *testing.T) {
	text, err := os.ReadFile("../../../content/your-file.md")
	if err != nil {
		t.Fatal(err)
	}
	page, formats := strings.Join(strings.Fields(string(text)), " "), known().formats
	for _, f := range formats {
		title := strings.TrimPrefix(strings.TrimPrefix(f.title, "a log of "), "a ")
		if !strings.Contains(page, title) {
			t.Errorf("content/your-file.md doesn't name %s", f.title)
		}
	}
	if len(formats) < 3 {
		t.Errorf("%d formats", len(formats))
	}
}
