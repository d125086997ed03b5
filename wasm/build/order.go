package build

import "encoding/binary"

// gzip finds again what stood at most 32 KB before, and Go's linker sorts functions by package. So in each module
// functions that have much in common lie near each other: behind those that were placed last comes the function of
// whose pieces the largest share is among theirs. Their numbers in the module change, their slots in the table stay.

const (
	pieceSize  = 8      // bytes of code that are compared as one piece
	piecesMany = 200    // what more functions than these share is found in any order
	reach      = 36_000 // how many bytes of the functions placed last are looked at
	piecesMore = 20     // added to the pieces of each function, so that the shortest ones don't all come first
)

// similar is an order of functions, by their bodies.
func similar(bodies [][]byte) []int {
	s := newSimilarity(bodies)
	order := make([]int, 0, len(bodies))
	placed := make([]bool, len(bodies))
	for near, size := 0, 0; len(order) < len(bodies); {
		i := s.next(placed)
		placed[i] = true
		order = append(order, i)
		s.change(i, 1)
		for size += len(bodies[i]); size > reach && near < len(order)-1; near++ {
			s.change(order[near], -1)
			size -= len(bodies[order[near]])
		}
	}
	return order
}

// similarity knows what functions have in common with those that were placed last.
type similarity struct {
	pieces [][]int // of each function, by number
	in     [][]int // the functions that have a piece
	near   []int   // how many of the functions placed last have it
	common []int   // how many of a function's pieces they have
}

func newSimilarity(bodies [][]byte) *similarity {
	s := &similarity{pieces: make([][]int, len(bodies)), common: make([]int, len(bodies))}
	numbers := map[uint64]int{}
	for i, body := range bodies {
		for at := 0; at+pieceSize <= len(body); at++ {
			piece := binary.LittleEndian.Uint64(body[at:])
			n, known := numbers[piece]
			if !known {
				n = len(s.in)
				numbers[piece] = n
				s.in = append(s.in, nil)
			}
			if has := s.in[n]; len(has) == 0 || has[len(has)-1] != i {
				s.in[n] = append(has, i)
			}
		}
	}
	for n, has := range s.in {
		if len(has) < 2 || len(has) > piecesMany {
			continue
		}
		for _, i := range has {
			s.pieces[i] = append(s.pieces[i], n)
		}
	}
	s.near = make([]int, len(s.in))
	return s
}

// next is the function that has most in common with those placed last; the first one if none has anything.
func (s *similarity) next(placed []bool) int {
	best, most := -1, 0.0
	for i, done := range placed {
		if done {
			continue
		}
		share := float64(s.common[i]) / float64(len(s.pieces[i])+piecesMore)
		if best < 0 || share > most {
			best, most = i, share
		}
	}
	return best
}

// change counts a function among those placed last (1), or no more (-1).
func (s *similarity) change(i, by int) {
	for _, n := range s.pieces[i] {
		before := s.near[n]
		s.near[n] += by
		if (before > 0) == (s.near[n] > 0) {
			continue
		}
		for _, j := range s.in[n] {
			s.common[j] += by
		}
	}
}
