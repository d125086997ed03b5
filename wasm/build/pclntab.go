package build

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
)

// The linker's pclntab (runtime/symtab.go) describes every function of a program. A part of it the program can't run
// without: where a function's variables lie in its frame, and which of them are pointers (pcsp, PCDATA_StackMapIndex,
// the funcdata of stack maps). The larger part only serves to print traces of the stack: funcnametab, cutab and
// filetab, pcfile and pcln, the tables of what was inlined. Nobody reads traces in a reader's browser, and they are a
// seventh of the download; so they go. A calculator that breaks still says why: that text isn't in the table.
//
// The layout is that of the releases of Go named by knownRelease. With any other release, and where the table isn't
// found, the program stays whole; Program then says so, and a test fails.

// knownRelease begins the versions of Go whose pclntab is known.
const knownRelease = "go1.26"

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

// span is where something lies in memory: from and up to.
type span struct{ from, to int }

// stripPclntab is the memory of a program without what only traces of the stack need. What only functions that go (to
// another module) need lies behind what the others need, in as many places as it also returns. Nobody goes where goes
// is nil.
func stripPclntab(memory []byte, goes []bool) (stripped []byte, apart []span) {
	if t, ok := findPclntab(memory); !ok || !t.regular() {
		return memory, nil
	}
	m := bytes.Clone(memory)
	t, _ := findPclntab(m)
	order, stay := t.order(goes)
	data, room := t.functionData()
	names, steps, kept := pool{align: 1}, pool{align: 1}, pool{align: 4}
	names.add("\x00") // offset 0 means that there is none
	steps.add("\x00")
	var absent []byte
	var laterSteps, laterData int
	if stay < len(order) {
		absent = nobody(steps.add(noFrame))
	}
	for n, i := range order {
		if n == stay {
			laterSteps, laterData = len(steps.bytes), len(kept.bytes)
		}
		at := t.entry(i)
		t.put(at+atName, names.add(keptName(t.name(at))+"\x00"))
		for _, field := range []int{atFile, atLine, atUnit, atStart} {
			t.put(at+field, 0)
		}
		t.stripTables(at)
		for _, p := range t.tables(at) {
			if t.word(p) != 0 {
				t.put(p, steps.add(string(t.steps(t.word(p)))))
			}
		}
		for _, p := range t.dataPlaces(at) {
			if content, ok := data[p]; ok {
				t.put(p, kept.add(content))
			}
		}
	}
	clear(m[t.units:t.pcs]) // cutab and filetab
	if !names.into(m[t.names:t.units]) || !steps.into(m[t.pcs:t.entries]) || !kept.into(m[room.from:room.to]) {
		return memory, nil
	}
	later, arranged := t.arrange(order, stay, absent)
	if !arranged {
		return memory, nil
	}
	if stay == len(order) {
		return m, nil
	}
	return m, []span{
		later,
		{t.pcs + laterSteps, t.pcs + len(steps.bytes)},
		{room.from + laterData, room.from + len(kept.bytes)},
	}
}

// order is the functions by number, those that go behind those that stay, and how many stay.
func (t *pclntab) order(goes []bool) (all []int, stay int) {
	var later []int
	for i := range t.count {
		if i < len(goes) && goes[i] && !strings.HasPrefix(t.name(t.entry(i)), "runtime.") {
			later = append(later, i)
		} else {
			all = append(all, i)
		}
	}
	return append(all, later...), len(all)
}

// stripTables lets an entry lead to nothing of what is idle.
func (t *pclntab) stripTables(at int) {
	tables := t.word(at + atTables)
	for _, i := range idleTables {
		if i < tables {
			t.put(at+funcSize+4*i, 0)
		}
	}
	for i, place := range t.dataPlaces(at) {
		if idle(i) {
			t.put(place, noData)
		}
	}
}

// idle says whether only traces read data of a kind.
func idle(kind int) bool { return slices.Contains(idleData[:], kind) }

// keptName is what stays of a function's name. The runtime knows its own goroutines by "runtime.", two functions of
// reflect by their whole names, and takes apart the name of a method with a pointer to say that the pointer was nil.
func keptName(name string) string {
	switch name {
	case "reflect.makeFuncStub", "reflect.methodValueCall":
		return name
	}
	short := ""
	if strings.HasPrefix(name, "runtime.") {
		short = "runtime."
	}
	if strings.Contains(name, ".(*") {
		short = strings.TrimSuffix(short, ".") + ".(*type).method"
	}
	return short
}

// pool keeps each content once, where an address of its alignment is.
type pool struct {
	align int
	bytes []byte
	at    map[string]uint32
}

// add is the offset of a content.
func (p *pool) add(content string) uint32 {
	at, ok := p.at[content]
	if !ok {
		for len(p.bytes)%p.align > 0 {
			p.bytes = append(p.bytes, 0)
		}
		if p.at == nil {
			p.at = map[string]uint32{}
		}
		at = uint32(len(p.bytes))
		p.bytes = append(p.bytes, content...)
		p.at[content] = at
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
