package build

import (
	"bytes"
	"encoding/binary"
)

// Much of the pclntab follows from its other parts: the number of each function, where its entry begins (ftab), and a
// second table, findfunctab, two megabytes long, that leads from a place in the code to the function's number. Numbers
// that only count up are what gzip packs worst. So they go, and a function of some hundred bytes that runs when the
// program is instantiated, before anything of it runs, writes them again. They go only where what it will write is what
// was there.

// perFunction is how much of findfunctab belongs to a function: 16 buckets of a number and 16 differences, all zero.
const (
	bucket      = 4 + 16
	perFunction = 16 * bucket
)

// folded says what the function that unfolds needs to know.
type folded struct {
	entries, firstEntry, count, first int // the list of entries, the first of them, how many, and its function's number
	buckets, filled                   int // findfunctab, and for how many functions it is as expected
}

// fold takes out of memory what can be computed, and returns the function that computes it, or nil if there is no such
// table.
func fold(memory []byte) (left, unfold []byte) {
	t, ok := findPclntab(memory)
	if !ok {
		return memory, nil
	}
	f := folded{entries: t.entries, firstEntry: t.entry(0), count: t.count, first: t.word(t.entry(0))}
	if !f.regular(&t) {
		return memory, nil
	}
	f.findBuckets(memory)
	m := bytes.Clone(memory)
	for i := range f.count {
		clear(m[t.entry(i):][:4])
	}
	clear(m[f.entries:][:8*f.count])
	clear(m[f.buckets:][:perFunction*f.filled])
	return m, f.unfold()
}

// regular says whether the functions are numbered one after another and their entries lie close together.
func (f *folded) regular(t *pclntab) bool {
	at := f.firstEntry
	for i := range f.count {
		if t.entry(i) != at || t.word(at) != f.first+i || t.word(f.entries+8*i) != f.first+i {
			return false
		}
		at += (funcSize + 4*t.word(at+atTables) + 4*int(t.m[at+atData]) + 7) &^ 7
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
	const at, i, list, k = 0, 1, 2, 3 // its local variables
	var c coder
	c.raw(1, 4, 0x7f) // four of 32 bits
	c.set(at, f.firstEntry).set(list, f.entries)
	c.raw(opLoop, 0x40)
	{
		c.get(list).get(i).number(f.first).raw(opI32Add, opI32Store, 2, 0)
		c.get(list).get(at).number(f.entries).raw(opI32Sub, opI32Store, 2, 4)
		c.get(at).get(i).number(f.first).raw(opI32Add, opI32Store, 2, 0)
		c.get(at).raw(opI32Load, 2, atTables).get(at).raw(opI32Load8, 0, atData, opI32Add)
		c.number(4).raw(opI32Mul).number(funcSize + 7).raw(opI32Add).number(-8).raw(opI32And)
		c.get(at).raw(opI32Add, opLocalSet, at)
		c.add(list, 8).add(i, 1)
		c.get(i).number(f.count).raw(opI32LessU, opBrIf, 0)
	}
	c.raw(opEnd)
	if f.filled > 0 {
		c.set(at, f.buckets)
		c.raw(opLoop, 0x40)
		c.get(at).get(k).number(4).raw(opI32ShrU, opI32Store, 2, 0)
		c.add(at, bucket).add(k, 1)
		c.get(k).number(f.filled*perFunction/bucket).raw(opI32LessU, opBrIf, 0)
		c.raw(opEnd)
	}
	c.raw(opEnd)
	return c.b
}

// Opcodes that only the function that unfolds has.
const (
	opI32Load, opI32Load8, opI32Store = 0x28, 0x2d, 0x36
	opI32LessU, opI32Sub, opI32Mul    = 0x49, 0x6b, 0x6c
	opI32And, opI32ShrU               = 0x71, 0x76
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
