package build

import (
	"bytes"
	"encoding/binary"
)

// The data of functions (FUNCDATA in internal/abi/symtab.go) lie in one place behind the pclntab, and each entry of the
// table says where its own begin. Their sizes follow from their kinds. What only traces read of them goes, and so does
// what no function leads to any more: half of it.

// Kinds of data that stay, by number.
const (
	dataArguments  = 0 // a map of pointers (struct stackmap)
	dataLocals     = 1 // another one
	dataObjects    = 2 // variables on the stack that have addresses (struct stackObjectRecord)
	dataDeferred   = 4 // where deferred calls are noted: two numbers
	dataWrapper    = 7 // what a wrapper wraps: one word
	stackmapHeader = 8
	objectsHeader  = 8
	objectSize     = 16
)

// dataRange is where the data of functions lie: between the pclntab and findfunctab.
func (t *pclntab) dataRange(r release) (room span, ok bool) {
	module, ok := t.moduleData(r)
	if !ok {
		return span{}, false
	}
	long := func(at int) int { return int(binary.LittleEndian.Uint64(t.m[at:])) }
	return span{long(module + 8*r.gofunc), long(module + 8*r.findfunctab)}, true
}

// moduleData is where the module's description lies, which begins with where two parts of the table do.
func (t *pclntab) moduleData(r release) (at int, ok bool) {
	long := func(at int) int { return int(binary.LittleEndian.Uint64(t.m[at:])) }
	want := binary.LittleEndian.AppendUint64(nil, uint64(t.header))
	want = binary.LittleEndian.AppendUint64(want, uint64(t.names))
	for ; ; at++ {
		i := bytes.Index(t.m[at:], want)
		if i < 0 || len(t.m)-at-i < 8*(r.gofunc+1) {
			return 0, false
		}
		at += i
		functions, lookup := long(at+8*r.gofunc), long(at+8*r.findfunctab)
		if t.entries < functions && functions < lookup && lookup <= len(t.m) {
			return at, true
		}
	}
}

// functionData are the data that stay, by the place in an entry that leads to them, and where they lie; none where they
// aren't what is known.
func (t *pclntab) functionData(r release) (data map[int]string, room span) {
	room, ok := t.dataRange(r)
	if !ok {
		return nil, span{}
	}
	data = map[int]string{}
	for i := range t.count {
		for kind, place := range t.dataPlaces(t.entry(i)) {
			offset := t.word(place)
			if offset == noData || idle(kind) {
				continue
			}
			if offset > room.to-room.from {
				return nil, span{}
			}
			rest := t.m[room.from+offset : room.to]
			size := sizeOfData(kind, rest)
			if size < 0 || size > len(rest) {
				return nil, span{}
			}
			data[place] = string(rest[:size])
		}
	}
	return data, room
}

// noData is where an entry leads if the function has no data of a kind.
const noData = 1<<32 - 1

// sizeOfData is how many bytes the data of a kind have that begin here; -1 where they can't be read.
func sizeOfData(kind int, b []byte) int {
	switch {
	case kind == dataDeferred:
		r := &reader{b: b}
		r.unsigned()
		r.unsigned()
		if r.bad {
			return -1
		}
		return r.at
	case kind == dataWrapper:
		return 4
	case len(b) < stackmapHeader:
		return -1
	case kind == dataObjects:
		return objectsHeader + objectSize*int(binary.LittleEndian.Uint32(b))
	case kind == dataArguments, kind == dataLocals:
		maps, bits := int(binary.LittleEndian.Uint32(b)), int(binary.LittleEndian.Uint32(b[4:]))
		return stackmapHeader + maps*((bits+7)/8)
	default:
		return -1
	}
}
