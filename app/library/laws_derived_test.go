package library

import (
	"math"
	"math/rand/v2"
	"testing"
)

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
	law := calling(t)
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		M, K, N := 1+r.IntN(50), 1+r.IntN(50), 1+r.IntN(50)
		bm, bn, x, y := 1+r.IntN(20), 1+r.IntN(20), 1+r.IntN(4), 1+r.IntN(4)
		got := law("tiled_matmul_bytes", float64(M), float64(K), float64(N), float64(bm), float64(bn), float64(x), float64(y))
		if want := countTiles(M, K, N, bm, bn, x, y); got != float64(want) {
			t.Fatalf("M,K,N=%d,%d,%d tile %dx%d: %v bytes, walked %d", M, K, N, bm, bn, got, want)
		}
	}
}

func TestTiles(t *testing.T) {
	law := calling(t)
	got, want := law("tiled_matmul_bytes", 96, 32, 64, 96, 64, 2, 2), law("matmul_bytes", 96, 32, 64, 2, 2, 2)
	if got != want {
		t.Errorf("a tile as large as the output moves %v, the untiled law says %v", got, want)
	}
	limit := law("tile_intensity", 128, 256, 2)
	if want := float64(128*256) / (128 + 256); limit != want {
		t.Errorf("bf16 tile intensity %v, want bm bn/(bm+bn) = %v", limit, want)
	}
	long := law("matmul_flops", 1024, 1e9, 2048) / law("tiled_matmul_bytes", 1024, 1e9, 2048, 128, 256, 2, 2)
	if !near(long, limit, 1e-5) {
		t.Errorf("intensity at K=1e9 is %v, the limit %v", long, limit)
	}
}

// TestCriticalBatchBalancesTheTwoTimes: at the exact critical batch computing and moving take equally long; where
// there is none, computing takes less at a batch beyond all reason.
func TestCriticalBatchBalancesTheTwoTimes(t *testing.T) {
	law := calling(t)
	r := rand.New(rand.NewPCG(3, 4))
	found := 0
	for range 500 {
		D, F := 64+math.Ceil(math.Exp(r.Float64()*11)), 64+math.Ceil(math.Exp(r.Float64()*11))
		peak, bw := 1e14*(1+20*r.Float64()), 1e12*(0.5+8*r.Float64())
		x, w, y := float64(1+r.IntN(4)), float64(1+r.IntN(4)), float64(1+r.IntN(4))
		balance := func(B float64) float64 {
			return law("matmul_flops", B, D, F) / peak / (law("matmul_bytes", B, D, F, x, w, y) / bw)
		}
		if 2*D*F*bw/peak <= x*D+y*F {
			if balance(1e15) > 1 {
				t.Fatalf("D=%v F=%v: compute-bound at B=1e15, and no critical batch", D, F)
			}
			continue
		}
		found++
		B := law("critical_batch_exact", peak, bw, D, F, x, w, y)
		if !near(balance(B), 1, 1e-9) || B < law("critical_batch", peak, bw, w)*(1-1e-12) {
			t.Fatalf("at B=%v the times are as %v", B, balance(B))
		}
	}
	if found < 100 {
		t.Fatalf("only %d of 500 cases had a critical batch: the test says too little", found)
	}
	B, limit := law("critical_batch_exact", 1.97e14, 8.2e11, 1e9, 1e9, 2, 2, 2), law("critical_batch", 1.97e14, 8.2e11, 2)
	if !near(B, limit, 1e-5) {
		t.Errorf("at D=F=1e9: %v; the limit is %v", B, limit)
	}
}

// TestRooflineOfMatmuls: intensity, ridge and attainable rate say the same as the two times.
func TestRooflineOfMatmuls(t *testing.T) {
	law := calling(t)
	r := rand.New(rand.NewPCG(5, 6))
	size := func() float64 { return math.Ceil(math.Exp(r.Float64() * 11)) }
	for range 300 {
		B, D, F := size(), size(), size()
		w := float64(1 + r.IntN(2))
		peak, bw := 1e15*r.Float64()+1, 1e12*r.Float64()+1
		ops := law("matmul_flops", B, D, F)
		compute, comms := ops/peak, law("matmul_bytes", B, D, F, 2, w, 2)/bw
		I, ridge := law("matmul_intensity", B, D, F, 2, w, 2), law("ridge", peak, bw)
		if !near(I, ridge, 1e-12) && (compute > comms) != (I > ridge) {
			t.Fatalf("times %v, %v; intensity %v against ridge %v says otherwise", compute, comms, I, ridge)
		}
		if rate := ops / max(compute, comms); !near(rate, law("attainable", peak, bw, I), 1e-9) {
			t.Fatalf("rate from times %v, from the roofline %v", rate, law("attainable", peak, bw, I))
		}
		if law("matmul_intensity", 2*B, D, F, 2, w, 2) < I || I > 2*B/w {
			t.Fatalf("intensity %v: a larger batch lowered it, or it is above its limit 2B/w", I)
		}
	}
}

// TestRuns: two laws undo each other, and make of a published run what was published.
func TestRuns(t *testing.T) {
	law := calling(t)
	work, chips, peak, mfu := 1e24, 4096.0, 459e12, 0.45
	if got := law("run_mfu", work, chips*law("run_time", work, chips, peak, mfu), peak); !near(got, mfu, 1e-12) {
		t.Errorf("run_mfu undoes run_time: %v", got)
	}
	days := law("run_time", law("training_flops", 405.85e9, 15.6e12), 16384, 989e12, 400.0/989) / 86400
	if !near(days, 67, 0.01) {
		t.Errorf("Llama 3.1 405B at 400 TFLOP/s on 16,384 chips: %v days", days)
	}
}
