package sheet

import (
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/sheet/expr"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// TestListResults holds a function to the list that it declares.
func TestListResults(t *testing.T) {
	env := testEnv()
	give := func(name string, list ...value.Value) {
		env.Funcs[name] = &value.Func{Name: name, Result: value.ListOf(value.Type{Kind: value.Number, Dim: dimByte}),
			Call: func([]value.Value) (value.Value, error) { return value.Value{Kind: value.List, List: list}, nil }}
	}
	give("good", num(1, dimByte), num(2, dimByte))
	give("mixed", num(1, dimByte), num(2, dimTime))
	give("long", make([]value.Value, expr.MaxEntries+1)...)
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
