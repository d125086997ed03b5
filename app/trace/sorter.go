package trace

// moves is how many entries a step moves at the most.
const moves = 1 << 14

// sorter sorts a list step by step, and leaves entries that are equal in their order: it merges each two runs into one,
// until there is one run. It is a few lines beside a library's sort of each kind of entry, which readers would load.
type sorter[T any] struct {
	list, spare []T
	compare     func(a, b T) int
	width       int // of the runs; 0 before it begins
	at          int // how far this pass has come
	left, right int // the next entries of the two runs that are merged
}

func sorting[T any](list []T, compare func(a, b T) int) *sorter[T] {
	return &sorter[T]{list: list, compare: compare}
}

// step sorts on, and says whether there is more to do. What is in order already is left at once.
func (s *sorter[T]) step() (more bool) {
	switch n := len(s.list); {
	case s.width == 0 && s.sorted(), s.width >= n:
		s.spare = nil
		return false
	case s.width == 0:
		s.width, s.spare = 1, make([]T, n)
	default:
		s.merge()
	}
	return true
}

// sorted tells whether the list is in order.
func (s *sorter[T]) sorted() bool {
	for i := 1; i < len(s.list); i++ {
		if s.compare(s.list[i-1], s.list[i]) > 0 {
			return false
		}
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
