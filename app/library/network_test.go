package library

import (
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet/value"
)

func TestSlicesInSheets(t *testing.T) {
	env := New()
	evaluate(t, env, []evaluated{
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
		{"let n = 4\nlet c = tpu.v5e\ns = slice(c, n, n)\nx = s.chip.hbm", "15.8 GiB"},
		{"let n = 4\ns = slice(original.v5e, n, n)\nx = s.chip.hbm_bandwidth", "810 GB/s"},
		{"x = slice(tpu.v5e, 4, 4).hops(3, 3)", "6 hops"},
		{"x = slice(tpu.v5e, 16, 16).hops(3, 15)", "4 hops"},
		{"x = slice(tpu.v5p, 4, 4, 4).hops(2, 2, 3)", "5 hops"},
		{"let d = 4\nx = slice(tpu.v5e, 4, 4).hops(d)", "give 0 to 3"},
		{"let n = 3\nx = slice(tpu.v5e, n, 5)", "TPU v5e has no slice 3x5; there are 1x1, 2x2"},
		{"let n = 2.5\nx = slice(tpu.v5e, n, 4)", "give a whole number"},
		{"let n = 3\nx = slice(tpu.v5p, n, 4, 4)", "multiples of 4, up to 8960 chips"},
		{"let n = 4\nx = slice(tpu.v5p, n, 4)", "3 axes, not 2"},
		{"let n = 4\nx = slice(gpu.h100, n, 4)", "not joined in a torus"},
	})
}

func TestSwitchesInSheets(t *testing.T) {
	env := New()
	evaluate(t, env, []evaluated{
		{"x = node(gpu.h100)", "H100 SXM 80 GB node"},
		{"x = node(gpu.h100).devices", "8 devices"},
		{"x = node(gpu.h100).joined_1", "3.6 TB/s"},
		{"x = node(gpu.h100).bisection_bandwidth", "1.8 TB/s"},
		{"x = superpod(gpu.h100).switches", "560"},
		{"x = superpod(gpu.h100).switches_1", "512"},
		{"x = superpod(gpu.h100).capacity_2", "25.6 TB/s"},
		{"x = superpod(gpu.h100).joined_3", "51.2 TB/s"},
		{"x = superpod(gpu.h100).collective_bandwidth", "413 GB/s"},
		{"x = superpod(gpu.h100).collective_bandwidth_exact", "403 GB/s"},
		{"x = superpod(original.h100).devices", "1024 devices"},
		{"x = switch_tree(8, 450 GB/s, 32, 400 GB/s).collective_bandwidth", "413 GB/s"},
		{"x = switch_tree(8, 450 GB/s).all_gather_time(32 MiB)", "65.2 µs"},
		{"V = 2 byte * 8192 * 32768\nY = 16\nx = switch_tree(8, 450 GB/s, 32, 400 GB/s).all_gather_time(V/Y, 256/Y, Y)",
			"629 µs"},
		{"x = node(gpu.h100).all_reduce_time(1 GB)", "3.89 ms"},
		{"x = fat_tree(1024).spines", "16"},
		{"x = fat_tree(4096).cores", "64"},
		{"let n = 100\nx = fat_tree(n)", "multiple of the size of a node"},
		{"let n = 3\nx = switch_tree(8, 450 GB/s, 4, 400 GB/s).all_gather_time(1 GB, 8, n)",
			"8 devices, one in 3: they do not fill"},
		{"let n = 1e9\nx = fat_tree(n)", "at most 16777216"},
		{"x = switch_tree(8, 450 GB/s).levels", "1"},
		{"x = switch_tree(8, 450 GB/s, 1, 50 GB/s).levels", "2"},
		{"let n = 4\nx = switch_tree(8, 450 GB/s, n)", "4 units of 0 byte/s"},
		{"let n = 1e6\nx = switch_tree(n, 1 GB/s, n, 1 GB/s)", "more than 1073741824 devices"},
		{"let n = 5\nx = switch_tree(8, 450 GB/s, 4, 400 GB/s).all_gather_time(1 GB, n)", "1.78 ms"},
		{"let n = 12\nx = switch_tree(8, 450 GB/s, 4, 400 GB/s).all_gather_time(1 GB, n)",
			"12 devices: they do not fill units of 8"},
		{"let d = 0\nx = switch_tree(d, 450 GB/s)", "give at least one"},
		{"let c = gpu.l4\nx = superpod(c)", "no published cluster of L4"},
		{"let c = tpu.v5e\nx = node(c)", "no devices per node"},
		{"x = slice(tpu.v5e, 4, 4).all_gather_time(2 byte * 2048 * 8192, \"x\")", "559 µs"},
		{"x = slice(tpu.v5e, 4, 4).all_gather_time(128 KiB, \"y\", 1 us)", "3 µs"},
		{"x = slice(tpu.v4, 4, 4, 4).all_gather_time(8 MiB, \"xy\")", "43.7 µs"},
		{"x = slice(tpu.v5p, 8, 8, 16).all_reduce_time(1 GB)", "3.70 ms"},
		{"x = slice(tpu.v5e, 16, 16).all_to_all_time(1 GB)", "174 µs"},
		{"let a = \"xx\"\nx = slice(tpu.v5e, 4, 4).all_gather_time(1 GB, a)", "each once"},
		{"let a = \"z\"\nx = slice(tpu.v5e, 4, 4).all_gather_time(1 GB, a)", "slice of 2"},
	})
}

// TestTableOfFields: every field of a record has its row, and those of a record type stand together.
func TestTableOfFields(t *testing.T) {
	rows := map[string]int{}
	for line := range strings.Lines(fieldTable) {
		if n := strings.Count(line, "\t"); n != 4 && n != 5 {
			t.Errorf("cells of %q", line)
		}
		rt, _, _ := strings.Cut(line, "\t")
		rows[rt]++
	}
	for rt, n := range rows {
		if got := len(withFields(value.RecordType{Name: rt}, nil).Fields); got != n {
			t.Errorf("%s: %d fields of %d rows", rt, got, n)
		}
	}
}

// TestImpossibleNetworks: what no network has is an error in the row, not a number.
func TestImpossibleNetworks(t *testing.T) {
	env := New()
	evaluate(t, env, []evaluated{
		{"let n = 0\nx = all_gather_time_exact(1 GB, n, 90 GB/s)", "N is 0; give 1 or more"},
		{"let w = 0 GB/s\nx = all_gather_time(1 GB, w)", "W is 0 byte/s; give more than 0 byte/s"},
		{"let v = 0 GB\nx = all_gather_time(v, 90 GB/s)", "0 s"},
		{"let v = 5 GB\nx = all_gather_time(v - 6 GB, 90 GB/s)", "give 0 or more"},
		{"let n = 1\nx = all_gather_time_exact(1 GB, n, 90 GB/s)", "0 s"},
		{"let n = 1\nx = all_reduce_time_line(1 GB, n, 90 GB/s, 4)", "0 s"},
		{"let d = 1\nx = level_bandwidth(d, 450 GB/s)", "D is 1; give more than 1"},
		{"let d = 8\nx = level_bandwidth_exact(d, d, 450 GB/s)", "_exact has no value; a unit has the whole array"},
		{"let n = 1.5\nx = all_gather_time_exact(1 GB, n, 90 GB/s)", "3.70 ms"},
	})
}

func TestCostsInSheets(t *testing.T) {
	env := New()
	evaluate(t, env, []evaluated{
		{"x = slice(tpu.v5e, 4, 4).collective(\"all-gather\", 128 KiB, \"y\", 1 us).binding", "latency"},
		{"x = slice(tpu.v5e, 4, 4).collective(\"AllGather\", 32 MiB, \"y\", 1 us).binding", "axis Y"},
		{"x = slice(tpu.v5e, 4, 4).collective(\"all_gather\", 32 MiB, \"y\", 1 us).hops", "3 hops"},
		{"x = slice(tpu.v5e, 4, 4).collective(\"all-gather\", 32 MiB, \"y\", 1 us).sum", "562 µs"},
		{"x = slice(tpu.v5p, 4, 4, 8).collective(\"all-reduce\", 1 GB).algorithm", "both ways, all axes at once"},
		{"x = slice(tpu.v5p, 4, 4, 8).collective(\"broadcast\", 1 GB).bytes_per_link", "167 MB"},
		{"x = slice(tpu.v5p, 4, 4, 8).collective(\"gather\", 1 GB).time",
			"unknown collective \"gather\"; choose among all-gather"},
		{"x = superpod(gpu.h100).collective(\"all-gather\", 1 GB)", "all-gather over 1024 chips"},
		{"x = superpod(gpu.h100).collective(\"all-gather\", 1 GB).binding", "level leaf"},
		{"x = superpod(gpu.h100).collective(\"all-gather\", 1 GB, 8).binding", "level node"},
		{"x = superpod(gpu.gb200).collective(\"all-gather\", 1 GB).shortcut", "1.11 ms"},
		{"x = alpha_beta_fit(128 KiB, 15.1 us, 512 KiB, 19.3 us, 4 MiB, 58 us, 16 MiB, 194 us).alpha", "13.7 µs"},
		{"x = alpha_beta_fit(1 MB, 1 ms).bandwidth", "1 GB/s"},
		{"x = alpha_beta_fit(1 MB, 1 ms, 8 MB, 3 ms).most", "8 MB"},
		{"x = alpha_beta_fit(1 MB, 1 ms, 1 MB, 1 ms).alpha", "give a point of another size"},
		{"x = alpha_beta_fit(1 MB, 1 ms, 2 MB).alpha", "the last size has no time"},
		{"x = alpha_beta_fit(1 MB, 1 ms, 2 ms, 2 MB).alpha", "write a size, then its time"},
		{"let v = 0 byte\nx = alpha_beta_fit(v, 1 ms).alpha", "give sizes and times above 0"},
	})
}

// A count that is too large names its limit; it is whole already.
func TestTooManyNamesTheLimit(t *testing.T) {
	for x, want := range map[float64]string{1e15: "from 1 to 1073741824", 2.5: "give a whole number"} {
		_, err := whole(value.Value{Kind: value.Number, Num: quantity.Quantity{Value: x}}, "library.number-of-devices")
		if err == nil || !strings.Contains(strings.ReplaceAll(err.Error(), ",", ""), want) {
			t.Errorf("%v: %v", x, err)
		}
	}
}

// Flows are placed by a pattern that there is, for as many nodes and spines as a tree has.
func TestFlowsAreRefused(t *testing.T) {
	for call, want := range map[string]string{
		`tree_flows("ring", 8, 4, on, 1)`:  `don’t send by a pattern "ring"; write one of next, half, all`,
		`tree_flows("half", 0, 4, on, 1)`:  "1 to 32 nodes",
		`tree_flows("half", 8, 99, on, 1)`: "1 to 8 spines",
		`tree_flows("all", 2.5, 4, on, 1)`: "in whole numbers",
	} {
		if x, err := worked(t, "x = "+call+"\n").Value("x"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v; want %q", call, x, err, want)
		}
	}
}
