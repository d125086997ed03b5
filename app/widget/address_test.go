package widget

import (
	"strings"
	"testing"
)

// What an address has no room for is told, and the rest of it stands.
func TestLeftOut(t *testing.T) {
	long := strings.Repeat("x", maxText+1)
	ps := []Param{{"a", "B", long}, {"a", "C", "7"}, {"z", "D", "8"}}
	if left := LeftOut(ps); len(left) != 1 || left[0].Name != "B" {
		t.Errorf("left out: %v", left)
	}
	if got := Encode(ps); got != "a.C=7&z.D=8" {
		t.Errorf("encoded: %s", got)
	}
	var many []Param
	for i := range 10 {
		many = append(many, Param{"a", "v" + string(rune('0'+i)), strings.Repeat("y", maxText)})
	}
	if left := LeftOut(many); len(left) != 2 {
		t.Errorf("of %d texts that are longer than an address %d are left out", len(many), len(left))
	}
}

func TestDecode(t *testing.T) {
	for query, want := range map[string]string{
		"":                                      "",
		"?a.B=512&a.chip=tpu.v5p":               "a.B=512 a.chip=tpu.v5p",
		"a.B=1&a.B=2":                           "a.B=2",
		"a.B=4*8192":                            "a.B=4*8192",
		"a.B=16+GiB%2Fs":                        "a.B=16 GiB/s",
		"int8-matmul.W_hbm=%24":                 "int8-matmul.W_hbm=$",
		"a.B":                                   "a.B=",
		"utm_source=x&=&a&a=1&.b=2&a.=":         "others 6",
		"a%2EB=3":                               "a.B=3",
		"a.B=%zz":                               "problems 1",
		"a.B=%ff":                               "problems 1",
		"a.B=" + strings.Repeat("x", maxText+1): "problems 1",
		"a.B=" + strings.Repeat("x", maxQuery):  "problems 1",
		"é.B=1":                                 "others 1",
		"a.b.c=1":                               "others 1",
	} {
		ps, others, problems := Decode(query)
		var got []string
		for _, p := range ps {
			got = append(got, p.Sheet+"."+p.Name+"="+p.Text)
		}
		if len(others) > 0 {
			got = append(got, "others "+string(rune('0'+len(others))))
		}
		if len(problems) > 0 {
			got = append(got, "problems "+string(rune('0'+len(problems))))
		}
		if g := strings.Join(got, " "); g != want {
			t.Errorf("%.40q: %q, want %q", query, g, want)
		}
	}
}

// An address that was written is read back as the same state, by every kind of input.
func TestAddressRoundTrip(t *testing.T) {
	s := compiled(t, "kinds")
	v := New(s)
	for name, text := range map[string]string{"chip": "gpu.h100", "mode": "tree", "on_": "off", "d": "bf16",
		"M": "4*8 GiB", "n": "8", "price": "$3/hour", "note_": "a&b=c#d%zz+é \"x\""} {
		if err := v.Set(name, text); err != nil {
			t.Fatal(name, err)
		}
	}
	ps, others, problems := Decode(Query(v.Params(), []string{"utm=1"}))
	if len(others) != 1 || len(problems) != 0 {
		t.Errorf("others %q, problems %q", others, problems)
	}
	w := New(s)
	if problems := w.Apply(ps); len(problems) > 0 {
		t.Error(problems)
	}
	if HTML(Section(v)) != HTML(Section(w)) {
		t.Error("the state came back as another")
	}
}

// What an address carries by mistake is reported and changes nothing.
func TestApplyReports(t *testing.T) {
	s := compiled(t, "int8-matmul")
	before := HTML(Section(New(s)))
	for _, query := range []string{"int8-matmul.B=cat", "int8-matmul.B=-5", "int8-matmul.nope=1",
		"int8-matmul.chip=abacus", "int8-matmul.B=", "int8-matmul.ops=3"} {
		ps, _, _ := Decode(query)
		v := New(s)
		if problems := v.Apply(ps); len(problems) != 1 {
			t.Errorf("%s: %q", query, problems)
		}
		if HTML(Section(v)) != before {
			t.Errorf("%s changed the sheet", query)
		}
	}
	if problems := New(s).Apply([]Param{{"other", "B", "x"}}); len(problems) != 0 {
		t.Errorf("another sheet's: %q", problems)
	}
}
