package figure_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/markup"
)

// The bytes of a matmul by hand, two each: 8 rows of width 64 are 1,024 bytes, 64 x 128 weights 16,384, the output 8 x
// 128 is 2,048; 8 x 64 x 128 x 2 = 131,072 FLOPs over 19,456 bytes are 6.74. With a matrix for each row the weights are
// 131,072 bytes, and 131,072 FLOPs over 134,144 bytes are 0.977.
func TestAreasOfMatmul(t *testing.T) {
	for line, want := range map[string][]string{
		"figure matmul_areas(8, 64, 128, 64, on)":  {"1.02 kB", "16.4 kB", "2.05 kB", "6.74 FLOP/byte", "84.2"},
		"figure matmul_areas(8, 64, 128, 64, off)": {"1.02 kB", "131 kB", "2.05 kB", "0.977 FLOP/byte", "97.7"},
	} {
		html := markup.HTML(drawnFrom(t, line).Root)
		for _, x := range want {
			if !strings.Contains(html, x) {
				t.Errorf("%s lacks %s", line, x)
			}
		}
	}
}

// Of a layer all of whose experts every token chooses, all are read by the first; a single choice reads one; no lot
// reads more than all, nor fewer than one token needs. Of 128 experts with 8 for each token, 8 tokens read 128 times 1
// - (1 - 1/16)^8, 51.6, on average: within 6, which is three times what such lots vary by.
func TestExpertsByLot(t *testing.T) {
	for line, want := range map[string]string{
		"figure expert_choice(16, 16, 1, 256)":  "16 of 16",
		"figure expert_choice(16, 2, 1, 256)":   "2 of 16",
		"figure expert_choice(8, 2, 256, 256)":  "8 of 8",
		"figure expert_choice(64, 80, 1, 256)":  "64 of 64",
		"figure expert_choice(1, 1, 5, 256)":    "1 of 1",
		"figure expert_choice(128, 8, 1, 256)":  "8 of 128",
		"figure expert_choice(1024, 1, 1, 256)": "1 of 1024",
	} {
		if d := drawnFrom(t, line); !strings.Contains(d.Title, want+" experts") {
			t.Errorf("%s: %q lacks %s", line, d.Title, want)
		}
	}
	d := drawnFrom(t, "figure expert_choice(128, 8, 8, 256)")
	near := false
	for read := 46; read <= 57; read++ {
		near = near || strings.Contains(d.Title, "read "+strconv.Itoa(read)+" of 128")
	}
	if !near {
		t.Errorf("%q is far from 51.6", d.Title)
	}
}

// Which of two rates is the limit is said, whichever it is, and what can't be drawn is refused.
func TestLimitsAreNamed(t *testing.T) {
	for line, want := range map[string]string{
		"figure switched_node(8, 4, 450 GB/s, 3.6 TB/s, 6.4 TB/s)":           "GPUs’ own links",
		"figure switched_node(8, 2, 450 GB/s, 3.6 TB/s, 3.2 TB/s)":           "switches are the limit",
		"figure two_chips(4096, 16384, 8192, 174 us, 373 us)":                "Communication-bound",
		"figure two_chips(16384, 16384, 8192, 698 us, 373 us)":               "Compute-bound",
		"figure tiled_matmul(8, 64, 2 MB, 1 MB, 1 us, 2 us, 256 MB, 128 MB)": "more than 128 MB",
		"figure tiled_matmul(512, 64, 2 MB, 1 MB, 1 us, 2 us, 1 MB, 128 MB)": "1 MB of 128 MB",
		"figure shared_heads(64, 64, 32768 byte, 32768 byte)":                "Multi-head",
		"figure shared_heads(64, 1, 512 byte, 32768 byte)":                   "Multi-query",
		"figure switched_node(576, 36, 450 GB/s, 259 TB/s, 57.6 TB/s)":       "switches are the limit",
		"figure matmul_areas(1e9, 64, 128, 64, off)":                         "weights",
	} {
		html := markup.HTML(drawnFrom(t, line).Root)
		if !strings.Contains(html, want) || strings.Contains(html, "NaN") {
			t.Errorf("%s lacks %q", line, want)
		}
	}
	for _, line := range []string{"figure shared_heads(128, 8, 1 MB, 2 MB)", "figure shared_heads(8, 9, 1 MB, 2 MB)",
		"figure expert_choice(2000, 8, 1, 256)", "figure expert_choice(8, 2, 300, 256)",
		"figure expert_choice(8, 0, 1, 256)",
		"figure two_chips(0, 1, 1, 1 s, 1 s)"} {
		if _, err := tryDrawing(t, line); err == nil {
			t.Errorf("%s is drawn", line)
		}
	}
}

// A chip alone has no gradients to add up, no row has less than a chip, and who waits does so for the rest of the
// all-reduce.
func TestScalingRows(t *testing.T) {
	for line, want := range map[string][]string{
		"figure scaling_step(1, 2 s, 4 s, 9 s)": {"1 2 s 4 s 0 s 0 s 6 s 100\u00a0%",
			"2 1 s 2 s 9 s 7 s 10 s 30.0\u00a0%", "4 "},
		"figure scaling_step(8, 2 s, 4 s, 3 s)": {"4 4 s 8 s 3 s 0 s 12 s 100\u00a0%",
			"8 2 s 4 s 3 s 0 s 6 s 100\u00a0%",
			"16 1 s 2 s 3 s 1 s 4 s 75.0\u00a0%", "32 "},
	} {
		rows := drawnFrom(t, line).AltTables[0].Rows
		if len(rows) != len(want) {
			t.Errorf("%s: %v", line, rows)
			continue
		}
		for i, r := range rows {
			if !strings.HasPrefix(strings.Join(r, " "), want[i]) {
				t.Errorf("%s: %q, not %q", line, strings.Join(r, " "), want[i])
			}
		}
	}
}
