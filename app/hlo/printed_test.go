package hlo

import (
	"math"
	"os"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/hardware"
)

// Devices that no switch joins send over their links to the others of a group. An MI300X has seven of 64 GB/s: an
// all-reduce of V = 67.1 MB sends 2 (n-1)/n V, among four over three of them, among eight over all; to one other goes
// one. A Gaudi 2 has three ports of 12.5 GB/s to each other one. Behind a switch all sending goes at 450 GB/s.
func TestLinksOfPairs(t *testing.T) {
	const text = `HloModule m, is_scheduled=true, num_partitions=8

%add (a: bf16[], b: bf16[]) -> bf16[] {
  %a = bf16[] parameter(0)
  %b = bf16[] parameter(1)
  ROOT %s = bf16[] add(%a, %b)
}

ENTRY %e {
  %x = bf16[4096,8192]{1,0} parameter(0)
  %four = bf16[4096,8192]{1,0} all-reduce(%x), replica_groups={{0,1,2,3},{4,5,6,7}}, to_apply=%add
  %eight = bf16[4096,8192]{1,0} all-reduce(%four), replica_groups=[1,8]<=[8], to_apply=%add
  ROOT %next = bf16[4096,8192]{1,0} collective-permute(%eight), source_target_pairs={{0,1},{1,0},{2,3},{3,2}}
}
`
	const v = 2 * 4096 * 8192
	m, err := Read(text)
	if err != nil || m.Unread > 0 {
		t.Fatal(err, m)
	}
	for id, want := range map[string][3]float64{
		"gpu.mi300x": {2 * v * 3 / 4. / (3 * 64e9), 2 * v * 7 / 8. / (7 * 64e9), v / 64e9},
		"npu.gaudi2": {2 * v * 3 / 4. / (9 * 12.5e9), 2 * v * 7 / 8. / (21 * 12.5e9), v / (3 * 12.5e9)},
		"gpu.h100":   {2 * v * 3 / 4. / 450e9, 2 * v * 7 / 8. / 450e9, v / 450e9},
	} {
		chip, err := hardware.Catalog().Get(id)
		if err != nil {
			t.Fatal(err)
		}
		p := m.On(NewChip(chip))
		for i, name := range []string{"four", "eight", "next"} {
			found := false
			for _, e := range p.Ops {
				if e.Name == name {
					if found = true; math.Abs(e.Time()/want[i]-1) > 1e-9 || e.Bound() != "network" {
						t.Errorf("%s: %s takes %v of %s, want %v", id, name, e.Time(), e.Bound(), want[i])
					}
				}
			}
			if !found {
				t.Errorf("%s: no %s", id, name)
			}
		}
	}
}

// Of several programs the last is counted, and said to be: passes print the same one again and again.
func TestSeveralPrograms(t *testing.T) {
	program := func(n string) string {
		return strings.ReplaceAll("HloModule jit_#\n\n%same {\n  ROOT %p = f32[#] parameter(0)\n}\n\nENTRY %main {\n"+
			"  %x = f32[#,#] parameter(0)\n  ROOT %d = f32[#,#] dot(%x, %x), lhs_contracting_dims={1}, "+
			"rhs_contracting_dims={0}\n}\n", "#", n)
	}
	for _, c := range []struct {
		text  string
		name  string
		flops float64
		said  bool
	}{
		{program("8"), "jit_8", 2 * 8 * 8 * 8, false},
		{program("16") + program("8"), "jit_8", 2 * 8 * 8 * 8, true},
		{program("8") + "*** IR dump after pass fusion ***\n" + program("16"), "jit_16", 2 * 16 * 16 * 16, true},
		{"jit_8.after_optimizations.txt\n" + program("8"), "jit_8", 2 * 8 * 8 * 8, false},
	} {
		m, err := Read(c.text)
		if err != nil {
			t.Fatal(err)
		}
		p := m.On(one)
		if p.FLOPs != c.flops || m.Name != c.name || len(m.Computations) != 2 || (m.Lacks != nil) != c.said ||
			c.said && !strings.Contains(m.Lacks.String(), c.name) {
			t.Errorf("%v FLOPs of %s, %d computations, %v; want %+v", p.FLOPs, m.Name, len(m.Computations), m.Lacks, c)
		}
	}
	m, err := Read(program("8") + program("16")[:90])
	if err != nil || m.Lacks == nil || m.On(one).FLOPs != 0 {
		t.Errorf("the second is cut off: %v, %v", m.Lacks, err)
	}
	for text, says := range map[string]string{
		program("8") + "HloModule jit_16\n": "no operation in it; line 11: there are several programs",

		program("8") + "HloModule jit_16\n\nENTRY %main {\n":     "the text ends within the computation main",
		"HloModule a ENTRY %e { %b = f32[8] parameter(0) ROOT }": "paste what compiled.as_text() gives",
	} {
		if m, err := Read(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %+v, %v; want %q", text, m, err, says)
		}
	}
}

// The first operation of a computation may stand in the line of its head, and a terminal's colours around each line.
func TestHeadsAndColours(t *testing.T) {
	src, err := os.ReadFile("testdata/reduce-f16.hlo")
	if err != nil {
		t.Fatal(err)
	}
	want, err := Read(string(src))
	if err != nil {
		t.Fatal(err)
	}
	var joined, coloured strings.Builder
	for line := range strings.Lines(string(src)) {
		coloured.WriteString("\x1b[32m" + strings.TrimSuffix(line, "\n") + "\x1b[0m\n")
		if header(strings.TrimSpace(line)) {
			line = strings.TrimRight(line, "\n ") + " "
		}
		joined.WriteString(line)
	}
	for how, text := range map[string]string{"joined": joined.String(), "coloured": coloured.String()} {
		got, err := Read(text)
		if err != nil || text == string(src) {
			t.Fatalf("%s: %v", how, err)
		}
		if got.Unread != want.Unread || got.Ops() != want.Ops() || len(got.Computations) != len(want.Computations) ||
			got.On(one).Time != want.On(one).Time {
			t.Errorf("%s: %d operations, %d lines with faults, %v s", how, got.Ops(), got.Unread, got.On(one).Time)
		}
	}
	m, err := Read("x {\n  %a = f32[8] parameter(0)\n}\nb { %b = f32[8] parameter(0)\n}\n")
	if err != nil || len(m.Computations) != 2 || m.Unread > 0 {
		t.Errorf("%+v, %v", m, err)
	}
	m, err = Read("ENTRY %e { %a = f32[8] parameter(0)\n\n  oops\n}\n")
	if err != nil || len(m.Faults) != 1 || m.Faults[0].Line != 3 {
		t.Errorf("%+v, %v", m, err)
	}
}
