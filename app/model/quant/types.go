package quant

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
)

// typeTable is the types: name, weights of a block, its fields with their bytes, whose layout it is. Those of ggml are
// the structs of ggml-common.h of 2026-08.
//
//go:embed types.tsv
var typeTable string

// Type is how a tensor's weights are stored.
type Type struct {
	Name  string
	Block float64 // weights that share scales
	Bytes float64 // of a block, with all that its weights share
}

// Bits are the bits of a weight, its part of the scales included.
func (t *Type) Bits() float64 { return 8 * t.Bytes / t.Block }

// freeBits begins the name of a type that has so many bits a weight whatever its blocks are.
const freeBits = "bits"

// types are those of the table.
var types = sync.OnceValue(func() map[string]*Type {
	all := map[string]*Type{}
	for line := range strings.Lines(typeTable) {
		c := strings.Split(line, "\t")
		t := &Type{Name: c[0]}
		t.Block, _ = strconv.ParseFloat(c[1], 64)
		for field := range strings.FieldsSeq(c[2]) {
			_, text, _ := strings.Cut(field, ":")
			bytes, _ := strconv.ParseFloat(text, 64)
			t.Bytes += bytes
		}
		all[t.Name] = t
	}
	return all
})

// typeNamed finds a type.
func typeNamed(name string) (*Type, bool) {
	if text, free := strings.CutPrefix(name, freeBits); free {
		bits, err := strconv.ParseFloat(text, 64)
		return &Type{Name: name, Block: 1, Bytes: bits / 8}, err == nil
	}
	t, found := types()[name]
	return t, found
}

// fallbacks are the types of ggml that take the place of others where a row is no multiple of their blocks of 256.
const fallbacks = " iq1_s:iq4_nl iq1_m:iq4_nl iq2_xxs:iq4_nl iq2_xs:iq4_nl iq2_s:iq4_nl iq3_xxs:iq4_nl iq3_s:iq4_nl " +
	"iq4_xs:iq4_nl q2_K:q4_0 q3_K:q4_0 tq1_0:q4_0 tq2_0:q4_0 q4_K:q5_0 q5_K:q5_1 q6_K:q8_0 "

// fitting is the type of ggml for rows of so many weights: the wanted one, or another whose blocks fit.
func fitting(name string, row int) string {
	t, _ := typeNamed(name)
	if t.Block <= 1 || row%int(t.Block) == 0 {
		return name
	}
	if _, after, found := strings.Cut(fallbacks, " "+name+":"); found && row%32 == 0 {
		other, _, _ := strings.Cut(after, " ")
		return other
	}
	return "f16"
}
