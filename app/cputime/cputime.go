// Package cputime measures how long a piece of work takes, for tests that hold work to a time: what other programs do
// meanwhile on the same machine doesn't count. Only tests import it.
package cputime

import (
	"slices"
	"strconv"
	"time"
)

// Of is how long do takes: the time that this process computes in all of its threads, or the time of the day that
// passes where that is less, since several threads compute at once.
func Of(do func()) time.Duration {
	began, day := used(), time.Now()
	do()
	return min(used()-began, time.Since(day))
}

// Within reports whether do takes at most limit, and how long it takes: the fastest of a few runs, since a machine may
// stop for a moment. The limit is of a machine that does the work of reference in the time usual; where that takes
// longer, as in WebAssembly or on a slower or busier machine, do may take as many times longer.
func Within(limit time.Duration, do func()) (took time.Duration, ok bool) {
	const runs = 4
	took = Of(do)
	for i := 1; i < runs && took > limit; i++ {
		slow := max(1, float64(Of(reference))/float64(usual))
		if took <= time.Duration(slow*float64(limit)) {
			return took, true
		}
		took = min(took, Of(do))
	}
	return took, took <= limit
}

// usual is what reference takes on one processor of a server of 2023.
const usual = 30 * time.Millisecond

// reference is work of the kind that is measured: texts are made, sorted, and looked up.
func reference() {
	const n = 40_000
	words, at := make([]string, n), map[string]int{}
	for i := range words {
		words[i] = strconv.Itoa(i * 7919 % 65537)
		at[words[i]] = i
	}
	slices.Sort(words)
	for i, w := range words {
		at[w] -= i
	}
}
