package machine_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/scalebook/scalebook/app/machine"
)

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-12*math.Max(math.Abs(a), math.Abs(b)) }

// random are times over several decades.
func random(r *rand.Rand) machine.Times {
	x := func() float64 { return math.Exp(6 * r.Float64()) }
	return machine.Times{First: x() - 1, Load: x(), Store: x(), Math: x()}
}

// With one buffer nothing overlaps: the time is the sum.
func TestOneBufferIsTheSum(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		x, k := random(r), 1+r.IntN(20)
		run := machine.Stream(k, 1, x)
		if want := run.Copying() + run.Computing(); !near(run.Total(), want) {
			t.Fatalf("%d blocks %+v: %v, want %v", k, x, run.Total(), want)
		}
	}
}

// With two the longest of the chains decides: the MXU from end to end, with the first block in and the last one out; or
// the wire, with what it waits for the MXU at either end.
func TestDoubleBuffering(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		x, k := random(r), 1+r.IntN(20)
		l, c, s, n := x.Load, x.Math, x.Store, float64(k)
		want := l + c + s
		if k > 1 {
			want = max(l+n*c+s, l+max(l, c)+(n-2)*(l+s)+max(s, c)+s)
		}
		if got := machine.Stream(k, 2, x).Total(); !near(got, x.First+want) {
			t.Fatalf("%d blocks %+v: %v, want %v", k, x, got, x.First+want)
		}
	}
}

// Where results take no time to leave, nor the shared part to come, it is the chapter's formula: max + min/k.
func TestTheChaptersFormula(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 500 {
		x, k := random(r), 1+r.IntN(40)
		x.First, x.Store = 0, 0
		load, compute := float64(k)*x.Load, float64(k)*x.Math
		want := max(load, compute) + min(load, compute)/float64(k)
		if got := machine.Stream(k, 2, x).Total(); !near(got, want) {
			t.Fatalf("%d blocks %+v: %v, want %v", k, x, got, want)
		}
	}
}

// However many buffers: the total lies between the bounds, nothing is done twice at once, nothing begins before what it
// needs, no buffer holds two blocks, and more buffers are never slower.
func TestLawsOfTheMachine(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 500 {
		x, k := random(r), 1+r.IntN(20)
		last := math.Inf(1)
		for b := 1; b <= 4; b++ {
			run := machine.Stream(k, b, x)
			low, high := max(run.Copying(), run.Computing()), run.Copying()+run.Computing()
			if got := run.Total(); got < low*(1-1e-12) || got > high*(1+1e-12) || got > last*(1+1e-12) {
				t.Fatalf("%d blocks, %d buffers %+v: %v, bounds %v to %v, with one buffer less %v", k, b, x, got, low,
					high, last)
			}
			last = run.Total()
			ordered(t, run, k, b)
		}
	}
}

func ordered(t *testing.T, run *machine.Run, k, b int) {
	t.Helper()
	wire := append(append([]machine.Span{{To: run.First}}, run.Load...), run.Store...)
	for i, a := range wire {
		for _, c := range wire[i+1:] {
			if a.From < c.To-1e-9 && c.From < a.To-1e-9 {
				t.Fatalf("two copies at once: %v %v", a, c)
			}
		}
	}
	for i := range k {
		if run.Math[i].From < run.Load[i].To || run.Store[i].From < run.Math[i].To {
			t.Fatalf("block %d begins too early", i)
		}
		if i > 0 && run.Math[i].From < run.Math[i-1].To {
			t.Fatalf("two multiplications at once: block %d", i)
		}
		if i >= b && (run.Load[i].From < run.Math[i-b].To || run.Math[i].From < run.Store[i-b].To) {
			t.Fatalf("two blocks in one buffer: block %d", i)
		}
	}
}

// Every array multiplies: what leaves is the product, each sum in the cycle that its diagonal says, the last of them in
// the last cycle and no earlier, and n^2 multiply-adds have been done for each row.
func TestEveryArrayMultiplies(t *testing.T) {
	for n := 2; n <= 8; n++ {
		for rows := 1; rows <= 12; rows++ {
			for _, load := range []bool{false, true} {
				a := machine.NewArray(n, rows, load)
				a.Run(a.Cycles() - 1)
				if left, equal := a.Checked(); left != n*rows-1 || !equal {
					t.Fatalf("side %d, %d rows: %d sums have left before the last cycle, equal %v", n, rows, left,
						equal)
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
							t.Fatalf("side %d, row %d, column %d: %d in cycle %d, want %d", n, i, j, sum.Value,
								sum.Cycle, want)
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
