package nccl

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/scrap"
)

const table = `# nThread 1 nGpus 1 minBytes 8 maxBytes 17179869184 step: 2(factor) warmup iters: 5 iters: 20 agg iters: 1
# Collective test starting: all_reduce_perf
#  Rank  0 Group  0 Pid 100 on node-a device  0 [0x07] NVIDIA H100 80GB HBM3
#  Rank  1 Group  0 Pid 101 on node-b device  0 [0x07] NVIDIA H100 80GB HBM3
NCCL version 2.27.7+cuda13.0
#                                                              out-of-place                       in-place
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
           8             2     float     sum      -1    30.10    0.00    0.00      0    29.90    0.00    0.00      0
  1073741824     268435456     float     sum      -1   3100.0  346.37  346.37      0   3101.0  346.26  346.26    N/A
# Out of bounds values : 0 OK
# Avg bus bandwidth    : 173.185
`

// before is the table with words before each line.
func before(words string) string { return words + strings.ReplaceAll(table, "\n", "\n"+words) }

// TestReadTest reads what the tests print, by launchers with words before each line, and cut.
func TestReadTest(t *testing.T) {
	for name, text := range map[string]string{"plain": table, "windows": strings.ReplaceAll(table, "\n", "\r\n"),
		"kubectl":   before("[pod/nccl-test-launcher-x7k2p/launcher] "),
		"times":     before("2026-05-01T10:00:00.123Z "),
		"two tests": table + strings.ReplaceAll(table, "all_reduce", "all_gather"),
		"srun":      before("0: "), "mpirun": before("[1,0]<stdout>:"),
		"syslog":  before("May  1 10:00:00 node1 nccl[2231]: "),
		"a log":   before("2026-05-01 10:00:00,123 INFO    "),
		"compose": before("nccl-1  | "),
		"colours": "\x1b[32m" + strings.ReplaceAll(table, "\n", "\x1b[0m\n\x1b[32m")} {
		got, err := ReadTest(text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got.Op != network.AllReduce || got.Devices != 2 || got.Nodes != 2 || got.Device != "NVIDIA H100 80GB HBM3" ||
			len(got.Points) != 2 || got.Average != 173.185e9 || got.Wrong != 0 || got.Factor != 1 {
			t.Errorf("%s: %+v", name, got)
		}
		if best := got.Best(); best.Bus != 346.37e9 || best.Bytes != 1<<30 || best.Time != 3100e-6 {
			t.Errorf("%s: %+v", name, best)
		}
	}
	gather, err := ReadTest("1024 16 float none -1 20 0.05 0.04 0 20 0.05 0.04 0\n" +
		"17179869184 268435456 float none -1 42000 409.04 357.91 3 42000 409 357 0")
	if err != nil || gather.Op != network.AllGather || gather.Devices != 8 || gather.Wrong != 1 {
		t.Errorf("an all-gather without a header: %+v, %v", gather, err)
	}
	old, err := ReadTest("# all_gather_perf\n 33554432 524288 float 113.2 296.4 259.4 0e+00 110.1 304.8 266.7 0e+00")
	if err != nil || len(old.Points) != 1 {
		t.Fatalf("an old table: %+v, %v", old, err)
	}
	near(t, "an old table", old.Points[0].Bus, 259.4e9, 1e-12)
	cells, err := ReadTest("size,count,type,redop,root,time,algbw,busbw,wrong\n" +
		"1073741824,268435456,float,sum,-1,4000,268.4,469.8,0")
	if err != nil || len(cells.Points) != 1 || cells.Devices != 8 {
		t.Errorf("a table with commas: %+v, %v", cells, err)
	}
	_, err = ReadTest("# nThread 1 nGpus 8\nnode-a: Test CUDA failure common.cu:892 " +
		"'out of memory'\n .. node-a pid 4242: Test failure common.cu:1045\n")
	if err == nil || !strings.Contains(err.Error(), "Test CUDA failure") {
		t.Errorf("a test that failed: %v", err)
	}
	for _, test := range []string{"scatter_perf", "gather_perf"} { // all_gather_perf is another one
		if _, err := ReadTest(strings.ReplaceAll(table, "all_reduce_perf", test)); err == nil ||
			!strings.Contains(err.Error(), test) {
			t.Errorf("%s: %v", test, err)
		}
	}
	for _, text := range []string{" \n", "hello", "# only a head", "1 2 3", "8 2 float sum -1 x y z 0"} {
		if _, err := ReadTest(text); err == nil || !strings.Contains(err.Error(), "nccl-tests") &&
			!strings.Contains(err.Error(), "the text is empty; paste the output of all_reduce_perf") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// outputs are lines that tests printed from 2019 to 2026, as people published them (repositories on GitHub and their
// threads, named before each), with what they say by hand: ranks, hosts, lines, and the largest bus bandwidth in GB/s.
var outputs = []struct {
	from, text     string
	op             network.Op
	devices, nodes int
	lines          int
	best, average  float64
	device         string
}{
	{"Azure ML, two ND40rs_v2, 2023: no root, differences in place of wrong results", `
#       size         count      type   redop     time   algbw   busbw  error     time   algbw   busbw  error
db7284be16ae4f7d81abf17cb8e41334000002:3876:3876 [0] NCCL INFO Launch mode Parallel
    33554432       8388608     float     sum   4393.9    7.64   14.32  4e-07   4384.4    7.65   14.35  4e-07
  1073741824     268435456     float     sum   124011    8.66   16.23  4e-07   123877    8.67   16.25  4e-07
`, network.AllReduce, 16, 1, 2, 16.23, 0, ""},
	{"without its #, as a page shows a table that was pasted as text, as in NVIDIA/nccl#583, 2021", `
 nThread 1 nGpus 1 minBytes 32 maxBytes 8589934592 step: 2(factor) warmup iters: 5       iters: 20 validation: 1

 Using devices
   Rank  0 Pid 1821213 on node-a device  0 [0x00] NVIDIA A100-SXM4-40GB
   Rank  1 Pid 1821214 on node-a device  1 [0x00] NVIDIA A100-SXM4-40GB

       size         count    type   redop     time   algbw   busbw  error     time   algbw   busbw  error
   268435456      67108864   float     sum   1890.0  142.03  142.03  4e-07   1891.0  141.95  141.95  4e-07
 Out of bounds values : 0 OK
 Avg bus bandwidth    : 141.99
`, network.AllReduce, 2, 1, 1, 142.03, 141.99, "NVIDIA A100-SXM4-40GB"},
	{"MSCCL++, 2023: no type, and nothing in place, as in microsoft/mscclpp#87", `
#                                    in-place                       out-of-place
#       size         count     time   algbw   busbw  #wrong     time   algbw   busbw  #wrong
#        (B)    (elements)     (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
  1073741824      33554432                                    7186.2  149.42  130.74      0
`, network.AllGather, 8, 1, 1, 130.74, 0, ""},
	{"LUMI, two MI100, 2021", `
# nThread: 1 nGpus: 1 minBytes: 8 maxBytes: 134217728 step: 2(factor) warmupIters: 5 iters: 20 validation: 1
#   Rank  0 Pid 106347 on  nid000013 device  0 [0000:c9:00.0] Device 738c
#   Rank  1 Pid  97185 on  nid000014 device  0 [0000:c9:00.0] Device 738c
        1024           256     float     sum    41.99    0.02    0.02  0e+00    42.18    0.02    0.02  0e+00
`, network.AllReduce, 2, 2, 1, 0.02, 0, "Device 738c"},
	{"superbench, eight A100, 2021: neither operation nor root", `
# nThread 1 nGpus 8 minBytes 1 maxBytes 8589934592 step: 2(factor) warmup iters: 5 iters: 20 validation: 0
#   Rank  0 Pid 112372 on localhost device  0 [0x00] A100-SXM4-40GB
#   Rank  7 Pid 112372 on localhost device  7 [0x00] A100-SXM4-40GB
#       size         count    type     time   algbw   busbw  error     time   algbw   busbw  error
           0             0   float    34.27    0.00    0.00    N/A    33.57    0.00    0.00    N/A
          32             1   float    35.03    0.00    0.00    N/A    34.15    0.00    0.00    N/A
  8589934592     268435456   float  37154.6  231.19  202.29    N/A  37052.1  231.83  202.86    N/A
`, network.AllGather, 8, 1, 2, 202.29, 0, "A100-SXM4-40GB"},
	{"two DGX Spark, 2026", `
# nccl-tests version 2.18.3 nccl-headers=22809 nccl-library=22809
# Collective test starting: all_gather_perf
#  Rank  0 Group  0 Pid 548419 on spark-fb97 device  0 [000f:01:00] NVIDIA GB10
#  Rank  1 Group  0 Pid 546336 on spark-4440 device  0 [000f:01:00] NVIDIA GB10
  1073741824     134217728     float    none      -1  27211.0   39.46   19.73       0  25806.7   41.61   20.80       0
  4294967296     536870912     float    none      -1  96986.7   44.28   22.14       0  95610.9   44.92   22.46       0
# Out of bounds values : 0 OK
# Avg bus bandwidth    : 21.4033
`, network.AllGather, 2, 2, 2, 22.14, 21.4033, "NVIDIA GB10"},
	{"Azure, two ND96isr_H100_v5, 2026: ranks in short", `
# Collective test starting: all_reduce_perf
#  Rank  0 .. Rank  7 on h100a-gpu-0001  NVIDIA H100 80GB HBM3
#  Rank  8 .. Rank 15 on h100a-gpu-0002  NVIDIA H100 80GB HBM3
     8388608       2097152     float     sum      -1   175.69   47.75   89.52       0   150.32   55.80  104.63       0
   268435456      67108864     float     sum      -1  1304.40  205.79  385.86       0  1314.20  204.26  382.98       0
# Avg bus bandwidth    : 443.007 OK
`, network.AllReduce, 16, 2, 2, 385.86, 443.007, "NVIDIA H100 80GB HBM3"},
	{"Oracle, two BM.GPU.B4.8, 2026: some of the ranks", `
# Collective test starting: all_reduce_perf
#  Rank  0 Group  0 Pid    490 on inst-qfvws-oke-rdma device  0 [0000:0f:00] NVIDIA A100-SXM4-40GB
#  Rank  7 Group  0 Pid    505 on inst-qfvws-oke-rdma device  7 [0000:da:00] NVIDIA A100-SXM4-40GB
#  Rank  8 Group  0 Pid    247 on inst-wm4sq-oke-rdma device  0 [0000:0f:00] NVIDIA A100-SXM4-40GB
#  Rank 15 Group  0 Pid    263 on inst-wm4sq-oke-rdma device  7 [0000:da:00] NVIDIA A100-SXM4-40GB
  1073741824     268435456     float     sum      -1  10908.0   98.44  184.57       0  11220.1   95.70  179.43       0
`, network.AllReduce, 16, 2, 1, 184.57, 0, "NVIDIA A100-SXM4-40GB"},
	{"RTX 6000D, 2026: an mpirun that warns between the lines, no check in place", `
# Collective test starting: alltoall_perf
#  Rank 14 Group  0 Pid   5053 on R6KD-CX8aaS-GPU-12 device  6 [0000:f6:00] NVIDIA RTX 6000D
#  Rank 15 Group  0 Pid   5054 on R6KD-CX8aaS-GPU-12 device  7 [0000:f9:00] NVIDIA RTX 6000D
[R6KD-CX8aaS-GPU-11:04379] 15 more processes have sent help message help-mca-var.txt / mutually-exclusive-vars
        1024            16     float    none      -1    61.85    0.02    0.02       0    47.04    0.02    0.02    N/A
        8192           128     float    none      -1    47.35    0.17    0.16       0    46.67    0.18    0.16    N/A
`, network.AllToAll, 16, 2, 2, 0.16, 0, "NVIDIA RTX 6000D"},
	{"two RTX 5090, 2026: a broadcast with the root 0", `
# Collective test starting: broadcast_perf_mpi
       32768       8192   float    none       0    37.46    0.87    0.87       0   133.79    0.24    0.24       0
     1048576     262144   float    none       0   697.03    1.50    1.50       0  2501.22    0.42    0.42       0
`, network.Broadcast, 8, 1, 2, 1.50, 0, ""},
	{"AMD, MI300X, 2026: no root", `
#       size         count      type   redop     time   algbw   busbw  #wrong     time   algbw   busbw  #wrong
      131072         65536  bfloat16     sum  2747.87    0.05    0.09       0  2483.23    0.05    0.09       0
`, network.AllReduce, 8, 1, 1, 0.09, 0, ""},
	{"a column of times and the columns of single runs, as release 2.18 prints them with -T and -I", `
# Collective test starting: reduce_scatter_perf
 1073741824 33554432 float sum -1 2900.1 370.24 323.96 0 2890 2950 2949 0.5 2899.9 370.3 324.0 0 2 3 4 5 2026-05-01 9:00
`, network.ReduceScatter, 8, 1, 1, 323.96, 0, ""},
	{"a table in Markdown", `
all_reduce_perf on 8 GPUs
| 8589934592 | 2147483648 | float | sum | -1 | 34417 | 249.59 | 436.78 | 0 |
`, network.AllReduce, 8, 1, 1, 436.78, 0, ""},
	{"what -J writes", `{"version":3,"start_time":"2026-05-01 10:00:00","args":["./build/all_reduce_perf","-b","8",` +
		`"-J","out.json"],"env":["HOME=/root","NOTE=sendrecv_perf"],"nccl_version":22907,"config":{"nthreads":1,` +
		`"ngpus":1,"devices":[{"rank":0,"group":0,"pid":100,"hostname":"node-a","device":0,"device_hex":"0000:07:00",` +
		`"device_info":"NVIDIA H100 80GB HBM3"},{"rank":1,"group":0,"pid":101,"hostname":"node-b","device":0,` +
		`"device_hex":"0000:07:00","device_info":"NVIDIA H100 80GB HBM3"}]},"results":[{"size":8,"count":2,` +
		`"type":"float","redop":"sum","root":"    -1","out_of_place":{"time":30.100000,"alg_bw":0.000266,` +
		`"bus_bw":0.000266,"nwrong":0.000000},"in_place":{"time":29.900000,"alg_bw":0.000268,"bus_bw":0.000268,` +
		`"nwrong":0.000000},"actual_iterations":20,"experiment_name":null},{"size":1073741824,"count":268435456,` +
		`"type":"float","redop":"sum","root":"    -1","out_of_place":{"time":3100.000000,"alg_bw":346.368331,` +
		`"bus_bw":346.368331,"nwrong":0.000000},"in_place":{"time":3101.0,"alg_bw":346.256635,"bus_bw":346.256635,` +
		`"nwrong":null}}],"out_of_bounds":{"count":0,"okay":"true"},"average_bus_bandwidth":{"bandwidth":173.184300,` +
		`"okay":"unchecked"},"errors":[],"end_time":"2026-05-01 10:00:10"}`, network.AllReduce, 2, 2, 2, 346.368331,
		173.1843, "NVIDIA H100 80GB HBM3"},
}

// What releases and launchers of seven years printed is read, whatever columns they have.
func TestReadOutputs(t *testing.T) {
	for _, c := range outputs {
		for _, text := range []string{c.text, strings.NewReplacer(`":`, `": `, ",", ",\n  ").Replace(c.text)} {
			got, err := ReadTest(text)
			if err != nil {
				t.Errorf("%s: %v", c.from, err)
				continue
			}
			if got.Op != c.op || got.Devices != c.devices || got.Nodes != c.nodes || len(got.Points) != c.lines ||
				got.Device != c.device || got.Wrong != 0 {
				t.Errorf("%s: %+v", c.from, got)
			}
			near(t, c.from, got.Best().Bus, c.best*1e9, 1e-9)
			if math.Abs(got.Average-c.average*1e9) > 1 {
				t.Errorf("%s: an average of %v, want %v GB/s", c.from, got.Average, c.average)
			}
		}
	}
	got, err := ReadTest("# all_reduce_perf\n 1048576 262144 float sum -1 100.0 10.49 19.66 7 100.0 10.49 19.66 0")
	if err != nil || got.Wrong != 1 {
		t.Errorf("wrong results: %+v, %v", got, err)
	}
}

// Tests of links and of MPI are named for what they are.
func TestOtherTests(t *testing.T) {
	for name, text := range map[string]string{
		"RDMA_Write": "-----\n                    RDMA_Write BW Test\n" +
			" Dual-port       : OFF          Device : mlx5_0\n" +
			" #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]\n" +
			" 65536      5000             366.25             366.24             0.698541\n",
		"OSU MPI": "# OSU MPI-CUDA Latency Test v7.0\n# Size       Latency (us)\n" +
			"16777216             8630.58\n",
		"ib_read_bw": "$ ib_read_bw -d mlx5_1 --report_gbits 10.0.0.1\n 65536 1000 97.1 97.0 0.18\n",
		"nvbandwidth": "nvbandwidth Version: v0.8\nRunning device_to_device_memcpy_read_ce.\n" +
			" 0 1 2\n 0 N/A 392.1 392.5\n",
	} {
		_, err := ReadTest(text)
		if err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "all_reduce_perf") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What is no test at all is named too, with what to paste instead.
func TestOtherTexts(t *testing.T) {
	for text, name := range map[string]string{
		"\tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity\nGPU0\t X \tNV18\t0-55\t0\n": "nvidia-smi topo",
		"node1:12:12 [0] NCCL INFO Bootstrap : Using eth0\n":                    "NCCL’s own log",
		"#bytes     #iterations    BW peak[Gb/sec]\n65536 5000 392.1\n":         "single links",
		`{"traceEvents": []}`:             "Reading profiles",
		"nothing of the kind\n1 2 3\n4 5": "begins with “nothing of the kind”",
	} {
		if _, err := ReadTest(text); err == nil || !strings.Contains(err.Error(), name) ||
			!strings.Contains(err.Error(), "all_reduce_perf") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzReadTest: whatever a text holds, its numbers are numbers.
func FuzzReadTest(plain *testing.F) {
	f := scrap.Of(plain)
	f.Add(table)
	f.Add("mpirun -np 3\n# OSU MPI-CUDA Allgather Latency Test\n1e300 1e-300\n8 0.1\n" +
		"all_reduce on 2 devices\n1 GB 0 us 2GBps 3GBps")
	f.Add("8 2 float sum -1 1e-300 1e300 NaN 0 1 Inf 1 0\n#  Rank 9 on [0] x y z a b")
	f.Fuzz(func(t *testing.T, text string) {
		got, err := ReadTest(text)
		if err != nil {
			return
		}
		best := got.Best()
		for _, x := range []float64{got.Factor, got.Average, best.Bus, float64(best.Time), float64(best.Bytes)} {
			if !(x >= 0) {
				t.Errorf("%v in %+v", x, got)
			}
		}
		if got.Devices < 1 || got.Nodes < 1 || len(got.Points) == 0 {
			t.Errorf("%+v", got)
		}
	})
}

// Neuron's nccom-test, as its manual and people who ran it print it: releases that count in GiB and in GB, with and
// without the bytes that go in and come out, and which collective and how many workers by the command.
func TestNccomTests(t *testing.T) {
	const head = "     size(B)    count(elems)     type    time:avg(us)    algbw(GB/s)    busbw(GB/s)\n"
	for name, c := range map[string]struct {
		text        string
		op          network.Op
		devices     int
		points      int
		best, gives float64 // bus bandwidth in GB/s; bytes of the largest array
	}{
		"two workers": {"nccom-test -r 2 allr\n     size(B)    count(elems)     type    time(us)" +
			"    algbw(GB/s)    busbw(GB/s)\n" +
			"    33554432        33554432    uint8         768          40.69          40.69\n" +
			"Avg bus bandwidth:      40.6901GB/s\n", network.AllReduce, 2, 1, 40.69 * 1.073741824, 33554432},
		"32 workers on two hosts": {head + "       524288          262144    bf16          438.2" +
			"           1.20           2.36\n" +
			"     16777216         8388608    bf16          844.85          19.86          39.10\n" +
			"    134217728        67108864    bf16         7025.52          19.10          37.01\n" +
			"Avg bus bandwidth:    13.29 GB/s\n", network.AllReduce, 32, 3, 39.10, 134217728},
		"an all-gather": {"$ nccom-test allg -b 512kb -e 512kb -r 32 -n 10 -d fp32 -w 1 -f 512\n" + head +
			"        524288          131072    fp32           24.15          21.71          21.03\n" +
			"Avg bus bandwidth:    21.0339GB/s\n", network.AllGather, 32, 1, 21.03, 524288},
		"with bytes in and out": {"nccom-test --nworkers=8 redsct --show-input-output-size\n" +
			"    size(B)    count(elems)    total_input_size(B)    total_output_size(B)    type    time:avg(us)    " +
			"algbw(GB/s)    busbw(GB/s)\n" +
			"       1048576             262144                     1048576                    131072    fp32" +
			"            100.0         10.49          9.18\n", network.ReduceScatter, 8, 1, 9.18, 1048576},
		"a first line of zeros": {"nccom-test -r 32 allr\n" + head +
			"          8               2    fp32           63.52           0.00           0.00\n" +
			"       8192            2048    fp32           778.0           0.01           0.02\n" +
			"    1073741824      268435456    fp32        167629.75           6.41           12.42\n",
			network.AllReduce, 32, 3, 12.42, 1073741824},
	} {
		got, err := ReadTest(c.text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		best := float64(got.Best().Bus) / 1e9
		if got.Op != c.op || got.Devices != c.devices || len(got.Points) != c.points ||
			math.Abs(best-c.best) > 0.001*c.best || got.largest() != c.gives {
			t.Errorf("%s: %+v, best %v", name, got, best)
		}
	}
	for text, want := range map[string]int{"nccom-test -r 64 allr": 64, "nccom-test --nworkers 8 allg": 8,
		"nccom-test allr":      0,
		"nccom-test -r x allr": 0, "nccom-test -r": 0} {
		if got := workers(text); got != want {
			t.Errorf("%s: %d workers, want %d", text, got, want)
		}
	}
}

// How many devices take part follows from two printed bandwidths, as far as their digits go: of those numbers the one
// that machines have.
func TestDevicesByFactor(t *testing.T) {
	for _, c := range []struct {
		line    string
		devices int
	}{
		{"524288 131072 fp32 343.84 1.42 2.80", 64}, {"134217728 67108864 bf16 7025.52 19.10 37.01", 32},
		{"17179869184 4294967296 float sum -1 92173 186.39 369.86 0", 128},
		{"8589934592 2147483648 float sum -1 31219 275.15 481.51 0", 8},
		{"1073741824 268435456 float sum -1 4600 233.42 389.03 0", 6},
		{"1073741824 268435456 float sum -1 3000 357.91 596.52 0", 6},
		{"1073741824 268435456 float sum -1 2000 536.87 1006.63 0", 16},
		{"1073741824 268435456 float sum -1 9000 119.30 119.30 0", 2},
	} {
		got, err := ReadTest("# Collective test starting: all_reduce_perf\n" + c.line + "\n")
		if err != nil || got.Devices != c.devices {
			t.Errorf("%s: %+v, %v; want %d", c.line, got, err, c.devices)
		}
	}
	for line, devices := range map[string]int{"1073741824 268435456 float none -1 3000 357.91 335.54 0": 16,
		"1073741824 268435456 float none -1 3000 357.91 178.96 0": 2, "524288 131072 fp32 24.15 21.71 21.03": 32} {
		got, err := ReadTest("# Collective test starting: all_gather_perf\n" + line + "\n")
		if err != nil || got.Devices != devices {
			t.Errorf("gathered: %s: %+v, %v; want %d", line, got, err, devices)
		}
	}
	for _, c := range []struct {
		least, most float64
		n           int
	}{{62, 81, 64}, {6.9, 7.1, 7}, {5.2, 5.8, 0}, {96, 130, 128}, {1.9, 2.1, 2}} {
		if got := roundest(c.least, c.most); got != c.n {
			t.Errorf("between %v and %v: %d, want %d", c.least, c.most, got, c.n)
		}
	}
}

// Where nothing names the collective, the columns do: what is summed and from where, whether results in place were
// checked, and what busbw is of algbw. Of 8 ranks 2*7/8 = 1.75 are an all-reduce, 7/8 = 0.875 a gather, a scatter or an
// all-to-all, and 1 what is passed on, of which one with sums and no root is a pair's.
func TestOperationByColumns(t *testing.T) {
	ranks := ""
	for i := range 8 {
		ranks += fmt.Sprintf("#  Rank  %d Group  0 Pid 9 on node-a device  %d [0x07] NVIDIA H100 80GB HBM3\n", i, i)
	}
	for _, c := range []struct {
		columns, bus, checked string
		want                  network.Op
	}{
		{"float sum -1", "350.00", "0", network.AllReduce},
		{"float sum", "350.00", "N/A", network.AllReduce},
		{"float sum -1", "175.00", "0", network.ReduceScatter},
		{"bfloat16 none -1", "175.00", "0", network.AllGather},
		{"float none -1", "175.00", "N/A", network.AllToAll},
		{"float sum -1", "200.00", "N/A", network.Permute}, // 1 of eight devices, where an all-reduce has 1.75
		{"float", "175.00", "0", network.AllGather},
		{"float none 0", "200.00", "0", network.Broadcast},
		{"float 0", "200.00", "0", network.Broadcast},
		{"float sum 0", "200.00", "0", network.Reduce},
	} {
		const timed = " 5368.7 200.00 "
		text := ranks + "1073741824 268435456 " + c.columns + timed + c.bus + " 0" + timed + c.bus + " " + c.checked
		got, err := ReadTest(text)
		if err != nil || got.Op != c.want || got.Devices != 8 {
			t.Errorf("%s, %s GB/s: %+v, %v; want %s of 8", c.columns, c.bus, got, err, c.want)
		}
	}
	_, err := ReadTest("0 0 float none -1 0.20 0.00 0.00 0 0.16 0.00 0.00 N/A\n")
	if err == nil || !strings.Contains(err.Error(), "0 bytes") {
		t.Errorf("arrays of no bytes: %v", err)
	}
}

// Of 128 devices 127/128 = 0.992 of the array is handed on, which is no all-reduce: of two that is 1, of more it is
// more.
func TestShareOfManyIsNoAllReduce(t *testing.T) {
	ranks := ""
	for i := range 128 {
		ranks += fmt.Sprintf("#  Rank  %d Group  0 Pid 9 on node%d device  %d [0x07] NVIDIA H100\n", i, i/8, i%8)
	}
	for columns, want := range map[string]network.Op{"float sum -1": network.ReduceScatter,
		"float none -1": network.AllGather, "float none  -1": network.AllToAll} {
		checked := "0"
		if want == network.AllToAll {
			checked = "N/A"
		}
		// 8 GiB at 90.71 GB/s take 94,697 us; 90.71 x 127/128 = 90.00
		const timed = " 94697 90.71 90.00 "
		got, err := ReadTest(ranks + "8589934592 16777216 " + columns + timed + "0" + timed + checked)
		if err != nil || got.Op != want || got.Devices != 128 || got.Nodes != 16 {
			t.Errorf("%s: %+v, %v", columns, got, err)
		}
	}
}

// hccl_demo of eight Gaudis prints 7/4 of the algorithm bandwidth as that of the network: 2 (8-1)/8. 33554432 bytes at
// 149.03 GB/s take 225.2 µs. Of an all-gather it counts what each puts in: 8 × 16777216 bytes at 8 × 72.741 GB/s.
func TestDemosOfGaudi(t *testing.T) {
	const says = "Welcome to HCCL demo\n###\n[BENCHMARK] hccl%s\n[BENCHMARK]     NW Bandwidth   : %v GB/s\n" +
		"[BENCHMARK]     Algo Bandwidth : %v GB/s\n###\n"
	for _, c := range []struct {
		head       string
		bus, rate  float64
		op         network.Op
		size, time float64
		device     string
	}{
		{"AllReduce(src!=dst, data_size=33554432, count=8388608, dtype=float, iterations=1000)", 260.8, 149.03,
			network.AllReduce, 33554432, 225.15e-6, "Gaudi 2"},
		{"AllReduce(dataSize=268435456, count=134217728, dtype=bfloat16, iterations=10)", 512.957, 293.118,
			network.AllReduce, 268435456, 915.8e-6, "Gaudi 3"},
		{"AllGather(dataSize=16777216, count=4194304, dtype=float, iterations=1000)", 509.189, 72.741,
			network.AllGather, 8 * 16777216, 230.64e-6, "Gaudi 3"},
	} {
		test, err := ReadTest(fmt.Sprintf(says, c.head, c.bus, c.rate))
		if err != nil {
			t.Errorf("%s: %v", c.head, err)
			continue
		}
		if test.Op != c.op || test.Devices != 8 || test.Device != c.device || float64(test.Best().Bytes) != c.size {
			t.Errorf("%s: %+v", c.head, test)
		}
		near(t, c.head, float64(test.Best().Time), c.time, 1e-4)
		near(t, c.head, test.Best().Bus, c.bus*1e9, 1e-9)
	}
}

// PARAM's benchmark prints five times of each size before its bandwidths: 15/16 of the algorithm bandwidth are 16
// devices.
func TestTablesOfPARAM(t *testing.T) {
	test, err := ReadTest("\tCOMMS-RES-all_gather-float32\ttotal-size (B)\tnElementsPerRank\tLatency(us):p50\tp75" +
		"\tp95\tMin\tMax\tAlgBW(GB/s)\tBusBW(GB/s)\n" +
		"\tCOMMS-RES-all_gather-float32\t1073741824\t16777216\t5290.0\t5300.0\t5310.0\t5280.0\t5330.0" +
		"\t202.976\t190.290\n")
	if err != nil {
		t.Fatal(err)
	}
	if test.Op != network.AllGather || test.Devices != 16 || float64(test.Best().Bytes) != 1<<30 {
		t.Errorf("%+v", test)
	}
	near(t, "its time", float64(test.Best().Time), 5290e-6, 1e-9)
}

// A run on one device sends nothing and is refused by that name; an engineer's sample is recognized by its host.
func TestOneDeviceAndItsHost(t *testing.T) {
	const rank = "#  Rank  0 Group  0 Pid 9 on slurm-gb200-207-171 device  3 [0x01] NVIDIA Graphics Device\n"
	if _, err := ReadTest(rank + " 1048576 262144 float sum -1 100.0 10.49 0.00 0\n"); err == nil ||
		!strings.Contains(err.Error(), "one device") {
		t.Error(err)
	}
	test, err := ReadTest(strings.Replace(rank, "Rank  0", "Rank 71", 1) +
		" 8589934592 2147483648 float sum -1 20006 429.37 846.82 0\n")
	if err != nil || test.Devices != 72 || test.Named() != "slurm-gb200-207-171" {
		t.Errorf("%v %+v", err, test)
	}
}

// What nothing measures is no number.
func TestHugeNumbers(t *testing.T) {
	const line = "1073741824 268435456 float sum -1 5000 214.75 %s 0 5000 214.75 375.81 0\n"
	for _, bus := range []string{"1e308", "1e22", "Inf", "NaN"} {
		if got, err := ReadTest(fmt.Sprintf(line, bus)); err == nil {
			t.Errorf("%s: %+v", bus, got.Best())
		}
	}
}

// A broadcast's bandwidths are the same over any number of devices, and an all-reduce's never differ by two or more.
// Nothing is assumed where ranks are listed, or where 1.75 = 2 (8-1)/8 says how many there are.
func TestAssumedDevices(t *testing.T) {
	const ranks = "#  Rank  7 Group  0 Pid 9 on node-a device  7 [0x07] NVIDIA H100 80GB HBM3\n"
	for text, want := range map[string]bool{
		"# broadcast_perf\n 1048576 262144 float none 0 100.0 10.49 10.49 0\n":          true,
		ranks + "# broadcast_perf\n 1048576 262144 float none 0 100.0 10.49 10.49 0\n":  false,
		"# all_reduce_perf\n 1073741824 268435456 float sum -1 5000 214.75 375.81 0\n":  false,
		"# all_reduce_perf\n 1073741824 268435456 float sum -1 5000 214.75 99999 0\n":   true,
		"# all_gather_perf\n 1073741824 268435456 float none -1 5000 214.75 322.13 0\n": true,
	} {
		got, err := ReadTest(text)
		if err != nil || got.Assumed != want || got.Devices != 8 {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
}

// Where only some of the list of ranks was copied, 1.75 = 2 (8-1)/8 says that there were eight, and 15/8 that
// there were sixteen. A list that is whole stands, also where few digits are printed: 2 (128-1)/128 is 1.98.
func TestListOfRanksCutShort(t *testing.T) {
	rank := func(n int) string {
		return fmt.Sprintf("#  Rank  %d Group  0 Pid 9 on node-a device  0 [0x07] NVIDIA H100 80GB HBM3\n", n)
	}
	const line = "# all_reduce_perf\n 1073741824 268435456 float sum -1 %s 0\n"
	for text, want := range map[string]int{
		rank(0) + fmt.Sprintf(line, "5000 214.75 375.81"):  8,
		rank(1) + fmt.Sprintf(line, "5000 214.75 402.65"):  16,
		rank(7) + fmt.Sprintf(line, "5000 214.75 375.81"):  8,
		rank(119) + fmt.Sprintf(line, "1073742 1.00 1.98"): 120,
		rank(1) + fmt.Sprintf(line, "5000 214.75 214.75"):  2,
	} {
		if got, err := ReadTest(text); err != nil || got.Devices != want || got.Assumed {
			t.Errorf("%q: %+v, %v; want %d devices", text, got, err, want)
		}
	}
}

// A test that fails says so behind its table, and tables of old releases say there how many results were wrong: their
// A list of ranks that is cut tells the nodes by where its ranks are on theirs, if they follow the devices.
func TestNodesOfAListCutShort(t *testing.T) {
	rank := func(rank int, host string, device int) string {
		return fmt.Sprintf("#  Rank %2d Group  0 Pid  9 on %s device  %d [0x07] NVIDIA H100 80GB HBM3\n", rank,
			host, device)
	}
	const head = "# nThread 1 nGpus 8 minBytes 8589934592 maxBytes 8589934592 step: 2(factor) warmup iters: 5\n"
	const of32 = "  8589934592 2147483648 float sum -1 43740.0 196.39 380.50 0 43700.0 196.57 380.85 0\n" // 2 x 31/32
	for name, c := range map[string]struct {
		list  string
		nodes int
	}{
		"its ends": {rank(0, "a", 0) + rank(1, "a", 1) + "# ...\n" + rank(30, "d", 6) + rank(31, "d", 7), 4},
		"its first node": {rank(0, "a", 0) + rank(1, "a", 1) + rank(2, "a", 2) + rank(3, "a", 3) +
			rank(4, "b", 0), 8},
		"one of a node":         {rank(0, "a", 0) + rank(1, "b", 0), 32},
		"within its first node": {rank(0, "a", 0) + rank(1, "a", 1) + "# ...\n", 1},
		// A process has its devices on one node.
		"the first of a process": {head + rank(0, "a", 0) + rank(1, "a", 1), 4},
		"one of a process":       {head + rank(0, "a", 0), 4},
		"of a middle":            {rank(9, "b", 1) + rank(15, "b", 7), 4},
		// Each program sees one device, or ranks go around: nothing is known beyond those that are listed.
		"all the first": {rank(0, "a", 0) + rank(1, "a", 0) + rank(31, "d", 0), 2},
		"in turn":       {rank(0, "a", 0) + rank(1, "b", 0) + rank(4, "a", 1), 2},
	} {
		got, err := ReadTest("# all_reduce_perf\n" + c.list + of32)
		if err != nil || got.Devices != 32 || got.Nodes != c.nodes {
			t.Errorf("%s: %+v, %v; want %d nodes", name, got, err, c.nodes)
		}
	}
}

// own column has an error, which differs from 0 in right ones too.
func TestFailedTests(t *testing.T) {
	const (
		table = "# nThread 1 nGpus 8 minBytes 8 maxBytes 9\n1048576 262144 float sum -1 100.0 10.49 18.35 2e-07\n" +
			"2097152 524288 float sum -1 100.0 20.97 36.70 3e+02\n"
		broke = "node-b: Test NCCL failure common.cu:954 'unhandled system error / Connection reset'\n"
	)
	for text, want := range map[string]struct {
		wrong int
		cut   bool
	}{
		table + "# Out of bounds values : 0 OK\n# Avg bus bandwidth : 27.5\n": {},
		table + "# Out of bounds values : 1 FAILED\n":                         {wrong: 1},
		table + "# Out of bounds values : 9 FAILED\n":                         {wrong: 2},
		table + broke: {cut: true},
		table + broke + "node-b: .. node-b pid 9: Test failure all_reduce.cu:90\n": {cut: true},
	} {
		got, err := ReadTest(text)
		if err != nil || got.Wrong != want.wrong || got.Cut != want.cut || len(got.Points) != 2 {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
}
