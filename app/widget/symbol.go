package widget

import "strings"

// greek are the names that stand for a letter, as in the sheet's own formulas.
const greek = " alpha α beta β gamma γ delta δ epsilon ε zeta ζ eta η theta θ kappa κ lambda λ mu μ nu ν xi ξ pi π rho ρ" +
	" sigma σ tau τ phi φ chi χ psi ψ omega ω Gamma Γ Delta Δ Theta Θ Lambda Λ Sigma Σ Phi Φ Psi Ψ Omega Ω "

func letter(word string) string {
	if _, after, ok := strings.Cut(greek, " "+word+" "); ok && word != "" {
		l, _, _ := strings.Cut(after, " ")
		if len(l) > 1 && l[0] >= 0x80 {
			return l
		}
	}
	return word
}

// symbolML is a variable as mathematics, set as the sheet sets it in its formulas: what follows the first underscore is
// an index, and so are the digits after a single letter.
func symbolML(name string) string {
	base, sub, _ := strings.Cut(strings.Trim(name, "_"), "_")
	switch {
	case base == "":
		return "<mi>" + escaped(name) + "</mi>"
	case sub == "" && len(base) > 1 && digits(base[1:]):
		base, sub = base[:1], base[1:]
	}
	words := strings.FieldsFunc(sub, func(r rune) bool { return r == '_' })
	for i, w := range words {
		words[i] = letter(w)
	}
	sub = strings.Join(words, " ")
	if sub == "" {
		return "<mi>" + escaped(letter(base)) + "</mi>"
	}
	return "<msub><mi>" + escaped(letter(base)) + "</mi>" + indexML(sub) + "</msub>"
}

// indexML is an index, always upright.
func indexML(s string) string {
	switch {
	case digits(s):
		return "<mn>" + s + "</mn>"
	case strings.Contains(s, " "):
		return "<mtext>" + escaped(s) + "</mtext>"
	case len([]rune(s)) == 1:
		return `<mi mathvariant="normal">` + escaped(s) + "</mi>"
	}
	return "<mi>" + escaped(s) + "</mi>"
}

func digits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}
