package sheet

import (
	"strings"
	"testing"
)

// TestListValues holds lists to one type, to Equal entry by entry, and to a text of bounded length.
func TestListValues(t *testing.T) {
	counts := func(values ...float64) Value {
		v := Value{Kind: List}
		for _, x := range values {
			v.List = append(v.List, num(x, dimByte))
		}
		return v
	}
	if got := counts(1, 2).Type().String(); got != "a list of numbers, each data (byte)" {
		t.Error(got)
	}
	if got := counts(1, 2, 3, 4, 5, 6, 7, 8).String(); !strings.HasSuffix(got, "6 bytes and 2 more") {
		t.Error(got)
	}
	if got := counts().String(); got != "none" {
		t.Error(got)
	}
	if !counts(1, 2).Equal(counts(1, 2)) || counts(1, 2).Equal(counts(2, 1)) || counts(1).Equal(counts()) {
		t.Error("Equal doesn't compare entries in their order")
	}
	if !sameType(counts().Type(), counts(1).Type()) || sameType(counts(1).Type(), ListOf(typPlain)) {
		t.Error("sameType: an empty list fits any list, bytes do not fit plain numbers")
	}
}

// TestListResults holds a function to the list that it declares.
func TestListResults(t *testing.T) {
	env := testEnv()
	give := func(name string, list ...Value) {
		env.Funcs[name] = &Func{Name: name, Result: ListOf(Type{Kind: Number, Dim: dimByte}),
			Call: func([]Value) (Value, error) { return Value{Kind: List, List: list}, nil }}
	}
	give("good", num(1, dimByte), num(2, dimByte))
	give("mixed", num(1, dimByte), num(2, dimTime))
	give("long", make([]Value, maxEntries+1)...)
	s, errs := Compile("a = good()\nb = mixed()\nc = long()\n", env)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	r := s.Eval(nil)
	if r.Rows[0].Err != nil || len(r.Rows[0].Value.List) != 2 {
		t.Error(r.Rows[0])
	}
	for i, want := range []string{"should be data (byte), but is time (s)", "a list of more than 100000 entries"} {
		if err := r.Rows[i+1].Err; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
