package sheet

import (
	"errors"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// A hidden row without value says why where its value is missed: whole in the first row that is shown, and there only;
// others name that row. A row that is shown says so itself.
func TestHiddenReasons(t *testing.T) {
	const why = "2 GB of this and 3 GB of that and 4 GB of something else are more than there is, by far; take less of " +
		"each of them, please"
	for _, c := range []struct{ hidden, first, other string }{
		{"hidden ", "take less", "`b` says why"},
		{"", "its row says why", "its row says why"},
	} {
		env := testEnv()
		env.Funcs["fails"] = &value.Func{Name: "fails", Params: []value.Param{{Name: "n", Type: typPlain}}, Result: typPlain,
			Call: func([]value.Value) (value.Value, error) { return value.Value{}, errors.New(why) }}
		s, errs := Compile("let a = 1 in 0..2\n"+c.hidden+"x = fails(a)\nhidden y = x + 1\nb = y * 2\nd = x + b\n", env)
		if len(errs) > 0 {
			t.Fatal(errs)
		}
		r := s.Eval(input.State{})
		for name, want := range map[string]string{"b": c.first, "d": c.other} {
			if row := r.row(name); row == nil || row.Err == nil || !strings.Contains(row.Err.Error(), want) ||
				!strings.Contains(row.Err.Error(), "needs `x`") {
				t.Errorf("%q: %s: %v; want %q", c.hidden, name, row, want)
			}
		}
	}
}
