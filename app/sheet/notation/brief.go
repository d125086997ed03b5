package notation

import "unicode/utf8"

// Brief is a formula in which a call with a long line of arguments shows none: `time(…)`. Where there is no such call
// it is the formula itself.
func Brief(p Piece) Piece {
	switch x := p.(type) {
	case *Apply:
		if lengthy(x) {
			return &Apply{Head: x.Head, Args: []Piece{&Words{"…"}}}
		}
	case *Product:
		if all, short := briefly(x.Factors); short {
			return &Product{Factors: all, Dots: x.Dots}
		}
	}
	return p
}

// lengthy tells whether nobody would read the arguments of a call in passing.
func lengthy(x *Apply) bool {
	const most, wide = 4, 60 // arguments, and characters of the whole
	return len(x.Args) > most && utf8.RuneCountInString(Plain(x)) > wide
}

// briefly is pieces in brief, and whether one of them got shorter.
func briefly(pieces []Piece) (all []Piece, short bool) {
	for _, p := range pieces {
		b := Brief(p)
		all, short = append(all, b), short || b != p
	}
	return all, short
}
