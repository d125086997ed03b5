package trace

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/scrap"
)

// The messages of a space, as their writers pack them.
func num(field int, x uint64) string {
	return string(binary.AppendUvarint(binary.AppendUvarint(nil, uint64(field)<<3), x))
}

func pack(field int, inside ...string) string {
	all := strings.Join(inside, "")
	return string(binary.AppendUvarint(binary.AppendUvarint(nil, uint64(field)<<3|2), uint64(len(all)))) + all
}

// spoken are numbers for names, and what is said of the events of a name.
type spoken struct {
	names []string
	about map[string]string
}

func (s *spoken) id(name string) uint64 {
	for i, n := range s.names {
		if n == name {
			return uint64(i + 1)
		}
	}
	s.names = append(s.names, name)
	return uint64(len(s.names))
}

// on is a line of events, each with its name, beginning and duration in microseconds.
func (s *spoken) on(name string, events ...any) string {
	const since = 1_700_000_000_000_000_000 // nanoseconds, as since 1970
	all := []string{num(lineID, 7), pack(lineName, name), num(lineStamp, since)}
	for i := 0; i < len(events); i += 3 {
		all = append(all, pack(lineEvents, num(eventMeta, s.id(events[i].(string))),
			num(eventOffset, uint64(events[i+1].(int))*1e6), num(eventTook, uint64(events[i+2].(int))*1e6)))
	}
	return pack(planeLines, all...)
}

// end is the names, which come behind the events.
func (s *spoken) end() string {
	all := ""
	for i, name := range s.names {
		shown, _, isLine := strings.Cut(strings.TrimPrefix(name, "%"), " = ")
		one := num(metaID, uint64(i+1)) + pack(metaName, name)
		if isLine {
			one += pack(metaShown, shown)
		}
		all += pack(planeEvents, num(1, uint64(i+1)), pack(2, one, s.about[name]))
	}
	for i, name := range []string{"hlo_category", "flops", "bytes_accessed", "convolution fusion"} {
		all += pack(planeStats, num(1, uint64(i+1)), pack(2, num(1, uint64(i+1)), pack(metaName, name)))
	}
	return all
}

func plane1(name string, s *spoken, lines ...string) string {
	return pack(spacePlanes, num(1, 3), pack(planeName, name), strings.Join(lines, ""), s.end())
}

// tpuSpace is the device of TestDevice, beside a host.
func tpuSpace() string {
	const line = "%fusion.1 = f32[8,8]{1,0} fusion(f32[8,8]{1,0} %p), kind=kOutput"
	s := &spoken{about: map[string]string{line: pack(metaStats, num(statMeta, 1), num(statRef, 4)) +
		pack(metaStats, num(statMeta, 2), num(statUint, 1024)) + pack(metaStats, num(statMeta, 3), num(statInt, 512))}}
	device := plane1("/device:TPU:0", s, s.on("Steps", "1", 0, 130), s.on("XLA Modules", "jit_step", 0, 120),
		s.on("XLA Ops", "while.1", 0, 100, line, 0, 40, "all-reduce.2", 40, 20, "fusion.2", 70, 20, "copy.3", 110, 10),
		s.on("Async XLA Ops", "all-gather-start.4", 20, 60))
	h := &spoken{}
	host := plane1("/host:CPU", h, h.on("python", "f", 0, 1000))
	m := &spoken{}
	return host + plane1("/host:metadata", m) + device + pack(4, "host0")
}

func TestXplaneOfTPU(t *testing.T) {
	got := whole(t, tpuSpace())
	if len(got.Devices) != 1 || got.Unread != 0 || got.Hosts || got.Events != 9 {
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
	if d.Name != "TPU 0" || len(got.Steps) != 1 || !near(got.Steps[0], 130*us) {
		t.Errorf("%s, steps %v", d.Name, got.Steps)
	}
	for _, o := range got.Ops {
		if o.Name == "fusion.1" && (o.FLOPs != 1024 || o.Bytes != 512 || o.Kind != "convolution fusion" ||
			!strings.HasPrefix(o.Text, "%fusion.1 = f32")) {
			t.Errorf("%+v", o)
		}
	}
}

// Files of two hosts, one behind the other: each has a device of the same name, with its sparse cores.
func TestXplaneOfHosts(t *testing.T) {
	one := whole(t, tpuSpace())
	both := whole(t, tpuSpace()+tpuSpace())
	if len(one.Devices) == 0 || len(both.Devices) != 2*len(one.Devices) {
		t.Fatalf("%d devices, of both hosts %d", len(one.Devices), len(both.Devices))
	}
	n := len(one.Devices)
	for i, d := range both.Devices {
		want := one.Devices[i%n]
		if i >= n {
			want.Name += " (2)"
		}
		if !reflect.DeepEqual(d, want) {
			t.Errorf("%+v, want %+v", d, want)
		}
	}
}

// GPUs have streams and, made of them, lines of operations: the streams count. Two GPUs are two devices.
func TestXplaneOfGPUs(t *testing.T) {
	space := ""
	for gpu := range 2 {
		s := &spoken{}
		space += plane1(fmt.Sprintf("/device:GPU:%d", gpu), s, s.on("Stream #13(Compute)", "loop_add_fusion", 0, 10,
			"gemm_fusion_dot_3", 10, 30), s.on("Stream #14(MemcpyD2D)", "MemcpyD2D", 60, 20),
			s.on("Stream #15(Compute)", "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
				30, 20),
			s.on("XLA Ops", "fusion", 0, 90), s.on("XLA Modules", "jit_f", 0, 90))
	}
	got := whole(t, space)
	if len(got.Devices) != 2 || got.Devices[1].Name != "GPU 1" {
		t.Fatalf("%+v", got)
	}
	d := got.Devices[0]
	if d.Tracks != 3 || !near(d.Span, 80e-6) || !near(d.Compute, 40e-6) || !near(d.Exposed, 10e-6) ||
		!near(d.Copies, 20e-6) || !near(d.Idle, 10e-6) {
		t.Errorf("%+v", d)
	}
}

// What JAX 0.10.2 recorded of three steps of a matmul on a CPU, as it wrote it in both formats: three runs of its
// fusion, and no call of Python around it.
func TestXplaneOfJAX(t *testing.T) {
	var got [2]*Trace
	for i, name := range []string{"jax-cpu.xplane.pb", "jax-cpu.json"} {
		text, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		got[i] = whole(t, string(text))
	}
	a, b := got[0], got[1]
	if !a.Hosts || !b.Hosts || len(a.Devices) != 1 || a.Unread+b.Unread > 0 || len(a.Ops) != 1 ||
		len(b.Ops) != 1 || a.Ops[0].Times != 3 || len(a.Steps) != 3 || len(b.Steps) != 3 {
		t.Fatalf("%+v and %+v of %d devices: %+v, steps %v and %v", a.Ops, b.Ops, len(a.Devices), a.Faults, a.Steps,
			b.Steps)
	}
	d, e := a.Devices[0], b.Devices[0]
	if d.Name != "/host:CPU" || e.Name != d.Name || d.Tracks != e.Tracks || math.Abs(d.Span-e.Span) > 2e-9 ||
		math.Abs(d.Compute-e.Compute) > 2e-9 {
		t.Errorf("%+v and %+v", d, e)
	}
	times := map[string]float64{}
	for _, o := range a.Ops {
		times[o.Name] = o.Time
	}
	for _, o := range b.Ops { // an instant lasts a picosecond there
		if took, ok := times[o.Name]; !ok && o.Time > 1e-10 || math.Abs(took-o.Time) > 2e-9 {
			t.Errorf("%s takes %v, in the other format %v", o.Name, took, o.Time)
		}
	}
}

// pieces reads a text that comes in pieces of so many bytes.
func pieces(text string, size int) (*Trace, error) {
	r := NewStream()
	for ; len(text) > 0; text = text[min(size, len(text)):] {
		r.Feed(text[:min(size, len(text))])
		for r.Step() {
		}
	}
	for r.Close(); r.Step(); {
	}
	return r.Trace(), r.Err()
}

// A text that comes in pieces says the same as one that is whole.
func TestPieces(t *testing.T) {
	texts := map[string]string{"tpu": tpuSpace(), "summary": whole(t, tpuSpace()).Summary(),
		"events": events(append(named, x(1, "1", 0, 130), x(3, "while.1", 0, 100), x(3, "fusion.1", 0, 40), "{oops",
			x(3, "copy.2", 200, 5))...),
		"cut":  events(append(named, x(3, "fusion.1", 0, 40), x(3, "fusion.2", 60, 40))...)[:500],
		"list": "[" + x(7, "aten::mm", 0, 5) + ",\n" + x(7, "aten::add", 9, 5) + "]"}
	for _, name := range []string{"kineto.json", "jax-cpu.xplane.pb", "jax-cpu.json"} {
		text, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = string(text)
	}
	for name, text := range texts {
		want := whole(t, text)
		for _, size := range []int{1, 7, 100, 4096, 1 << 20} {
			if size == 1 && len(text) > 30_000 {
				continue
			}
			got, err := pieces(text, size)
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s in pieces of %d: %v\n got %+v\nwant %+v", name, size, err, got, want)
			}
		}
	}
	for _, text := range []string{"", "<html>", `{"a":1}`, "\x1f\x8bxxxxxxxxxxxxxxxxxxxxx"} {
		if got, err := pieces(text, 3); err == nil {
			t.Errorf("%q is read: %+v", text, got)
		}
	}
}

// What is cut off or broken gives what is before, and says so.
func TestBrokenXplane(t *testing.T) {
	space := tpuSpace()
	for cut := range len(space) {
		r, err := NewReader(space[:cut])
		if err != nil {
			continue
		}
		for r.Step() {
		}
	}
	if got := whole(t, space[:len(space)-40]); got.Unread == 0 {
		t.Errorf("%+v", got)
	}
}

func FuzzXplane(plain *testing.F) {
	f := scrap.Of(plain)
	f.Add([]byte(tpuSpace()), 7)
	if text, err := os.ReadFile("testdata/jax-cpu.xplane.pb"); err == nil {
		f.Add(text, 1000)
	}
	f.Add([]byte(pack(spacePlanes, pack(planeName, "/device:TPU:0"), pack(planeLines, num(lineStamp, 1<<63)))), 3)
	f.Fuzz(func(t *testing.T, data []byte, size int) {
		text := string(data)
		r, err := NewReader(text)
		if err != nil || !isPlanes(text) {
			return
		}
		for r.Step() {
		}
		for _, d := range r.Trace().Devices {
			if !(d.Span >= 0 && d.Idle >= 0 && d.Unknown >= 0 && d.Exposed > -1e-9 && d.Exposed <= d.Comms+1e-9) {
				t.Errorf("%+v", d)
			}
		}
		got, err := pieces(text, max(1, min(size, 1<<20)))
		if err != nil || !reflect.DeepEqual(got.Devices, r.Trace().Devices) {
			t.Errorf("in pieces: %v, %+v, want %+v", err, got.Devices, r.Trace().Devices)
		}
		if summary := r.Trace().Summary(); again(t, r.Trace()).Summary() != summary {
			t.Errorf("a summary that isn't read as it was written: %s", summary)
		}
	})
}

// What JAX recorded of a program on processors alone: a loop of ten turns, each a product and a sine, and the Python
// and the threads around it. The program's operations are shown, and no call that waits for them.
func TestProgramOnProcessors(t *testing.T) {
	text, err := os.ReadFile("testdata/jax-loop.xplane.pb")
	if err != nil {
		t.Fatal(err)
	}
	got := whole(t, string(text))
	times := map[string]float64{}
	for _, o := range got.Ops {
		times[o.Name] = o.Times
	}
	for name, want := range map[string]float64{"ynn_fusion": 10, "wrapped_sine": 10, "wrapped_add": 10, "while.5": 1} {
		if times[name] != want {
			t.Errorf("%s is run %v times; want %v", name, times[name], want)
		}
	}
	if !got.Hosts || got.Devices[0].Name != "/host:CPU" || len(times) != 6 || len(got.Devices) != 1 ||
		got.Devices[0].Idle > 0.1*got.Devices[0].Span {
		t.Errorf("%+v of %v", got.Devices, times)
	}
}

// The same in Chrome's format, with a step that JAX marks.
func TestProgramOnProcessorsInJSON(t *testing.T) {
	const head = `{"ph":"X","pid":7,"tid":`
	got := whole(t, `{"traceEvents":[{"ph":"M","pid":7,"name":"process_name","args":{"name":"/host:CPU"}},`+
		head+`1,"ts":0,"dur":100,"name":"train","args":{"step_num":"3"}},`+
		head+`1,"ts":5,"dur":90,"name":"$api.py block_until_ready"},`+
		head+`2,"ts":10,"dur":30,"name":"dot.9","args":{"hlo_op":"dot.9"}},`+
		head+`2,"ts":40,"dur":1,"name":"end: dot.9","args":{}},`+
		head+`2,"ts":50,"dur":20,"name":"all-reduce.4","args":{"hlo_op":"all-reduce.4"}}]}`)
	if len(got.Ops) != 2 || got.Ops[0].Name != "dot.9" || len(got.Steps) != 1 ||
		math.Abs(got.Steps[0]-100e-6) > 1e-12 ||
		math.Abs(got.Devices[0].Exposed-20e-6) > 1e-12 {
		t.Errorf("%+v, steps %v, %+v", got.Ops, got.Steps, got.Devices)
	}
}
