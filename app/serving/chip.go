package serving

import (
	"github.com/scalebook/scalebook/app/hardware"
)

// Chip is what serving needs of an accelerator, in base units. The zero value is no chip.
type Chip struct {
	ID        string
	Name      string
	Bandwidth float64 // of its memory, byte/s
	Memory    float64 // bytes that programs can have
	Peak16    float64 // dense bf16 rate, FLOP/s
	Peak8     float64 // dense fp8 or int8 rate; Peak16 where it has none
	Peak4     float64 // dense fp4 rate; 0 where it has none
	Link      float64 // scale-up egress of one device, one way, byte/s; 0 for a device that stands alone
	Domain    int     // devices that Link joins
	Network   float64 // to other domains, one way, byte/s
	Host      float64 // to the memory of its host, one way, byte/s
	Power     float64 // W, with Doubt where the catalog has none
	Price     float64 // dollar a second; 0 where unknown
	Torus     bool    // Link is made of neighbours' wires instead of a switch
	Axes      float64 // of the torus, each with as many of the wires
}

// NewChip takes what serving needs from the catalog. The error names the constant that is missing.
func NewChip(a *hardware.Accelerator) (Chip, error) {
	c := Chip{ID: a.ID, Name: a.Name, Domain: 1, Torus: a.Axes() > 0, Axes: float64(a.Axes())}
	k, err := a.Get("hbm_bandwidth")
	if err != nil {
		return Chip{}, err
	}
	c.Bandwidth = k.Value.Value
	if c.Memory, err = a.Usable(); err != nil {
		return Chip{}, err
	}
	peak, err := a.Peak("bf16")
	if err != nil {
		if peak, err = a.Peak("fp16"); err != nil {
			return Chip{}, err
		}
	}
	c.Peak16 = peak.Value.Value
	c.Peak8 = first(a, c.Peak16, "flops.fp8", "flops.int8")
	c.Peak4 = first(a, 0, "flops.fp4", "flops.int4")
	wires := first(a, 0, "ici_links") * first(a, 0, "ici_link_bandwidth")
	c.Link = first(a, max(wires, first(a, 0, "pcie_bandwidth")), "scaleup_bandwidth")
	c.Domain = int(first(a, 1, "node_size", "pod_chips"))
	c.Network = first(a, 0, "network_bandwidth", "pcie_bandwidth")
	c.Host = first(a, hostLink, "pcie_bandwidth")
	c.Power, c.Price = first(a, 0, "power", "power_mean"), first(a, 0, "price")
	return c, nil
}

// hostLink is what PCIe 5 with 16 lanes carries one way, which GPUs have since H100: for chips whose link nobody tells.
const hostLink = 64e9

// first is the first of some fields that the catalog knows of a, or else what is assumed.
func first(a *hardware.Accelerator, or float64, fields ...string) float64 {
	for _, f := range fields {
		if k, err := a.Get(f); err == nil {
			return k.Value.Value
		}
	}
	return or
}

// peak is the rate of arithmetic on weights of so many bytes an element: the narrowest unit that takes them, at no less
// than 8 bits where the chip has no narrower one. Formats of 4 bits without a unit of their own are widened to 16.
func (c *Chip) peak(bytes float64) (rate float64, width int) {
	switch {
	case bytes < 0.9 && c.Peak4 > 0:
		return c.Peak4, 4
	case bytes >= 0.9 && bytes < 1.9:
		return c.Peak8, 8
	}
	return c.Peak16, 16
}
