package trace

import (
	"cmp"
	"slices"
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
	all, streams := map[string]int{}, r.streams()
	for _, t := range r.tracks {
		if !r.own(t, streams) || len(t.events) == 0 {
			continue
		}
		i, ok := all[t.process]
		if !ok {
			i = len(r.trace.Devices)
			all[t.process] = i
			r.trace.Devices = append(r.trace.Devices, Device{Name: r.deviceName(t.process)})
		}
		r.trace.Devices[i].tracks = append(r.trace.Devices[i].tracks, t)
	}
	r.steps()
	if len(r.trace.Devices) == 0 {
		r.hosts()
	}
	slices.SortStableFunc(r.trace.Devices, func(a, b Device) int { return cmp.Compare(a.Name, b.Name) })
	for i := range r.trace.Devices {
		r.addUp(&r.trace.Devices[i])
	}
	r.rank()
	r.planned = len(r.jobs)
	return false
}

// deviceName is what a device is called.
func (r *Reader) deviceName(process string) string {
	name := r.called[process]
	if _, rest, ok := strings.Cut(name, "/device:"); ok {
		return strings.ReplaceAll(rest, ":", " ")
	}
	if strings.HasPrefix(name, "GPU") {
		return name
	}
	return strings.TrimSpace("GPU " + process)
}

// own tells whether a track holds the operations of a device: its kernels, or the lines of a TPU. GPUs under JAX have
// streams and, made of them, lines of operations too: the streams count.
func (r *Reader) own(t *track, streams map[string]bool) bool {
	if t.kernels {
		return true
	}
	if !strings.Contains(r.called[t.process], "/device:") {
		return false
	}
	return t.stream() || (t.label == "XLA Ops" || t.label == "Async XLA Ops") && !streams[t.process]
}

func (t *track) stream() bool { return strings.HasPrefix(strings.ToLower(t.label), "stream") }

// streams are the processes that have streams in which something runs.
func (r *Reader) streams() map[string]bool {
	all := map[string]bool{}
	for _, t := range r.tracks {
		if t.stream() && len(t.events) > 0 {
			all[t.process] = true
		}
	}
	return all
}

// onDevice are the events of a track that run on its device.
func (r *Reader) onDevice(t *track) []event {
	if !t.kernels {
		return t.events
	}
	return slices.DeleteFunc(t.events, func(e event) bool { return !r.ops[e.op].onGPU })
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
	d := Device{Name: cmp.Or(r.called[best], best, "host")}
	for _, t := range r.tracks {
		if t.process == best && len(t.events) > 0 {
			d.tracks = append(d.tracks, t)
		}
	}
	r.trace.Devices = []Device{d}
}

// steps finds how long the steps took that the profiler marked: on one track, as each device has the same.
func (r *Reader) steps() {
	for _, t := range r.tracks {
		marked := t.steps
		if t.label == "Steps" && strings.Contains(r.called[t.process], "/device:") {
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
	var ops *sorter[*op]
	r.jobs = append(r.jobs, func() bool {
		ops = sorting(r.took(), func(a, b *op) int { return cmp.Compare(b.time, a.time) })
		return false
	}, func() bool { return ops.step() }, func() bool { r.list(ops.list); return false })
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
		r.trace.Ops = append(r.trace.Ops, Spent{o.name, o.kind, o.class, o.times, o.time / 1e6, o.about.text,
			o.about.flops, o.about.bytes})
	}
	r.ops, r.names, r.places, r.tracks = nil, nil, nil, nil
}
