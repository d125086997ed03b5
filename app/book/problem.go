package book

import (
	"cmp"
	"fmt"
	"slices"
)

// Problem is a fault in a chapter or in the bibliography: where it is, what it is, and what would be valid.
type Problem struct {
	File      string
	Line, Col int // 1-based; Col counts characters. Line 0 means the file as a whole.
	What      string
	Remedy    string
}

// String prints the problem as `file:line:col: what; remedy`.
func (p Problem) String() string {
	s := p.File
	if p.Line > 0 {
		s += fmt.Sprintf(":%d:%d", p.Line, max(p.Col, 1))
	}
	s += ": " + p.What
	if p.Remedy != "" {
		s += "; " + p.Remedy
	}
	return s
}

// Error makes a Problem an error.
func (p Problem) Error() string { return p.String() }

// sortProblems orders problems by place and drops repetitions, so that two runs report alike.
func sortProblems(ps []Problem) []Problem {
	slices.SortStableFunc(ps, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
	})
	return slices.Compact(ps)
}

// suggest returns a remedy naming the candidate closest to name, or fallback when none is close.
func suggest(name string, candidates []string, fallback string) string {
	best, bestAt := "", len(name)/3+2
	for _, c := range candidates {
		if d := distance(name, c); d < bestAt {
			best, bestAt = c, d
		}
	}
	if best == "" {
		return fallback
	}
	return "did you mean `" + best + "`?"
}

// distance is the Levenshtein distance of two short texts.
func distance(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return 64
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
