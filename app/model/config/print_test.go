package config

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// testdata/prints has what print(model) gives for models that transformers 5.24 builds, and the parameters that it
// counts in them.
func TestPrints(t *testing.T) {
	table, err := os.ReadFile("testdata/prints/counts.tsv")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(table)) {
		name, want, _ := strings.Cut(strings.TrimSpace(line), "\t")
		text, err := os.ReadFile("testdata/prints/" + name + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		im, err := Read(text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := fmt.Sprintf("%.0f", im.Model.Total()); got != want || len(im.Doubts) > 0 {
			t.Errorf("%s: %s parameters, the library counts %s; doubts %v", name, got, want, im.Doubts)
		}
		// the cache follows from the projections: what the file of the same model gives
		config, err := os.ReadFile("testdata/configs/" + name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		of := mustRead(t, config).Model
		if got, want := im.Model.KVBytesPerToken(2), of.KVBytesPerToken(2); got != want && name != "falcon-7b" {
			t.Errorf("%s: %v bytes of cache a token, its configuration has %v", name, got, want)
		}
		n++
	}
	if n < 16 {
		t.Errorf("%d prints", n)
	}
}

// adapted is two layers of width 64 in four bits, with adapters of rank 4 beside queries, behind a line of a session.
const adapted = `>>> print(model)
PeftModelForCausalLM(
  (base_model): LoraModel(
    (model): LlamaForCausalLM(
      (model): LlamaModel(
        (embed_tokens): Embedding(1000, 64)
        (layers): ModuleList(
          (0-1): 2 x LlamaDecoderLayer(
            (self_attn): LlamaAttention(
              (q_proj): lora.Linear4bit(
                (base_layer): Linear4bit(in_features=64, out_features=64, bias=False)
                (lora_dropout): ModuleDict(
                  (default): Dropout(p=0.05, inplace=False)
                )
                (lora_A): ModuleDict(
                  (default): Linear(in_features=64, out_features=4, bias=False)
                )
                (lora_B): ModuleDict(
                  (default): Linear(in_features=4, out_features=64, bias=False)
                )
                (lora_embedding_A): ParameterDict()
                (lora_embedding_B): ParameterDict()
              )
              (k_proj): Linear4bit(in_features=64, out_features=32, bias=False)
              (v_proj): Linear4bit(in_features=64, out_features=32, bias=False)
              (o_proj): Linear4bit(in_features=64, out_features=64, bias=False)
            )
            (mlp): LlamaMLP(
              (gate_proj): Linear4bit(in_features=64, out_features=160, bias=False)
              (up_proj): Linear4bit(in_features=64, out_features=160, bias=False)
              (down_proj): Linear4bit(in_features=160, out_features=64, bias=False)
              (act_fn): SiLU()
            )
            (input_layernorm): LlamaRMSNorm((64,), eps=1e-05)
            (post_attention_layernorm): LlamaRMSNorm((64,), eps=1e-05)
          )
        )
        (norm): LlamaRMSNorm((64,), eps=1e-05)
        (rotary_emb): LlamaRotaryEmbedding()
      )
      (lm_head): Linear(in_features=64, out_features=1000, bias=False)
    )
  )
)
`

func TestPrintWithAdapters(t *testing.T) {
	im, err := Read([]byte(adapted))
	if err != nil {
		t.Fatal(err)
	}
	const layer = 64*64 + 2*64*32 + 64*64 + 3*64*160 + 2*64
	if got, want := im.Model.Total(), 2*1000*64+2*layer+64.0; got != want {
		t.Errorf("%v parameters, by hand %v", got, want)
	}
	if len(im.Apart) != 1 || im.Apart[0].Params != 2*(64*4+4*64) {
		t.Errorf("beside the model stands %v", im.Apart)
	}
	if len(im.Doubts) > 0 {
		t.Error(im.Doubts)
	}
	if got := float64(im.Model.KVBytesPerToken(2)); got != 2*2*32*2 {
		t.Errorf("%v bytes of cache a token", got)
	}
}

// Experts one by one, as older releases and the publishers' own code print them.
func TestPrintOfExperts(t *testing.T) {
	expert := `MixtralBlockSparseTop2MLP(
        (w1): Linear(in_features=64, out_features=96, bias=False)
        (w2): Linear(in_features=96, out_features=64, bias=False)
        (w3): Linear(in_features=64, out_features=96, bias=False)
        (act_fn): SiLU()
      )`
	text := strings.Replace(adapted, "LlamaForCausalLM", "MixtralForCausalLM", 1)
	begin, end := strings.Index(text, "(mlp)"), strings.Index(text, "(input_layernorm)")
	text = text[:begin] + `(block_sparse_moe): MixtralSparseMoeBlock(
      (gate): Linear(in_features=64, out_features=8, bias=False)
      (experts): ModuleList(
        (0-7): 8 x ` + expert + `
      )
    )
    ` + text[end:]
	im, err := Read([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	const layer = 64*64 + 2*64*32 + 64*64 + 64*8 + 8*3*64*96 + 2*64
	if got, want := im.Model.Total(), 2*1000*64+2*layer+64.0; got != want {
		t.Errorf("%v parameters, by hand %v", got, want)
	}
	if got, want := im.Model.ActiveTotal(), im.Model.Total()-2*6*3*64*96; got != want {
		t.Errorf("%v active parameters, by hand %v", got, want)
	}
}

// A print that breaks off, or that hides its experts, says so at its place, and what could be counted.
func TestPrintsThatSayTooLittle(t *testing.T) {
	fused, err := os.ReadFile("testdata/prints/fused-experts.txt")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		adapted[:900]: "breaks off",
		adapted[strings.Index(adapted, "ModuleList("):strings.Index(adapted, "(norm)")] + "\n": "no list of layers",
		string(fused): "DeepseekV2Experts doesn’t show the sizes of its experts",
		strings.Replace(adapted, "Embedding(1000, 64)", "Embedding()", 1):         "shows no embedding",
		"Net(\n  (fc): Linear(in_features=3, out_features=4, bias=True)\n)\n":     "16 parameters",
		strings.Replace(adapted, "q_proj)", "queries)", 1):                        "not known here",
		strings.Replace(adapted, "out_features=160", "out_features=150", 1):       "MLP",
		strings.Replace(adapted, "(0-1): 2 x", "(0-1): 99999999999999999 x", 1):   "breaks off",
		strings.Replace(adapted, "in_features=64", "in_features=999999999999", 3): "",
	} {
		im, err := Read([]byte(text))
		if want == "" {
			continue
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, %+v; want %q", err, im.Model, want)
		}
	}
}

// No print, however mangled, panics, or gives a model that isn't one.
func TestMangledPrints(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 3000 {
		b := []byte(adapted)
		for range 1 + r.IntN(6) {
			at := r.IntN(len(b))
			switch r.IntN(4) {
			case 0:
				b[at] = "()0123456789,=\n x:"[r.IntN(18)]
			case 1:
				b = append(b[:at], b[min(len(b), at+r.IntN(40)):]...)
			case 2:
				b = append(b[:at:at], append([]byte("9999"), b[at:]...)...)
			case 3:
				to := min(len(b), at+r.IntN(200))
				b = append(b[:to:to], append(append([]byte(nil), b[at:to]...), b[to:]...)...)
			}
			if len(b) == 0 {
				break
			}
		}
		im, err := Read(b)
		if err == nil && im.Model.Validate() != nil {
			t.Fatalf("%s gives %+v", b, im.Model)
		}
	}
}
