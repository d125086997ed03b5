package sheet

import (
	_ "embed"
	"math"
	"testing"
)

//go:embed testdata/int8-matmul.sheet
var int8Matmul string

func TestInt8Matmul(t *testing.T) {
	s := sheetOf(t, int8Matmul)
	r := s.Eval(nil)
	for name, want := range map[string]float64{
		"T_math": 87.20745778680202e-6, "T_comms": 89.32314074074074e-6,
		"B_crit": 4096 * 16384 / (2*4096*16384*8.1e11/3.94e14 - 4096 - 16384),
	} {
		v, err := r.Value(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if math.Abs(v.Num.Value/want-1) > 1e-12 {
			t.Errorf("%s = %v, want %v", name, v.Num.Value, want)
		}
	}
	if v, _ := r.Value("bound"); v.String() != "memory" {
		t.Errorf("bound = %q", v)
	}
	for _, e := range s.Check() {
		if !e.OK {
			t.Errorf("expect %s: got %v, %v", e.Expect.Name, e.Got, e.Err)
		}
	}
	for _, row := range r.Rows {
		t.Logf("%-10s %-8s %v %v", row.Def.Name, row.Def.Kind, row.Value, row.Err)
	}
}
