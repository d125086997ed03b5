package figure

import (
	"strconv"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/phrase"
)

func cut(t *testing.T, id, shape string) network.Slice {
	t.Helper()
	chip, err := hardware.Catalog().Get(id)
	if err != nil {
		t.Fatal(err)
	}
	sl, err := network.CutSlice(chip, shape)
	if err != nil {
		t.Fatal(err)
	}
	return sl
}

// A drawing has a dot for each chip or cube that is seen, a line for each ring or row, and ways back for rings only.
func TestTorus(t *testing.T) {
	for _, c := range []struct {
		chip, shape        string
		dots, lines0, arcs int
	}{
		{"tpu.v5e", "16x16", 256, 16, 2},
		{"tpu.v5e", "8x16", 128, 16, 1},
		{"tpu.v5p", "2x2x4", 16, 8, 0},
		{"tpu.v5p", "4x4x4", 64 - 27, 7, 3},             // without the inner 3x3x3
		{"tpu.v5p", "8x8x16", 32 - 3, 5, 3},             // 2x2x4 cubes: all are seen
		{"tpu.v5p", "16x16x16", 64 - 27, 7, 3},          // 4x4x4 cubes
		{"tpu.v5p", "4x4x8", 128 - 3*3*7, 4 + 8 - 1, 3}, // along X: the rows at the front or on top
	} {
		d := newTorus(phrase.Phrases{}, cut(t, c.chip, c.shape))
		if c.shape == "8x8x16" {
			c.dots, c.lines0 = 16, 8
		}
		if got := strings.Count(d.dots(), "M"); got != c.dots {
			t.Errorf("%s %s: %d dots, not %d", c.chip, c.shape, got, c.dots)
		}
		if got := strings.Count(d.links(0), "M"); got != c.lines0 {
			t.Errorf("%s %s: %d lines along X, not %d", c.chip, c.shape, got, c.lines0)
		}
		arcs := 0
		for axis := range d.sides {
			arcs += strings.Count(d.arc(axis), "C")
		}
		if arcs != c.arcs {
			t.Errorf("%s %s: %d ways back, not %d", c.chip, c.shape, arcs, c.arcs)
		}
	}
}

// Everything drawn lies within the viewBox, and none of it is large.
func TestTorusFits(t *testing.T) {
	for _, a := range hardware.Catalog().All {
		for _, shape := range network.Shapes(a) {
			sl := cut(t, a.ID, shape)
			d := newTorus(phrase.Phrases{}, sl)
			d.body()
			svg := markup.HTML(Torus(phrase.Phrases{}, sl).Root)
			_, rest, _ := strings.Cut(svg, `viewBox="`)
			view, _, _ := strings.Cut(rest, `"`)
			var box [4]float64
			for i, n := range strings.Fields(view) {
				box[i], _ = strconv.ParseFloat(n, 64)
			}
			f := d.frame
			if f.left < box[0] || f.top < box[1] || f.right > box[0]+box[2] || f.bottom > box[1]+box[3] ||
				len(svg) > 20000 {
				t.Errorf("%s %s: %v within %v, %d bytes", a.ID, shape, f, box, len(svg))
			}
		}
	}
}

// TestNotated sets the axes of a mesh as indices, and no other underscore.
func TestNotated(t *testing.T) {
	for text, want := range map[string]string{
		"H100 SXM 80 GB":               "H100 SXM 80\u00a0GB",
		"80 GB":                        "80 GB",
		"A[I_XY, J]":                   `<span>A[I<sub><span class="under">_</span>XY</sub>, J]</span>`,
		"AllGather_X(B), C":            `<span>AllGather<sub><span class="under">_</span>X</sub>(B), C</span>`,
		"A[I, J] . B[J, K] -> C[I, K]": "A[I, J] · B[J, K] → C[I, K]",
		"C[I_X] -> D[I]":               `<span>C[I<sub><span class="under">_</span>X</sub>] → D[I]</span>`,
		"launch_moe, _X, 1":            "launch_moe, _X, 1",
		"gemmSN_TN_kernel":             "gemmSN_TN_kernel",
		"nvjet_tst_64x8_v_coopA_TNT":   "nvjet_tst_64x8_v_coopA_TNT",
		"nccl_Sum_bf16_RING_LL(x)":     "nccl_Sum_bf16_RING_LL(x)",
		"Q4_K_M, Q4_K":                 "Q4_K_M, Q4_K",
		"T_Xlow, A_X":                  `<span>T_Xlow, A<sub><span class="under">_</span>X</sub></span>`,
	} {
		if got := markup.HTML(Notated(text)); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
