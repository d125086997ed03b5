package measured

import (
	"slices"
	"strings"
	"testing"
)

// What a row says that no prediction depends on is named, also inside its parts; what it leaves open is not.
func TestUnreadIsNamed(t *testing.T) {
	part := map[string]any{"tp": 4.0, "workers": 2.0, "colour": "red"}
	s := Setup{"model": "llama-3.1-70b", "device": "H100", "isl": 1000.0, "osl": 100.0, "concurrency": 8.0,
		"mode": "disagg", "prefill": part, "decode": map[string]any{"tp": 8.0}, "moon": 3.0, "sun": nil, "nodes": 2.0,
		strings.Repeat("x", 99): true, "cpu_kv_offload": true}
	p := One(Row{Kind: "inference", Setup: s})
	if p.Skipped != "" || len(p.Notes) != 1 {
		t.Fatalf("skipped: %q, notes: %v", p.Skipped, p.Notes)
	}
	names, _, _ := strings.Cut(p.Notes[0], ": ")
	want := []string{"cpu_kv_offload", "moon", "prefill.colour", strings.Repeat("x", 31) + "…"}
	if got := strings.Split(names, ", "); !slices.Equal(got, want) {
		t.Errorf("named are %v, want %v", got, want)
	}
	if part["colour"] = nil; s[watch] != nil || part[watch] != nil {
		t.Error("the row itself was changed")
	}
}

// A device that nobody knows is described by its numbers; caches may be stored and split otherwise than weights.
func TestServingAsPeopleTellIt(t *testing.T) {
	row := Setup{"model": "DeepSeek-R1", "device": "X9", "isl": 1000.0, "osl": 100.0, "concurrency": 8.0, "tp": 8.0,
		"peak_tflops": 900.0, "memory_GB": 192.0, "memory_bandwidth_GBps": 5000.0, "kv_cache": "fp8", "dcp": "on"}
	s, err := readServing(row)
	if err != nil || s.chip.Bandwidth != 5e12 || s.shape.Cache != 1 || s.plan.CP != 8 {
		t.Fatalf("%+v, %v", s, err)
	}
	for want, change := range map[string]Setup{
		"needs memory_bandwidth_GBps": {"memory_bandwidth_GBps": 0.0},
		"dcp is":                      {"dcp": -2.0},
	} {
		for name, value := range change {
			row[name] = value
		}
		if _, err := readServing(row); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v", change, err)
		}
		row["memory_bandwidth_GBps"] = 5000.0
	}
}
