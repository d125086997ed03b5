package figure

import (
	"math"

	"github.com/scalebook/scalebook/app/chart"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet"
)

// Queued is what requests see at a rate: the time to the first token, its mean and what nine in ten and 99 in 100 stay below.
type Queued interface {
	FirstToken(rate float64) (mean, p90, p99 float64)
	Capacity() float64
}

// ServingCurve draws the time to the first token over the rate at which requests come, up to a little above capacity; rate is
// where the reader stands, and limit the time that the mean should keep.
func ServingCurve(q Queued, rate, limit float64) *Drawing {
	capacity := q.Capacity()
	p := &chart.Plot{ID: "serving-curve", Title: "Time to the first token over the rate of requests",
		X: chart.Axis{Label: "Requests a second, all replicas", Format: perSecond("request")},
		Y: chart.Axis{Label: "Time to the first token", Log: true, Format: in(quantity.Seconds(1).Quantity())}}
	series := []chart.Series{{Name: "mean", Label: "mean"}, {Name: "p90", Label: "nine in ten"}, {Name: "p99", Label: "99 in 100"}}
	highest := 0.0
	for i := range rates {
		x := capacity * rateStep(i)
		mean, p90, p99 := q.FirstToken(x)
		for k, y := range []float64{mean, p90, p99} {
			series[k].X, series[k].Y = append(series[k].X, x), append(series[k].Y, y)
			highest = math.Max(highest, y)
		}
	}
	if limit > 0 {
		series = append(series, chart.Series{Name: "limit", Label: "limit", X: []float64{0, capacity}, Y: []float64{limit, limit}})
	}
	p.Series = series
	p.Marks = []chart.Mark{{Kind: chart.Vertical, X: capacity, Label: "capacity " + perSecond("request")(capacity)}}
	if rate < capacity*1.1 {
		p.Current = &chart.Mark{Kind: chart.Vertical, X: rate, Label: "now " + perSecond("request")(rate)}
	}
	return plotted(p, "Below the knee requests hardly meet; at capacity the queue has no end. Of what waits longer than an hour's queue nothing is drawn.")
}

// rates is at how many rates the curve is computed, and rateStep which share of the capacity the i-th is: closer together
// towards it.
const rates = 48

func rateStep(i int) float64 {
	left := 1 - float64(i+1)/(rates+1)
	return 1 - left*left
}

// ServingMemory draws what one chip of a plan holds.
func ServingMemory(r *sheet.Record) *Drawing {
	capacity := field(r, "memory")
	parts := []struct {
		class, name string
		size        float64
		cells       float64
	}{{"b1", "Weights", field(r, "weights"), 1}, {"b3", "Activations", field(r, "activations"), 1},
		{"b3 pale", "Runtime, graphs, buffers", field(r, "workspace"), 1},
		{"b2", "KV cache in use", field(r, "used"), field(r, "used") / math.Max(field(r, "each"), 1)},
		{"b2 pale", "KV cache free", field(r, "room") - field(r, "used"), 1}}
	m := memory{scale: memoryWide / math.Max(capacity, 1)}
	d := &Drawing{Title: "What one chip holds of its " + bytesText(capacity),
		Note: "As wide as its bytes. The engine takes a share of the memory; the rest is left to the driver and to others."}
	m.pen.Label("head", 0, 17, d.Title)
	twin, rest := Table{Caption: d.Title, Heads: []string{"Part", "Bytes", "Share of the memory"}}, capacity
	for _, x := range parts {
		if x.size <= 0 {
			continue
		}
		m.part(x.class, math.Min(x.size, math.Max(capacity-m.filled, 0)), int(math.Max(1, math.Min(x.cells, mostCells))))
		m.legend(x.class, x.name+", "+bytesText(x.size))
		twin.add(x.name, bytesText(x.size), shareText(x.size, capacity))
		d.About += x.name + " " + bytesText(x.size) + ". "
		rest -= x.size
	}
	if rest > 0 {
		m.legend("frame", "Not the engine's, "+bytesText(rest))
		twin.add("Not the engine's", bytesText(rest), shareText(rest, capacity))
	}
	m.pen.Rect(`class="axis"`, 0, memoryTop, memoryWide, memoryHigh)
	d.Twin = []Table{twin}
	bottom := memoryTop + memoryHigh + 8 + float64((m.entries+1)/2)*memoryLine
	return d.svg("fig memory", frame{0, 0, memoryWide, bottom}, &m.pen)
}
