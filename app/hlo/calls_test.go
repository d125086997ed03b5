package hlo

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// Calls of libraries, as XLA writes them for GPUs and CPUs; operations are counted by hand.
func TestCalls(t *testing.T) {
	const (
		x, y   = "bf16[64,512] x", "bf16[512,256] y"
		gemm   = `backend_config={"operation_queue_id":"0","gemm_backend_config":{"alpha_real":1,"dot_dimension_numbers":{"lhs_contracting_dimensions":["1"],"rhs_contracting_dimensions":["0"],"lhs_batch_dimensions":[]},"epilogue":"DEFAULT"}}`
		conv   = "window={size=3x3 pad=1_1x1_1}, dim_labels=bf01_oi01->bf01, "
		scores = `"intermediate_tensor_shape":{"element_type":"BF16","dimensions":["2","16","1024","1024"],"tuple_shapes":[]}`
	)
	grouped := func(contracting, ragged int) string {
		return fmt.Sprintf(`backend_config={"grouped_gemm_backend_config":{"gemm_backend_config":{`+
			`"dot_dimension_numbers":{"lhs_contracting_dimensions":["%d"],"rhs_contracting_dimensions":["1"]}},`+
			`"ragged_dot_dimension_numbers":{"lhs_ragged_dimensions":["%d"],"rhs_group_dimensions":["0"]}}}`,
			contracting, ragged)
	}
	const taps = (3*8 - 2) * (3*8 - 2) // of a window of 3 by 3 over 8 by 8 with padding
	for _, c := range []struct {
		line   string
		matrix float64
		of     string
		hbm    float64
	}{
		{`c64[64,16] dot(c64[64,32] x, c64[32,16] y), lhs_contracting_dims={1}, rhs_contracting_dims={0}`,
			8 * 64 * 32 * 16, "c64", 8 * (64*32 + 32*16 + 64*16)},
		{`(f32[64,64], s32[]) custom-call(f32[64,64] x), custom_call_target="lapack_spotrf_ffi"`, 64 * 64 * 64 / 3.,
			"f32", 2*4*64*64 + 4},
		{`f64[64,8] custom-call(f64[64,64] x, f64[64,8] y), custom_call_target="lapack_dtrsm_ffi"`, 64 * 64 * 8, "f64",
			8 * 64 * (64 + 2*8)},
		{`(f32[2,96,64], s32[2,64], s32[2]) custom-call(f32[2,96,64] x), custom_call_target="cusolver_getrf_ffi"`,
			2 * 64 * 64 * (96 - 64/3.), "f32", 4 * (2*2*96*64 + 2*64 + 2)},
		{`(f32[96,64], f32[64]) custom-call(f32[96,64] x), custom_call_target="QrDecompositionBlock"`,
			2 * 64 * 64 * (96 - 64/3.), "f32", 4 * (2*96*64 + 64)},
		{`(f32[64,96], f32[64]) custom-call(f32[64,96] x), custom_call_target="hipsolver_geqrf_ffi"`,
			2 * 64 * 64 * (96 - 64/3.), "f32", 4 * (2*96*64 + 64)},
		{`f32[4,128,128] custom-call(f32[4,128,128] x), custom_call_target="Cholesky"`, 4 * 128 * 128 * 128 / 3., "f32",
			2 * 4 * 4 * 128 * 128},
		{`f32[4,1,128,128] custom-call(f32[4,1,128,128] x), custom_call_target="InvertDiagBlocksLowerTriangular"`,
			4 * 128 * 128 * 128 / 3., "f32", 2 * 4 * 4 * 128 * 128},
		{`(bf16[1,64,256], u8[0]) custom-call(f4e2m1fn[1,64,512]{2,1,0:E(4)} x, f4e2m1fn[1,256,512]{2,1,0:E(4)} y, ` +
			`f8e4m3fn[1,64,32] a, f8e4m3fn[1,256,32] b), custom_call_target="__cudnn$blockScaledDot"`,
			2 * 64 * 512 * 256, "f4e2m1fn", (64+256)*512/2 + (64+256)*32 + 2*64*256},
		// rows of 64 belong to four groups: forward each meets one matrix; backward each is in one of four sums
		{`(bf16[64,256], s8[784]) custom-call(` + x + `, bf16[4,512,256] y, s32[4] n), ` +
			`custom_call_target="__cublas$lt$groupedMatmul", ` + grouped(1, 0), 2 * 64 * 512 * 256, "bf16",
			2*(64*512+4*512*256+64*256) + 4*4},
		{`(bf16[4,512,256], s8[784]) custom-call(` + x + `, bf16[64,256] y, s32[4] n), ` +
			`custom_call_target="__cublas$lt$groupedMatmul", ` + grouped(0, 0), 2 * 64 * 512 * 256, "bf16",
			2*(64*512+64*256+4*512*256) + 4*4},
		{`(bf16[64,256], s8[4194304]) custom-call(` + x + `, ` + y + `), custom_call_target="__cublas$gemm", ` + gemm,
			2 * 64 * 512 * 256, "bf16", 2 * (64*512 + 512*256 + 64*256)},
		{`(bf16[64,256], s8[4194304]) custom-call(` + x + `, ` + y + `), custom_call_target="__cublas$lt$matmul", ` +
			strings.ReplaceAll(gemm, "DEFAULT", "BIAS"), 2 * 64 * 512 * 256, "bf16", 2 * (64*512 + 512*256 + 64*256)},
		{`(bf16[64,256], s8[33554432]) custom-call(f8e4m3fn[64,512] x, f8e4m3fn[256,512] y, f32[] a, f32[] b), ` +
			`custom_call_target="__cublas$lt$matmul$f8", ` + gemm, 2 * 64 * 512 * 256, "f8e4m3fn",
			64*512 + 512*256 + 2*64*256 + 8},
		{`bf16[8,64,256] custom-call(bf16[8,64,32] x, bf16[8,32,256] y), custom_call_target="__cublas$gemm", ` +
			strings.ReplaceAll(gemm, `["1"]`, `["2"]`), 2 * 8 * 64 * 32 * 256, "bf16",
			2 * 8 * (64*32 + 32*256 + 64*256)},
		{`bf16[64,256] custom-call(` + x + `, ` + y + `), custom_call_target="__cublas$gemm", backend_config="{\"` +
			`gemm_backend_config\":{\"dot_dimension_numbers\":{\"lhs_contracting_dimensions\":[\"1\"]}}}"`,
			2 * 64 * 512 * 256, "bf16", 2 * (64*512 + 512*256 + 64*256)},
		{`f32[64,256] custom-call(f32[64,512] x, f32[512,256] y), custom_call_target="__onednn$matmul", backend_config={}`,
			2 * 64 * 512 * 256, "f32", 4 * (64*512 + 512*256 + 64*256)},
		{`(f32[2,16,8,8], u8[0]) custom-call(f32[2,4,8,8] x, f32[16,4,3,3] w), ` + conv +
			`custom_call_target="__cudnn$convForward", backend_config={"cudnn_conv_backend_config":{"algorithm":{}}}`,
			2 * 2 * 16 * 4 * taps, "f32", 4 * (2*16*64 + 2*4*64 + 16*4*9)},
		{`(f32[2,4,8,8], u8[1024]) custom-call(f32[2,16,8,8] g, f32[16,4,3,3] w), ` + conv +
			`custom_call_target="__cudnn$convBackwardInput"`, 2 * 2 * 16 * 4 * taps, "f32",
			4 * (2*16*64 + 2*4*64 + 16*4*9)},
		{`(f32[16,4,3,3], u8[1024]) custom-call(f32[2,4,8,8] x, f32[2,16,8,8] g), ` + conv +
			`custom_call_target="__cudnn$convBackwardFilter"`, 2 * 2 * 16 * 4 * taps, "f32",
			4 * (2*16*64 + 2*4*64 + 16*4*9)},
		{`(bf16[2,1024,16,128], u8[0]) custom-call(bf16[2,1024,16,128] q, bf16[2,1024,4,128] k, bf16[2,1024,4,128] v), ` +
			`custom_call_target="__cudnn$fmhaSoftmax", backend_config={"cudnn_fmha_backend_config":{` + scores +
			`,"mask_type":"NO_MASK","is_flash_attention":true}}`, 2 * 2 * 2 * 16 * 1024 * 1024 * 128, "bf16",
			2 * 2 * 1024 * 128 * (16 + 16 + 4 + 4)},
		{`(bf16[2,1024,16,128], u8[0]) custom-call(bf16[2,1024,16,128] q, bf16[2,1024,4,128] k, bf16[2,1024,4,128] v), ` +
			`custom_call_target="__cudnn$fmhaSoftmax", backend_config={"cudnn_fmha_backend_config":{` + scores +
			`,"mask_type":"CAUSAL"}}`, 2 * 2 * 2 * 16 * (1024 * 1025 / 2) * 128, "bf16",
			2 * 2 * 1024 * 128 * (16 + 16 + 4 + 4)},
		{`(bf16[2,1024,16,128], u8[0]) custom-call(bf16[2,1024,16,128] q, bf16[2,1024,4,128] k, bf16[2,1024,4,128] v), ` +
			`custom_call_target="__cudnn$fmhaSoftmax", backend_config={"cudnn_fmha_backend_config":{` + scores +
			`,"mask_type":"CAUSAL","sliding_window_length":256}}`, 2 * 2 * 2 * 16 * (1024*256 - 255*256/2) * 128,
			"bf16", 2 * 2 * 1024 * 128 * (16 + 16 + 4 + 4)},
		{`(bf16[2,1024,16,128], bf16[2,1024,4,128], bf16[2,1024,4,128], u8[8]) custom-call(bf16[2,1024,16,128] q, ` +
			`bf16[2,1024,4,128] k, bf16[2,1024,4,128] v, bf16[2,1024,16,128] g), custom_call_target=` +
			`"__cudnn$fmhaSoftmaxBackward", backend_config={"cudnn_fmha_backend_config":{` + scores +
			`,"mask_type":"NO_MASK"}}`, 5 * 2 * 2 * 16 * 1024 * 1024 * 128, "bf16",
			2 * 2 * 1024 * 128 * (16 + 4 + 4 + 16 + 4 + 4 + 16)},
		// of openxla/xla, xla/tools/benchmarks/hlo/hlo_llama3_8b_cp_bf16_1x4.hlo @62b45aa, cut
		{`(bf16[2,2048,32,128], f32[2,32,2048,1]) custom-call(bf16[2,2048,32,128] q, bf16[2,2048,2,8,128] kv), ` +
			engine(0, -1, "forward"), 2 * 2 * 32 * 2048 * 2048 * 256, "bf16", 2*2*2048*128*(32+16+32) + 4*2*32*2048},
		{`(bf16[2,2048,32,128], f32[2,32,2048,1]) custom-call(bf16[2,2048,32,128] q, bf16[2,2048,2,8,128] kv), ` +
			engine(2, -1, "forward"), 2 * 2 * 32 * (2048 * 2049 / 2) * 256, "bf16", 2*2*2048*128*(32+16+32) +
			4*2*32*2048},
		{`(bf16[2,2048,32,128], f32[2,32,2048,1]) custom-call(bf16[2,2048,32,128] q, bf16[2,2048,2,8,128] kv), ` +
			// 512 keys of each query, but the first 511 have 1 to 511: 511 + 510 + ... + 1 fewer
			engine(2, 511, "forward"), 2 * 2 * 32 * (2048*512 - 511*512/2) * 256, "bf16", 2*2*2048*128*(32+16+32) +
			4*2*32*2048},
		{`(bf16[2,2048,32,128], bf16[2,2048,2,8,128]) custom-call(bf16[2,2048,32,128] q, bf16[2,2048,2,8,128] kv, ` +
			`bf16[2,2048,32,128] o, bf16[2,2048,32,128] g), ` + engine(3, -1, "backward"),
			2 * 2 * 32 * (2048 * 2049 / 2) * 640, "bf16", 2 * 2 * 2048 * 128 * (32 + 16 + 32 + 32 + 32 + 16)},
		{`bf16[64,256] custom-call(` + x + `, ` + y + `), custom_call_target="tpu_custom_call", backend_config=` +
			`{"custom_call_config":{"body":"TUzv","cost_estimate":{"flops":"16777216","transcendentals":"0"}}}`,
			16777216, "bf16", 2 * (64*512 + 512*256 + 64*256)},
		{`bf16[64,256] custom-call(bf16[64,256] x), custom_call_target="Sharding"`, 0, "", 0},
	} {
		m, err := Read("a = " + c.line)
		if err != nil || m.Unread > 0 {
			t.Errorf("%s: %v, %v", c.line, err, m)
			continue
		}
		p := m.On(Chip{Peak: func(string) float64 { return 1 }, HBM: 1})
		got := m.cost(&m.Entry.Ops[0], 0)
		if got.Matrix != c.matrix || got.Type != c.of || got.HBM != c.hbm {
			t.Errorf("%s: %v operations of %s, %v bytes; want %v, %v", c.line, got.Matrix, got.Type, got.HBM, c.matrix,
				c.hbm)
		}
		for i := range p.Ops {
			if p.Ops[i].Unknown {
				t.Errorf("%s: can't be counted", c.line)
			}
		}
	}
}

// engine is the configuration of a call of Transformer Engine's attention.
func engine(mask, window int, way string) string {
	return fmt.Sprintf(`custom_call_target="te_fused_attn_%s_ffi", api_version=API_VERSION_TYPED_FFI, backend_config=`+
		`{attn_heads = 32 : i64, bias_batch = 0 : i64, bias_heads = 0 : i64, dropout_probability = 0.000000e+00 : f64, `+
		`input_batch = 2 : i64, is_training = true, kv_max_seqlen = 2048 : i64, mask_type = %d : i64, `+
		`num_gqa_groups = 8 : i64, q_max_seqlen = 2048 : i64, qk_head_dim = 128 : i64, qkv_layout = 7 : i64, `+
		`scaling_factor = 1.000000e+00 : f64, v_head_dim = 128 : i64, window_size_left = %d : i64, `+
		`window_size_right = -1 : i64}`, way, mask, window)
}

// The last of the keys belongs to the last query: 4 queries of 6 keys have 3, 4, 5 and 6 of them, or 3, 4, 4 and 4 in a
// window of 4, or 2 each in one of 2. Queries without keys have none.
func TestCausal(t *testing.T) {
	for _, c := range [][4]float64{{4, 6, 0, 18}, {4, 6, 4, 15}, {4, 6, 2, 8}, {4, 6, 9, 18}, {6, 4, 0, 10},
		{6, 4, 1, 4},
		{1, 100, 0, 100}, {1, 100, 30, 30}, {0, 8, 0, 0}} {
		if got := causal(c[0], c[1], c[2]); got != c[3] {
			t.Errorf("%v queries of %v keys, window %v: %v scores, want %v", c[0], c[1], c[2], got, c[3])
		}
	}
}

// Selections compare each element once, and are known.
func TestSelections(t *testing.T) {
	m, err := Read(`a = (f32[4,8], s32[4,8]) custom-call(f32[4,1000] x), custom_call_target="__gpu$TopK"`)
	if err != nil {
		t.Fatal(err)
	}
	if p := m.On(one); len(p.Ops) != 1 || p.Ops[0].Unknown || p.FLOPs != 4000 {
		t.Errorf("%+v", p.Ops)
	}
}

// What nobody here can count says what it is.
func TestUnknownCalls(t *testing.T) {
	for line, want := range map[string]string{
		`a = f32[8] custom-call(f32[8] x), custom_call_target="__gpu$xla.gpu.triton", backend_config={name = "f"}`:               "__gpu$xla.gpu.triton",
		`a = f32[8] custom-call(f32[8] x), custom_call_target="cusolver_syevd_ffi"`:                                              "cusolver_syevd_ffi",
		`a = (f32[8], u8[64]) custom-call(f32[8] x), custom_call_target="__cudnn$norm"`:                                          "__cudnn$norm",
		`a = f32[8] fusion(f32[8] x), kind=kCustom, calls=%g, backend_config={"fusion_backend_config":{"kind":"__triton_gemm"}}`: "__triton_gemm",
		`a = ((f32[8]), f32[8], u32[]) custom-call-start(f32[8] x), custom_call_target="mosaic_gpu_v2"`:                          "mosaic_gpu_v2",
	} {
		m, err := Read(line)
		if err != nil {
			t.Fatal(err)
		}
		p := m.On(Chip{Peak: func(string) float64 { return 1 }, HBM: 1})
		if len(p.Ops) != 1 || !p.Ops[0].Unknown || p.Calls(p.Ops[0].Op) != want {
			t.Errorf("%s: %+v", line, p.Ops)
		}
	}
}

// A TPU's array that is copied piece by piece is whole without any work.
func TestPiecesThatAreWhole(t *testing.T) {
	m, err := Read(`a = bf16[64] custom-call(bf16[32] x, bf16[32] y), custom_call_target="ConcatBitcast"`)
	if err != nil {
		t.Fatal(err)
	}
	if p := m.On(Chip{Peak: func(string) float64 { return 1 }, HBM: 1}); len(p.Ops) != 0 || p.HBM != 0 {
		t.Errorf("%+v", p.Ops)
	}
}

// asynchronous is a program in which something runs beside the rest, from its start to its done.
func asynchronous(computation, start, done string) string {
	return "HloModule m, is_scheduled=true, num_partitions=8\n" + computation + `
ENTRY %main (g: bf16[8192,4096], w: bf16[4096,4096]) -> bf16[1024,4096] {
  %g = bf16[8192,4096]{1,0} parameter(0)
  %w = bf16[4096,4096]{1,0} parameter(1)
  ` + start + `
  ` + done + "\n}\n"
}

// The same reduce-scatter counts the same, however it is written, and hides as long behind the same matmul.
func TestStarted(t *testing.T) {
	const (
		groups  = "channel_id=3, replica_groups=[1,8]<=[8], dimensions={0}, to_apply=%add"
		wrapped = "%wrapped (p: bf16[8192,4096]) -> bf16[1024,4096] {\n  %p = bf16[8192,4096]{1,0} parameter(0)\n" +
			"  ROOT %rs = bf16[1024,4096]{1,0} reduce-scatter(%p), " + groups + "\n}\n"
		matmul = "  %dot = bf16[8192,4096]{1,0} dot(%g, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
		shape  = "((bf16[8192,4096]{1,0}), bf16[1024,4096]{1,0})"
	)
	h100 := chip(t, "gpu.h100")
	const alone = 8192 * 4096 * 2 * 7. / 8 / 450e9
	for _, c := range []struct{ computation, start, end string }{
		{"", "ROOT %r = bf16[1024,4096]{1,0} reduce-scatter(%g), " + groups, ""},
		{wrapped, "%s = " + shape + " async-start(%g), calls=%wrapped", "async-done"},
		{wrapped, "%s = ((bf16[8192,4096]{1,0}), bf16[1024,4096]{1,0}, s32[]) async-start(%g), calls=%wrapped, " +
			`async_execution_thread="parallel"`, "async-done"},
		{"", "%s = " + shape + " reduce-scatter-start(%g), " + groups, "reduce-scatter-done"},
		{"", "%reduce-scatter-start = " + shape + " async-start(%g), replica_groups=[1,8]<=[8], calls=%left_out",
			"async-done"},
	} {
		for _, between := range []string{"", matmul} {
			done, from := "", "%s"
			if strings.Contains(c.start, "%reduce-scatter-start") {
				from = "%reduce-scatter-start"
			}
			if c.end != "" {
				done = between + "  ROOT %d = bf16[1024,4096]{1,0} " + c.end + "(" + from + ")"
			} else if between != "" {
				continue
			}
			m, err := Read(asynchronous(c.computation, c.start, done))
			if err != nil || m.Unread > 0 {
				t.Fatalf("%s: %v, %v", c.start, err, m.Faults)
			}
			p := m.On(h100)
			want := 0.0
			if between != "" {
				want = alone // the matmul takes longer
			}
			if math.Abs(p.Comms/alone-1) > 1e-9 || math.Abs(p.Hidden-want) > 1e-9 || p.Sent != 8192*4096*2 {
				t.Errorf("%s: sends %v bytes in %v, hides %v", c.start, p.Sent, p.Comms, p.Hidden)
			}
		}
	}
}

// What runs on the host takes no time of the chip, and its operations count once, there.
func TestOnHost(t *testing.T) {
	body := " (p: f32[512,512]) -> f32[512,512] {\n  %p = f32[512,512] parameter(0)\n  ROOT %d = f32[512,512] " +
		"dot(%p, %p), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n}"
	const start = "((f32[512,512]), f32[512,512], u32[]) "
	for name, text := range map[string]string{
		"by its computation": "%h" + body + `, execution_thread="host"` +
			"\nENTRY %e {\n  %g = f32[512,512] parameter(0)\n" +
			"  %s = " + start + "async-start(%g), calls=%h\n  ROOT %d = f32[512,512] async-done(%s)\n}",
		"by its start": "%h" + body + "\nENTRY %e {\n  %g = f32[512,512] parameter(0)\n  %s = " + start +
			`call-start(%g), async_execution_thread="host", to_apply=%h` +
			"\n  ROOT %d = f32[512,512] call-done(%s)\n}",
		"by its annotation": "%h" + body + "\nENTRY %e {\n  %g = f32[512,512] parameter(0)\n" +
			`  ROOT %c = f32[512,512] call(%g), to_apply=%h, frontend_attributes={_xla_compute_type="host"}` + "\n}",
	} {
		m, err := Read("HloModule m, is_scheduled=true\n" + text)
		if err != nil || m.Unread > 0 {
			t.Fatalf("%s: %v, %v", name, err, m)
		}
		if p := m.On(chip(t, "gpu.h100")); p.FLOPs != 0 || p.HostFLOPs != 2*512*512*512 || p.Time != 0 {
			t.Errorf("%s: %v on the chip in %v, %v on the host", name, p.FLOPs, p.Time, p.HostFLOPs)
		}
	}
}

// Of a call's results those count that somebody reads.
func TestScratch(t *testing.T) {
	const call = "  %%c = (bf16[16,64], f32[16], s8[4096]) custom-call(%%a), custom_call_target=\"f\"\n"
	for rest, want := range map[string]float64{
		"  ROOT %o = bf16[16,64] get-tuple-element(%c), index=0": 2 * 16 * 64,
		"  %o = bf16[16,64] get-tuple-element(%c), index=0\n  %l = f32[16] get-tuple-element(%c), index=1\n" +
			"  ROOT %t = (bf16[16,64], f32[16]) tuple(%o, %l)": 2*16*64 + 64,
		"  ROOT %t = ((bf16[16,64], f32[16], s8[4096])) tuple(%c)": 2*16*64 + 64 + 4096,
	} {
		m, err := Read("HloModule m, is_scheduled=true\nENTRY %e {\n  %a = bf16[16,64] parameter(0)\n" +
			strings.ReplaceAll(call, "%%", "%") + rest + "\n}")
		if err != nil {
			t.Fatal(err)
		}
		if p := m.On(Chip{Peak: func(string) float64 { return 1 }, HBM: 1}); p.HBM != 2*16*64+want {
			t.Errorf("%s: %v bytes", rest, p.HBM)
		}
	}
}

// A text that no compiler made faster says so; so does one of another language.
func TestRaw(t *testing.T) {
	const ops = "\nENTRY %e {\n  %a = f32[8] parameter(0)\n  ROOT %b = f32[8] add(%a, %a)\n}"
	const fused = "\n%f {\n  %a = f32[8] parameter(0)\n  ROOT %b = f32[8] add(%a, %a)\n}\nENTRY %e {\n  %a = f32[8] " +
		"parameter(0)\n" +
		"  ROOT %b = f32[8] fusion(%a), kind=kLoop, calls=%f\n}"
	for text, raw := range map[string]bool{"HloModule m" + ops: true, "HloModule m, is_scheduled=true" + ops: false,
		"HloModule m" + fused: false, "a = f32[8] add(f32[8] b, f32[8] c)": false} {
		m, err := Read(text)
		if err != nil {
			t.Fatal(err)
		}
		if m.Raw() != raw {
			t.Errorf("%s: %v", text, m.Raw())
		}
	}
	_, err := Read("module @jit_f attributes {mhlo.num_partitions = 1 : i32} {\n  func.func public @main(%arg0: " +
		"tensor<8xf32>) {\n" +
		"    %0 = stablehlo.add %arg0, %arg0 : tensor<8xf32>\n  }\n}")
	if err == nil || !strings.Contains(err.Error(), "StableHLO") {
		t.Error(err)
	}
}

// What a library works in is no traffic, also where a fusion hands it on beside the result.
func TestWorkspaceOfFusions(t *testing.T) {
	const text = `
%slice (p: bf16[8,64,512], q: bf16[512,256]) -> (bf16[64,256], s8[4194304]) {
  %p = bf16[8,64,512] parameter(0)
  %q = bf16[512,256] parameter(1)
  %s = bf16[1,64,512] slice(%p), slice={[3:4], [0:64], [0:512]}
  %b = bf16[64,512] bitcast(%s)
  %g = (bf16[64,256], s8[4194304]) custom-call(%b, %q), custom_call_target="__cublas$gemm"
  %r = bf16[64,256] get-tuple-element(%g), index=0
  %w = s8[4194304] get-tuple-element(%g), index=1
  ROOT %t = (bf16[64,256], s8[4194304]) tuple(%r, %w)
}
ENTRY %main (a: bf16[8,64,512], b: bf16[512,256]) -> bf16[64,256] {
  %a = bf16[8,64,512] parameter(0)
  %b = bf16[512,256] parameter(1)
  %f = (bf16[64,256], s8[4194304]) fusion(%a, %b), kind=kCustom, calls=%slice
  ROOT %o = bf16[64,256] get-tuple-element(%f), index=0
}
`
	m, err := Read(text)
	if err != nil || m.Unread > 0 {
		t.Fatal(err, m)
	}
	if p := m.On(one); p.HBM != 2*(64*512+512*256+64*256) || p.FLOPs != 2*64*512*256 {
		t.Errorf("%v bytes, %v operations", p.HBM, p.FLOPs)
	}
}
