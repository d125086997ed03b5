package roofline

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	q "github.com/scalebook/scalebook/app/quantity"
)

func close(got, want, tol float64) bool { return math.Abs(got-want) <= tol*math.Abs(want) }

// sizes draws positive sizes over several decades.
func sizes(r *rand.Rand, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = math.Ceil(math.Exp(r.Float64() * 11))
	}
	return out
}

// countMatmul multiplies for real and counts, an independent way to the exact law.
func countMatmul(B, D, F int) (ops int) {
	for range B * F {
		sum := false
		for range D {
			ops++ // the product
			if sum {
				ops++ // its addition to what is there
			}
			sum = true
		}
	}
	return ops
}

func TestMatmulCountedByHand(t *testing.T) {
	for _, s := range [][3]int{{1, 1, 1}, {2, 3, 4}, {7, 5, 3}, {1, 64, 9}} {
		got := MatmulFLOPsExact(float64(s[0]), float64(s[1]), float64(s[2]))
		if want := countMatmul(s[0], s[1], s[2]); float64(got) != float64(want) {
			t.Errorf("MatmulFLOPsExact%v = %v, counted %d", s, got, want)
		}
		approx := MatmulFLOPs(float64(s[0]), float64(s[1]), float64(s[2]))
		if float64(approx-got) != float64(s[0]*s[2]) {
			t.Errorf("MatmulFLOPs%v exceeds the exact count by %v, want B F", s, approx-got)
		}
	}
}

// countTiles walks the tiles of a blocked matmul and adds up what each load moves.
func countTiles(M, K, N, bm, bn, x, y int) (bytes int) {
	for i := 0; i < M; i += bm {
		for j := 0; j < N; j += bn {
			rows, cols := min(bm, M-i), min(bn, N-j)
			bytes += x*rows*K + x*K*cols + y*rows*cols
		}
	}
	return bytes
}

func TestTiledBytesAgreeWithAWalk(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		M, K, N := 1+r.IntN(50), 1+r.IntN(50), 1+r.IntN(50)
		bm, bn, x, y := 1+r.IntN(20), 1+r.IntN(20), 1+r.IntN(4), 1+r.IntN(4)
		got := TiledMatmulBytes(float64(M), float64(K), float64(N), float64(bm), float64(bn), q.Bytes(x), q.Bytes(y))
		if want := countTiles(M, K, N, bm, bn, x, y); float64(got) != float64(want) {
			t.Fatalf("M,K,N=%d,%d,%d tile %dx%d: %v bytes, walked %d", M, K, N, bm, bn, got, want)
		}
	}
}

func TestOneTileIsTheWholeMatmul(t *testing.T) {
	b := Widths{2, 2, 2}
	if got, want := TiledMatmulBytes(96, 32, 64, 96, 64, 2, 2), MatmulBytes(96, 32, 64, b); got != want {
		t.Errorf("a tile as large as the output moves %v, the untiled law says %v", got, want)
	}
}

func TestTileIntensityIsTheLongKLimit(t *testing.T) {
	const M, N, bm, bn, K = 1024, 2048, 128, 256, 1e9
	bytes := TiledMatmulBytes(M, K, N, bm, bn, 2, 2)
	got := float64(MatmulFLOPs(M, K, N)) / float64(bytes)
	if want := float64(TileIntensity(bm, bn, 2)); !close(got, want, 1e-5) {
		t.Errorf("intensity at K=1e9 is %v, the limit %v", got, want)
	}
	if want := float64(bm*bn) / (bm + bn); float64(TileIntensity(bm, bn, 2)) != want {
		t.Errorf("bf16 tile intensity %v, want bm bn/(bm+bn) = %v", TileIntensity(bm, bn, 2), want)
	}
}

func TestCriticalBatchBalancesTheTwoTimes(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	found := 0
	for range 500 {
		s := sizes(r, 2)
		D, F := s[0]+64, s[1]+64
		peak, bw := q.FLOPRate(1e14*(1+20*r.Float64())), q.Bandwidth(1e12*(0.5+8*r.Float64()))
		b := Widths{q.Bytes(1 + r.IntN(4)), q.Bytes(1 + r.IntN(4)), q.Bytes(1 + r.IntN(4))}
		B, err := CriticalBatchExact(peak, bw, D, F, b)
		if err != nil {
			assertNeverComputeBound(t, peak, bw, D, F, b)
			continue
		}
		found++
		math, comms := MatmulFLOPs(B, D, F).Over(peak), MatmulBytes(B, D, F, b).Over(bw)
		if !close(float64(math), float64(comms), 1e-9) {
			t.Fatalf("at B=%v T_math=%v, T_comms=%v", B, math, comms)
		}
		if B < CriticalBatch(peak, bw, b.W)*(1-1e-12) {
			t.Fatalf("exact critical batch %v below its limit %v", B, CriticalBatch(peak, bw, b.W))
		}
	}
	if found < 100 {
		t.Fatalf("only %d of 500 cases had a critical batch: the test says too little", found)
	}
}

// assertNeverComputeBound checks the claim of ErrNeverComputeBound at a batch beyond all reason.
func assertNeverComputeBound(t *testing.T, peak q.FLOPRate, bw q.Bandwidth, D, F float64, b Widths) {
	t.Helper()
	at := Bounds{MatmulFLOPs(1e15, D, F).Over(peak), MatmulBytes(1e15, D, F, b).Over(bw)}
	if at.ComputeBound() {
		t.Fatalf("D=%v F=%v %v: said to be never compute-bound, but is at B=1e15", D, F, b)
	}
}

func TestCriticalBatchTendsToItsLimit(t *testing.T) {
	const peak, bw = 1.97e14, 8.2e11
	B, err := CriticalBatchExact(peak, bw, 1e9, 1e9, Widths{2, 2, 2})
	if err != nil || !close(B, CriticalBatch(peak, bw, 2), 1e-5) {
		t.Errorf("at D=F=1e9: %v, %v; the limit is %v", B, err, CriticalBatch(peak, bw, 2))
	}
}

// The values are recomputations of the problems of Austin et al., "How To Scale Your Model" (2025), chapter 1.
func TestPublishedProblems(t *testing.T) {
	exact := func(D float64) float64 {
		B, err := CriticalBatchExact(1.97e14, 8.2e11, D, D, Widths{2, 1, 2})
		if err != nil {
			t.Fatal(err)
		}
		return B
	}
	for _, c := range []struct {
		what      string
		got, want float64
	}{
		{"int8 matmul, time to compute (s)", float64(MatmulFLOPs(256, 4096, 16384).Over(3.94e14)), 87.20745778680202e-6},
		{"int8 matmul, time to move (s)", float64(MatmulBytes(256, 4096, 16384, Widths{1, 1, 1}).Over(8.1e11)), 89.32314074074074e-6},
		{"int8 weights, bf16 compute: critical batch", CriticalBatch(1.97e14, 8.2e11, 1), 120.1219512195122},
		{"the same, exact, D=F=4096", exact(4096), 136.08570117920073},
		{"the same, exact, D=F=1024", exact(1024), 226.314844731646},
		{"a matrix for each row", float64(BatchedMatmulFLOPs(256, 4096, 4096)) / float64(BatchedMatmulBytes(256, 4096, 4096, Widths{1, 1, 1})), 1.9990239141044412},
		{"two chips, least width", TwoChipMinWidth(1.97e14, 4.5e10, 2), 8755.555555555555},
		{"two chips, computing (s)", float64(TwoChipMath(1024, 8192, 8192, 1.97e14)), 348.8298311472081e-6},
		{"two chips, sending (s)", float64(TwoChipComms(1024, 8192, 2, 4.5e10)), 372.82702222222224e-6},
		{"dot product of a million", float64(DotFLOPs(1e6)) / float64(DotBytes(1e6, 2, 2)), 0.49999950000025},
	} {
		if !close(c.got, c.want, 1e-12) {
			t.Errorf("%s: %v, want %v", c.what, c.got, c.want)
		}
	}
}

func TestLaws(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		s := sizes(r, 3)
		B, D, F := s[0], s[1], s[2]
		w := Widths{2, q.Bytes(1 + r.IntN(2)), 2}
		peak, bw := q.FLOPRate(1e15*r.Float64()+1), q.Bandwidth(1e12*r.Float64()+1)
		at := Bounds{MatmulFLOPs(B, D, F).Over(peak), MatmulBytes(B, D, F, w).Over(bw)}
		if at.Upper() > 2*at.Lower() || at.Lower() > at.Upper() {
			t.Fatalf("bounds out of order: %v", at)
		}
		I := MatmulIntensity(B, D, F, w)
		if ridge := Ridge(peak, bw); !close(float64(I), float64(ridge), 1e-12) && at.ComputeBound() != (I > ridge) {
			t.Fatalf("time says compute-bound %v, intensity %v against ridge %v says otherwise", at.ComputeBound(), I, ridge)
		}
		rate := float64(MatmulFLOPs(B, D, F)) / float64(at.Lower())
		if !close(rate, float64(Attainable(peak, bw, I)), 1e-9) {
			t.Fatalf("rate from times %v, from the roofline %v", rate, Attainable(peak, bw, I))
		}
		if float64(MatmulIntensity(2*B, D, F, w)) < float64(I) {
			t.Fatalf("a larger batch lowered the intensity")
		}
		if lim := 2 * B / float64(w.W); float64(I) > lim {
			t.Fatalf("intensity %v above its limit 2B/w = %v", I, lim)
		}
	}
}

func TestNeverComputeBound(t *testing.T) {
	_, err := CriticalBatchExact(1.97e14, 4.5e10, 64, 64, Widths{2, 2, 2})
	if !errors.Is(err, ErrNeverComputeBound) {
		t.Errorf("a 64-wide matmul over a 45 GB/s link: %v", err)
	}
}
