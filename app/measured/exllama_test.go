package measured

import (
	"math"
	"testing"
)

// A card of 24 GiB with Qwen2.5 32B in four bits and ExLlama held 18,665 MiB with 8,192 tokens of cache in 16 bits
// (github.com/oobabooga/textgen/pull/6903): what is predicted to be left holds as many more tokens as fit beside that.
func TestExLlamaHoldsTokens(t *testing.T) {
	row := Row{ID: "x", Kind: "kv_capacity", Setup: Setup{"model": "Qwen/Qwen2.5-32B-Instruct", "device": "RTX 3090",
		"tp": 1.0, "engine": "exllamav3", "quant": "4.0bpw", "cache_mode": "FP16", "max_seq_len": 8192.0}}
	p, err := kvCapacity(row, shippedWidths())
	if err != nil {
		t.Fatal(err)
	}
	tokens := p.Metrics["kv_cache_tokens"].Mid
	const each, used, whole = 64 * 2 * 8 * 128 * 2, 18665 << 20, 23.5 * (1 << 30)
	if want := (whole-used)/each + 8192; math.Abs(tokens/want-1) > 0.03 {
		t.Errorf("%v tokens fit, want %v", tokens, want)
	}
	row.Setup["cache_mode"] = "8,4"
	if p, err = kvCapacity(row, shippedWidths()); err != nil || p.Metrics["kv_cache_tokens"].Mid < 2.3*tokens {
		t.Errorf("%v, %v tokens of 6.5 bits, %v of 16", err, p.Metrics["kv_cache_tokens"].Mid, tokens)
	}
}
