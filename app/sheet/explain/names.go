package explain

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/notation"
	"github.com/scalebook/scalebook/app/sheet/syntax"
)

// greek are the names that stand for a letter.
var greek = map[string]string{
	"alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "zeta": "ζ", "eta": "η", "theta": "θ",
	"kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ",
	"phi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ",
	"Sigma": "Σ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω",
}

func letterOf(word string) string {
	if letter, ok := greek[word]; ok {
		return letter
	}
	return word
}

// symbolNote is a name as it is set: what follows the first underscore is its subscript (T_math), and so are the digits
// after a single letter (W1).
func symbolNote(name string) *notation.Symbol {
	base, sub, _ := strings.Cut(strings.Trim(name, "_"), "_")
	if base == "" {
		return &notation.Symbol{Base: name}
	}
	if head, n := utf8.DecodeRuneInString(base); sub == "" && n < len(base) && unicode.IsLetter(head) &&
		notation.IsDigits(base[n:]) {
		return &notation.Symbol{Base: base[:n], Sub: base[n:], Joined: true}
	}
	words := strings.FieldsFunc(sub, func(r rune) bool { return r == '_' })
	for i, w := range words {
		words[i] = letterOf(w)
	}
	return &notation.Symbol{Base: letterOf(base), Sub: strings.Join(words, " ")}
}

// Symbol is the name of a row as formulas write it: T with the subscript math for T_math, α for alpha.
func Symbol(name string, f Format) string {
	switch f {
	case Code:
		return name
	case MathML:
		return notation.MathML(symbolNote(name))
	}
	return notation.Plain(symbolNote(name))
}

// WordsFor is the row of that name for a sentence: its label in quotes, or else its name.
func (t *Writer) WordsFor(name string) any {
	if row := t.row(name); row != nil && row.Label != "" {
		return phrase.New("sheet.quoted", "label", row.Label)
	}
	return name
}

// Words is an expression for a sentence: the label of a row, or else the formula.
func (t *Writer) Words(e syntax.Expr) any {
	if n, ok := syntax.Ungroup(e).(*syntax.Name); ok {
		return t.WordsFor(n.Name)
	}
	if e == nil {
		return phrase.New("sheet.one-side")
	}
	return notation.Plain(t.Piece(e))
}
