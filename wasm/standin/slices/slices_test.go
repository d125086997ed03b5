package slices

import (
	"math"
	"math/rand/v2"
	whole "slices"
	"testing"
)

// Whatever is sorted comes out as package slices sorts it.
func TestSortsLikeTheRealOne(t *testing.T) {
	type pair struct{ key, place int }
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 300 {
		pairs, numbers := make([]pair, n), make([]float64, n)
		for i := range n {
			pairs[i] = pair{random.IntN(1 + n/3), i}
			numbers[i] = []float64{random.NormFloat64(), 0, math.Inf(1), math.NaN()}[random.IntN(4)]
		}
		byKey := func(a, b pair) int { return a.key - b.key }
		wantPairs, wantNumbers := whole.Clone(pairs), whole.Clone(numbers)
		whole.SortStableFunc(wantPairs, byKey)
		whole.Sort(wantNumbers)
		stableCmpFunc(pairs, n, byKey)
		pdqsortOrdered(numbers, 0, n, 0)
		same := func(a, b float64) bool { return a == b || a != a && b != b }
		if !whole.Equal(pairs, wantPairs) || !whole.EqualFunc(numbers, wantNumbers, same) {
			t.Fatalf("%d elements: %v, %v; want %v, %v", n, pairs, numbers, wantPairs, wantNumbers)
		}
	}
}
