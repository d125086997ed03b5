package widget

import (
	"testing"

	"github.com/scalebook/scalebook/app/widget/address"
)

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
	ps, others, problems := address.Decode(address.Query(v.Params(), []string{"utm=1"}))
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
		ps, _, _ := address.Decode(query)
		v := New(s)
		if problems := v.Apply(ps); len(problems) != 1 {
			t.Errorf("%s: %q", query, problems)
		}
		if HTML(Section(v)) != before {
			t.Errorf("%s changed the sheet", query)
		}
	}
	if problems := New(s).Apply([]address.Param{{Sheet: "other", Name: "B", Text: "x"}}); len(problems) != 0 {
		t.Errorf("another sheet's: %q", problems)
	}
}
