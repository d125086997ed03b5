//go:build !js

package widget

import (
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/sheet"
)

// FuzzPadEdits edits a sheet while its long work goes on: from one text to another, and back. Whatever was done before,
// the sheet comes to what it would show if it had been opened as it is now, with what the reader set in it.
func FuzzPadEdits(f *testing.F) {
	const counts = "let n = 5 in 1..9\nlet m = 2\nx = counted(n)\ny = counted(n + m) * x\nz = counted(y)\n"
	for _, text := range []string{
		counts, counts + "\n", strings.Replace(counts, "let m = 2", "let m = 3", 1), "\n" + counts + "w = counted(x)\n",
		"a = counted(7)\nb = counted(7)\nc = b when a > 3\n", "let k = 3 in 1..counted(4) step 1\nq = counted(k)\n",
		"let n = counted(3) in 1..9\nsolve s: n where counted(n) = 4\n", "let B = on\nx = if(B, counted(3), 0)\n",
		"let n = 2\nx = counted(n)\nplot x over n\ntable x over n = 1, 2\nask x \"?\"\n", "x = y\ny = x\n", "", "title A\n",
		"let n = x of x, y\nlet n = 3\n", "let c = counted(2) of counted(3), 4\nx = c\n",
	} {
		f.Add(text, counts, byte(3), "n", "7")
		f.Add(counts, text, byte(9), "n", "x")
	}
	env := countingEnv()
	f.Fuzz(func(t *testing.T, before, after string, steps byte, name, value string) {
		first, errs := sheet.Compile(before, env)
		second, more := sheet.Compile(after, env)
		if len(errs)+len(more) > 0 {
			return
		}
		v := NewLive(first)
		v.Set(name, value)
		for range steps {
			v.Work()
		}
		v = v.Edited(second).Edited(first).Edited(second)
		atRest(t, v)
		fresh := New(second)
		for _, in := range second.Inputs {
			if text, ok := v.typed[in.Name]; ok {
				fresh.Set(in.Name, text)
			}
		}
		for i := range fresh.Result.Rows {
			want, got := &fresh.Result.Rows[i], &v.Result.Rows[i]
			if (want.Err == nil) != (got.Err == nil) || want.Err == nil && !want.Value.Same(got.Value) {
				t.Errorf("%s is %v (%v) after the edit, %v (%v) opened", want.Def.Name, got.Value, got.Err, want.Value, want.Err)
			}
		}
	})
}

// atRest does all the work of a view.
func atRest(t *testing.T, v *View) {
	for range 10_000 {
		if !v.Busy() {
			return
		}
		for range 1000 {
			if !v.Work() {
				break
			}
		}
		v.Worked()
	}
	t.Fatal("the work has no end")
}
