package sharding

import (
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/scrap"
)

func mustMesh(t testing.TB, text string) *Mesh {
	t.Helper()
	m, err := ParseMesh(text, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func mustSizes(t testing.TB, text string) Sizes {
	t.Helper()
	s, err := ParseSizes(text, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func mustEinsum(t testing.TB, text, sizes, mesh string) *Einsum {
	t.Helper()
	e, err := ParseEinsum(text, mustSizes(t, sizes), mustMesh(t, mesh))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestNotationIsTolerant(t *testing.T) {
	const want = "A[I_X, J] . B[J, K_YZ] -> C[I_X, K]{U_W}"
	for _, text := range []string{
		want,
		"A[I_X,J]*B[J,K_YZ]->C[I_X,K]{U_W}",
		"A[I_X,J]·B[J,K_{YZ}]→C[I_X,K]{U_W}",
		" A [ I_X , J ] @ B [J, K_{Y,Z}] => C[I_X, K] { U_W } ",
		"[I_X, J] × [J, K_{Y, Z}] -> [I_X, K]{U_{W}}",
		"bf16[I_X; J] . int8 B[J, K_YZ] -> fp32[I_X, K]{U_W}",
	} {
		e := mustEinsum(t, text, "I=64, J=32, K=16", "X=4, Y=2, Z=2, W=3")
		if got := e.String(); got != want {
			t.Errorf("%q is read as %s", text, got)
		}
	}
	e := mustEinsum(t, "int8 A[I_X,J] . fp32[J,K] -> C[I_X,K]", "I=64, J=32, K=16", "X=4")
	if e.A.DType != "int8" || e.B.DType != "fp32" || e.C.DType != "fp32" || e.B.Name != "B" {
		t.Errorf("dtypes are %s, %s, %s, the second array is called %s", e.A.DType, e.B.DType, e.C.DType, e.B.Name)
	}
	long := mustEinsum(t, "W_in[D_model, F_{data,model1}] . X[D_model] -> Y[F]", "D=64, F=32",
		"model=2, data=2, model1=2")
	if got := long.String(); got != "W_in[D_model, F_{data,model1}] . X[D_model] -> Y[F]" {
		t.Errorf("long names are written %s", got)
	}
}

func TestSizesAndMeshes(t *testing.T) {
	s := mustSizes(t, "I=8192, J = 8k; K=4Ki, L=2M, M=8_192")
	for name, want := range map[string]float64{"I": 8192, "J": 8000, "K": 4096, "L": 2e6, "M": 8192} {
		if got, _ := s.Get(name); got != want {
			t.Errorf("%s = %v, want %v", name, got, want)
		}
	}
	open := &Numbers{List: []float64{4096.4, 16, 7}}
	sizes, err := ParseSizes("I, J=3", open)
	if got, _ := sizes.Get("I"); err != nil || got != 4096.4 {
		t.Errorf("an open size: %v, %v", got, err)
	}
	m, err := ParseMesh("X=4x4, Y on 4x4x16 rings", open)
	if err != nil || m.Chips() != 256 || m.On != "4x4x16 rings" || open.Left() != 1 ||
		m.String() != "X=4x4, Y=16 on 4x4x16 rings" {
		t.Errorf("%v, %v, %d numbers left", m, err, open.Left())
	}
	if one := mustMesh(t, ""); one.Chips() != 1 {
		t.Errorf("the empty mesh has %d chips", one.Chips())
	}
	if got := mustMesh(t, "X=2, Y=3, Z=4").Coords(23); got[0] != 1 || got[1] != 2 || got[2] != 3 {
		t.Errorf("the last chip stands at %v", got)
	}
}

// TestFaults: every fault has a column and says what would be valid.
func TestFaults(t *testing.T) {
	const sizes, mesh = "I=64, J=32, K=16, B=8", "X=4, Y=2, Z=2"
	for _, c := range []struct {
		text string
		col  int
		want string
	}{
		{"A[I_X, J_X] . B[J, K] -> C[I, K]", 10,
			"axis X is used twice in one array; an axis splits one dimension only, " +
				"or is unreduced: Y, Z left"},
		{"A[I_XX, J] . B[J, K] -> C[I, K]", 6, "axis X is used twice"},
		{"A[I_X, J]{U_X} . B[J, K] -> C[I, K]", 13, "axis X is used twice"},
		{"A[I_V, J] . B[J, K] -> C[I, K]", 5, "the mesh has no axis `V`; it has X, Y, Z"},
		{"A[I_XV, J] . B[J, K] -> C[I, K]", 6, "the mesh has no axis `V`"},
		{"A[I_, J] . B[J, K] -> C[I, K]", 5, "no axis follows `_`"},
		{"A[I_X, L] . B[J, K] -> C[I, K]", 8,
			"dimension `L` has no size; sizes are given for I, J, K, B: write L=4096 " +
				"there"},
		{"A[I, J] . B[J, K] -> C[I, B]", 16, "dimension K is in one operand only and not in the result; keep it"},
		{"A[I, J] . B[J, K] -> C[I, K, B]", 30,
			"dimension B of the result is in neither operand; the operands have I, J, K"},
		{"A[I, J] . B[J, K] -> C[I, J]", 16, "dimension K is in one operand only and not in the result"},
		{"A[I, I] . B[J, K] -> C[I, J]", 6, "dimension `I` stands twice in one array"},
		{"A[I, 32] . B[J, K] -> C[I, J]", 6, "dimension 32 has no name"},
		{"A[I, J . B[J, K] -> C[I, K]", 8, "`.` stands where a comma or `]` should be"},
		{"A[I, J] B[J, K] -> C[I, K]", 9, "`B` stands where `.` between the operands should be"},
		{"A[I, J] . B[J, K]", 18, "the text ends where `->` and the result should be; an einsum is written like"},
		{"A[I, J] . B[J, K] -> C[I, K] . D[I]", 30, "`.` stands where the end should be"},
		{"bf61[I, J] . B[J, K] -> C[I, K]", 1, "unknown dtype `bf61`; the dtypes are fp64, fp32"},
		{"what A[I, J] . B[J, K] -> C[I, K]", 1, "unknown dtype `what`"},
		{"A[B_XYZ, J] . B[J, K] -> C[B, K]", 3,
			"8 elements of B cannot be split into 16 parts: chips would hold nothing"},
		{"A[I, J]{V_X} . B[J, K] -> C[I, K]", 9, "unreduced axes are written like {U_X}"},
		{"A[I, J]{U_X . B[J, K] -> C[I, K]", 13, "`.` stands where `}` should be"},
		{"A[I_{X, J] . B[J, K] -> C[I, K]", 9, "the mesh has no axis `J`"},
		{"", 1, "the text ends where `[` should be"},
	} {
		_, err := ParseEinsum(c.text, mustSizes(t, sizes), mustMesh(t, mesh))
		fault, ok := err.(*Error)
		if !ok {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if fault.Col != c.col || !strings.Contains(err.Error(), c.want) || fault.Remedy == nil {
			t.Errorf("%q: column %d: %v; want column %d: %s", c.text, fault.Col, err, c.col, c.want)
		}
	}
}

func TestFaultsOfSizesAndMeshes(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"X=4, X=2", "mesh, column 6: there are two axes `X`"},
		{"X=0", "mesh, column 3: `0` is no size; a whole number from 1 to 16777216"},
		{"X=4.5", "mesh, column 4: `.` stands where a comma should be"},
		{"X", "mesh, column 1: `X` has no size; write X=4"},
		{"X=4,", "another axis should be"},
		{"4x4", "mesh, column 1: `4` stands where the name of an axis should be"},
		{"A=2, B=2, C=2, D=2, E=2, F=2, G=2", "too many axes"},
		{"X=65536, Y=65536", "more than 16777216 chips"},
		{"X=65536x65536", "more than 16777216 chips"},
		{strings.Repeat("X", 600), "longer than 500"},
	} {
		if _, err := ParseMesh(c.text, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v; want %s", c.text, err, c.want)
		}
	}
	for _, c := range []struct{ text, want string }{
		{"I=4, I=8", "sizes, column 6: dimension `I` has two sizes"},
		{"I=", "is no size"},
		{"I=4, d_ff=8", "sizes, column 6: the name `d` goes on with `_`, which begins the mesh axes of a " +
			"dimension; names are of letters and digits, such as d2"},
		{"I=4, J=-4, K=4", "sizes, column 8: `-4` is no size"},
		{"I=1e99999", "a comma should be"},
		{"I=99999999999999999999", "is no size; a whole number from 1 to 1000000000000"},
		{"I", "`I` has no size; write I=4"},
		{"=4", "the name of a dimension should be"},
	} {
		if _, err := ParseSizes(c.text, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v; want %s", c.text, err, c.want)
		}
	}
	if _, err := ParseArray("A[I_ABC]", Sizes{{"I", 64}}, mustMesh(t, "A=2, AB=2, C=2, BC=2")); err == nil ||
		!strings.Contains(err.Error(), "in more than one way; separate them") {
		t.Errorf("an ambiguous subscript: %v", err)
	}
}

// FuzzNotation: no text panics or hangs, faults have a place inside the text, and what is read is written and read
// again as the same.
func FuzzNotation(plain *testing.F) {
	f := scrap.Of(plain)
	f.Add("A[I_X, J] . B[J, K_Y] -> C[I_X, K_Y]", "I=64, J=32, K=16", "X=4, Y=2 on 4x2")
	f.Add("int8 W_in[I_{X,Y}, J]{U_Z}·[J,K]→fp32[I,K]{U_Z}", "I=8Ki J=4k; K=16", "X=2x2, Y=3, Z=5")
	f.Add("[[_{]}", "I=,", "X=4x")
	f.Add("A[I] . B[K] -> C[I, K]", "I=1, K=999999999999", "αβ=7")
	f.Fuzz(func(t *testing.T, text, sizes, mesh string) {
		m, err := ParseMesh(mesh, nil)
		inside(t, err, mesh)
		s, err := ParseSizes(sizes, nil)
		inside(t, err, sizes)
		if a, err := ParseArray(text, s, m); err == nil {
			conserves(t, a, m)
		}
		e, err := ParseEinsum(text, s, m)
		inside(t, err, text)
		if err != nil {
			return
		}
		again, err := ParseEinsum(e.String(), s, m)
		if err != nil {
			t.Fatalf("%q is written %s, which is refused: %v", text, e, err)
		}
		if again.String() != e.String() || len(again.Indices) != len(e.Indices) {
			t.Fatalf("%q is written %s, and read again as %s", text, e, again)
		}
	})
}

// inside holds a fault to have its place inside the text, or right behind it.
func inside(t *testing.T, err error, text string) {
	t.Helper()
	fault, ok := err.(*Error)
	if err == nil {
		return
	}
	if n := len([]rune(text)); !ok || fault.Col < 1 || fault.Col > n+1 || fault.Col+fault.Len > n+2 ||
		fault.What == nil ||
		fault.Remedy == nil {
		t.Errorf("%q: the fault %+v is not in a text of %d characters", text, fault, n)
	}
}

// conserves holds the laws of what chips hold: bytes are not lost, and padding accounts for all that is too much.
func conserves(t *testing.T, a *Array, m *Mesh) {
	t.Helper()
	copies := float64(a.Replication(m))
	for _, u := range a.Unreduced {
		copies *= float64(m.Axes[u].Size)
	}
	useful := float64(a.TotalBytes(m)) * (1 - a.Waste(m))
	if want := float64(a.Bytes()) * copies; useful < want*(1-1e-9) || useful > want*(1+1e-9) {
		t.Errorf("%s on %s: %g useful bytes on all chips, want %g", a.String(m), m, useful, want)
	}
}
