package build

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
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
	space := uint64(len(m) - at)
	t := pclntab{m: m, header: at, count: int(min(space, binary.LittleEndian.Uint64(m[at+atCount:])))}
	last := uint64(headerSize)
	for i, part := range []*int{&t.names, &t.units, &t.files, &t.pcs, &t.entries} {
		offset := binary.LittleEndian.Uint64(m[at+atParts+8*i:])
		if offset < last || offset > space {
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
func (t *pclntab) dataRange(r release) (space span, ok bool) {
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
func (t *pclntab) functionData(r release) (data map[int]string, space span) {
	space, ok := t.dataRange(r)
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
			if offset > space.to-space.from {
				return nil, span{}
			}
			rest := t.m[space.from+offset : space.to]
			size := sizeOfData(kind, rest)
			if size < 0 || size > len(rest) {
				return nil, span{}
			}
			data[place] = string(rest[:size])
		}
	}
	return data, space
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

// Much of the pclntab follows from its other parts: the number of each function, where its entry begins (ftab), and a
// second table, findfunctab, two megabytes long, that leads from a place in the code to the function's number. Numbers
// that only count up are what gzip packs worst. So they go, and a function of some hundred bytes that runs when the
// program is instantiated, before anything of it runs, writes them again. They go only where what it will write is what
// was there. A program in modules has one such function in each; until that of a later one has run, the entries of the
// functions that it brings are that of nobody.

// perFunction is how much of findfunctab belongs to a function: 16 buckets of a number and 16 differences, all zero.
const (
	bucket      = 4 + 16
	perFunction = 16 * bucket
)

// elidedTables says what the functions that unfold need to know.
type elidedTables struct {
	entries, count, first int          // the ftab, how many functions it has, and the number of the first
	runs                  [modules]run // of the functions of each module
	placeholder           int          // where the entry of nobody is, behind those of the first module; 0 without
	buckets, filled       int          // findfunctab, and for how many functions it is as expected
	columns               [modules]columns
}

// run is entries that lie one behind another: where, and how many.
type run struct{ from, count int }

// elided is a memory without what can be computed, and the functions that compute it.
type elided struct {
	memory []byte
	start  []byte          // for what belongs to the functions of the first module; nil if there is nothing to compute
	later  [modules][]byte // for what belongs to those of later ones, whose entries lie apart
	apart  [modules][]span // what comes with these
}

// elideTables takes out of memory what can be computed. The first span of a later module is that of its entries.
func elideTables(memory []byte, apart [modules][]span) elided {
	t, ok := findPclntab(memory)
	if !ok {
		return elided{memory: memory, apart: apart}
	}
	f := elidedTables{entries: t.entries, count: t.count, first: t.word(t.entry(0))}
	m := bytes.Clone(memory)
	if !f.number(&t, m, apart) {
		return elided{memory: memory, apart: apart}
	}
	f.intoColumns(&t, m)
	f.findBuckets(memory)
	clear(m[f.entries:][:8*f.count])
	clear(m[f.buckets:][:perFunction*f.filled])
	u := elided{memory: m, start: f.unfold(), apart: apart}
	for k := inChapters; k < modules; k++ {
		u.later[k] = f.unfoldLater(k)
		if c := f.columns[k]; c.size > 0 {
			u.apart[k] = slices.Concat([]span{{c.from, c.from + c.size}}, apart[k][1:])
		}
	}
	return u
}

// number finds the runs of entries and lets each entry in m say how many numbers of functions it skips, in place of its
// own. It isn't ok where entries don't lie one behind another by their numbers.
func (f *elidedTables) number(t *pclntab, m []byte, apart [modules][]span) bool {
	all := make([]int, t.count)
	for i := range all {
		all[i] = i
		if t.word(t.entries+8*i) != t.word(t.entry(i)) {
			return false
		}
	}
	slices.SortStableFunc(all, func(a, b int) int { return cmp.Compare(t.entry(a), t.entry(b)) })
	at, last, in := t.entry(all[0]), -1, inFirst
	f.runs[inFirst].from = at
	for _, i := range all {
		for k := in + 1; k < modules; k++ {
			if len(apart[k]) > 0 && t.entry(i) == apart[k][0].from {
				if f.placeholder == 0 {
					f.placeholder = apart[k][0].from - funcSize
				}
				in, at, last = k, apart[k][0].from, -1
				f.runs[k].from = at
			}
		}
		if t.entry(i) != at || t.word(at) != f.first+i || i <= last {
			return false
		}
		binary.LittleEndian.PutUint32(m[at:], uint32(i-last-1))
		f.runs[in].count++
		last = i
		at += t.size(at)
	}
	return true
}

// findBuckets finds findfunctab.
func (f *elidedTables) findBuckets(memory []byte) {
	var want []byte
	for i := range f.count {
		for range perFunction / bucket {
			want = binary.LittleEndian.AppendUint32(want, uint32(i))
			want = append(want, make([]byte, bucket-4)...)
		}
	}
	if f.count < 4 {
		return
	}
	at := bytes.Index(memory, want[:4*perFunction])
	if at < 0 {
		return
	}
	same := 0
	for same < len(want) && at+same < len(memory) && memory[at+same] == want[same] {
		same++
	}
	f.buckets, f.filled = at, same/perFunction
}

// unfold is the body of the function, in WebAssembly.
func (f *elidedTables) unfold() []byte {
	const at, k = 0, 2 // its local variables
	var c coder
	c.raw(1, 5, i32) // five of 32 bits
	f.rows(&c, f.runs[inFirst], f.columns[inFirst])
	c.set(k, 0)
	c.set(at, f.entries)
	c.raw(opLoop, 0x40)
	{
		c.get(at).get(k).number(f.first).raw(opI32Add, opI32Store, 2, 0)
		if f.placeholder > 0 {
			c.get(at).number(f.placeholder-f.entries).raw(opI32Store, 2, 4)
		}
		c.add(at, 8).add(k, 1)
		c.get(k).number(f.count).raw(opI32LessU, opBrIf, 0)
	}
	c.raw(opEnd)
	f.walk(&c, f.runs[inFirst])
	if f.filled > 0 {
		c.set(at, f.buckets).set(k, 0)
		c.raw(opLoop, 0x40)
		c.get(at).get(k).number(4).raw(opI32ShrU, opI32Store, 2, 0)
		c.add(at, bucket).add(k, 1)
		c.get(k).number(f.filled*perFunction/bucket).raw(opI32LessU, opBrIf, 0)
		c.raw(opEnd)
	}
	c.raw(opEnd)
	return c.b
}

// unfoldLater is the body of the function for the functions of a later module; nil if it has none.
func (f *elidedTables) unfoldLater(k int) []byte {
	r := f.runs[k]
	if r.count == 0 {
		return nil
	}
	var c coder
	c.raw(1, 5, i32)
	f.rows(&c, r, f.columns[k])
	f.walk(&c, r)
	c.raw(opEnd)
	return c.b
}

// walk goes from entry to entry and writes each one's number into it and its place into the ftab.
func (f *elidedTables) walk(c *coder, r run) {
	const at, i, k = 0, 1, 2
	c.set(at, r.from).set(i, f.first-1).set(k, 0)
	c.raw(opLoop, 0x40)
	{
		c.get(i).get(at).raw(opI32Load, 2, 0, opI32Add).number(1).raw(opI32Add, opLocalSet, i)
		c.get(at).get(i).raw(opI32Store, 2, 0)
		c.get(i).number(8).raw(opI32Mul).number(f.entries - 8*f.first).raw(opI32Add)
		c.get(at).number(f.entries).raw(opI32Sub, opI32Store, 2, 4)
		c.get(at).raw(opI32Load, 2, atTables).get(at).raw(opI32Load8, 0, atData, opI32Add)
		c.number(4).raw(opI32Mul).number(funcSize).raw(opI32Add)
		c.get(at).raw(opI32Add, opLocalSet, at)
		c.add(k, 1)
		c.get(k).number(r.count).raw(opI32LessU, opBrIf, 0)
	}
	c.raw(opEnd)
}

// Opcodes that only the function that unfolds has.
const (
	opI32Load, opI32Load8, opI32Store = 0x28, 0x2d, 0x36
	opI32LessU, opI32Sub, opI32Mul    = 0x49, 0x6b, 0x6c
	opI32ShrU                         = 0x76
)

// coder writes instructions.
type coder struct{ b []byte }

func (c *coder) raw(b ...byte) *coder  { c.b = append(c.b, b...); return c }
func (c *coder) get(local byte) *coder { return c.raw(opLocalGet, local) }
func (c *coder) number(n int) *coder   { c.b = appendSigned(append(c.b, opI32Const), n); return c }
func (c *coder) set(local byte, to int) *coder {
	return c.number(to).raw(opLocalSet, local)
}
func (c *coder) add(local byte, n int) *coder {
	return c.get(local).number(n).raw(opI32Add, opLocalSet, local)
}
