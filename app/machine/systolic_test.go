package machine_test

import (
	"testing"

	"github.com/scalebook/scalebook/app/machine"
)

// Every array multiplies: what leaves is the product, each sum in the cycle that its diagonal says, the last of them in
// the last cycle and no earlier, and n^2 multiply-adds have been done for each row.
func TestEveryArrayMultiplies(t *testing.T) {
	for n := 2; n <= 8; n++ {
		for rows := 1; rows <= 12; rows++ {
			for _, load := range []bool{false, true} {
				a := machine.NewArray(n, rows, load)
				a.Run(a.Cycles() - 1)
				if left, equal := a.Checked(); left != n*rows-1 || !equal {
					t.Fatalf("side %d, %d rows: %d sums have left before the last cycle, equal %v", n, rows, left, equal)
				}
				a.Run(1)
				if left, equal := a.Checked(); left != n*rows || !equal || a.Worked != n*n*rows {
					t.Fatalf("side %d, %d rows: %d sums, equal %v, %d multiply-adds", n, rows, left, equal, a.Worked)
				}
				for i, row := range a.Left {
					for j, sum := range row {
						want := 0
						for k := range n {
							want += a.X[i][k] * a.W[k][j]
						}
						if sum.Value != want || sum.Cycle != a.Loading()+i+j+n {
							t.Fatalf("side %d, row %d, column %d: %d in cycle %d, want %d", n, i, j, sum.Value, sum.Cycle, want)
						}
					}
				}
				if a.Run(1); a.Busy() != 0 {
					t.Fatal("still busy")
				}
			}
		}
	}
}

// In any cycle the busy cells lie on the diagonals of the rows that are inside, one row a diagonal.
func TestRowsLieOnDiagonals(t *testing.T) {
	a := machine.NewArray(5, 7, false)
	for cycle := range a.Cycles() {
		a.Run(1)
		for k, line := range a.Cells {
			for j, c := range line {
				row := cycle - k - j
				if inside := row >= 0 && row < 7; c.Busy != inside || inside && c.Row != row {
					t.Fatalf("cycle %d, cell %d %d: %+v", cycle+1, k, j, c)
				}
			}
		}
	}
}

// Weights that come in row by row end up where those stand that were there from the beginning.
func TestWeightsComeIn(t *testing.T) {
	a, b := machine.NewArray(6, 3, true), machine.NewArray(6, 3, false)
	a.Run(a.Loading())
	for k := range a.Cells {
		for j := range a.Cells[k] {
			if a.Cells[k][j] != b.Cells[k][j] {
				t.Errorf("cell %d %d: %+v, want %+v", k, j, a.Cells[k][j], b.Cells[k][j])
			}
		}
	}
}
