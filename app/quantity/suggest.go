package quantity

import (
	"slices"
	"strings"
)

// common are the units worth naming to whoever wrote one that does not exist.
const common = "byte KB MB GB TB PB KiB MiB GiB TiB bit Mbit Gbit Tbit byte/s GB/s TB/s GiB/s Gbit/s " +
	"FLOP kFLOP MFLOP GFLOP TFLOP PFLOP EFLOP FLOP/s GFLOP/s TFLOP/s PFLOP/s EFLOP/s FLOP/byte " +
	"s ms us ns min hour day week year minute second $ USD cent $/hour J kJ MJ Wh kWh MWh W kW MW Hz kHz MHz GHz"

// Suggest is the remedy for a word that is no unit: the nearest units, nearest first.
func Suggest(word string) string {
	near := nearest(word)
	if len(near) == 0 {
		return "units are byte, GB, GiB, FLOP, TFLOP/s, GB/s, s, ms, $, $/hour, J, W, or a count such as token"
	}
	if len(near) == 1 {
		return "did you mean " + near[0] + "?"
	}
	last := len(near) - 1
	return "did you mean " + strings.Join(near[:last], ", ") + " or " + near[last] + "?"
}

// nearest is at most three units that a word may have been meant as.
func nearest(word string) []string {
	type candidate struct {
		name string
		cost int
	}
	var found []candidate
	word = clip(word, 24)
	for _, name := range append(strings.Fields(common), nounNames()...) {
		if cost := distance(word, name); cost <= limit(word) {
			found = append(found, candidate{name, cost})
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return a.cost - b.cost })
	var names []string
	for _, c := range found[:min(len(found), 3)] {
		names = append(names, c.name)
	}
	return names
}

func nounNames() []string {
	names := make([]string, len(nouns))
	for i, n := range nouns {
		names[i] = n.one
	}
	return names
}

// limit is the greatest distance at which a suggestion still helps, in half edits.
func limit(word string) int {
	switch n := len(word); {
	case n <= 1:
		return 1
	case n <= 3:
		return 2
	case n <= 5:
		return 3
	}
	return 5
}

// distance is the edit distance in half edits: a wrong case costs a half, and so does a missing or added s or slash.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range b {
		row[j+1] = row[j] + gap(b[j])
	}
	for i := range a {
		diagonal := row[0]
		row[0] += gap(a[i])
		for j := range b {
			best := min(row[j+1]+gap(a[i]), row[j]+gap(b[j]), diagonal+swap(a[i], b[j]))
			diagonal, row[j+1] = row[j+1], best
		}
	}
	return row[len(b)]
}

func gap(c byte) int {
	if c == 's' || c == '/' {
		return 1
	}
	return 2
}

func swap(a, b byte) int {
	switch {
	case a == b:
		return 0
	case a|0x20 == b|0x20:
		return 1
	}
	return 3
}

// clip shortens hostile text before it is shown, at a rune.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n] + "…"
}
