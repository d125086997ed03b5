package explain

import (
	"testing"

	"github.com/scalebook/scalebook/app/sheet/syntax"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// TestSymbol holds names to the symbols in which formulas write them.
func TestSymbol(t *testing.T) {
	for name, want := range map[string][2]string{
		"B":             {"B", "<mi>B</mi>"},
		"T_math":        {"T_math", "<msub><mi>T</mi><mi>math</mi></msub>"},
		"T_first_token": {"T_first_token", "<msub><mi>T</mi><mtext>first token</mtext></msub>"},
		"W1":            {"W1", "<msub><mi>W</mi><mn>1</mn></msub>"},
		"alpha":         {"α", "<mi>α</mi>"},
		"T_beta":        {"T_β", `<msub><mi>T</mi><mi mathvariant="normal">β</mi></msub>`},
		"intensity":     {"intensity", "<mi>intensity</mi>"},
		"so_far":        {"so_far", `<mtext class="code-name">so_far</mtext>`},
		"per_cycle_all": {"per_cycle_all", `<mtext class="code-name">per_cycle_all</mtext>`},
		"alpha_0":       {"α_0", "<msub><mi>α</mi><mn>0</mn></msub>"},
		"x_i":           {"x_i", `<msub><mi>x</mi><mi mathvariant="normal">i</mi></msub>`},
		"_":             {"_", "<mi>_</mi>"},
		"a__b_":         {"a_b", `<msub><mi>a</mi><mi mathvariant="normal">b</mi></msub>`},
		"x<y":           {"x<y", "<mi>x&lt;y</mi>"},
	} {
		if got := [2]string{Symbol(name, Plain), Symbol(name, MathML)}; got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

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

// Several of what is counted are several in a rate, too.
func TestRatesOfCounts(t *testing.T) {
	for text, want := range map[string]string{
		"5 request/s + 1 request/s": "5 requests/s + 1 request/s",
		"60 request/min * 2":        "2 · 60 requests/min",
		"3 byte/token + 3 byte":     "3 byte/token + 3 bytes",
		"5 token/chip + 1 chip":     "5 tokens/chip + 1 chip",
	} {
		w, err := Work(text, nil, &value.Env{}, Plain)
		if err != nil || w.Symbols != want {
			t.Errorf("%s: %s, want %s, %v", text, w.Symbols, want, err)
		}
	}
}

// What stands for a word is found whole: no other word's, whatever the word is made of.
func TestWordFor(t *testing.T) {
	for _, c := range [][3]string{{relations, "=", "="}, {relations, "==", "="}, {relations, "<", "<"},
		{relations, "<=", "≤"}, {relations, ">=", "≥"}, {relations, "!=", "≠"}, {relations, "!", ""},
		{relations, "", ""}, {magnitudes, "M", "6"},
		{magnitudes, "m", ""}, {greek, "eta", "η"}, {greek, "beta", "β"}, {greek, "Omega", "Ω"}, {greek, "β", ""}} {
		if got := syntax.WordFor(c[0], c[1]); got != c[2] {
			t.Errorf("%q is %q, want %q", c[1], got, c[2])
		}
	}
}
