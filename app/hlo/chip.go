package hlo

import (
	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/network"
	q "github.com/scalebook/scalebook/app/quantity"
)

// Chip is what turns counts into times. A rate that nobody knows is 0, and what depends on it has no time.
type Chip struct {
	Name      string
	Peak      func(dtype string) float64 // operations a second of its matrix unit on "bf16"; 0 if it has none
	Vector    float64                    // operations a second of its vector unit
	HBM, VMEM float64                    // bytes a second
	Link      float64                    // bytes a second to a neighbour of a ring, one way; 0 if there is a switch
	Egress    float64                    // bytes a second into a switch, one way
	Node      int                        // devices on that switch
	Beyond    float64                    // bytes a second of a device that leave its node
}

// NewChip is an accelerator of the catalog.
func NewChip(a *hardware.Accelerator) Chip {
	known := func(field string) float64 {
		c, err := a.Get(field)
		if err != nil {
			return 0
		}
		return c.Value.Value
	}
	c := Chip{Name: a.Name, HBM: known("hbm_bandwidth"), VMEM: known("vmem_bandwidth"), Vector: known("vpu_flops"),
		Link: known("ici_link_bandwidth"), Egress: known("scaleup_bandwidth"), Node: int(known("node_size")),
		Beyond: known("network_bandwidth")}
	c.Peak = func(dtype string) float64 { return known("flops." + dtype) }
	if c.Vector == 0 && c.Link == 0 {
		c.Vector = known("flops.fp32")
	}
	return c
}

// rates are the rates that a matmul of elements of a type can go at, the first that a chip has. TPUs multiply fp32 in
// bf16, GPUs in tf32, unless a program asks for more.
var rates = map[string][]string{
	"bf16": {"bf16"}, "f16": {"fp16", "bf16"}, "f32": {"tf32", "bf16", "fp32"}, "s8": {"int8", "bf16"},
	"u8": {"int8", "bf16"}, "s4": {"int4", "int8", "bf16"}, "u4": {"int4", "int8", "bf16"}, "s32": {"int8", "bf16"},
	"f4e2m1fn": {"fp4", "fp8", "bf16"},
}

// peak is the rate of a matmul of elements of a type, and in which dtype.
func (c *Chip) peak(of string) (rate float64, in string) {
	names := rates[of]
	if len(of) > 2 && of[:2] == "f8" {
		names = []string{"fp8", "bf16"}
	}
	for _, name := range names {
		if r := c.Peak(name); r > 0 {
			return r, name
		}
	}
	return 0, ""
}

// sending is the time of a collective: around a ring of neighbours, or over a switch.
func (c *Chip) sending(s Collective) float64 {
	if s.Group < 2 {
		return 0
	}
	var g network.Group = network.Torus{Axes: []network.Axis{{Size: s.Group, Wrap: s.Group > 2,
		OneWay: q.Bandwidth(c.Link)}}}
	if c.Link == 0 {
		egress := c.Egress
		if s.Group > max(c.Node, 1) && c.Beyond > 0 {
			egress = c.Beyond
		}
		if egress == 0 {
			return 0
		}
		g = network.Switch{Devices: s.Group, Egress: q.Bandwidth(egress)}
	}
	cost, err := network.Collective{Op: s.Op, Bytes: q.Bytes(s.Bytes)}.Over(g)
	if err != nil {
		return 0
	}
	return float64(cost.Time)
}
