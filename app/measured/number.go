package measured

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// rangeSigns are how people write ranges: 64–512, 64..512.
var rangeSigns = strings.NewReplacer("–", "-", "...", "-", "..", "-", "…", "-")

// spaced are thousands apart by spaces, as "4 096".
var spaced = regexp.MustCompile(`^\d{1,3}(?:[ \x{a0}\x{2009}\x{202f}]\d{3})+$`)

// powers are numbers such as 2^22 and 2**22.
var powers = regexp.MustCompile(`^(\d{1,3})(?:\^|\*\*)(\d{1,2})$`)

// countedThing finds a number, about or not, before the word for what it counts. Not tokens: see [plainCount].
var countedThing = regexp.MustCompile(`(?i)^([~≈]?) ?(\d[\d., \x{a0}\x{2009}\x{202f}^*kmbgt]*?)(?: ` +
	`(gpus?|chips?|devices|accelerators|sequences|seqs|samples|requests|users|layers|heads|nodes|tokens?))?$`)

// plainCount is the number in "8 GPUs", "~4096" or "4096 tokens"; text if it is none. Names of a batch count sequences
// unless their number is too large for that, so that tokens there say something else and stay.
func plainCount(name, text string) string {
	m := countedThing.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return text
	}
	if strings.HasPrefix(strings.ToLower(m[3]), "token") && slices.Contains(batchNames, name) {
		if x, is := number(m[2]); !is || x < mostSequences {
			return text
		}
	}
	return strings.ReplaceAll(m[2], "**", "^")
}

// number reads "128", "1,024", "4 096", "2^22", "16M", "8k" or "1.5e9".
func number(text string) (float64, bool) {
	text = strings.TrimSpace(text)
	if spaced.MatchString(text) {
		text = strings.Join(strings.FieldsFunc(text, func(c rune) bool { return c < '0' || c > '9' }), "")
	}
	if m := powers.FindStringSubmatch(text); m != nil {
		x := numbers(m)
		p := math.Pow(x[1], x[2])
		return p, !math.IsInf(p, 0)
	}
	text = strings.ReplaceAll(text, ",", "")
	scale := 1.0
	if n := len(text); n > 1 {
		switch text[n-1] {
		case 'k', 'K':
			scale = 1e3
		case 'M':
			scale = 1e6
		case 'B', 'G':
			scale = 1e9
		case 'T':
			scale = 1e12
		}
		if scale != 1 {
			text = text[:n-1]
		}
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(x, 0) || math.IsNaN(x) {
		return 0, false
	}
	return x * scale, true
}
