package sharding

import (
	"strings"
	"testing"
)

// TestWithSpecs writes specs into arrays as JAX reads them.
func TestWithSpecs(t *testing.T) {
	for _, c := range []struct {
		text  string
		specs []string
		want  string
	}{
		{"A[I, J]", []string{"P('X', 'Y')"}, "A[I_X, J_Y]"},
		{"bf16 A[I,J]", []string{`P("X", None)`}, "bf16 A[I_X, J]"},
		{"A[I, J]", []string{"P(('X', 'Y'),)"}, "A[I_{X,Y}, J]"},
		{"A[I, J]", []string{"jax.P(None, 'model')"}, "A[I, J_model]"},
		{"A[I, J]", []string{" P( ) "}, "A[I, J]"},
		{"A[I, J] . B[J, K] -> C[I, K]", []string{"P('X')", "P()", "P('X', None)"}, "A[I_X, J] . B[J, K] -> C[I_X, K]"},
		{"A[I] . B[I] -> C[]", []string{"P('X')"}, "A[I_X] . B[I] -> C[]"},
	} {
		got, err := WithSpecs(c.text, c.specs...)
		if err != nil || got != c.want {
			t.Errorf("%s with %s: %q (%v), want %q", c.text, c.specs, got, err, c.want)
		}
	}
}

// TestSpecFaults says what is wrong, and where.
func TestSpecFaults(t *testing.T) {
	for text, want := range map[string]string{
		"":                  "spec, column 1: the text ends",
		"X":                 "spec, column 1: `X` stands",
		"P(X)":              "spec, column 3: `X` stands",
		"P('X' 'Y')":        "spec, column 7: `'` stands",
		"P('X', 'Y', None)": "the spec has 3 entries, the array 2",
		"P('X)":             "spec, column 5: `)` stands",
		"P('X', 'Y') + 1":   "spec, column 13: `+` stands",
		"P(())":             "",
	} {
		_, err := WithSpecs("A[I, J]", text)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	if _, err := WithSpecs("A[I, J]", "P()", "P()"); err == nil {
		t.Error("two specs were written into one array")
	}
}
