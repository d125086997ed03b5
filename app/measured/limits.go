package measured

import (
	_ "embed"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"
)

//go:embed limits.tsv
var limitTable string

// limit is what a value of a set-up can be.
type limit struct {
	name        string
	least, most float64
	whole       bool
}

var limits = sync.OnceValue(func() (all []limit) {
	for line := range strings.Lines(limitTable) {
		c := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if len(c) < 4 || strings.HasPrefix(line, "#") {
			continue
		}
		least, _ := strconv.ParseFloat(c[1], 64)
		most, _ := strconv.ParseFloat(c[2], 64)
		all = append(all, limit{c[0], least, most, c[3] == "whole"})
	}
	return all
})

// impossible says which value of a set-up can't be, and what can. A value that another one makes needless is checked,
// too: whoever wrote it meant something else.
func (s Setup) impossible() error {
	for _, l := range limits() {
		value, found := s[l.name]
		if text, is := value.(string); !found || value == nil || is && silent(text) {
			continue
		}
		x, err := s.Number(0, l.name)
		if err != nil {
			return err
		}
		if l.whole && math.Abs(x-math.Round(x)) > 1e-9*x ||
			!(x >= l.least && x <= l.most) {
			return fmt.Errorf("%s is %v; write a %snumber from %v to %v", l.name, value, pick(l.whole, "whole ", ""),
				l.least, l.most)
		}
	}
	return nil
}
