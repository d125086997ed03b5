package trace

import "slices"

// What a step does at the most.
const (
	block = 1 << 12 // entries that are sorted at once
	moves = 1 << 14 // entries that are moved
)

// sorter sorts a list step by step, and leaves entries that are equal in their order: first block by block, then by
// merging each two runs into one, until there is one run.
type sorter[T any] struct {
	list, spare []T
	compare     func(a, b T) int
	width       int // of the runs; 0 while blocks are sorted
	at          int // how far this pass has come
	left, right int // the next entries of the two runs that are merged
}

func sorting[T any](list []T, compare func(a, b T) int) *sorter[T] {
	return &sorter[T]{list: list, compare: compare}
}

// step sorts on, and says whether there is more to do. What is in order already is left at once.
func (s *sorter[T]) step() (more bool) {
	switch n := len(s.list); {
	case s.width == 0 && s.at == 0 && slices.IsSortedFunc(s.list, s.compare):
		return false
	case s.width == 0:
		end := min(s.at+block, n)
		slices.SortStableFunc(s.list[s.at:end], s.compare)
		if s.at = end; end == n {
			s.width, s.at, s.spare = block, 0, make([]T, n)
		}
	case s.width >= n:
		s.spare = nil
		return false
	default:
		s.merge()
	}
	return true
}

// merge moves entries in order from the two runs around here to the spare list, which is the list of the next pass.
func (s *sorter[T]) merge() {
	n := len(s.list)
	for range moves {
		if s.at == n {
			s.list, s.spare = s.spare, s.list
			s.width, s.at = 2*s.width, 0
			return
		}
		begin := s.at - s.at%(2*s.width)
		middle, end := min(begin+s.width, n), min(begin+2*s.width, n)
		if s.at == begin {
			s.left, s.right = begin, middle
		}
		if s.right == end || s.left < middle && s.compare(s.list[s.left], s.list[s.right]) <= 0 {
			s.spare[s.at] = s.list[s.left]
			s.left++
		} else {
			s.spare[s.at] = s.list[s.right]
			s.right++
		}
		s.at++
	}
}
