package measured

import (
	"github.com/scalebook/scalebook/app/training"
	"testing"
)

func TestNetworkSaid(t *testing.T) {
	for _, c := range []struct {
		said   string
		gbytes float64
	}{
		{"Jean Zay: 4 NVLink, 4x Omni-Path 100 Gb/s per node of 8", 6.25},
		{"NVLink; 4x100 Gb RoCE between nodes", 6.25}, {"Jean Zay, Omni-Path 4x100 Gb/s per node", 6.25},
		{"4 x 100 Gb/s RoCE per node of 8", 6.25}, {"8 x 200 Gb/s HDR InfiniBand per node", 25},
		{"RoCE 1600 Gb/s a node", 25}, {"NVLink; 800 Gb/s RDMA per node", 12.5}, {"8 HDR InfiniBand 200 Gb/s per node", 25},
		{"NVLink in the node, 400 Gb/s RDMA per GPU", 50}, {"400 Gb/s a node", 6.25}, {"8x200 Gb/s HDR InfiniBand per node",
			25},
		{"400 Gb/s RDMA per GPU", 50}, {"InfiniBand, about 660 Gb/s a node", 10.3125}, {"4 x 200 Gb/s RDMA per node of 8",
			12.5}, {"400 Gb/s RoCE", 50},
		{"PCIe 4.0 x16 each, no NVLink", 99}, {"Ethernet between nodes", 99},
	} {
		d := training.Device{Domain: 8, Slow: 99e9}
		Setup{"interconnect": c.said}.network(&d)
		if d.Slow != c.gbytes*1e9 {
			t.Errorf("%q: %g", c.said, d.Slow/1e9)
		}
	}
}
