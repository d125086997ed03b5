package sheet

import (
	"slices"
	"strings"
)

// nearest is the name that word was probably meant to be, or "".
func nearest(word string, names []string) string {
	best, least := "", 1+min(3, (len(word)+1)/3)
	for _, name := range names {
		if name == word || len(name) > len(word)+3 || len(word) > len(name)+3 {
			continue
		}
		if d := distance(word, name); d < least || d == least && best != "" && name < best {
			best, least = name, d
		}
	}
	if best == "" {
		return continuation(word, names)
	}
	return best
}

// continuation is the only name that begins with word, which has at least three letters.
func continuation(word string, names []string) string {
	best := ""
	for _, name := range names {
		if len(word) >= 3 && strings.HasPrefix(name, word) {
			if best != "" {
				return ""
			}
			best = name
		}
	}
	return best
}

// distance is the edit distance of two names, where a wrong case is free except that it is not nothing, and so is an
// exchange of neighbours one edit.
func distance(a, b string) int {
	if strings.EqualFold(a, b) {
		return 1
	}
	a, b = strings.ToLower(a), strings.ToLower(b)
	prev, row, next := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		next[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			next[j+1] = min(row[j]+cost, row[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], prev[j-1]+1)
			}
		}
		prev, row, next = row, next, prev
	}
	return row[len(b)]
}

// keys are the keys of m in order.
func keys[V any](m map[string]V) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// didYouMean is the remedy for an unknown word.
func didYouMean(word string, names []string, otherwise string) string {
	if near := nearest(word, names); near != "" {
		return "did you mean `" + near + "`?"
	}
	return otherwise
}

// oneOf lists names: "a, b or c", at most twelve of them.
func oneOf(names []string) string {
	const most = 12
	switch {
	case len(names) == 0:
		return "nothing"
	case len(names) == 1:
		return names[0]
	case len(names) > most:
		return strings.Join(names[:most], ", ") + ", ..."
	}
	return strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
}
