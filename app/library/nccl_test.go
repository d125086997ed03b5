package library_test

import (
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
		{"NVIDIA GeForce RTX 4090", "RTX 4090, whose links are not known here: H100", "gpu.h100"},
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
