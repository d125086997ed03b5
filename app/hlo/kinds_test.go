package hlo

import (
	"fmt"
	"strings"
	"testing"
)

// byHand is a program, or an operation alone, and what it costs, counted by hand.
type byHand struct {
	name, text string
	matrix     float64 // operations of matrices
	vector     float64 // others; -1 where a loop's own counting is among them
	hbm        float64 // bytes; -1 likewise
	sent       string  // collective, bytes of the whole array, devices, times
}

// check holds the sums of a program to a count.
func (c *byHand) check(t *testing.T) {
	t.Helper()
	for _, text := range []string{c.text, strings.ReplaceAll(c.text, "\n", "\r\n")} {
		m, err := Read(text)
		if err != nil || m.Unread > 0 {
			t.Errorf("%s: %v, %+v", c.name, err, m)
			return
		}
		p := m.On(Chip{Peak: func(string) float64 { return 1 }, HBM: 1})
		matrix, vector, sent := 0.0, 0.0, []string{}
		for i := range p.Ops {
			e := &p.Ops[i]
			if e.Unknown {
				t.Errorf("%s: %s can't be counted", c.name, e.Name)
			}
			matrix += e.Matrix * e.Times
			vector += e.Vector * e.Times
			for _, s := range e.Sent {
				sent = append(sent, fmt.Sprintf("%v %v/%d x%v", s.Op, s.Bytes, s.Group, e.Times))
			}
		}
		if matrix != c.matrix || c.vector >= 0 && vector != c.vector || c.hbm >= 0 && p.HBM != c.hbm {
			t.Errorf("%s: %v and %v operations, %v bytes; want %v, %v, %v", c.name, matrix, vector, p.HBM, c.matrix,
				c.vector, c.hbm)
		}
		if got := strings.Join(sent, ", "); got != c.sent {
			t.Errorf("%s sends %q, want %q", c.name, got, c.sent)
		}
	}
}

// Operations alone, each with its cost by hand: what it reads and writes, and what it computes.
func TestCountsOfOperations(t *testing.T) {
	const stem = 110 + 111 + 111 + 112 + 112 + 111 + 111 // places of 7 taps, 2 apart, in 224 with 3 of padding, by tap
	for _, c := range []byHand{
		{"a gather that starts",
			`(bf16[128,1024], bf16[1024,1024]) all-gather-start(bf16[128,1024] x), replica_groups={{0,1,2,3,4,5,6,7}}, dimensions={0}`,
			0, 0, 2 * (128 + 1024) * 1024, "all-gather 2.097152e+06/8 x1"},
		{"a sum of two arrays that starts",
			`(f32[1024], f32[512]) all-reduce-start(f32[1024] x, f32[512] y), replica_groups=[2,4]<=[8]`,
			0, 0, 2 * 4 * (1024 + 512), "all-reduce 6144/4 x1"},
		{"a shift that starts",
			`(bf16[64], bf16[64], u32[], u32[]) collective-permute-start(bf16[64] x), source_target_pairs={{0,1},{1,0}}`,
			0, 0, 2 * 2 * 64, "permute 128/2 x1"},
		{"an all-to-all over an axis of a mesh",
			`f32[8,64] all-to-all(f32[8,64] x), replica_groups=mesh['x'=2,'y'=4] {'y'}, dimensions={0}`, 0, 0,
			2 * 4 * 8 * 64, "all-to-all 8192/4 x1"},
		{"an all-to-all of two arrays",
			`(f32[64], f32[64]) all-to-all(f32[64] x, f32[64] y), replica_groups={{0,1},{2,3}}`,
			0, 0, 2 * 2 * 4 * 64, "all-to-all 1024/2 x1"},
		{"groups across", `bf16[2,512] all-gather(bf16[1,512] x), replica_groups=[4,2]<=[2,4]T(1,0), dimensions={0}`,
			0, 0, 2 * 3 * 512, "all-gather 2048/2 x1"},
		{"two gathers in one", `(bf16[8,1024], bf16[8,512]) all-gather(bf16[1,1024] x, bf16[1,512] y), replica_groups=[1,8]<=[8], dimensions={0}`,
			0, 0, 2 * 9 * (1024 + 512), "all-gather 24576/8 x1"},
		{"a broadcast to others", `f32[256] collective-broadcast(f32[256] x), replica_groups={{0,1,2,3}}`,
			0, 0, 2 * 4 * 256, "broadcast 1024/4 x1"},
		{"a send", `(f32[1024], u32[], token[]) send(f32[1024] x, token[] after), channel_id=1`,
			0, 0, 4 * 1024, "permute 4096/2 x1"},
		{"a receive", `(f32[1024], u32[], token[]) recv(token[] after), channel_id=1`, 0, 0, 4 * 1024, ""},
		{"fp8 with scales and a maximum",
			`(bf16[64,256], f32[], s8[33554432]) custom-call(f8e4m3fn[64,512] x, f8e4m3fn[256,512] y, f32[] a, f32[] b, f32[] c, f32[] d), ` +
				`custom_call_target="__cublas$lt$matmul$f8", backend_config={"gemm_backend_config":{"dot_dimension_numbers":{"lhs_contracting_dimensions":["1"],"rhs_contracting_dimensions":["1"]},"damax_output":true}}`,
			2 * 64 * 512 * 256, 0, 64*512 + 256*512 + 2*64*256 + 4*4 + 4, ""},
		{"a product added to an array",
			`f32[64,256] custom-call(f32[64,512] x, f32[512,256] y, f32[64,256] z), custom_call_target="__cublas$gemm", ` +
				`backend_config={"gemm_backend_config":{"beta":1,"dot_dimension_numbers":{"lhs_contracting_dimensions":["1"]}}}`,
			2 * 64 * 512 * 256, 0, 4 * (64*512 + 512*256 + 2*64*256), ""},
		{"rows of groups", `bf16[256,32] ragged-dot(bf16[256,64] x, bf16[8,64,32] w, s32[8] g), lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}`,
			2 * 256 * 64 * 32, 0, 2*(256*64+8*64*32+256*32) + 4*8, ""},
		{"blocks with scales", `bf16[64,256] scaled-dot(f8e4m3fn[64,512] x, f8e4m3fn[256,512] w, f8e8m0fnu[64,16] a, f8e8m0fnu[256,16] b), lhs_contracting_dims={1}, rhs_contracting_dims={1}`,
			2 * 64 * 512 * 256, 0, 64*512 + 256*512 + 64*16 + 256*16 + 2*64*256, ""},
		{"half of the left one is zeros, and not stored",
			`f32[16,24] dot(f16[16,32] x, f16[64,24] y, u16[16,4] where), lhs_contracting_dims={1}, rhs_contracting_dims={0}, sparsity=L.1@2:4`, 2 * 16 * 24 * 32, 0, 2*(16*32+64*24+16*4) + 4*16*24, ""},
		{"fp4", `f32[16,24] dot(f4e2m1fn[16,64]{1,0:E(4)} x, f4e2m1fn[64,24]{1,0:E(4)} y), lhs_contracting_dims={1}, rhs_contracting_dims={0}`,
			2 * 16 * 24 * 64, 0, 16*64/2 + 64*24/2 + 4*16*24, ""},
		{"batches summed over two dimensions",
			`f32[4,8,16] dot(f32[4,8,2,32] x, f32[4,2,32,16] y), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2,3}, rhs_contracting_dims={1,2}`, 2 * 4 * 8 * 16 * 2 * 32, 0, 4 * (4*8*2*32 + 4*2*32*16 + 4*8*16), ""},
		{"groups of features",
			`f32[1,8,8,32] convolution(f32[1,8,8,16] x, f32[3,3,4,32] w), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f, feature_group_count=4`,
			2 * 32 * 4 * (3*8 - 2) * (3*8 - 2), 0, 4 * (8*8*16 + 9*4*32 + 8*8*32), ""},
		{"a short convolution",
			`f32[2,1024,256] convolution(f32[2,1024,256] x, f32[4,1,256] w), window={size=4 pad=3_0}, dim_labels=b0f_0io->b0f, feature_group_count=256`,
			2 * 2 * 256 * (4*1024 - 1 - 2 - 3), 0, 4 * (2*2*1024*256 + 4*256), ""},
		{"the stem of a ResNet",
			`f32[1,64,112,112] convolution(f32[1,3,224,224] x, f32[64,3,7,7] w), window={size=7x7 stride=2x2 pad=3_3x3_3}, dim_labels=bf01_oi01->bf01`,
			2 * 64 * 3 * stem * stem, 0, 4 * (3*224*224 + 64*3*49 + 64*112*112), ""},
		{"the largest of each window",
			`f32[1,4,4,4] reduce-window(f32[1,8,8,4] x, f32[] low), window={size=1x2x2x1 stride=1x2x2x1}, to_apply=%max`,
			0, 64 * 3, 4*(8*8*4) + 4 + 4*64, ""},
		{"rows sorted with their places",
			`(f32[8,1024], s32[8,1024]) sort(f32[8,1024] x, s32[8,1024] i), dimensions={1}, to_apply=%less`,
			0, 8 * 1024 * 10, 2 * 2 * 4 * 8 * 1024, ""},
		{"rows added to some",
			`f32[1000,64] scatter(f32[1000,64] x, s32[32,1] i, f32[32,64] y), update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=%add`,
			0, 32 * 64, 4*32 + 3*4*32*64, ""},
		{"rows of a table",
			`bf16[16,4096] gather(bf16[128256,4096] x, s32[16,1] i), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,4096}`,
			0, 0, 2*2*16*4096 + 4*16, ""},
		{"random bits", `(u64[2], u32[1024]) rng-bit-generator(u64[2] x), algorithm=rng_philox`, 0, 0, 8*2 + 8*2 +
			4*1024, ""},
		{"sums of rows", `f32[128] reduce(f32[128,1024] x, f32[] zero), dimensions={1}, to_apply=%add`,
			0, 128 * 1023, 4 * (128*1024 + 1 + 128), ""},
		{"another order in memory", `f32[64,128]{0,1} copy(f32[64,128]{1,0} x)`, 0, 0, 2 * 4 * 64 * 128, ""},
		{"a number for all", `bf16[64,128] broadcast(bf16[] x), dimensions={}`, 0, 0, 2 * (64*128 + 1), ""},
		{"counting", `s32[4096] iota(), iota_dimension=0`, 0, 0, 4 * 4096, ""},
		{"two end to end", `f32[96,8] concatenate(f32[32,8] x, f32[64,8] y), dimensions={0}`, 0, 0, 2 * 4 * 96 * 8, ""},
		{"a transposition", `f32[8,96] transpose(f32[96,8] x), dimensions={1,0}`, 0, 0, 2 * 4 * 96 * 8, ""},
		{"numbers from 4 bits", `bf16[64,128] convert(s4[64,128]{1,0:E(4)} x)`, 0, 64 * 128, 64*128/2 + 2*64*128, ""},
		{"a row written in place", `f32[32,1024] dynamic-update-slice(f32[32,1024] x, f32[1,1024] y, s32[] i, s32[] z)`,
			0, 0, 2 * 4 * 1024, ""},
	} {
		c.text = "a = " + c.text
		c.check(t)
	}
}

// Computations that fusions, calls, branches and loops run.
func TestCountsOfPrograms(t *testing.T) {
	const (
		head = "HloModule m, is_scheduled=true\n\n"
		dot  = "%dot = f32[4,4] dot(%x, %x), lhs_contracting_dims={1}, rhs_contracting_dims={0}"
		once = 2 * 4 * 4 * 4
		four = "%four (x: f32[4,4]) -> f32[4,4] {\n  %x = f32[4,4] parameter(0)\n  ROOT " + dot + "\n}\n\n"
		main = "ENTRY %main (x: f32[4,4], p: pred[]) -> f32[4,4] {\n  %x = f32[4,4] parameter(0)\n  %p = pred[] " +
			"parameter(1)\n"
	)
	for _, c := range []byHand{
		{"two calls of one computation", head + four + main + "  %y = f32[4,4] call(%x), to_apply=%four\n" +
			"  ROOT %z = f32[4,4] call(%y), to_apply=%four\n}", 2 * once, 0, 2 * 3 * 4 * 16, ""},
		{"two fusions of one computation", head + four + main +
			"  %y = f32[4,4] fusion(%x), kind=kOutput, calls=%four\n" +
			"  ROOT %z = f32[4,4] fusion(%y), kind=kOutput, calls=%four\n}", 2 * once, 0, 2 * 2 * 4 * 16, ""},
		{"one of two branches", head + four +
			"%none (x: f32[4,4]) -> f32[4,4] {\n  ROOT %x = f32[4,4] parameter(0)\n}\n\n" +
			main + "  ROOT %z = f32[4,4] conditional(%p, %x, %x), true_computation=%none, false_computation=%four\n}",
			once, 0, 3 * 4 * 16, ""},
		{"one of three branches", head + four +
			"%none (x: f32[4,4]) -> f32[4,4] {\n  ROOT %x = f32[4,4] parameter(0)\n}\n\n" +
			main + "  %k = s32[] constant(1)\n  ROOT %z = f32[4,4] conditional(%k, %x, %x, %x), " +
			"branch_computations={%none, %four, %none}\n}", once, 0, 3 * 4 * 16, ""},
		{"a row written in place by a fusion", head +
			"%write (a: f32[32,1024], b: f32[1024], i: s32[]) -> f32[32,1024] {\n" +
			"  %a = f32[32,1024] parameter(0)\n  %b = f32[1024] parameter(1)\n  %i = s32[] parameter(2)\n" +
			"  %zero = s32[] constant(0)\n  %n = f32[1024] negate(%b)\n  %row = f32[1,1024] bitcast(%n)\n" +
			"  ROOT %u = f32[32,1024] dynamic-update-slice(%a, %row, %i, %zero)\n}\n\n" +
			"ENTRY %main (a: f32[32,1024], b: f32[1024], i: s32[]) -> f32[32,1024] {\n  %a = f32[32,1024] parameter(0)\n" +
			"  %b = f32[1024] parameter(1)\n  %i = s32[] parameter(2)\n" +
			"  ROOT %f = f32[32,1024] fusion(%a, %b, %i), kind=kLoop, calls=%write\n}", 0, 1024, 4*1024 + 4*1024 + 4,
			""},
		{"a row written in place, and given as a result too, by a fusion", head +
			"%write (a: f32[32,1024], b: f32[1024], i: s32[]) -> (f32[1024], f32[32,1024]) {\n" +
			"  %a = f32[32,1024] parameter(0)\n  %b = f32[1024] parameter(1)\n  %i = s32[] parameter(2)\n" +
			"  %zero = s32[] constant(0)\n  %e = f32[1024] negate(%b)\n  %row = f32[1,1024] bitcast(%e)\n" +
			"  %u = f32[32,1024] dynamic-update-slice(%a, %row, %i, %zero)\n  %same = f32[32,1024] bitcast(%u)\n" +
			"  ROOT %both = (f32[1024], f32[32,1024]) tuple(%e, %same)\n}\n\n" +
			"ENTRY %main (x: f32[32,1024], y: f32[1024], i: s32[]) -> (f32[1024], f32[32,1024]) {\n" +
			"  %x = f32[32,1024] parameter(0)\n  %y = f32[1024] parameter(1)\n  %j = s32[] parameter(2)\n" +
			"  ROOT %f = (f32[1024], f32[32,1024]) fusion(%x, %y, %j), kind=kLoop, calls=%write\n}\n",
			0, 1024, 4*1024 + 4 + 2*4*1024, ""}, // the row, where it goes, and the row written twice
		{"a row written and the whole read, by a fusion", head +
			"%write (a: f32[32,1024], b: f32[1,1024], i: s32[]) -> f32[32,1024] {\n" +
			"  %a = f32[32,1024] parameter(0)\n  %b = f32[1,1024] parameter(1)\n  %i = s32[] parameter(2)\n" +
			"  %zero = s32[] constant(0)\n  %u = f32[32,1024] dynamic-update-slice(%a, %b, %i, %zero)\n" +
			"  ROOT %n = f32[32,1024] negate(%u)\n}\n\n" +
			"ENTRY %main (x: f32[32,1024], y: f32[1,1024], i: s32[]) -> f32[32,1024] {\n" +
			"  %x = f32[32,1024] parameter(0)\n  %y = f32[1,1024] parameter(1)\n  %j = s32[] parameter(2)\n" +
			"  ROOT %f = f32[32,1024] fusion(%x, %y, %j), kind=kLoop, calls=%write\n}\n",
			0, 32 * 1024, 2*4*32*1024 + 4*1024 + 4, ""},
		{"rows added in place by a fusion", head + "%add (a: f32[], b: f32[]) -> f32[] {\n  %a = f32[] parameter(0)\n" +
			"  %b = f32[] parameter(1)\n  ROOT %s = f32[] add(%a, %b)\n}\n\n" +
			"%put (x: f32[1000,64], i: s32[32,1], y: f32[32,64]) -> f32[1000,64] {\n  %x = f32[1000,64] parameter(0)\n" +
			"  %i = s32[32,1] parameter(1)\n  %y = f32[32,64] parameter(2)\n" +
			"  ROOT %u = f32[1000,64] scatter(%x, %i, %y), update_window_dims={1}, inserted_window_dims={0}, " +
			"scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=%add\n}\n\n" +
			"ENTRY %main (x: f32[1000,64], i: s32[32,1], y: f32[32,64]) -> f32[1000,64] {\n" +
			"  %x = f32[1000,64] parameter(0)\n  %i = s32[32,1] parameter(1)\n  %y = f32[32,64] parameter(2)\n" +
			"  ROOT %f = f32[1000,64] fusion(%x, %i, %y), kind=kLoop, calls=%put\n}", 0, 32 * 64, 4*32 + 3*4*32*64, ""},
		{"a row read by a fusion", head + "%read (a: f32[32,1024], b: f32[1,1024], i: s32[]) -> f32[1,1024] {\n" +
			"  %a = f32[32,1024] parameter(0)\n  %b = f32[1,1024] parameter(1)\n  %i = s32[] parameter(2)\n" +
			"  %zero = s32[] constant(0)\n  %row = f32[1,1024] dynamic-slice(%a, %i, %zero), dynamic_slice_sizes={1,1024}\n" +
			"  ROOT %u = f32[1,1024] multiply(%row, %b)\n}\n\n" +
			"ENTRY %main (a: f32[32,1024], b: f32[1,1024], i: s32[]) -> f32[1,1024] {\n  %a = f32[32,1024] parameter(0)\n" +
			"  %b = f32[1,1024] parameter(1)\n  %i = s32[] parameter(2)\n" +
			"  ROOT %f = f32[1,1024] fusion(%a, %b, %i), kind=kLoop, calls=%read\n}", 0, 1024, 3*4*1024 + 4, ""},
		{"a kernel of Triton with scales", head +
			"%gemm (x: f8e4m3fn[64,512], w: f8e4m3fn[512,256], s: bf16[]) -> bf16[64,256] {\n" +
			"  %x = f8e4m3fn[64,512] parameter(0)\n  %w = f8e4m3fn[512,256] parameter(1)\n  %s = bf16[] parameter(2)\n" +
			"  %d = bf16[64,256] dot(%x, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n" +
			"  %b = bf16[64,256] broadcast(%s), dimensions={}\n  ROOT %m = bf16[64,256] multiply(%d, %b)\n}\n\n" +
			"ENTRY %main (x: f8e4m3fn[64,512], w: f8e4m3fn[512,256], s: bf16[]) -> bf16[64,256] {\n" +
			"  %x = f8e4m3fn[64,512] parameter(0)\n  %w = f8e4m3fn[512,256] parameter(1)\n  %s = bf16[] parameter(2)\n" +
			"  ROOT %f = bf16[64,256] fusion(%x, %w, %s), kind=kCustom, calls=%gemm, backend_config=" +
			`{"fusion_backend_config":{"kind":"__triton_gemm","triton_gemm_config":{"block_m":"64","split_k":"1"}}}` +
			"\n}",
			2 * 64 * 512 * 256, 64 * 256, 64*512 + 512*256 + 2 + 2*64*256, ""},
		{"weights of 4 bits in a product", head + "%gemm (x: bf16[16,4096], w: s4[4096,1024]) -> bf16[16,1024] {\n" +
			"  %x = bf16[16,4096] parameter(0)\n  %w = s4[4096,1024]{1,0:E(4)} parameter(1)\n" +
			"  %c = bf16[4096,1024] convert(%w)\n" +
			"  ROOT %d = bf16[16,1024] dot(%x, %c), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n}\n\n" +
			"ENTRY %main (x: bf16[16,4096], w: s4[4096,1024]) -> bf16[16,1024] {\n  %x = bf16[16,4096] parameter(0)\n" +
			"  %w = s4[4096,1024]{1,0:E(4)} parameter(1)\n" +
			"  ROOT %f = bf16[16,1024] fusion(%x, %w), kind=kCustom, calls=%gemm\n}",
			2 * 16 * 4096 * 1024, 4096 * 1024, 2*16*4096 + 4096*1024/2 + 2*16*1024, ""},
		{"a sum that a computation starts, passed on, and ended", head +
			"%add (a: f32[], b: f32[]) -> f32[] {\n  %a = f32[] parameter(0)\n" +
			"  %b = f32[] parameter(1)\n  ROOT %s = f32[] add(%a, %b)\n}\n\n%sum (p: f32[512]) -> f32[512] {\n" +
			"  %p = f32[512] parameter(0)\n  ROOT %r = f32[512] all-reduce(%p), replica_groups=[1,16]<=[16], to_apply=%add\n}\n\n" +
			"ENTRY %main (x: f32[512]) -> f32[512] {\n  %x = f32[512] parameter(0)\n" +
			"  %s = ((f32[512]), f32[512]) async-start(%x), calls=%sum\n  %u = ((f32[512]), f32[512]) async-update(%s)\n" +
			"  ROOT %d = f32[512] async-done(%u)\n}", 0, 0, 2 * 4 * 512, "all-reduce 2048/16 x1"},
	} {
		c.check(t)
	}
}

// Loops whose conditions are written in other ways: each runs a product of 128 operations, and sends 64 bytes, once a
// turn.
func TestCountsOfLoops(t *testing.T) {
	loop := func(begin, next, condition, tail string) string {
		return `HloModule m, is_scheduled=true

%body (t: (s32[], f32[4,4])) -> (s32[], f32[4,4]) {
  %t = (s32[], f32[4,4]) parameter(0)
  %i = s32[] get-tuple-element(%t), index=0
  %x = f32[4,4] get-tuple-element(%t), index=1
  %y = f32[4,4] dot(%x, %x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  %z = f32[4,4] collective-permute(%y), source_target_pairs={{0,1},{1,0}}
  ` + next + `
  ROOT %r = (s32[], f32[4,4]) tuple(%next, %z)
}

%cond (t: (s32[], f32[4,4])) -> pred[] {
  %t = (s32[], f32[4,4]) parameter(0)
  %i = s32[] get-tuple-element(%t), index=0
  ` + condition + `
}

ENTRY %main (x: f32[4,4]) -> f32[4,4] {
  %x = f32[4,4] parameter(0)
  ` + begin + `
  %tuple = (s32[], f32[4,4]) tuple(%i, %x)
  %w = (s32[], f32[4,4]) while(%tuple), condition=%cond, body=%body` + tail + `
  ROOT %o = f32[4,4] get-tuple-element(%w), index=1
}`
	}
	const (
		up   = "%one = s32[] constant(1)\n  %next = s32[] add(%i, %one)"
		zero = "%i = s32[] constant(0)"
	)
	for _, c := range []struct {
		begin, next, condition, tail string
		turns                        float64
	}{
		{zero, up, "%n = s32[] constant(7)\n  ROOT %c = pred[] compare(%n, %i), direction=GT", "", 7},
		{zero, up, "%n = s32[] constant(7)\n  ROOT %c = pred[] compare(%i, %n), direction=LE", "", 8},
		{zero, up, "%n = s32[] constant(7)\n  ROOT %c = pred[] compare(%i, %n), direction=NE", "", 7},
		{"%i = s32[] constant(12)", "%s = s32[] constant(3)\n  %next = s32[] subtract(%i, %s)",
			"%n = s32[] constant(0)\n  ROOT %c = pred[] compare(%i, %n), direction=GT", "", 4},
		{"%i = s32[] constant(11)", "%s = s32[] constant(-4)\n  %next = s32[] add(%i, %s)",
			"%n = s32[] constant(0)\n  ROOT %c = pred[] compare(%i, %n), direction=GE", "", 3},
		{"%i = s32[] constant(2)", "%s = s32[] constant(4)\n  %next = s32[] add(%s, %i)",
			"%n = s32[] constant(15)\n  ROOT %c = pred[] compare(%i, %n), direction=LT, type=SIGNED", "", 4},
		{zero, up, "%n = s32[] constant(7)\n  ROOT %c = pred[] compare(%i, %n), direction=LT",
			`, backend_config={"known_trip_count":{"n":"5"}}`, 5},
		{zero, up, "%n = s32[] constant(7)\n  ROOT %c = pred[] compare(%i, %n), direction=LT",
			`, backend_config="{\"known_trip_count\":{\"n\":\"9\"},\"known_init_step\":{\"init\":\"0\",\"step\":\"1\"}}"`, 9},
		{"%i = s32[] constant(9)", up, "%n = s32[] constant(7)\n  ROOT %c = pred[] compare(%i, %n), direction=LT", "",
			0},
	} {
		sent := fmt.Sprintf("permute 64/2 x%v", c.turns)
		if c.turns == 0 {
			sent = ""
		}
		(&byHand{c.condition + c.tail, loop(c.begin, c.next, c.condition, c.tail), 128 * c.turns, -1, -1,
			sent}).check(t)
	}
}
