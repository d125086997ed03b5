package serving

import (
	"math"
	"testing"
)

// TestPackedEntriesCounted: what SGLang keeps of DeepSeek-V4-Flash for a token of its pool: 43 layers with a window, of
// whose tokens a tenth is kept; 21 with an entry for 4 tokens and the key of an index, in 128 bytes and a scale of 4;
// 20 with one for 128. A key has 448 numbers in 8 bits, 64 in 16 and 8 bytes of scales. Each page of 128 tokens of a
// window has, for layers of 4, keys and weights of 8 tokens, each of two entries, in 4 bytes. Logs of the release that
// added the same for layers of 128 say 15,955.85 bytes, a layer that guesses tokens included (0.1 × 584); of V4-Pro
// 23,749.84 (github.com/sgl-project/sglang, pool_configurator.py; logs of May to July 2026).
func TestPackedEntriesCounted(t *testing.T) {
	const entry = 448 + 2*64 + 8
	each := 0.1*43*entry + 21.0/4*entry + 20.0/128*entry + 21.0/4*(128+4) +
		0.1/128*21*8*2*2*(512+128)*4
	dense := 0.1 / 128 * 20 * 128 * 2 * 512 * 4
	for _, c := range []struct {
		model    string
		release  float64
		want     float64
		sequence float64
	}{
		{"deepseek.v4_flash", 0, each, 20 * 128 * 2 * 512 * 4},
		{"deepseek.v4_flash", 5.12, each + dense, 0},
		{"deepseek.v4_pro", 5.12, 23749.84 - 0.1*entry, 0},
	} {
		for _, cache := range []float64{1, 2} { // whatever its flag says
			r := replica(t, c.model, "gpu.h200", 1, Plan{TP: 8}, ideal())
			r.Engine = Engine{Name: "sglang", Release: c.release, Sequences: 256, Share: 0.9}
			r.Shape = NewShape(r.Shape.Model, Uniform(1, cache))
			const free = 64 << 30
			p := r.Pool(free, 1<<20)
			if math.Abs(p.PerToken-c.want) > 0.01 {
				t.Errorf("%s, release %v: %.2f bytes a token, by hand %.2f", c.model, c.release, p.PerToken, c.want)
			}
			if want := (free - 256*c.sequence) / c.want; math.Abs(p.Tokens-want) > 1 {
				t.Errorf("%s, release %v: %.0f tokens, by hand %.0f", c.model, c.release, p.Tokens, want)
			}
		}
	}
}
