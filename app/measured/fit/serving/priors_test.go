package main

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/serving"
)

// Every constant that is fitted lies inside the range that physics allow what its name says. One at the edge stands for
// a mechanism that is missing, which the table names; of no other it names one.
func TestConstantsArePhysical(t *testing.T) {
	missing, counted := map[string]string{}, map[string]bool{}
	for line := range strings.Lines(priorTable) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		p, _ := priorOf(c[0])
		if len(c) < 5 || !(p.low < p.mid && p.mid < p.high) || len(c[4]) < 10 {
			t.Errorf("%q is no range", line)
		}
		counted[c[0]] = strings.HasPrefix(c[4], "counted: ")
		if missing[c[0]] = ""; len(c) > 5 {
			missing[c[0]] = strings.TrimPrefix(c[5], "missing: ")
		}
	}
	checked, edges := 0, map[string]bool{}
	for _, engine := range append([]string{"all", "deepseek"}, engines...) {
		k := serving.Fitted(engine)
		for _, n := range k.All() {
			p, known := priorOf(n.Name)
			if !known {
				t.Errorf("nobody says what %s can be", n.Name)
			}
			x := math.Log(*n.Value)
			checked++
			at := x <= p.low+0.01 || x >= p.high-0.01
			if counted[n.Name] { // from the engine's code, which may be at an end
				at = x < p.low || x > p.high
			}
			at = at || n.Name == "wave" && k.Wave > k.Together
			// shares of requests near the cap of all shares; those of a rate are as high as benchmarks show
			at = at || (n.Name == "together" || n.Name == "crowd") && *n.Value > 0.98*highest
			edges[n.Name] = edges[n.Name] || at
			if at && missing[n.Name] == "" {
				t.Errorf("%s of %s is %v, at the edge of %.3g to %.3g: say which mechanism is missing", n.Name, engine,
					strconv.FormatFloat(*n.Value, 'g', 3, 64), math.Exp(p.low), math.Exp(p.high))
			}
		}
	}
	for name, why := range missing {
		if why != "" && !edges[name] {
			t.Errorf("%s is at no edge: nothing is missing", name)
		}
	}
	if checked < 100 {
		t.Errorf("only %d constants", checked)
	}
}

// TestCaptured: vLLM 0.11 and later capture graphs of up to 512 tokens, the others none of steps with prompts; what
// stands for all three is (512 + 0 + 0) / 3 = 170.7.
func TestCaptured(t *testing.T) {
	for engine, want := range map[string]float64{"vllm": 512, "sglang": 0, "trtllm": 0, "all": 171} {
		if got := serving.Fitted(engine).Captured; got != want {
			t.Errorf("%s: %v, want %v", engine, got, want)
		}
	}
}
