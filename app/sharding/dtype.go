package sharding

import (
	"strings"

	q "github.com/scalebook/scalebook/app/quantity"
)

// dtypes are the number formats that may stand before an array, with the bits that an element takes in memory.
var dtypes = [...]struct {
	name string
	bits float64
}{
	{"fp64", 64}, {"fp32", 32}, {"tf32", 32}, {"int32", 32}, {"bf16", 16}, {"fp16", 16},
	{"fp8", 8}, {"int8", 8}, {"fp6", 6}, {"fp4", 4}, {"int4", 4},
}

// ElementBytes is the size of an element of a dtype, by its name.
func ElementBytes(dtype string) (q.Bytes, bool) {
	for _, d := range dtypes {
		if d.name == dtype {
			return q.Bytes(d.bits / 8), true
		}
	}
	return 0, false
}

func dtypeNames() string {
	names := make([]string, 0, len(dtypes))
	for _, d := range dtypes {
		names = append(names, d.name)
	}
	return strings.Join(names, ", ")
}

// looksLikeDType tells a misspelt or foreign dtype from the name of an array: bf61, fp3, int16, float32.
func looksLikeDType(word string) bool {
	switch stem := strings.TrimRight(word, "0123456789"); stem {
	case "fp", "tf", "int", "bf", "float", "bfloat", "uint":
		return stem != word
	}
	return false
}
