package trace

import (
	"cmp"
	"slices"
	"strings"
)

// gpuKind tells whether events of a category run on a GPU.
func gpuKind(kind string) bool {
	switch strings.ToLower(kind) {
	case "kernel", "gpu_memcpy", "gpu_memset":
		return true
	}
	return false
}

// prepare sorts the events by their tracks, and finds the devices.
func (r *Reader) prepare() {
	r.stage = 3
	for _, e := range r.events {
		t := &r.tracks[e.track]
		if !t.kernels || gpuKind(r.ops[e.op].kind) {
			t.events = append(t.events, e)
		}
	}
	r.events = nil
	devices := map[string]int{}
	for i := range r.tracks {
		t := &r.tracks[i]
		if !r.own(t) || len(t.events) == 0 {
			continue
		}
		at, ok := devices[t.process]
		if !ok {
			at = len(r.trace.Devices)
			devices[t.process] = at
			r.trace.Devices = append(r.trace.Devices, Device{Name: r.deviceName(t.process)})
		}
		r.trace.Devices[at].tracks = append(r.trace.Devices[at].tracks, t)
	}
	r.trace.steps(r)
	if len(r.trace.Devices) == 0 {
		r.hosts()
	}
	slices.SortStableFunc(r.trace.Devices, func(a, b Device) int { return cmp.Compare(a.Name, b.Name) })
	for i := range r.trace.Devices {
		r.left = append(r.left, i)
	}
	r.trace.ops = make([]spent, len(r.ops))
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
func (r *Reader) own(t *track) bool {
	if t.kernels {
		return true
	}
	if !strings.Contains(r.called[t.process], "/device:") {
		return false
	}
	if strings.HasPrefix(strings.ToLower(t.label), "stream") {
		return true
	}
	return (t.label == "XLA Ops" || t.label == "Async XLA Ops") && !r.streams(t.process)
}

func (r *Reader) streams(process string) bool {
	return slices.ContainsFunc(r.tracks, func(t track) bool {
		return t.process == process && strings.HasPrefix(strings.ToLower(t.label), "stream") && len(t.events) > 0
	})
}

// hosts takes the busiest process of a trace without devices for one.
func (r *Reader) hosts() {
	r.trace.Hosts = true
	took := map[string]float64{}
	best := ""
	for i := range r.tracks {
		t := &r.tracks[i]
		for _, e := range t.events {
			took[t.process] += e.took
		}
		if took[t.process] > took[best] || best == "" && len(t.events) > 0 {
			best = t.process
		}
	}
	if took[best] == 0 {
		return
	}
	d := Device{Name: r.called[best]}
	if d.Name == "" {
		d.Name = best
	}
	for i := range r.tracks {
		if t := &r.tracks[i]; t.process == best && len(t.events) > 0 {
			d.tracks = append(d.tracks, t)
		}
	}
	r.trace.Devices = []Device{d}
}

// steps finds how long the steps took that the profiler marked.
func (t *Trace) steps(r *Reader) {
	for i := range r.tracks {
		track := &r.tracks[i]
		marked := track.label == "Steps" && strings.Contains(r.called[track.process], "/device:")
		for _, e := range track.events {
			if marked || strings.HasPrefix(r.ops[e.op].name, "ProfilerStep#") {
				t.Steps = append(t.Steps, e.took/1e6)
			}
		}
		if len(t.Steps) > 0 {
			return
		}
	}
}
