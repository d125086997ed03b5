package hardware

import (
	"slices"
	"strings"
	"testing"
)

// Sparse rates that vendors print beside, or instead of, the dense ones. None may be a reading of the catalog.
func TestNoSparseRates(t *testing.T) {
	for id, sparse := range map[string]map[string][]float64{
		"gpu.a100_40":   {"tf32": {312}, "bf16": {624}, "fp16": {624}, "int8": {1248}},
		"gpu.a100":      {"tf32": {312}, "bf16": {624}, "fp16": {624}, "int8": {1248}},
		"gpu.h100":      {"tf32": {989}, "bf16": {1979}, "fp16": {1979}, "fp8": {3958}, "int8": {3958}},
		"gpu.h100_pcie": {"tf32": {756}, "bf16": {1513}, "fp16": {1513}, "fp8": {3026}, "int8": {3026}},
		"gpu.h800":      {"bf16": {1979}, "fp8": {3958}},
		"gpu.h200":      {"tf32": {989}, "bf16": {1979}, "fp16": {1979}, "fp8": {3958}, "int8": {3958}},
		"gpu.b200": {"tf32": {2250}, "bf16": {4500}, "fp16": {4500}, "fp8": {9000}, "int8": {9000},
			"fp4": {18000}},
		"gpu.gb200": {"tf32": {2500}, "bf16": {5000}, "fp16": {5000}, "fp8": {10000}, "int8": {10000},
			"fp4": {20000}},
		"gpu.b300":  {"bf16": {4500}, "fp8": {9000}, "fp4": {18000}},
		"gpu.gb300": {"bf16": {5000}, "fp8": {10000}, "fp4": {20000}},
		"gpu.l4":    {"bf16": {242}, "fp8": {485}, "int8": {485}},
		"gpu.l40s":  {"tf32": {366}, "bf16": {733}, "fp16": {733}, "fp8": {1466}, "int8": {1466}},
		"gpu.rtx4090": {"bf16": {330.3, 330.4, 660.6}, "fp8": {1321, 1321.2}, "int8": {1321, 1321.2},
			"int4": {2642}},
		"gpu.rtx5090":    {"fp16": {838.4}, "fp8": {1676.8}, "fp4": {3352}},
		"gpu.mi300x":     {"tf32": {1307.4}, "bf16": {2614.9}, "fp16": {2614.9}, "fp8": {5229.8}, "int8": {5229.8}},
		"gpu.mi325x":     {"bf16": {2614.9}, "fp8": {5229.8}, "int8": {5229.8}},
		"gpu.mi355x":     {"bf16": {5000, 5033}, "fp8": {10100, 10066}, "int8": {10100}},
		"gpu.gh200":      {"bf16": {1979}, "fp8": {3958}},
		"gpu.rtxpro6000": {"bf16": {935.6}, "fp8": {1871.2}, "fp4": {3742.4}},
		"gpu.mi350x":     {"bf16": {4600}, "fp8": {9200}},
		"gpu.mi455x":     {"fp8": {20100}, "fp4": {40300}},
		"npu.trainium2":  {"bf16": {2563}, "fp8": {2563}},
	} {
		for dtype, rates := range sparse {
			c, err := get(t, id).Peak(dtype)
			if err != nil {
				continue
			}
			for _, r := range append([]Constant{c}, c.Others...) {
				for _, bad := range rates {
					if relative(r.Value.Value, bad*1e12) < 0.004 {
						t.Errorf("%s %s: %s is the sparse rate", id, dtype, r.Text)
					}
				}
			}
		}
	}
}

// A chip balances its arithmetic against its memory: hundreds of FLOP a byte in the data centre, less on a desk.
func TestIntensities(t *testing.T) {
	for _, a := range Catalog().All {
		for _, dtype := range []string{"bf16", "fp16"} {
			if !a.Has(peakPrefix + dtype) {
				continue
			}
			low, high := 70.0, 700.0
			if a.ID == "gpu.h20" { // its arithmetic is cut, its memory is not
				low = 37
			}
			if strings.HasPrefix(a.ID, "soc.") {
				low, high = 20, 60
			}
			intensity := number(t, a.ID, peakPrefix+dtype, "") / number(t, a.ID, "hbm_bandwidth", "")
			if intensity < low || intensity > high {
				t.Errorf("%s: %s takes %.0f FLOP/byte", a.ID, dtype, intensity)
			}
		}
	}
}

// Half the bits are never slower, and at most four times as fast, except where the catalog says why.
func TestNarrowFormats(t *testing.T) {
	except := []string{"gpu.b300 int8", "gpu.gb300 int8", "gpu.v100 int8"}
	for _, a := range Catalog().All {
		wide := "bf16"
		if !a.Has("flops.bf16") {
			wide = "fp16"
		}
		if !a.Has(peakPrefix + wide) {
			continue // announced in a narrow format only
		}
		for _, dtype := range []string{"fp8", "int8", "fp6", "fp4", "int4"} {
			if !a.Has(peakPrefix + dtype) {
				continue
			}
			ratio := number(t, a.ID, peakPrefix+dtype, "") / number(t, a.ID, peakPrefix+wide, "")
			top := 4.5
			if dtype[len(dtype)-1] == '4' || dtype == "fp6" {
				top = 9
			}
			odd := ratio < 0.995 || ratio > top
			known := slices.Contains(except, a.ID+" "+dtype)
			if odd != known {
				t.Errorf("%s: %s is %.2f of %s", a.ID, dtype, ratio, wide)
			}
			if c := constant(t, a.ID, peakPrefix+dtype); known && c.Doubt == "" {
				t.Errorf("%s: %s needs a doubt", a.ID, dtype)
			}
		}
	}
}

// What a chip moves is what its links move: links x one way x 2. The Google tables imply it exactly, the original
// book's numbers are a tenth lower.
func TestLinksMakeTheChip(t *testing.T) {
	for id, source := range map[string]string{"tpu.v5e": "google-v5e", "tpu.v5p": "google-v5p", "tpu.v6e": "google-v6e",
		"tpu.v7x": ""} {
		links, chip := number(t, id, "ici_links", ""), number(t, id, "ici_chip_twoway", "")
		if got := links * number(t, id, "ici_link_bandwidth", source) * 2; got != chip {
			t.Errorf("%s: links give %v, the chip has %v", id, got, chip)
		}
		if got := links * number(t, id, "ici_link_bandwidth", "") * 2; relative(got, chip) > 0.101 {
			t.Errorf("%s: links give %v, the chip has %v", id, got, chip)
		}
		if c := constant(t, id, "ici_link_bandwidth"); c.Value.Value*links*2 != chip && c.Doubt == "" {
			t.Errorf("%s: the gap needs a doubt", id)
		}
	}
	if 2*number(t, "tpu.v4", "ici_link_bandwidth", "") != number(t, "tpu.v4", "ici_link_twoway", "") {
		t.Error("v4: both ways is twice one way")
	}
	for _, a := range Catalog().All {
		if a.Axes() > 0 && number(t, a.ID, "ici_links", "") != float64(2*a.Axes()) {
			t.Errorf("%s: two links an axis", a.ID)
		}
		if a.Has("peer_bandwidth") {
			others := number(t, a.ID, "node_size", "") - 1
			if got := others * number(t, a.ID, "peer_bandwidth", ""); relative(
				got,
				number(t, a.ID, "scaleup_bandwidth", ""),
			) > 1e-12 {
				t.Errorf("%s: a full mesh of %v", a.ID, others+1)
			}
		}
	}
}

// A pod is its torus; cut in two, it loses two links for each chip of a face; in an AllReduce every chip sends on all
// links.
func TestPods(t *testing.T) {
	for _, a := range Catalog().All {
		sides := a.Torus()
		if sides == nil {
			continue
		}
		chips := 1
		for _, n := range sides {
			chips *= n
		}
		if got := number(t, a.ID, "pod_chips", ""); got != float64(chips) {
			t.Errorf("%s: %v chips, its torus has %d", a.ID, got, chips)
		}
		if !a.Has("pod_bisection") {
			continue
		}
		c := constant(t, a.ID, "ici_link_bandwidth")
		link, sums := c.Value.Value, c.Value.Value
		if a.ID == "tpu.v3" { // its page has the sums of slower links than the cut
			sums = number(t, a.ID, "ici_link_bandwidth", "sought-google")
		}
		face := float64(chips / slices.Max(sides))
		if got, want := 2*face*link, number(t, a.ID, "pod_bisection", ""); relative(got, want) > 0.101 {
			t.Errorf("%s: bisection %v, want %v", a.ID, got, want)
		}
		if got, want := float64(chips)*sums*number(t, a.ID, "ici_links", ""), number(t, a.ID, "pod_allreduce",
			""); relative(
			got,
			want,
		) > 0.101 {
			t.Errorf("%s: AllReduce %v, want %v", a.ID, got, want)
		}
	}
}

// The systolic model: MXUs of n x n multiply-adds, each two operations a cycle.
func TestClockRateTimesMXUs(t *testing.T) {
	for _, id := range []string{"tpu.v3", "tpu.v4", "tpu.v5e", "tpu.v5p"} {
		n := number(t, id, "mxu_size", "")
		got := number(t, id, "mxus", "") * 2 * n * n * number(t, id, "clock", "")
		if want := number(t, id, "flops.bf16", ""); relative(got, want) > 0.003 {
			t.Errorf("%s: %v, the table has %v", id, got, want)
		}
	}
	// A v6e does not fit the model: the documented number of MXUs would take twice its clock rate rate. Both readings
	// are kept.
	for source, clockRate := range map[string]float64{"google-v6e": 3.502e9, "book-tpus": 1.751e9} {
		n := number(t, "tpu.v6e", "mxu_size", "")
		got := number(t, "tpu.v6e", "flops.bf16", "") / (number(t, "tpu.v6e", "mxus", source) * 2 * n * n)
		if relative(got, clockRate) > 0.001 {
			t.Errorf("v6e by %s: %v", source, got)
		}
	}
	// Pallas' numbers of MXUs are the catalog's.
	for id, want := range map[string]float64{"tpu.v3": 4, "tpu.v4": 8, "tpu.v5e": 4, "tpu.v5p": 8, "tpu.v6e": 2,
		"tpu.v7x": 4} {
		if got := number(t, id, "mxus", "jax-tpuinfo"); got != want || got != number(t, id, "mxus", "") {
			t.Errorf("%s: %v MXUs", id, got)
		}
	}
	for _, a := range Catalog().All {
		if a.Has("vpu_alus") {
			slots := number(t, a.ID, "vpu_lanes", "") * number(t, a.ID, "vpu_sublanes", "")
			if per := number(t, a.ID, "vpu_alus", "") / slots; per != 2 && per != 4 {
				t.Errorf("%s: %v ALUs for each lane and sublane", a.ID, per)
			}
		}
	}
	vpu := number(t, "tpu.v5p", "vpu_alus", "") * number(t, "tpu.v5p", "cores", "") * number(t, "tpu.v5p", "clock", "")
	if vpu != number(t, "tpu.v5p", "vpu_flops", "") || vpu != 1.4336e13 {
		t.Errorf("vector rate of v5p: %v", vpu)
	}
}

func TestVMEMBandwidthIsTwentyTwoTimesHBM(t *testing.T) {
	for _, id := range []string{"tpu.v4", "tpu.v5e", "tpu.v6e"} {
		if got, want := number(t, id, "vmem_bandwidth", ""), 22*number(t, id, "hbm_bandwidth", "book-tpus"); relative(
			got,
			want,
		) > 1e-12 {
			t.Errorf("%s: %v, want %v", id, got, want)
		}
		if constant(t, id, "vmem_bandwidth").Doubt == "" {
			t.Errorf("%s: a rule of thumb needs a doubt", id)
		}
	}
	reads := 3 * 4 * number(t, "tpu.v5p", "vpu_lanes", "") * number(t, "tpu.v5p", "vpu_sublanes", "") *
		number(t, "tpu.v5p", "cores", "") * number(t, "tpu.v5p", "clock", "") // three registers of 4 bytes a place
	if got := number(t, "tpu.v5p", "vmem_bandwidth", ""); got != reads {
		t.Errorf("tpu.v5p: its VMEM is read at %v, its ports allow %v", got, reads)
	}
	if got := number(t, "tpu.v5e", "flops.bf16", "") / number(t, "tpu.v5e", "vmem_bandwidth", ""); relative(
		got,
		11.05499438832772,
	) > 1e-12 {
		t.Errorf("critical intensity in VMEM: %v", got) // fact tpus.vmem.intensity
	}
}

// The critical batches of the original book, recomputed from its own table: facts roofline.derived.bcrit_* and
// tpus.derived.*.
func TestCriticalIntensitiesOfTheBook(t *testing.T) {
	for _, c := range []struct {
		id, dtype, tier, source string
		directions              float64 // 2: both directions of an axis
		want                    float64
	}{
		{"tpu.v3", "bf16", "hbm_bandwidth", "book-tpus", 1, 155.55555555555554},
		{"tpu.v4", "bf16", "hbm_bandwidth", "book-tpus", 1, 229.16666666666666},
		{"tpu.v5p", "bf16", "hbm_bandwidth", "book-tpus", 1, 163.92857142857142},
		{"tpu.v5e", "bf16", "hbm_bandwidth", "book-tpus", 1, 243.20987654320987},
		{"tpu.v6e", "bf16", "hbm_bandwidth", "book-tpus", 1, 575},
		{"tpu.v4", "int8", "hbm_bandwidth", "book-tpus", 1, 229.16666666666666},
		{"tpu.v5p", "int8", "hbm_bandwidth", "book-tpus", 1, 327.85714285714283},
		{"tpu.v5e", "int8", "hbm_bandwidth", "book-tpus", 1, 486.41975308641975},
		{"tpu.v6e", "int8", "hbm_bandwidth", "book-tpus", 1, 1150},
		{"tpu.v3", "bf16", "ici_link_bandwidth", "book-tpus", 2, 700},
		{"tpu.v4", "bf16", "ici_link_bandwidth", "book-tpus", 2, 3055.5555555555557},
		{"tpu.v5p", "bf16", "ici_link_bandwidth", "book-tpus", 2, 2550},
		{"tpu.v5e", "bf16", "ici_link_bandwidth", "book-tpus", 2, 2188.8888888888887},
		{"tpu.v6e", "bf16", "ici_link_bandwidth", "book-tpus", 2, 5111.111111111111},
		{"tpu.v5e", "bf16", "pcie_bandwidth", "book-tpus", 1, 12312.5},
		{"tpu.v6e", "bf16", "pcie_bandwidth", "book-tpus", 1, 28750},
		{"tpu.v5p", "bf16", "network_bandwidth", "book-tpus", 1, 73440},
		{"tpu.v5e", "bf16", "network_bandwidth", "book-tpus", 1, 63040},
		{"tpu.v6e", "bf16", "network_bandwidth", "book-tpus", 1, 73600},
		{"gpu.b200", "bf16", "hbm_bandwidth", "book-gpus", 1, 281.25},
		{"gpu.h100", "bf16", "hbm_bandwidth", "book-gpus", 1, 295.5223880597015},
	} {
		got := number(t, c.id, peakPrefix+c.dtype, c.source) / (c.directions * number(t, c.id, c.tier, c.source))
		if relative(got, c.want) > 1e-12 {
			t.Errorf("%s: %s over %s is %v, want %v", c.id, c.dtype, c.tier, got, c.want)
		}
	}
	// bcrit_h100 takes 989 where the table has 990.
	if got := number(t, "gpu.h100", "flops.bf16", "") / number(t, "gpu.h100", "hbm_bandwidth", ""); relative(
		got,
		295.2238805970149,
	) > 1e-12 {
		t.Errorf("H100: %v", got)
	}
}

func TestAs(t *testing.T) {
	book := get(t, "tpu.v5e").As("book-tpus")
	for field, want := range map[string]string{"hbm_bandwidth": "810 GB/s", "flops.bf16": "197 TFLOP/s",
		"pcie_bandwidth": "16 GB/s"} {
		c, err := book.Get(field)
		if err != nil || c.Text != want || len(c.Others) != 0 {
			t.Errorf("%s: %v %v", field, c, err)
		}
	}
	if book.Has("price") || book.Torus() != nil || get(t, "tpu.v4").As("book-tpus").Torus() == nil {
		t.Error("a source says what it does not say")
	}
	if both := get(t, "tpu.v5e").As("nobody", "google-v5e"); !both.Has("hbm") || both.Has("clock") {
		t.Error("sources in order")
	}
}

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
				if vain := strings.HasPrefix(c.Source.ID, "sought-"); vain != strings.Contains(c.Source.Title,
					"looked for in ") ||
					vain != strings.HasPrefix(c.Source.Title, "Commonly printed") {
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

// What leaves a node, by what is said of whole nodes: ports and their Gbit/s. JUPITER’s and Alps’ nodes have four GH200
// and a port of 200 Gbit/s for each; a DGX H100 and an ND H200 eight of 400; a DGX A100 eight of 200; trn1.32xlarge 800
// for sixteen; a Gaudi 2 server 24 ports of 100 in all.
func TestPortsOfNodes(t *testing.T) {
	for id, node := range map[string]struct{ devices, ports, gigabits float64 }{
		"gpu.gh200":     {4, 4, 200},
		"gpu.a100":      {8, 8, 200},
		"gpu.h100":      {8, 8, 400},
		"gpu.h200":      {8, 8, 400},
		"gpu.b300":      {8, 8, 800},
		"gpu.mi300x":    {8, 8, 400},
		"npu.trainium1": {16, 8, 100},
		"npu.gaudi2":    {8, 24, 100},
	} {
		if n := number(t, id, "node_size", ""); n != node.devices {
			t.Errorf("%s: %v in a node, want %v", id, n, node.devices)
		}
		want := node.ports * node.gigabits * 1e9 / 8 / node.devices
		if got := number(t, id, "network_bandwidth", ""); got != want {
			t.Errorf("%s: %v bytes a second out of a node for each, want %v", id, got, want)
		}
	}
}
