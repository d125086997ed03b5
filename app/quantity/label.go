package quantity

import "strings"

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

// plural is the plural of a noun.
func plural(one string) string {
	switch {
	case strings.HasSuffix(one, "tch"), strings.HasSuffix(one, "s"), strings.HasSuffix(one, "x"):
		return one + "es"
	case strings.HasSuffix(one, "y") && len(one) > 1 && !strings.ContainsRune("aeiou", rune(one[len(one)-2])):
		return one[:len(one)-1] + "ies"
	}
	return one + "s"
}

// percent is the label of a share that prints in hundredths, because whoever wrote it did: 80 %. Its value is 0.8.
const percent = "%"

// IsPercent tells whether q prints in hundredths.
func (q Quantity) IsPercent() bool { return q.Label.Over == percent }

// mul combines the labels of two factors: a noun above cancels the same noun below; where two would stand in one
// place, neither is kept, because tokens times layers are neither.
func (l Label) mul(m Label) Label {
	l, m = l.besides(m), m.besides(l)
	if l.Over != "" && l.Over == m.Under {
		l.Over, m.Under = "", ""
	}
	if m.Over != "" && m.Over == l.Under {
		m.Over, l.Under = "", ""
	}
	out := Label{Over: single(l.Over, m.Over), Under: single(l.Under, m.Under)}
	if out.Under == percent {
		out.Under = ""
	}
	return out
}

// besides is l beside another factor's label: a share of something counted is no longer a share.
func (l Label) besides(m Label) Label {
	if l.Over == percent && m.Over != "" && m.Over != percent {
		l.Over = ""
	}
	return l
}

// of is l for a quantity of dimension d: only a plain number can be a share.
func (l Label) of(d Dim) Label {
	if l.Over == percent && !d.IsZero() {
		l.Over = ""
	}
	return l
}

func (l Label) inverse() Label { return Label{Over: l.Under, Under: l.Over} }

func single(a, b string) string {
	switch {
	case a == "":
		return b
	case b == "":
		return a
	}
	return ""
}
