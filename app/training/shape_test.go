package training

import (
	"slices"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/model"
)

// One matrix in place of attention or of the MLP has neither heads nor a hidden width: what a layer's matmuls take in
// and give out is the model's width.
func TestShapeOfOneMatrix(t *testing.T) {
	const layers, D, F = 4, 512, 2048
	m := model.Model{Layers: layers, Width: D, Vocab: 1000, FFWidth: F, Heads: 8, KVHeads: 8, HeadSize: 64}
	m.Each = model.NewEach(layers, func(layer int) [4]int {
		return [...][4]int{{}, {3: model.MatrixMLP}, {3: model.MatrixMixer}, {3: model.LacksMLP}}[layer]
	})
	z := newShape(&m, 1024)
	if want := 2.0 * F / layers; z.hidden != want || z.mlps != 0.5 {
		t.Errorf("the hidden width is %v of a mean layer, in %v of them; want %v in half of them", z.hidden, z.mlps,
			want)
	}
	if want := 2.0 * D * (3 + 2 + 2) / layers; z.full != want { // attention, MLPs, single matrices
		t.Errorf("the widths of matmuls' sides come to %v, want %v", z.full, want)
	}
	if want := 3.0 * 8 * 64 / layers; z.queries != want {
		t.Errorf("queries come to %v, want %v", z.queries, want)
	}
}

// stagesOf are the layers of the stages of a plan of Llama 3.1 405B, which has 126, and the plan as it is estimated.
func stagesOf(t *testing.T, plan Plan) ([]int, *Estimator) {
	t.Helper()
	p := NewEstimator(newJob(t, "llama3.405b", "gpu.h100", "megatron", plan.filled().Devices(), 2048, 8192))
	if err := p.Legal(plan); err != nil {
		t.Fatalf("%v: %v", plan, err)
	}
	return p.StageLayers(plan), p
}

// Llama 3 405B trained on 16 stages, the first and the last with a layer less than the others.
func TestUnevenStages(t *testing.T) {
	sevenEight := append(append([]int{7}, slices.Repeat([]int{8}, 14)...), 7)
	for _, c := range []struct {
		plan Plan
		want []int
	}{
		{Plan{DP: 128, TP: 8, PP: 16, Zero: 1}, sevenEight},
		{Plan{DP: 128, TP: 8, PP: 16, Zero: 1, First: 7, Last: 7}, sevenEight},
		{Plan{DP: 128, TP: 8, PP: 4, Zero: 1}, []int{31, 32, 32, 31}},
		{Plan{DP: 128, TP: 8, PP: 4, Zero: 1, Last: 30}, []int{32, 32, 32, 30}},
		{Plan{DP: 128, TP: 8, PP: 2, Zero: 1, First: 64}, []int{64, 62}},
		{Plan{DP: 64, TP: 8, PP: 8, Zero: 1}, []int{15, 16, 16, 16, 16, 16, 16, 15}},
		{Plan{DP: 2, TP: 8, PP: 5, Zero: 1}, []int{25, 26, 25, 25, 25}},
	} {
		got, _ := stagesOf(t, c.plan)
		sum := 0
		for _, n := range got {
			sum += n
		}
		if sum != 126 || !slices.Equal(got, c.want) {
			t.Errorf("%v: stages of %v, want %v", c.plan, got, c.want)
		}
	}
}

// No split loses layers, and the slowest and the fullest stage are what they are said to be.
func TestStagesAddUp(t *testing.T) {
	for p := 2; p <= 40; p++ {
		for _, e := range []ends{{}, {first: 1}, {last: 1}, {1, 2}, {first: 3}} {
			const L = 42
			if e.first+e.last+p > L {
				continue
			}
			if p == 2 && e.first > 0 && e.last > 0 {
				continue
			}
			s := split(L, 1, p, e, false)
			sum, most := s.first+s.last, max(s.first, s.last)
			if p > 2 {
				sum += s.middle*float64(p-2) - s.short
				most = max(most, s.middle)
			}
			if sum != L || s.slowest != most || s.short < 0 || s.first < 0 || s.last < 0 {
				t.Errorf("%d stages, ends %+v: %+v add up to %v", p, e, s, sum)
			}
		}
	}
}

// A last stage with fewer layers has time for logits, and no other number of layers makes the slowest stage faster.
func TestBalanced(t *testing.T) {
	for _, c := range []float64{0.3, 1, 2.5, 6, 30} {
		for p := 2; p <= 12; p++ {
			const L = 36
			last := balanced(L, c, p)
			got := split(L, c, p, ends{last: last}, false).work
			for other := 1; other < L-p; other++ {
				if s := split(L, c, p, ends{last: other}, false); s.work < got-1e-9 {
					t.Errorf("%d stages, logits like %v layers: %d layers last take %v, %d take %v", p, c, last, got,
						other, s.work)
				}
			}
		}
	}
}

// Stages that can't be are refused, with numbers.
func TestStagesThatCannotBe(t *testing.T) {
	p := NewEstimator(newJob(t, "llama3.405b", "gpu.h100", "megatron", 1024, 2048, 8192))
	for want, plan := range map[string]Plan{
		"there is none":               {DP: 128, TP: 8, First: 7},
		"have 120 of 126 layers":      {DP: 8, TP: 8, PP: 16, First: 60, Last: 60},
		"are not the 126 layers":      {DP: 64, TP: 8, PP: 2, First: 60, Last: 60},
		"200 chunks exceeds 126 laye": {DP: 16, TP: 8, PP: 8, Virtual: 200},
	} {
		plan.DP = 1024 / max(1, plan.TP) / max(1, plan.PP)
		if err := p.Legal(plan); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", plan, err, want)
		}
	}
	read, err := ParsePlan("dp=128 tp=8 pp=16 first=7 last=7", 16384)
	if err != nil || read.First != 7 || read.Last != 7 || !strings.Contains(read.String(), "first=7 last=7") {
		t.Errorf("read as %v, %v", read, err)
	}
	if _, err := ParsePlan("tp=8 tp=4", 64); err == nil || !strings.Contains(err.Error(), "twice") {
		t.Errorf("tp twice: %v", err)
	}
}

// TestHostLink: what offloads goes over the link that a device has to its host: NVLink-C2C of a GB200, PCIe 3 of a
// V100, PCIe 5 of an H100 and of an MI300X; where nobody tells, 32 GB/s.
func TestHostLink(t *testing.T) {
	for id, want := range map[string]float64{"gpu.gb200": 450e9, "gpu.v100": 16e9, "gpu.h100_pcie": 64e9,
		"gpu.a100": 32e9,
		"gpu.h100": 64e9, "gpu.b200": 64e9, "gpu.mi300x": 64e9, "gpu.mi250x": 32e9} {
		a, err := hardware.Catalog().Get(id)
		if err != nil {
			t.Fatal(err)
		}
		d, err := NewDevice(a)
		if err != nil || d.Host != want {
			t.Errorf("%s: %v byte/s to the host, want %v (%v)", id, d.Host, want, err)
		}
	}
}
