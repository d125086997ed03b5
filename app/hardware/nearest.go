package hardware

import (
	"sort"
	"strings"
)

// remedyFor names the three nearest of the names that exist.
func remedyFor(word string, names []string) string {
	word = strings.ToLower(clip(word))
	near := append([]string(nil), names...)
	sort.SliceStable(near, func(i, j int) bool { return distance(word, near[i]) < distance(word, near[j]) })
	near = near[:min(3, len(near))]
	return "did you mean " + strings.Join(near[:len(near)-1], ", ") + " or " + near[len(near)-1] + "?"
}

// clip shortens a hostile word.
func clip(word string) string {
	if r := []rune(word); len(r) > 32 {
		return string(r[:32]) + "…"
	}
	return word
}

// distance is the edit distance of a and b, in bytes; less by half where one begins or ends like the other.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = 2 * j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] += 2
		for j := range len(b) {
			swap := diagonal
			if a[i] != b[j] {
				swap += 2
			}
			diagonal, row[j+1] = row[j+1], min(swap, row[j]+2, row[j+1]+2)
		}
	}
	if strings.HasSuffix(b, a) || strings.HasPrefix(b, a) {
		return row[len(b)] / 2
	}
	return row[len(b)]
}
