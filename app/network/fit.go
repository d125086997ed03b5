package network

import (
	"math"
	"strconv"

	q "github.com/scalebook/scalebook/app/quantity"
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
}

// Time is what the line says for a transfer.
func (f AlphaBeta) Time(b q.Bytes) q.Seconds { return f.Alpha + b.Over(f.Bandwidth) }

// Knee is the size at which Alpha is half of the time: Alpha x Bandwidth.
func (f AlphaBeta) Knee() q.Bytes {
	if f.Alpha == 0 {
		return 0
	}
	return q.Bytes(float64(f.Alpha) * float64(f.Bandwidth))
}

// FitAlphaBeta is the line with the least sum of squared relative errors, so that microseconds count as much as seconds:
// with u = 1/t and w = x/t it minimises the sum of (alpha u + beta w - 1)^2, which is linear in alpha and beta. Neither
// may be negative: where the free line has one below 0, the best line without it is taken. One point, or points of one
// size, give a line through the origin. There must be at least one point, of positive size and time.
func FitAlphaBeta(points []Point) (AlphaBeta, error) {
	var uu, uw, ww, u, w float64
	differ := false
	for i, p := range points {
		x, t := float64(p.Bytes), float64(p.Time)
		if !(x > 0) || !(t > 0) || math.IsInf(x, 1) || math.IsInf(t, 1) {
			return AlphaBeta{}, &Error{What: "point " + strconv.Itoa(i+1) + " has " + number(x) + " bytes in " + number(t) + " s", Remedy: "give sizes and times above 0"}
		}
		differ = differ || p.Bytes != points[0].Bytes
		uu, uw, ww, u, w = uu+1/(t*t), uw+x/(t*t), ww+x*x/(t*t), u+1/t, w+x/t
	}
	if len(points) == 0 {
		return AlphaBeta{}, &Error{What: "no points to fit", Remedy: "give at least one"}
	}
	alpha, beta := 0.0, w/ww
	if det := uu*ww - uw*uw; differ && det > 0 {
		alpha, beta = (u*ww-w*uw)/det, (w*uu-u*uw)/det
		switch {
		case alpha < 0:
			alpha, beta = 0, w/ww
		case beta < 0:
			alpha, beta = u/uu, 0
		}
	}
	f := AlphaBeta{Alpha: q.Seconds(alpha), Bandwidth: q.Bandwidth(1 / beta)}
	for _, p := range points {
		f.Worst = max(f.Worst, math.Abs(float64(f.Time(p.Bytes)/p.Time)-1))
	}
	return f, nil
}
