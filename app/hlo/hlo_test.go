package hlo

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/hardware"
)

func TestShape(t *testing.T) {
	for _, c := range []struct {
		text                       string
		elements, padded, held, in float64
	}{
		{"f32[3,5]{1,0:T(2,2)}", 15, 24, 96, 96},
		{"bf16[4,8]{1,0:T(2,4)(2,1)}", 32, 32, 64, 64},
		{"bf16[32,1024]{1,0:T(8,128)(2,1)S(1)}", 32768, 32768, 65536, 0},
		{"f32[16,8]{0,1:T(8,128)}", 128, 1024, 4096, 4096},
		{"f32[8,4]{0,1:T(4,128)}", 32, 512, 2048, 2048},
		{"f32[4]{0:T(128)}", 4, 128, 512, 512},
		{"bf16[4]{0:T(256)(128)(2,1)}", 4, 256, 512, 512},
		{"f32[]{:T(128)}", 1, 128, 512, 512},
		{"s4[3,5]{1,0:T(8,128)(8,1)E(4)}", 15, 1024, 512, 512},
		{"s4[16]", 16, 16, 16, 16},
		{"f8e4m3fn[7,9]{0,1}", 63, 63, 63, 63},
		{"bf16[<=10,128]{1,0:T(8,128)(2,1)}", 1280, 2048, 4096, 4096},
		{"(f32[2]{0}, /*index=1*/(u32[]{:S(2)}, pred[3]))", 6, 6, 15, 11},
		{"token[]", 1, 1, 0, 0},
	} {
		s, err := ParseShape(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if s.Elements() != c.elements || s.Padded() != c.padded || s.Held() != c.held || s.In(0) != c.in {
			t.Errorf("%s: %v elements, %v padded, %v bytes, %v in HBM", c.text, s.Elements(), s.Padded(), s.Held(),
				s.In(0))
		}
	}
}

// In tiles of 2 x 4, of which each pair of rows is packed, the neighbours below lie beside each other.
func TestPlace(t *testing.T) {
	s, err := ParseShape("bf16[4,8]{1,0:T(2,4)(2,1)}")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][3]int{{0, 0, 0}, {1, 0, 1}, {0, 1, 2}, {1, 3, 7}, {0, 4, 8}, {2, 0, 16}, {3, 7, 31}} {
		if got := s.Layout.Place(s.Dims, []int{c[0], c[1]}); got != c[2] {
			t.Errorf("element %d, %d lies at %d, want %d", c[0], c[1], got, c[2])
		}
	}
}

func TestShapeRefused(t *testing.T) {
	for _, text := range []string{"", "bf16", "bf16[", "bf16[3", "bf16[3,]x", "zz9[3]", "f32[-1]", "f32[1e9]",
		"f32[3]{1}", "f32[3,4]{0,0}", "f32[3]{0:T(x)}", "f32[1152921504606846975,1152921504606846975]", "(f32[2]",
		"f32[1000000000,1000000000]", "f32[1]{0:T(1000000000,1000000000,1000000000)}", strings.Repeat("(", 100)} {
		if s, err := ParseShape(text); err == nil {
			t.Errorf("%q is read as %v", text, s)
		}
	}
}

// read is a module of a file.
func read(t *testing.T, name string) *Module {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	m, err := Read(string(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range m.Faults {
		t.Errorf("%s:%d: %v", name, f.Line, f.What)
	}
	return m
}

func chip(t *testing.T, id string) Chip {
	t.Helper()
	a, err := hardware.Catalog().Get(id)
	if err != nil {
		t.Fatal(err)
	}
	return NewChip(a)
}

// A program that JAX 0.7.2 compiled for a TPU v5e, published with the compiler's own count: 1,152 operations, arguments
// of 6,656 bytes where 656 are data, and a result of 2,048.
func TestRelu(t *testing.T) {
	p := read(t, "relu-v5e.hlo").On(chip(t, "tpu.v5e"))
	if p.FLOPs != 1152 {
		t.Errorf("%v operations, the compiler says 1152", p.FLOPs)
	}
	arguments := 0.0
	for i := range p.Entry.Ops {
		if p.Entry.Ops[i].Code == "parameter" {
			arguments += p.Entry.Ops[i].Shape.Held()
		}
	}
	if arguments != 6656 || p.Entry.Root().Shape.Held() != 2048 {
		t.Errorf("arguments of %v bytes, a result of %v", arguments, p.Entry.Root().Shape.Held())
	}
	last := p.Ops[len(p.Ops)-1]
	if last.Name != "fusion" || last.HBM != 2048+2048 || last.VMEM != 4096+512 {
		t.Errorf("%s moves %v bytes of HBM and %v of VMEM", last.Name, last.HBM, last.VMEM)
	}
}

// A transform of 2048 cubed numbers over eight GPUs, shortened; the benchmark's page reports its time on an H100 node.
func TestFourier(t *testing.T) {
	p := read(t, "fft-8gpus.hlo").On(chip(t, "gpu.h100"))
	if p.Devices != 8 {
		t.Errorf("%d devices", p.Devices)
	}
	const numbers = 512 * 1024 * 2048
	var sent *Expected
	for i := range p.Ops {
		if len(p.Ops[i].Sent) > 0 {
			sent = &p.Ops[i]
		}
	}
	if sent == nil || sent.Sent[0].Group != 4 || sent.Sent[0].Bytes != 4*8*numbers {
		t.Fatalf("sent: %+v", sent)
	}
	if want := 8. * numbers * 3 / 4 / 450e9; math.Abs(sent.Comms/want-1) > 1e-9 {
		t.Errorf("it takes %v s, want %v", sent.Comms, want)
	}
	if p.FLOPs != (5*11+1)*numbers { // and a conversion of each
		t.Errorf("%v operations", p.FLOPs)
	}
}

func TestCounts(t *testing.T) {
	for _, c := range []struct {
		text          string
		flops, hbm    float64
		group         int
		bytes, vector float64
	}{
		{text: "d = f32[16,128] dot(f32[128,256] x, f32[256,16] y), lhs_contracting_dims={1}, rhs_contracting_dims={0}",
			flops: 2 * 128 * 256 * 16, hbm: 4 * (16*128 + 128*256 + 256*16)},
		{text: "d = bf16[4,8,32]{2,1,0} dot(bf16[4,8,16] x, bf16[4,16,32] y), lhs_batch_dims={0}, " +
			"lhs_contracting_dims={2}",
			flops: 2 * 4 * 8 * 16 * 32, hbm: 2 * (4*8*32 + 4*8*16 + 4*16*32)},
		// A batched matmul as a TPU writes it: of 4 x 4 places of the window 4 meet the input.
		{text: "c = bf16[4,8,32]{2,1,0} convolution(bf16[4,8,16] x, bf16[4,16,32] y), " +
			"window={size=4 stride=3 lhs_dilate=4}, dim_labels=0bf_0io->0bf",
			flops: 2 * 4 * 8 * 16 * 32, hbm: 2 * (4*8*32 + 4*8*16 + 4*16*32)},
		{text: "c = f32[1,4,4,8] convolution(f32[1,4,4,3] x, f32[3,3,3,8] y), window={size=3x3 pad=1_1x1_1}, " +
			"dim_labels=b01f_01io->b01f", flops: 2 * 10 * 10 * 3 * 8, hbm: 4 * (128 + 48 + 216)},
		{text: "r = f32[8] reduce(f32[8,128] x, f32[] z), dimensions={1}, to_apply=%add", flops: 8*128 - 8,
			hbm: 4 * (8 + 1024 + 1)},
		{text: "r = (f32[8], s32[8]) reduce(f32[8,128] x, s32[8,128] i, f32[] z, s32[] z), dimensions={1}, to_apply=%a",
			flops: 2 * (8*128 - 8), hbm: 2 * 4 * (8 + 1024 + 1)},
		{text: "w = f32[1,4] reduce-window(f32[1,8] x, f32[] z), window={size=1x3 stride=1x2}, to_apply=%a",
			flops: 4 * 2, hbm: 4 * (4 + 8 + 1)},
		// All of a row, wherever the window stands: the maximum of each of two rows of eight, once.
		{text: "w = f32[2,8] reduce-window(f32[2,8] x, f32[] z), window={size=1x15 pad=0_0x7_7}, to_apply=%a",
			flops: 2 * 7, hbm: 4 * (16 + 16 + 1)},
		{text: "w = f32[2,8] reduce-window(f32[2,8] x, f32[] z), window={size=1x8 pad=0_0x7_0}, to_apply=%a",
			flops: 16 * 7, hbm: 4 * (16 + 16 + 1)},
		{text: "w = f32[1,8] select-and-scatter(f32[1,8] x, f32[1,4] y, f32[] z), window={size=1x3 stride=1x2}, " +
			"select=%ge, scatter=%a", flops: 4 * 3, hbm: 4 * (8 + 8 + 4 + 1)},
		{text: "s = f32[100,64] scatter(f32[100,64] x, s32[7,1] i, f32[7,64] u), to_apply=%a", flops: 7 * 64,
			hbm: 4 * (7 + 3*7*64)},
		{text: "s = (f32[8,1000], s32[8,1000]) sort(f32[8,1000] x, s32[8,1000] i), dimensions={1}, to_apply=%lt",
			flops: 8 * 1000 * 10, hbm: 2 * 2 * 4 * 8000},
		{text: "f = c64[4,33] fft(f32[4,64] x), fft_type=RFFT, fft_length={64}", flops: 2.5 * 4 * 64 * 6,
			hbm: 4 * (4*64 + 2*4*33)},
		{text: "f = f32[4,64] fft(c64[4,33] x), fft_type=IRFFT, fft_length={64}", flops: 2.5 * 4 * 64 * 6,
			hbm: 4 * (4*64 + 2*4*33)},
		{text: "t = f32[8,32] triangular-solve(f32[8,8] a, f32[8,32] b), left_side=true", flops: 8 * 8 * 32,
			hbm: 4 * (64 + 2*256)},
		{text: "c = f32[2,6,6] cholesky(f32[2,6,6] a), lower=true", flops: 2 * 6 * 6 * 6 / 3, hbm: 2 * 4 * 72},
		{text: "v = f32[64] convert(bf16[64] x)", flops: 64, hbm: 6 * 64},
		{text: "g = bf16[64,8] ragged-all-to-all(bf16[32,8] x, bf16[64,8] o, s64[4] a, s64[4] b, s64[4] c, " +
			"s64[4] d), replica_groups={{0,1,2,3}}", group: 4, bytes: 4 * 2 * 32 * 8, hbm: 2 * 8 * (32 + 64)},
		{text: "p = f32[8,64] collective-permute(f32[8,64] x, f32[8,64] o, (s32[], s32[]) a, (s32[], s32[]) b), " +
			"source_target_pairs={{0,1},{1,0}}, slice_sizes={{4,64}}", group: 2, bytes: 4 * 4 * 64,
			hbm: 2 * 4 * 4 * 64},
		{text: "s = bf16[1,128] dynamic-slice(bf16[100,128] x, s32[] i, s32[] j), dynamic_slice_sizes={1,128}",
			hbm: 2 * 2 * 128},
		{text: "u = bf16[100,128] dynamic-update-slice(bf16[100,128] x, bf16[1,128] y, s32[] i)", hbm: 2 * 2 * 128},
		{text: "g = bf16[8,128] all-gather(bf16[2,128] x), replica_groups=[2,4]<=[8], dimensions={0}", group: 4,
			bytes: 2 * 8 * 128, hbm: 2 * 10 * 128},
		{text: "g = (bf16[2,128], bf16[8,128]) all-gather-start(bf16[2,128] x), replica_groups={{0,1,2,3},{4,5,6,7}}",
			group: 4, bytes: 2 * 8 * 128, hbm: 2 * 10 * 128},
		{text: "g = bf16[2,128] reduce-scatter(bf16[8,128] x), replica_groups={}, to_apply=%a", group: 4, bytes: 2048,
			hbm: 2560},
		// Groups that the axes of a mesh make, the whole of them or a part; the order of devices may stand between.
		{text: "r = f32[64] all-reduce(f32[64] x), replica_groups=mesh['a'=2,'b'=1,'c'=4] {'a'}, to_apply=%a",
			group: 2, bytes: 256, hbm: 512},
		{text: "r = f32[64] all-reduce(f32[64] x), replica_groups=mesh['a'=2,'b'=1,'c'=4] {'a','c'}, to_apply=%a",
			group: 8, bytes: 256, hbm: 512},
		{text: "r = f32[64] all-reduce(f32[64] x), replica_groups=mesh['x'=21,'y'=10] {'x':(3)7,'y':(1)5}, to_apply=%a",
			group: 35, bytes: 256, hbm: 512},
		{text: "r = f32[64] all-reduce(f32[64] x), replica_groups=mesh['a'=2,'b'=4,'c'=4], " +
			"device_ids=([4,8]T(1,0)) {'c'}, use_global_device_ids=true, to_apply=%a", group: 4, bytes: 256, hbm: 512},
		// A batch in groups: each of the 2 x 14 x 14 x 8 results sums over 3 x 3 x 4 inputs of its own group alone.
		{text: "c = f32[2,14,14,8] convolution(f32[8,16,16,4] x, f32[3,3,4,8] y), window={size=3x3}, " +
			"dim_labels=b01f_01io->b01f, batch_group_count=4", flops: 2 * 2 * 14 * 14 * 8 * 36,
			hbm: 4 * (2*14*14*8 + 8*16*16*4 + 9*4*8)},
		{text: "d = f32[32,16] scaled-dot(f8e4m3fn[32,64] x, f8e4m3fn[64,16] y, f8e8m0fnu[32,2] s, " +
			"f8e8m0fnu[2,16] t), lhs_contracting_dims={1}, rhs_contracting_dims={0}", flops: 2 * 32 * 16 * 64,
			hbm: 4*32*16 + 32*64 + 64*16 + 2*32 + 2*16},
		{text: `d = (f32[32,16], s8[4]) custom-call(f8e4m3fn[32,64] x, f8e4m3fn[16,64] y, f8e8m0fnu[32,2] s, ` +
			`f8e8m0fnu[16,2] t), custom_call_target="__op$block_scaled_dot"`, flops: 2 * 32 * 16 * 64,
			hbm: 4*32*16 + 4 + 32*64 + 64*16 + 2*32 + 2*16},
		// Rows of three groups, each times the matrix of its own; and the gradient of these matrices.
		{text: "d = f32[6,5] ragged-dot(f32[6,4] x, f32[3,4,5] y, s32[3] g), lhs_contracting_dims={1}, " +
			"rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}", flops: 2 * 6 * 4 * 5,
			hbm: 4 * (30 + 24 + 60 + 3)},
		{text: "d = f32[3,4,5] ragged-dot(f32[6,4] x, f32[6,5] y, s32[3] g), lhs_contracting_dims={0}, " +
			"rhs_contracting_dims={0}, lhs_ragged_dims={0}", flops: 2 * 6 * 4 * 5, hbm: 4 * (60 + 24 + 30 + 3)},
		{text: "a = f32[64] asinh(f32[64] x)", flops: 64, hbm: 512},
		{text: "a = bf16[64] stochastic-convert(f32[64] x, u32[64] y)", flops: 64, hbm: 2*64 + 2*4*64},
		{text: `p = b(f32[64]) custom-call(f32[64] x), custom_call_target="Pin"`},
		// Lines of a text that was cut: what they take is known from what they give.
		{text: "r = bf16[16,128] all-reduce(p0), replica_groups={{0,1,2,3}}", group: 4, bytes: 4096, hbm: 4096},
		{text: "r = bf16[16,128] reduce-scatter(p0), replica_groups={{0,1,2,3}}", group: 4, bytes: 4 * 4096, hbm: 4096},
		// A single line from a trace: what it sends shows in the name and in the shapes.
		{text: "%fusion.3 = bf16[32,32,4096]{2,1,0:T(8,128)(2,1)S(1)} " +
			"fusion(bf16[32,32,8192]{2,1,0:T(8,128)(2,1)S(1)} " +
			"%fusion.32), kind=kCustom, calls=%all-reduce-scatter.3", group: 2, bytes: 16777216},
		{text: `m = (bf16[8,32], s8[4]) custom-call(bf16[8,16] x, bf16[16,32] y), custom_call_target="__cublas$gemm", ` +
			`backend_config={"dot_dimension_numbers":{"lhs_contracting_dimensions":["1"]}}`, flops: 2 * 8 * 16 * 32,
			hbm: 2 * (256 + 128 + 512)},
	} {
		m, err := Read(c.text)
		if err != nil || m.Unread > 0 {
			t.Errorf("%s: %v, %v", c.text, err, m)
			continue
		}
		got := m.cost(&m.Entry.Ops[0], 0)
		if got.Matrix+got.Vector != c.flops || got.HBM != c.hbm {
			t.Errorf("%s: %v operations, %v bytes", c.text, got.Matrix+got.Vector, got.HBM)
		}
		if c.group > 0 && (len(got.Sent) != 1 || got.Sent[0].Group != c.group || got.Sent[0].Bytes != c.bytes) {
			t.Errorf("%s: sends %+v", c.text, got.Sent)
		}
	}
}

// Groups are of replicas, of whole replicas, of partitions or of devices, of which the first line says how many run the
// program. Who is in no group is in one of all of these.
func TestGroupsOfReplicas(t *testing.T) {
	const array = 2 * 16 * 128
	for _, c := range []struct {
		head, op string
		group    int
		bytes    float64
	}{
		{"num_partitions=8", "all-reduce(x), replica_groups={}", 8, array},
		{"num_partitions=8", "all-reduce(x), channel_id=1, replica_groups={{0}}", 8, array},
		{"num_partitions=8", "all-reduce(x), channel_id=1, replica_groups={{0,1},{2,3}}", 2, array},
		{"replica_count=8", "all-reduce(x), replica_groups={{0,1},{2,3}}", 2, array},
		{"replica_count=8", "all-to-all(x), replica_groups={}, dimensions={0}", 8, 8 * array},
		{"replica_count=4, num_partitions=2", "all-reduce(x), replica_groups={}", 4, array},
		{"replica_count=4, num_partitions=2", "all-reduce(x), replica_groups={{0,1},{2,3}}", 2, array},
		{"replica_count=4, num_partitions=2", "all-reduce(x), channel_id=1, replica_groups={{0,1},{2,3}}", 4, array},
		{"replica_count=4, num_partitions=2", "all-reduce(x), channel_id=1, replica_groups={}", 8, array},
		{"replica_count=4, num_partitions=2", "all-reduce(x), channel_id=1, replica_groups={{0,1},{2,3}}, " +
			"use_global_device_ids=true", 2, array},
		{"replica_count=4, num_partitions=2", "all-to-all(x), channel_id=1, replica_groups={}, dimensions={0}", 2,
			2 * array},
		{"replica_count=4, num_partitions=2", "all-to-all(x), replica_groups={{0,1,2,3}}, dimensions={0}", 4,
			4 * array},
	} {
		m, err := Read("HloModule m, " + c.head + "\n\nENTRY e {\n  x = bf16[16,128] parameter(0)\n" +
			"  ROOT r = bf16[16,128] " + c.op + ", to_apply=add\n}\n")
		if err != nil || m.Entry == nil {
			t.Fatal(m, err)
		}
		got := m.cost(&m.Entry.Ops[1], 0)
		if len(got.Sent) != 1 || got.Sent[0].Group != c.group || got.Sent[0].Bytes != c.bytes {
			t.Errorf("%s: %s: sends %+v, want %v bytes among %d", c.head, c.op, got.Sent, c.bytes, c.group)
		}
	}
}

// Programs of XLA's own tests, whose repository is named in their first lines. Operations and bytes are counted by
// hand.
func TestPublic(t *testing.T) {
	for _, c := range []struct {
		name       string
		flops, hbm float64
	}{
		{"collective-cse", 0, 3*(16+128) + 2*128},
		{"dot-batch", 2 * 2 * 16 * 32 * 8, 4 * (2*16*32 + 2*32*8 + 2*16*8)},
		{"reduce-variadic", 2 * 2 * (6 - 3), 4 * (2*(6+6+1+1+3+3) + 2*6)},
		{"scatter-argmax", 3 * 72, 2*3*4*72 + 2*4*24},
		{"reduce-f16", 1<<20 - 1, 2<<20 + 2 + 2},
	} {
		text, err := os.ReadFile("testdata/" + c.name + ".hlo")
		if err != nil {
			t.Fatal(err)
		}
		m, err := Read(string(text))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		p := m.On(Chip{Peak: func(string) float64 { return 1 }, HBM: 1})
		if m.Unread > 0 || p.FLOPs != c.flops || p.HBM != c.hbm {
			t.Errorf("%s: %v operations, %v bytes, not read: %v", c.name, p.FLOPs, p.HBM, m.Faults)
		}
	}
}

// What is applied to each element counts as many operations as it holds; a scatter that puts its updates in place of
// what is there doesn't read that. XLA's own analysis counts the same operations.
func TestAppliedComputations(t *testing.T) {
	const text = `HloModule m
set (a: f32[], b: f32[]) -> f32[] {
  a = f32[] parameter(0)
  ROOT b = f32[] parameter(1)
}
add (a: f32[], b: f32[]) -> f32[] {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
sum_abs (a: f32[], b: f32[]) -> f32[] {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  c = f32[] abs(b)
  ROOT s = f32[] add(a, c)
}
row (a: f32[64], b: f32[64]) -> f32[64] {
  a = f32[64] parameter(0)
  b = f32[64] parameter(1)
  ROOT s = f32[64] add(a, b)
}
inner (a: f32[64], b: f32[64]) -> f32[64] {
  a = f32[64] parameter(0)
  b = f32[64] parameter(1)
  d = f32[] dot(a, b), lhs_contracting_dims={0}, rhs_contracting_dims={0}
  ROOT s = f32[64] broadcast(d), dimensions={}
}
ENTRY e (x: f32[100,64], i: s32[7,1], u: f32[7,64]) -> f32[100,64] {
  x = f32[100,64] parameter(0)
  i = s32[7,1] parameter(1)
  u = f32[7,64] parameter(2)
  z = f32[] constant(0)
  ROOT r = %s
}
`
	for _, c := range []struct {
		op         string
		flops, hbm float64
	}{
		{"f32[100,64] scatter(x, i, u), to_apply=set", 0, 4 * (7 + 2*7*64)},
		{"f32[100,64] scatter(x, i, u), to_apply=add", 7 * 64, 4 * (7 + 3*7*64)},
		{"f32[100] reduce(x, z), dimensions={1}, to_apply=add", 100 * 63, 4 * (6400 + 100 + 1)},
		{"f32[100] reduce(x, z), dimensions={1}, to_apply=sum_abs", 2 * 100 * 63, 4 * (6400 + 100 + 1)},
		{"f32[100,64] map(x, x), to_apply=sum_abs", 2 * 6400, 4 * 3 * 6400},
		{"(f32[100,64], f32[64]) scan(x, z), dimensions={0}, num_carries=1, to_apply=sum_abs", 2 * 6400,
			4 * (2*6400 + 64 + 1)},
		{"(f32[100,64], f32[64]) scan(x, z), dimensions={0}, num_carries=1, to_apply=row", 6400, 4 * (2*6400 + 64 + 1)},
		{"(f32[100,64], f32[64]) scan(x, z), dimensions={0}, num_carries=1, to_apply=inner", 2 * 6400,
			4 * (2*6400 + 64 + 1)},
		{"f32[99,64] reduce-window(x, z), window={size=2x1}, to_apply=sum_abs", 2 * 99 * 64, 4 * (99*64 + 6400 + 1)},
	} {
		m, err := Read(fmt.Sprintf(text, c.op))
		if err != nil || m.Unread > 0 {
			t.Fatal(err, m)
		}
		p := m.On(Chip{Peak: func(string) float64 { return 1 }, HBM: 1})
		if p.FLOPs != c.flops || p.HBM != c.hbm {
			t.Errorf("%s: %v operations, %v bytes; want %v, %v", c.op, p.FLOPs, p.HBM, c.flops, c.hbm)
		}
	}
}

// A fusion reads of an array what it cuts out of it, also if it pads it first, and if a fusion within does it.
func TestPiecesOfFusions(t *testing.T) {
	const text = `HloModule m
%%inner (p: bf16[1,16,1024], i: s32[]) -> bf16[2,1,1024] {
  %%p = bf16[1,16,1024] parameter(0)
  %%i = s32[] parameter(1)
  %%z = bf16[] constant(0)
  %%wide = bf16[2,16,1024] pad(%%p, %%z), padding=0_1x0_0x0_0
  ROOT %%s = bf16[2,1,1024] dynamic-slice(%%wide, %%i, %%i, %%i), dynamic_slice_sizes={2,1,1024}
}
%%outer (p: bf16[1,16,1024], i: s32[]) -> bf16[2,1,1024] {
  %%p = bf16[1,16,1024] parameter(0)
  %%i = s32[] parameter(1)
  %%f = bf16[2,1,1024] fusion(%%p, %%i), kind=kLoop, calls=%%inner%s
  ROOT %%n = bf16[2,1,1024] negate(%%f)
}
ENTRY %%e {
  %%a = bf16[1,16,1024] parameter(0)
  %%i = s32[] parameter(1)
  ROOT %%f = bf16[2,1,1024] fusion(%%a, %%i), kind=kLoop, calls=%%outer
}`
	const result, place = 2 * 2 * 1024, 4.
	for call, read := range map[string]float64{"": 2 * 1024, "X": 2 * 16 * 1024} {
		m, err := Read(fmt.Sprintf(text, call))
		if err != nil {
			t.Fatal(err)
		}
		if p := m.On(Chip{Peak: func(string) float64 { return 1 }, HBM: 1}); p.HBM != read+result+place {
			t.Errorf("calls inner%s: %v bytes, want %v", call, p.HBM, read+result+place)
		}
	}
}

// What a fusion cuts off again is neither read nor computed before it. Of 64 x 512 elements of two bytes a slice of a
// sum takes two rows; a gather of three rows after two operations an element; of what is needed as a whole beside its
// slice, all is.
func TestSharesOfFusions(t *testing.T) {
	const text = `HloModule m
%%f (p: bf16[64,512], i: s32[], at: s32[3,1]) -> f32[%[1]d,512] {
  %%p = bf16[64,512] parameter(0)
  %%i = s32[] parameter(1)
  %%at = s32[3,1] parameter(2)
  %%c = f32[64,512] convert(%%p)
  %%s = f32[64,512] add(%%c, %%c)
  %[2]s
}
ENTRY %%e {
  %%a = bf16[64,512] parameter(0)
  %%i = s32[] parameter(1)
  %%at = s32[3,1] parameter(2)
  ROOT %%r = f32[%[1]d,512] fusion(%%a, %%i, %%at), kind=kLoop, calls=%%f
}`
	const row = 512.
	for _, c := range []struct {
		rows       int
		root       string
		bytes, ops float64
	}{
		{2, "ROOT %d = f32[2,512] dynamic-slice(%s, %i, %i), dynamic_slice_sizes={2,512}",
			2*row*(2+4) + 4, 2 * row * 2},
		{3, "ROOT %g = f32[3,512] gather(%s, %at), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, " +
			"index_vector_dim=1, slice_sizes={1,512}", 3*row*(2+4) + 3*4, 3 * row * 2},
		{64, "%d = f32[1,512] dynamic-slice(%c, %i, %i), dynamic_slice_sizes={1,512}\n" +
			"  %b = f32[64,512] broadcast(%d), dimensions={0,1}\n" +
			"  ROOT %m = f32[64,512] multiply(%s, %b)", 64*row*(2+4) + 4, 64 * row * 3},
	} {
		m, err := Read(fmt.Sprintf(text, c.rows, c.root))
		if err != nil || m.Unread > 0 {
			t.Fatal(err, m)
		}
		p := m.On(Chip{Peak: func(string) float64 { return 1 }, HBM: 1})
		if p.HBM != c.bytes || p.FLOPs != c.ops {
			t.Errorf("%s: %v bytes and %v operations, want %v and %v", c.root, p.HBM, p.FLOPs, c.bytes, c.ops)
		}
	}
}

// A matmul of a type that the chip has no rate for says so; what a ragged exchange sends is a bound.
func TestWhatOnlyARunKnows(t *testing.T) {
	for line, want := range map[string]struct {
		unrated string
		bounded bool
	}{
		"a = f64[8,8] dot(f64[8,8] x, f64[8,8] y), lhs_contracting_dims={1}":        {"f64", false},
		"a = bf16[8,8] dot(bf16[8,8] x, bf16[8,8] y), lhs_contracting_dims={1}":     {"", false},
		"a = ((f32[8]), f32[9], u32[]) ragged-all-to-all-start(f32[8] x, f32[9] y)": {"", true},
	} {
		m, err := Read(line)
		if err != nil {
			t.Fatal(err)
		}
		p := m.On(Chip{Peak: func(of string) float64 { return map[string]float64{"bf16": 1}[of] }, HBM: 1})
		if e := &p.Ops[0]; e.Unrated != want.unrated || m.Bounded(e.Op) != want.bounded {
			t.Errorf("%s: %q %v, want %v", line, e.Unrated, m.Bounded(e.Op), want)
		}
	}
}

// Axes that make more devices than any group has, and those without a size, say nothing.
func TestMeshesThatSayNothing(t *testing.T) {
	for _, text := range []string{"mesh['a'=1048576,'b'=1048576] {'a','b'}", "mesh['a'=2] {'b'}", "mesh['a'=0] {'a'}",
		"mesh['a'=2]"} {
		if n, _ := meshed(text); n != 0 {
			t.Errorf("%s: %d", text, n)
		}
	}
}
