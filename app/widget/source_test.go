package widget

import (
	"testing"

	"github.com/scalebook/scalebook/app/library"
	"github.com/scalebook/scalebook/app/sheet"
)

func TestLiveSourceMeansTheSame(t *testing.T) {
	const src = `title A   title
let B = 2 token   in 1..9    "Two   spaces"   # a   note
let s =   "a   text"     "Label"
x = B *
    3                        "Times"
y = if(s = "a   text", 1, 2)

expect x = 6
expect y = 1 at B = 3,
   s = "a   text"
`
	lean := liveSource(src)
	s, errs := sheet.Compile(lean, library.New())
	if len(errs) > 0 {
		t.Fatalf("%v in\n%s", errs[0], lean)
	}
	if len(s.Expects) > 1 || len(lean) >= len(src) {
		t.Errorf("nothing was left out:\n%s", lean)
	}
	full, _ := sheet.Compile(src, library.New())
	for i, row := range full.Eval(nil).Rows {
		got := s.Eval(nil).Rows[i]
		if got.Text() != row.Text() || got.Def.Label != row.Def.Label || got.Err != nil {
			t.Errorf("%s is %s %q (%v), was %s %q", row.Def.Name, got.Text(), got.Def.Label, got.Err, row.Text(), row.Def.Label)
		}
	}
}
