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
		if strings.Count(ml, "(") != strings.Count(ml, ")") ||
			strings.Count(ml, "<mrow>") != strings.Count(ml, "</mrow>") {
			t.Errorf("not balanced: %s", ml)
		}
	}
}

// A dot parts names of several letters, functions and two fractions in a row; letters and a number stand without one.
func TestDots(t *testing.T) {
	a, two := &Symbol{Base: "a"}, &Number{Mantissa: "2"}
	cores, rate := &Symbol{Base: "cores"}, &Symbol{Base: "clock"}
	larger := &Apply{Head: &Symbol{Base: "max"}, Args: []Piece{a, two}}
	half := &Quotient{Over: a, Under: two}
	for _, c := range []struct {
		product []Piece
		want    string
	}{
		{[]Piece{cores, rate}, "cores · clock"},
		{[]Piece{two, cores, a}, "2 cores · a"},
		{[]Piece{a, larger, a}, "a · max(a, 2) · a"},
		{[]Piece{two, larger}, "2 max(a, 2)"},
		{[]Piece{two, a, a}, "2 a a"},
	} {
		if got := Plain(&Product{Factors: c.product}); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
	if ml := MathML(&Product{Factors: []Piece{half, half}}); !strings.Contains(ml, "⋅") {
		t.Errorf("two fractions touch: %s", ml)
	}
}

// Whatever a text holds, it is safe inside an element.
func TestMathMLIsEscaped(t *testing.T) {
	if got := MathML(&Words{Text: `<b> & "c" ` + "\x00\xff"}); strings.Contains(got, "<b>") ||
		strings.Contains(got, "\x00") {
		t.Errorf("%s", got)
	}
}

// A call with a long line of arguments shows none in brief, alone and as a factor; any other formula stays as it is.
func TestBrief(t *testing.T) {
	var args []Piece
	for _, name := range []string{"arithmetic", "operations", "microbatches", "activations", "interleaved"} {
		args = append(args, &Symbol{Base: name})
	}
	n, time := &Symbol{Base: "n"}, &Symbol{Base: "time"}
	long, short := &Apply{Head: time, Args: args}, &Apply{Head: time, Args: args[:4]}
	for _, c := range []struct {
		piece Piece
		want  string
	}{
		{long, "time(…)"},
		{&Product{Factors: []Piece{n, long}}, "n · time(…)"},
		{short, Plain(short)},
	} {
		if got := Plain(Brief(c.piece)); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
	if Brief(short) != Piece(short) {
		t.Error("a formula that is short already is another one")
	}
}

// A fraction in another one or in an exponent is written with a slash, and with the parentheses that this needs.
func TestNestedFractions(t *testing.T) {
	a, b, c := &Symbol{Base: "a"}, &Symbol{Base: "b"}, &Symbol{Base: "c"}
	half := &Quotient{Over: a, Under: b}
	for _, p := range []Piece{
		&Quotient{Over: c, Under: half},
		&Quotient{Over: &Product{Factors: []Piece{half, c}}, Under: c},
		&Power{Base: c, Exp: &Apply{Head: &Symbol{Base: "round"}, Args: []Piece{half}}},
	} {
		ml := MathML(p)
		if strings.Count(ml, "<mfrac>") > 1 || !strings.Contains(ml, "<mi>a</mi><mo>/</mo><mi>b</mi>") {
			t.Error(ml)
		}
	}
	product := &Quotient{Over: a, Under: &Quotient{Over: b, Under: &Product{Factors: []Piece{a, c}}}}
	if ml := MathML(product); !strings.Contains(ml, "<mo>/</mo><mrow><mo>(</mo>") {
		t.Error(ml)
	}
	if ml := MathML(&Quotient{Over: &Product{Factors: []Piece{half, c}}, Under: c}); !strings.Contains(ml, "⋅") {
		t.Errorf("no dot behind a slash: %s", ml)
	}
}
