package nccl

import (
	"strings"

	"github.com/scalebook/scalebook/app/hardware"
)

// Node is a setting of one node of a device, with what the catalog says of it. The error names what is missing.
func Node(a *hardware.Accelerator) (*Setting, error) {
	s := &Setting{Algorithm: Auto, Nodes: 1, Reached: ConstantsOf(Family(a)), Switched: a.Vendor == "NVIDIA" && HasNVLS(a)}
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

// Domains is how many groups of fast links so many devices on so many hosts are: where such a group spans more than a host
// has, as in a rack of trays, hosts of one group count as one.
func Domains(devices, hosts, group int) int {
	const mostOfHost = 8
	if group > mostOfHost {
		return (devices + group - 1) / group
	}
	return hosts
}

// The devices whose switches add, those of Hopper and later, and the families of others than Hopper.
const (
	adding    = " h100 h800 h20 h200 b200 b300 gb200 gb300 rubin "
	blackwell = " b200 b300 gb200 gb300 rubin "
	ampere    = " a100 a100_40 v100 "
	instinct  = " mi250 mi250x mi300x mi325x mi350x mi355x "
)

// among tells whether a device is one of a list.
func among(list string, a *hardware.Accelerator) bool {
	return strings.Contains(list, " "+strings.TrimPrefix(a.ID, "gpu.")+" ")
}

// Family is the column of shares of a device: its generation.
func Family(a *hardware.Accelerator) string {
	switch {
	case among(blackwell, a):
		return "b200"
	case among(ampere, a):
		return "a100"
	case among(instinct, a):
		return "mi300x"
	}
	return "h100"
}

// HasNVLS tells whether the switches of a device's node add: NVSwitch does from its third generation on.
func HasNVLS(a *hardware.Accelerator) bool { return among(adding, a) }
