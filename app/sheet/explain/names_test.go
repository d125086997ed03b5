package explain

import "testing"

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
