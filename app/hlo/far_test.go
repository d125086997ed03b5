package hlo

import (
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/hardware"
)

// What lies in the host's memory, S(5), is brought over PCIe, also piece by piece and in fusions; what was begun hides
// behind what runs until it ends.
func TestHostMemory(t *testing.T) {
	const text = `HloModule m, is_scheduled=true

%write (c: f32[8,1000], x: f32[1,1000], i: s32[]) -> f32[8,1000] {
  %c = f32[8,1000] parameter(0)
  %x = f32[1,1000] parameter(1)
  %i = s32[] parameter(2)
  %z = s32[] constant(0)
  ROOT %u = f32[8,1000]{1,0:S(5)} dynamic-update-slice(%c, %x, %i, %z)
}

ENTRY %e {
  %kept = f32[8,1000]{1,0:S(5)} parameter(0)
  %x = f32[1,1000] parameter(1)
  %w = f32[1000,1000] parameter(2)
  %i = s32[] parameter(3)
  %start = (f32[8,1000], f32[8,1000]{1,0:S(5)}, u32[]) copy-start(%kept)
  %dot = f32[1,1000] dot(%x, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  %done = f32[8,1000] copy-done(%start)
  %piece = f32[1,1000] dynamic-slice(%kept, %i, %i), dynamic_slice_sizes={1,1000}
  %put = f32[8,1000]{1,0:S(5)} dynamic-update-slice(%kept, %piece, %i, %i)
  ROOT %fused = f32[8,1000]{1,0:S(5)} fusion(%put, %dot, %i), kind=kLoop, calls=%write
}
`
	m, err := Read(text)
	if err != nil || m.Unread > 0 {
		t.Fatal(err, m)
	}
	link := one
	link.PCIe = 0.5
	p := m.On(link)
	far := 0.
	for _, want := range []struct {
		name             string
		hbm, far, hidden float64
	}{
		{"start", 32000, 32000, 4 * (1e6 + 2000)}, // of 64,000 s no more is left open than the product leaves
		{"piece", 4000, 4000, 0},
		{"put", 4000, 4000, 0},
		{"fused", 4000 + 4, 4000, 0},
	} {
		for _, e := range p.Ops {
			if e.Name != want.name {
				continue
			}
			far += e.Far
			if e.HBM != want.hbm || e.Far != want.far || e.Comms != 2*want.far ||
				e.Hidden != min(want.hidden, e.Comms) {
				t.Errorf("%s: %v bytes of HBM, %v of the host, %v s of which %v hide; want %+v", e.Name, e.HBM, e.Far,
					e.Comms, e.Hidden, want)
			}
		}
	}
	if far != 32000+3*4000 {
		t.Errorf("%v bytes between the chip and its host", far)
	}
}

// What goes to other slices goes through the host: to it and, from the others, back.
func TestHostTransfersAreFar(t *testing.T) {
	const text = `
  %a = f32[1000] parameter(0)
  %token = token[] after-all()
  %send = (f32[1000], u32[], token[]) send(%a, %token), channel_id=1, is_host_transfer=true
  %sent = token[] send-done(%send), channel_id=1, is_host_transfer=true
  %recv = (f32[1000], u32[], token[]) recv(%sent), channel_id=2, is_host_transfer=true
  %got = (f32[1000], token[]) recv-done(%recv), channel_id=2, is_host_transfer=true
`
	m, err := Read(text)
	if err != nil || m.Unread > 0 {
		t.Fatal(err, m)
	}
	far := 0.0
	for _, e := range m.On(one).Ops {
		far += e.Far
	}
	if far != 2*4000 {
		t.Errorf("%v bytes of the host's memory", far)
	}
}

// What comes several times moves as often, in each memory.
func TestCostsAddUp(t *testing.T) {
	c := Cost{Matrix: 1, Vector: 1, HBM: 1, VMEM: 1, Far: 1}
	c.add(&Cost{Matrix: 2, Vector: 3, HBM: 4, VMEM: 5, Far: 6}, 20)
	if c.Matrix != 41 || c.Vector != 61 || c.HBM != 81 || c.VMEM != 101 || c.Far != 121 {
		t.Errorf("%+v", c)
	}
}

// The catalog's link to the host is that of a chip.
func TestHostLink(t *testing.T) {
	a, err := hardware.Catalog().Get("tpu.v4")
	if err != nil {
		t.Fatal(err)
	}
	link, err := a.Get("pcie_bandwidth")
	if got := chip(t, a.ID).PCIe; err != nil || got == 0 || got != link.Value.Value {
		t.Errorf("%v bytes/s, the catalog has %v, %v", got, link.Value, err)
	}
}

// What a gather itself reads and writes goes on beside a product that leaves HBM free, and not beside one that needs
// all of it. In seconds of a chip that does one of everything in each: the product of n = 100 takes 2 * 100^3 and moves
// 3 * 4 * 100^2 bytes; the gather of 4 rings sends 3/4 of its 40,000 bytes, reads 10,000 and writes 40,000.
func TestTrafficOfGathersBesideProducts(t *testing.T) {
	const text = `HloModule m, is_scheduled=true
ENTRY %e {
  %w = f32[25,100] parameter(0)
  %a = f32[100,100] parameter(1)
  %s = (f32[25,100], f32[100,100]) all-gather-start(%w), replica_groups=[2,4]<=[8], dimensions={0}
  %beside = BESIDE
  %d = f32[100,100] all-gather-done(%s)
  ROOT %t = (f32[100,100], f32[100,100]) tuple(%d, %beside)
}
`
	chip := one
	chip.Egress, chip.Node, chip.Link = 1, 8, 0
	const product, moved, gathers = 2e6, 3 * 40000, 50000
	for beside, want := range map[string]float64{
		"f32[100,100] dot(%a, %a), lhs_contracting_dims={1}, rhs_contracting_dims={0}": product,
		"f32[100,100] add(%a, %a)": moved + gathers, // HBM is never free
		"f32[100,100] bitcast(%a)": gathers,         // nothing runs
	} {
		m, err := Read(strings.Replace(text, "BESIDE", beside, 1))
		if err != nil || m.Unread > 0 {
			t.Fatal(err, m)
		}
		if p := m.On(chip); p.Time != want {
			t.Errorf("beside %s all takes %v s, want %v", beside, p.Time, want)
		}
	}
}
