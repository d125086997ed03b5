package trace

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

func TestDeviceOf(t *testing.T) {
	for label, want := range map[string]string{"GPU 0": "GPU 0", "GPU0": "GPU0", "6 GPU0": "GPU0", "TPU 3": "TPU 3",
		"XPU 3": "XPU 3", "MTIA 1": "MTIA 1", "HPU 0": "HPU 0", "NPU": "NPU", "Device 0": "Device 0",
		"/device:TPU:0": "TPU 0", "/device:GPU:7": "GPU 7", "/device:TPU:0 SparseCore 1": "TPU 0 SparseCore 1",
		"/job:a/task:0/device:GPU:1/stream:13 Compute": "GPU 1", "/job:a/task:0/device:GPU:1 Compute": "GPU 1",
		"/device:CUSTOM:Megascale Trace": "", "/device:CPU:0": "", "CPU": "", "python": "", "/host:CPU": "",
		"Host 0":  "",
		"devices": "", "Device": "", "GPUtil": "", "701": "", "": "", "GPU monitor": ""} {
		if got := deviceOf(label); got != want {
			t.Errorf("%q: %q, want %q", label, got, want)
		}
	}
}

// Devices are what the recorder says they are, and hosts are never shown in their place.
func TestLabels(t *testing.T) {
	meta := func(pid any, what, key, label string) string {
		return fmt.Sprintf(`{"ph":"M","pid":%v,"name":%q,"args":{%q:%q}}`, pid, what, key, label)
	}
	label := func(pid int, label string) string { return meta(pid, "process_labels", "labels", label) }
	name := func(pid int, label string) string { return meta(pid, "process_name", "name", label) }
	at := func(pid any, tid, cat, name string, from, took float64) string {
		return fmt.Sprintf(`{"ph":"X","pid":%v,"tid":%q,"cat":%q,"name":%q,"ts":%g,"dur":%g}`,
			pid, tid, cat, name, from, took)
	}
	const job = "/job:localhost/replica:0/task:0"
	host := at(900, "1", "cpu_op", "aten::mm", 0, 900)
	for _, c := range []struct {
		what       string
		events     []string
		device     string
		span, busy float64 // microseconds
	}{
		{"a label without a category of kernels", []string{label(900, "CPU"), label(3, "XPU 3"), host,
			at(3, "7", "device_event", "gemm", 100, 300), at(3, "7", "device_event", "gemm", 700, 200)}, "XPU 3", 800,
			500},
		{"calls of the host on the device's process", []string{label(17, "MTIA 17"), name(17, "MTIA 17"),
			at(17, "1", "mtia_ccp_events", "pe_exe", 100, 300), at(17, "2", "mtia_runtime", "synchronize", 0, 900),
			host}, "MTIA 17", 300, 300},
		{"the label comes last", []string{host, at(3, "7", "", "fc", 100, 300), label(3, "MTIA 0"), name(3, "python")},
			"MTIA 0", 300, 300},
		{"a process whose name says it", []string{name(6, "6 GPU0"), name(2, "2 CPU HIP API"),
			at(2, "1", "", "hipMalloc", 0, 900), at(6, "0", "", "Cijk_Alik_Bljk", 10, 20)}, "GPU0", 20, 20},
		{"a process that is called so by its number", []string{at(`"Host 0"`, "NVTX 9", "nvtx", "step", 0, 900),
			at(`"Device 0"`, "Stream 7", "cuda", "nvjet_x", 10, 20),
			at(`"Device 0"`, "NVTX Kernel", "nvtx-kernel", "step", 0, 90)},
			"Device 0", 20, 20},
		{"marks on the device", []string{label(0, "GPU 0"), at(0, "stream 7", "kernel", "nvjet_x", 10, 20),
			at(0, "stream 7", "gpu_user_annotation", "ProfilerStep#3", 0, 900), host}, "GPU 0", 20, 20},
		{"kernels without any label", []string{host, at(2, "7", "kernel", "nvjet_x", 10, 20)}, "GPU 2", 20, 20},
		{"a network that is no device", []string{name(5, "/device:CUSTOM:Megascale Trace"),
			at(5, "1", "", "dcn", 0, 900), name(1, "/device:TPU:0"),
			`{"ph":"M","pid":1,"tid":"3","name":"thread_name","args":{"name":"XLA Ops"}}`,
			at(1, "3", "", "fusion.2", 0, 20)}, "TPU 0", 20, 20},
		{"only modules", []string{name(1, "/device:TPU:0"),
			`{"ph":"M","pid":1,"tid":"3","name":"thread_name","args":{"name":"XLA Modules"}}`,
			at(1, "3", "", "jit_step(123)", 0, 20), host}, "TPU 0", 20, 20},
		{"a process for each stream of a device, and one of all", []string{
			name(1, job+"/device:GPU:0/stream:all Compute"),
			name(2, job+"/device:GPU:0/stream:13 Compute"), name(3, job+"/device:GPU:0/stream:14 Compute"),
			name(4, job+"/device:GPU:0 Compute"), name(5, job+"/device:CPU:0 Compute"),
			at(1, "0", "Op", "MatMul", 0, 50), at(1, "0", "Op", "Relu", 90, 10), at(2, "0", "Op", "MatMul", 0, 50),
			at(3, "0", "Op", "Relu", 90, 10), at(4, "0", "Op", "MatMul", 0, 900), at(5, "0", "Op", "Const", 0, 900)},
			"GPU 0", 100, 60},
		{"the functions of PyTorch's older profiler", []string{
			at(`"CPU functions"`, "1", "", "aten::mm", 0, 900),
			at(`"CUDA functions"`, "3", "", "volta_sgemm_128x64_nn", 10, 20)}, "GPU 3", 20, 20},
		{"events of the host before and after", []string{host, at(900, "1", "cpu_op", "aten::add", 1000, 900),
			at(0, "7", "kernel", "nvjet_x", 10, 20), host}, "GPU 0", 20, 20},
	} {
		got := whole(t, events(c.events...))
		if got.Hosts || len(got.Devices) != 1 || got.Devices[0].Name != c.device || got.Unread > 0 {
			t.Errorf("%s: %+v", c.what, got)
			continue
		}
		if d := got.Devices[0]; !near(d.Span, c.span*1e-6) || !near(d.Span-d.Idle, c.busy*1e-6) {
			t.Errorf("%s: %+v", c.what, d)
		}
	}
}

// Devices that are called the same bear their processes, as those of several ranks whose traces somebody made one.
func TestDevicesOfOneName(t *testing.T) {
	var all []string
	for _, pid := range []string{`1000`, `"rank 1"`} {
		all = append(all, `{"ph":"M","pid":`+pid+`,"name":"process_labels","args":{"labels":"GPU 0"}}`,
			`{"ph":"X","pid":`+pid+`,"tid":7,"cat":"kernel","name":"gemm","ts":0,"dur":20,"args":{"device":0}}`)
	}
	got := whole(t, events(all...)).Devices
	if len(got) != 2 || got[0].Name != "GPU 0, process 1000" || got[1].Name != "GPU 0, process rank 1" {
		t.Errorf("%+v", got)
	}
}

// JAX can make several devices of a CPU: each counts by itself, without the calls around it.
func TestDevicesOfCPU(t *testing.T) {
	run := func(device, at int, name string) string {
		return fmt.Sprintf(`{"ph":"X","pid":701,"tid":"5","name":%q,"ts":%d,"dur":20,`+
			`"args":{"device_ordinal":"%d","hlo_op":"x"}}`,
			name, at, device)
	}
	got := whole(t, events(`{"ph":"M","pid":701,"name":"process_name","args":{"name":"/host:CPU"}}`,
		`{"ph":"X","pid":701,"tid":"9","name":"PjitFunction(f)","ts":0,"dur":900}`, run(3, 10, "dot.1"),
		run(4, 40, "dot.1"),
		run(4, 80, "add.2"), run(3, 40, "end: dot.1")))
	if got.Hosts || len(got.Devices) != 2 || got.Devices[0].Name != "Device 3" || got.Devices[1].Name != "Device 4" {
		t.Fatalf("%+v", got)
	}
	if a, b := got.Devices[0], got.Devices[1]; !near(a.Span, 20e-6) || !near(b.Span, 60e-6) || !near(b.Idle, 20e-6) {
		t.Errorf("%+v, %+v", a, b)
	}
}

// What PyTorch says of the devices before the events is what they are called; labels of devices that did nothing do
// not make devices.
func TestProperties(t *testing.T) {
	head := `{"schemaVersion":1,"deviceProperties":[{"id":0,"name":"NVIDIA H100 80GB HBM3","totalGlobalMem":84942979072,` +
		`"maxGridSize":[1,2]},{"id":1,"name":"NVIDIA H100 80GB HBM3"}],"traceEvents":[`
	labels := `{"ph":"M","pid":0,"name":"process_labels","args":{"labels":"GPU 0"}},` +
		`{"ph":"M","pid":1,"name":"process_labels","args":{"labels":"GPU 1"}},`
	got := whole(t, head+labels+`{"ph":"X","cat":"kernel","pid":0,"tid":7,"name":"nvjet_x","ts":1,"dur":2}]}`)
	if got.Card != "NVIDIA H100 80GB HBM3" || len(got.Devices) != 1 {
		t.Errorf("%q, %+v", got.Card, got.Devices)
	}
	const event = `{"ph":"X","cat":"kernel","pid":0,"tid":7,"name":"nvjet_x","ts":1,"dur":2}]`
	behind := `{"traceEvents":[` + event + `,"deviceProperties":[{"id":0,"name":"NVIDIA H20"}],"schemaVersion":1}`
	if got = whole(t, behind); got.Card != "NVIDIA H20" || got.Unread > 0 {
		t.Errorf("behind the events: %q, %+v", got.Card, got.Faults)
	}
	r := NewStream()
	for _, piece := range []string{behind[:70], behind[70:140], behind[140:]} {
		r.Feed(piece)
		for r.Step() {
		}
	}
	r.Close()
	for r.Step() {
	}
	if got = r.Trace(); got.Card != "NVIDIA H20" || len(got.Devices) != 1 {
		t.Errorf("behind the events, in pieces: %q, %+v", got.Card, got.Devices)
	}
	other := strings.Replace(head, "H100", "A100", 1)
	got = whole(t, other+`{"ph":"X","cat":"kernel","pid":0,"tid":7,"name":"nvjet_x","ts":1,"dur":2}]}`)
	if got.Card != "" {
		t.Errorf("%q", got.Card)
	}
}

// Moments that are counted from 1970 keep their nanoseconds.
func TestMoments(t *testing.T) {
	got := whole(t, `[{"ph":"X","cat":"kernel","pid":0,"tid":7,"name":"nvjet_x","ts":1700000000000000.125,"dur":0.5},`+
		`{"ph":"X","cat":"kernel","pid":0,"tid":7,"name":"nvjet_x","ts":1700000000000001.125,"dur":0.5},`+
		`{"ph":"X","cat":"kernel","pid":0,"tid":7,"name":"nvjet_x","ts":1699999999999999.875,"dur":0.5}]`)
	if d := got.Devices[0]; !near(d.Span, 1.75e-6) || !near(d.Idle, 0.5e-6) {
		t.Errorf("%+v", d)
	}
}

// What no rule knows has a share of its own; nothing else counts it.
func TestUnknownShare(t *testing.T) {
	k := func(tid int, name string, from, took float64) string {
		return fmt.Sprintf(`{"ph":"X","cat":"kernel","pid":0,"tid":%d,"name":%q,"ts":%g,"dur":%g}`, tid, name, from,
			took)
	}
	got := whole(t, events(k(7, "nvjet_x", 0, 40), k(7, "mystery", 40, 30), k(8, "ncclDevKernel_SendRecv(x)", 60, 30),
		k(9, "mystery", 95, 5), k(9, "Memcpy DtoD (Device -> Device)", 80, 15)))
	d := got.Devices[0]
	// 0 to 40 computes, 40 to 60 is not known, 60 to 90 sends, 90 to 95 copies, 95 to 100 is not known.
	if !near(d.Compute, 40e-6) || !near(d.Unknown, 25e-6) || !near(d.Exposed, 30e-6) || !near(d.Copies, 5e-6) ||
		d.Idle > 1e-12 {
		t.Errorf("%+v", d)
	}
	shares := map[string]float64{}
	for _, k := range got.Kinds {
		shares[k.Does] = k.Time / got.Time
	}
	if !near(shares[""], 35./120) || !near(shares["matmul"], 40./120) || !near(shares["collective"], 30./120) {
		t.Errorf("%v", shares)
	}
}

// The profiler of Ascend gives the collectives of a device a process of their own, and sums of all a third one. The
// device computes for 100 us, sends for 50, of which 20 beside its kernels, and stands idle for 20. Of several devices
// in one file nobody says whose the collectives are.
func TestPartsOfAscend(t *testing.T) {
	process := func(pid int, name string) string {
		return fmt.Sprintf(`{"ph":"M","name":"process_name","pid":%d,"args":{"name":%q}},`+
			`{"ph":"M","name":"process_labels","pid":%d,"args":{"labels":"NPU"}}`, pid, name, pid)
	}
	run := func(pid int, name string, from, took float64) string {
		return fmt.Sprintf(`{"ph":"X","name":%q,"pid":%d,"tid":2,"ts":"%.3f","dur":%g,"args":{}}`, name, pid, from,
			took)
	}
	parts := []string{process(11, "Ascend Hardware"), process(12, "Communication"), process(13, "Overlap Analysis"),
		run(11, "MatMulV2", 100, 60), run(11, "FlashAttentionScore", 180, 40),
		run(12, "hcom_allReduce__1_0_1", 200, 50), run(13, "Computing", 100, 100), run(13, "Free", 160, 20)}
	got := whole(t, events(parts...))
	if len(got.Devices) != 1 || got.Devices[0].Name != "NPU" || got.Devices[0].Tracks != 2 {
		t.Fatalf("%+v", got.Devices)
	}
	if d := got.Devices[0]; !near(d.Span, 150e-6) || !near(d.Compute, 100e-6) || !near(d.Comms, 50e-6) ||
		!near(d.Exposed, 30e-6) || !near(d.Idle, 20e-6) {
		t.Errorf("%+v", d)
	}
	unlabelled := make([]string, len(parts))
	for i, part := range parts {
		unlabelled[i] = regexp.MustCompile(`,\{"ph":"M","name":"process_labels".*`).ReplaceAllString(part, "")
	}
	unlabelled = append(unlabelled, `{"ph":"M","name":"thread_name","pid":11,"tid":2,"args":{"name":"Stream 2"}}`,
		`{"ph":"M","name":"thread_name","pid":12,"tid":2,"args":{"name":"Group 0 Communication"}}`)
	got = whole(t, events(unlabelled...))
	if len(got.Devices) != 1 || !near(got.Devices[0].Exposed, 30e-6) || got.Hosts {
		t.Errorf("without labels: %+v", got.Devices)
	}
	got = whole(t, events(append(parts, process(21, "Ascend Hardware"), run(21, "MatMulV2", 100, 10))...))
	if len(got.Devices) != 3 {
		t.Errorf("two devices: %+v", got.Devices)
	}
}

// Since Hopper a kernel may begin while the one before it ends, on the same stream. Both run then: of 100 us the first
// computes 40, the sending of 30 begins 4 before that ends, and a product of 38 begins 4 before the end of that. So 78
// us are computed, 30 are sent, and 22 of these beside nothing; the operations take 108 us together.
func TestOverlappingKernels(t *testing.T) {
	k := func(name string, from, took float64) string {
		return fmt.Sprintf(`{"ph":"X","cat":"kernel","pid":0,"tid":7,"name":%q,"ts":%g,"dur":%g}`, name, from, took)
	}
	got := whole(t, events(k("nvjet_a", 0, 40), k("ncclDevKernel_AllReduce_Sum_bf16_RING_LL(x)", 36, 30),
		k("nvjet_b", 62, 38)))
	d := got.Devices[0]
	if !near(d.Span, 100e-6) || !near(d.Compute, 78e-6) || !near(d.Comms, 30e-6) || !near(d.Exposed, 22e-6) ||
		d.Idle > 1e-12 || !near(got.Time, 108e-6) {
		t.Errorf("%+v, %v", d, got.Time)
	}
	// What is rounded to end behind what holds it is held: the loop keeps 10 us, and nothing runs twice.
	got = whole(t, events(append(named, x(3, "while.1", 0, 50), x(3, "fusion.2", 10, 40.01))...))
	for _, o := range got.Ops {
		if o.Name == "while.1" && !near(o.Time, 10e-6) {
			t.Errorf("%+v", o)
		}
	}
	if !near(got.Time, 50.01e-6) {
		t.Errorf("%v", got.Time)
	}
}

// A stream of Ascend that waits for another one is idle: of 150 us 100 are computed, and 50 waited for.
func TestWaits(t *testing.T) {
	got := whole(t, events(`{"ph":"M","name":"process_name","pid":7,"args":{"name":"NPU"}}`,
		`{"ph":"X","pid":7,"tid":2,"name":"MatMulV2","ts":0,"dur":60}`,
		`{"ph":"X","pid":7,"tid":2,"name":"EVENT_WAIT","ts":60,"dur":50}`,
		`{"ph":"X","pid":7,"tid":3,"name":"Notify_Wait","ts":0,"dur":400}`,
		`{"ph":"X","pid":7,"tid":2,"name":"MatMulV2","ts":110,"dur":40}`))
	if d := got.Devices[0]; d.Tracks != 1 || !near(d.Span, 150e-6) || !near(d.Compute, 100e-6) || !near(d.Idle, 50e-6) {
		t.Errorf("%+v", d)
	}
}
