package collectives

import (
	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/library"
	"github.com/scalebook/scalebook/app/network/play"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

// subject is what is set, as package play knows it.
type subject struct {
	*play.Setting
	err error
}

func subjectOf(s *instrument.State) *subject {
	f := play.Fabric{
		Kind: play.Kind(s.Text("fabric")), Chip: device(s), N: s.Int("n"), Nodes: s.Int("nodes"),
		Link: quantity.Bandwidth(s.Number("link")), Share: quantity.Bandwidth(s.Number("share")), Hop: quantity.Seconds(s.Number("hop")), Adds: s.On("adds"),
	}
	if f.Kind == play.Slice {
		sl, err := cut(s.Text("hardware"), s.Text("shape"))
		if err != nil {
			return &subject{&play.Setting{Fabric: f}, err}
		}
		f.Axes = sl.WithLink(f.Link).WithLatency(f.Hop).Axes
	}
	x, err := play.Set(f, operation(s), s.Quantity("size"), !s.On("both"))
	return &subject{x, err}
}

// steps are the steps of a state, nil if there are none to be drawn.
func steps(s *instrument.State) *play.Play {
	x := subjectOf(s)
	if x.err != nil {
		return nil
	}
	return x.Play()
}

// busText is the formula of what NCCL's tests multiply with.
func (x *subject) busText() string {
	n := float64(x.Group.Size())
	_, formula := x.Collective.Op.BusShare(n)
	w, _ := library.Work(formula, []law.Value{{Name: "N", Num: quantity.Quantity{Value: n}}}, sheet.Plain)
	return w.Symbols
}

// bus is the bus bandwidth if so many bytes take so long.
func (x *subject) bus(bytes, t float64) float64 {
	return x.BusFactor() * bytes / t
}

// result is a named result with how it comes about.
type result struct {
	instrument.Value
	how string
}

// results are the table of the answer.
type results struct {
	x   *subject
	all []result
}

// put adds a number in base units: of seconds, of bytes, of bytes a second, or of steps.
func (r *results) put(name, label, how string, v float64, unit byte) {
	var q quantity.Quantity
	switch unit {
	case 's':
		q = quantity.Seconds(v).Quantity()
	case 'b':
		q = r.x.Size
		q.Value = v
	case 'w':
		q = quantity.Bandwidth(v).Quantity()
	default:
		q = quantity.Quantity{Value: v, Label: quantity.Label{Over: "step"}}
	}
	r.all = append(r.all, result{instrument.Of(name, label, q), how})
}

// none adds a result that there isn't.
func (r *results) none(name, label, how, why string) {
	r.all = append(r.all, result{instrument.Value{Name: name, Label: label, Text: why}, how})
}

// results are all of them; p may be nil.
func (x *subject) results(p *play.Play) []result {
	c, r := &x.Cost, &results{x: x}
	r.put("time", "Time, exactly", "the longer of the two below", float64(c.Time), 's')
	r.put("bytes_time", "The bytes alone", "stage by stage, below", float64(c.Bandwidth), 's')
	r.put("latency", "The steps' latency alone", play.Steps(c.Hops)+" of "+x.Hop.Quantity().String(), float64(c.Latency), 's')
	r.put("shortcut", "Time, by the textbook's shortcut", "the bytes simplified, or the latency", float64(max(c.Shortcut, c.Latency)), 's')
	r.put("per_link", "Over the busiest link, one way", x.linkText(), float64(c.PerLink), 'b')
	r.put("steps", "Steps, one after the other", c.Algorithm, float64(c.Hops), 'n')
	r.all = append(r.all, result{instrument.Value{Name: "binding", Label: "What it waits for", Text: x.Binding(), Data: c.Binding}, "the longest of all terms"})
	const rate, bus, knee = "Bytes of the array a second", "Bus bandwidth, by NCCL's definition", "The knee: latency-bound below"
	if c.Time > 0 {
		r.put("rate", rate, "array over time", float64(x.Collective.Bytes)/float64(c.Time), 'w')
		r.put("bus", bus, "array over time × "+x.busText(), x.bus(float64(x.Collective.Bytes), float64(c.Time)), 'w')
	} else {
		r.none("rate", rate, "", "no value")
		r.none("bus", bus, "", "no value")
	}
	if k := x.Knee(); k > 0 {
		r.put("knee", knee, "where the bytes take as long as the steps", k, 'b')
	} else {
		r.none("knee", knee, "", "none")
	}
	if p != nil && p.Stand == "" && p.Clock(len(p.Schedule.Steps)) > 0 {
		r.put("played", "The steps drawn, one after the other", "each waits for its latency or its longest link", float64(p.Clock(len(p.Schedule.Steps))), 's')
	}
	return r.all
}

func values(s *instrument.State) (all []instrument.Value) {
	x := subjectOf(s)
	if x.err != nil {
		return nil
	}
	for _, r := range x.results(steps(s)) {
		all = append(all, r.Value)
	}
	return all
}

func summary(s *instrument.State) string {
	x := subjectOf(s)
	if x.err != nil {
		return x.err.Error()
	}
	said := instrument.Capital(x.Collective.Op.String()) + " over " + x.Group.String() + " takes " + x.Cost.Time.Quantity().String() + ", waiting for " + x.Binding()
	if p := steps(s); p != nil && len(p.Schedule.Steps) > 0 {
		k := min(s.Int("step"), len(p.Schedule.Steps)-1)
		said += "; " + p.Says(k) + ", " + p.SoFar(k+1)
	}
	return said
}
