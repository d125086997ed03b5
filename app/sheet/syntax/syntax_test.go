package syntax

import (
	"strings"
	"testing"
)

// What is read and written back is read as the same.
func TestCodeComesBack(t *testing.T) {
	for text, want := range map[string]string{
		"2 FLOP*B * D":                  "2 FLOP * B * D", // the star stands apart from the unit
		"a+b*c^2":                       "a + b * c^2",
		"(a+b)*c":                       "(a + b) * c",
		"chip.flops( int8 ) / 1 byte":   "chip.flops(int8) / 1 byte",
		"not a = b and c<d or on":       "not a = b and c < d or on",
		"llama3.70b.params*25%":         "llama3.70b.params * 25%",
		`if(a >= 2, "x", ring)`:         `if(a >= 2, "x", ring)`,
		"-x^-2":                         "-x^-2",
		"max(1, 2 s, $2.1/hour, 16GiB)": "max(1, 2 s, $2.1/hour, 16GiB)",
	} {
		e, errs := ParseExpr(text)
		if len(errs) > 0 {
			t.Errorf("%s: %v", text, errs[0])
			continue
		}
		if got := Code(e); got != want {
			t.Errorf("%s is written as %s, want %s", text, got, want)
		}
		again, errs := ParseExpr(Code(e))
		if len(errs) > 0 || Code(again) != Code(e) {
			t.Errorf("%s comes back as %s, %v", Code(e), Code(again), errs)
		}
	}
}

// A fault ends its statement only, has a place and a remedy, and the rest of the tree is there.
func TestFaultEndsItsStatement(t *testing.T) {
	errs := &Errors{}
	tree := Parse("title T\nlet a = 2 *\nb = a + 1\nc = (b\nsolve d: a where b = 3\nplot b over a\nexpect b < \n", errs)
	if tree.Title != "T" || len(tree.Defs) != 4 || len(tree.Plots) != 1 || len(tree.Expects) != 0 {
		t.Errorf("%+v", tree)
	}
	for i, want := range []string{"2:12: the line ends too early", "4:5: this parenthesis is not closed",
		"7:11: the line ends too early"} {
		if got := errs.Sorted(); i >= len(got) || !strings.HasPrefix(got[i].Error(), want) || got[i].Remedy == nil {
			t.Errorf("fault %d of %v, want %s", i, got, want)
		}
	}
}

// The zero values are of use: no text is an empty tree.
func TestNothing(t *testing.T) {
	errs := &Errors{}
	if tree := Parse("", errs); len(tree.Defs) != 0 || len(errs.List) != 0 || errs.Full() {
		t.Errorf("%+v, %v", tree, errs)
	}
	if _, errs := ParseExpr(""); len(errs) != 1 {
		t.Errorf("%v", errs)
	}
}
