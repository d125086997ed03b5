package hardware

import "github.com/scalebook/scalebook/app/quantity"

// Field is a constant that accelerators may have.
type Field struct {
	Name  string        // "hbm_bandwidth"
	Label string        // "HBM bandwidth", as it goes on inside a sentence; it says which way and per what
	Dim   *quantity.Dim // of its value; never changed
}

var (
	plain     = quantity.Dim{}
	data      = quantity.Dim{quantity.Byte: 1}
	work      = quantity.Dim{quantity.FLOP: 1}
	rate      = quantity.Dim{quantity.FLOP: 1, quantity.Second: -1}
	bandwidth = quantity.Dim{quantity.Byte: 1, quantity.Second: -1}
	frequency = quantity.Dim{quantity.Second: -1}
	watts     = quantity.Dim{quantity.Joule: 1, quantity.Second: -1}
	price     = quantity.Dim{quantity.Dollar: 1, quantity.Second: -1}
)

// fields is every field there is, in the order in which a reader meets them.
var fields = [...]Field{
	{"flops.fp32", "dense fp32 rate", &rate},
	{"flops.tf32", "dense tf32 rate", &rate},
	{"flops.bf16", "dense bf16 rate", &rate},
	{"flops.fp16", "dense fp16 rate", &rate},
	{"flops.fp8", "dense fp8 rate", &rate},
	{"flops.int8", "dense int8 rate", &rate},
	{"flops.fp6", "dense fp6 rate", &rate},
	{"flops.fp4", "dense fp4 rate", &rate},
	{"flops.int4", "dense int4 rate", &rate},
	{"matmul_measured.bf16", "measured bf16 matmul rate", &rate},
	{"matmul_measured.fp8", "measured fp8 matmul rate", &rate},
	{"hbm", "HBM capacity", &data}, // of a card or a computer without HBM: its graphics or unified memory
	{"hbm_bandwidth", "HBM bandwidth", &bandwidth},
	{"vmem", "VMEM capacity", &data},
	{"vmem_bandwidth", "VMEM bandwidth", &bandwidth},
	{"smem", "SMEM per core", &data},
	{"cmem", "CMEM capacity", &data},
	{"sbuf", "SBUF capacity", &data},
	{"l2", "L2 cache", &data},
	{"l2_bandwidth", "L2 bandwidth, reads", &bandwidth},
	{"sms", "number of SMs", &plain},
	{"sm_memory", "shared memory and L1, per SM", &data},
	{"sm_registers", "registers per SM", &data},
	{"sm_tmem", "tensor memory (TMEM) per SM", &data},
	{"sm_warps", "resident warps, per SM, at most", &plain},
	{"sm_cores", "fp32 cores, per SM", &plain},
	{"sm_tensor_cores", "tensor cores, per SM", &plain},
	{"sm_tensor_flops", "16-bit matrix FLOPs per SM and cycle", &work},
	{"clock", "clock", &frequency},
	{"cores", "cores per chip", &plain},
	{"mxus", "MXUs per chip", &plain},
	{"mxu_size", "side of an MXU, in multiply-adds", &plain},
	{"vpu_lanes", "lanes of a VPU", &plain},
	{"vpu_sublanes", "sublanes of a VPU", &plain},
	{"vpu_alus", "vector ALUs, per core", &plain},
	{"vpu_flops", "vector rate per chip", &rate},
	{"vregs", "vector registers per core", &plain},
	{"ici_links", "ICI links, per chip", &plain},
	{"ici_link_bandwidth", "ICI link bandwidth, one way", &bandwidth},
	{"ici_link_twoway", "ICI link bandwidth, both ways", &bandwidth},
	{"ici_chip_twoway", "ICI bandwidth, per chip, all links, both ways", &bandwidth},
	{"scaleup_bandwidth", "scale-up bandwidth, per device, all links, one way", &bandwidth},
	{"peer_bandwidth", "bandwidth between two devices of a node, one way", &bandwidth},
	{"network_bandwidth", "network bandwidth, per device, one way", &bandwidth},
	{"pcie_bandwidth", "PCIe bandwidth, per device, one way", &bandwidth},
	{"host_bandwidth", "bandwidth to the memory of the host, per device, one way", &bandwidth},
	{"host_chips", "chips per host", &plain},
	{"host_memory", "memory of a host", &data},
	{"node_size", "devices per node", &plain},
	{"pod_chips", "chips per pod", &plain},
	{"job_chips", "chips a job may use", &plain},
	{"pod_allreduce", "AllReduce bandwidth per pod", &bandwidth},
	{"pod_bisection", "bisection bandwidth per pod", &bandwidth},
	{"power", "power", &watts},
	{"power_mean", "mean measured power", &watts},
	{"power_min", "least measured power", &watts},
	{"price", "price per device", &price},
	{"ownership", "cost of ownership per device", &price},
}

// Fields are all constants that an accelerator may have, in the order in which a reader meets them.
func Fields() []Field { return fields[:] }

// FieldNamed finds a field by its name.
func FieldNamed(name string) (Field, bool) {
	for _, f := range fields {
		if f.Name == name {
			return f, true
		}
	}
	return Field{}, false
}

func fieldNames() []string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Name
	}
	return names
}
