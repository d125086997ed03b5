package trace

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/scrap"
)

// whole reads a text to its end.
func whole(t *testing.T, text string) *Trace {
	t.Helper()
	r, err := NewReader(text)
	if err != nil {
		t.Fatal(err)
	}
	for last := 0.0; r.Step(); last = r.Done() {
		if d := r.Done(); !(d >= 0 && d <= 1) || d < last-1e-9 {
			t.Fatalf("done %v after %v", d, last)
		}
	}
	return r.Trace()
}

// events is a trace of some, without its head.
func events(all ...string) string { return `{"traceEvents":[` + strings.Join(all, ",\n") + "]}" }

// x is an event on a device's track.
func x(track int, name string, from, took float64) string {
	return fmt.Sprintf(`{"ph":"X","pid":1,"tid":%d,"name":%q,"ts":%g,"dur":%g}`, track, name, from, took)
}

// named are the tracks of a TPU.
var named = []string{
	`{"ph":"M","pid":1,"name":"process_name","args":{"name":"/device:TPU:0"}}`,
	`{"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":"Steps"}}`,
	`{"ph":"M","pid":1,"tid":2,"name":"thread_name","args":{"name":"XLA Modules"}}`,
	`{"ph":"M","pid":1,"tid":3,"name":"thread_name","args":{"name":"XLA Ops"}}`,
	`{"ph":"M","pid":1,"tid":4,"name":"thread_name","args":{"name":"Async XLA Ops"}}`,
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-12 }

// A loop of 100 us in which 60 are computed and 20 sent; beside them a gather of 50, of which 30 are covered; then a
// copy. Counted by hand.
func TestDevice(t *testing.T) {
	got := whole(t, events(append(named, x(1, "1", 0, 130), x(2, "jit_step", 0, 120), x(3, "while.1", 0, 100),
		x(3, "fusion.1", 0, 40), x(3, "all-reduce.2", 40, 20), x(3, "fusion.2", 70, 20), x(3, "copy.3", 110, 10),
		x(4, "all-gather-start.4", 20, 60))...))
	if len(got.Devices) != 1 || got.Unread != 0 {
		t.Fatalf("%+v", got)
	}
	d := got.Devices[0]
	const us = 1e-6
	for name, v := range map[string][2]float64{"span": {d.Span, 120 * us}, "compute": {d.Compute, 60 * us},
		"comms": {d.Comms, 60 * us}, "exposed": {d.Exposed, 30 * us}, "copies": {d.Copies, 10 * us},
		"idle": {d.Idle, 20 * us}} {
		if !near(v[0], v[1]) {
			t.Errorf("%s: %v, want %v", name, v[0], v[1])
		}
	}
	if d.Name != "TPU 0" || d.Tracks != 2 || len(got.Steps) != 1 || !near(got.Steps[0], 130*us) {
		t.Errorf("%s, %d tracks, steps %v", d.Name, d.Tracks, got.Steps)
	}
	if first := got.Ops[0]; first.Name != "all-gather-start.4" || !near(first.Time, 60*us) {
		t.Errorf("the longest is %+v", first)
	}
	for _, o := range got.Ops {
		if o.Name == "while.1" && (!near(o.Time, 20*us) || o.Class != Holds) {
			t.Errorf("%+v", o)
		}
	}
}

// Where a trace's clock has its zero changes nothing: all may be before it.
func TestClockUnits(t *testing.T) {
	at := func(zero float64) Device {
		return whole(t, events(append(named, x(3, "fusion.1", zero, 40), x(3, "all-reduce.2", zero+50, 20),
			x(3, "copy.3", zero+80, 10))...)).Devices[0]
	}
	want := at(0)
	for _, zero := range []float64{-5000, -90.5, -60.25, -50, 1000} {
		for i, pair := range [][2]float64{{at(zero).Span, want.Span}, {at(zero).Compute, want.Compute},
			{at(zero).Exposed, want.Exposed}, {at(zero).Copies, want.Copies}, {at(zero).Idle, want.Idle}} {
			if !near(pair[0], pair[1]) {
				t.Errorf("at %v: the %d. is %v, want %v", zero, i+1, pair[0], pair[1])
			}
		}
	}
}

// What a library of PyTorch recorded on an H100, shortened: github.com/pytorch/kineto,
// docs/traces/after_fix_trace.json.
func TestKineto(t *testing.T) {
	text, err := os.ReadFile("testdata/kineto.json")
	if err != nil {
		t.Fatal(err)
	}
	got := whole(t, string(text))
	if len(got.Devices) != 1 || got.Devices[0].Name != "GPU 0" || len(got.Ops) != 1 || got.Unread > 0 {
		t.Fatalf("%+v", got)
	}
	if d, o := got.Devices[0], got.Ops[0]; math.Abs(d.Unknown-0.02e-6) > 1e-9 || o.Name != "Kernel" || o.Times != 1 {
		t.Errorf("%+v, %+v", d, o)
	}
}

// What JAX says of an operation comes with it, numbers in quotes too.
func TestAbout(t *testing.T) {
	got := whole(t, events(append(named, `{"ph":"X","pid":1,"tid":3,"name":"fusion","ts":1,"dur":2,"args":`+
		`{"hlo_category":"convolution fusion","model_flops":"128","raw_bytes_accessed":"64","long_name":`+
		`"%fusion = f32[8]{0} fusion(f32[8]{0} %p), metadata={op_name=\"a\/b\"}"}}`)...))
	o := got.Ops[0]
	if o.FLOPs != 128 || o.Bytes != 64 || o.Kind != "convolution fusion" ||
		!strings.HasSuffix(o.Text, `op_name="a/b"}`) {
		t.Errorf("%+v", o)
	}
}

func TestClasses(t *testing.T) {
	for name, want := range map[string]Class{"ncclDevKernel_AllReduce_Sum_bf16_RING_LL": Comms, "all-gather.3": Comms,
		"Memcpy DtoD (Device -> Device)": Copy, "Memcpy PtoP (Device -> Device)": Comms, "copy.7": Copy,
		"while.2": Holds, "fusion.3": Compute, "psum.7": Comms, "pmax.1": Comms, "ppermute.3": Comms,
		"all_to_all.10": Comms, "reduce_scatter.7": Comms, "dot_general.2": Compute, "dynamic_update_slice.0": Compute,
		"psum_of_my_own.2": Unknown, "all_gather_gemm_kernel": Compute, "void cutlass::Kernel2<x>": Compute,
		"collective-permute-done": Comms, "callback": Unknown,
		"[CUDA memcpy Host-to-Device]": Copy, "[CUDA memset]": Copy, "memory_efficient_thing (x)": Unknown} {
		if got := newReader().classify(name, "", "").class; got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

func TestShort(t *testing.T) {
	for name, want := range map[string]string{"fusion.3": "fusion.3", "void f<g(int)>(h)": "f<g(int)>",
		"void at::native::elementwise_kernel<4, at::native::AddFunctor<float> >(int, float)": "elementwise_kernel<4, " +
			"AddFunctor<float> >",
		"void cutlass::device_kernel<flash::enable_sm90_or_later<flash::FlashBwd<a<2>, 1> > >(P)": "flash::FlashBwd<a<2>, 1>",
		"void ck_tile::kentry<256, 2, ck_tile::FmhaFwdKernel<x> >(y)":                             "ck_tile::FmhaFwdKernel<x>",
		"void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_256x128_32x3_tn_align8>(P)": "cutlass_80_" +
			"tensorop_bf16_s16816gemm_relu_bf16_256x128_32x3_tn_align8",
		"void at::native::(anonymous namespace)::f<x>": "f<x>", "void ": "void ", "void )(><": ")"} {
		if got := (&Spent{Name: name}).Short(); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// A trace without devices shows the busiest process.
func TestHosts(t *testing.T) {
	got := whole(t, `[`+x(7, "step", 0, 10)+`,{"ph":"X","pid":2,"tid":1,"name":"other","ts":0,"dur":3}]`)
	if !got.Hosts || len(got.Devices) != 1 || !near(got.Devices[0].Span, 10e-6) {
		t.Errorf("%+v", got)
	}
}

// What begins and ends in two events counts as what does so in one: here twice the same, an operation within another.
func TestPairs(t *testing.T) {
	be := func(phase string, track int, name string, at float64) string {
		return fmt.Sprintf(`{"ph":%q,"pid":1,"tid":%d,"name":%q,"ts":%g}`, phase, track, name, at)
	}
	pairs := whole(t, events(append(named, be("B", 3, "while.1", 0), be("B", 3, "fusion.1", 10),
		be("B", 4, "copy.2", 20), be("E", 3, "", 50), be("E", 3, "while.1", 100), be("E", 4, "", 60))...))
	single := whole(t, events(append(named, x(3, "while.1", 0, 100), x(3, "fusion.1", 10, 40),
		x(4, "copy.2", 20, 40))...))
	if pairs.Alone != 0 || len(pairs.Devices) != 1 || fmt.Sprint(pairs.Devices) != fmt.Sprint(single.Devices) ||
		fmt.Sprint(pairs.Ops) != fmt.Sprint(single.Ops) {
		t.Errorf("%+v\nand\n%+v", pairs, single)
	}
	left := whole(t, events(append(named, be("E", 3, "", 5), be("B", 3, "fusion.1", 10), be("B", 3, "fusion.2", 20),
		be("E", 3, "", 30), `{"ph":"b","id":1,"pid":1,"name":"a","ts":1}`,
		`{"ph":"e","id":1,"pid":1,"name":"a","ts":2}`)...))
	if left.Alone != 2 || left.Async != 1 || len(left.Ops) != 1 || left.Ops[0].Name != "fusion.2" {
		t.Errorf("%+v", left)
	}
}

// A kernel that names no process runs on the device that it names; an event without a phase is no event.
func TestSparse(t *testing.T) {
	kernel := `{"ph":"X","cat":"kernel","name":"k","tid":7,"ts":%d,"dur":5,"args":{"device":%d}}`
	got := whole(t, events(fmt.Sprintf(kernel, 0, 0), fmt.Sprintf(kernel, 10, 1), `{"cat":"cpu_op","name":"aten::mm"}`))
	if len(got.Devices) != 2 || got.Devices[1].Name != "GPU 1" || got.Unread != 1 {
		t.Errorf("%+v", got)
	}
}

// A list of any length and order is sorted in short steps, and equal entries stay in their order.
func TestSorter(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, 4096, 4097, 20_487, 100_000} {
		list := make([]event, n)
		for i := range list {
			list[i] = event{op: int32(i), start: float64(i * 7919 % 101)}
		}
		s, steps := sorting(n, func(i, j int32) int { return sooner(&list[i], &list[j]) }), 0
		for s.step() {
			steps++
		}
		sorted := inOrder(list, s)
		if len(sorted) != n || steps > 40+18*n/moves {
			t.Fatalf("%d entries: %d after %d steps", n, len(sorted), steps)
		}
		for i := 1; i < n; i++ {
			if a, b := sorted[i-1], sorted[i]; a.start > b.start || a.start == b.start && a.op >= b.op {
				t.Fatalf("%d entries: %v before %v", n, a, b)
			}
		}
	}
}

func TestHostile(t *testing.T) {
	one := x(3, "fusion.1", 0, 40)
	whole := func(t *testing.T, text string) {
		r, err := NewReader(text)
		if err != nil {
			t.Log(err)
			return
		}
		for r.Step() {
		}
		if r.Err() != nil {
			t.Log(r.Err())
		}
		t.Log(len(r.Trace().Devices), "devices,", r.Trace().Unread, "unread")
		for i, f := range r.Trace().Faults {
			if i < 3 {
				t.Log(f.Line, r.Trace().What(f))
			}
		}
	}
	long := 1 << 20
	if testing.Short() {
		long /= 8
	}
	for name, text := range map[string]string{
		"empty": "", "a page": "<html>", "half": events(append(named, one, one)...)[:400], "no list": `{"a":1}`,
		"quotes":    `{"traceEvents":[` + strings.Repeat(`{"`, long),
		"brackets":  `{"traceEvents":` + strings.Repeat("[", long),
		"deep":      `{"traceEvents":[{"args":` + strings.Repeat(`{"a":`, long),
		"markup":    events(x(3, "<script>", 0, 1)),
		"a million": events(append(named, strings.Repeat(one+",\n", long)+one)...),
		"broken":    events(append(named, strings.Repeat(`{"ph":"X","name":oops,,"ts":1},`+"\n", long/10)+one)...),
		"elided":    `{"traceEvents":[{"ph":"X","args":{"a":{}, ... }},` + one + "]}",
		"times": events(append(named, `{"ph":"X","pid":1,"tid":3,"name":"a","ts":1e300,"dur":1e300}`,
			`{"ph":"X","pid":1,"tid":3,"name":"b","ts":-5,"dur":-5}`, one)...),
		"ph only": `{"traceEvents":[` + strings.Repeat(`"ph"`, long/2),
	} {
		t.Run(name, func(t *testing.T) { whole(t, text) })
	}
}

func FuzzTrace(plain *testing.F) {
	f := scrap.Of(plain)
	f.Add(events(append(named, x(3, "fusion.1", 0, 40), x(4, "all-gather", 3, 4))...))
	if text, err := os.ReadFile("testdata/kineto.json"); err == nil {
		f.Add(string(text))
	}
	for _, text := range sumTables {
		f.Add(text)
	}
	f.Add("Start (ns),Duration (ns),Device,Name\n9,\"1,\"\",7\n-5,2,x (0),y\n,,,\n")
	f.Add(`{"traceSummary":1,"crowded":2,"events":5,"devices":[{"name":"a","span":1}],` +
		`"ops":[{"name":"b","times":1,"time":2}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		r, err := NewReader(text)
		if err != nil {
			return
		}
		for r.Step() {
		}
		for _, d := range r.Trace().Devices {
			if !isSummary(text) && !(d.Span >= 0 && d.Idle >= 0 && d.Exposed > -1e-9 && d.Exposed <= d.Comms+1e-9) {
				t.Errorf("%+v", d)
			}
		}
		if summary := r.Trace().Summary(); again(t, r.Trace()).Summary() != summary {
			t.Errorf("a summary that isn't read as it was written: %s", summary)
		}
	})
}

// Files of other profilers are named for what they are, by their first bytes (of published ones), and what to do
// instead; a profile of memory is no space of planes.
func TestOtherFiles(t *testing.T) {
	for begin, want := range map[string]string{
		"NVIDIA Tegra Profiler Report 1.\n\x0bLocal (CLI)\x12\n": "nsys stats",
		"NVR\x00\x02\x00\x00\x00\b\az#\x00\x00\b\x00":            "Nsight Compute",
		"PK\x03\x04\x14\x00\x00\x00\b\x00":                       "zip archive",
		"\x89PNG\r\n\x1a\n":                                      "a picture or a PDF",
		"\xff\xd8\xff\xe0\x00\x10JFIF":                           "a picture or a PDF",
		"%PDF-1.7\n%\xe2\xe3":                                    "a picture or a PDF",
		"\x28\xb5\x2f\xfd\x04\x00":                               "zstd",
		"\xfd7zXZ\x00":                                           "zstd, xz",
		"\n\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\x06\b\x02\x12\n/device:TPU:0\x1a\xef\xbf\xbd4": "changed on the way",
		"SQLite format 3\x00\x10\x00\x01\x01": "database of Nsight " +
			"Systems",
		"\x1f\x8b\b\x00\x00": "end in .gz",
		// pprof: allocations, count
		"\n\x04\b\x01\x10\x02\x12\x06\b\x01\x10\x02\x10\x03":                "Chrome’s format",
		strings.Repeat("\n\x07\x40\x05\x50\x01\x5a\x01\x00", 5):             "traceconv json",
		`{"$schema": "https://www.speedscope.app/file-format-schema.json"}`: "profile of the host",
		"\"ID\",\"Process ID\",\"Process Name\",\"Host Name\"":              "Chrome’s format",
		"\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\"":            "Nsight Compute",
		"Time (%),Total Time (ns),Num Calls,Avg (ns),Name\n":                "table of Nsight",
		"[1,0]<stdout>:# nThread 1 nGpus 8 minBytes 8 maxBytes 9":           "nccl-tests",
		"[pod/a/main] hello": "is no trace",
		"{\"Type\":79,\"CudaEvent\":{\"startNs\":\"100\"}}\n": "nsys stats",
		"{\"rocprofiler-sdk-tool\":[]}":                       "output of rocprof",
		"Time (%),Total Time (ns),Num Calls,Name\n":           "those of kernels",
		"{\"hidden_size\":4096,\"num_hidden_layers\":32}":     "config.json",
		"-------  ----\n   Name    Self CPU %   Self CUDA\n":  "table of sums",
	} {
		for _, rest := range []string{"", strings.Repeat("\x00", 300)} {
			r, err := NewReader(begin + rest)
			for err == nil && r.Step() {
			}
			if err == nil {
				err = r.Err()
			}
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%q: %v; want %q", begin, err, want)
			}
		}
	}
}

// Events that stand alone, one to a line, are those of a list; of several documents each has devices of its own, which
// bear the ranks of the later ones.
func TestSeveralDocuments(t *testing.T) {
	event := func(pid, at, took string) string {
		return `{"ph":"X","cat":"kernel","name":"gemm","pid":` + pid + `,"tid":7,"ts":` + at + `,"dur":` + took +
			`,"args":{"device":` + pid + `}}`
	}
	document := func(rank, pid string) string {
		return `{"distributedInfo":{"backend":"nccl","rank":` + rank + `},"traceEvents":[` +
			event(pid, "100", "50") + "," + event(pid, "200", "100") + `]}`
	}
	lines := event("0", "100", "50") + "\n" + event("0", "200", "100")
	bare := `{"traceEvents":[` + event("0", "100", "50") + `]}`
	last := func(rank string) string { // as tools write it that put the events first
		return strings.TrimSuffix(bare, "}") + `,"distributedInfo":{"rank":` + rank + `}}`
	}
	tpu := `{"traceEvents":[{"ph":"M","name":"process_name","pid":3,"args":{"name":"/device:TPU:0"}},` +
		`{"ph":"X","name":"fusion.1","pid":3,"tid":1,"ts":0,"dur":200}]}`
	for text, want := range map[string]string{
		lines:        "GPU 0 200",
		lines + "\n": "GPU 0 200",
		document("0", "0") + "\n" + document("1", "1"):               "GPU 0 200; GPU 1, rank 1 200",
		document("3", "0") + document("4", "0") + document("5", "0"): "GPU 0 200; GPU 0, rank 4 200; GPU 0, rank 5 200",
		bare + "\n\n" + bare:         "GPU 0 50; GPU 0, file 2 50",
		last("3") + "\n" + last("4"): "GPU 0 50; GPU 0, file 2 50",
		tpu + "\n" + strings.ReplaceAll(tpu, `"dur":200`, `"dur":70`) + "\n": "TPU 0 200; TPU 0, file 2 70",
	} {
		r, err := NewReader(text)
		if err != nil {
			t.Fatal(err)
		}
		stream := NewStream()
		for i := range len(text) {
			for stream.Feed(text[i : i+1]); stream.Step(); {
			}
		}
		stream.Close()
		for _, r := range []*Reader{r, stream} {
			for r.Step() {
			}
			var got []string
			for _, d := range r.Trace().Devices {
				got = append(got, fmt.Sprintf("%s %.0f", d.Name, d.Span*1e6))
			}
			if s := strings.Join(got, "; "); s != want || r.Trace().Unread > 0 {
				t.Errorf("%.60s: %s, %d not read; want %s", text, s, r.Trace().Unread, want)
			}
		}
	}
}
