package library_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/library"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// A test of a device whose links are not known here, or of none, says which is taken in its place.
func TestWhatATestRanOn(t *testing.T) {
	env := library.New()
	for _, c := range []struct{ device, says, chip string }{
		{"NVIDIA H200", "NVIDIA H200", "gpu.h200"},
		{"NVIDIA GeForce RTX 4090", "NVIDIA GeForce RTX 4090", "gpu.rtx4090"},
		{"NVIDIA L40S", "NVIDIA L40S", "gpu.l40s"},
		{"NVIDIA GeForce GTX 1660", "GTX 1660, whose links are not known here: H100", "gpu.h100"},
		{"", "does not name", "gpu.h100"},
	} {
		text := "# all_reduce_perf\n#  Rank  0 Group  0 Pid 9 on node-a device  0 [0x07] " + c.device +
			"\n#  Rank  1 Group  0 Pid 9 on node-a device  1 [0x08] " + c.device +
			"\n 1048576 262144 float sum -1 100.0 10.49 10.49 0\n"
		if c.device == "" {
			text = text[strings.LastIndex(text, "\n 1"):]
		}
		test, err := env.Funcs["nccl_test"].Call([]value.Value{{Kind: value.Text, Text: text}})
		if err != nil {
			t.Fatal(err)
		}
		if got := test.Record.Fields["ran"].Text; !strings.Contains(got, c.says) {
			t.Errorf("%s ran on %q, want %q", c.device, got, c.says)
		}
		chips, err := env.Funcs["nccl_chips"].Call([]value.Value{test})
		if err != nil || chips.List[0].Record.ID != c.chip {
			t.Errorf("%s is taken for %s, %v; want %s", c.device, chips.List[0].Record.ID, err, c.chip)
		}
	}
}

// A list of ranks that ends within its first node leaves the nodes to what is usual of the device; one that is whole is
// taken as it stands, also of more devices than a node usually has.
func TestNodesOfRanksThatAreNotListed(t *testing.T) {
	env := library.New()
	rank := func(n int) string {
		return fmt.Sprintf("#  Rank %2d Group  0 Pid 9 on node-a device %2d [0x07] NVIDIA H200\n", n, n)
	}
	all := ""
	for n := range 16 {
		all += rank(n)
	}
	for list, nodes := range map[string]float64{rank(0) + rank(1) + "# ...\n": 2, all: 1} {
		const of16 = " 8589934592 134217728 float sum -1 24300 353.50 331.40 0\n" // 15/16
		test, err := env.Funcs["nccl_test"].Call([]value.Value{{Kind: value.Text,
			Text: "# reduce_scatter_perf\n" + list + of16}})
		if err != nil {
			t.Fatal(err)
		}
		if got := test.Record.Fields["nodes"].Num.Value; got != nodes {
			t.Errorf("%d lines: %v nodes, want %v", strings.Count(list, "\n"), got, nodes)
		}
	}
}

// The collective of a test stands first, also one that is nowhere played step by step: its law is no other's.
func TestCollectiveOfATest(t *testing.T) {
	env := library.New()
	for test, want := range map[string]string{"reduce_perf": "reduce", "sendrecv_perf": "permute",
		"alltoall_perf": "all-to-all", "broadcast_perf": "broadcast"} {
		read, err := env.Funcs["nccl_test"].Call([]value.Value{{Kind: value.Text,
			Text: "# " + test + "\n 1048576 262144 float sum 0 100.0 10.49 10.49 0\n"}})
		if err != nil {
			t.Fatal(err)
		}
		ops, err := env.Funcs["nccl_ops"].Call([]value.Value{read})
		if err != nil || len(ops.List) != 7 || ops.List[0].Record.ID != want {
			t.Errorf("%s: %v, %v; want %s", test, ops, err, want)
		}
	}
}

// What a text has beside one whole test is said; of ranks that no line lists, as many are in a node as there can be.
func TestTestsAsPeopleHaveThem(t *testing.T) {
	const (
		ranks = "#  Rank  0 Group  0 Pid 9 on node-a device  0 [0x07] NVIDIA H200\n" +
			"#  Rank  1 Group  0 Pid 9 on node-b device  0 [0x07] NVIDIA H200\n"
		table = " 1048576 262144 float sum -1 100.0 10.49 10.49 0\n 2097152 524288 float sum -1 100.0 20.97 20.97 0\n"
		head  = "# nThread 1 nGpus 1 minBytes 8 maxBytes 9\n"
		part  = " 4194304 1048576 float"
		rest  = " sum -1 100.0 41.94 41.94 0\n"
		more  = "NVIDIA H200; another test follows in the text, which is not read"
		cut   = "NVIDIA H200; its table breaks off: the lines before that are read"
		wide  = " 1073741824 268435456 float sum -1 5847.2 183.63 344.31 0\n"
	)
	env := library.New()
	for text, want := range map[string]struct {
		devices, nodes float64
		says           string
	}{
		ranks + table: {2, 2, "NVIDIA H200"},
		ranks + table + "# Avg bus bandwidth : 15\n" + ranks + table:                {2, 2, more},
		head + ranks + table + head + table:                                         {2, 2, more},
		ranks + table + part:                                                        {2, 2, cut},
		ranks + table + part + "\nnode-a: NCCL WARN a link is down\n" + part + rest: {2, 2, "NVIDIA H200"},
		"# broadcast_perf\n" + table: {8, 1, "devices that it does not name: H100 SXM 80 GB is taken, choose yours " +
			"below; the text does not say how many devices took part: 8 are assumed"},
		wide: {16, 2, "devices that it does not name: H100 SXM 80 GB is taken, choose yours below"},
	} {
		test, err := env.Funcs["nccl_test"].Call([]value.Value{{Kind: value.Text, Text: text}})
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		f := test.Record.Fields
		if f["devices"].Num.Value != want.devices || f["nodes"].Num.Value != want.nodes || f["ran"].Text != want.says {
			t.Errorf("%q: %v devices, %v nodes, %q; want %v", text, f["devices"].Num.Value, f["nodes"].Num.Value,
				f["ran"].Text, want)
		}
	}
}
