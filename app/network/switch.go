package network

import (
	"github.com/scalebook/scalebook/app/hardware"
	q "github.com/scalebook/scalebook/app/quantity"
)

// Switch is devices of which each can send to any other at its full egress at once, as in a node with NVLink and
// NVSwitches. Only the egress (and the equal ingress) of the devices limits.
type Switch struct {
	Name    string      // "H100 node"; may be empty
	Devices int         // at least 1
	Egress  q.Bandwidth // of one device, one way, all its links
	Latency q.Seconds   // of one step through the switch; 0 leaves latency out
	Reduces bool        // the switch adds what passes through it (SHARP, NVLS)
	Direct  bool        // steps: every device sends to all others at once, instead of handing on around a ring
}

// NewNode is the scale-up domain of an accelerator: its node with the catalog's number of devices and the egress of
// each. The error says what the catalog lacks.
func NewNode(device *hardware.Accelerator) (Switch, error) { return newNode(device) }

// Size is the number of devices.
func (s Switch) Size() int { return s.Devices }

// Bisection is the one-way bandwidth between two halves (as near as the number allows): half the devices' egress.
// The collective bandwidth of a device is this over half the devices, 2 Bisection/N.
func (s Switch) Bisection() q.Bandwidth { return q.Bandwidth(s.Devices/2) * s.Egress }
