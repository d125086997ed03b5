package build

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
)

// The linker describes every type that an interface may hold (internal/abi: Type). Two of its words are of no use in
// the browser and pack badly:
//
//   - The hash is random. Type switches compare it with a number in the code; where that number is in no code, only the
//     runtime's table of itabs reads it, to spread them. There a number that counts up does as well.
//   - The name of a type that has none in the source, "*map[string][]model.Size", is for reflection to print and to
//     find types by. A panic over such a type says less; names in the source stay, and whatever is said of them.
//
// Where reflection can look for types by their names, they stay, and with them the list of types that it looks through.

// sizeOfKind is the size of a type by its kind; 0 where it isn't the same for all.
var sizeOfKind = [...]int{
	1: 1, 2: 8, 3: 1, 4: 2, 5: 4, 6: 8, 7: 8, 8: 1, 9: 2, 10: 4, 11: 8, 12: 8, 13: 4, 14: 8, 15: 8, 16: 16, // numbers
	kindArray: 0, 18: 8, 19: 8, kindInterface: 16, 21: 8, kindPointer: 8, 23: 24, 24: 16, kindStruct: 0, 26: 8,
}

// Kinds, flags and offsets in the description of any type.
const (
	kindArray, kindInterface, kindPointer = 17, 20, 22
	flagNamed                             = 1 << 2
	atAlign, atFieldAlign, atEqual        = 21, 22, 24
	typeSize                              = 48
)

// itabSize and the others are the layout of an itab (internal/abi: ITab) without its functions.
const itabSize, atItabType, atItabHash = 24, 8, 16

// described is the description of a type.
type described struct {
	at    int
	named bool // in the source, or a pointer to such a type, or any
	name  span // what holds its name
}

// stripDescriptions takes out of descriptions of types what the browser has no use for.
func stripDescriptions(memory []byte, m module, r release) []byte {
	return stripTypes(stripMethods(stripClosures(memory, r), r), m, r)
}

// The description of a type lists all of its methods, those of embedded types too, so that an interface can be filled
// while the program runs. The linker leaves out the code of a method that nobody calls and writes -1 for its place, but
// keeps its entry and its name. Where no interface has a method of that name, nobody looks for the entry; so it goes,
// and its name with it if nothing else leads there. Reflection that calls methods by name makes the linker keep their
// code.

// Offsets in what describes methods (internal/abi: InterfaceType, UncommonType, Method, Imethod), and sizes.
const (
	kindSlice, kindString                = 23, 24
	flagUncommon                         = 1 << 0
	atInterface, interfaceMethodSize     = 56, 8
	atMethodCount, atExported, atMethods = 4, 6, 8
	uncommonSize, methodSize, atPlaces   = 16, 16, 8
	nameExported, nameHasPackage         = 1 << 0, 1 << 2
)

// uncommonAt is where the list of a type's methods is described, by the type's kind; 0 where we don't look for it.
func uncommonAt(kind int) int {
	switch {
	case kind == kindStruct:
		return structTypeSize
	case kind == kindPointer, kind == kindSlice:
		return typeSize + 8
	case kind < kindArray, kind == kindString:
		return typeSize
	}
	return 0
}

// methods are the descriptions of methods in a memory.
type methods struct {
	m      []byte
	area   span            // of all descriptions of types
	wanted map[string]bool // what methods of interfaces are called
	gone   map[int]span    // names of methods that went, by where they begin
}

// findModuleData finds the table of functions and where the module's data lies, in a program of a known release.
func findModuleData(memory []byte, r release) (t pclntab, at int, ok bool) {
	if t, ok = findPclntab(memory); !ok || !r.known() {
		return t, 0, false
	}
	at, ok = t.moduleData(r)
	return t, at, ok
}

// stripMethods takes methods that nobody can call out of descriptions of types.
func stripMethods(memory []byte, r release) []byte {
	t, at, ok := findModuleData(memory, r)
	if !ok {
		return memory
	}
	s := methods{bytes.Clone(memory), t.typeRange(at, r), map[string]bool{}, map[int]span{}}
	types := typesIn(memory, s.area)
	for _, d := range types {
		if s.m[d.at+atKind]&kindMask == kindInterface && !s.want(d.at+atInterface) {
			return memory
		}
	}
	for _, d := range types {
		u := d.at + uncommonAt(int(s.m[d.at+atKind]&kindMask))
		if u > d.at && s.m[d.at+atTypeFlags]&flagUncommon != 0 && u+uncommonSize <= s.area.to {
			s.strip(u)
		}
	}
	s.forgetNames()
	return s.m
}

// want notes the names of an interface's methods, the list of which is described at that place.
func (s *methods) want(at int) bool {
	list, count := binary.LittleEndian.Uint64(s.m[at:]), binary.LittleEndian.Uint64(s.m[at+8:])
	for i := range count {
		entry := list + i*interfaceMethodSize
		if entry < slots || entry >= uint64(len(s.m)-interfaceMethodSize) {
			return false
		}
		_, name := s.name(binary.LittleEndian.Uint32(s.m[entry:]))
		s.wanted[name] = true
	}
	return true
}

// name is the name of a method, and where it lies.
func (s *methods) name(offset uint32) (place span, text string) {
	at := s.area.from + int(offset)
	if offset == 0 || at+3 > s.area.to {
		return span{}, ""
	}
	length, n := binary.Uvarint(s.m[at+1 : s.area.to])
	begin := at + 1 + n
	if n <= 0 || length == 0 || length > uint64(s.area.to-begin) {
		return span{}, ""
	}
	place = span{at, begin + int(length)}
	text = string(s.m[begin:place.to])
	if s.m[at]&nameHasPackage != 0 {
		place.to += 4
	}
	return place, text
}

// strip takes out of the list that is described at a place the methods without code that no interface asks for.
func (s *methods) strip(at int) {
	count := int(binary.LittleEndian.Uint16(s.m[at+atMethodCount:]))
	list := at + int(binary.LittleEndian.Uint32(s.m[at+atMethods:]))
	if end := list + count*methodSize; count == 0 || list < at+uncommonSize || end > s.area.to {
		return
	}
	kept, exported := 0, 0
	var gone []span
	for i := range count {
		entry := s.m[list+i*methodSize:][:methodSize]
		place, name := s.name(binary.LittleEndian.Uint32(entry))
		if name == "" {
			return // no list of methods
		}
		if !s.wanted[name] && binary.LittleEndian.Uint64(entry[atPlaces:]) == 1<<64-1 {
			gone = append(gone, place)
			continue
		}
		if s.m[place.from]&nameExported != 0 {
			exported++
		}
		copy(s.m[list+kept*methodSize:], entry)
		kept++
	}
	// Their number stays: from it the runtime of Go 1.27 tells where the next description begins (DescriptorSize). An
	// entry of zeros has no name and no type, so that it fills no interface.
	clear(s.m[list+kept*methodSize : list+count*methodSize])
	binary.LittleEndian.PutUint16(s.m[at+atExported:], uint16(exported))
	for _, name := range gone {
		s.gone[name.from] = name
	}
}

// forgetNames takes out the names of methods that went, but for those to which a word of the memory may lead.
func (s *methods) forgetNames() {
	for at := (s.area.from + 3) &^ 3; at+4 <= s.area.to; at += 4 {
		delete(s.gone, s.area.from+int(binary.LittleEndian.Uint32(s.m[at:])))
	}
	for at := 0; at+8 <= len(s.m); at += 8 {
		if to := binary.LittleEndian.Uint64(s.m[at:]); to < uint64(len(s.m)) {
			delete(s.gone, int(to))
		}
	}
	for _, name := range s.gone {
		clear(s.m[name.from:name.to])
	}
}

// stripTypes takes hashes and names out of the descriptions of types.
func stripTypes(memory []byte, m module, r release) []byte {
	t, at, ok := findModuleData(memory, r)
	if !ok {
		return memory
	}
	out := bytes.Clone(memory)
	types := typesIn(memory, t.typeRange(at, r))
	spreadHashes(out, types, m)
	if !slices.ContainsFunc(m.names, func(name string) bool {
		return strings.HasPrefix(name,
			"reflect.typesByString")
	}) {
		forgetNames(out, types)
		forgetLinks(out, types, at+8*(r.gofunc+1), t.typeRange(at, r).from)
	}
	return out
}

// typeRange is where the descriptions lie.
func (t *pclntab) typeRange(module int, r release) span {
	long := func(word int) int { return int(binary.LittleEndian.Uint64(t.m[module+8*word:])) }
	return span{long(r.types), long(r.typesEnd)}
}

// typesIn finds the descriptions of types in a part of the memory.
func typesIn(memory []byte, area span) (all []described) {
	if area.from <= 0 || area.to < area.from || area.to > len(memory) {
		return nil
	}
	for at := (area.from + 7) &^ 7; at+typeSize <= area.to; at += 8 {
		if d, ok := describedAt(memory, area, at); ok {
			all = append(all, d)
		}
	}
	return all
}

// describedAt reads the description of a type, if one lies there: all of its words must be what they can be.
func describedAt(m []byte, area span, at int) (d described, ok bool) {
	long := func(at int) int { return int(binary.LittleEndian.Uint64(m[at:])) }
	inside := func(address int) bool { return address == 0 || address >= slots && address < most }
	kind, flags, align := int(m[at+atKind]&kindMask), m[at+atTypeFlags], m[at+atAlign]
	size, pointers := long(at), long(at+8)
	d = described{at: at, named: flags&flagNamed != 0}
	switch {
	case kind == 0 || kind >= len(sizeOfKind) || sizeOfKind[kind] != 0 && size != sizeOfKind[kind],
		align == 0 || align > 8 || align&(align-1) != 0 || m[at+atFieldAlign] != align,
		size < 0 || pointers < 0 || pointers > size || size > most,
		!inside(long(at+atEqual)) || !inside(long(at+atEqual+8)),
		binary.LittleEndian.Uint32(m[at+atHash:]) == 0:
		return d, false
	}
	text, place, ok := nameAt(m, area, area.from+int(binary.LittleEndian.Uint32(m[at+atTypeName:])))
	if !ok {
		return d, false
	}
	d.name = place
	if flags&flagExtraStar != 0 {
		if text, ok = strings.CutPrefix(text, "*"); !ok {
			return d, false
		}
	}
	if kind == kindPointer && !d.named {
		if at+typeSize+8 > area.to {
			return d, false
		}
		to := long(at + typeSize)
		text, ok = strings.CutPrefix(text, "*")
		if !ok || to <= area.from || to+typeSize > area.to || m[to+atKind]&kindMask == 0 {
			return d, false
		}
		d.named = m[to+atTypeFlags]&flagNamed != 0
	}
	ok = d.named != isComposed(text)
	d.named = d.named || strings.TrimLeft(text, "*") == anything
	return d, ok
}

// anything is what panics call the interface without methods; they say it often.
const anything = "interface {}"

// isComposed says whether a type's name is put together of others.
func isComposed(name string) bool {
	return slices.ContainsFunc(composed, func(begin string) bool { return strings.HasPrefix(name, begin) })
}

var composed = []string{"*", "[", "map[", "func(", "struct {", "interface {", "chan ", "<-chan "}

// nameAt reads a name without a tag or a package: a byte of flags, a length and the letters.
func nameAt(m []byte, area span, at int) (text string, place span, ok bool) {
	if at <= area.from || at+3 > area.to || m[at]&^1 != 0 {
		return "", place, false
	}
	length, n := binary.Uvarint(m[at+1 : area.to])
	begin := at + 1 + n
	if n <= 0 || length == 0 || length > uint64(area.to-begin) {
		return "", place, false
	}
	place = span{at, begin + int(length)}
	text = string(m[begin:place.to])
	return text, place, !strings.ContainsFunc(text, func(c rune) bool { return c < ' ' || c == 0xfffd })
}

// spreadHashes gives types whose hash is in no code another one: the concrete types of itabs a number that counts up,
// the others none.
func spreadHashes(memory []byte, types []described, m module) {
	compared := map[uint32]bool{}
	for _, body := range m.bodies {
		for _, c := range code(body) {
			if c.op == opI32Const || c.op == opI64Const {
				compared[uint32(c.number)] = true
			}
		}
	}
	old := map[int]uint32{}
	for _, d := range types {
		if h := binary.LittleEndian.Uint32(memory[d.at+atHash:]); !compared[h] {
			old[d.at] = h
			binary.LittleEndian.PutUint32(memory[d.at+atHash:], 0)
		}
	}
	count := uint32(0)
	for at := 0; at+itabSize <= len(memory); at += 8 {
		of := binary.LittleEndian.Uint64(memory[at+atItabType:])
		if of >= uint64(len(memory)) {
			continue
		}
		h := old[int(of)]
		if h == 0 || binary.LittleEndian.Uint64(memory[at+atItabHash:]) != uint64(h) {
			continue
		}
		if now := memory[of+atHash : of+atHash+4]; binary.LittleEndian.Uint32(now) == 0 {
			count++
			binary.LittleEndian.PutUint32(now, count)
		}
		copy(memory[at+atItabHash:], memory[of+atHash:of+atHash+4])
	}
}

// forgetNames takes out the names of types that have none in the source.
func forgetNames(memory []byte, types []described) {
	for _, d := range types {
		if d.named {
			continue
		}
		clear(memory[d.name.from:d.name.to])
		clear(memory[d.at+atTypeName : d.at+atTypeName+4])
		memory[d.at+atTypeFlags] &^= flagExtraStar
	}
}

// forgetLinks takes out the list of types that reflection looks through, if one of the next words of the module's
// description leads to it.
func forgetLinks(memory []byte, types []described, from, base int) {
	known := map[int]bool{}
	for _, d := range types {
		known[d.at] = true
	}
	const words = 12
	for at := from; at+24 <= len(memory) && at < from+8*words; at += 8 {
		list, count := int(binary.LittleEndian.Uint64(memory[at:])), int(binary.LittleEndian.Uint64(memory[at+8:]))
		if list <= 0 || list > len(memory) || count < 4 || count > (len(memory)-list)/4 {
			continue
		}
		isType := 0
		for i := range count {
			if known[base+int(binary.LittleEndian.Uint32(memory[list+4*i:]))] {
				isType++
			}
		}
		if isType == count {
			clear(memory[list : list+4*count])
			clear(memory[at : at+24])
			return
		}
	}
}

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
	_, module, ok := findModuleData(memory, r)
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
