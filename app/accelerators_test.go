package main

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/scalebook/scalebook/app/widget"
)

// row is the value of a row of a sheet of the content, in base units, at some inputs: "n=4", "B=3".
func row(t *testing.T, file, name string, inputs ...string) float64 {
	t.Helper()
	src, err := findSheet("../content/"+file, streams{})
	if err != nil {
		t.Fatal(err)
	}
	sh, errs := src.compile(widget.Env())
	if len(errs) > 0 {
		t.Fatal(errs[0])
	}
	var sets settings
	for _, in := range inputs {
		if err := sets.Set(in); err != nil {
			t.Fatal(err)
		}
	}
	state, wrong := src.set(sh, nil, sets, streams{})
	if len(wrong) > 0 {
		t.Fatal(wrong)
	}
	v, err := sh.Eval(state).Value(name)
	if err != nil {
		t.Fatal(err)
	}
	return v.Num.Value
}

// set is an input's value as a reader would type it.
func set(name string, value float64, unit string) string {
	return name + "=" + strconv.FormatFloat(value, 'f', -1, 64) + " " + unit
}

// systolic multiplies X [B, n] by W [n, n] cell by cell and cycle by cycle: activations go right, sums go down. It
// returns the product and the cycles until the last sum has left.
func systolic(t *testing.T, X, W [][]float64) (Y [][]float64, cycles int) {
	B, n := len(X), len(W)
	type cell struct {
		x, sum float64
		row    int // of the batch; -1 where there is none
	}
	grid := make([][]cell, n)
	for k := range grid {
		grid[k] = make([]cell, n)
		for c := range grid[k] {
			grid[k][c].row = -1
		}
	}
	Y = make([][]float64, B)
	for i := range Y {
		Y[i] = make([]float64, n)
	}
	for left := B * n; left > 0; cycles++ {
		next := make([][]cell, n)
		for k := range next {
			next[k] = make([]cell, n)
			for c := range next[k] {
				in := cell{row: -1}
				if c > 0 {
					in = grid[k][c-1]
				} else if i := cycles - k; i >= 0 && i < B {
					in = cell{x: X[i][k], row: i}
				}
				above := 0.0
				if k > 0 && in.row >= 0 {
					if grid[k-1][c].row != in.row {
						t.Fatalf("cycle %d, cell %d %d: row %d meets the sums of row %d", cycles, k, c, in.row,
							grid[k-1][c].row)
					}
					above = grid[k-1][c].sum
				}
				next[k][c] = cell{x: in.x, sum: above + in.x*W[k][c], row: in.row}
			}
		}
		grid = next
		for c := range n {
			if i := grid[n-1][c].row; i >= 0 {
				Y[i][c] = grid[n-1][c].sum
				left--
			}
		}
	}
	return Y, cycles
}

// TestSystolicArray: a machine built as the chapter describes it multiplies matrices, and takes as long as its box
// says.
func TestSystolicArray(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	random := func(rows, columns int) [][]float64 {
		m := make([][]float64, rows)
		for i := range m {
			m[i] = make([]float64, columns)
			for j := range m[i] {
				m[i][j] = float64(r.IntN(19) - 9)
			}
		}
		return m
	}
	for _, size := range [][2]int{{1, 4}, {8, 4}, {3, 7}, {20, 16}} {
		B, n := size[0], size[1]
		X, W := random(B, n), random(n, n)
		Y, cycles := systolic(t, X, W)
		for i := range Y {
			for j := range Y[i] {
				want := 0.0
				for k := range n {
					want += X[i][k] * W[k][j]
				}
				if Y[i][j] != want {
					t.Fatalf("%d rows, side %d: Y[%d][%d] is %v, want %v", B, n, i, j, Y[i][j], want)
				}
			}
		}
		if want := row(t, "accelerators.md#fill", "alone", set("B", float64(B), ""), set("n", float64(n), "")); float64(
			cycles,
		) != want {
			t.Errorf("%d rows, side %d: %d cycles, the box says %v", B, n, cycles, want)
		}
	}
}

// TestStreamedMatmul: blocks sent through two buffers one by one take what the chapter's formula says.
func TestStreamedMatmul(t *testing.T) {
	for _, B := range []float64{8, 100, 256, 2000} {
		for _, k := range []float64{1, 2, 5, 64} {
			in := []string{set("B", B, ""), set("k", k, ""), "start=0 s"}
			load := row(t, "accelerators.md#stream", "T_copy", in...) / k
			compute := row(t, "accelerators.md#stream", "T_math", in...) / k
			var loaded, used []float64 // when each block is there, and done with
			for i := range int(k) {
				begin := 0.0
				if i > 0 {
					begin = loaded[i-1]
				}
				if i > 1 {
					begin = max(begin, used[i-2])
				}
				loaded = append(loaded, begin+load)
				begin = loaded[i]
				if i > 0 {
					begin = max(begin, used[i-1])
				}
				used = append(used, begin+compute)
			}
			got, want := used[len(used)-1], row(t, "accelerators.md#stream", "T", in...)
			if math.Abs(got-want) > 1e-9*want {
				t.Errorf("%v tokens in %v blocks: %v s one by one, the box says %v", B, k, got, want)
			}
		}
	}
}

// TestBuffersUnderWay: copies that are asked for, filled and used in n buffers come as fast as the problem's box says.
func TestBuffersUnderWay(t *testing.T) {
	const blocks = 3000
	for _, n := range []int{2, 3, 8, 9, 20} {
		for _, size := range []float64{4096, 131072, 4 << 20} {
			in := []string{set("n", float64(n), ""), set("b", size, "byte")}
			W := row(t, "accelerators-problems.md#depth", "W", in...)
			transfer, unit := size/W, 0.0
			free := make([]float64, n) // when each buffer may be asked for again
			var busy float64           // until when the link carries something
			for i := range blocks {
				arrived := max(free[i%n]+1e-6, busy) + transfer
				busy = arrived
				unit = max(arrived, unit) + transfer
				free[i%n] = unit
			}
			got, want := blocks*size/unit, row(t, "accelerators-problems.md#depth", "reached", in...)
			if math.Abs(got-want) > 0.01*want {
				t.Errorf("%d buffers of %v bytes: %v byte/s, the box says %v", n, size, got, want)
			}
		}
	}
}

// TestOffloadedOptimizer: at the batch that the problem's box gives, compute time and communication time agree, on any
// number of chips.
func TestOffloadedOptimizer(t *testing.T) {
	for _, N := range []float64{1, 64, 8192} {
		for _, chip := range []string{"tpu.v5e", "tpu.v5p", "tpu.v6e"} {
			in := []string{"chip=" + chip, set("N", N, "")}
			B := row(t, "accelerators-problems.md#offload-optimizer", "B_min", in...)
			in = append(in, set("B", B, ""))
			pcie := row(t, "accelerators-problems.md#offload-optimizer", "T_pcie", in...)
			compute := row(t, "accelerators-problems.md#offload-optimizer", "T_math", in...)
			if math.Abs(pcie-compute) > 1e-9*pcie {
				t.Errorf("%s, %v chips: %v and %v s", chip, N, pcie, compute)
			}
		}
	}
}
