package library

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// sample draws an argument of a parameter's type, as a sheet would write it.
func sample(r *rand.Rand, p value.Param) string {
	switch p.Type.Kind {
	case value.DType:
		return []string{"fp32", "bf16", "fp8", "int8", "fp4"}[r.IntN(5)]
	case value.Bool:
		return []string{"on", "off"}[r.IntN(2)]
	case value.Text:
		return sampleWord(r, p.Name)
	case value.Rec:
		return p.Type.Record.Members[r.IntN(len(p.Type.Record.Members))].ID
	}
	n := math.Ceil(math.Exp(1 + r.Float64()*9))
	unit := strings.Replace(p.Type.Dim.String(), "1/", "token/", 1)
	if strings.HasSuffix(unit, "/s") {
		n *= 1e9
	}
	return strings.TrimSpace(fmt.Sprintf("%g %s", n, unit))
}

// TestFormulas holds the Go function of each law that has one equal to its formula, at random arguments within their
// ranges. Every law can be read: its parameters, its units, its formula, its condition.
func TestFormulas(t *testing.T) {
	env := New()
	r := rand.New(rand.NewPCG(7, 8))
	seen := map[string]bool{}
	for _, l := range Laws() {
		if seen[l.Name] {
			t.Errorf("%s is declared twice", l.Name)
		}
		seen[l.Name] = true
		b := newLaw(env, &l)
		readable(t, b)
		if l.Formula == "" || l.Go == nil {
			continue
		}
		compared := 0
		for range 60 {
			compared += compareFormula(t, b, r)
		}
		if compared < 20 {
			t.Errorf("%s: only %d of 60 draws had values to compare", l.Name, compared)
		}
	}
}

// readable checks that what a law says in words can be read.
func readable(t *testing.T, b *boundLaw) {
	t.Helper()
	for i, p := range b.takes {
		noType := p.Kind == law.Record && b.params[i].Type.Record == nil
		noDType := p.Kind == law.DType && p.Default != "" && b.params[i].Default.Text == ""
		if p.Name == "" || noType || noDType {
			t.Errorf("%s: the parameter %d of %q cannot be read", b.Name, i+1, b.Takes)
		}
	}
	q, _, err := quantity.Literal("1 " + b.Gives)
	if b.Gives != "" && b.Gives != "%" && (err != nil || q.Dim != b.result.Dim || q.Label != b.result.Label) {
		t.Errorf("%s gives %q, which reads as %v, %v", b.Name, b.Gives, q, err)
	}
	if b.Formula == "" && b.Go == nil {
		t.Errorf("%s has neither formula nor function", b.Name)
	}
	if b.Formula != "" {
		if got, err := b.formula.Type(); err != nil || got != (value.Type{Kind: value.Number, Dim: b.result.Dim}) {
			t.Errorf("%s: its formula is %v, %v; it gives %q", b.Name, got, err, b.Gives)
		}
	}
	if b.where != nil {
		if got, err := b.where.Type(); err != nil || got.Kind != value.Bool || b.Else.String() == "" {
			t.Errorf("%s: its condition is %v, %v, else %v", b.Name, got, err, b.Else)
		}
	}
}

// compareFormula evaluates both at one random point; it returns 1 if there was a value.
func compareFormula(t *testing.T, b *boundLaw, r *rand.Rand) int {
	t.Helper()
	args := make([]value.Value, len(b.params))
	for i := range args {
		args[i] = draw(r, b.params[i], b.takes[i])
	}
	if b.refuse(args) != nil {
		return 0
	}
	f, err := b.byGo(args)
	if err != nil {
		return 0
	}
	g, err := b.byFormula(args)
	if err != nil || math.Abs(f-g) > 1e-12*math.Abs(g) {
		t.Errorf("%s%v = %v, its formula says %v, %v", b.Name, args, f, g, err)
	}
	return 1
}

// draw is a random argument.
func draw(r *rand.Rand, p value.Param, within law.Param) value.Value {
	v := value.Value{Kind: p.Type.Kind, Bool: r.IntN(2) == 0}
	switch p.Type.Kind {
	case value.Number:
		v.Num.Dim, v.Num.Value = p.Type.Dim, within.Least+math.Ceil(math.Exp(1+r.Float64()*9))
	case value.DType:
		v.Bits = []float64{32, 16, 8, 4}[r.IntN(4)]
	case value.Text:
		v.Text = strings.Trim(sampleWord(r, p.Name), "\"")
	case value.Rec:
		v.Record = p.Type.Record.Members[r.IntN(len(p.Type.Record.Members))]
	}
	return v
}

func TestEveryLawIsDocumented(t *testing.T) {
	for name, f := range New().Funcs {
		if f.Doc == "" || f.Source == "" || !strings.HasSuffix(f.Doc, ".") {
			t.Errorf("%s: wants a sentence of documentation and a source, has %q, %q", name, f.Doc, f.Source)
		}
	}
}

// TestNeverComputeBoundSaysSo: a law without a value must say why in the row, not print infinity.
func TestNeverComputeBoundSaysSo(t *testing.T) {
	s, errs := sheet.Compile("B = critical_batch_exact(197 TFLOP/s, 45 GB/s, 64, 64)", New())
	if len(errs) > 0 {
		t.Fatal(errs[0])
	}
	_, err := s.Eval(nil).Value("B")
	if err == nil || !strings.Contains(err.Error(), "no batch is large enough") {
		t.Errorf("the error is %v", err)
	}
}

// TestNothingBelowZero: no law counts less than nothing; the row names the argument and what would be valid.
func TestNothingBelowZero(t *testing.T) {
	env := New()
	r := rand.New(rand.NewPCG(9, 10))
	for _, l := range Laws() {
		params := env.Funcs[l.Name].Params
		for at, p := range params {
			if p.Type.Kind != value.Number {
				continue
			}
			args := make([]string, len(params))
			for i, p := range params {
				args[i] = sample(r, p)
			}
			args[at] = "-" + args[at]
			s, errs := sheet.Compile("x = "+l.Name+"("+strings.Join(args, ", ")+")", env)
			if len(errs) > 0 {
				t.Fatalf("%s: %v", l.Name, errs[0])
			}
			_, err := s.Eval(nil).Value("x")
			if err == nil || !strings.Contains(err.Error(), p.Name+" is −") || !strings.Contains(err.Error(), "give ") {
				t.Errorf("%s(%s): the error is %v", l.Name, strings.Join(args, ", "), err)
			}
		}
	}
}

// TestNothingDividedByNothing: a law without a finite value says so by its name.
func TestNothingDividedByNothing(t *testing.T) {
	for _, call := range []string{
		"ridge(1 FLOP/s, 0 byte/s)", "matmul_intensity(0, 0, 0)", "run_time(1 FLOP, 0, 1 FLOP/s, 1)",
	} {
		s, errs := sheet.Compile("x = "+call, New())
		if len(errs) > 0 {
			t.Fatal(errs[0])
		}
		if _, err := s.Eval(nil).Value("x"); err == nil || !strings.Contains(err.Error(), "has no finite value") {
			t.Errorf("%s: the error is %v", call, err)
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
	law := calling(t)
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		M, K, N := 1+r.IntN(50), 1+r.IntN(50), 1+r.IntN(50)
		bm, bn, x, y := 1+r.IntN(20), 1+r.IntN(20), 1+r.IntN(4), 1+r.IntN(4)
		got := law("tiled_matmul_bytes", float64(M), float64(K), float64(N), float64(bm), float64(bn), float64(x),
			float64(y))
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
	B, limit := law("critical_batch_exact", 1.97e14, 8.2e11, 1e9, 1e9, 2, 2, 2), law("critical_batch", 1.97e14, 8.2e11,
		2)
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

// TestCountedLaws: laws that no published problem has, at round arguments, with the arithmetic written out.
func TestCountedLaws(t *testing.T) {
	law := calling(t)
	compare(t, []comparison{
		// bytes: two inputs of 2 bytes, an output of 4
		{"elementwise", law("elementwise_bytes", 1000, 2, 2, 4), 1000 * (2*2 + 4)},
		{"elementwise operations", law("elementwise_flops", 1000, 3), 3000},
		// 1 ns for each of 1000 steps along the side, and twice the roofline's time: first of FLOPs, then of bytes
		{
			"started, computing",
			law("matmul_time_started", 1000, 1000, 1000, 1e12, 1e12, 0.5, 1e-9, 2, 2, 2),
			1e-6 + 2*2e9/1e12,
		},
		{"started, moving", law("matmul_time_started", 1000, 1000, 1000, 1e15, 1e9, 0.5, 1e-9, 2, 1, 4), 1e-6 +
			2*7e6/1e9},

		// a stage of two layers, two ways: 2 FLOP a weight; 2 bytes a weight, 2 + 1 for each side of a matmul
		{"plan’s matmuls", law("plan_matmul_time", 3, 2, 1000, 2, 1e7, 4000, 10000, 2, 1e15, 4e12),
			3 * 2 * (2*1000*1e7/2/1e15 + (2*1e7/2+3*1000*(4000+10000/2))/4e12)},
		{"plan’s attention", law("plan_attention_time", 3.5, 2, 1000, 2, 4e6, 1e15), 3.5 * 2 * 1000 * 4e6 / 2 / 1e15},
		{"plan’s tensor parallelism", law("plan_tp_time", 0.5, 2, 10, 1000, 100, 4, 1e9, 1e-6),
			0.5 * 2 * 10 * (2*1000*100*3.0/4/1e9 + 1e-6)},
		{"plan’s bubble", law("plan_bubble_time", 10, 0.8, 4, 2, 0.5), 0.5 * 10 * 0.8 * 3 / 2},
		{"plan’s replicas", law("plan_dp_time", 0.5, 1e6, 6, 4, 1e9, 2, 1e-6), 0.5 * (1e6*6*3/4/1e9 + 2*1e-6)},
		{"plan’s state", law("plan_state_bytes", 100, 60, 2, 4, 3), 2 * (100/4 + 60/3)},
		{"plan’s activations", law("plan_activation_bytes", 4, 10, 3, 5), 4*10*3 + 5},

		// of 64 devices in nodes of 8 a token with 4 experts goes to 8 x 4/64 of a node's; 56 are elsewhere
		{"width of an expert", law("expert_width", 1e15, 4e11, 64, 8, 4), 1e15 / 4e11 * 56 * 0.5 / 4},
		{"tensor limit", law("tensor_limit", 8000, 1e15, 1e11, 3), 1.5 * 8000 * 1e11 / 1e15},
		// each microbatch has 2 x 1000 x 100/4 bytes; four leave one after another, the last one has a stage more to go
		{"sends of a pipeline", law("pipeline_send_time", 1000, 100, 4, 3, 1e5), 5 * 50000 / 1e5},
		{"no pipeline", law("pipeline_send_time", 1000, 100, 4, 1, 1e5), 0},
		{"bubble", law("pipeline_bubble", 4, 6, 2), 3.0 / (2*6 + 3)},
		{"step of a pipeline", law("pipeline_step", 2, 6, 5, 2, 1), 2*(6+4/2) + 1},

		{"decode step, reading", law("decode_step_time", 8e9, 2e9, 1e12, 1e12, 1e15), 2e-3 + 8e-3},
		{"decode step, computing", law("decode_step_time", 8e9, 2e9, 2e13, 1e12, 1e15), 2e-3 + 2e-2},
		{"decode, ways", law("decode_tp_limit", 4, 8000, 8e11, 9e10, 1, 2), 0.5 * 8000 / 4 * 9e10 / 8e11},
		{
			"both widths",
			law("weight_stationary_2d_time", 10, 1000, 4000, 4, 16, 1e9, 2),
			2*10*1000/4/1e9 + 2*2*10*4000/16/1e9,
		},
		// two tokens miss an expert with 3/4 each; the fullest of three ranks has three of eight
		{"experts read", law("experts_read", 8, 2, 2, 3), (1 - 0.75*0.75) * 3},
		{"price of a million tokens", law("million_token_price", 1e-3, 8, 4000), 1e6 * 1e-3 * 8 / 4000},
		{"requests under way", law("requests_under_way", 2, 3), 6},
		{"sequences held", law("sequences_held", 100, 10, 4), 40},

		{"piped", law("piped_time", 4e9, 1e9, 1, 4), 1 + 4 + 2*4},
		{"hops of a ring, bytes", law("all_gather_time_hops", 100, 8, 10, 1), 10},
		{"hops of a ring, latency", law("all_gather_time_hops", 100, 8, 10, 5), 5 * 4},
		{"hops of a line, bytes", law("all_gather_time_line", 160, 8, 10, 1), 14},
		{"hops of a line, latency", law("all_gather_time_line", 80, 8, 10, 2), 2 * 7},
		{"bus of a gather", law("gather_bus_bandwidth", 8, 4, 2), 8 * 3.0 / 4 / 2},
		{"bus of an all-reduce", law("all_reduce_bus_bandwidth", 8, 4, 2), 2 * 8 * 3.0 / 4 / 2},
		// five pieces, and 2 x 4 - 3 more steps until the first sum is back at the end where it began
		{"all-reduce on a line", law("all_reduce_time_line", 100, 4, 10, 5), (5.0 + 5) / 5 * 100 / 10},
		{"all-to-all, shortcut", law("all_to_all_time", 80, 10), 2},
		{"all-to-all on a torus", law("all_to_all_time_torus", 64, 16, 4, 1), 64.0 / 16},
		{"steps of a tree of 5", law("tree_hops", 5), 3},
		{"a level", law("level_bandwidth_exact", 8, 32, 3), 32 * 3.0 / 24},
	})
}

// splitLayer is the three times of a layer's forward pass on N chips, X of them FSDP: its arithmetic, gathering its
// weights, gathering and adding up its activations. It is written from who sends which array.
func splitLayer(B, D, F, N, X, peak, wx, wy, matrices float64) (math, weights, activations float64) {
	math = 2 * matrices * B * D * F / (N * peak)
	weights = 2 * matrices * D * F / (N / X) / wx
	activations = 2 * 2 * B * D / X / wy
	return math, weights, activations
}

// TestSplitLawsBalanceTheirTimes: at the best split both kinds of traffic take equally long and no other split is
// faster; at the floor they take as long as the arithmetic; at the limit of tensor parallelism, activations do.
func TestSplitLawsBalanceTheirTimes(t *testing.T) {
	law := calling(t)
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		D, F, N := 512+r.Float64()*16000, 1000+r.Float64()*60000, 16+r.Float64()*9000
		peak, wx, wy := 1e14*(1+9*r.Float64()), 1e10*(1+40*r.Float64()), 1e10*(1+40*r.Float64())
		matrices := float64(2 + r.IntN(2))
		B := N * law("mixed_tokens", F, peak, wx, wy, matrices)
		X := law("mixed_best", B, N, F, wx, wy, matrices)
		mathT, weights, activations := splitLayer(B, D, F, N, X, peak, wx, wy, matrices)
		if !near(weights, activations, 1e-9) || !near(mathT, weights, 1e-9) {
			t.Fatalf("at the floor the times are %v, %v and %v", mathT, weights, activations)
		}
		for _, other := range []float64{X * 0.9, X * 1.1} {
			_, w, a := splitLayer(B, D, F, N, other, peak, wx, wy, matrices)
			if time := law("mixed_time", min(N, max(1, other)), N, B, D, F, wx, wy, matrices); other >= 1 &&
				other < N &&
				!near(time, max(w, a), 1e-9) {
				t.Fatalf("messages take %v at a split of %v, not the longer of %v and %v", time, other, w, a)
			}
			if max(w, a) < weights || w+a < weights+activations {
				t.Fatalf("a split of %v is faster than %v", other, X)
			}
		}
		Y := law("tensor_limit", F, peak, wy, matrices)
		mathT, _, activations = splitLayer(B, D, F, Y, 1, peak, wx, wy, matrices)
		if !near(mathT, activations, 1e-9) {
			t.Fatalf("at the limit the times are %v and %v", mathT, activations)
		}
	}
}

// TestPipelineLawsAgree: a step without a constant part is its microbatches over what the bubble leaves.
func TestPipelineLawsAgree(t *testing.T) {
	law := calling(t)
	for _, c := range [][3]float64{{1, 1, 1}, {8, 32, 1}, {8, 72, 8}, {16, 16, 2}} {
		p, m, v := c[0], c[1], c[2]
		step, bubble := law("pipeline_step", 2, m, p, v, 0), law("pipeline_bubble", p, m, v)
		if !near(step*(1-bubble), 2*m, 1e-12) || math.IsNaN(step) {
			t.Errorf("p=%v m=%v v=%v: a step of %v with a bubble of %v", p, m, v, step, bubble)
		}
	}
}
