package measured

import "testing"

// Chips before Ampere have no bf16, which a prediction says; and what fp16 is taken for.
func TestSixteenBitsAreSaid(t *testing.T) {
	for device, c := range map[string][2]string{"V100": {"bf16", "no bf16"}, "H100": {"fp16", "rate of bf16"}} {
		s, err := readServing(Setup{"model": "llama3.8b", "device": device, "tp": 1.0, "n_devices": 1.0,
			"precision": c[0], "isl": 512.0, "osl": 128.0, "concurrency": 4.0, "engine": "vllm"})
		said := false
		if err == nil {
			for _, note := range s.notes {
				said = said || hasAny(note, c[1])
			}
		}
		if !said {
			t.Errorf("%s in %s: %v, no word of %q", device, c[0], err, c[1])
		}
	}
}

// Intervals of models that no row has hold nine in ten of the rows of others, each source counting once, and those of
// families stay as they are.
func TestStrangersAreInside(t *testing.T) {
	all := errorKey{regime: "together", quantity: "token"}
	family := errorKey{"together", "token", "vllm", "gpu.h100", "m", ""}
	lines := map[errorKey]line{all: {width: width{-0.1, 0.1}}, family: {width: width{-0.1, 0.1}}}
	var others []miss
	for i := range 100 {
		others = append(others, miss{errorKey: family, config: "many", off: 0.05 * float64(i%3)})
	}
	others[0].model = "other"
	for _, source := range []string{"a", "b", "c"} {
		others = append(others, miss{errorKey: family, config: source, off: 0.8})
	}
	widen(lines, others)
	if w := lines[all]; w.high < 0.8 || w.low > -0.1 {
		t.Errorf("%v holds none of three sources in four", w.width)
	}
	if lines[family].width != (width{-0.1, 0.1}) {
		t.Errorf("a family with rows of its own has %v", lines[family].width)
	}
	if len(strangers()) < 40 {
		t.Errorf("%d figures of others", len(strangers()))
	}
}
