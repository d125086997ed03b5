package library

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// Every function that sheets were ever offered still is one: the list grows, and loses nothing. A new function belongs
// in it too, since what has been published may be in somebody's sheet.
func TestNoFunctionIsDropped(t *testing.T) {
	file, err := os.ReadFile("testdata/functions.txt")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	env := New()
	for name := range strings.FieldsSeq(string(file)) {
		listed[name] = true
		if env.Funcs[name] == nil {
			t.Errorf("%s was offered, and is gone: keep it, with its successor, in formers", name)
		}
	}
	for name := range env.Funcs {
		if !listed[name] {
			t.Errorf("%s is missing in testdata/functions.txt", name)
		}
	}
}

// Former functions give what they gave: the numbers are worked out by hand.
func TestFormerFunctions(t *testing.T) {
	for call, want := range map[string]float64{
		"cache_room(80 GB, 0.5, 20 GB, 5 GB, 5 GB)":          10e9, // 40 - 20 - 5 - 5
		"mixed_floor(1000, 10 TFLOP/s, 20 GB/s, 50 GB/s, 2)": 100,  // 2 * 10^26 / (10^21 * 2 * 1000)
		"ring_hops(7)":                                       3,         // 7/2, rounded down
		"ring_mean_hops(8)":                                  2,         // (0+1+2+3+4+3+2+1)/8
		"line_mean_hops(3)":                                  8. / 9,    // (0+1+2 + 1+0+1 + 2+1+0)/9
		"sharp_gain(8)":                                      1.75,      // 2*7/8
		"alpha_beta_time(1 GB, 2 ms, 100 GB/s)":              0.012,     // 2 ms + 10 ms
		"transfer_time(1 GB, 2, 50 GB/s, 3, 1 us)":           0.010003,  // 10 ms + 3 us
		"permute_time(1 GB, 3, 100 GB/s)":                    0.03,      // 3 * 10 ms
		"broadcast_time(1 GB, 100 GB/s)":                     0.01,      // 10 ms
		"broadcast_time_line(1 GB, 3, 100 GB/s, 4)":          0.0125,    // 5/4 * 10 ms
		"broadcast_time_tree(1 GB, 5, 100 GB/s)":             0.03,      // 3 * 10 ms
		"all_gather_time_ring(1 GB, 4, 100 GB/s, 1 us)":      0.0075,    // 3/4 * 10 ms
		"all_gather_time_ring(1 kB, 4, 100 GB/s, 1 us)":      2e-6,      // two hops
		"all_to_all_time_oneway(1 GB, 100 GB/s)":             0.005,     // 10 ms / 2
		"all_to_all_time_oneway_exact(1 GB, 4, 100 GB/s)":    0.00375,   // 3/8 * 10 ms
		"ragged_all_to_all_time(1 GB, 8, 2, 100 GB/s)":       0.0003125, // 1/4 * 10 ms / 8
		"ragged_all_to_all_time_exact(1 GB, 2, 1, 100 GB/s)": 0.00125,   // 1/2 * 1/4 * 10 ms
		"sharded_gather_time_node(1 GB, 4, 8, 100 GB/s)":     0.0025,    // 10 ms / 4
		"sharded_gather_time_between(1 GB, 16, 8, 100 GB/s)": 0.005,     // 10 ms * 8/16
		"matmul_flops_exact(2, 3, 4)":                        40,        // 2*4*(6-1)
		"mlp_params(10, 40)":                                 1200,      // 3*400
		"mlp_params(10, 40, off)":                            800,       // 2*400
		"attention_params(10, 4, 2, 5)":                      600,       // 2*10*6*5
		"mlp_train_flops(2, 3, 10, 40)":                      43200,     // 18*6*400
		"mlp_train_flops(2, 3, 10, 40, off)":                 28800,     // 12*6*400
		"projection_train_flops(2, 3, 10, 4, 2, 5)":          21600,     // 12*6*10*30
		"attention_train_flops(2, 3, 7, 4, 5)":               10080,     // 12*2*21*20
		"attention_train_flops_causal(2, 3, 4, 5)":           2160,      // 6*2*9*20
		"unembedding_train_flops(2, 3, 10, 100)":             36000,     // 6*6*1000
		"attention_recompute_flops(2, 3, 4, 5)":              1440,      // 4*2*9*20
		"kv_cache_bytes(100, 2, 8, 128)":                     819200,    // 2*100*2*8*128*2
		"kv_cache_bytes(100, 2, 8, 128, int8)":               409600,    // half
		"kept_bytes(10, 100, 2, 3)":                          12000,     // 3*10*100*2*2
		"attention_intensity(1, 8, 4, 2)":                    1.6,       // 64/(2*(4+16))
		"attention_crossover(120, 480, 8, 8, 15)":            960,       // 120*(8640+2880)/(12*120)
		"kv_room(90%, 100 GB, 50 GB, 5 GB, 2 GB, 1 GB)":      32e9,      // 90-58
		"static_room(80%, 100 GB, 10 GB, 50 GB)":             22e9,      // 72-50
		"blocks_held(10 GB, 3 GB)":                           3,         // and 1 GB left
		"count(cache_formats())":                             2,
		"count(loaded_formats())":                            5,
		// vLLM, SGLang, TensorRT-LLM, TGI, llama.cpp, LMDeploy, MLC
		"count(serving_engines())": 7,
		// A product split over its contracted dimension can be computed in three ways at least.
		`count(sharding_ways("A[I, J_X] . B[J_X, K] -> C[I, K]", "I, J=64, K=64", "X=4 on rings", tpu.v5e, 128))`: 4,
	} {
		s, errs := sheet.Compile("x = "+call, New())
		if len(errs) > 0 {
			t.Errorf("%s: %v", call, errs[0])
			continue
		}
		v, err := s.Eval(nil).Value("x")
		if err != nil || math.Abs(v.Num.Value-want) > 1e-12*want {
			t.Errorf("%s = %v, %v, want %v", call, v.Num.Value, err, want)
		}
		if len(s.Former) != 1 || s.Former[0].Instead == "" {
			t.Errorf("%s: its successor isn't named: %v", call, s.Former)
		}
	}
}

// The start-up of matmuls is that of the law which was fitted to them: share 1 and an edge of 1 ns give what was timed.
func TestFormerMatmulStart(t *testing.T) {
	var lines strings.Builder
	for _, side := range []float64{128, 256, 512, 1024, 4096, 8192} {
		ops := 2 * side * side * side
		took := max(ops/1e15, 6*side*side/1e12) + side*1e-9
		fmt.Fprintf(&lines, "%g %g\n", side, ops/took/1e12)
	}
	got, err := New().Funcs["matmul_start"].Call([]value.Value{words(lines.String()),
		{Num: quantity.FLOPRate(1e15).Quantity()}, {Num: quantity.Bandwidth(1e12).Quantity()}})
	if err != nil {
		t.Fatal(err)
	}
	fields := got.Record.All()
	if share, edge := fields["share"].Num.Value, fields["edge"].Num.Value; math.Abs(share-1) > 0.01 ||
		math.Abs(edge/1e-9-1) > 0.01 {
		t.Errorf("share %v, edge %v", share, edge)
	}
}

// Former functions are suggested nowhere; what is said to write today gives the same where it takes the same arguments.
func TestFormerFunctionsNameSuccessors(t *testing.T) {
	env := New()
	offered, held := value.Offered(env.Funcs), 0
	for name, f := range env.Funcs {
		if f.Instead == "" {
			continue
		}
		if slices.Contains(offered, name) {
			t.Errorf("%s is offered", name)
		}
		src, was := "", ""
		for _, p := range f.Params {
			switch p.Type.Kind {
			case value.DType:
				src += "let " + p.Name + " = bf16\n"
			case value.Bool:
				src += "let " + p.Name + " = on\n"
			default:
				src += "let " + p.Name + " = 3 " + p.Type.Dim.String() + "\n"
			}
			was += ", " + p.Name
		}
		if f.Formula == "" || strings.Contains(f.Instead, "model") || strings.Contains(f.Instead, "workspace") {
			continue // its successor takes other arguments
		}
		src += "x = " + f.Instead + "\ny = " + name + "(" + was[2:] + ")\n"
		s, errs := sheet.Compile(src, New())
		if len(errs) > 0 {
			t.Errorf("%s: %v in\n%s", name, errs[0], src)
			continue
		}
		r := s.Eval(nil)
		x, err := r.Value("x")
		if y, _ := r.Value("y"); err != nil || math.Abs(x.Num.Value-y.Num.Value) > 1e-12*math.Abs(y.Num.Value) {
			t.Errorf("%s = %v, and its successor %v", name, y, x)
		}
		held++
	}
	if held < 25 {
		t.Errorf("only %d were held", held)
	}
}

// A machine keeps the ID that addresses carry, also once the catalog of accelerators has it.
func TestMachinesKeepTheirIDs(t *testing.T) {
	list, err := New().Funcs["machines"].Call(nil)
	if err != nil {
		t.Fatal(err)
	}
	name := map[string]string{}
	for _, v := range list.List {
		name[v.Record.ID] = v.Record.Name
	}
	for id, want := range map[string]string{
		"card.rtx4080": "GeForce RTX 4080", "card.ada6000": "RTX 6000 Ada 48 GB", "gpu.rtx4090": "GeForce RTX 4090",
	} {
		if name[id] != want {
			t.Errorf("machine %s is %q, want %q", id, name[id], want)
		}
	}
}
