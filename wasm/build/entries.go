package build

import "encoding/binary"

// Entries of functions lie one behind another behind the ftab, which says where each begins. They are written anew:
// without the places for tables and data that the function hasn't got, and those of functions that go to another module
// behind the others.

// regular says whether the functions are numbered one after another and their entries lie as the linker writes them.
func (t *pclntab) regular() bool {
	first, at := t.word(t.entry(0)), t.entry(0)
	if at < t.entries+8*t.count {
		return false
	}
	for i := range t.count {
		if t.entry(i) != at || t.word(at) != first+i || t.word(t.entries+8*i) != first+i {
			return false
		}
		at = (at + t.size(at) + 7) &^ 7
	}
	return true
}

// size is how many bytes an entry has.
func (t *pclntab) size(at int) int { return funcSize + 4*t.word(at+atTables) + 4*int(t.m[at+atData]) }

// arrange writes the entries in an order, the first of them where the first one was, and returns where those of later
// modules lie. Behind those of the first module comes that of nobody. It isn't ok if they don't fit.
func (t *pclntab) arrange(order [modules][]int, nobody []byte) (later [modules]span, ok bool) {
	begin, end := t.entry(0), 0
	var all []byte
	offsets := make([]int, t.count)
	for k, functions := range order {
		if k == inChapters && len(order[inFirst]) < t.count {
			all = append(all, nobody...)
		}
		later[k].from = begin + len(all)
		for _, i := range functions {
			at := t.entry(i)
			end = max(end, at+t.size(at))
			offsets[i] = begin + len(all) - t.entries
			all = append(all, t.trimmed(at)...)
		}
		later[k].to = begin + len(all)
	}
	if len(all) > end-begin {
		return later, false
	}
	clear(t.m[begin+copy(t.m[begin:], all) : end])
	for i, offset := range offsets {
		t.put(t.entries+8*i+4, uint32(offset))
	}
	return later, true
}

// trimmed is an entry without the last places for tables and data that lead to nothing.
func (t *pclntab) trimmed(at int) []byte {
	tables, data := t.word(at+atTables), t.dataPlaces(at)
	stepsFrom := at + funcSize
	out := append([]byte{}, t.m[at:stepsFrom]...)
	for tables > 0 && t.word(stepsFrom+4*(tables-1)) == 0 {
		tables--
	}
	for len(data) > 0 && t.word(data[len(data)-1]) == noData {
		data = data[:len(data)-1]
	}
	out = append(out, t.m[stepsFrom:stepsFrom+4*tables]...)
	for _, place := range data {
		out = append(out, t.m[place:place+4]...)
	}
	binary.LittleEndian.PutUint32(out[atTables:], uint32(tables))
	out[atData] = byte(len(data))
	return out
}

// noFrame is a table of the frame's size: none, wherever the counter is.
const noFrame = "\x02\xff\xff\xff\xff\x0f\x00"

// placeholderFunc is the entry that those functions have in common that are in a module which isn't there yet. The
// garbage collector reads it for a goroutine that will begin in such a function: nothing of the function is on the
// stack.
func placeholderFunc(noFrame uint32) []byte {
	out := make([]byte, funcSize)
	binary.LittleEndian.PutUint32(out[atStack:], noFrame)
	return out
}
