package quant

import (
	_ "embed"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/model"
)

//go:embed testdata/published.tsv
var published string

func known(t *testing.T, id string) *model.Model {
	t.Helper()
	k, err := model.Catalog().Get(id)
	if err != nil {
		t.Fatal(err)
	}
	return &k.Model
}

func format(t *testing.T, id string) *Format {
	t.Helper()
	f, found := Get(id)
	if !found {
		t.Fatalf("no format %s", id)
	}
	return f
}

// TestPublishedSizes holds the mixes against what llama.cpp's own tool made: bits to four digits, sizes as printed.
func TestPublishedSizes(t *testing.T) {
	rows := 0
	for line := range strings.Lines(published) {
		c := strings.Split(strings.TrimSpace(line), "\t")
		if len(c) < 4 {
			continue
		}
		rows++
		want, _ := strconv.ParseFloat(c[3], 64)
		size := format(t, c[1]).Of(known(t, c[0]))
		got, within := size.Bits(), 1e-4
		if c[2] == "GiB" {
			got, within = size.Bytes/(1<<30), 1e-3
		}
		if c[2] == "bytes" { // names and a vocabulary, 15 MB, stand in the file too
			got, within = size.Bytes, 2e-3
		}
		if c[1] == "iq4_xs" { // that file was made without a matrix of importance
			within = 0.01
		}
		if math.Abs(got/want-1) > within {
			t.Errorf("%s as %s: %.4f %s, published %s", c[0], c[1], got, c[2], c[3])
		}
	}
	if rows < 30 {
		t.Errorf("only %d rows", rows)
	}
}

// TestBlocks holds the types against the sizes of ggml's structs (static_assert in ggml-common.h) and of others' files.
func TestBlocks(t *testing.T) {
	for name, bits := range map[string]float64{"q4_0": 4.5, "q4_1": 5, "q5_0": 5.5, "q5_1": 6, "q8_0": 8.5,
		"q2_K": 2.625, "q3_K": 3.4375, "q4_K": 4.5, "q5_K": 5.5, "q6_K": 6.5625, "iq1_s": 1.5625, "iq1_m": 1.75,
		"iq2_xxs": 2.0625, "iq2_xs": 2.3125, "iq2_s": 2.5625, "iq3_xxs": 3.0625, "iq3_s": 3.4375, "iq4_nl": 4.5,
		"iq4_xs": 4.25, "tq1_0": 1.6875, "tq2_0": 2.0625, "mxfp4": 4.25, "nvfp4": 4.5, "gptq4_128": 4.15625,
		"gptq4_32": 4.625, "mlx4_64": 4.5, "mlx4_32": 5,
		"mlx8_64": 8.5, "nf4": 4.5, "int4_32": 4.5, "f16": 16, "bits3.5": 3.5} {
		kind, found := typeNamed(name)
		if !found || kind.Bits() != bits {
			t.Errorf("%s: %v bits, want %v", name, kind.Bits(), bits)
		}
	}
}

// TestEveryFormat counts each format on models of every kind: all weights once, every type known, bits in a range.
func TestEveryFormat(t *testing.T) {
	for _, k := range model.Catalog().All {
		for _, f := range Formats() {
			s := f.Of(&k.Model)
			if math.Abs(s.Weights/k.Total()-1) > 1e-9 {
				t.Errorf("%s in %s: %v weights of %v", k.ID, f.ID, s.Weights, k.Total())
			}
			if !(s.Bits() > 1.5 && s.Bits() <= 32) || !(s.Read > 0 && s.Read <= s.Bytes) || s.Experts > s.Bytes {
				t.Errorf("%s in %s: %v bits, %v of %v read", k.ID, f.ID, s.Bits(), s.Read, s.Bytes)
			}
			for _, p := range s.Parts {
				if p.Type.Name == "" {
					t.Errorf("%s in %s: %s has no type", k.ID, f.ID, p.Role)
				}
			}
		}
	}
}

// TestWhatKeepsMoreBits: the mixes are told tensor by tensor.
func TestWhatKeepsMoreBits(t *testing.T) {
	typesOf := func(id, name string) map[string]string {
		all := map[string]string{}
		for _, p := range format(t, name).Of(known(t, id)).Parts {
			all[p.Role] += p.Type.Name + " "
		}
		return all
	}
	llama := typesOf("llama3.8b", "q4_k_m")
	for role, want := range map[string]string{"out": "q6_K ", "embd": "q4_K ", "small": "f32 ", "up": "q4_K ",
		"v": "q6_K q4_K ", "down": "q6_K q4_K "} {
		if llama[role] != want {
			t.Errorf("Q4_K_M has %s as %s, want %s", role, llama[role], want)
		}
	}
	if mixtral := typesOf("mixtral.8x7b", "q4_k_m"); mixtral["v"] != "q8_0 " || mixtral["o"] != "q5_K " {
		t.Errorf("of eight experts values are %s and outputs %s", mixtral["v"], mixtral["o"])
	}
	// Queries, keys and values of Phi are one tensor, which Q4_K_M has in Q5_K: by hand 40 layers of 5120 x 7680 at 5.5
	// bits, 5120 x 5120 and 2 x 5120 x 17,920 at 4.5, 17,920 x 5120 at 6.5625 in 20 of them and 4.5 in the others, and
	// tables of 100,352 x 5120 at 6.5625 and 4.5 are 9.048e9 bytes; norms are 1.7e6 more (published: 9.05 GB).
	known, err := model.Catalog().Get("phi4.14b")
	if err != nil {
		t.Fatal(err)
	}
	if f, _ := Get("q4_k_m"); math.Abs(f.Of(&known.Model).Bytes/9.0496e9-1) > 1e-3 {
		t.Errorf("Phi-4 in Q4_K_M has %v bytes", f.Of(&known.Model).Bytes)
	}
	if phi := typesOf("phi4.14b", "q4_k_m"); phi["qkv"] != "q5_K " || phi["v"] != "" {
		t.Errorf("Phi-4 in Q4_K_M: %v", phi)
	}
	if gpt := typesOf("gpt_oss.20b", "mxfp4_moe"); gpt["experts"] != "mxfp4 " || gpt["q"] != "q8_0 " {
		t.Errorf("MXFP4 MoE: %v", gpt)
	}
	// A width of 2880 is no multiple of 256: blocks of 32 take the place of the wanted ones.
	if gpt := typesOf("gpt_oss.20b", "q4_k_s"); gpt["q"] != "q5_0 " {
		t.Errorf("queries of width 2880 are %s", gpt["q"])
	}
	if awq := typesOf("llama3.8b", "awq"); awq["out"] != "bf16 " || awq["q"] != "gptq4_128 " {
		t.Errorf("AWQ: %v", awq)
	}
}

// TestReadOfExperts: a token reads its share of the experts, and one row of the input embedding.
func TestReadOfExperts(t *testing.T) {
	m := known(t, "qwen3.30b_a3b")
	s := format(t, "q8_0").Of(m)
	if got, want := s.Routed/s.Experts, 8.0/128; math.Abs(got/want-1) > 1e-12 {
		t.Errorf("%v of the experts are read, want %v", got, want)
	}
	small := 4 * (m.Params().Small() + m.Params().Router)
	want := 8.5/8*(m.Active().Matmul()-m.Params().Router) + small
	if math.Abs(s.Read/want-1) > 1e-9 {
		t.Errorf("%v bytes are read, want %v", s.Read, want)
	}
}

// Checkpoints in NVFP4 of models with latent attention have only routed experts in it, as NVIDIA's of Kimi K2.6 and of
// GLM-5.1 name them; those of others have all matrices of their layers in it.
func TestNVFP4LeavesLatentAttention(t *testing.T) {
	f, _ := Get("nvfp4")
	for id, latent := range map[string]bool{"deepseek.v3": true, "kimi.k2_5": true, "mistral.small4_119b": true,
		"glm5.744b_a40b": true, "qwen3.235b_a22b": false, "llama3.8b": false, "qwen3_5.35b_a3b": false} {
		known, err := model.Catalog().Get(id)
		if err != nil {
			t.Fatal(err)
		}
		p := known.Params()
		narrow := p.Routed
		if !latent {
			narrow = p.Total() - p.Embedding - p.Unembedding - p.Router - p.Norms
		}
		want := 2*(p.Total()-narrow) + narrow*4.5/8
		if got := f.Of(&known.Model).Bytes; got < 0.997*want || got > 1.003*want {
			t.Errorf("%s: %.4g bytes, want %.4g", id, got, want)
		}
	}
}
