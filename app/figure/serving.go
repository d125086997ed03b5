package figure

import (
	"math"
	"slices"

	"github.com/scalebook/scalebook/app/chart"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/serving"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// perSecond prints numbers of things a second.
func perSecond(what string) func(float64) string {
	return in(quantity.Quantity{Value: 1, Dim: quantity.Dim{quantity.Second: -1}, Label: quantity.Label{Over: what}})
}

// frontPlot is axes of tokens of a chip over tokens of a user, and the plans of some lists in them, a curve each.
func frontPlot(l phrase.Phrases, id, title string, labels []string, lists ...[]value.Value) *chart.Plot {
	p := &chart.Plot{ID: id, Title: title}
	p.X.Label, p.Y.Label = l.Say("figure.per-user"), l.Say("figure.per-chip")
	p.X.Format, p.Y.Format, p.X.Log = perSecond("token"), perSecond("token"), true
	for i, list := range lists {
		s := chart.Series{Name: labels[i], Label: labels[i]}
		for _, v := range list {
			s.X, s.Y = append(s.X, field(v.Record, "per_user")), append(s.Y, field(v.Record, "per_chip"))
		}
		if len(list) > 0 {
			p.Series = append(p.Series, s)
		}
	}
	return p
}

// field is a number of a record.
func field(r *value.Record, name string) float64 { return r.Fields[name].Num.Value }

// ServingFront draws the plans that nothing beats, what was measured of the same, the chosen plan, and the least tokens
// a second of a user that a limit of the time a token asks for.
func ServingFront(l phrase.Phrases, plans, points []value.Value, chosen *value.Record, tpot float64) *Drawing {
	var together, apart []value.Value
	for _, v := range plans {
		if v.Record.Fields["kind"].Text == "apart" {
			apart = append(apart, v)
		} else {
			together = append(together, v)
		}
	}
	p := frontPlot(l, "serving-front", l.Say("figure.front"), []string{l.Say("figure.front-together"),
		l.Say("figure.front-apart"), l.Say("figure.measured")}, together, apart, points)
	compared := l.Say("figure.front-nobody")
	if len(points) > 0 {
		p.Series[len(p.Series)-1].Dots = true
		compared = l.Say("figure.front-measured")
	}
	if tpot > 0 {
		limit := l.Say("figure.front-limit", "time", seconds(tpot))
		p.Marks = append(p.Marks, chart.Mark{Kind: chart.Vertical, X: 1 / tpot, Label: limit})
	}
	p.Marks = append(p.Marks, chart.Mark{X: field(chosen, "per_user"), Y: field(chosen, "per_chip"),
		Label: l.Say("figure.chosen")})
	return plotted(l, p, sentences(l, l.Say("figure.front-note"), compared))
}

// Served is a plan of serving with the intervals of what it is expected to do.
type Served interface{ Intervals() serving.Intervals }

// ServingIntervals draws the tokens a second of a chip of the first plans as intervals, the chosen one among them.
func ServingIntervals(l phrase.Phrases, plans []value.Value, chosen *value.Record) *Drawing {
	shown := slices.Clone(plans[:min(len(plans), rangeMost)])
	same := func(v value.Value) bool { return v.Record == chosen }
	if !slices.ContainsFunc(shown, same) {
		shown = append(shown, value.Value{Kind: value.Rec, Record: chosen})
	}
	d := &Drawing{Title: l.Say("figure.served-intervals"), Note: l.Say("figure.served-intervals-note")}
	t, say := Table{Caption: d.Title, Heads: cells(l, "figure.served-intervals-heads")}, perSecond("token")
	var ranges []span
	for _, v := range shown {
		p, is := v.Record.Of.(Served)
		if !is {
			continue
		}
		x, name := p.Intervals(), l.Text(v.Record.Name)
		ranges = append(ranges, span{name, x.Rate.Low, x.Rate.Mid, x.Rate.High, same(v)})
		t.add(name, say(x.Rate.Mid), say(x.Rate.Low), say(x.Rate.High), seconds(x.Token.Mid), seconds(x.Token.Low),
			seconds(x.Token.High))
		if same(v) {
			d.Now = l.Say("figure.served-intervals-now", "plan", name, "low", say(x.Rate.Low), "high", say(x.Rate.High))
		}
	}
	d.About, d.Twin = sentences(l, d.Now), []Table{t}
	return d.spans(ranges, say)
}

// ServingCompare draws two fronts.
func ServingCompare(l phrase.Phrases, a, b []value.Value) *Drawing {
	labels := []string{l.Say("figure.fronts-first"), l.Say("figure.fronts-second")}
	return plotted(l, frontPlot(l, "serving-compare", l.Say("figure.fronts"), labels, a, b), l.Say("figure.fronts-note"))
}

// Queued is what requests see at a rate: the time to the first token, its mean and what nine in ten and 99 in 100 stay
// below.
type Queued interface {
	FirstToken(rate float64) (mean, p90, p99 float64)
	Capacity() float64
}

// ServingCurve draws the time to the first token over the rate at which requests come, up to a little above capacity;
// rate is where the reader stands, and limit the time that the mean should keep.
func ServingCurve(l phrase.Phrases, q Queued, rate, limit float64) *Drawing {
	capacity := q.Capacity()
	p := &chart.Plot{ID: "serving-curve", Title: l.Say("figure.load"),
		Series: []chart.Series{{Label: l.Say("figure.load-mean")}, {Label: l.Say("figure.load-ninety")},
			{Label: l.Say("figure.load-most")}}}
	p.X.Label, p.Y.Label = l.Say("figure.load-rate"), l.Say("figure.load-first")
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
		p.Series = append(p.Series, chart.Series{Label: l.Say("figure.load-limit"), X: []float64{0, capacity},
			Y: []float64{limit, limit}})
	}
	most := l.Say("figure.load-capacity", "rate", perSecond("request")(capacity))
	p.Marks = []chart.Mark{{Kind: chart.Vertical, X: capacity, Label: most}}
	if rate < capacity*1.1 {
		now := l.Say("figure.now", "x", perSecond("request")(rate))
		p.Current = &chart.Mark{Kind: chart.Vertical, X: rate, Label: now}
	}
	return plotted(l, p, l.Say("figure.load-note"))
}

// rates is at how many rates the curve is computed, and rateStep which share of the capacity the i-th is: closer
// together towards it.
const rates = 48

func rateStep(i int) float64 {
	left := 1 - float64(i+1)/(rates+1)
	return 1 - left*left
}

// memoryParts are the parts of a chip's memory in a serving memory, in the order in which they are drawn: class, field,
// the key of its name.
var memoryParts = [...][3]string{{"b1", "weights", "figure.memory-weights"},
	{"b3", "activations", "figure.memory-activations"}, {"b3 pale", "workspace", "figure.memory-workspace"},
	{"b2", "used", "figure.memory-used"}, {"b2 pale", "room", "figure.memory-room"}}

// ServingMemory draws what one chip of a plan holds.
func ServingMemory(l phrase.Phrases, r *value.Record) *Drawing {
	capacity := field(r, "memory")
	d := &Drawing{Title: l.Say("figure.serving-memory", "bytes", bytesText(capacity)),
		Note: l.Say("figure.serving-memory-note")}
	m := memory{scale: memoryWide / math.Max(capacity, 1)}
	d.head(&m.pen, 17)
	ledger, rest := newLedger(l, d.Title, capacity), capacity
	entry := func(class, key string, size float64) {
		m.legend(class, ledger.add(l.Say(key), size))
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
		entry("frame", "figure.memory-others", rest)
	}
	return m.whole(d, ledger)
}
