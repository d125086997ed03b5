package build

import (
	"bytes"
	"encoding/binary"
	"strings"
)

// Go's linker writes a table about every function of a program. A part of it the program can't run without: where a
// function's variables lie in its frame, and which of them are pointers. The larger part only serves to print traces of
// the stack: names, files, lines, arguments, what was inlined. Nobody reads traces in a reader's browser, and they are an
// eighth of the download; so they go. A calculator that breaks still says why: that text isn't in the table.
//
// The layout is that of runtime/symtab.go and runtime/runtime2.go in the releases of Go named by tableRelease. With any
// other release, and where the table isn't found, the program stays whole.

// tableRelease begins the versions of Go whose table is known.
const tableRelease = "go1.26"

// tableMagic begins the table of a WebAssembly program: its format, an instruction's smallest size, a pointer's size.
var tableMagic = [...]byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8}

// Offsets in the header of the table, in an entry for a function (struct _func), and sizes.
const (
	atCount, atParts        = 8, 32
	headerSize, funcSize    = 72, 44
	atName, atStack, atFile = 4, 16, 20
	atLine, atTables        = 24, 28
	atUnit, atStart, atData = 32, 36, 43
)

// What a function has tables and data for, by number, where only traces, debuggers and preemption by signals read it:
// PCDATA_UnsafePoint, InlTreeIndex and ArgLiveIndex; FUNCDATA_InlTree, ArgInfo and ArgLiveInfo. (Whether a function may
// recover from a panic also depends on what was inlined, but where anything is, nothing recovers: see flags.)
var (
	idleTables = [...]int{0, 2, 3}
	idleData   = [...]int{3, 5, 6}
)

// table is the linker's table in the memory of a program.
type table struct {
	m                                 []byte
	count                             int // functions
	names, units, files, pcs, entries int // where the parts begin; each ends where the next begins
}

// findTable finds the one place that looks like the table in all ways.
func findTable(m []byte) (table, bool) {
	for at := 0; ; at++ {
		i := bytes.Index(m[at:], tableMagic[:])
		if i < 0 {
			return table{}, false
		}
		at += i
		if t, ok := readTable(m, at); ok {
			return t, true
		}
	}
}

func readTable(m []byte, at int) (table, bool) {
	if len(m)-at < headerSize {
		return table{}, false
	}
	room := uint64(len(m) - at)
	t := table{m: m, count: int(min(room, binary.LittleEndian.Uint64(m[at+atCount:])))}
	last := uint64(headerSize)
	for i, part := range []*int{&t.names, &t.units, &t.files, &t.pcs, &t.entries} {
		offset := binary.LittleEndian.Uint64(m[at+atParts+8*i:])
		if offset < last || offset > room {
			return table{}, false
		}
		last, *part = offset, at+int(offset)
	}
	if t.count == 0 || len(m)-t.entries < 8*t.count {
		return table{}, false
	}
	for i := range t.count {
		if !t.valid(t.entry(i)) {
			return table{}, false
		}
	}
	return t, true
}

func (t *table) word(at int) int       { return int(binary.LittleEndian.Uint32(t.m[at:])) }
func (t *table) put(at int, to uint32) { binary.LittleEndian.PutUint32(t.m[at:], to) }

// entry is where the entry of function i is.
func (t *table) entry(i int) int { return t.entries + t.word(t.entries+8*i+4) }

// valid says whether an entry lies in the memory and points into the table.
func (t *table) valid(at int) bool {
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
func (t *table) tables(at int) []int {
	places := []int{at + atStack}
	for i := range t.word(at + atTables) {
		places = append(places, at+funcSize+4*i)
	}
	return places
}

// steps is the table that begins at an offset: pairs of numbers up to a pair that begins with zero.
func (t *table) steps(offset int) []byte {
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
func (t *table) name(at int) string {
	name, _, _ := bytes.Cut(t.m[t.names+t.word(at+atName):t.units], []byte{0})
	return string(name)
}

// forget is the memory of a program without what only traces of the stack need.
func forget(memory []byte) []byte {
	if _, ok := findTable(memory); !ok {
		return memory
	}
	m := bytes.Clone(memory)
	t, _ := findTable(m)
	t.clearIdle()
	var names, steps pool
	for i := range t.count {
		at := t.entry(i)
		t.put(at+atName, names.add(remembered(t.name(at))))
		for _, field := range []int{atFile, atLine, atUnit, atStart} {
			t.put(at+field, 0)
		}
		t.forgetTables(at)
		for _, p := range t.tables(at) {
			t.put(p, steps.add(string(t.steps(t.word(p)))))
		}
	}
	clear(m[t.units:t.pcs]) // which files the compiler was given, and their names
	if !names.into(m[t.names:t.units]) || !steps.into(m[t.pcs:t.entries]) {
		return memory
	}
	return m
}

// forgetTables lets an entry lead to nothing of what is idle.
func (t *table) forgetTables(at int) {
	tables, data := t.word(at+atTables), int(t.m[at+atData])
	for _, i := range idleTables {
		if i < tables {
			t.put(at+funcSize+4*i, 0)
		}
	}
	for _, i := range idleData {
		if i < data {
			t.put(at+funcSize+4*tables+4*i, ^uint32(0))
		}
	}
}

// remembered is what stays of a function's name. The runtime knows its own goroutines by "runtime.", two functions of
// reflect by their whole names, and takes apart the name of a method with a pointer to say that the pointer was nil.
func remembered(name string) string {
	switch name {
	case "reflect.makeFuncStub", "reflect.methodValueCall":
		return name + "\x00"
	}
	short := ""
	if strings.HasPrefix(name, "runtime.") {
		short = "runtime."
	}
	if strings.Contains(name, ".(*") {
		short = strings.TrimSuffix(short, ".") + ".(*type).method"
	}
	if short == "" {
		return ""
	}
	return short + "\x00"
}

// pool keeps each text once, behind a zero, since offset 0 means that there is none.
type pool struct {
	bytes []byte
	at    map[string]uint32
}

// add is the offset of a text.
func (p *pool) add(text string) uint32 {
	if p.at == nil {
		p.bytes, p.at = []byte{0}, map[string]uint32{"": 0}
	}
	at, ok := p.at[text]
	if !ok {
		at = uint32(len(p.bytes))
		p.bytes = append(p.bytes, text...)
		p.at[text] = at
	}
	return at
}

// into writes the pool over what was there, if it fits.
func (p *pool) into(b []byte) bool {
	if len(p.bytes) > len(b) {
		return false
	}
	clear(b[copy(b, p.bytes):])
	return true
}
