package network

import (
	"math"

	"github.com/scalebook/scalebook/app/phrase"
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
	Least     q.Bytes     // the sizes of the points: the line says nothing of what lies below
	Most      q.Bytes     // or above
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
