package sheet

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/sheet/input"
)

// followSheet is a sheet in which most inputs follow others.
const followSheet = `
let heads = 8 in 1..64 step 1
let tp = 4 in 1..heads
let d = 2 of divisors(heads)
let first_d = first of divisors(heads)
let half = heads / 2 in 0..heads step 1
let way = ring of ring, tree
let adds = off when way = "tree"
let some = tpu.v5e, gpu.h100 of chips most 2
slots = 2 * heads
let t = 0 in 0..slots step 1 play 500 ms strip 0, heads, 100
y = tp * 10 + d + t
solve s: tp where y = 22 + t
plot y over tp
table y over tp = 1, 2, 6
table y over d
`

// stateOf sets inputs, each given as name=text, in their order.
func stateOf(t *testing.T, s *Sheet, sets ...string) input.State {
	t.Helper()
	var st input.State
	for _, set := range sets {
		name, text, _ := strings.Cut(set, "=")
		next, err := s.Set(st, name, text)
		if err != nil {
			t.Fatalf("%s: %v", set, err)
		}
		st = next
	}
	return st
}

// TestFollow sets inputs that others follow, and reads what becomes of the others.
func TestFollow(t *testing.T) {
	s := sheetOf(t, followSheet)
	for _, c := range []struct {
		sets         []string
		name         string
		value, fault string
	}{
		{nil, "tp", "4", ""},
		{nil, "half", "4", ""},
		{[]string{"heads=3"}, "tp", "3", ""}, // the author's value is no fault of the reader's
		{[]string{"tp=6", "heads=3"}, "tp", "3", "6 is out of range; give 1 to 3"},
		{[]string{"tp=6", "heads=3", "heads=7"}, "tp", "6", ""},
		{[]string{"d=8", "heads=12"}, "d", "2", "8 is not among the choices; choose 1, 2, 3, 4, 6 or 12"},
		{[]string{"d=8", "heads=7"}, "d", "1", "8 is not among the choices; choose 1 or 7"},
		{[]string{"heads=9"}, "first_d", "1", ""},
		{[]string{"first_d=2", "heads=9"}, "first_d", "1", "2 is not among the choices; choose 1, 3 or 9"},
		{[]string{"heads=9"}, "half", "5", ""},
		{[]string{"way=tree", "adds=on"}, "adds", "on", ""},
		{[]string{"way=tree", "adds=on", "way=ring"}, "adds", "off", ""},
		{[]string{"some=gpu.h100"}, "some", "H100 SXM", ""},
		{[]string{"t=9", "heads=2"}, "t", "4", "9 is out of range; give 0 to 4"},
	} {
		r := s.Eval(stateOf(t, s, c.sets...))
		if v, err := r.Value(c.name); err != nil || v.String() != c.value {
			t.Errorf("%v: %s is %v (%v), not %s", c.sets, c.name, v, err, c.value)
		}
		fault := ""
		if err := r.Misfit(c.name); err != nil {
			fault = err.Error()
		}
		if fault != c.fault {
			t.Errorf("%v: %s has the fault %q, not %q", c.sets, c.name, fault, c.fault)
		}
	}
}

// TestFollowRefuses holds Set to what an input can be in the state that it sets it in.
func TestFollowRefuses(t *testing.T) {
	s := sheetOf(t, followSheet)
	st := stateOf(t, s, "heads=6")
	for name, c := range map[string][2]string{
		"tp":   {"7", "7 is out of range; give 1 to 6"},
		"d":    {"4", `"4" is not among the choices; choose 1, 2, 3 or 6`},
		"adds": {"on", "`adds` is not there in this state; set what it depends on first"},
		"some": {"tpu.v5e, gpu.h100, x", `"x" is not among the choices; choose tpu.v5e or gpu.h100`},
		"t":    {"13", "13 is out of range; give 0 to 12"},
	} {
		if _, err := s.Set(st, name, c[0]); err == nil || err.Error() != c[1] {
			t.Errorf("%s = %s: %v, not %s", name, c[0], err, c[1])
		}
	}
	if got := s.Order(); slices.Index(got, "tp") < slices.Index(got, "heads") || len(got) != len(s.Inputs) {
		t.Errorf("order %v", got)
	}
}

// TestFollowInput reads what the packages above learn of an input in a state.
func TestFollowInput(t *testing.T) {
	s := sheetOf(t, followSheet)
	r := s.Eval(stateOf(t, s, "heads=16"))
	if in := r.Input("tp"); in.Min != 1 || in.Max != 16 || in.Form() != input.NumberForm {
		t.Errorf("tp: %+v", in)
	}
	if in := r.Input("t"); !slices.Equal(in.Follows, []string{"slots", "heads"}) {
		t.Errorf("t follows %v", in.Follows)
	}
	if in := r.Input("d"); len(in.Menu) != 5 || in.Menu[4].ID != "16" || in.Form() != input.MenuForm {
		t.Errorf("d: %+v", in.Menu)
	}
	if in := r.Input("t"); in.Form() != input.StepForm || in.Pace != 500 || in.Max != 32 || len(in.Strip) != 2 {
		t.Errorf("t: %+v", in)
	}
	if in := r.Input("adds"); !in.Absent || in.Form() != input.SwitchForm {
		t.Errorf("adds: %+v", in)
	}
	if in := r.Input("some"); in.Form() != input.SeveralForm || in.Most != 2 ||
		in.Typed(in.Default) != "tpu.v5e,gpu.h100" {
		t.Errorf("some: %+v", in)
	}
	if in := r.Input("heads"); in != s.Input("heads") {
		t.Error("an input that follows nothing is not the sheet's own")
	}
}

// TestFollowEqualsFixed compares a sheet whose inputs follow others, in a state, with one in which the same values
// are written out: plots, tables, solves, slopes and searches must not tell the difference.
func TestFollowEqualsFixed(t *testing.T) {
	const lines = "y = tp^2 * d + tp\nsolve s: tp where y = 30\nplot y, s over tp mark heads\n" +
		"plot y over heads\ntable y over d\n"
	follows := sheetOf(t,
		"let heads = 8 in 1..64 step 1\nlet tp = 4 in 1..heads\nlet d = 2 of divisors(heads)\n"+lines)
	fixed := sheetOf(t, "let heads = 12 in 1..64 step 1\nlet tp = 4 in 1..12\nlet d = 2 of 1, 2, 3, 4, 6, 12\n"+lines)
	st := stateOf(t, follows, "heads=12")
	for _, name := range []string{"y", "s", "tp", "d"} {
		got, err1 := follows.Eval(st).Value(name)
		want, err2 := fixed.Eval(nil).Value(name)
		if !reflect.DeepEqual(got, want) || (err1 == nil) != (err2 == nil) {
			t.Errorf("%s is %v (%v), not %v (%v)", name, got, err1, want, err2)
		}
	}
	got, want := follows.PlotData(st, follows.Plots[0]), fixed.PlotData(nil, fixed.Plots[0])
	if fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) { // which takes NaN for NaN
		t.Error("the plots differ")
	}
	rows, others := follows.TableData(st, follows.Tables[0]).Rows, fixed.TableData(nil, fixed.Tables[0]).Rows
	for i := range others {
		if i >= len(rows) || rows[i].Cells[0].Text() != others[i].Cells[0].Text() {
			t.Errorf("row %d of the table is %v, not %v", i, rows, others)
		}
	}
	slope := func(e Elasticity) bool { return e.Input == "heads" } // which moves y only where d follows it
	a := slices.DeleteFunc(follows.Elasticities(st, "y"), slope)
	if b := slices.DeleteFunc(fixed.Elasticities(nil, "y"), slope); !reflect.DeepEqual(a, b) {
		t.Errorf("slopes %v, not %v", a, b)
	}
	x, err1 := follows.Seek(st, "y", num(100, [5]int8{}).Num, "tp")
	z, err2 := fixed.Seek(nil, "y", num(100, [5]int8{}).Num, "tp")
	if err1 != nil || err2 != nil || x != z {
		t.Errorf("found %v (%v), not %v (%v)", x, err1, z, err2)
	}
	if r := follows.Eval(st).row("s"); r.Err != nil || len(r.Others) > 0 {
		t.Errorf("further values %v, %v", r.Others, r.Err)
	}
}

// TestFollowTable holds a table of written values to those that the input can have.
func TestFollowTable(t *testing.T) {
	s := sheetOf(t, followSheet)
	rows := s.TableData(stateOf(t, s, "heads=4"), s.Tables[0]).Rows
	if err := rows[2].Cells[0].Err; err == nil || err.Error() != "6 is out of range; give 1 to 4" ||
		rows[1].Cells[0].Err != nil {
		t.Errorf("%v", rows)
	}
}

// TestFollowExpect lets an expect fail that asks for a value which the input cannot have.
func TestFollowExpect(t *testing.T) {
	s := sheetOf(t, "let n = 8 in 1..64\nlet k = 2 in 1..n\ny = k\nexpect y = 2 at n = 4\nexpect y = 4 at n = 4, "+
		"k = 6\n")
	got := s.Check()
	if !got[0].OK || got[1].OK || got[1].Err == nil || got[1].Err.Error() != "`k`: 6 is out of range; give 1 to 4" {
		t.Errorf("%+v", got)
	}
}

// TestFollowEmpty tells why an input has no value where its range or menu is empty, and lets the others go on.
func TestFollowEmpty(t *testing.T) {
	s := sheetOf(t, "let n = 8 in -4..64\nlet k = 2 in 1..n\nlet d = first of divisors(n)\ny = k\nz = n\n")
	r := s.Eval(stateOf(t, s, "n=0"))
	for name, want := range map[string]string{
		"k": "this range is empty", "d": "there is nothing to choose from", "z": "",
		"y": "needs `k`: this range is empty",
	} {
		got := ""
		if _, err := r.Value(name); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %q, not %q", name, got, want)
		}
	}
}

// TestNothingToChoose: where a list is empty, the input that chooses from it, and all that needs a choice, is absent.
// The list stands there, and rows that need no choice do.
func TestNothingToChoose(t *testing.T) {
	s := sheetOf(t, "let n = 8 in -4..64\nall = divisors(n)\nlet d = first of all\ny = 2 * d\nz = y + 1\nw = 2 * n\n")
	for n, absent := range map[string]bool{"n=6": false, "n=0": true} {
		r := s.Eval(stateOf(t, s, n))
		for i := range r.Rows {
			row := &r.Rows[i]
			want := absent && (row.Def.Name == "y" || row.Def.Name == "z")
			if row.Def.Kind != "input" && row.Absent != want {
				t.Errorf("%s: %s is absent: %v", n, row.Def.Name, row.Absent)
			}
		}
		if got := r.Input("d").Absent; got != absent {
			t.Errorf("%s: the input is absent: %v", n, got)
		}
	}
}

// TestMenus reads the menus that lists, numbers and names make.
func TestMenus(t *testing.T) {
	s := sheetOf(t, `
let a = tpu.v5e of chips
let b = 4 GiB of 2, 4 GiB, 8
let c = ring of under "Loops" ring "A ring", line "A line", under "Other" tree "Net"
let d = ring of ring, tree "Label"
let e = tpu.v5e of tpu.v5e "Small", gpu.h100 "Large"
let f = 3 of divisors(12)
let g = a, c of a, b, c
`)
	show := func(name string) string {
		var parts []string
		for _, o := range s.Input(name).Menu {
			parts = append(parts, strings.TrimPrefix(o.Group+"/"+o.ID+":"+o.Name, "/"))
		}
		return strings.Join(parts, " ")
	}
	for name, want := range map[string]string{
		"a": "TPU/tpu.v5e:TPU v5e GPU/gpu.h100:H100 SXM",
		"b": "2 GiB:2 GiB 4 GiB:4 GiB 8 GiB:8 GiB",
		"c": "Loops/ring:A ring Loops/line:A line Other/tree:Net",
		"d": "ring:ring tree:tree",
		"e": "TPU/tpu.v5e:Small GPU/gpu.h100:Large",
		"f": "1:1 2:2 3:3 4:4 6:6 12:12",
		"g": "a:a b:b c:c",
	} {
		if got := show(name); got != want {
			t.Errorf("%s offers %s, not %s", name, got, want)
		}
	}
	if s.Input("d").Label != "Label" || s.Input("c").Label != "" {
		t.Error("a text behind the last choice is the label, unless another choice has a name")
	}
	if v, err := s.Eval(stateOf(t, s, "b=8", "g=b, a", "f=4")).Value("b"); err != nil || v.Num.Value != 8<<30 {
		t.Errorf("b = %v (%v)", v, err)
	}
}

// TestDocument holds a document to its length and to being text, and keeps it out of short fields.
func TestDocument(t *testing.T) {
	s := sheetOf(t, "let a = document(\".json\", 2 KiB) \"Yours\"\nlet b = document\nx = if(a = \"\", 1, 2)\n")
	if in := s.Input("a"); in.Form() != input.DocumentForm || in.Accept != ".json" || in.Cap != 2048 ||
		s.Input("b").Cap != documentBytes {
		t.Errorf("%+v", in)
	}
	for text, want := range map[string]string{
		strings.Repeat("x", 2048): "", strings.Repeat("x", 2049): "this is too long; give at most 2 KiB of text",
		"\xff":   "this is no text, but a picture, an archive or the like; choose a text file in UTF-8",
		"a\x00b": "this is no text, but a picture, an archive or the like; choose a text file in UTF-8",
	} {
		st, err := s.Set(nil, "a", text)
		if got := errorText(err); got != want {
			t.Errorf("%.10q: %s, not %s", text, got, want)
		}
		if row := s.Eval(st).Rows[0]; len(row.Text()) > 250 {
			t.Errorf("the line of a document has %d bytes", len(row.Text()))
		}
		if v, _ := s.Eval(st).Value("x"); err == nil && v.Num.Value != 2 {
			t.Error("the text does not count")
		}
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
