package explain

import (
	"slices"
	"strconv"

	"github.com/scalebook/scalebook/app/sheet/notation"
	"github.com/scalebook/scalebook/app/sheet/syntax"
)

// sum collects the terms of a row of + and -.
func (t *Writer) sum(e syntax.Expr) notation.Piece {
	var terms []notation.Term
	t.terms(e, false, &terms)
	if len(terms) == 1 && !terms[0].Neg {
		return terms[0].X
	}
	return &notation.Sum{Terms: terms}
}

func (t *Writer) terms(e syntax.Expr, neg bool, out *[]notation.Term) {
	inner := syntax.Ungroup(e)
	_, grouped := e.(*syntax.Group)
	switch x := inner.(type) {
	case *syntax.Binary:
		if (x.Op == "+" || x.Op == "-") && !(grouped && neg) {
			t.terms(x.X, neg, out)
			t.terms(x.Y, x.Op == "-", out)
			return
		}
	case *syntax.Unary:
		if _, number := syntax.Ungroup(x.X).(*syntax.Lit); x.Op == "-" && len(*out) == 0 && !neg && !number {
			t.terms(x.X, true, out)
			return
		}
	}
	n := t.Piece(e)
	if s, ok := n.(*notation.Sum); ok && !neg && len(*out) == 0 {
		*out = append(*out, s.Terms...)
		return
	}
	*out = append(*out, notation.Term{Neg: neg, X: n})
}

// factorList is those above and below the line of a row of * and /.
type factorList struct{ over, under []syntax.Expr }

// split collects the factors of e. A parenthesis around a product is none of the reader's business; one around a
// quotient keeps it together.
func (f *factorList) split(e syntax.Expr, below bool) {
	b, ok := e.(*syntax.Binary)
	if g, is := e.(*syntax.Group); is && onlyProducts(g) {
		b, ok = syntax.Ungroup(g).(*syntax.Binary)
	}
	if !ok || b.Op != "*" && b.Op != "/" {
		if below {
			f.under = append(f.under, e)
		} else {
			f.over = append(f.over, e)
		}
		return
	}
	f.split(b.X, below)
	f.split(b.Y, below != (b.Op == "/"))
}

// onlyProducts tells whether e is a product without a quotient in its row.
func onlyProducts(e syntax.Expr) bool {
	b, ok := syntax.Ungroup(e).(*syntax.Binary)
	if !ok {
		return true
	}
	switch b.Op {
	case "*":
		return (!isRow(b.X) || onlyProducts(b.X)) && (!isRow(b.Y) || onlyProducts(b.Y))
	case "/":
		return false
	}
	return true
}

// isRow tells whether e is a product or quotient.
func isRow(e syntax.Expr) bool {
	b, ok := syntax.Ungroup(e).(*syntax.Binary)
	return ok && (b.Op == "*" || b.Op == "/")
}

// product sets a row of * and /: factors side by side, what is divided by under one line.
func (t *Writer) product(e *syntax.Binary) notation.Piece {
	var f factorList
	f.split(e, false)
	neg := false
	alone := len(f.over)+len(f.under) < 2
	over, under := t.side(f.over, alone, &neg), t.side(f.under, alone, nil)
	out := t.productOf(over)
	if len(under) > 0 {
		out = &notation.Quotient{Over: out, Under: t.productOf(under)}
	}
	if neg {
		return &notation.Sum{Terms: []notation.Term{{Neg: true, X: out}}}
	}
	return out
}

// side sets the factors on one side of the line. Without values, plain numbers come first and a 1 vanishes; the sign
// of the first factor moves out through neg.
func (t *Writer) side(es []syntax.Expr, alone bool, neg *bool) []notation.Piece {
	var numbers, rest []notation.Piece
	for i, e := range es {
		if u, ok := syntax.Ungroup(e).(*syntax.Unary); ok && u.Op == "-" && i == 0 && neg != nil {
			*neg, e = true, u.X
		}
		n := t.Piece(e)
		if lit, ok := syntax.Ungroup(e).(*syntax.Lit); ok && !alone && t.Values == nil {
			x := t.bare(lit)
			if n = x; x.Unit == "" && x.Prefix == "" {
				if x.Value != 1 {
					numbers = append(numbers, n)
				}
				continue
			}
		}
		if p, ok := n.(*notation.Product); ok {
			rest = append(rest, p.Factors...)
			continue
		}
		rest = append(rest, n)
	}
	if t.Values == nil {
		rest = squared(rest)
	}
	return append(numbers, rest...)
}

// squared writes factors that repeat as a power: D D is D².
func squared(fs []notation.Piece) []notation.Piece {
	texts, counts, out := []string{}, []int{}, fs[:0:0]
	for _, f := range fs {
		text := notation.Plain(f)
		i := slices.Index(texts, text)
		if _, number := f.(*notation.Number); number || i < 0 {
			texts, counts, out = append(texts, text), append(counts, 1), append(out, f)
			continue
		}
		counts[i]++
	}
	for i, n := range counts {
		if n > 1 {
			out[i] = &notation.Power{Base: out[i], Exp: &notation.Number{Mantissa: strconv.Itoa(n), Value: float64(n)}}
		}
	}
	return out
}

// productOf is the product of factors; 1 if there are none.
func (t *Writer) productOf(fs []notation.Piece) notation.Piece {
	switch len(fs) {
	case 0:
		return &notation.Number{Mantissa: "1", Value: 1}
	case 1:
		return fs[0]
	}
	return &notation.Product{Factors: fs, Dots: t.Values != nil}
}
