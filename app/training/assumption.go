package training

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Assumption is something that a price takes for granted.
type Assumption struct {
	Number int
	Parts  []string // of time and memory that it touches, by their names
	Text   string
}

//go:embed assumptions.tsv
var assumptionTable string // number, parts, text

var assumptions = sync.OnceValue(func() []Assumption {
	var all []Assumption
	for line := range strings.Lines(assumptionTable) {
		cells := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if n, err := strconv.Atoi(cells[0]); err == nil && len(cells) == 3 {
			all = append(all, Assumption{n, strings.Split(cells[1], ", "), cells[2]})
		}
	}
	return all
})

// Assumptions are all of them, by number.
func Assumptions() []Assumption { return assumptions() }

// AssumptionsOf are those that touch a part.
func AssumptionsOf(part string) []Assumption {
	var some []Assumption
	for _, a := range assumptions() {
		if slices.Contains(a.Parts, part) {
			some = append(some, a)
		}
	}
	return some
}
