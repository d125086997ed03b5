package library

import (
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/sheet"
)

// An einsum is counted as a matmul, a dot product and an element-wise product are, and seven letters as their product.
func TestEinsums(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`x = einsum_flops("A[B, D] . W[D, F] -> C[B, F]", "B, D=4096, F=16384", 256) / matmul_flops(256, 4096, 16384)`, "1"},
		{`x = einsum_bytes("A[B, D] . W[D, F] -> C[B, F]", "B, D=4096, F=16384", 256) / matmul_bytes(256, 4096, 16384)`, "1"},
		{`x = einsum_bytes("int8[B, D] . int8[D, F] -> bf16[B, F]", "B=256, D=4096, F=16384") / matmul_bytes(256, 4096, 16384, int8, int8, bf16)`, "1"},
		{`x = einsum_flops("[N] . [N] -> []", "N", 1000)`, "2000 FLOP"},
		{`x = einsum_flops("[N] . [N] -> [N]", "N=1000")`, "1000 FLOP"},
		{`x = einsum_flops("A[I, J, K, L] . B[I, J, M, N, O] -> C[K, L, M, N, O]", "I=2, J=3, K=4, L=5, M=6, N=7, O=8") / (2 FLOP * 2*3*4*5*6*7*8)`, "1"},
		{`x = einsum_bytes("[I, J] . [I] -> [J]", "I, J", 10, 20)`, "460 bytes"},
		{`x = einsum_flops("A[B, D] . W[E, F] -> C[B, F]", "B=1, D=2, E=3, F=4")`, "D"},
		{`x = einsum_flops("A[B, D] . W[D, F] -> C[B, F]", "B=1, D=2")`, "F"},
		{`x = einsum_flops("A[B, D] . W[D, F]", "B=1, D=2, F=3")`, "->"},
		{`x = einsum_flops("A[B_X, D] . W[D, F] -> C[B, F]", "B=1, D=2, F=3")`, "X"},
	} {
		s, errs := sheet.Compile(c.text+"\n", New())
		if len(errs) > 0 {
			t.Errorf("%s: %v", c.text, errs[0])
			continue
		}
		row := s.Eval(nil).Rows[0]
		switch {
		case row.Err == nil && row.Text() != c.want:
			t.Errorf("%s is %s, want %s", c.text, row.Text(), c.want)
		case row.Err != nil && !strings.Contains(row.Err.Error(), c.want):
			t.Errorf("%s: %v", c.text, row.Err)
		case row.Err != nil && !strings.Contains(row.Err.Error(), ";"):
			t.Errorf("%s has no remedy: %v", c.text, row.Err)
		}
	}
}
