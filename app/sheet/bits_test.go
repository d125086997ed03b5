package sheet

import (
	"math"
	"testing"
)

// A sheet's values are the same bits on every machine, natively and as WebAssembly.
func TestSameBits(t *testing.T) {
	hash := uint64(14695981039346656037)
	for _, row := range sheetOf(t, int8Matmul).Eval(nil).Rows {
		hash = (hash ^ math.Float64bits(row.Value.Num.Value)) * 1099511628211
	}
	if hash != 0x7f63f5287b68ba11 {
		t.Errorf("hash %#x", hash)
	}
}
