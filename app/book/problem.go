package book

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/spell"
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

// suggest returns a remedy naming the candidate that name was probably meant to be, or fallback when none is near.
func suggest(name string, candidates []string, fallback string) string {
	if near := spell.Meant(name, candidates); near != "" {
		return phrase.Phrases{}.Say("sheet.did-you-mean", "name", near)
	}
	return fallback
}
