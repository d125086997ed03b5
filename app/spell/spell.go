// Package spell finds the names that a misspelt word was probably meant to be. It is the one place that compares words:
// units, names of sheets, chips and directives are all suggested by it.
package spell

import (
	"math"
	"slices"
	"strings"
)

// Edit is what one edit counts in a [Distance]; a wrong case counts half of it.
const Edit = 2

// Distance is the edit distance of two words in half edits (Damerau and Levenshtein's, of neighbours exchanged at most
// once): inserting, deleting or replacing a byte and exchanging two neighbours count [Edit]; a letter in the wrong
// case, and an added or missing `s` or `/`, which turn one unit into another, count 1.
// All letters in the wrong case together count 1: somebody held the shift key, or did not.
func Distance(a, b string) int { return within(a, b, math.MaxInt) }

// within is the distance if it is at most so much, and something larger if it isn't.
func within(a, b string, most int) int {
	d := edits(a, b, most)
	if low, other := strings.ToLower(a), strings.ToLower(b); low != a || other != b {
		d = min(d, 1+edits(low, other, most))
	}
	return d
}

// edits is the distance with each letter counted by itself. It ends once all ways cost more than most: what is still
// to come begins in one of the last two rows.
func edits(a, b string, most int) int {
	rows, w, least := make([]int, 3*len(b)+3), len(b)+1, 0
	before, row, next := rows[:w], rows[w:2*w], rows[2*w:]
	for j := range len(b) {
		row[j+1] = row[j] + gap(b[j])
	}
	for i := range len(a) {
		next[0] = row[0] + gap(a[i])
		lowest := next[0]
		for j := range len(b) {
			next[j+1] = min(row[j+1]+gap(a[i]), next[j]+gap(b[j]), row[j]+swap(a[i], b[j]))
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] && a[i] != b[j] {
				next[j+1] = min(next[j+1], before[j-1]+Edit)
			}
			lowest = min(lowest, next[j+1])
		}
		if min(lowest, least+Edit) > most {
			return lowest
		}
		least = lowest
		before, row, next = row, next, before
	}
	return row[len(b)]
}

// gap is what a missing byte counts.
func gap(c byte) int {
	if c == 's' || c == '/' {
		return 1
	}
	return Edit
}

// swap is what one byte in place of another counts.
func swap(a, b byte) int {
	switch {
	case a == b:
		return 0
	case a|0x20 == b|0x20 && 'a' <= a|0x20 && a|0x20 <= 'z':
		return 1
	}
	return Edit
}

// Nearest are the names within limit half edits of word, the nearest first and equally near ones in their order, at
// most most of them. What is missing before or behind the whole word counts half. The word itself is not among them.
func Nearest(word string, names []string, limit, most int) []string {
	type candidate struct {
		name     string
		distance int
	}
	var found []candidate
	for _, name := range names {
		if name == word || len(name) > len(word)+limit || len(word) > len(name)+limit {
			continue
		}
		part := 1
		if strings.HasPrefix(name, word) || strings.HasSuffix(name, word) {
			part = 2
		}
		d := within(word, name, min(limit, math.MaxInt/4)*part+part-1) / part
		if d <= limit {
			found = append(found, candidate{name, d})
		}
	}
	near := make([]string, 0, most)
	for len(found) > 0 && len(near) < most { // few are wanted: a sort for this type would be ten times as much code
		best := 0
		for i := range found {
			if found[i].distance < found[best].distance {
				best = i
			}
		}
		near = append(near, found[best].name)
		found = append(found[:best], found[best+1:]...)
	}
	return near
}

// Limit is how far a name may be from a word of that length to be a helpful suggestion: one edit for every three
// letters, at most three. A word of one letter has none.
func Limit(word string) int { return Edit * min(3, (len(word)+1)/3) }

// Meant is the one name that word was probably meant to be: the nearest within [Limit], or else the only one that
// begins with it; "" if there is none.
func Meant(word string, names []string) string {
	sorted := slices.Sorted(slices.Values(names))
	if near := Nearest(word, sorted, Limit(word), 1); len(near) > 0 {
		return near[0]
	}
	return continuation(word, sorted)
}

// continuation is the only name that begins with word, which has at least three letters.
func continuation(word string, names []string) string {
	best := ""
	for _, name := range names {
		if len(word) < 3 || !strings.HasPrefix(name, word) {
			continue
		}
		if best != "" {
			return ""
		}
		best = name
	}
	return best
}

// Clip is text with at most so many characters, the last of them an ellipsis if some are left out, so that a message
// stays readable whatever it quotes.
func Clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	n := 0
	last := 0
	for i := range text {
		if n == most {
			return text[:last] + "…"
		}
		last = i
		n++
	}
	return text
}
