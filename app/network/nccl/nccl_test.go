package nccl

import (
	"math"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/network"
	q "github.com/scalebook/scalebook/app/quantity"
)

func node(t *testing.T, id string, devices int) *Setting {
	t.Helper()
	a, err := hardware.Catalog().Get(id)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Node(a)
	if err != nil {
		t.Fatal(err)
	}
	s.Op, s.Devices = network.AllReduce, devices
	return s
}

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if !(math.Abs(got/want-1) <= within) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// TestOneNode holds the shares of the bounds against all-reduces of 8 GiB on some devices of a node (Stas Bekman,
// Machine Learning Engineering, 2026-08): with sums in the switch the bound grows with the devices, as 2 (n-1)/(n+1) W,
// by a ring it does not.
func TestOneNode(t *testing.T) {
	for _, c := range []struct {
		id        string
		n         int
		algorithm Algorithm
		bus       float64
	}{{"gpu.h200", 5, NVLS, 414.2}, {"gpu.h200", 6, NVLS, 435.6}, {"gpu.h200", 7, NVLS, 460}, {"gpu.h200", 8, NVLS,
		482.26},
		{"gpu.h200", 4, Ring, 363.3}, {"gpu.h200", 8, Ring, 367.2}, {"gpu.b200", 6, NVLS, 778.2}, {"gpu.b200", 8, NVLS, 838},
		{"gpu.b200", 4, Ring, 673.2}, {"gpu.b200", 8, Ring, 682.2}, {"gpu.h100", 8, NVLS, 480}, {"gpu.h100", 8, Ring, 370}} {
		s := node(t, c.id, c.n)
		s.Algorithm = c.algorithm
		near(t, c.id+" "+string(c.algorithm), Of(s).Reached()/1e9, c.bus, 0.02)
	}
	s := node(t, "gpu.h100", 8)
	s.Algorithm = NVLS
	near(t, "the bound with sums in the switch", Of(s).Bound, 700e9, 1e-12)
	if l := Of(node(t, "gpu.h100", 8)); l.Algorithm != NVLS {
		t.Errorf("NCCL chooses %s on eight H100s", l.Algorithm)
	}
	if l := Of(node(t, "gpu.a100", 8)); l.Algorithm != Ring {
		t.Errorf("NCCL chooses %s on eight A100s, whose switches don't add", l.Algorithm)
	}
}

// TestNodes: what a node's network binds, by algorithm.
func TestNodes(t *testing.T) {
	s := node(t, "gpu.h100", 32)
	s.Nodes, s.Wire, s.Egress = 4, 100e9, 450e9
	for a, bound := range map[Algorithm]float64{Ring: 100e9, Tree: 100e9 * 31 / 32, NVLS: 100e9 * 31 / 32,
		Sharp: 2 * 100e9 * 31 / 32} {
		s.Algorithm = a
		l := Of(s)
		near(t, string(a), l.Bound, bound, 1e-12)
		if !l.Wired {
			t.Errorf("%s is not bound by the network", a)
		}
	}
	s.Devices, s.Nodes, s.Algorithm = 16, 2, Tree
	near(t, "trees of two nodes", Of(s).Bound, 2*100e9*15/16, 1e-12)
	s.Op, s.Algorithm = network.AllGather, Ring
	near(t, "an all-gather", Of(s).Bound, 100e9, 1e-12)
	if s.Can(Tree) || s.Can(NVLS) || !s.Can(Ring) {
		t.Error("an all-gather goes by rings")
	}
}

// TestTime: a start, the bytes at the rate reached, and the steps between.
func TestTime(t *testing.T) {
	s := node(t, "gpu.h100", 8)
	s.Algorithm = Ring
	s.Reached = &Constants{Ring: 0.8, Start: 1e-5, Fill: 1e-6, Far: 2e-5, FarFill: 3e-6, Wire: 1}
	bytes := 1.75 * 1e9 / (0.8 * 450e9)
	l := Of(s)
	near(t, "one node", float64(l.Time(1e9)), 1e-5+bytes+2*math.Sqrt(1e-6*bytes), 1e-9)
	near(t, "its bus bandwidth", l.Bus(1e9), 1.75*1e9/float64(l.Time(q.Bytes(1e9))), 1e-12)
	s.Devices, s.Nodes, s.Wire = 32, 4, 1e15
	l = Of(s)
	near(t, "the start of four nodes", float64(l.Start), 1e-5+2e-5*3, 1e-9)
	near(t, "their steps", float64(l.Fill), 1e-6+2*3e-6, 1e-9)
	for op, want := range map[network.Op]float64{network.AllReduce: 1.75, network.AllGather: 0.875,
		network.ReduceScatter: 0.875, network.AllToAll: 0.875, network.Broadcast: 1} {
		near(t, op.String(), BusFactor(op, 8), want, 1e-12)
	}
}

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

// TestDomains: a rack of trays is one group of links, as many as its trays are.
func TestDomains(t *testing.T) {
	for _, c := range [][4]int{{8, 1, 8, 1}, {32, 4, 8, 4}, {8, 2, 8, 2}, {72, 18, 72, 1}, {144, 36, 72, 2},
		{16, 4, 72, 1}, {2, 1, 1, 1}} {
		if got := Domains(c[0], c[1], c[2]); got != c[3] {
			t.Errorf("%d on %d hosts, %d a group: %d, want %d", c[0], c[1], c[2], got, c[3])
		}
	}
}

// TestReadTest reads what the tests print, by launchers with words before each line, and cut.
func TestReadTest(t *testing.T) {
	for name, text := range map[string]string{"plain": table, "windows": strings.ReplaceAll(table, "\n", "\r\n"),
		"kubectl": "[pod/nccl-test-launcher-x7k2p/launcher] " + strings.ReplaceAll(table, "\n",
			"\n[pod/nccl-test-launcher-x7k2p/launcher] "), "times": "2026-05-01T10:00:00.123Z " + strings.ReplaceAll(table,
			"\n", "\n2026-05-01T10:00:00.123Z "), "two tests": table + strings.ReplaceAll(table, "all_reduce", "all_gather"),
		"srun": "0: " + strings.ReplaceAll(table, "\n", "\n0: "), "mpirun": "[1,0]<stdout>:" +
			strings.ReplaceAll(table, "\n", "\n[1,0]<stdout>:")} {
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
		"'out of memory'\n .. node-a pid 4242: " +
		"Test failure common.cu:1045\n")
	if err == nil || !strings.Contains(err.Error(), "Test CUDA failure") {
		t.Errorf("a test that failed: %v", err)
	}
	for _, test := range []string{"sendrecv_perf", "gather_perf"} { // all_gather_perf is another one
		if _, err := ReadTest(strings.ReplaceAll(table, "all_reduce_perf", test)); err == nil ||
			!strings.Contains(err.Error(), test) {
			t.Errorf("%s: %v", test, err)
		}
	}
	for _, text := range []string{"", "hello", "# only a head", "1 2 3", "8 2 float sum -1 x y z 0"} {
		if _, err := ReadTest(text); err == nil || !strings.Contains(err.Error(), "nccl-tests") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// FuzzReadTest: whatever a text holds, its numbers are numbers.
func FuzzReadTest(f *testing.F) {
	f.Add(table)
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
