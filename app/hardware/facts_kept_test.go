package hardware

import (
	"slices"
	"strings"
	"testing"
)

// Where sources disagree, both stay.
func TestConflictsAreKept(t *testing.T) {
	for _, c := range []struct {
		id, field string
		readings  string // in the order of the table, as many as matter
	}{
		{"tpu.v3", "flops.bf16", "123 TFLOP/s|140 TFLOP/s"},
		{"tpu.v3", "host_chips", "4 chips|8 chips"},
		{"tpu.v4", "hbm", "32 GiB|32 GB"},
		{"tpu.v5e", "hbm", "15.75 GiB|16 GB|16 GiB"},
		{"tpu.v5e", "hbm_bandwidth", "819 GB/s|810 GB/s|820 GB/s|800 GiB/s"},
		{"tpu.v5e", "flops.int8", "394 TFLOP/s|393 TFLOP/s"},
		{"tpu.v5e", "ici_link_bandwidth", "45 GB/s|50 GB/s"},
		{"tpu.v5p", "hbm", "95 GiB|96 GB"},
		{"tpu.v5p", "hbm_bandwidth", "2765 GB/s|2.8 TB/s|2.5 TB/s"},
		{"tpu.v5p", "ici_link_bandwidth", "90 GB/s|100 GB/s"},
		{"tpu.v5p", "vmem_bandwidth", "43.008 TB/s|61.6 TB/s"},
		{"tpu.v6e", "flops.bf16", "918 TFLOP/s|920 TFLOP/s|910 TFLOP/s"},
		{"tpu.v6e", "hbm_bandwidth", "1638 GB/s|1.6 TB/s"},
		{"tpu.v6e", "pcie_bandwidth", "32 GB/s|15 GB/s"},
		{"gpu.h100", "flops.bf16", "989 TFLOP/s|990 TFLOP/s|1000 TFLOP/s"},
		{"gpu.h100", "hbm_bandwidth", "3350 GB/s|3.4 TB/s|3.072 TB/s"},
		{"gpu.h100", "hbm", "81559 MiB|80 GB"},
		{"gpu.h100", "price", "$2.95/hour|$1.99/hour|$5/hour|$10.8/hour"},
		{"gpu.h800", "scaleup_bandwidth", "200 GB/s|300 GB/s|160 GB/s"},
		{"gpu.b200", "hbm", "183359 MiB|192 GB"},
		{"gpu.b200", "hbm_bandwidth", "8000 GB/s|7.7 TB/s|9 TB/s"},
		{"gpu.b200", "network_bandwidth", "50 GB/s|100 GB/s"},
		{"gpu.rubin", "hbm_bandwidth", "22000 GB/s|19.2 TB/s"},
		{"gpu.rubin", "scaleup_bandwidth", "1800 GB/s|1500 GB/s"},
		{"npu.ascend910c", "hbm", "128 GB|96 GB"},
		{"gpu.b300", "flops.int8", "153.5 TFLOP/s|4500 TFLOP/s"},
		{"gpu.gb300", "flops.int8", "165 TFLOP/s|5000 TFLOP/s"},
		{"npu.gaudi3", "flops.bf16", "1677 TFLOP/s|1835 TFLOP/s"},
	} {
		got := constant(t, c.id, c.field)
		var texts []string
		for _, r := range append([]Constant{got}, got.Others...) {
			texts = append(texts, r.Text)
		}
		at := -1
		for _, want := range strings.Split(c.readings, "|") {
			i := slices.Index(texts, want)
			if i <= at {
				t.Errorf("%s: %s reads %v, want %s in its place", c.id, c.field, texts, want)
			}
			at = i
		}
	}
}

// What nobody read at a source says what was looked for in vain, and is not most of what there is.
func TestSought(t *testing.T) {
	n, all := 0, 0
	for _, a := range Catalog().All {
		for _, f := range a.Facts() {
			for _, c := range append([]Constant{f.Constant}, f.Others...) {
				all++
				if strings.HasPrefix(c.Source.ID, "sought-") {
					n++
				}
				if strings.HasPrefix(c.Source.ID, "sought-") != strings.Contains(c.Source.Title, "looked for in ") {
					t.Errorf("%s: %s: a source that says nothing: %q", a.ID, f.Field, c.Source.Title)
				}
			}
		}
	}
	if _, found := Catalog().sources.find("unverified"); found || n == 0 || n*8 > all {
		t.Errorf("%d of %d constants were looked for in vain", n, all)
	}
}

// Google’s page of TPU v3.
func TestTPUv3(t *testing.T) {
	for field, want := range map[string]float64{"flops.bf16": 123e12, "hbm_bandwidth": 900e9, "hbm": 32 << 30,
		"power": 262, "power_mean": 220, "power_min": 123, "pod_chips": 1024} {
		if c := constant(t, "tpu.v3", field); c.Value.Value != want || c.Source.ID != "google-v3" {
			t.Errorf("%s: %s from %s, want %v from its page", field, c.Text, c.Source.ID, want)
		}
	}
}

// What a chip costs whoever runs it is no price that anybody asks.
func TestOwnershipIsNoPrice(t *testing.T) {
	if get(t, "tpu.v7x").Has("price") || !get(t, "tpu.v7x").Has("ownership") {
		t.Error("of a TPU7x only a cost of ownership is known")
	}
	for _, a := range Catalog().All {
		if !a.Has("ownership") {
			continue
		}
		c := constant(t, a.ID, "ownership")
		if c.Doubt == "" {
			t.Errorf("%s: an estimate without a doubt", a.ID)
		}
		if a.Has("price") && number(t, a.ID, "price", "") < 0.8*c.Value.Value {
			t.Errorf("%s: rented for less than it costs", a.ID)
		}
	}
}

// Rates of matmuls that somebody measured in fp8, as in the table of Machine Learning Engineering.
func TestMeasuredInFP8(t *testing.T) {
	for id, share := range map[string]float64{"gpu.h200": 0.734, "gpu.b300": 0.745, "gpu.gb200": 0.723} {
		got := number(t, id, "matmul_measured.fp8", "") / number(t, id, "flops.fp8", "")
		if relative(got, share) > 0.001 {
			t.Errorf("%s: %.3f of its peak, want %.3f", id, got, share)
		}
	}
}

// Nobody measures more than the peak.
func TestMeasuredBelowPeak(t *testing.T) {
	n := 0
	for _, a := range Catalog().All {
		for _, dtype := range []string{"bf16", "fp8"} {
			if !a.Has("matmul_measured." + dtype) {
				continue
			}
			n++
			share := number(t, a.ID, "matmul_measured."+dtype, "") / number(t, a.ID, peakPrefix+dtype, "")
			if share < 0.5 || share > 1 {
				t.Errorf("%s: %s measured at %.2f of its peak", a.ID, dtype, share)
			}
		}
	}
	if n < 12 {
		t.Errorf("only %d measurements", n)
	}
}
