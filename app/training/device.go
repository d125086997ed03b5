package training

import (
	"github.com/scalebook/scalebook/app/hardware"
)

// Device is what pricing needs of a chip or GPU.
type Device struct {
	Name   string
	Peak   [3]float64 // FLOP/s by DType; a dtype that the device lacks has the rate of the next wider one
	Reach  [3]float64 // share of that which a large matmul reaches in benchmarks
	Doubt  float64    // factor by which intervals of time are wider, both ways, for few have told what it reaches
	Memory float64    // bytes that programs can have
	Stream float64    // bytes/s of its memory
	Domain int        // devices that the fast network joins, as a node or a rack
	Fast   float64    // bytes/s of a device into it, one way
	Slow   float64    // bytes/s of a device into the network between domains, one way
	Axes   int        // of a torus, whose Fast is one axis, both ways; 0 for switches
	Host   float64    // bytes/s to the host, one way
}

// OwnDevice is one that the catalog lacks, by its numbers in FLOP/s, bytes and bytes/s. What its matmuls reach is
// assumed, as of others of which nobody has told it.
func OwnDevice(name string, peak, memory, stream, fast, slow float64, domain int) Device {
	const kin, host = "npu.", 32e9
	return Device{Name: name, Peak: [3]float64{peak, peak, peak}, Reach: reach(kin), Doubt: doubt(kin), Memory: memory,
		Stream: stream, Domain: domain, Fast: fast, Slow: slow, Host: host}
}

// NewDevice takes a device from the catalog. The error says what the catalog lacks.
func NewDevice(a *hardware.Accelerator) (Device, error) {
	d := Device{Name: a.Name, Reach: reach(a.ID), Doubt: doubt(a.ID), Domain: 1}
	get := func(field string, otherwise float64) float64 {
		if c, err := a.Get(field); err == nil {
			return c.Value.Value
		}
		return otherwise
	}
	d.Peak[BF16] = get("flops.bf16", get("flops.fp16", 0))
	d.Peak[FP8] = get("flops.fp8", max(get("flops.int8", 0), d.Peak[BF16]))
	d.Peak[FP4] = get("flops.fp4", d.Peak[FP8])
	if get("flops.fp8", 0) == 0 && get("flops.int8", 0) == 0 {
		d.Reach[FP8], d.Reach[FP4] = d.Reach[BF16], d.Reach[BF16]
	}
	d.Memory, _ = a.Usable()
	d.Stream = get("hbm_bandwidth", 0)
	d.Slow, d.Host = get("network_bandwidth", 0), get("pcie_bandwidth", 32e9)
	d.Axes = a.Axes()
	if d.Axes > 0 {
		d.Fast, d.Domain = 2*get("ici_link_bandwidth", 0), int(get("pod_chips", get("node_size", 1)))
	} else {
		d.Fast, d.Domain = get("scaleup_bandwidth", 0), int(get("node_size", 1))
	}
	if d.Peak[BF16] == 0 || d.Memory == 0 || d.Stream == 0 {
		return Device{}, fault("training.device-unknown", "device", a.Name)
	}
	if d.Slow == 0 {
		d.Slow = get("pcie_bandwidth", 12.5e9)
	}
	return d, nil
}
