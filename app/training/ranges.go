//go:build !lean

package training

import (
	_ "embed"
	"strconv"
	"strings"
)

//go:embed ranges.tsv
var rangeTable string // constant of a stack, the least and the most that physics allows it, why

// Range is what a constant of a stack can be if it is what its name says.
type Range struct {
	Low, High float64
	Why       string
}

// RangeOf is the range of a constant, by its name.
func RangeOf(name string) Range {
	for line := range strings.Lines(rangeTable) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(c) == 4 && c[0] == name {
			low, _ := strconv.ParseFloat(c[1], 64)
			high, _ := strconv.ParseFloat(c[2], 64)
			return Range{low, high, c[3]}
		}
	}
	return Range{}
}
