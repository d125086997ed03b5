package library

import (
	"strings"
	"testing"
)

func TestSlicesInSheets(t *testing.T) {
	env := New()
	for _, c := range []struct{ src, want string }{
		{"x = slice(tpu.v5e, 16, 16).hosts", "32 hosts"},
		{"x = slice(tpu.v5e, 16, 16).flops(bf16)", "50.4 PFLOP/s"},
		{"x = slice(tpu.v5p, 16, 20, 28).hosts", "2240 hosts"},
		{"x = slice(tpu.v5p, 16, 20, 28).cores", "17,920 cores"},
		{"x = slice(tpu.v5p, 8, 8, 16).wrap_z", "on"},
		{"x = slice(tpu.v5p, 2, 2, 4).wrap_z", "off"},
		{"x = slice(tpu.v5e, 8, 16).wrap_x", "off"},
		{"x = slice(tpu.v5e, 8, 16).wrap_y", "on"},
		{"x = slice(tpu.v5e, 8, 16).ring_y", "90 GB/s"},
		{"x = slice(tpu.v5e, 8, 16).ring_x", "45 GB/s"},
		{"x = slice(tpu.v5e, 8, 16, 1).chips", "128 chips"},
		{"s = slice(tpu.v5e, 4, 4)\nx = s.shape", "4x4"},
		{"x = slice(tpu.v5e, 4, 4)", "TPU v5e 4x4"},
		{"let n = 4\nlet c = tpu.v5e\ns = slice(c, n, n)\nx = s.chip.hbm", "16 GB"},
		{"let n = 4\ns = slice(original.v5e, n, n)\nx = s.chip.hbm_bandwidth", "810 GB/s"},
		{"let n = 3\nx = slice(tpu.v5e, n, 5)", "TPU v5e has no slice 3x5; there are 1x1, 2x2"},
		{"let n = 2.5\nx = slice(tpu.v5e, n, 4)", "give a whole number"},
		{"let n = 3\nx = slice(tpu.v5p, n, 4, 4)", "multiples of 4, up to 8960 chips"},
		{"let n = 4\nx = slice(tpu.v5p, n, 4)", "3 axes, not 2"},
		{"let n = 4\nx = slice(gpu.h100, n, 4)", "not joined in a torus"},
	} {
		if got := eval(t, env, c.src); !strings.Contains(got, c.want) {
			t.Errorf("%q: %q, want %q in it", c.src, got, c.want)
		}
	}
}
