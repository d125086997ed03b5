package network

import (
	"math"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
	q "github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/spell"
)

// Point is a measured transfer.
type Point struct {
	Bytes q.Bytes
	Time  q.Seconds
}

// AlphaBeta is a straight line through measured times: T = Alpha + Bytes/Bandwidth.
type AlphaBeta struct {
	Alpha     q.Seconds
	Bandwidth q.Bandwidth // infinite if the times do not grow with the bytes
	Worst     float64     // the largest relative error among the points, |T/measured - 1|
	Least     q.Bytes     // the sizes of the points: the line says nothing of what lies below
	Most      q.Bytes     // or above
}

// Time is what the line says for a transfer of b bytes: alpha + b/bandwidth.
func (f AlphaBeta) Time(b q.Bytes) q.Seconds { return f.Alpha + b.Over(f.Bandwidth) }

// Knee is the size at which Alpha is half of the time: Alpha x Bandwidth.
func (f AlphaBeta) Knee() q.Bytes {
	if f.Alpha == 0 {
		return 0
	}
	return q.Bytes(float64(f.Alpha) * float64(f.Bandwidth))
}

// FitAlphaBeta is the line with the least sum of squared relative errors, so that microseconds count as much as
// seconds: with u = 1/t and w = x/t it minimises the sum of (alpha u + beta w - 1)^2, which is linear in alpha and
// beta. Neither may be negative: where the free line has one below 0, the best line without it is taken. A single point
// gives a line through the origin; several points of one size give none. All sizes and times are positive.
func FitAlphaBeta(points []Point) (AlphaBeta, error) {
	var uu, uw, ww, u, w float64
	f := AlphaBeta{Least: q.Bytes(math.Inf(1))}
	for i, p := range points {
		x, t := float64(p.Bytes), float64(p.Time)
		if !(x > 0) || !(t > 0) || math.IsInf(x, 1) || math.IsInf(t, 1) {
			return AlphaBeta{}, phrase.Fault{
				What:   phrase.New("network.bad-point", "n", i+1, "bytes", number(x), "time", number(t)),
				Remedy: phrase.New("network.give-point"),
			}
		}
		f.Least, f.Most = min(f.Least, p.Bytes), max(f.Most, p.Bytes)
		uu, uw, ww, u, w = uu+1/(t*t), uw+x/(t*t), ww+x*x/(t*t), u+1/t, w+x/t
	}
	switch {
	case len(points) == 0:
		return AlphaBeta{}, phrase.Fault{What: phrase.New("network.no-points"), Remedy: phrase.New("network.one-point")}
	case len(points) > 1 && f.Least == f.Most:
		return AlphaBeta{}, phrase.Fault{
			What:   phrase.New("network.one-size", "size", f.Most.Quantity()),
			Remedy: phrase.New("network.another-size"),
		}
	}
	alpha, beta := 0.0, w/ww
	if det := uu*ww - uw*uw; f.Least < f.Most && det > 0 {
		alpha, beta = (u*ww-w*uw)/det, (w*uu-u*uw)/det
		switch {
		case alpha < 0:
			alpha, beta = 0, w/ww
		case beta < 0:
			alpha, beta = u/uu, 0
		}
	}
	f.Alpha, f.Bandwidth = q.Seconds(alpha), q.Bandwidth(1/beta)
	for _, p := range points {
		f.Worst = max(f.Worst, math.Abs(float64(f.Time(p.Bytes)/p.Time)-1))
	}
	return f, nil
}

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

// Time is what the curve says for an array of b bytes, within Least and Most or beyond.
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

// mostPoints bounds the measurements of a text.
const mostPoints = 1000

// ReadPoints reads measurements, a line each or with semicolons between them: the size of the array and what it took,
// "64 MiB 339 us", or its bus bandwidth, "64 MiB 346.5 GB/s", of which share bytes cross a link for each byte of the
// array. It takes the table of NCCL's tests as it is printed: sizes in bytes, times in microseconds, the columns of
// operations out of place. Lines that begin with # are left out, and so is a head without numbers.
func ReadPoints(text string, share float64) ([]Point, error) {
	var points []Point
	n := 0
	for line := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' || r == ';' }) {
		line = strings.TrimSpace(line)
		if n++; line == "" || line[0] == '#' || n == 1 && isHead(line) && !isHead(text) {
			continue
		}
		p, ok := readTest(strings.Fields(line))
		if !ok {
			if p, ok = readPoint(line, share); !ok {
				return nil, phrase.Fault{
					What: phrase.New("network.bad-measurement", "n", n, "line",
						spell.Clip(strings.ToValidUTF8(line, ""), 40)),
					Remedy: phrase.New("network.write-measurement"),
				}
			}
		}
		if points = append(points, p); len(points) > mostPoints {
			return nil, phrase.Fault{
				What:   phrase.New("network.many-points", "most", mostPoints),
				Remedy: phrase.New("network.fewer-points"),
			}
		}
	}
	return points, nil
}

// isHead tells a line that names columns.
func isHead(line string) bool { return !strings.ContainsAny(line, "0123456789") }

// readTest reads a line of NCCL's tests: size, count, type, operation, root, time, and more.
func readTest(cells []string) (p Point, ok bool) {
	if len(cells) < 8 {
		return p, false
	}
	size, err := strconv.ParseFloat(cells[0], 64)
	time, err2 := strconv.ParseFloat(cells[5], 64)
	return Point{Bytes: q.Bytes(size), Time: q.Seconds(time * 1e-6)}, err == nil && err2 == nil && size > 0 && time > 0
}

// readPoint reads a size and a time or a bus bandwidth.
func readPoint(line string, share float64) (p Point, ok bool) {
	size, n, err := q.Literal(line)
	if err != nil || size.Dim != q.Bytes(1).Quantity().Dim {
		return p, false
	}
	rest := strings.Trim(line[n:], " \t,:")
	took, n, err := q.Literal(rest)
	if err != nil || n < len(rest) || !(size.Value > 0 && took.Value > 0) {
		return p, false
	}
	p = Point{Bytes: q.Bytes(size.Value), Time: q.Seconds(took.Value)}
	if took.Dim == q.Bandwidth(1).Quantity().Dim {
		p.Time = q.Seconds(share * size.Value / took.Value)
		return p, true
	}
	return p, took.Dim == q.Seconds(1).Quantity().Dim
}
