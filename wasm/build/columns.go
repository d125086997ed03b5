package build

import "encoding/binary"

// An entry of the pclntab is a row of numbers of 32 bits: what one says has little to do with the next, but much with
// the same one of other entries, and its upper bytes are zero. So what is packed are columns: a byte of each entry,
// then another byte of each. The function that computes what else follows (pclntab.go) first puts them into rows again:
//
//	how many tables each entry has, how many data
//	each byte in rowBytes, of all entries
//	each byte behind the fixed part, of those entries that are as long
//
// They lie where names of functions have gone, and are zero again when the rows are there.

// rowBytes are the bytes of an entry's fixed part that columns hold, from and up to; the others are zero, but for how
// many tables it has (atTables) and how many data (atData).
var rowBytes = [...]span{{0, atFile}, {funcSize - 4, funcSize - 2}}

// columns are entries as columns: where in memory, how many bytes, and how many bytes the longest entry has.
type columns struct{ from, size, longest int }

// columnsOf are the entries of a run as columns; none where an entry has a number that columns don't hold.
func columnsOf(m []byte, r run) (all []byte, longest int) {
	rows := make([][]byte, r.count)
	var tables, data []byte
	at := r.from
	for i := range rows {
		size := entrySize(m, at)
		rows[i] = m[at : at+size]
		tables, data = append(tables, rows[i][atTables]), append(data, rows[i][atData])
		longest = max(longest, size)
		at += size
	}
	all = append(tables, data...)
	column := func(at int) {
		for _, row := range rows {
			if at < len(row) {
				all = append(all, row[at])
			}
		}
	}
	for _, s := range rowBytes {
		for at := s.from; at < s.to; at++ {
			column(at)
		}
	}
	for at := funcSize; at < longest; at++ {
		column(at)
	}
	for _, row := range rows {
		for at := rowBytes[0].to; at < rowBytes[1].from; at++ {
			if row[at] != 0 && at != atTables {
				return nil, 0
			}
		}
		if row[atData-1] != 0 {
			return nil, 0
		}
	}
	return all, longest
}

// entrySize is how many bytes the entry has that begins here.
func entrySize(m []byte, at int) int {
	return funcSize + 4*int(binary.LittleEndian.Uint32(m[at+atTables:])) + 4*int(m[at+atData])
}

// intoColumns takes the entries of all runs out of a memory and puts them there as columns, where the table had names;
// where they lie is zero. All stay as they are if they don't fit.
func (f *elidedTables) intoColumns(t *pclntab, m []byte) {
	free := span{t.names, t.units}
	for free.to > free.from && m[free.to-1] == 0 {
		free.to--
	}
	free = span{free.to + 1, t.units}
	var all [modules][]byte
	var found [modules]columns
	for k, r := range f.runs {
		bytes, longest := columnsOf(m, r)
		if bytes == nil && r.count > 0 || len(bytes) > free.to-free.from {
			return
		}
		all[k], found[k] = bytes, columns{free.from, len(bytes), longest}
		free.from += len(bytes)
	}
	f.columns = found
	for k, r := range f.runs {
		at := r.from
		for range r.count {
			size := entrySize(m, at)
			clear(m[at:][:size])
			at += size
		}
		copy(m[found[k].from:], all[k])
	}
}

// rows writes the entries of a run from their columns.
func (f *elidedTables) rows(c *coder, r run, packed columns) {
	if packed.size == 0 {
		return
	}
	const at, k, p, q, n = 0, 1, 2, 3, 4 // an entry and its number, a byte of a column, one of a row, an entry's size
	next := func() {
		c.get(at).get(n).raw(opI32Add, opLocalSet, at).add(k, 1)
		c.get(k).number(r.count).raw(opI32LessU, opBrIf, 0, opEnd)
	}
	size := func(tables, data func()) {
		tables()
		data()
		c.raw(opI32Add).number(4).raw(opI32Mul).number(funcSize).raw(opI32Add, opLocalSet, n)
	}
	c.set(p, packed.from).set(at, r.from).set(k, 0)
	c.raw(opLoop, empty)
	c.get(at).get(p).raw(opI32Load8, 0, 0, opI32Store8, 0, atTables)
	c.get(at).get(p).number(r.count).raw(opI32Add, opI32Load8, 0, 0, opI32Store8, 0, atData)
	entry := func(at byte, offset byte) func() {
		return func() { c.get(at).raw(opI32Load8, 0, offset) }
	}
	size(entry(at, atTables), entry(at, atData))
	c.add(p, 1)
	next()
	c.add(p, r.count)

	for _, s := range append(rowBytes[:], span{funcSize, packed.longest}) {
		if s.from == s.to {
			continue
		}
		c.set(q, s.from)
		c.raw(opLoop, empty)
		c.set(at, r.from).set(k, 0)
		c.raw(opLoop, empty)
		size(entry(at, atTables), entry(at, atData))
		c.get(q).get(n).raw(opI32LessU, opIf, empty)
		c.get(at).get(q).raw(opI32Add).get(p).raw(opI32Load8, 0, 0, opI32Store8, 0, 0)
		c.add(p, 1)
		c.raw(opEnd)
		next()
		c.add(q, 1)
		c.get(q).number(s.to).raw(opI32LessU, opBrIf, 0, opEnd)
	}
	c.number(packed.from).number(0).number(packed.size).raw(opMore, 11, 0) // memory.fill
}

// opI32Store8 stores a byte.
const opI32Store8 = 0x3a
