package notation

// inLine is a formula without fraction bars: a fraction in another one, or in an exponent, would be too small to read.
func inLine(p Piece) Piece {
	switch x := p.(type) {
	case *Quotient:
		return &Quotient{Over: inLine(x.Over), Under: inLine(x.Under), Slash: true}
	case *Product:
		return &Product{Factors: allInLine(x.Factors), Dots: x.Dots}
	case *Sum:
		terms := make([]Term, len(x.Terms))
		for i, t := range x.Terms {
			terms[i] = Term{Neg: t.Neg, X: inLine(t.X)}
		}
		return &Sum{Terms: terms}
	case *Apply:
		return &Apply{Head: x.Head, Args: allInLine(x.Args), Subscript: x.Subscript}
	}
	return p
}

func allInLine(pieces []Piece) []Piece {
	all := make([]Piece, len(pieces))
	for i, p := range pieces {
		all[i] = inLine(p)
	}
	return all
}
