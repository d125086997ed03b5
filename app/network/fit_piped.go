package network

import (
	"math"

	q "github.com/scalebook/scalebook/app/quantity"
)

// Piped is the time of a collective whose array goes in pieces through the steps of its algorithm:
// T = Start + V/Bandwidth + 2 sqrt(Fill V/Bandwidth).
//
// Of p pieces, each step takes a start-up h and V/(p W). With s steps behind the first one the last piece is through
// after (p + s)(h + V/(p W)), which is least for p = sqrt(s V/(h W)): then it is s h + V/W + 2 sqrt(s h V/W). Fill is
// s h. Start has it too, and whatever comes once, as launching the kernel.
type Piped struct {
	Start     q.Seconds
	Bandwidth q.Bandwidth // bytes of the array a second, for the largest arrays
	Fill      q.Seconds
	Worst     float64 // the largest relative error among the points, |T/measured - 1|
	Least     q.Bytes // the sizes of the points
	Most      q.Bytes
}

// Time is what the curve says for an array.
func (f Piped) Time(b q.Bytes) q.Seconds {
	bytes := float64(b.Over(f.Bandwidth))
	return f.Start + q.Seconds(bytes+2*math.Sqrt(float64(f.Fill)*bytes))
}

// FitPiped is the curve with the least sum of squared relative errors. It is linear in 1, V and the root of V, none of
// which may count less than nothing: of all choices among them that have V, the best whose coefficients are not
// negative is taken. Points are refused as FitAlphaBeta does.
func FitPiped(points []Point) (Piped, error) {
	line, err := FitAlphaBeta(points)
	if err != nil {
		return Piped{}, err
	}
	f := Piped{Start: line.Alpha, Bandwidth: line.Bandwidth, Least: line.Least, Most: line.Most}
	least := f.loss(points)
	for _, terms := range [][]int{{0, 2}, {1, 2}, {0, 1, 2}} {
		if g, ok := pipedOf(points, terms); ok && len(points) >= len(terms) {
			if loss := g.loss(points); loss < least {
				least, f.Start, f.Bandwidth, f.Fill = loss, g.Start, g.Bandwidth, g.Fill
			}
		}
	}
	for _, p := range points {
		f.Worst = max(f.Worst, math.Abs(float64(f.Time(p.Bytes)/p.Time)-1))
	}
	return f, nil
}

// loss is the sum of squared relative errors.
func (f Piped) loss(points []Point) float64 {
	sum := 0.0
	for _, p := range points {
		e := float64(f.Time(p.Bytes)/p.Time) - 1
		sum += e * e
	}
	return sum
}

// pipedOf solves for the coefficients of some of the terms: 0 is the start, 1 the root of V, 2 is V, in units of the
// largest array, so that the equations are well scaled.
func pipedOf(points []Point, terms []int) (Piped, bool) {
	unit := q.Bytes(0)
	for _, p := range points {
		unit = max(unit, p.Bytes)
	}
	var m [3][4]float64 // of the normal equations, with their right side
	for _, p := range points {
		x, t := float64(p.Bytes/unit), float64(p.Time)
		row := [3]float64{1 / t, math.Sqrt(x) / t, x / t}
		for i, a := range terms {
			for j, b := range terms {
				m[i][j] += row[a] * row[b]
			}
			m[i][3] += row[a]
		}
	}
	var c [3]float64
	for i, x := range solve(m, len(terms)) {
		if c[terms[i]] = x; !(x >= 0) {
			return Piped{}, false
		}
	}
	f := Piped{Start: q.Seconds(c[0]), Bandwidth: q.Bandwidth(float64(unit) / c[2])}
	f.Fill = q.Seconds(c[1] * c[1] / (4 * c[2]))
	return f, c[2] > 0
}

// solve eliminates n equations, the largest pivots first. Where they have no single solution it is not finite.
func solve(m [3][4]float64, n int) []float64 {
	for i := range n {
		for j := i + 1; j < n; j++ {
			if math.Abs(m[j][i]) > math.Abs(m[i][i]) {
				m[i], m[j] = m[j], m[i]
			}
		}
		for j := range n {
			if r := m[j][i] / m[i][i]; j != i {
				for k := range m[j] {
					m[j][k] -= r * m[i][k]
				}
			}
		}
	}
	x := make([]float64, n)
	for i := range x {
		x[i] = m[i][3] / m[i][i]
	}
	return x
}
