package figure

import (
	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/trace"
)

// The measures of a trace's bars.
const (
	traceNames  = 110
	traceWide   = 412
	traceHigh   = 26
	mostTracked = 16 // devices that are drawn
)

// TraceBars draws where the time of each device of a trace went, and below how much of what it sends is hidden.
func TraceBars(l phrase.Phrases, t *trace.Trace) *Drawing {
	if len(t.Devices) == 0 {
		return textOnly(l.Say("figure.trace"), l.Say("figure.trace-none"))
	}
	d := &Drawing{Title: l.Say("figure.trace")}
	twin := Table{Caption: d.Title, Heads: cells(l, "figure.trace-heads")}
	longest := 0.0
	for i := range t.Devices {
		longest = max(longest, t.Devices[i].Span)
	}
	var pen markup.Pen
	for i := range t.Devices[:min(len(t.Devices), mostTracked)] {
		v := &t.Devices[i]
		name := phrase.Printable(v.Name, 14)
		traceBar(&pen, name, v, longest, float64(i*(traceHigh+14))+14)
		twin.add(name, seconds(v.Span), seconds(v.Compute), seconds(v.Exposed),
			seconds(v.Comms-v.Exposed), seconds(v.Unknown), seconds(v.Copies), seconds(v.Idle))
	}
	first := &t.Devices[0]
	d.About = l.Say("figure.trace-about", "device", phrase.Printable(first.Name, 40), "computing",
		shareText(first.Compute, first.Span), "sending", shareText(first.Exposed, first.Span), "unknown",
		shareText(first.Unknown, first.Span), "idle", shareText(first.Idle, first.Span))
	rest := ""
	if n := len(t.Devices) - mostTracked; n > 0 {
		rest = l.Count(n, "figure.trace-rest")
	}
	d.Note = sentences(l, l.Say("figure.trace-note"), rest)
	d.Twin = []Table{twin}
	high := float64(min(len(t.Devices), mostTracked)*(traceHigh+14) + 10)
	return d.svg("fig", frame{0, 0, traceNames + traceWide + 70, high}, &pen)
}

// traceBar is the bar of a device.
func traceBar(w *markup.Pen, name string, d *trace.Device, longest, top float64) {
	w.Label("small", 0, top+traceHigh/2+5, name)
	scale, left := traceWide/max(longest, 1e-12), float64(traceNames)
	for _, part := range []struct {
		class string
		time  float64
	}{{"f", d.Compute}, {"b", d.Exposed}, {"unknown", d.Unknown}, {"w", d.Copies}} {
		w.Rect(`class="`+part.class+`"`, left, top, part.time*scale, traceHigh)
		left += part.time * scale
	}
	hidden := (d.Comms - d.Exposed) * scale
	if hidden > 0.5 {
		hatched(w, traceNames, top-7, hidden, 6)
	}
	w.Rect(`class="edge" fill="none"`, traceNames, top, d.Span*scale, traceHigh)
	w.Label("small", traceNames+d.Span*scale+5, top+traceHigh/2+5, shareText(d.Compute, d.Span))
}
