package measured

import (
	"maps"
	"math"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/serving"
)

// Replicas share the requests: eight of one GPU serve eight times the requests that one serves of an eighth of them,
// whose times they have, per chip as much as it; those that take more chips than there are are refused.
func TestReplicasShareTheRequests(t *testing.T) {
	base := Setup{"model": "llama-2-70b", "device": "B200", "engine": "trtllm", "precision": "fp4", "tp": 1.0,
		"isl": 300.0, "osl": 300.0, "kv_cache": "bf16"}
	with := func(more Setup) Setup {
		s := maps.Clone(base)
		maps.Copy(s, more)
		return s
	}
	for _, c := range []struct{ eight, one Setup }{
		{Setup{"concurrency": 512.0, "n_devices": 8.0, "replicas": 8.0}, Setup{"concurrency": 64.0}},
		{Setup{"request_per_s": 40.0, "load": "constant", "replicas": 8.0},
			Setup{"request_per_s": 5.0, "load": "constant"}},
		{Setup{"load": "offline", "n_devices": 8.0, "replicas": 8.0}, Setup{"load": "offline"}},
		{Setup{"concurrency": 2.0, "replicas": 2.0}, Setup{"concurrency": 1.0}},
	} {
		eight, err := inference(Row{Setup: with(c.eight)})
		if err != nil {
			t.Fatal(err)
		}
		one, err := inference(Row{Setup: with(c.one)})
		if err != nil {
			t.Fatal(err)
		}
		n := c.eight["replicas"].(float64)
		for name, want := range one.Metrics {
			got, times := eight.Metrics[name], 1.0
			switch name {
			case "output_tok_s", "request_per_s", "input_tok_s", "output_tok_s_derived":
				times = n
			}
			if math.Abs(got.Mid-times*want.Mid) > 1e-6*got.Mid {
				t.Errorf("%v: %s of %v; want %v times %v", c.eight, name, got.Mid, times, want.Mid)
			}
		}
		if len(eight.Metrics) == 0 || len(eight.Notes) > 0 {
			t.Errorf("%v: %v, noted %q", c.eight, eight.Metrics, eight.Notes)
		}
	}
	delete(base, "tp")
	split, err := inference(Row{Setup: with(Setup{"concurrency": 8.0, "n_devices": 8.0, "replicas": 2.0})})
	four, err2 := inference(Row{Setup: with(Setup{"concurrency": 4.0, "tp": 4.0})})
	if err != nil || err2 != nil || split.Metrics["tpot_ms"] != four.Metrics["tpot_ms"] {
		t.Errorf("two replicas on eight chips are not of four each: %v, %v", err, err2)
	}
	base["tp"] = 1.0
	for want, more := range map[string]Setup{
		"16 replicas of TP1 take 16 chips, and there are 8": {"concurrency": 8.0, "n_devices": 8.0, "replicas": 16.0},
		"replicas is 0.5": {"concurrency": 8.0, "replicas": 0.5},
		"replicas is -1":  {"concurrency": 8.0, "replicas": -1.0},
	} {
		if _, err := inference(Row{Setup: with(more)}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v; want %q", more, err, want)
		}
	}
	p, err := inference(Row{Setup: with(Setup{"concurrency": 8.0, "n_devices": 8.0})})
	if err != nil || len(p.Notes) != 1 || !strings.Contains(p.Notes[0], "make 1 of the 8 chips a replica") {
		t.Errorf("eight chips, no replicas: %v, noted %q", err, p.Notes)
	}
}

// Near what a replica can take a queue's interval spans what its capacity may be: steps that take s times as long serve
// 1/s of the requests, so that the same requests wait s times as long as s times as many would. With half as many, it
// is hardly wider than that of a step; with 0.95 of them, its upper end is a queue that grows for as long as the load
// lasts, half an hour on average for each hour and unit of what is too much.
func TestOpenIntervalsSpanTheCapacity(t *testing.T) {
	read := func(rate float64) (*setting, answer) {
		s, err := readServing(Setup{"model": "llama-3.1-8b", "device": "H100-SXM-80GB", "engine": "vllm", "tp": 1.0,
			"isl": 1000.0, "osl": 200.0, "request_per_s": rate, "load": "open loop, Poisson"})
		if err != nil {
			t.Fatal(err)
		}
		a, err := s.answer(serving.Fitted("vllm"))
		if err != nil {
			t.Fatal(err)
		}
		return s, a
	}
	_, a := read(1)
	capacity := a.queue.Capacity
	if capacity == 0 {
		capacity = a.line.Capacity()
	}
	wide := func(s *setting, a answer) (first, steps float64) {
		low, high := s.intervals(a)("mean_ttft_ms")
		w, pace := s.spread("open", "first", a), s.spread("open", "whole", a)
		return high / low, w.High / w.Low * pace.High / pace.Low
	}
	calm, full := 0.5, 0.95
	s, a := read(calm * capacity)
	quiet, steps := wide(s, a)
	s, a = read(full * capacity)
	near, _ := wide(s, a)
	if quiet > 2*steps || near < 20*quiet {
		t.Errorf("at half of the capacity %.1f times from low to high, at %.2f of it %.1f times; steps %.1f times",
			quiet, full, near, steps)
	}
	// steps that take 1.2 times as long than at 0.95 serve 1/1.14 of what comes
	q, base := s.slowed(a, 1.2)["mean_e2e_s"], a.line.Queue(serving.Arrivals{Rate: 1.2 * full * capacity,
		Duration: 3000})
	if math.Abs(q-1.2*base.E2E.Mean) > 1e-6*q {
		t.Errorf("%v s; want 1.2 times %v s", q, base.E2E.Mean)
	}
	if wait := 3600 * (1.2*full - 1) / 2; math.Abs(1.2*base.Wait-wait) > 1e-6*wait {
		t.Errorf("the wait is %v s; want that of a fluid, %v s", 1.2*base.Wait, wait)
	}
	// requests are as far off as steps must take longer for them, and too long for any steps at the end
	for _, x := range []struct{ e2e, want float64 }{{s.slowed(a, 0.7)["mean_e2e_s"], math.Log(0.7)}, {a.E2E, 0},
		{q, math.Log(1.2)}, {q * 1e6, math.Log(8)}} {
		c := Case{Sample: Sample{Measured: map[string]float64{"mean_e2e_s": x.e2e}}, setting: s}
		if got, _ := s.slowness(&c, a); math.Abs(got-x.want) > 1e-6 {
			t.Errorf("%v s misses by %v; want %v", x.e2e, got, x.want)
		}
	}
	// what lies between the ends of first tokens is no miss, and what lies beyond misses by as much
	least, most := s.paces(a)
	for _, x := range []struct{ first, want float64 }{{least["mean_ttft_ms"] / 2, -math.Ln2},
		{least["mean_ttft_ms"], 0},
		{a.TTFT * 1e3, 0}, {most["mean_ttft_ms"] * 3, math.Log(3)}} {
		c := Case{Sample: Sample{Measured: map[string]float64{"mean_ttft_ms": x.first}}, setting: s}
		if got, _ := s.firstSlowness(&c, a); math.Abs(got-x.want) > 1e-6 {
			t.Errorf("%v ms misses by %v; want %v", x.first, got, x.want)
		}
	}
}
