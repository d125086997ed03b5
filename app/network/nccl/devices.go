package nccl

import (
	"strings"

	"github.com/scalebook/scalebook/app/hardware"
)

// Node is a setting of one node of a device, with what the catalog says of it. The error names what is missing.
func Node(a *hardware.Accelerator) (Setting, error) {
	s := Setting{Algorithm: Auto, Nodes: 1, Reached: ConstantsOf(Family(a)), Switched: a.Vendor == "NVIDIA" && HasNVLS(a)}
	egress, err := a.Get("scaleup_bandwidth")
	if err != nil {
		return s, err
	}
	size, err := a.Get("node_size")
	if err != nil {
		return s, err
	}
	s.Egress, s.Devices = egress.Value.Value, int(size.Value.Value)
	if wire, err := a.Get("network_bandwidth"); err == nil {
		s.Wire = wire.Value.Value * float64(s.Devices)
	}
	return s, nil
}

// Family is the column of shares of a device: its generation.
func Family(a *hardware.Accelerator) string {
	for _, f := range []struct{ family, words string }{{"b200", "b200 b300 gb200 gb300 rubin"}, {"a100", "a100 v100 a100_40"},
		{"mi300x", "mi250 mi250x mi300x mi325x mi350x mi355x"}} {
		for word := range strings.FieldsSeq(f.words) {
			if a.ID == "gpu."+word {
				return f.family
			}
		}
	}
	return "h100"
}

// HasNVLS tells whether the switches of a device's node add: those of Hopper and later, NVSwitch of the third
// generation on.
func HasNVLS(a *hardware.Accelerator) bool {
	for word := range strings.FieldsSeq("h100 h800 h20 h200 b200 b300 gb200 gb300 rubin") {
		if a.ID == "gpu."+word {
			return true
		}
	}
	return false
}
