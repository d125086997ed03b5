package nccl

import (
	"math"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/network"
)

const osu = "# OSU MPI-CUDA Allreduce Latency Test v7.4\n# Datatype: MPI_INT.\n# Size       Avg Latency(us)   Min\n" +
	"1048576               85.31            84.11\n16777216             420.55           418.12\n"

// imb is what Intel MPI's benchmarks print of one among twelve ranks.
func imb(test string) string {
	return "# Calling sequence was:\n# IMB-MPI1-GPU -npmin 12 " + test + "\n#-----------\n# Benchmarking " + test +
		" \n# #processes = 12 \n#-----------\n       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n" +
		"            0         1000         0.05         0.06         0.05\n" +
		"      4194304           40        80.00       100.00        90.00\n"
}

// ucc is what ucc_perftest prints of arrays of 512 MiB in 2100 us, with its bandwidth in GB/s.
func ucc(collective, memory, rate string) string {
	return "Collective:             " + collective + "\nMemory type:            " + memory + "\nDatatype:               " +
		"float32\nWarmup:\n  small                 100\nIterations:\n  small                 1000\n\n" +
		"       Count        Size                Time, us                           Bandwidth, GB/s\n" +
		"                                 avg         min         max         avg         min         max\n" +
		"   134217728   536870912     2100.00     2090.00     2120.00      " + rate + "      " + rate + "     " + rate + "\n"
}

// Tests that print no bus bandwidth: it is worked out of size, time and ranks. An all-reduce of 16 MiB among 8 in
// 420.55 us has 16777216/420.55e-6 * 2*7/8 = 69.81 GB/s. Of OSU's all-gather a rank sends 1 MiB to each, so that the
// array has 8 MiB; two ranks that send 21034.55 MB/s have that as their bus bandwidth.
func TestReadBrief(t *testing.T) {
	for name, c := range map[string]struct {
		text    string
		op      network.Op
		devices int
		bytes   float64
		bus     float64
	}{
		"OSU, all-reduce": {"$ mpirun -np 8 osu_allreduce -d cuda\n" + osu, network.AllReduce, 8, 16777216,
			16777216 / 420.55e-6 * 14 / 8},
		"OSU, all-gather": {"srun --ntasks=8 \\\n./osu_allgather -d rocm\n# OSU MPI-ROCM Allgather Latency Test v7\n" +
			"1048576 100.0\n", network.AllGather, 8, 8 << 20, 8 << 20 / 100e-6 * 7 / 8},
		"OSU, all-to-all": {"mpirun -n 4 osu_alltoall\n" +
			"# OSU MPI-CUDA All-to-All Personalized Exchange Latency Test v7.4\n1048576 100.0\n", network.AllToAll, 4,
			4 << 20, 4 << 20 / 100e-6 * 3 / 4},
		"OSU, reduce-scatter": {"mpirun -n 4 osu_reduce_scatter\n# OSU MPI-CUDA Reduce_scatter Latency Test v7.4\n" +
			"1048576 100.0\n", network.ReduceScatter, 4, 1 << 20, 1 << 20 / 100e-6 * 3 / 4},
		"OSU, broadcast": {"mpirun -n 4 osu_bcast\n# OSU NCCL-CUDA Broadcast Latency Test v7.4\n" +
			"1048576 100.0\n", network.Broadcast, 4, 1 << 20, 1 << 20 / 100e-6},
		"OSU, reduce": {"mpirun -n 4 osu_reduce\n# OSU MPI-CUDA Reduce Latency Test v7.4\n" +
			"1048576 100.0\n", network.Reduce, 4, 1 << 20, 1 << 20 / 100e-6},
		"OSU, two ranks": {"# OSU MPI-CUDA Bandwidth Test v7.4\n# Size      Bandwidth (MB/s)\n1048576 21034.55\n",
			network.Permute, 2, 1 << 20, 21034.55e6},
		"Ascend": {"mpirun -n 8 ./bin/all_reduce_test -b 64M -e 512M -f 8 -p 8\nthe minbytes is 67108864\n" +
			"67108864 | 812.31 | 82.61467 | success\n", network.AllReduce, 8, 64 << 20, 64 << 20 / 812.31e-6 * 14 / 8},
		"Ascend, unchecked": {"mpirun -n 8 ./bin/all_gather_test -b 64M -e 64M -p 8\n67108864 | 812.31 | 82.61467 " +
			"| NULL\n",
			network.AllGather, 8, 64 << 20, 64 << 20 / 812.31e-6 * 7 / 8},
		"Intel MPI":            {imb("Allreduce"), network.AllReduce, 12, 4 << 20, 4 << 20 / 90e-6 * 22 / 12},
		"Intel MPI, of a rank": {imb("Allgather"), network.AllGather, 12, 48 << 20, 48 << 20 / 90e-6 * 11 / 12},
		"Intel MPI, reduce":    {imb("Reduce"), network.Reduce, 12, 4 << 20, 4 << 20 / 90e-6},
		"Intel MPI, behind others": {imb("PingPong") + strings.Replace(imb("Bcast"), "IMB-MPI1-GPU", "", 1),
			network.Broadcast, 12, 4 << 20, 4 << 20 / 90e-6},
		"Intel MPI, of more and more ranks": {strings.ReplaceAll(imb("Allreduce"), "= 12", "= 2") + imb("Allreduce"),
			network.AllReduce, 12, 4 << 20, 4 << 20 / 90e-6 * 22 / 12},
		"Intel MPI, before others": {imb("Allreduce") + imb("Reduce") + "# Benchmarking Barrier \n# #processes = 12 \n",
			network.AllReduce, 12, 4 << 20, 4 << 20 / 90e-6 * 22 / 12},
		"oneCCL": {"  backend:        sycl\n  sycl_dev_type:  gpu\n# Benchmarking: reduce_scatter \n# " +
			"#processes: 12\n\n" +
			"   #bytes  #repetitions   t_min[usec]   t_max[usec]   t_avg[usec]  stddev[%]\n" +
			"  4194304  16  85.10  99.11  90.00  1.10\n", network.ReduceScatter, 12, 4 << 20,
			4 << 20 / 90e-6 * 11 / 12},
		"UCC": {ucc("Allreduce", "cuda", "447.39"), network.AllReduce, 8, 512 << 20, 512 << 20 / 2100e-6 * 14 / 8},
		"UCC, of each to each, openucx/ucc#223": {ucc("Alltoall", "cuda", "1789.57"), network.AllToAll, 8, 4 << 30,
			4 << 30 / 2100e-6 * 7 / 8},
		"UCC, without bandwidths": {"$ mpirun -np 16 ucc_perftest -c allgather -m cuda\nCollective: Allgather\n" +
			"Memory type: cuda\n       Count        Size                Time, us\n    4194304    16777216     2100.00   " +
			"  2090.00     2120.00\n", network.AllGather, 16, 256 << 20, 256 << 20 / 2100e-6 * 15 / 16},
		"DeepSpeed, of a rank": {"---- Performance of all_gather on 8 devices ----\nSize (Bytes)  Description  " +
			"Duration  Throughput (Gbps)  BusBW (Gbps)\n64.0 MB  33554432x8  2.0 ms  2000.0  1750.0\n",
			network.AllGather, 8, 5e8, 5e8 / 2e-3 * 7 / 8},
		"DeepSpeed": {"---- Performance of all_reduce on 8 devices ----\n" +
			"64.0 MB   8x1   344.91 us   1556.56   2723.97\n1.0 GB  8x1  4.91 ms  1749.64  3061.87\n",
			network.AllReduce, 8, 1 << 30, 1 << 30 / 4.91e-3 * 14 / 8},
		"of a book": {"The average bandwidth of all_reduce over 16 ranks (5 warmups / 20 trials):\n" +
			"| payload |    busbw   |    algbw   |\n|    16MB | 101.33GBps |  54.04GBps |\n", network.AllReduce, 16,
			16 << 20, 54.04e9 * 30 / 16},
	} {
		got, err := ReadTest(c.text)
		if err != nil {
			t.Fatal(name, err)
		}
		best := got.Best()
		if got.Op != c.op || got.Devices != c.devices || got.Assumed || float64(best.Bytes) != c.bytes ||
			math.Abs(best.Bus/c.bus-1) > 1e-9 || got.Cut {
			t.Errorf("%s: %+v, want a bus bandwidth of %v", name, got, c.bus)
		}
	}
	if got, err := ReadTest(osu); err != nil || !got.Assumed || got.Devices != 8 {
		t.Errorf("without a command the ranks are assumed: %+v, %v", got, err)
	}
	if got, err := ReadTest("mpirun -np 2 all_reduce_perf -g 8\n" +
		" 1073741824 268435456 float sum -1 3100 346.37 606.14 0\n"); err != nil || got.Devices != 8 {
		t.Errorf("processes of several devices are no ranks: %+v, %v", got, err)
	}
}

// What would have to be guessed is refused, with what to paste.
func TestReadBriefRefused(t *testing.T) {
	for text, says := range map[string]string{
		"# OSU MPI-CUDA Allgather Latency Test v7.4\n1048576 100.0\n": "paste the command",
		"67108864 | 812.31 | 82.61467 | success\n":                    "paste the command",
		imb("PingPong"): "this is PingPong",
		strings.Replace(imb("Allreduce"), "-GPU", "", 1): "Intel MPI: IMB-MPI1-GPU",
		strings.Replace(osu, "-CUDA", "", 1):             "OSU: -d cuda",
		ucc("Allreduce", "host", "447.39"):               "host’s memory",
		ucc("Barrier", "cuda", "1"):                      "all_reduce_perf",
		"|    Stage     | # iterations |  overhead (usec)  |\n[thread 0]  10000  2.1  0.0  2.1  0.0  45000.00  0  43000": "ucx",
		"[tuning] SMs 24, NVL chunk 20, RDMA chunk 8: 156 GB/s (RDMA), 320 GB/s (NVL)\n":                                 "this is DeepEP",
		"# OSU MPI-CUDA Bi-Directional Bandwidth Test v7.4\n1048576 21034.55\n":                                          "OSU MPI",
	} {
		if got, err := ReadTest(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
}
