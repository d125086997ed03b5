package trace

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// gpuKind tells whether events of a category run on a GPU. Older versions of PyTorch call copies only Memcpy.
func gpuKind(kind string) bool {
	switch strings.ToLower(kind) {
	case "kernel", "gpu_memcpy", "gpu_memset", "memcpy", "memset":
		return true
	}
	return false
}

// devices finds the devices, and plans what is to be done with each.
func (r *Reader) devices() (more bool) {
	r.oneCPU()
	all, best := map[string]int{}, map[string]int{}
	for _, t := range r.tracks {
		if key := r.deviceKey(t); key != "" && len(r.onDevice(t)) > 0 {
			best[key] = max(best[key], r.rankOf(t))
		}
	}
	for _, t := range r.tracks {
		key := r.deviceKey(t)
		if key == "" || r.rankOf(t) < best[key] || len(r.onDevice(t)) == 0 {
			continue
		}
		i, ok := all[key]
		if !ok {
			i = len(r.trace.Devices)
			all[key] = i
			r.trace.Devices = append(r.trace.Devices, Device{Name: r.deviceName(t)})
		}
		r.trace.Devices[i].tracks = append(r.trace.Devices[i].tracks, t)
	}
	r.steps()
	r.card()
	if len(r.trace.Devices) == 0 {
		r.hosts()
	}
	var order []*Device // pointers, for which the browser's program has a sort already
	for i := range r.trace.Devices {
		order = append(order, &r.trace.Devices[i])
	}
	r.tellApart()
	slices.SortStableFunc(order, func(a, b *Device) int { return natural(a.Name, b.Name) })
	var sorted []Device
	for _, d := range order {
		sorted = append(sorted, *d)
	}
	r.trace.Devices = sorted
	for i := range r.trace.Devices {
		r.addUp(&r.trace.Devices[i])
	}
	r.rank()
	r.planned = len(r.jobs)
	return false
}

// tellApart adds their processes to the names of devices that are called the same, as traces of several ranks have them
// that were made one.
func (r *Reader) tellApart() {
	times := map[string]int{}
	for _, d := range r.trace.Devices {
		times[d.Name]++
	}
	for i := range r.trace.Devices {
		if d := &r.trace.Devices[i]; times[d.Name] > 1 {
			d.Name += ", process " + strings.TrimSuffix(d.tracks[0].process, d.tracks[0].part)
		}
	}
}

// oneCPU gives what ran on the only device that JAX made of a CPU back to the process of the host.
func (r *Reader) oneCPU() {
	if len(r.onCPUs) != 1 {
		return
	}
	for _, t := range r.tracks {
		if host, ok := r.onCPUs[t.process]; ok {
			t.process = host
		}
	}
}

// natural orders names by the number that ends them: GPU 2 before GPU 10.
func natural(a, b string) int {
	split := func(s string) (string, int) {
		head := strings.TrimRight(s, "0123456789")
		n, _ := strconv.Atoi(s[len(head):])
		return head, n
	}
	headA, nA := split(a)
	headB, nB := split(b)
	return cmp.Or(cmp.Compare(headA, headB), cmp.Compare(nA, nB))
}

// accelerators are what recorders call devices that are no hosts.
const accelerators = "|gpu|tpu|xpu|mtia|hpu|npu|device|"

// deviceOf is what a process is called that is a device, "" of any other: /device:TPU:0, GPU 0, "6 GPU0", NPU.
func deviceOf(label string) string {
	if _, rest, ok := strings.Cut(label, "/device:"); ok {
		if rest, ok := strings.CutPrefix(rest, "CUSTOM:"); ok || strings.HasPrefix(rest, "CPU") {
			return rest[:0]
		}
		return strings.ReplaceAll(ofStreams(rest), ":", " ")
	}
	name := strings.TrimLeft(label, "0123456789 ")
	word := len(name)
	if at := strings.IndexFunc(name, func(c rune) bool { return !(c|0x20 >= 'a' && c|0x20 <= 'z') }); at >= 0 {
		word = at
	}
	if word == 0 || !strings.Contains(accelerators, "|"+strings.ToLower(name[:word])+"|") {
		return ""
	}
	number := strings.TrimLeft(name[word:], " #:_-")
	if number == "" && word < len("device") || number != "" && number[0] >= '0' && number[0] <= '9' {
		return name
	}
	return ""
}

// ofStreams is what a device is called, without the name of one of its streams: TensorFlow has a process for each, as
// /device:GPU:0/stream:13 Compute, one for the sum of all, and /device:GPU:0 Compute for what begins their work.
func ofStreams(called string) string {
	called, _, _ = strings.Cut(called, "/stream:")
	return strings.TrimSuffix(called, " Compute")
}

// device is what the device is called that a process is, as its recorder labels it; "" if it is none.
func (r *Reader) device(process string) string {
	if strings.HasPrefix(r.called[process], "Overlap") { // of Ascend: sums of what others show
		return ""
	}
	called := r.called[process]
	part := "" // of Ascend, whatever its label
	if (strings.HasPrefix(called, "Ascend") || called == "Communication" || called == "HCCL") && r.ascends("") > 0 {
		part = "NPU"
	}
	return cmp.Or(deviceOf(r.labels[process]), deviceOf(called), deviceOf(process), part)
}

// deviceKey tells the devices apart: a process, and of a TPU also those of its sparse cores. It is "" of hosts.
func (r *Reader) deviceKey(t *track) string {
	name := r.device(t.process)
	if name == "" && !t.kernels {
		return ""
	}
	if chip, _, ok := strings.Cut(name, " SparseCore"); ok {
		return "/device:" + strings.ReplaceAll(chip, " ", ":") + t.part
	}
	called := r.called[t.process]
	if streams := ofStreams(called); strings.HasPrefix(called, "/device:") || streams != called {
		return streams + t.part
	}
	if name == "NPU" && r.ascends(t.part) == 1 { // its parts are processes of their own
		return name + t.part
	}
	return t.process
}

// ascends is how many devices of Ascend there are in a document: each has one process of its kernels.
func (r *Reader) ascends(part string) (n int) {
	for process, called := range r.called {
		if strings.HasPrefix(called, "Ascend") && process[strings.IndexByte(process+",", ','):] == part {
			n++
		}
	}
	return n
}

// deviceName is what a device is called.
func (r *Reader) deviceName(t *track) string {
	process := strings.TrimSuffix(t.process, t.part)
	name, _, _ := strings.Cut(r.device(t.process), " SparseCore")
	return cmp.Or(strings.TrimSuffix(name, t.part), strings.TrimSpace("GPU "+process)) + t.part
}

// card is what the driver calls the devices, if it calls all of them the same.
func (r *Reader) card() {
	for _, name := range r.cards {
		if r.trace.Card == "" {
			r.trace.Card = name
		} else if name != r.trace.Card {
			r.trace.Card = ""
			return
		}
	}
}

// rank is how well a track says what a device does: by its kernels or streams, by the operations of its program, by
// anything else, or only by sums of those, as steps and modules are. A device is shown by its best tracks.
func (t *track) rank() int {
	switch {
	case t.kernels:
		return 4
	case strings.HasPrefix(strings.ToLower(t.label), "stream"), strings.HasSuffix(t.label, " Communication"):
		return 3
	case t.label == "XLA Ops" || t.label == "Async XLA Ops":
		return 2
	case strings.Contains(sums, "|"+t.label+"|"):
		return 0
	}
	return 1
}

// rankOf is the same where processes are the streams of a device, and one of them is the sum of the others.
func (r *Reader) rankOf(t *track) int {
	if _, stream, is := strings.Cut(r.called[t.process], "/stream:"); is && !t.kernels {
		return 2 + b2i(!strings.HasPrefix(stream, "all"))
	}
	return t.rank()
}

const sums = "|Steps|XLA Modules|Framework Name Scope|Framework Ops|Source code|Source|XLA TraceMe|TensorFlow Name " +
	"Scope|TensorFlow Ops|Launch Stats|Megascale|"

// onDevice are the events of a track that run on its device.
func (r *Reader) onDevice(t *track) []event {
	t.events = slices.DeleteFunc(t.events, func(e event) bool {
		o := r.ops[e.op]
		return t.kernels && !o.onGPU || isMark(o.kind) || o.does == "wait" ||
			r.device(t.process) != "" && hostKind(o.kind)
	})
	return t.events
}

// isMark tells whether events of a category only name a stretch of time in which others run.
func isMark(kind string) bool {
	return strings.HasPrefix(kind, "nvtx") || strings.HasSuffix(kind, "_annotation") || kind == "Trace"
}

// hosts takes the busiest process of a trace without devices for one.
func (r *Reader) hosts() {
	r.trace.Hosts = true
	took, best := map[string]float64{}, ""
	for _, t := range r.tracks {
		if took[t.process] += t.took; took[t.process] > took[best] {
			best = t.process
		}
	}
	if took[best] == 0 {
		return
	}
	r.programs(best)
	d := Device{Name: cmp.Or(r.called[best], best, "host")}
	for _, o := range r.ops {
		if o.class == Unknown { // what a host does counts as work
			o.class = Compute
		}
	}
	for _, t := range r.tracks {
		if t.process == best && len(r.onDevice(t)) > 0 {
			d.tracks = append(d.tracks, t)
		}
	}
	if len(d.tracks) > 0 {
		r.trace.Devices = []Device{d}
	}
}

// programs leaves of a host's events only the operations of compiled programs, if its recorder says which these are, as
// that of JAX on processors does: around them there are calls of Python and threads that wait.
func (r *Reader) programs(process string) {
	program := func(e event) bool { return r.ops[e.op].about.program }
	said := false
	for _, t := range r.tracks {
		said = said || t.process == process && slices.ContainsFunc(t.events, program)
	}
	if !said {
		return
	}
	for _, t := range r.tracks {
		if t.process == process {
			t.events = slices.DeleteFunc(t.events, func(e event) bool { return !program(e) })
		}
	}
}

// steps finds how long the steps took that the profiler marked: on one track, as each device has the same.
func (r *Reader) steps() {
	for _, t := range r.tracks {
		marked := t.steps
		if t.label == "Steps" && r.device(t.process) != "" {
			marked = t.events
		}
		for _, e := range marked {
			r.trace.Steps = append(r.trace.Steps, e.took/1e6)
		}
		if len(marked) > 0 {
			return
		}
	}
}

// rank plans to list the operations that took time, the longest first.
func (r *Reader) rank() {
	var ops []*op
	var order *sorter
	r.jobs = append(r.jobs, func() bool {
		ops = r.took()
		order = sorting(len(ops), func(i, j int32) int { return cmp.Compare(ops[j].time, ops[i].time) })
		return false
	}, func() bool { return order.step() }, func() bool { r.list(inOrder(ops, order)); return false })
}

// took are the operations that took time, of which it adds up the time.
func (r *Reader) took() []*op {
	for _, o := range r.ops {
		r.trace.Time += o.time / 1e6
	}
	took := slices.DeleteFunc(r.ops, func(o *op) bool { return o.time == 0 })
	r.trace.Named = len(took)
	return took
}

// list keeps the operations that took longest.
func (r *Reader) list(ops []*op) {
	for _, o := range ops[:min(len(ops), MaxOps)] {
		r.trace.Ops = append(r.trace.Ops, Spent{o.name, o.kind, o.does, o.library, o.class, o.times, o.time / 1e6,
			o.about.text, o.about.flops, o.about.bytes})
	}
	kinds := map[classification]int{}
	for _, o := range ops {
		key := classification{class: o.class, does: o.does}
		i, ok := kinds[key]
		if !ok {
			i = len(r.trace.Kinds)
			kinds[key] = i
			r.trace.Kinds = append(r.trace.Kinds, Kind{Does: o.does, Class: o.class})
		}
		r.trace.Kinds[i].Time += o.time / 1e6
	}
	for i, all := 1, r.trace.Kinds; i < len(all); i++ { // a few
		for k := i; k > 0 && all[k].Time > all[k-1].Time; k-- {
			all[k], all[k-1] = all[k-1], all[k]
		}
	}
	r.ops, r.names, r.places, r.tracks = nil, nil, nil, nil
}
