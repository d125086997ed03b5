package network

import (
	"math"
	"math/rand/v2"
	"testing"

	q "github.com/scalebook/scalebook/app/quantity"
)

// loss is the sum of squared relative errors that a fit keeps small.
func loss(points []Point, alpha, beta float64) float64 {
	sum := 0.0
	for _, p := range points {
		e := (alpha+beta*float64(p.Bytes))/float64(p.Time) - 1
		sum += e * e
	}
	return sum
}

// TestFitIsTheBestLine: no line nearby, with neither number negative, has a smaller loss, for points with much noise.
func TestFitIsTheBestLine(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		var points []Point
		alpha, beta := 1e-5*r.Float64(), 1e-11*(0.1+r.Float64())
		for range 2 + r.IntN(6) {
			x := math.Exp(8 + 12*r.Float64())
			points = append(points, Point{q.Bytes(x), q.Seconds((alpha + beta*x) * math.Exp(r.NormFloat64()))})
		}
		fit, err := FitAlphaBeta(points)
		if err != nil {
			t.Fatal(err)
		}
		a, b := float64(fit.Alpha), 1/float64(fit.Bandwidth)
		if a < 0 || b < 0 {
			t.Fatalf("%+v", fit)
		}
		best := loss(points, a, b)
		for range 200 {
			a2, b2 := a*(1+0.3*r.NormFloat64())+1e-7*r.Float64()*float64(
				r.IntN(2),
			), b*(1+0.3*r.NormFloat64())+1e-14*r.Float64()*float64(
				r.IntN(2),
			)
			if a2 >= 0 && b2 >= 0 && loss(points, a2, b2) < best*(1-1e-9) {
				t.Fatalf("%v: alpha %v beta %v loses %v, alpha %v beta %v %v", points, a, b, best, a2, b2, loss(points, a2, b2))
			}
		}
	}
}

func TestFitOfExactPoints(t *testing.T) {
	fit, err := FitAlphaBeta([]Point{{1e3, 13*us + 1e3/90e9}, {1e7, 13*us + 1e7/90e9}})
	if err != nil || !close(float64(fit.Alpha), 13*us, 1e-6) || !close(float64(fit.Bandwidth), 90e9, 1e-6) ||
		fit.Worst > 1e-9 {
		t.Errorf("%+v, %v", fit, err)
	}
	if !close(float64(fit.Knee()), 13*us*90e9, 1e-6) || !close(float64(fit.Time(fit.Knee())), 26*us, 1e-6) {
		t.Errorf("knee %v", fit.Knee())
	}
}

func TestFitOfFewPoints(t *testing.T) {
	one, err := FitAlphaBeta([]Point{{1e6, 1e-3}})
	if err != nil || one.Alpha != 0 || !close(float64(one.Bandwidth), 1e9, 1e-12) || one.Knee() != 0 {
		t.Errorf("one point: %+v, %v", one, err)
	}
	same, err := FitAlphaBeta([]Point{{1e6, 1e-3}, {1e6, 2e-3}})
	if err == nil ||
		err.Error() != "all points have one size, 1 MB, which tells no latency from bandwidth; give a point of another size" {
		t.Errorf("one size: %+v, %v", same, err)
	}
	if two, err := FitAlphaBeta([]Point{{1e6, 1e-3}, {1e6, 2e-3}, {3e6, 4e-3}}); err != nil || two.Least != 1e6 ||
		two.Most != 3e6 {
		t.Errorf("two sizes: %+v, %v", two, err)
	}
	flat, err := FitAlphaBeta([]Point{{1e3, 1e-5}, {1e6, 1e-5}, {1e7, 0.9e-5}})
	if err != nil || !math.IsInf(float64(flat.Bandwidth), 1) || !close(float64(flat.Time(1e9)), 0.97e-5, 0.01) {
		t.Errorf("times that do not grow: %+v, %v", flat, err)
	}
	for _, bad := range [][]Point{nil, {{0, 1}}, {{1, 0}}, {{-1, 1}}, {{q.Bytes(math.NaN()), 1}},
		{{1, q.Seconds(math.Inf(1))}}} {
		if fit, err := FitAlphaBeta(bad); err == nil {
			t.Errorf("%v: %+v", bad, fit)
		}
	}
}
