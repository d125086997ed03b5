package build

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
)

// Functions of twenty kinds, each kind with code of its own, come in turns, so that those of a kind lie farther apart
// than gzip sees. Sorted, each stands once and packs better.
func TestSimilarFunctionsLieTogether(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	random := func(n int) []byte {
		out := make([]byte, n)
		for i := range out {
			out[i] = byte(r.Uint32())
		}
		return out
	}
	const kinds, each = 20, 4
	var own [kinds][]byte
	for k := range own {
		own[k] = random(3000)
	}
	var bodies [][]byte
	for range each {
		for k := range own {
			bodies = append(bodies, slices.Concat(random(50), own[k], random(50)))
		}
	}
	order := similar(bodies)
	var sorted [][]byte
	jumps := 0
	for n, i := range order {
		sorted = append(sorted, bodies[i])
		if n > 0 && i%kinds != order[n-1]%kinds {
			jumps++
		}
	}
	for i, n := range slices.Sorted(slices.Values(order)) {
		if i != n || len(order) != len(bodies) {
			t.Fatalf("not each function once: %v", order)
		}
	}
	if jumps != kinds-1 {
		t.Errorf("functions of another kind follow %d times, not %d: %v", jumps, kinds-1, order)
	}
	before, after := zipped(bytes.Join(bodies, nil)), zipped(bytes.Join(sorted, nil))
	if after > before/3 {
		t.Errorf("%d bytes packed, %d before", after, before)
	}
	if again := similar(bodies); !slices.Equal(order, again) {
		t.Error("another order the second time")
	}
}

func TestSimilarOfFew(t *testing.T) {
	for _, bodies := range [][][]byte{nil, {{0, opEnd}}, {nil, []byte("abc"), nil}} {
		if order := similar(bodies); len(order) != len(bodies) {
			t.Errorf("%q: %v", bodies, order)
		}
	}
}
