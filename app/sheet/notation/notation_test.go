package notation

import (
	"strings"
	"testing"
)

// A looser piece gets parentheses inside a tighter one, in both ways of writing, and nothing else does.
func TestParentheses(t *testing.T) {
	a, b := &Symbol{Base: "a"}, &Symbol{Base: "b"}
	sum := &Sum{Terms: []Term{{X: a}, {Neg: true, X: b}}}
	two := &Number{Mantissa: "2"}
	for _, c := range []struct {
		piece Piece
		want  string
	}{
		{sum, "a − b"},
		{&Product{Factors: []Piece{two, sum}}, "2 (a − b)"},
		{&Product{Factors: []Piece{two, a, b}}, "2 a b"},
		{&Quotient{Over: sum, Under: a}, "(a − b) / a"},
		{&Power{Base: sum, Exp: two}, "(a − b)²"},
		{&Power{Base: a, Exp: two}, "a²"},
		{&Not{X: &Relation{Op: "<", Parts: []Piece{a, b}, Level: RankRelation}}, "not (a < b)"},
		{&Apply{Head: &Symbol{Base: "max"}, Args: []Piece{sum, b}}, "max(a − b, b)"},
	} {
		if got := Plain(c.piece); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
		ml := MathML(c.piece)
		if strings.Count(ml, "(") != strings.Count(ml, ")") || strings.Count(ml, "<mrow>") != strings.Count(ml, "</mrow>") {
			t.Errorf("not balanced: %s", ml)
		}
	}
}

// Whatever a text holds, it is safe inside an element.
func TestMathMLIsEscaped(t *testing.T) {
	if got := MathML(&Words{Text: `<b> & "c" ` + "\x00\xff"}); strings.Contains(got, "<b>") ||
		strings.Contains(got, "\x00") {
		t.Errorf("%s", got)
	}
}
