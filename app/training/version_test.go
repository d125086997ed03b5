package training

import (
	"math"
	"testing"
)

// What people ran in a month is the version of then; each month of a family has one at most.
func TestStackAt(t *testing.T) {
	for _, c := range []struct{ family, month, want string }{
		{"megatron", "2020-09", "megatron-2020"}, {"megatron", "2021-04", "megatron-2021"},
		{"megatron", "2022-05", "megatron-2022"}, {"megatron", "2024-07", "megatron"},
		{"megatron", "2026-06", "megatron-2026"}, {"megatron", "", "megatron"}, {"xla", "2023-03", "xla"},
		{"transformers", "2022-12", "transformers-2022"}, {"transformers", "2024-12", "transformers"},
	} {
		if s, err := StackAt(c.family, c.month); err != nil || s.Name != c.want {
			t.Errorf("%s of %q is %v, %v; want %s", c.family, c.month, s.Name, err, c.want)
		}
	}
	if s, _ := StackNamed("megatron"); s.Since != "2023-07" || s.Until != "2026-04" {
		t.Errorf("the default is of %q to %q", s.Since, s.Until)
	}
}

// Selene's eight runs of arXiv:2104.04473, table 1: TFLOP/s with what is computed again, 96 B s l h^2 (1 + s/6h +
// V/16lh). No constant of the version of 2021 was fitted to them: its switches alone say how they differ from today's.
func TestSelene(t *testing.T) {
	sum := 0.0
	rows := []struct {
		layers, width, heads, tp, pp, dp, batch int
		tflops                                  float64
	}{
		{24, 2304, 24, 1, 1, 32, 512, 137}, {30, 3072, 32, 2, 1, 32, 512, 138}, {36, 4096, 32, 4, 1, 32, 512, 142},
		{48, 8192, 64, 8, 2, 32, 1536, 138}, {60, 10240, 80, 8, 4, 32, 1792, 140}, {96, 16384, 128, 8, 16, 15, 2160, 155},
		{105, 20480, 128, 8, 35, 9, 2520, 163}, {128, 25600, 160, 8, 64, 6, 3072, 163},
	}
	for _, r := range rows {
		const s, V = 2048.0, 51200.0
		j := newJob(t, "gpt3.175b", "gpu.a100", "megatron-2021", r.dp*r.tp*r.pp, r.batch, s)
		m := *j.Model
		m.Layers, m.Width, m.Heads, m.KVHeads, m.HeadSize = r.layers, r.width, r.heads, r.heads, r.width/r.heads
		m.FFWidth, m.Vocab = 4*r.width, V
		j.Model = &m
		price := NewPricer(j).Price(Plan{DP: r.dp, TP: r.tp, PP: r.pp, Micro: 1, Recompute: RecomputeBlock})
		l, h := float64(r.layers), float64(r.width)
		flops := 96 * float64(r.batch) * s * l * h * h * (1 + s/(6*h) + V/(16*l*h))
		got := flops / price.Time.Step() / float64(j.Devices) / 1e12
		sum += math.Abs(got/r.tflops - 1)
		if math.Abs(got/r.tflops-1) > 0.12 {
			t.Errorf("%d layers of %d: %.0f TFLOP/s, measured %.0f", r.layers, r.width, got, r.tflops)
		}
	}
	if mean := sum / float64(len(rows)); mean > 0.07 {
		t.Errorf("mean error %.3f", mean)
	}
}

// Each switch of a version makes a step longer, and keeps memory where that is what it is about.
func TestSwitchesOfVersions(t *testing.T) {
	step := func(change func(*Stack)) Price {
		j := newJob(t, "gpt3.175b", "gpu.a100", "megatron", 768, 1536, 2048)
		change(j.Stack)
		return NewPricer(j).Price(Plan{DP: 8, TP: 8, PP: 12, Micro: 1})
	}
	today := step(func(*Stack) {})
	scores := step(func(s *Stack) { s.Flash = 0 })
	whole := step(func(s *Stack) { s.NormsSplit = 0 })
	if scores.Time.Attention < 1.5*today.Time.Attention || scores.Memory.Activations < 1.2*today.Memory.Activations {
		t.Errorf("scores in memory: %v, %v; fused %v, %v", scores.Time.Attention, scores.Memory.Activations,
			today.Time.Attention, today.Memory.Activations)
	}
	if whole.Time.Elementwise <= today.Time.Elementwise || whole.Memory.Activations <= today.Memory.Activations ||
		whole.Time.TP >= today.Time.TP { // nothing is gathered again
		t.Errorf("whole norms: %+v; split %+v", whole.Time, today.Time)
	}
}

// All wait for the slowest machine of a large run, and only of that.
func TestStragglers(t *testing.T) {
	share := func(devices int) float64 {
		j := newJob(t, "llama3.405b", "gpu.h100", "megatron", devices, devices/64, 8192)
		time := NewPricer(j).Price(Plan{DP: devices / 128, TP: 8, PP: 16, Micro: 1, Zero: 1}).Time
		return time.Straggle / (time.MicroBatches * (time.Matmul + time.Attention + time.Elementwise + time.Logits))
	}
	if at := share(8192); at != 0 {
		t.Errorf("on 8,192: %v", at)
	}
	if at := share(16384); math.Abs(at-0.1) > 1e-4 {
		t.Errorf("on 16,384: %v, one of 2,048 machines is surely slow", at)
	}
	if lost := Restarted(16384); math.Abs(lost-1/0.9) > 1e-9 {
		t.Errorf("Llama 3's run takes %v of its steps' time", lost)
	}
}
