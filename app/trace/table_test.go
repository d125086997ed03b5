package trace

import (
	"math"
	"strings"
	"testing"
)

const gemmOf = `"void cutlass::device_kernel<cutlass::gemm::kernel::GemmUniversal<int, ""x""> >(T1)"`

// sumTables are tables of sums, each of 600 us of matmuls, 300 of a collective and 100 of what nobody knows.
var sumTables = map[string]string{
	"nsys, CSV": "Processing [r.sqlite] with [cuda_gpu_kern_sum.py]...\n" +
		"Time (%),Total Time (ns),Instances,Avg (ns),Name\n" +
		"60.0,600000,10,60000.0," + gemmOf + "\n30.0,300000,5,60000.0,ncclDevKernel_AllReduce_Sum_bf16_RING_LL\n" +
		"10.0,100000,5,20000.0,mystery_k\n\nTime (%),Total Time (ns),Num Calls,Name\n99,9000000,1,cudaLaunchKernel\n",
	"nsys, text": " ** OS Runtime Summary (osrt_sum):\n\n Time (%)  Total Time (ns)  Num Calls  Name\n" +
		" --------  ---------------  ---------  ----\n     99.0    9,000,000,000      1,000  poll\n\n" +
		" ** CUDA GPU Kernel Summary (cuda_gpu_kern_sum):\n\n" +
		" Time (%)  Total Time (ns)  Instances  Avg (ns)   Name\n" +
		" --------  ---------------  ---------  ---------  ------------\n" +
		"     60.0          600,000         10   60,000.0  void cutlass::gemm::kernel<int,  x>(T1)\n" +
		"     30.0          300,000          5   60,000.0  ncclDevKernel_AllReduce_Sum_bf16_RING_LL\n" +
		"     10.0          100,000          5   20,000.0  mystery_k\n",
	"rocprof": "\"Name\",\"Calls\",\"TotalDurationNs\",\"AverageNs\",\"Percentage\"\n" +
		"\"Cijk_Ailk_Bljk_BBS_BH_MT128x128x32.kd\",10,600000,60000.0,60\n" +
		"\"ncclDevKernel_Generic(ncclDevKernelArgsStorage<4096ul>)\",5,300000,60000.0,30\n" +
		"\"mystery_k\",5,100000,20000,10",
}

// Tables of sums tell what the time was for, and nothing of when: they have no device. Other tables beside them, as of
// calls of the host, don't count.
func TestSums(t *testing.T) {
	for name, text := range sumTables {
		tr := whole(t, text)
		if !tr.Sums || len(tr.Devices) > 0 || tr.Unread > 0 || tr.Named != 3 || math.Abs(tr.Time-1e-3) > 1e-12 {
			t.Errorf("%s: %+v", name, tr)
			continue
		}
		for i, want := range []struct {
			does        string
			times, took float64
		}{{"matmul", 10, 600e-6}, {"collective", 5, 300e-6}, {"", 5, 100e-6}} {
			if o := tr.Ops[i]; o.Does != want.does || o.Times != want.times || math.Abs(o.Time-want.took) > 1e-12 {
				t.Errorf("%s: %+v, want %+v", name, o, want)
			}
		}
		if !again(t, tr).Sums {
			t.Errorf("%s: its summary doesn't say what it is", name)
		}
	}
}

// Tables of each kernel are traces: a matmul from 0 to 100 us, a collective from 50 to 200, a copy from 250 to 300.
func TestTableOfKernels(t *testing.T) {
	nsys := "Start (ns),Duration (ns),CorrId,Bytes (MB),SrcMemKd,Device,Ctx,Strm,Name\n" +
		"9007199254740993,100000,1,,,NVIDIA H100 80GB HBM3 (0),1,7,nvjet_hsh_128x256\n" +
		"9007199254790993,150000,2,,,NVIDIA H100 80GB HBM3 (0),1,13,\"ncclDevKernel_AllReduce_Sum_bf16(a<(b)1>)\"\n" +
		"9007199254990993,50000,3,1.0,Pinned,NVIDIA H100 80GB HBM3 (0),1,7,[CUDA memcpy Host-to-Device]\n"
	rocprof := "\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Kernel_Name\",\"Start_Timestamp\",\"End_Timestamp\"\n" +
		"\"KERNEL_DISPATCH\",\"Agent 4\",1,\"Cijk_Ailk_Bljk_BBS\",9007199254740993,9007199254840993\n" +
		"\"KERNEL_DISPATCH\",\"Agent 4\",2,\"ncclDevKernel_Generic_4\",9007199254790993,9007199254940993\n" +
		"\"MEMORY_COPY\",\"Agent 4\",1,\"CopyHostToDevice\",9007199254990993,9007199255040993\n"
	for text, card := range map[string]string{nsys: "NVIDIA H100 80GB HBM3", rocprof: "",
		strings.ReplaceAll(rocprof, "\n", "\r\n"): ""} {
		tr := whole(t, text)
		if tr.Sums || tr.Unread > 0 || len(tr.Devices) != 1 || tr.Card != card {
			t.Fatalf("%s: %+v", text, tr)
		}
		d := tr.Devices[0]
		for i, x := range []float64{d.Span - 300e-6, d.Compute - 100e-6, d.Comms - 150e-6, d.Exposed - 100e-6,
			d.Copies - 50e-6, d.Idle - 50e-6} {
			if math.Abs(x) > 1e-12 {
				t.Errorf("%.60s: time %d is off by %v: %+v", text, i, x, d)
			}
		}
	}
	tr := whole(t, "Start (ns),Duration (ns),Device,Strm,Name\n1,2,0,7,gemm\n1,x,0,7,gemm\n-1,2,0,7,gemm\n")
	if tr.Unread != 2 || tr.Faults[0].Line != 3 || tr.Faults[1].Line != 4 {
		t.Errorf("%+v", tr.Faults)
	}
}
