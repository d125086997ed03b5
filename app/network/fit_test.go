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
				t.Fatalf("%v: alpha %v beta %v loses %v, alpha %v beta %v %v", points, a, b, best, a2, b2,
					loss(points, a2, b2))
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
		err.Error() != "all points have one size, 1 MB: latency and bandwidth can’t be separated; "+
			"give a point of another size" {
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

// piped reads measurements of an all-reduce over eight devices: bus bandwidths by NCCL's definition.
func piped(t *testing.T, text string, share float64) ([]Point, Piped) {
	t.Helper()
	points, err := ReadPoints(text, share)
	if err != nil {
		t.Fatal(err)
	}
	f, err := FitPiped(points)
	if err != nil {
		t.Fatal(err)
	}
	return points, f
}

// Bekman's measurements (Machine Learning Engineering, network, 2026-08-22) lie on one curve each, and closer to it
// than to a straight line.
func TestPipedAgainstMeasurements(t *testing.T) {
	for _, c := range []struct {
		name, text   string
		share, worst float64
	}{
		{"H200", "32 KiB 1.44 GB/s; 256 KiB 11.74 GB/s; 4 MiB 107.16 GB/s; 16 MiB 219.89 GB/s; 64 MiB 346.51 GB/s",
			7. / 4, 0.06},
		{"B200", "32 KiB 1.2 GB/s; 1 MiB 36.06 GB/s; 16 MiB 254.96 GB/s; 64 MiB 400.6 GB/s; 1 GiB 723.34 GB/s; " +
			"16 GiB 845.67 GB/s", 7. / 4, 0.1},
		{"four nodes of B200", "1 MiB 5.37 GB/s; 16 MiB 64.43 GB/s; 64 MiB 156.74 GB/s; 1 GiB 361.99 GB/s; " +
			"16 GiB 381.8 GB/s", 31. / 16, 0.05},
	} {
		points, f := piped(t, c.text, c.share)
		line, err := FitAlphaBeta(points)
		if err != nil || f.Worst > c.worst || f.Worst > 0.6*line.Worst {
			t.Errorf("%s: %+v misses by %v, the line by %v, %v", c.name, f, f.Worst, line.Worst, err)
		}
	}
}

// What follows the law is found again.
func TestPipedFindsItself(t *testing.T) {
	for _, want := range []Piped{
		{Start: 40 * us, Bandwidth: 250e9, Fill: 5 * us},
		{Start: 9 * us, Bandwidth: 40e9},
		{Bandwidth: 40e9, Fill: 3 * us},
	} {
		var points []Point
		for size := q.Bytes(1 << 16); size < 1<<35; size *= 8 {
			points = append(points, Point{size, want.Time(size)})
		}
		got, err := FitPiped(points)
		if err != nil || !close(float64(got.Bandwidth), float64(want.Bandwidth), 1e-6) || got.Worst > 1e-9 {
			t.Errorf("%+v, %v, want %+v", got, err, want)
		}
	}
}

// The law is what the best number of pieces takes.
func TestPipedIsTheBestCutting(t *testing.T) {
	const steps, h, W = 7, 2 * us, 100e9
	f := Piped{Start: steps * h, Bandwidth: W, Fill: steps * h}
	for _, V := range []float64{1e5, 1e7, 1e9} {
		least := math.Inf(1)
		for p := 0.1; p < 1e6; p *= 1.001 {
			least = min(least, (p+steps)*(h+V/(p*W)))
		}
		if !close(float64(f.Time(q.Bytes(V))), least, 1e-5) {
			t.Errorf("%v bytes: %v, by cutting %v", V, f.Time(q.Bytes(V)), least)
		}
	}
}

func TestReadPoints(t *testing.T) {
	const table = "#  size  count  type  redop  root  time  algbw  busbw #wrong  time  algbw  busbw #wrong\n" +
		"   33554432   8388608   float   sum   -1   189.2   177.35   310.36   0   188.1   178.4   312.2   0\n" +
		"# Avg bus bandwidth    : 311\n"
	points, err := ReadPoints(table, 1)
	if err != nil || len(points) != 1 || points[0].Bytes != 33554432 ||
		!close(float64(points[0].Time), 189.2*us, 1e-9) {
		t.Errorf("%+v, %v", points, err)
	}
	points, err = ReadPoints("size, time\n1 MiB, 50 us\n 4MiB\t107.16 GB/s", 7./4)
	if err != nil || len(points) != 2 || !close(float64(points[1].Time), 68.5*us, 1e-3) {
		t.Errorf("%+v, %v", points, err)
	}
	for _, bad := range []string{"1 MiB", "50 us 1 MiB", "1 MiB 5", "1 MiB 0 s", "hello", "1 MiB 50 us and more"} {
		if points, err := ReadPoints(bad, 1); err == nil {
			t.Errorf("%q: %+v", bad, points)
		}
	}
}
