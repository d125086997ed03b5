package figure

import (
	"testing"

	"github.com/scalebook/scalebook/app/markup"
)

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
		"Q4_K_M, Q4_K":                 "Q4_K_M, Q4_K",
		"T_Xlow, A_X":                  `<span>T_Xlow, A<sub><span class="under">_</span>X</sub></span>`,
	} {
		if got := markup.HTML(Notated(text)); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
