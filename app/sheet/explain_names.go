package sheet

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

// wordsFor is the row of that name for a sentence: its label in quotes, or else its name.
func (s *Sheet) wordsFor(name string) any {
	if row := s.Row(name); row != nil && row.Label != "" {
		return phrase.New("sheet.quoted", "label", row.Label)
	}
	return name
}

// words is an expression for a sentence: the label of a row, or else the formula.
func (s *Sheet) words(e syntax.Expr) any {
	if n, ok := syntax.Ungroup(e).(*syntax.Name); ok {
		return s.wordsFor(n.Name)
	}
	if e == nil {
		return phrase.New("sheet.one-side")
	}
	return notation.Plain(s.setter().set(e))
}
