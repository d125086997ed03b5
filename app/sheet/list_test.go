package sheet

import (
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/sheet/expr"
)

// TestListResults holds a function to the list that it declares.
func TestListResults(t *testing.T) {
	env := testEnv()
	give := func(name string, list ...Value) {
		env.Funcs[name] = &Func{Name: name, Result: ListOf(Type{Kind: Number, Dim: dimByte}),
			Call: func([]Value) (Value, error) { return Value{Kind: List, List: list}, nil }}
	}
	give("good", num(1, dimByte), num(2, dimByte))
	give("mixed", num(1, dimByte), num(2, dimTime))
	give("long", make([]Value, expr.MaxEntries+1)...)
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
