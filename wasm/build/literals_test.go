package build

import (
	"encoding/binary"
	"strings"
	"testing"
)

// Texts that only a later module names come with it; those that others name, that data lead to, or that lie in a longer
// one stay.
func TestTextsComeWithTheirReaders(t *testing.T) {
	const from, first, last = 8192, 30, 60
	memory := make([]byte, 16384)
	s := &splitter{in: []int{inFirst, inChapters, inPlanners}}
	named := map[int][]int{} // addresses, by module
	begin := map[int]int{}   // of the text of each length
	at := from
	for length := first; length < last; length++ {
		begin[length] = at
		copy(memory[at:], strings.Repeat(string(rune('A'+length%26)), length))
		named[inPlanners] = append(named[inPlanners], at)
		at += length
	}
	named[inPlanners] = append(named[inPlanners], at)
	named[inFirst] = []int{begin[45], at + 100}
	named[inChapters] = []int{begin[46], begin[50] + 20} // the second lies in a text
	binary.LittleEndian.PutUint64(memory[4096:], uint64(begin[47]))
	for k := range inReaders {
		body := []byte{0}
		for _, address := range named[k] {
			body = append(appendSigned(append(body, opI64Const), address), 0x1a)
		}
		s.bodies = append(s.bodies, append(body, opEnd))
	}
	var none [modules][]span
	apart := s.literals(memory, none)
	comes := map[int]int{}
	for k, all := range apart {
		for _, a := range all {
			for length, at := range begin {
				if at >= a.from && at < a.to {
					comes[length] = k
				}
				if at < a.from && at+length > a.from || at < a.to && at+length > a.to {
					t.Errorf("the text of %d bytes is cut", length)
				}
			}
		}
	}
	for length, want := range map[int]int{
		38: inPlanners, 40: inPlanners, 41: inPlanners, // with eight in order on either side
		45: inFirst, 46: inFirst, 47: inFirst, 50: inFirst, 49: inFirst, 51: inFirst, first: inFirst, last - 1: inFirst,
	} {
		if comes[length] != want {
			t.Errorf("the text of %d bytes comes with module %d, want %d", length, comes[length], want)
		}
	}
}
