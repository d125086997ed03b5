package build

import (
	"bytes"
	"encoding/binary"
)

// The linker's pclntab (runtime/symtab.go) describes every function of a program. A part of it the program can't run
// without: where a function's variables lie in its frame, and which of them are pointers (pcsp, PCDATA_StackMapIndex,
// the funcdata of stack maps). The larger part only serves to print traces of the stack: funcnametab, cutab and
// filetab, pcfile and pcln, the tables of what was inlined. Nobody reads traces in a reader's browser, and they are a
// seventh of the download; so they go. A calculator that breaks still says why: that text isn't in the table.
//
// The layout is that of the releases of Go that releases.go names. With any other release, and where the table isn't
// found, the table stays whole.

// pclntabMagic begins the table of a WebAssembly program: its format, an instruction's smallest size, a pointer's size.
var pclntabMagic = [...]byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8}

// Offsets in the header of the table (pcHeader), in an entry for a function (struct _func), and sizes.
const (
	atCount, atParts        = 8, 32
	headerSize, funcSize    = 72, 44
	atName, atStack, atFile = 4, 16, 20
	atLine, atTables        = 24, 28
	atUnit, atStart, atData = 32, 36, 43
)

// idleTables are those of a function's PCDATA, by number, that only traces, debuggers and preemption by signals read:
// PCDATA_UnsafePoint, InlTreeIndex and ArgLiveIndex. idleData are such FUNCDATA: InlTree, ArgInfo and ArgLiveInfo.
// (Whether a function may recover from a panic also depends on what was inlined, but where anything is, nothing
// recovers: see flags.)
var (
	idleTables = [...]int{0, 2, 3}
	idleData   = [...]int{3, 5, 6}
)

// pclntab is the linker's table in the memory of a program.
type pclntab struct {
	m                                 []byte
	header                            int // where the table begins
	count                             int // functions
	names, units, files, pcs, entries int // where the parts begin; each ends where the next begins
}

// findPclntab finds the one place that looks like the table in all ways.
func findPclntab(m []byte) (pclntab, bool) {
	for at := 0; ; at++ {
		i := bytes.Index(m[at:], pclntabMagic[:])
		if i < 0 {
			return pclntab{}, false
		}
		at += i
		if t, ok := readPclntab(m, at); ok {
			return t, true
		}
	}
}

func readPclntab(m []byte, at int) (pclntab, bool) {
	if len(m)-at < headerSize {
		return pclntab{}, false
	}
	room := uint64(len(m) - at)
	t := pclntab{m: m, header: at, count: int(min(room, binary.LittleEndian.Uint64(m[at+atCount:])))}
	last := uint64(headerSize)
	for i, part := range []*int{&t.names, &t.units, &t.files, &t.pcs, &t.entries} {
		offset := binary.LittleEndian.Uint64(m[at+atParts+8*i:])
		if offset < last || offset > room {
			return pclntab{}, false
		}
		last, *part = offset, at+int(offset)
	}
	if t.count == 0 || len(m)-t.entries < 8*t.count {
		return pclntab{}, false
	}
	for i := range t.count {
		if !t.valid(t.entry(i)) {
			return pclntab{}, false
		}
	}
	return t, true
}

func (t *pclntab) word(at int) int       { return int(binary.LittleEndian.Uint32(t.m[at:])) }
func (t *pclntab) put(at int, to uint32) { binary.LittleEndian.PutUint32(t.m[at:], to) }

// entry is where the entry of function i is.
func (t *pclntab) entry(i int) int { return t.entries + t.word(t.entries+8*i+4) }

// valid says whether an entry lies in the memory and points into the table.
func (t *pclntab) valid(at int) bool {
	if at < t.entries || at > len(t.m)-funcSize || t.word(at+atTables) > 8 {
		return false
	}
	if at+funcSize+4*t.word(at+atTables)+4*int(t.m[at+atData]) > len(t.m) || t.word(at+atName) >= t.units-t.names {
		return false
	}
	for _, p := range t.tables(at) {
		if t.word(p) != 0 && len(t.steps(t.word(p))) == 0 {
			return false
		}
	}
	return true
}

// tables are the places in an entry that lead to tables of the program's counter: of the frame's size, and the others.
func (t *pclntab) tables(at int) []int {
	places := []int{at + atStack}
	for i := range t.word(at + atTables) {
		places = append(places, at+funcSize+4*i)
	}
	return places
}

// dataPlaces are the places in an entry that lead to the function's data, by kind.
func (t *pclntab) dataPlaces(at int) []int {
	var places []int
	for i := range int(t.m[at+atData]) {
		places = append(places, at+funcSize+4*t.word(at+atTables)+4*i)
	}
	return places
}

// steps is the table that begins at an offset: pairs of numbers up to a pair that begins with zero.
func (t *pclntab) steps(offset int) []byte {
	if offset == 0 || offset >= t.entries-t.pcs {
		return nil
	}
	r := &reader{b: t.m[t.pcs+offset : t.entries]}
	for first := true; !r.bad; first = false {
		if r.unsigned() == 0 && !first {
			return r.b[:r.at]
		}
		r.unsigned()
	}
	return nil
}

// name is the name of a function.
func (t *pclntab) name(at int) string {
	name, _, _ := bytes.Cut(t.m[t.names+t.word(at+atName):t.units], []byte{0})
	return string(name)
}
