package config

import "testing"

// What a sequence keeps, in bf16 and with states in fp32: bytes for each token, and bytes however long it is. Each
// figure is written as the product that its configuration says: layers, heads, sizes, bytes.
var cacheSamples = []struct {
	file            string
	token, sequence float64
}{
	{"falcon-h1-0.5b", 36 * 2 * 2 * 64 * 2, 36 * (24*64*128*4 + 3*(1536+2*128)*2)},
	{"nemotron-h-8b", 4 * 2 * 8 * 128 * 2, 24 * (128*64*128*4 + 3*(8192+2*8*128)*2)},
	{"nemotron-nano-9b-v2", 4 * 2 * 8 * 128 * 2, 27 * (128*80*128*4 + 3*(10240+2*8*128)*2)},
	{"granite-h-small", 4 * 2 * 8 * 128 * 2, 36 * (128*64*128*4 + 3*(8192+2*128)*2)},
	{"lfm2-8b-a1b", 6 * 2 * 8 * 64 * 2, 18 * 2 * 2048 * 2},
	{"kimi-linear", 7 * (512 + 64) * 2, 20 * (32*128*128*4 + 3*3*4096*2)},
	{"jamba", 4 * 2 * 8 * 128 * 2, 28 * (8192*16*4 + 3*8192*2)},
	{"minimax-text-01", 10 * 2 * 8 * 128 * 2, 70 * 64 * 128 * 128 * 4},
	{"qwen3-next-80b-a3b", 12 * 2 * 2 * 256 * 2, 36 * (32*128*128*4 + 3*(2*16*128+32*128)*2)},
	{"glm4.5", 92 * 2 * 8 * 128 * 2, 0},
	{"glm-5.2", 78 * (512 + 64) * 2, 0},
	{"deepseek-v3.2", 61 * (512 + 64) * 2, 0},
	{"ernie4.5-21b-a3b", 28 * 2 * 4 * 128 * 2, 0},
	{"hunyuan-a13b", 32 * 2 * 8 * 128 * 2, 0},
	{"dots1", 62 * 2 * 32 * 128 * 2, 0},
	{"command-a", 64 * 2 * 8 * 128 * 2, 0},
	{"olmo3-32b", 64 * 2 * 8 * 128 * 2, 0},
	{"gemma3n-e4b", (35 - 15) * 2 * 2 * 256 * 2, 0},
	{"gemma3n-e2b", (30 - 10) * 2 * 2 * 256 * 2, 0},
	{"step3", 61 * 2 * 1 * 256 * 2, 0},
	{"ring-mini-linear-2.0", 4 * 2 * 4 * 128 * 2, 16 * 16 * 128 * 128 * 4},
	{"ring-flash-linear-2.0", 4 * 2 * 4 * 128 * 2, 28 * 32 * 128 * 128 * 4},
	{"glm-4.7-flash", 47 * (512 + 64) * 2, 0},
	{"falcon-h1-34b", 72 * 2 * 4 * 128 * 2, 72 * (32*128*256*4 + 3*(4096+2*2*256)*2)},
	{"jamba-1.5-large", 9 * 2 * 8 * 128 * 2, 63 * (16384*16*4 + 3*16384*2)},
	{"ernie4.5-300b-a47b", 54 * 2 * 8 * 128 * 2, 0},
	{"moonlight-16b-a3b", 27 * (512 + 64) * 2, 0},
	{"qwen2-57b-a14b", 28 * 2 * 4 * 128 * 2, 0},
	{"gemma3-270m", 18 * 2 * 1 * 256 * 2, 0},
	{"command-r-plus", 64 * 2 * 8 * 128 * 2, 0},
	{"olmo2-32b", 64 * 2 * 8 * 128 * 2, 0},
	{"grok-2", 64 * 2 * 8 * 128 * 2, 0},
	{"hunyuan-large", 32 * 2 * 8 * 80 * 2, 0},
	{"arctic", 35 * 2 * 8 * 128 * 2, 0},
	{"minicpm3-4b", 62 * (256 + 32) * 2, 0},
	{"mimo-7b", 36 * 2 * 8 * 128 * 2, 0},
	{"trinity-mini", 32 * 2 * 4 * 128 * 2, 0},
	{"laguna-xs.2", 40 * 2 * 8 * 128 * 2, 0},
	{"laguna-s.2.1", 48 * 2 * 8 * 128 * 2, 0},
	{"apertus-8b", 32 * 2 * 8 * 128 * 2, 0},
	{"tinyllama-1.1b", 22 * 2 * 4 * 64 * 2, 0},
	{"smollm2-135m", 30 * 2 * 3 * 64 * 2, 0},
	{"qwen2.5-1.5b", 28 * 2 * 2 * 128 * 2, 0},
	{"qwen3-1.7b", 28 * 2 * 8 * 128 * 2, 0},
	{"mistral-small-24b", 40 * 2 * 8 * 128 * 2, 0},
	{"pythia-1b", 16 * 2 * 8 * 256 * 2, 0},
	{"opt-1.3b", 24 * 2 * 32 * 64 * 2, 0},
}

func TestCaches(t *testing.T) {
	texts := map[string][]byte{}
	for _, s := range samples(t) {
		texts[s.file] = s.text
	}
	for _, c := range cacheSamples {
		m := mustRead(t, texts[c.file]).Model
		if got := float64(m.KVBytesPerToken(2)); got != c.token {
			t.Errorf("%s: %v bytes for each token, want %v", c.file, got, c.token)
		}
		if got := float64(m.StateBytes()); got != c.sequence {
			t.Errorf("%s: %v bytes for each sequence, want %v", c.file, got, c.sequence)
		}
	}
}

// Only layers with an index of their own cache its keys: in GLM-5.2 21 of 78.
func TestSharedIndex(t *testing.T) {
	for _, s := range samples(t) {
		layers := map[string]float64{"glm-5": 78, "glm-5.2": 21, "deepseek-v3.2": 61}[s.file]
		if layers == 0 {
			continue
		}
		m := mustRead(t, s.text).Model
		if got, want := float64(m.IndexBytes(1000)), layers*1000*128*(1+4.0/128); got != want {
			t.Errorf("%s: %v bytes of index keys, want %v", s.file, got, want)
		}
	}
}

// A list that says the same of every layer is a number, and letters say where windows are.
func TestSamesAndLetters(t *testing.T) {
	const base = `{"model_type": "exaone4", "hidden_size": 8, "num_hidden_layers": 5, "num_attention_heads": 2,
		"num_key_value_heads": 1, "vocab_size": 9, "sliding_window": 4, `
	m := mustRead(t, []byte(base+`"intermediate_size": [16, 16, 16], "sliding_window_pattern": "LLG"}`)).Model
	got := layers(5, func(i int) bool { return m.Layer(i).Window != 0 })
	if m.FFWidth != 16 || got != "11010" {
		t.Errorf("MLP of %d, windows at %s", m.FFWidth, got)
	}
	for _, fields := range []string{`"intermediate_size": [16, 8]`, `"sliding_window_pattern": "LXG"`} {
		if _, err := Read([]byte(base + fields + "}")); err == nil {
			t.Errorf("%s is taken", fields)
		}
	}
}
