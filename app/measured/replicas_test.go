package measured

import (
	"maps"
	"math"
	"strings"
	"testing"
)

// Replicas share the requests: eight of one GPU serve eight times the requests that one serves of an eighth of them,
// whose times they have, per chip as much as it; those that take more chips than there are are refused.
func TestReplicasShareTheRequests(t *testing.T) {
	base := Setup{"model": "llama-2-70b", "device": "B200", "engine": "trtllm", "precision": "fp4", "tp": 1.0, "isl": 300.0,
		"osl": 300.0}
	with := func(more Setup) Setup {
		s := maps.Clone(base)
		maps.Copy(s, more)
		return s
	}
	for _, c := range []struct{ eight, one Setup }{
		{Setup{"concurrency": 512.0, "n_devices": 8.0, "replicas": 8.0}, Setup{"concurrency": 64.0}},
		{Setup{"request_per_s": 40.0, "load": "constant", "replicas": 8.0}, Setup{"request_per_s": 5.0, "load": "constant"}},
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
