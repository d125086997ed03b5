package widget

import (
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/hardware"
)

func TestSlices(t *testing.T) {
	for _, c := range []struct {
		chip, shape, wraps                 string
		chips, hosts, cores, hops, cutsize float64 // the links across the narrowest cut
	}{
		{"tpu.v5e", "16x16", "X and Y wrap around", 256, 32, 256, 16, 32},
		{"tpu.v5e", "8x16", "Y wraps around, X not", 128, 16, 128, 15, 16},
		{"tpu.v5e", "4x4", "No axis wraps around", 16, 2, 16, 6, 4},
		{"tpu.v5p", "4x4x4", "X, Y and Z wrap around", 64, 16, 128, 6, 32},
		{"tpu.v5p", "2x2x4", "No axis wraps around", 16, 4, 32, 5, 4},
		{"tpu.v5p", "8 x 8 × 16", "X, Y and Z wrap around", 1024, 256, 2048, 16, 128},
		{"tpu.v5e", "1x1", "A single chip", 1, 1, 1, 0, 0},
	} {
		v := onChips(t, "pod-slice", "chip", c.chip, "shape", c.shape, "link", "1 GB/s")
		if got := whole(v); !strings.Contains(got, ". "+c.wraps+".") {
			t.Errorf("%s %s: not %s", c.chip, c.shape, c.wraps)
		}
		for name, want := range map[string]float64{"chips": c.chips, "hosts": c.hosts, "cores": c.cores,
			"diameter": c.hops, "bisection": c.cutsize * 1e9} {
			if got := v.row(name).Value.Num.Value; got != want {
				t.Errorf("%s %s: %v %s, not %v", c.chip, c.shape, got, name, want)
			}
		}
	}
}

// At the 50 GB/s a link that Google's table implies, a pod of v5e has the bisection that Google prints.
func TestBisectionIsThePublishedOne(t *testing.T) {
	a, err := hardware.Catalog().Get("tpu.v5e")
	if err != nil {
		t.Fatal(err)
	}
	published, err := a.Get("pod_bisection")
	if err != nil {
		t.Fatal(err)
	}
	v := onChips(t, "pod-slice", "chip", "tpu.v5e", "shape", "16x16", "link", "50 GB/s")
	if got := v.row("bisection").Value.Num.Value; !near(got, published.Value.Value) {
		t.Error(got, published.Value)
	}
}

// What is no slice is refused with what there is, and the last slice stays; one that the next chip lacks is kept in
// mind.
func TestNoSuchSlice(t *testing.T) {
	v := onChips(t, "pod-slice")
	chips := func() float64 { return v.row("chips").Value.Num.Value }
	for _, bad := range []string{"", "x", "3x5x7", "4x4", "0x0x0", "99999999999999999999x4x4", "-4x4x4", "4x4x4x4",
		"1e9x4x4", "<b>4</b>"} {
		if err := v.Set("shape", bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
		if chips() != 128 {
			t.Errorf("%q: %v chips", bad, chips())
		}
	}
	for _, bad := range []string{"0", "-1 GB/s", "1e308 GB/s", "12 s"} {
		if v.Set("link", bad) == nil || chips() != 128 {
			t.Errorf("a link of %s is taken", bad)
		}
	}
	if err := v.Set("shape", "8x8x8"); err != nil || chips() != 512 {
		t.Fatal(err)
	}
	if v.Set("chip", "tpu.v5e"); chips() != 32 || v.fault("shape") == "" {
		t.Error("a v5e has no 8x8x8, it has", chips(), v.fault("shape"))
	}
	if v.Set("chip", "tpu.v4"); chips() != 512 {
		t.Error("the shape is lost:", chips())
	}
}
