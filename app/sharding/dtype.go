package sharding

import (
	"strconv"
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
	{"float32", 32}, {"bfloat16", 16}, {"float16", 16}, {"f32", 32}, {"f16", 16}, {"uint8", 8},
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
	names := make([]string, 0, 11)
	for _, d := range dtypes[:11] {
		names = append(names, d.name)
	}
	return strings.Join(names, ", ")
}

// looksLikeDType tells a misspelt dtype from the name of an array: bf61, fp3, int16.
func looksLikeDType(word string) bool {
	stem := strings.TrimRight(word, "0123456789")
	if stem == word {
		return false
	}
	for _, d := range dtypes {
		if strings.TrimRight(d.name, "0123456789") == stem {
			_, err := strconv.Atoi(word[len(stem):])
			return err == nil
		}
	}
	return false
}
