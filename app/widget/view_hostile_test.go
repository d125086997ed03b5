package widget

import (
	"testing"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/widget/address"
)

// Nothing a reader can do makes a view panic.
func FuzzView(f *testing.F) {
	s := written(
		f,
		"f",
		"let B = 256 token in 1..16384 log\nlet M = 16 GiB\nlet d = int8 of bf16, int8\nlet t = \"x\"\nT = B * M / 3 "+
			"\"T\"\nbad = 1 / (B - 256)\nsolve S: B where T = 1 TB\nask T \"?\"\nplot T over B\ntable T over B = 1, 2\n",
	)
	f.Add("B", "512", "3 GB", uint16(500))
	f.Add("M", "1/0", "x", uint16(0))
	f.Add("t", "\xff\x00", "", uint16(9999))
	f.Fuzz(func(t *testing.T, name, text, other string, position uint16) {
		v := New(s)
		v.Set(name, text)
		v.Slide(name, int(position)-1000)
		v.Nudge(name, int(position)%3-1, position%2 == 0)
		v.SetField(v.id("T", "guess"), other)
		v.TakeGuess("T")
		v.ToggleAll(true)
		for _, k := range []string{"more:T", "more:S", "plot:0"} {
			v.Toggle(k, true)
		}
		v.SetField(v.id("T", "goal"), other)
		v.Goal("T")
		HTML(Section(v))
		v.Controls()
		v.Read(0, int(position))
		v.PositionAt(0, float64(position))
		CSV(s, v.Result)
		if !utf8.ValidString(text) {
			return
		}
		if ps, _, problems := address.Decode(address.Encode(v.Params())); len(problems) > 0 || len(ps) != len(v.Params()) {
			t.Errorf("%v came back as %v, %v", v.Params(), ps, problems)
		}
	})
}

// No tree has holes, whatever an entry of a catalog knows nothing of: the browser's program would fall into them.
func TestNoHolesInTrees(t *testing.T) {
	v := New(
		written(
			t,
			"m",
			"title T\nlet m = llama3.70b\nN = m.params\ncache = m.kv_bytes_at(8192, int8)\nlet chip = gpu.h100\nP = "+
				"chip.flops(fp8)\nV = chip.vmem",
		),
	)
	for _, n := range v.Fill(v.Frame()) {
		n.Walk(func(n *Node) {
			for _, k := range n.Kids {
				if k == nil {
					t.Errorf("a hole in <%s>", n.Tag)
				}
			}
		})
	}
}
