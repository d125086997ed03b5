package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/measured"
)

// leaveOut fits without the configurations that contain a text, and prints how far predictions of these lie off before
// and after: what the laws are worth for a model or a chip that they have not seen. Only rows of the fit take part.
func leaveOut(cases []measured.Case, text string, rounds int) {
	var seen, unseen []measured.Case
	for _, c := range fittedOnes(cases) {
		if strings.Contains(c.Family(), text) {
			unseen = append(unseen, c)
		} else {
			seen = append(seen, c)
		}
	}
	s := newSearch(seen)
	errorsOf("before", unseen, s)
	for range rounds {
		s.round()
	}
	errorsOf("after", unseen, s)
}

// errorsOf prints median and p90 of the errors on some rows, by regime and quantity.
func errorsOf(when string, cases []measured.Case, s *search) {
	off := map[string][]float64{}
	for i, errs := range measured.AllErrors(cases, s.get) {
		for q, x := range errs {
			name := cases[i].Regime() + ", " + q
			off[name] = append(off[name], x)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(off)) {
		xs := off[name]
		fmt.Printf("%s\t%s\t%d\t%.1f %%\t%.1f %%\n", when, name, len(xs), 100*measured.Quantile(xs, .5, measured.Percent),
			100*measured.Quantile(xs, .9, measured.Percent))
	}
}
