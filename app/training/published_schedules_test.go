package training

import (
	_ "embed"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/model"
)

// zeroBubbleTable is what the authors of ZB-H1, ZB-H2 and ZB-V measured beside 1F1B and interleaved 1F1B.
//
//go:embed testdata/zero_bubble.tsv
var zeroBubbleTable string

// How much faster than 1F1B a schedule is, simulated and measured. No constant was fitted to these runs; the limits are
// what was reached when the runs were first looked at. ZB-1p of the authors has the memory of ZB-H1, ZB-2p that of
// ZB-H2. What is simulated leaves out what splitting the backward pass costs, which makes ZB-V too fast with few
// microbatches, and what hand-overs of many chunks cost between nodes, which makes interleaved 1F1B too fast.
func TestSchedulesBesideTheirAuthors(t *testing.T) {
	schedules := []struct {
		schedule Schedule
		most     float64 // that a ratio is off
		median   float64
	}{{ZBH1, 0.04, 0.025}, {ZBH2, 0.09, 0.04}, {Interleaved, 0.07, 0.04}, {ZBV, 0.05, 0.03}}
	off := make([][]float64, len(schedules))
	for line := range strings.Lines(zeroBubbleTable) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		count := func(i int) int {
			n, err := strconv.Atoi(c[i])
			if err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			return n
		}
		layers, stages, micro, microbatches := count(0), count(3), count(4), count(5)
		m := model.Model{Layers: layers, Heads: count(1), Width: count(2), FFWidth: 4 * count(2), Plain: true,
			Vocab: 50304, Positions: 1024, Tied: true}
		j := Job{Model: &m, Devices: stages, Batch: micro * microbatches, Sequence: 1024,
			Recipe: RecipeOf("megatron", BF16, false)}
		a, err := hardware.Catalog().Get("gpu.a100")
		if err != nil {
			t.Fatal(err)
		}
		if j.Device, err = NewDevice(a); err != nil {
			t.Fatal(err)
		}
		if j.Stack, err = StackNamed("megatron"); err != nil {
			t.Fatal(err)
		}
		p := NewEstimator(j)
		step := func(s Schedule) float64 {
			plan := Plan{PP: stages, Micro: micro, Schedule: s}
			if s == Interleaved { // a layer a chunk
				plan.Virtual = (layers + 2) / stages
			}
			e := p.Estimate(plan)
			return e.Time.Step()
		}
		base, measured := step(OneFOneB), c[6]
		for i, s := range schedules {
			rate, err := strconv.ParseFloat(c[7+i], 64)
			if err != nil { // not measured
				continue
			}
			old, _ := strconv.ParseFloat(measured, 64)
			x := base/step(s.schedule)/(rate/old) - 1
			off[i] = append(off[i], x)
			if math.Abs(x) > s.most {
				t.Errorf("%v over 1F1B, %d stages, %d microbatches: %+.1f %%, %.3f measured", s.schedule, stages,
					microbatches, 100*x, rate/old)
			}
		}
	}
	for i, s := range schedules {
		var sizes []float64
		for _, x := range off[i] {
			sizes = append(sizes, math.Abs(x))
		}
		slices.Sort(sizes)
		if len(sizes) < 9 || sizes[len(sizes)/2] > s.median {
			t.Errorf("%v: %d rows, off by %.1f %% in the median", s.schedule, len(sizes), 100*sizes[len(sizes)/2])
		}
	}
}
