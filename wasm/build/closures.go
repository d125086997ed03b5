package build

import (
	"bytes"
	"encoding/binary"
)

// The compiler describes the variables that a function value holds as a struct type, "struct { F uintptr; X0 int }".
// The collector reads its size and which words are pointers. Its fields, its name and its hash are for reflection and
// for interfaces, which never see such a type; so they go. Where the collector would compute from the fields which
// words are pointers, since the struct is large, they stay.

// Offsets in the description of a struct type (internal/abi: Type, StructType), and its size without the fields.
const (
	atHash, atTypeFlags, atKind   = 16, 20, 23
	atTypeName, atFields          = 40, 56
	structTypeSize, fieldSize     = 80, 24
	kindMask, kindStruct          = 31, 25
	flagExtraStar, flagMaskWanted = 1 << 1, 1 << 4
)

// closureName is how the names of such types begin, with the star that is there for the type's pointer.
const closureName = "*struct { F uintptr"

// stripClosures takes the fields, names and hashes of such types out of a program's memory.
func stripClosures(memory []byte, r release) []byte {
	t, ok := findPclntab(memory)
	if !ok || !r.known() {
		return memory
	}
	module, ok := t.moduleData(r)
	if !ok {
		return memory
	}
	types := int(binary.LittleEndian.Uint64(memory[module+8*r.types:]))
	last := int(binary.LittleEndian.Uint64(memory[module+8*r.typesEnd:]))
	if types <= 0 || last < types || last > len(memory) {
		return memory
	}
	out := bytes.Clone(memory)
	for at := types + -types&7; at+structTypeSize <= last; at += 8 {
		name, end, ok := closureType(memory[:last], types, at)
		if !ok {
			continue
		}
		clear(out[at+atHash : at+atTypeFlags])
		out[at+atTypeFlags] &^= flagExtraStar
		clear(out[at+atTypeName : at+atTypeName+8])
		clear(out[at+atFields : end])
		clear(out[name.from:name.to])
	}
	return out
}

// closureType is where the name of such a type lies and where its fields end, if it begins there.
func closureType(m []byte, types, at int) (name span, end int, ok bool) {
	long := func(at int) int { return int(binary.LittleEndian.Uint64(m[at:])) }
	if m[at+atKind]&kindMask != kindStruct || m[at+atTypeFlags]&(flagExtraStar|flagMaskWanted) != flagExtraStar {
		return name, 0, false
	}
	fields, count := long(at+atFields), long(at+atFields+8)
	end = at + structTypeSize + fieldSize*count
	if fields != at+structTypeSize || count <= 0 || count > 1000 || long(at+atFields+16) != count || end > len(m) {
		return name, 0, false
	}
	name.from = types + int(binary.LittleEndian.Uint32(m[at+atTypeName:]))
	if name.from+3 > len(m) {
		return name, 0, false
	}
	length, n := binary.Uvarint(m[name.from+1:])
	begin := name.from + 1 + n
	if n <= 0 || length > uint64(len(m)-begin) {
		return name, 0, false
	}
	name.to = begin + int(length)
	return name, end, bytes.HasPrefix(m[begin:name.to], []byte(closureName))
}
