package chips

import (
	"strings"
	"testing"
)

// What a chip does not have is told from what nobody has written down.
func TestNoneIsNotUnknown(t *testing.T) {
	v := view2(t, New(), "chips = gpu.h100, tpu.v7x, tpu.v5e")
	text := v.Export("markdown")
	_, links, _ := strings.Cut(text, "Links and networks")
	links, _, _ = strings.Cut(links, "FLOP per byte")
	for name, want := range map[string]string{"H100 SXM 80 GB": "| none | not known |", "TPU7x (Ironwood)": "| 100 | not known |"} {
		_, row, _ := strings.Cut(links, name)
		row, _, _ = strings.Cut(row, "\n")
		if !strings.Contains(row, want) {
			t.Errorf("%s: %q has no %q", name, row, want)
		}
	}
}
