package build

import (
	"bytes"
	"testing"
)

// Two entries, the second with a table: their counts first, then each byte of both; what columns don't hold is refused.
func TestEntriesAsColumns(t *testing.T) {
	short, long := make([]byte, funcSize), make([]byte, funcSize+4)
	copy(short, []byte{1, 0, 0, 0, 2})
	copy(long, []byte{3, 0, 0, 0, 4})
	short[funcSize-4], long[funcSize-4], long[atTables], long[funcSize] = 5, 6, 1, 7
	m := append(bytes.Clone(short), long...)
	want := append([]byte{0, 1, 0, 0, 1, 3, 0, 0, 0, 0, 0, 0, 2, 4}, make([]byte, 2*15)...)
	want = append(want, 5, 6, 0, 0, 7, 0, 0, 0)
	got, longest := columnsOf(m, run{0, 2})
	if !bytes.Equal(got, want) || longest != funcSize+4 {
		t.Errorf("got %v, up to %d bytes; want %v", got, longest, want)
	}
	for _, at := range []int{atFile, atLine, atTables + 1, atUnit, funcSize - 2} {
		m := bytes.Clone(m)
		m[at] = 9
		if at == atTables+1 { // as many tables would go far beyond the memory
			m = append(m, make([]byte, 4*9<<8)...)
		}
		if got, _ := columnsOf(m, run{0, 1}); got != nil {
			t.Errorf("byte %d of an entry was lost", at)
		}
	}
}

// Without space where names were, all stays as it is.
func TestColumnsNeedSpace(t *testing.T) {
	m := make([]byte, 3*funcSize)
	m[0], m[2*funcSize] = 1, 2
	before := bytes.Clone(m)
	f := elidedTables{runs: [modules]run{{2 * funcSize, 1}}}
	f.intoColumns(&pclntab{names: 0, units: 20}, m)
	if !bytes.Equal(m, before) || f.columns[inFirst].size != 0 {
		t.Error("entries went where there is no space")
	}
	f.intoColumns(&pclntab{names: 0, units: 2 * funcSize}, m)
	if c := f.columns[inFirst]; c.from != 2 || c.size == 0 || m[2*funcSize] != 0 || m[c.from+2] != 2 {
		t.Errorf("entries lie at %+v: %v", c, m)
	}
}
