package measured

import (
	"strings"
	"testing"
)

// Nothing that was measured beats what one request alone takes at the peaks, so that no interval need reach below.
func TestNoMeasurementBeatsTheFloor(t *testing.T) {
	tried, nearest := 0, 0.0
	for _, c := range served(t) {
		f := c.setting.floor()
		for quantity, least := range map[string]float64{"first": f.first, "token": f.token, "whole": f.whole} {
			if m := c.measured(quantity); m > 0 && least > 0 {
				if tried, nearest = tried+1, max(nearest, least/m); m < least {
					t.Errorf("%s: %s of %.4g s, and alone at the peaks it takes %.4g s", c.ID, quantity, m, least)
				}
			}
		}
	}
	if tried < 5000 || nearest < 0.7 {
		t.Errorf("%d figures tried, the nearest at %.2f of its floor: the floor says nothing", tried, nearest)
	}
}

// Llama 3.1 8B in bf16 on one MI300X: 15.0 GB of weights without the embedding table, at 5.3 TB/s.
func TestIntervalsStayAboveTheFloor(t *testing.T) {
	p, err := inference(Row{Setup: Setup{"model": "Llama-3.1-8B", "device": "MI300X", "engine": "vllm", "tp": 1.0,
		"precision": "bf16", "n_devices": 1.0, "isl": 1024.0, "osl": 1024.0, "concurrency": 1.0}})
	if err != nil {
		t.Fatal(err)
	}
	const weights = 2 * (8.030e9 - 128256*4096)
	for name, i := range p.Metrics {
		switch {
		case i.Low > i.Mid || i.Mid > i.High:
			t.Errorf("%s: %v", name, i)
		case name == "tpot_ms" && i.Low < weights/5.3e9 || strings.Contains(name, "tok_s_") && i.High > 2*5.3e12/weights:
			t.Errorf("%s: %v beats the memory", name, i)
		case strings.HasSuffix(name, "_ms") && i.Low <= 0:
			t.Errorf("%s: %v", name, i)
		}
	}
}
