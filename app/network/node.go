package network

import (
	"github.com/scalebook/scalebook/app/hardware"
	q "github.com/scalebook/scalebook/app/quantity"
)

func newNode(device *hardware.Accelerator) (Switch, error) {
	size, err := device.Get("node_size")
	if err != nil {
		return Switch{}, err
	}
	egress, err := device.Get("scaleup_bandwidth")
	if err != nil && size.Value.Value > 1 {
		return Switch{}, err
	}
	return Switch{
		Name:    device.Name + " node",
		Devices: int(size.Value.Value),
		Egress:  q.Bandwidth(egress.Value.Value),
	}, nil
}
