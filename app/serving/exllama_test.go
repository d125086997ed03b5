package serving

import "testing"

// Steps of ExLlama's ledger by hand, for Llama 2 7B with 4,096 tokens: 32 layers of 32 heads of 128. In 16 bits keys
// and values take 2 GiB. In 8 bits they take half, and 64 MiB are kept for one layer in 16 bits: 960 MiB less, which is
// what was measured (github.com/oobabooga/textgen/pull/5645: 15,162 and 14,202 MiB). Four bits have a scale of 16 for
// each 32.
func TestExLlamaLedger(t *testing.T) {
	const mib, tokens = 1 << 20, 4096
	for bits, want := range map[float64]float64{16: 2048, 8: 1024 + 64, 4.5: 576 + 64, 6.5: 832 + 64, 8.5: 1088 + 64} {
		e := Engine{Name: "exllama", Most: tokens}
		r := started(t, "llama2.7b", "gpu.rtx3090", Uniform(2, bits/8), Plan{}, e, tokens)
		l := r.Ledger(tokens)
		if l.Tokens != tokens || l.Block != 256 {
			t.Errorf("%v bits: %v tokens of pages of %v", bits, l.Tokens, l.Block)
		}
		near(t, "cache", l.Cache/mib, want, 1e-6)
	}
	r := started(t, "llama2.7b", "gpu.rtx3090", Uniform(0.5, 4.5/8), Plan{},
		Engine{Name: "exllama", Hosted: Hosted{First: true}}, tokens)
	l := r.Ledger(tokens)
	near(t, "host", l.Host, 32000*4096*2, 1e-9)
	near(t, "weights", l.Weights, 32*(4*4096*4096+3*4096*11008)*0.5+32000*4096*2, 1e-3)
	near(t, "scratch", l.Activations, 2*(2048*(4096+2*11008)+4096*11008), 1e-9)
	near(t, "left", l.Budget, l.Free-l.Weights-l.Activations, 1e-12)
	each := 2.0*32*4096*4.5/8 + 2*4096*2
	if want := float64(int(l.Budget/each/256)) * 256; l.Tokens != want {
		t.Errorf("%v tokens of %v bytes in %v, want %v", l.Tokens, each, l.Budget, want)
	}
}
