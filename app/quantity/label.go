package quantity

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/phrase"
)

// noun is something that can be counted, with further spellings that are understood.
type noun struct {
	one   string
	alias string // another singular that means the same
}

// nouns are the labels that a count may carry, besides what code sets.
var nouns = [...]noun{
	{"token", "tok"}, {"chip", ""}, {"parameter", "param"}, {"layer", ""}, {"head", ""}, {"expert", ""},
	{"request", ""}, {"sequence", ""}, {"step", ""}, {"core", ""}, {"host", ""}, {"node", ""}, {"device", ""},
	{"GPU", ""}, {"TPU", ""}, {"sample", ""}, {"link", ""}, {"hop", ""}, {"slice", ""}, {"pod", ""}, {"word", ""},
	{"example", ""}, {"epoch", ""}, {"user", ""}, {"image", ""},
}

// nounOf finds the noun a word is the singular or plural of, in any case: "Tokens" is token.
func nounOf(word string) (string, bool) {
	for _, n := range nouns {
		if isForm(word, n.one) || n.alias != "" && isForm(word, n.alias) {
			return n.one, true
		}
	}
	return "", false
}

func isForm(word, one string) bool {
	if len(word) == len(one)+1 && (word[len(one)] == 's' || word[len(one)] == 'S') {
		word = word[:len(one)]
	}
	return len(word) == len(one) && strings.EqualFold(word, one)
}

// plural is the plural of an English noun. What a translation calls a count, which ends in no letter of ASCII, stays.
func plural(one string) string {
	switch {
	case one != "" && one[len(one)-1] >= utf8.RuneSelf:
		return one
	case strings.HasSuffix(one, "tch"), strings.HasSuffix(one, "s"), strings.HasSuffix(one, "x"):
		return one + "es"
	case strings.HasSuffix(one, "y") && len(one) > 1 && !strings.ContainsRune("aeiou", rune(one[len(one)-2])):
		return one[:len(one)-1] + "ies"
	}
	return one + "s"
}

// mul combines the labels of two factors: a noun above cancels the same noun below. Where two stand in one place, both
// are remembered, so that a later factor may cancel either, and neither is shown, because tokens times layers are
// neither.
func (l Label) mul(m Label) Label {
	l, m = l.besides(m), m.besides(l)
	l.Over, m.Under = cancel(l.Over, m.Under)
	m.Over, l.Under = cancel(m.Over, l.Under)
	out := Label{Over: together(l.Over, m.Over), Under: together(l.Under, m.Under)}
	if out.Under == percent {
		out.Under = ""
	}
	return out
}

// between joins the nouns of a product. It stands in no noun.
const between = "*"

// maxNouns bounds the nouns of a product that are remembered.
const maxNouns = 6

// cancel takes the nouns out of both that stand in both.
func cancel(over, under string) (string, string) {
	switch {
	case over == "" || under == "":
		return over, under
	case over == under:
		return "", ""
	case !strings.Contains(over, between) && !strings.Contains(under, between):
		return over, under
	}
	above, below := strings.Split(over, between), strings.Split(under, between)
	kept := above[:0]
	for _, noun := range above {
		if i := slices.Index(below, noun); i >= 0 {
			below = slices.Delete(below, i, i+1)
		} else {
			kept = append(kept, noun)
		}
	}
	return strings.Join(kept, between), strings.Join(below, between)
}

// together are the nouns of a and b in one place, in alphabetical order. A share of a share is no share.
func together(a, b string) string {
	switch {
	case a == "":
		return b
	case b == "":
		return a
	case a == percent || b == percent:
		return strings.Trim(a+b, percent)
	}
	nouns := append(strings.Split(a, between), strings.Split(b, between)...)
	if len(nouns) > maxNouns {
		return ""
	}
	slices.Sort(nouns)
	return strings.Join(nouns, between)
}

// shown is l as it is printed: without labels where several nouns stand in one place.
func (l Label) shown() Label {
	if strings.Contains(l.Over, between) || strings.Contains(l.Under, between) {
		return Label{}
	}
	return l
}

// asShare is l beside 100%: what is so many of one thing for each other thing prints as a share.
func (l Label) asShare(factor Quantity) Label {
	if factor.IsPercent() && factor.Value == 1 && l.Under != "" {
		return Label{}
	}
	return l
}

// besides is l beside another factor's label: a share of something counted is no longer a share.
func (l Label) besides(m Label) Label {
	if l.Over == percent && m.Over != "" && m.Over != percent {
		l.Over = ""
	}
	return l
}

// forDim is l for a quantity of dimension d: only a plain number can be a share.
func (l Label) forDim(d Dim) Label {
	if l.Over == percent && !d.IsZero() {
		l.Over = ""
	}
	return l
}

func (l Label) inverse() Label { return Label{Over: l.Under, Under: l.Over} }

// CountLabel reads what a count counts, as an author names it: "GPUs", "tokens/chip", "%" for a share, "" for nothing.
func CountLabel(text string) (Label, error) {
	over, under, ratio := strings.Cut(text, "/")
	label := Label{Over: singular(over), Under: singular(under)}
	if text == "" || text == percent || isNoun(over) && !ratio || (over == "" || isNoun(over)) && isNoun(under) {
		return label, nil
	}
	return Label{}, &Error{What: phrase.New("quantity.no-name-for-count", "text", text),
		Remedy: phrase.New("quantity.write-a-name")}
}

// isNoun tells whether text may name what is counted: letters, digits, spaces and hyphens, the first a letter.
func isNoun(text string) bool {
	for i, r := range text {
		if !unicode.IsLetter(r) && (i == 0 || r != ' ' && r != '-' && !unicode.IsDigit(r)) {
			return false
		}
	}
	return text != "" && len(text) <= 40 && !strings.HasSuffix(text, " ")
}

// singular is the noun of which word is the plural, or word itself.
func singular(word string) string {
	if one, ok := nounOf(word); ok {
		return one
	}
	for _, one := range []string{strings.TrimSuffix(word, "s"), strings.TrimSuffix(word, "es"),
		strings.TrimSuffix(word, "ies") + "y"} {
		if one != "" && one != word && plural(one) == word {
			return one
		}
	}
	return word
}
