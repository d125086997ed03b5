package build

import (
	"bytes"
	"encoding/binary"
	"testing"
)

// What the collector reads of a function value's variables stays: their size, and which words are pointers. All else of
// the memory stays, too. TestStrippingChangesNothing runs such a program, with the collector.
func TestClosuresKeepWhatIsCollected(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a program")
	}
	b, program := stress(t)
	before := memory(t, program)
	after := stripClosures(before, b.release)
	var may []span // change
	count := 0
	for at := 0; ; at++ { // every such name, and who has it
		i := bytes.Index(before[at:], []byte(closureName))
		if i < 0 {
			break
		}
		at += i
		length, n := 0, 0
		for _, n = range []int{1, 2} { // a length of one byte or of two, after the byte of flags
			if l, m := binary.Uvarint(before[at-n:]); m == n && before[at-n-1]&^7 == 0 {
				length = int(l)
				break
			}
		}
		if length == 0 {
			continue // a text of ours
		}
		may = append(may, span{at - n - 1, at + length})
	}
	for at := 0; at+structTypeSize < len(before); at += 8 {
		if bytes.Equal(before[at:at+structTypeSize], after[at:at+structTypeSize]) || before[at+23]&31 != 25 ||
			binary.LittleEndian.Uint64(before[at+56:]) != uint64(at+80) {
			continue
		}
		count++
		for _, same := range []span{{0, 16}, {21, 40}, {48, 56}} { // size, pointers; alignment, kind, mask
			if !bytes.Equal(before[at+same.from:at+same.to], after[at+same.from:at+same.to]) {
				t.Errorf("of the type at %#x bytes %d to %d changed", at, same.from, same.to)
			}
		}
		fields := int(binary.LittleEndian.Uint64(before[at+64:]))
		may = append(may, span{at + 16, at + 21}, span{at + 40, at + 48}, span{at + 56, at + 80 + 24*fields})
	}
	if count < 10 {
		t.Errorf("only %d types lost their fields", count)
	}
	left := bytes.Clone(after)
	for _, s := range may {
		copy(left[s.from:s.to], before[s.from:s.to])
	}
	if !bytes.Equal(left, before) {
		t.Error("something else changed")
	}
	if again := stripClosures(after, b.release); !bytes.Equal(again, after) {
		t.Error("stripping twice changes something")
	}
}
