package build

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
)

// Much of the pclntab follows from its other parts: the number of each function, where its entry begins (ftab), and a
// second table, findfunctab, two megabytes long, that leads from a place in the code to the function's number. Numbers
// that only count up are what gzip packs worst. So they go, and a function of some hundred bytes that runs when the
// program is instantiated, before anything of it runs, writes them again. They go only where what it will write is what
// was there. A program in modules has one such function in each; until that of a later one has run, the entries of the
// functions that it brings are that of nobody (entries.go).

// perFunction is how much of findfunctab belongs to a function: 16 buckets of a number and 16 differences, all zero.
const (
	bucket      = 4 + 16
	perFunction = 16 * bucket
)

// folded says what the functions that unfold need to know.
type folded struct {
	entries, count, first int          // the ftab, how many functions it has, and the number of the first
	runs                  [modules]run // of the functions of each module
	nobody                int          // where the entry of nobody is, behind those of the first module; 0 without
	buckets, filled       int          // findfunctab, and for how many functions it is as expected
}

// run is entries that lie one behind another: where, and how many.
type run struct{ from, count int }

// unfolding is a memory without what can be computed, and the functions that compute it.
type unfolding struct {
	memory []byte
	start  []byte          // for what belongs to the functions of the first module; nil if there is nothing to compute
	later  [modules][]byte // for what belongs to those of later ones, whose entries lie apart
}

// fold takes out of memory what can be computed. The first span of a later module is that of its entries.
func fold(memory []byte, apart [modules][]span) unfolding {
	t, ok := findPclntab(memory)
	if !ok {
		return unfolding{memory: memory}
	}
	f := folded{entries: t.entries, count: t.count, first: t.word(t.entry(0))}
	m := bytes.Clone(memory)
	if !f.number(&t, m, apart) {
		return unfolding{memory: memory}
	}
	f.findBuckets(memory)
	clear(m[f.entries:][:8*f.count])
	clear(m[f.buckets:][:perFunction*f.filled])
	u := unfolding{memory: m, start: f.unfold()}
	for k := inChapters; k < modules; k++ {
		u.later[k] = f.unfoldLater(f.runs[k])
	}
	return u
}

// number finds the runs of entries and lets each entry in m say how many numbers of functions it skips, in place of its
// own. It isn't ok where entries don't lie one behind another by their numbers.
func (f *folded) number(t *pclntab, m []byte, apart [modules][]span) bool {
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
				if f.nobody == 0 {
					f.nobody = apart[k][0].from - funcSize
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
func (f *folded) findBuckets(memory []byte) {
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
func (f *folded) unfold() []byte {
	const at, k = 0, 2 // its local variables
	var c coder
	c.raw(1, 3, i32) // three of 32 bits
	c.set(at, f.entries)
	c.raw(opLoop, 0x40)
	{
		c.get(at).get(k).number(f.first).raw(opI32Add, opI32Store, 2, 0)
		if f.nobody > 0 {
			c.get(at).number(f.nobody-f.entries).raw(opI32Store, 2, 4)
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
func (f *folded) unfoldLater(r run) []byte {
	if r.count == 0 {
		return nil
	}
	var c coder
	c.raw(1, 3, i32)
	f.walk(&c, r)
	c.raw(opEnd)
	return c.b
}

// walk goes from entry to entry and writes each one's number into it and its place into the ftab.
func (f *folded) walk(c *coder, r run) {
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
