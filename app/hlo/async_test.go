package hlo

import (
	"math"
	"strings"
	"testing"
)

// overlapped is a program of two TPUs in whose loop fusions go on with an all-gather beside their own work.
const overlapped = `HloModule m, is_scheduled=true, num_partitions=2

%begin (a: bf16[64,128]) -> (bf16[64,128], bf16[128,128], s32[2]) {
  %a = bf16[64,128]{1,0} parameter(0)
  %g = bf16[128,128]{1,0} all-gather(%a), channel_id=3, replica_groups={{0,1}}, dimensions={0}, backend_config={"async_collective_fusion_config":{"flag_start":"-1","flag_end":"-1"}}
  ROOT %s = (bf16[64,128]{1,0}, bf16[128,128]{1,0}, s32[2]{0:S(4)}) custom-call(%g), custom_call_target="AsyncCollectiveStart"
}

%goes_on (x: bf16[128,128], a: bf16[64,128], b: bf16[128,128]) -> (bf16[128,128], bf16[64,128], bf16[128,128]) {
  %x = bf16[128,128]{1,0} parameter(0)
  %d = bf16[128,128]{1,0} dot(%x, %x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  %a = bf16[64,128]{1,0} parameter(1)
  %b = bf16[128,128]{1,0} parameter(2)
  %g = bf16[128,128]{1,0} all-gather(%a), channel_id=3, replica_groups={{0,1}}, dimensions={0}, backend_config={"async_collective_fusion_config":{"flag_start":"2","flag_end":"8"}}
  ROOT %t = (bf16[128,128]{1,0}, bf16[64,128]{1,0}, bf16[128,128]{1,0}) tuple(%d, %a, %g)
}

%ends (a: bf16[64,128], b: bf16[128,128], f: s32[2]) -> bf16[128,128] {
  %a = bf16[64,128]{1,0} parameter(0)
  %b = bf16[128,128]{1,0} parameter(1)
  %g = bf16[128,128]{1,0} all-gather(%a), channel_id=3, replica_groups={{0,1}}, dimensions={0}, backend_config={"async_collective_fusion_config":{"flag_start":"2","flag_end":"8"}}
  %f = s32[2]{0:S(4)} parameter(2)
  ROOT %s = bf16[128,128]{1,0} custom-call(%a, %b, %g, %f), custom_call_target="AsyncCollectiveDone"
}

%body (t: (s32[], bf16[128,128], bf16[64,128], bf16[128,128])) -> (s32[], bf16[128,128], bf16[64,128], bf16[128,128]) {
  %t = (s32[], bf16[128,128]{1,0}, bf16[64,128]{1,0}, bf16[128,128]{1,0}) parameter(0)
  %i = s32[] get-tuple-element(%t), index=0
  %x = bf16[128,128]{1,0} get-tuple-element(%t), index=1
  %a = bf16[64,128]{1,0} get-tuple-element(%t), index=2
  %b = bf16[128,128]{1,0} get-tuple-element(%t), index=3
  %f = (bf16[128,128]{1,0}, bf16[64,128]{1,0}, bf16[128,128]{1,0}) fusion(%x, %a, %b), kind=kCustom, output_to_operand_aliasing={{1}: (1, {}), {2}: (2, {})}, calls=%goes_on
  %y = bf16[128,128]{1,0} get-tuple-element(%f), index=0
  %c = bf16[64,128]{1,0} get-tuple-element(%f), index=1
  %e = bf16[128,128]{1,0} get-tuple-element(%f), index=2
  ROOT %r = (s32[], bf16[128,128]{1,0}, bf16[64,128]{1,0}, bf16[128,128]{1,0}) tuple(%i, %y, %c, %e)
}

%cond (t: (s32[], bf16[128,128], bf16[64,128], bf16[128,128])) -> pred[] {
  %t = (s32[], bf16[128,128]{1,0}, bf16[64,128]{1,0}, bf16[128,128]{1,0}) parameter(0)
  ROOT %yes = pred[] constant(true)
}

ENTRY %main (a: bf16[64,128], x: bf16[128,128]) -> bf16[128,128] {
  %a = bf16[64,128]{1,0} parameter(0)
  %x = bf16[128,128]{1,0} parameter(1)
  %z = s32[] constant(0)
  %start = (bf16[64,128]{1,0}, bf16[128,128]{1,0}, s32[2]{0:S(4)}) fusion(%a), kind=kCustom, output_to_operand_aliasing={{0}: (0, {})}, calls=%begin
  %a0 = bf16[64,128]{1,0} get-tuple-element(%start), index=0
  %b0 = bf16[128,128]{1,0} get-tuple-element(%start), index=1
  %f0 = s32[2]{0:S(4)} get-tuple-element(%start), index=2
  %in = (s32[], bf16[128,128]{1,0}, bf16[64,128]{1,0}, bf16[128,128]{1,0}) tuple(%z, %x, %a0, %b0)
  %w = (s32[], bf16[128,128]{1,0}, bf16[64,128]{1,0}, bf16[128,128]{1,0}) while(%in), condition=%cond, body=%body, backend_config={"known_trip_count":{"n":"3"}}
  %y = bf16[128,128]{1,0} get-tuple-element(%w), index=1
  %a1 = bf16[64,128]{1,0} get-tuple-element(%w), index=2
  %b1 = bf16[128,128]{1,0} get-tuple-element(%w), index=3
  %done = bf16[128,128]{1,0} fusion(%a1, %b1, %f0), kind=kCustom, output_to_operand_aliasing={{}: (1, {})}, calls=%ends
  ROOT %last = bf16[128,128]{1,0} dot(%y, %done), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
`

// The gather counts once, where it begins: 128·128 numbers of two bytes between two devices, of which each sends half
// over a link of one byte a second, 16384 s. It reads its half and writes the whole. A fusion of the loop reads x and
// writes its product, 2·128·128 numbers; what belongs to the gather only passes by. In the three turns three products
// of 2·128³ FLOP take 3·4194304/1000 = 12582.9 s at 1000 FLOP/s, longer than their 3·65536/100 s of traffic, and hide
// so much of the gather.
func TestCollectivesWithinFusions(t *testing.T) {
	m, err := Read(overlapped)
	if err != nil || m.Unread > 0 {
		t.Fatal(err, m.Faults)
	}
	p := m.On(Chip{Peak: func(string) float64 { return 1000 }, HBM: 100, Link: 1})
	const number, whole, product = 2, 128 * 128, 2 * 128 * 128 * 128.
	if want := float64(number * (whole/2 + whole + 3*2*whole + 3*whole)); p.HBM != want {
		t.Errorf("%v bytes, want %v", p.HBM, want)
	}
	if p.Matrix() != 4*product || p.Sent != number*whole {
		t.Errorf("%v FLOP, %v bytes sent", p.Matrix(), p.Sent)
	}
	if comms := number * whole / 2.; math.Abs(p.Comms-comms) > 1 || math.Abs(p.Hidden-3*product/1000) > 1 {
		t.Errorf("%v s of communication, %v of them hidden; want %v, %v", p.Comms, p.Hidden, comms, 3*product/1000)
	}
}

// Matrix is the operations of matrices of a whole program.
func (p *Profile) Matrix() (sum float64) {
	for i := range p.Ops {
		sum += p.Ops[i].Cost.Matrix * p.Ops[i].Times
	}
	return sum
}

// Which groups leave a node of eight: of [8,2]<=[2,8]T(1,0) the first is devices 0 and 8, since the second axis of two
// by eight goes first.
func TestGroupsThatLeaveANode(t *testing.T) {
	for members, far := range map[string]bool{"[2,8]<=[16]": false, "[8,2]<=[16]": false, "[8,2]<=[2,8]T(1,0)": true,
		"[4,4]<=[2,2,4]T(1,0,2)": false, "[4,4]<=[2,2,4]T(1,2,0)": true, "[1,16]<=[16]": true,
		"{{0,1,2,3},{4,5,6,7},{8,9,10,11}}": false, "{{0,8},{1,9}}": true, "{{0,1},{7,8}}": true,
		"{}": false, "": false,
		"mesh['a'=2,'b'=8] {'a'}": true, "mesh['a'=2,'b'=8] {'b'}": false, "mesh['a'=2,'b'=8] {'b':(2)4}": false,
		"mesh['a'=16] {'a':(1)2}": true, "mesh['a'=16] {'a':(2)8}": false, "[8,2]<=[0]": false, "[8,2]<=[9": false} {
		if got := (&Collective{members: members}).leaves(8); got != far {
			t.Errorf("%s: %v", members, got)
		}
	}
	// 1 MB each of two devices, all reduced: each sends half of it twice. Within a node at 100 bytes a second that
	// takes 10 ks, beyond it at 10 bytes a second 100 ks.
	chip := Chip{Peak: func(string) float64 { return 1 }, Egress: 100, Beyond: 10, Node: 8}
	const replicas = "HloModule m, replica_count=2, num_partitions="
	for text, want := range map[string]float64{"[8,2]<=[16]": 1e4, "[8,2]<=[2,8]T(1,0)": 1e5,
		"{}" + replicas + "8": 1e5, "{{0,1}}" + replicas + "8": 1e5, "{{0,1}}" + replicas + "4": 1e4} {
		members, head, _ := strings.Cut(text, "HloModule")
		m, err := Read("HloModule" + head + "\na = f32[250000] all-reduce(f32[250000] x), replica_groups=" + members)
		if err != nil {
			t.Fatal(err)
		}
		if p := m.On(chip); p.Comms != want {
			t.Errorf("%s: %v s, want %v", text, p.Comms, want)
		}
	}
}

// A GPU multiplies fp32 in tf32, or where all its digits are asked for at the rate of fp32; a TPU goes six times over
// its products of bf16.
func TestPrecision(t *testing.T) {
	rates := map[string]float64{"bf16": 400, "tf32": 200, "fp32": 20}
	for _, c := range []struct {
		text string
		gpu  float64
		tpu  float64
	}{
		{"", 1. / 200, 1. / 400},
		{", operand_precision={high,high}", 1. / 200, 3. / 400},
		{", operand_precision={highest,highest}", 1. / 20, 6. / 400},
	} {
		m, err := Read("a = f32[10,10] dot(f32[10,10] x, f32[10,10] y), lhs_contracting_dims={1}, " +
			"rhs_contracting_dims={0}" + c.text)
		if err != nil {
			t.Fatal(err)
		}
		peak := func(dtype string) float64 { return rates[dtype] }
		gpu := m.On(Chip{Peak: peak})
		tpu := m.On(Chip{Peak: func(d string) float64 { return rates[d] * b2f(d == "bf16") }, Link: 1})
		if math.Abs(gpu.Math-2000*c.gpu) > 1e-9 || math.Abs(tpu.Math-2000*c.tpu) > 1e-9 {
			t.Errorf("%s: %v s, %v s; want %v, %v", c.text, gpu.Math, tpu.Math, 2000*c.gpu, 2000*c.tpu)
		}
	}
}

// A fusion that cuts a matrix of 8 by 8 out of three and calls a library for the product reads x and that matrix and
// writes the product, 3·64 numbers of two bytes, and the place of four; what the library works in is no traffic.
func TestLibrariesWithinFusions(t *testing.T) {
	m, err := Read(`HloModule m, is_scheduled=true

%cut (w: bf16[3,8,8], i: s32[], x: bf16[8,8]) -> (bf16[8,8], s8[4096]) {
  %w = bf16[3,8,8] parameter(0)
  %i = s32[] parameter(1)
  %x = bf16[8,8] parameter(2)
  %z = s32[] constant(0)
  %s = bf16[1,8,8] dynamic-slice(%w, %i, %z, %z), dynamic_slice_sizes={1,8,8}
  %b = bf16[8,8] bitcast(%s)
  ROOT %g = (bf16[8,8], s8[4096]) custom-call(%x, %b), custom_call_target="__cublas$gemm"
}

ENTRY %main (w: bf16[3,8,8], i: s32[], x: bf16[8,8]) -> bf16[8,8] {
  %w = bf16[3,8,8] parameter(0)
  %i = s32[] parameter(1)
  %x = bf16[8,8] parameter(2)
  %f = (bf16[8,8], s8[4096]) fusion(%w, %i, %x), kind=kCustom, calls=%cut
  ROOT %o = bf16[8,8] get-tuple-element(%f), index=0
}
`)
	if err != nil {
		t.Fatal(err)
	}
	p := m.On(Chip{Peak: func(string) float64 { return 1 }, HBM: 1})
	if want := float64(3*64*2 + 4); p.HBM != want || p.Matrix() != 2*8*8*8 {
		t.Errorf("%v bytes, want %v; %v FLOP", p.HBM, want, p.Matrix())
	}
}

// A configuration that breaks off within a bracket or a name says nothing, wherever it does.
func TestConfigurationsThatBreakOff(t *testing.T) {
	const config = `{"fmha":{"mask_type":"CAUSAL","intermediate_tensor_shape":` +
		`{"dimensions":["1","2","8","8"],"layout":{"x":[1]}}}}`
	for end := range len(config) {
		for _, name := range []string{"intermediate_tensor_shape", "dimensions", "mask_type", "fmha", "layout"} {
			if value, ok := field(config[:end], name); ok && !strings.Contains(config, value) {
				t.Errorf("%s of %s: %q", name, config[:end], value)
			}
		}
	}
}
