//go:build !lean

package figure

import (
	"math"

	"github.com/scalebook/scalebook/app/chart"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet"
)

// Queued is what requests see at a rate: the time to the first token, its mean and what nine in ten and 99 in 100 stay
// below.
type Queued interface {
	FirstToken(rate float64) (mean, p90, p99 float64)
	Capacity() float64
}

// ServingCurve draws the time to the first token over the rate at which requests come, up to a little above capacity;
// rate is where the reader stands, and limit the time that the mean should keep.
func ServingCurve(q Queued, rate, limit float64) *Drawing {
	capacity := q.Capacity()
	p := &chart.Plot{ID: "serving-curve", Title: "Time to the first token over the rate of requests",
		Series: []chart.Series{{Label: "mean"}, {Label: "nine in ten"}, {Label: "99 in 100"}}}
	p.X.Label, p.Y.Label = "Requests a second, all replicas", "Time to the first token"
	p.X.Format, p.Y.Format, p.Y.Log = perSecond("request"), in(quantity.Seconds(1).Quantity()), true
	for i := range rates {
		x := capacity * rateStep(i)
		var y [3]float64
		y[0], y[1], y[2] = q.FirstToken(x)
		for k := range y {
			p.Series[k].X, p.Series[k].Y = append(p.Series[k].X, x), append(p.Series[k].Y, y[k])
		}
	}
	if limit > 0 {
		p.Series = append(p.Series, chart.Series{Label: "limit", X: []float64{0, capacity}, Y: []float64{limit, limit}})
	}
	p.Marks = []chart.Mark{{Kind: chart.Vertical, X: capacity, Label: "capacity " + perSecond("request")(capacity)}}
	if rate < capacity*1.1 {
		p.Current = &chart.Mark{Kind: chart.Vertical, X: rate, Label: "now " + perSecond("request")(rate)}
	}
	return plotted(p, "Below the knee requests hardly meet; at capacity the queue has no end.")
}

// rates is at how many rates the curve is computed, and rateStep which share of the capacity the i-th is: closer
// together towards it.
const rates = 48

func rateStep(i int) float64 {
	left := 1 - float64(i+1)/(rates+1)
	return 1 - left*left
}

// memoryParts are the parts of a chip's memory in a serving memory, in the order in which they are drawn: class, field,
// name.
var memoryParts = [...][3]string{{"b1", "weights", "Weights"}, {"b3", "activations", "Activations"},
	{"b3 pale", "workspace", "Runtime, graphs, buffers"}, {"b2", "used", "KV cache in use"}, {"b2 pale", "room",
		"KV cache free"}}

// ServingMemory draws what one chip of a plan holds.
func ServingMemory(r *sheet.Record) *Drawing {
	capacity := field(r, "memory")
	d := &Drawing{Title: "What one chip holds of its " + bytesText(capacity),
		Note: "As wide as its bytes. The engine takes a share of the memory; the rest is left to the driver and to others."}
	m := memory{scale: memoryWide / math.Max(capacity, 1)}
	m.pen.Label("head", 0, 17, d.Title)
	twin, rest := Table{Caption: d.Title, Heads: []string{"Part", "Bytes", "Share of the memory"}}, capacity
	entry := func(class, name string, size float64) {
		m.legend(class, name+", "+bytesText(size))
		twin.add(name, bytesText(size), shareText(size, capacity))
		d.About += name + " " + bytesText(size) + ". "
		rest -= size
	}
	for _, part := range memoryParts {
		size, cells := field(r, part[1]), 1.0
		switch part[1] {
		case "used":
			cells = math.Min(size/math.Max(field(r, "each"), 1), mostCells)
		case "room":
			size -= field(r, "used")
		}
		if size > 0 {
			m.part(part[0], math.Min(size, math.Max(capacity-m.filled, 0)), int(math.Max(cells, 1)))
			entry(part[0], part[2], size)
		}
	}
	if rest > 0 {
		entry("frame", "Not the engine's", rest)
	}
	m.pen.Rect(`class="axis"`, 0, memoryTop, memoryWide, memoryHigh)
	d.Twin = []Table{twin}
	return d.svg("fig memory", frame{0, 0, memoryWide, memoryTop + memoryHigh + 8 + float64((m.entries+1)/2)*memoryLine},
		&m.pen)
}
