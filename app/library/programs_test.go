package library_test

import (
	"math"
	"testing"

	"github.com/scalebook/scalebook/app/library"
	"github.com/scalebook/scalebook/app/sheet"
)

// The example is a layer of Llama 3 8B, run 32 times: its matmuls are counted here by their sizes.
func TestExampleProgram(t *testing.T) {
	s, errs := sheet.Compile("p = hlo_profile(hlo_example(), tpu.v5e)\nflops = p.flops\nops = p.operations", library.New())
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	r := s.Eval(nil)
	ops, err := r.Value("ops")
	if err != nil {
		t.Fatal(err)
	}
	matmuls, sum := 0.0, 0.0
	for _, v := range ops.List {
		f := v.Record.Fields
		if f["times"].Num.Value != 32 {
			t.Errorf("%s runs %v times", v.Record.Name, f["times"].Num.Value)
		}
		sum += f["total"].Num.Value
		matmuls += f["flops"].Num.Value * 32
	}
	want := 32. * 2 * 8192 * 4096 * (768 + 512 + 3*1792)
	if math.Abs(matmuls/want-1) > 1e-3 {
		t.Errorf("%v operations, want a little more than %v", matmuls, want)
	}
	flops, err := r.Value("flops")
	if err != nil || flops.Num.Value != matmuls {
		t.Errorf("%v operations in all, %v by operation", flops.Num.Value, matmuls)
	}
}
