package measured

import (
	"fmt"
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/spell"
	"github.com/scalebook/scalebook/app/training"
)

// oddSoftware is the software that a set-up of training names, where nothing in it tells a stack: then the stack
// follows from the device.
func (s Setup) oddSoftware() string {
	if _, err := training.StackNamed(strings.ToLower(s.Text("stack", "software"))); err == nil || s.deepspeed() != "" {
		return ""
	}
	for _, name := range []string{"stack", "framework", "software", "engine"} {
		if said := s.Text(name); said != "" && s.saidSoftware() == "" {
			return said
		}
	}
	return ""
}

// oddOptimizer is the optimizer that a set-up of training names, where it is none whose state is known, or has another
// for a part of the weights.
func (s Setup) oddOptimizer() string {
	said := strings.ToLower(s.Text("optimizer"))
	_, known := training.OptimizerNamed(said)
	if said == "" || known || hasAny(said, "adam", "distributedoptimizer") &&
		!hasAny(said, "muon", "soap", "shampoo", "lion", "sgd", "adafactor") {
		return ""
	}
	return s.Text("optimizer")
}

// elsewhere are the devices by nodes, where a set-up says another number of them; 0 if it doesn't.
func (s Setup) elsewhere(devices int) int {
	each, _ := s.Whole(0, 0, mostDevices, nodeCounts...)
	nodes, _ := s.Whole(0, 0, mostDevices, "nodes", "n_nodes")
	if each*nodes == devices {
		return 0
	}
	return each * nodes
}

// noteOdd tells of words of a set-up of serving that nobody knows, and what is taken instead.
func (t *setting) noteOdd(s Setup) {
	if said := s.Text("engine", "framework"); said != "" && t.engine == "" {
		t.notes = append(t.notes, fmt.Sprintf("%q is no engine that is known: constants of all engines together are "+
			"taken; write vllm, sglang or trtllm", spell.Clip(said, 32)))
	}
	if said := s.Text(cacheNames...); said != "" && !knownCache(said) {
		t.notes = append(t.notes, fmt.Sprintf("%q is no format of a cache that is known: %g bits are taken; write "+
			"bf16 or fp8", spell.Clip(said, 32), 8*t.shape.Cache))
	}
	switch mode := strings.ToLower(s.Text("mode")); mode {
	case "", "agg", "aggregated", "disagg":
	default:
		t.notes = append(t.notes, fmt.Sprintf("mode is %q: prefill and decode are taken to be together; write agg or "+
			"disagg",
			spell.Clip(mode, 32)))
	}
}

// knownCache tells whether a text names a format of keys and values: in 8 or 16 bits, or as the engine has it.
func knownCache(text string) bool {
	text = strings.ToLower(text)
	return strings.Contains(text, "8") || strings.Contains(text, "16") ||
		slices.Contains([]string{"auto", "half"}, text)
}
