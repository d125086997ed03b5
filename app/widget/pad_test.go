//go:build !js

package widget

import (
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/scrap"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/widget/address"
)

// What the reader did to a sheet stays while they edit its text, as far as there is a place for it.
func TestEdited(t *testing.T) {
	v := New(compilePad(t, "let B = 2 in 1..9\nlet C = 3\nlet D = 5\nx = B * C\nask x \"How many?\"\n"))
	for name, text := range map[string]string{"B": "8", "C": "7", "D": "6"} {
		if err := v.Set(name, text); err != nil {
			t.Fatal(err)
		}
	}
	v.SetField(v.id("x", "guess"), "50")
	v.TakeGuess("x")
	v.Toggle("row:x", true)
	next := v.Edited(compilePad(t, "let B = 2 in 1..4\nlet C = 3\nx = 10 * C\ny = B\nask x \"How many?\"\n"))
	if got := next.rowText(next.row("x")); got != "70" {
		t.Errorf("x = %s with C = 7 kept", got)
	}
	if got := next.rowText(next.row("y")); got != "2" || next.Changed("B") {
		t.Errorf("B = %s, though 8 is out of its range now", got)
	}
	if next.Veiled("x") || !next.Open("row:x") {
		t.Error("the guess or the open row was lost")
	}
	if other := v.Edited(compilePad(t, "let B = 2\nx = B\nask x \"Another question?\"\n")); !other.Veiled("x") {
		t.Error("another question counts as answered")
	}
}

func TestPadLink(t *testing.T) {
	const src = "let B = 2 in 1..9\nx = B\n"
	s := compilePad(t, src)
	s.ID = "other"
	v := New(s)
	if err := v.Set("B", "8"); err != nil {
		t.Fatal(err)
	}
	packed, err := address.EncodePad(v.PadSource())
	if err != nil {
		t.Fatal(err)
	}
	link := v.PadAddress("https://example.org/b/", packed)
	before, code, ok := strings.Cut(link, "#s=")
	if !ok || before != "https://example.org/b/scratch/?scratch.B=8" {
		t.Fatal(link)
	}
	if text, err := address.DecodePad(code); err != nil || text != src {
		t.Errorf("%q, %v", text, err)
	}
}

// An edit of a live sheet does no long work itself, and keeps what was found for the same arguments.
func TestEditedKeepsLongWork(t *testing.T) {
	env := countingEnv()
	again := func(text string) *sheet.Sheet {
		t.Helper()
		s, errs := sheet.Compile(text, env)
		if len(errs) > 0 {
			t.Fatal(errs)
		}
		return s
	}
	s := again("let n = 5 in 1..100\nx = counted(n) \"Counted\"\n")
	v := NewLive(s)
	for v.Work() {
	}
	v.Worked()
	next := v.Edited(again(s.Source + "\n"))
	if x := next.row("x"); next.Busy() || x.Err != nil || x.Value.Num.Value != 5 {
		t.Errorf("a line end begins the work anew: %+v", x)
	}
	next = next.Edited(again("let n = 90 in 1..100\nx = counted(n) \"Counted\"\n"))
	if got := part(next, "tasks:"); !next.Busy() || !strings.Contains(got, "working, 0\u00a0%") ||
		!strings.Contains(got, "Cancel") {
		t.Errorf("other work is done at once: %s", got)
	}
	if err := next.Set("n", "5"); err != nil || next.Busy() || next.row("x").Value.Num.Value != 5 {
		t.Errorf("what was found before the edit is lost: %v, %+v", err, next.row("x"))
	}
	next.Set("n", "6")
	next.Work()
	if next = next.Edited(again(s.Source)); next.row("x").Value.Num.Value != 1 || next.row("x").Under == nil {
		t.Errorf("half a work, for the reader's number: %+v", next.row("x"))
	}
	if whole := New(s).Edited(again(s.Source)); whole.Busy() || whole.row("x").Value.Num.Value != 5 {
		t.Error("a whole view became a live one")
	}
}

// FuzzPadEdits edits a sheet while its long work goes on: from one text to another, and back. Whatever was done before,
// the sheet comes to what it would show if it had been opened as it is now, with what the reader set in it.
func FuzzPadEdits(plain *testing.F) {
	f := scrap.Of(plain)
	const counts = "let n = 5 in 1..9\nlet m = 2\nx = counted(n)\ny = counted(n + m) * x\nz = counted(y)\n"
	for _, text := range []string{
		counts, counts + "\n", strings.Replace(counts, "let m = 2", "let m = 3", 1), "\n" + counts + "w = counted(x)\n",
		"a = counted(7)\nb = counted(7)\nc = b when a > 3\n", "let k = 3 in 1..counted(4) step 1\nq = counted(k)\n",
		"let n = counted(3) in 1..9\nsolve s: n where counted(n) = 4\n", "let B = on\nx = if(B, counted(3), 0)\n",
		"let n = 2\nx = counted(n)\nplot x over n\ntable x over n = 1, 2\nask x \"?\"\n", "x = y\ny = x\n", "",
		"title A\n", "let n = x of x, y\nlet n = 3\n", "let c = counted(2) of counted(3), 4\nx = c\n",
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
				t.Errorf("%s is %v (%v) after the edit, %v (%v) opened", want.Def.Name, got.Value, got.Err, want.Value,
					want.Err)
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
