package hlo

import (
	"strings"
	"testing"
)

// one is a chip on which an operation and a byte take a second each.
var one = Chip{Peak: func(string) float64 { return 1 }, HBM: 1}

// What XLA's own parser takes is read, however a person or a printer wrote it down.
func TestFormsOfWriting(t *testing.T) {
	const head = "HloModule m\n\nadd {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n" +
		"  ROOT s = f32[] add(a, b)\n}\n\n" +
		"ENTRY e {\n  x = f32[8,16] parameter(0)\n  y = f32[16,4] parameter(1)\n  z = f32[] constant(0)\n"
	const dot = "dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}"
	const flops, hbm = 2 * 8 * 16 * 4, 4 * (8*16 + 16*4 + 8*4)
	for _, c := range []struct {
		text       string
		flops, hbm float64
	}{
		{"  ROOT d = f32[8,4] " + dot + "\n}\n", flops, hbm},
		{"  ROOT d = f32[8,4] " + dot + "}\n", flops, hbm},
		{"  ROOT d = f32[8,4]{1,0}\n    " + dot + "\n}\n", flops, hbm},
		{"  ROOT d =\n    f32[8,4]{1,0:T(8,128)}\n    " + strings.ReplaceAll(dot, ", lhs", ",\n      lhs") + "\n}\n",
			flops, hbm - 4*8*4 + 4*8*128},
		{"  /* What is summed over comes last. */\n  ROOT d = f32[8,4] " + dot + "\n}\n", flops, hbm},
		{"  w = f32[8,16] negate(x)\n  v = add(w, x)\n  p = pred[8,16] compare(v, w), direction=LT\n" +
			"  ROOT u = select(p, v, w)\n}\n", 4 * 128, 4*128*(2+3+2+3) + 128 + 128},
		{"  t = tuple(x, y)\n  g = get-tuple-element(t), index=1\n  ROOT n = negate(g)\n}\n", 64, 4 * 128},
		{"  ROOT r = f32[8] reduce(x, z), dimensions={1}, to_apply={\n    a = f32[] parameter(0)\n" +
			"    b = f32[] parameter(1)\n    c = f32[] abs(b)\n    ROOT s = f32[] add(a, c)\n  }\n}\n", 2 * 8 * 15,
			4 * (128 + 8 + 1)},
		{"  ROOT f = f32[8,4] fusion(x, y), kind=kOutput, calls=\n  {\n    p.0#1 = f32[8,16] parameter(0)\n" +
			"    p.1 = f32[16,4] parameter(1)\n    ROOT d = f32[8,4] dot(p.0#1, p.1), lhs_contracting_dims={1}, " +
			"rhs_contracting_dims={0}\n  }\n}\n", flops, hbm},
	} {
		m, err := Read(head + c.text)
		if err != nil || m.Unread > 0 {
			t.Errorf("%s\n%v %+v", c.text, err, m)
			continue
		}
		if p := m.On(one); p.FLOPs != c.flops || p.HBM != c.hbm {
			t.Errorf("%s\n%v operations, %v bytes; want %v, %v", c.text, p.FLOPs, p.HBM, c.flops, c.hbm)
		}
	}
}

// A module's first line may say, in programs between quotes, how values come back that a pass left out. They don't run.
func TestProgramsWithinTheFirstLine(t *testing.T) {
	m, err := Read(`HloModule m, num_partitions=2, origin_recovery_table={
  {"a"} : {"b"},
  "
    ENTRY %back (p: f32[4,16]) -> f32[8,8] {
      %p = f32[4,16]{1,0} parameter(0)
      ROOT %r = f32[8,8]{1,0} negate(%p)
    }
  "
}

ENTRY %main (p: f32[4,8]) -> f32[4,8] {
  %p = f32[4,8]{1,0} parameter(0)
  ROOT %s = f32[4,8]{1,0} add(%p, %p), origin={{"b"}}
}
`)
	if err != nil || m.Unread > 0 {
		t.Fatal(err, m)
	}
	if p := m.On(one); m.Devices != 2 || len(m.Computations) != 1 || p.FLOPs != 32 {
		t.Errorf("%d devices, %d computations, %v operations", m.Devices, len(m.Computations), p.FLOPs)
	}
}

// A shape that is left out and that nothing else tells is a fault of its line, and the others go on.
func TestShapeThatNothingStates(t *testing.T) {
	m, err := Read("HloModule m\nENTRY e {\n  x = f32[8] parameter(0)\n  y = f32[8] negate(x)\n  r = reduce(x, z)\n}\n")
	if err != nil || m.Unread != 1 || m.Faults[0].Line != 5 || m.On(one).FLOPs != 8 {
		t.Errorf("%v %+v", err, m)
	}
}

// A text that breaks off, before its entry or within it, says so where it says what kind of program it is.
func TestTextsThatBreakOff(t *testing.T) {
	const (
		part  = "%part (x: f32[8]) -> f32[8] {\n  %x = f32[8] parameter(0)\n  ROOT %y = f32[8] add(%x, %x)\n}\n\n"
		entry = "ENTRY %main (x: f32[8]) -> f32[8] {\n  %x = f32[8] parameter(0)\n" +
			"  ROOT %z = f32[8] call(%x), to_apply=%part\n"
	)
	for text, want := range map[string]string{
		"HloModule m\n\n" + part + entry + "}":            "",
		"HloModule m\n\n" + part + entry:                  "main",
		"HloModule m\n\n" + part:                          "part",
		"HloModule m\n\n" + part + entry[:60]:             "main",
		"HloModule m\n\n" + part[:70]:                     "part",
		"%y = f32[8] add(f32[8] %x, f32[8] %x)":           "",
		"%y = f32[8] add(%x, %x)\n%z = f32[8] tanh(%y)\n": "",
	} {
		m, err := Read(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
		} else if (m.Lacks == nil) != (want == "") || m.Lacks != nil && !strings.Contains(m.Lacks.String(), want) {
			t.Errorf("%q lacks %v, want %q", text, m.Lacks, want)
		}
	}
}

// Before arrays are split, JAX names the mesh and no number of partitions.
func TestDevicesOfAMesh(t *testing.T) {
	for mesh, want := range map[string]int{
		`{mesh = #sdy.mesh<["data"=4, "model"=4]>}`:                               16,
		`{empty_mesh = #sdy.mesh<[]>, mesh = #sdy.mesh<["x"=8], device_ids=[1]>}`: 8,
		`{mesh = #sdy.mesh<["x"=1048577]>}`:                                       1,
		`{mesh = #sdy.mesh<["x"=-2]>}`:                                            1,
	} {
		m, err := Read("HloModule jit_f, frontend_attributes={xla.sdy.meshes=" + mesh + "}\n\nENTRY e {\n  " +
			"ROOT x = f32[8] parameter(0)\n}\n")
		if err != nil || m.Devices != want {
			t.Errorf("%s: %+v, %v; want %d devices", mesh, m, err, want)
		}
	}
}
