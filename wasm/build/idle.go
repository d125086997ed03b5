package build

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// The data of functions, from what their arguments are called to what was inlined, lies in one stretch of memory, where
// entries of the table lead. What only idle entries lead to (idleData) goes.

// Words of the module's description (moduledata in runtime/symtab.go): where the second table begins, which follows on the
// data, and where the data begins.
const (
	wordBuckets = 19
	wordData    = 40
)

// clearIdle clears the data that only traces need. A piece of data ends where the next one begins.
func (t *table) clearIdle() {
	begin, end, ok := t.dataRange()
	if !ok {
		return
	}
	idle := map[int]bool{} // by offset, whether only idle entries lead there
	for i := range t.count {
		at := t.entry(i)
		for j := range int(t.m[at+atData]) {
			offset := t.word(at + funcSize + 4*t.word(at+atTables) + 4*j)
			if offset == int(^uint32(0)) {
				continue
			}
			if offset >= end-begin {
				return
			}
			known, there := idle[offset]
			idle[offset] = slices.Contains(idleData[:], j) && (known || !there)
		}
	}
	offsets := make([]int, 0, len(idle)+1)
	for offset := range idle {
		offsets = append(offsets, offset)
	}
	slices.Sort(offsets)
	offsets = append(offsets, end-begin)
	for i, offset := range offsets[:len(offsets)-1] {
		if idle[offset] {
			clear(t.m[begin+offset : begin+offsets[i+1]])
		}
	}
}

// dataRange is where the data of functions lies: between the table and the second one.
func (t *table) dataRange() (begin, end int, ok bool) {
	header := bytes.LastIndex(t.m[:t.names], tableMagic[:])
	if header < 0 {
		return 0, 0, false
	}
	want := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, uint64(header)), uint64(t.names))
	for at := 0; ; at++ {
		i := bytes.Index(t.m[at:], want)
		if i < 0 || len(t.m)-at-i < 8*(wordData+1) {
			return 0, 0, false
		}
		at += i
		begin, end = t.long(at+8*wordData), t.long(at+8*wordBuckets)
		if t.entries < begin && begin < end && end <= len(t.m) {
			return begin, end, true
		}
	}
}

// long is a word of 64 bits; -1 if it isn't in reach.
func (t *table) long(at int) int {
	if n := binary.LittleEndian.Uint64(t.m[at:]); n <= uint64(len(t.m)) {
		return int(n)
	}
	return -1
}
