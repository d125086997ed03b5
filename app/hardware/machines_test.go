package hardware

import (
	"strings"
	"testing"
)

// What clouds call their machines tells their accelerators: each line of the table is found by its own name, and those
// that are no such names have none.
func TestMachines(t *testing.T) {
	for row := range strings.Lines(machineTable) {
		c := strings.Split(strings.TrimSpace(row), "\t")
		if a, err := Catalog().Get(c[1]); err != nil || a.ID != c[1] {
			t.Errorf("%s: %v", row, err)
		}
		end := ""
		if c[2][0] == '/' {
			end = "8"
		}
		if id, n := Machine(c[0] + end); id != c[1] || n < 1 {
			t.Errorf("%s%s: %s, %d", c[0], end, id, n)
		}
	}
	for name, want := range map[string]struct {
		id string
		n  int
	}{
		"ml.p5.48xlarge": {"gpu.h100", 8}, "p5.4xlarge": {"gpu.h100", 1}, "p4d.24xlarge": {"gpu.a100_40", 8},
		"g6e.12xlarge": {"gpu.l40s", 4}, "a2-highgpu-4g": {"gpu.a100_40", 4}, "a3-megagpu-8g": {"gpu.h100", 8},
		"h100-mega-80gb-8": {"gpu.h100", 8}, "gb200-4-nolssd": {"gpu.gb200", 4}, "v5p-1024": {"tpu.v5p", 512},
		"v5p-4x4x8": {"tpu.v5p", 128}, "v5litepod-256": {"tpu.v5e", 256}, "v6e-16x16": {"tpu.v6e", 256},
		"tpu7x-128": {"tpu.v7x", 64}, "Standard_ND96isr_H100_v5": {"gpu.h100", 8}, "BM.GPU.H200.8": {"gpu.h200", 8},
		"v4-next": {"", 0}, "m5.large": {"", 0}, "p55.48xlarge": {"", 0}, "v6e-0": {"", 0}, "v5p-": {"", 0},
		"v5p-99999999999999999999": {"", 0}, "": {"", 0},
	} {
		if id, n := Machine(name); id != want.id || n != want.n {
			t.Errorf("%s: %s, %d; want %s, %d", name, id, n, want.id, want.n)
		}
	}
}
