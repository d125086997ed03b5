package explain

import (
	"testing"

	"github.com/scalebook/scalebook/app/sheet/value"
)

// With numbers in the place of names, a long text stays a name, or is cut; a short one stands as it is.
func TestLongTexts(t *testing.T) {
	text := value.Type{Kind: value.Text}
	split := &value.Func{
		Name: "split", Params: []value.Param{{Name: "a", Type: text}, {Name: "b", Type: text}, {Name: "c", Type: text}},
		Result: text, Call: func(a []value.Value) (value.Value, error) { return a[0], nil },
	}
	env := &value.Env{Values: map[string]value.Value{}, Funcs: map[string]*value.Func{"split": split}}
	const long = "A[I_X, J_Y] . B[J, K_Y] -> C[I_X, K_Y]"
	named := []Named{{"product", value.Value{Kind: value.Text, Text: long}},
		{"mesh", value.Value{Kind: value.Text, Text: "X=4"}}}
	w, err := Work(`split(product, mesh, "`+long+`")`, named, env, Plain)
	if err != nil {
		t.Fatal(err)
	}
	if want := "split(product, mesh, “" + long + "”)"; w.Symbols != want {
		t.Errorf("in symbols %s, want %s", w.Symbols, want)
	}
	if want := "split(product, X=4, “A[I_X, J_Y] . B[J, K_Y]…”)"; w.Numbers != want {
		t.Errorf("with numbers %s, want %s", w.Numbers, want)
	}
}
