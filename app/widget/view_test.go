package widget

import (
	"strings"
	"testing"
)

// part is a part of a view as HTML.
func part(v *View, key string) string { return HTML(v.Part(key)) }

// A text that can't be read is kept, with the reason beside it; the last good value stays.
func TestBadTextKeepsTheGoodValue(t *testing.T) {
	v := New(compiled(t, "int8-matmul"))
	if err := v.Set("B", "512"); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"12 parrots", "", "0", "99999999", "3 s", "1/0", strings.Repeat("9", 5000)} {
		if v.Set("B", bad) == nil {
			t.Errorf("%q was taken", bad)
		}
		doc := parse(t, part(v, "input:B"))
		field := find(doc, "input", "name", "B")[0]
		if invalid, _ := get(field, "aria-invalid"); invalid != "true" {
			t.Errorf("%q: aria-invalid=%q", bad, invalid)
		}
		if text, _ := get(field, "value"); text != bad {
			t.Errorf("%q: the field has %q", bad, text)
		}
		describes, _ := get(field, "aria-describedby")
		if note := said(find(doc, "", "id", describes)[0]); !strings.Contains(note, v.errs["B"][1:]) ||
			!strings.Contains(note, "Still 512.") {
			t.Errorf("%q: beside it stands %q", bad, note)
		}
		if x, err := v.Result.Value("ops"); err != nil || x.Num.Value != 2*512*4096*16384 {
			t.Errorf("%q: ops = %v, %v", bad, x, err)
		}
		if len(v.Params()) != 0 {
			t.Errorf("%q goes into the address: %v", bad, v.Params())
		}
	}
}

// A change shows what was there before, and undo brings back exactly the page as it was printed.
func TestUndo(t *testing.T) {
	s := compiled(t, "kinds")
	before := HTML(Section(New(s)))
	v := New(s)
	for name, text := range map[string]string{"chip": "gpu.h100", "mode": "tree", "on_": "off", "d": "bf16", "M": "32 GiB",
		"n": "8", "price": "$3/hour", "note_": "x"} {
		if err := v.Set(name, text); err != nil {
			t.Errorf("%s = %s: %v", name, text, err)
			continue
		}
		got := part(v, "input:"+name)
		if len(find(parse(t, got), "", "class", "changed")) != 1 || len(find(parse(t, got), "button", "class", "undo")) != 1 {
			t.Errorf("%s: the change can't be seen: %s", name, got)
		}
		v.Undo(name)
	}
	if got := HTML(Section(v)); got != before {
		t.Error("undoing every change gives another page")
	}
	v.Set("n", "8")
	v.Set("M", "no number")
	v.Reset()
	if got := HTML(Section(v)); got != before {
		t.Error("reset gives another page")
	}
	v.Set("n", "8")
	v.Set("n", "4")
	if v.Changed("n") {
		t.Error("the author's value is called a change")
	}
}

// A row without a value says why, in its place.
func TestNoValue(t *testing.T) {
	v := New(compiled(t, "kinds"))
	doc := parse(t, part(v, "row:bad"))
	out := find(doc, "output", "data-name", "bad")[0]
	if said(out) != v.say("widget.no-value") {
		t.Errorf("it shows %q", said(out))
	}
	if data, _ := get(out, "data-value"); data != "" {
		t.Errorf("data-value=%q", data)
	}
	if why := find(doc, "", "class", "row-error"); len(why) != 1 || len(said(why[0])) < 10 {
		t.Error("it doesn't say why")
	}
	inText := func() string {
		for _, x := range v.Values() {
			if x.Name == "bad" {
				return x.Text
			}
		}
		return ""
	}
	if got := inText(); got != "—" || !strings.Contains(Told(v.Sheet, v.Result, "bad"), ">—<") {
		t.Errorf("in a sentence it is %q, printed %s", got, Told(v.Sheet, v.Result, "bad"))
	}
	v.Set("n", "5")
	if got := inText(); got != "1 s" {
		t.Errorf("in a sentence, with a value: %q", got)
	}
	if got := said(find(parse(t, part(v, "row:bad")), "output", "", "")[0]); got != "1 s" {
		t.Errorf("with a value: %q", got)
	}
}

// Equal fingerprints mean equal parts: whatever changes in a part changes its fingerprint.
func TestFingerprints(t *testing.T) {
	v := New(compiled(t, "kinds"))
	w := New(compiled(t, "int8-matmul"))
	watch := func(v *View, do func()) {
		t.Helper()
		type seen struct{ print, html string }
		before := map[string]seen{}
		for _, k := range partsOf(v) {
			before[k] = seen{v.Fingerprint(k), part(v, k)}
		}
		do()
		for _, k := range partsOf(v) {
			if was := before[k]; v.Fingerprint(k) == was.print && part(v, k) != was.html {
				t.Errorf("%s changed but not its fingerprint:\n%s\n%s", k, was.html, part(v, k))
			}
		}
	}
	for _, do := range []func(){
		func() { v.Set("n", "9") }, func() { v.Set("n", "x") }, func() { v.Set("chip", "gpu.h100") },
		func() { v.Toggle("row:T", true) },
		func() { v.Set("mode", "line") }, func() { v.Toggle("more:T", true) },
		func() { v.SetField("kinds--T--goal", "3 ms") },
		func() { v.Goal("T") }, func() { v.ToggleAll(true) }, func() { v.Set("n", "11") }, func() { v.ToggleAll(false) },
		func() { v.Toggle("constants:chip", true) },
		func() { v.Toggle("plot:0", true) }, func() { v.Set("on_", "off") }, func() { v.Say("hello") },
		func() { v.Copied("yes") }, func() { v.Notice([]string{"a"}) },
		func() { v.Toggle("menu", true) }, func() { v.Dismiss() }, func() { v.Reset() },
	} {
		watch(v, do)
	}
	for _, do := range []func(){
		func() { w.SetField("int8-matmul--B_crit--guess", "") }, func() { w.TakeGuess("B_crit") },
		func() { w.SetField("int8-matmul--B_crit--guess", "100") },
		func() { w.TakeGuess("B_crit") }, func() { w.Forget("B_crit") }, func() { w.Set("D", "8k") },
		func() { w.Tell("B_crit") },
	} {
		watch(w, do)
	}
}

func partsOf(v *View) []string {
	var keys []string
	for _, n := range v.Frame() {
		n.Walk(func(k *Node) {
			if k.Part != "" {
				keys = append(keys, k.Part)
			}
		})
	}
	return keys
}

// What was opened before the sheet came to life stays as it was printed until the reader does something.
func TestOpenedBefore(t *testing.T) {
	s := compiled(t, "kinds")
	printed := New(s)
	printed.still = true
	printed.Toggle("row:T", true)
	printed.Toggle("constants:chip", true)
	v := New(s)
	v.OpenedBefore("row:T")
	v.OpenedBefore("constants:chip")
	for _, key := range []string{"row:T", "constants:chip"} {
		if part(v, key) != part(printed, key) {
			t.Errorf("%s isn't as it was printed: %s", key, part(v, key))
		}
		if before := v.Fingerprint(key); true {
			v.Touched()
			if part(v, key) == part(printed, key) || v.Fingerprint(key) == before {
				t.Errorf("%s stays as it was printed", key)
			}
			v.OpenedBefore("row:T")
			v.OpenedBefore("constants:chip")
		}
	}
}
