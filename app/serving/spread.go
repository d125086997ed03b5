package serving

import (
	_ "embed"
	"math"
	"strconv"
	"strings"
)

// spreadTable is the spreads of closed loops; those of other loads stand with the measurements (app/measured).
//
//go:embed spreads.tsv
var spreadTable string

// SpreadTable are a table of spreads: regime ("together", "apart", ...), quantity ("first", "token", "whole", "rate"),
// engine, some with a release, chip, model, and the factors below and above; an empty cell is any. Lines of a whole
// regime may have two columns more: how both ends grow ([Spread]). The fit writes it (app/measured/fit/serving).
type SpreadTable string

// Shipped are the spreads of closed loops.
func Shipped() SpreadTable { return SpreadTable(spreadTable) }

// Spread is the factors between which nine in ten measurements lie, over what is predicted, where no prompts disturb
// those who decode. Where they take a share of the steps, the logarithms of both ends are larger ([Wider]).
type Spread struct {
	Low, High float64
	Grows     [2]float64 // below and above
}

// Wider is the factor by which the logarithm of an end is larger where prompts take so much of the steps, or what else
// it grows with is so large.
func Wider(grows, prompts float64) float64 { return math.Exp(grows * prompts) }

// Waits is what the logarithms of first tokens' spread grow with where prefill is apart: how many times as long as
// usual answers are, up to those that rows have. Who waits for a slot on the chips that decode waits for a part of an
// answer.
func (l Load) Waits() float64 {
	const usual, longest = 1024, 8192
	return math.Log(min(max(l.Out, usual), longest) / usual)
}

// Of is s where prompts take so much of the steps, or what else it grows with is so large.
func (s Spread) Of(prompts float64) Spread {
	for _, end := range []*float64{&s.Low, &s.High} {
		grows := s.Grows[0]
		if *end > 1 {
			grows = s.Grows[1]
		}
		*end = math.Pow(*end, Wider(grows, prompts))
	}
	return s
}

// alike tells whether chips are of one generation, and both made for servers, or neither.
func alike(a, b string) bool {
	kind := kindOf(a)
	return kind != "" && kind == kindOf(b) && forDesks(a) == forDesks(b)
}

func forDesks(chip string) bool {
	return strings.HasPrefix(chip, "gpu.rtx") || strings.HasPrefix(chip, "card.") || chip == "gpu.gb10"
}

// Of is the spread of a quantity by what is known of the case: its model on its chip by a release of its engine, or by
// any; its engine, or only its regime. What nobody measured may take half as long or twice. A model without a line on
// its chip, or without an engine, that has some on chips of the same generation is midway, in logarithms, between the
// widest of those, which are of the same few laboratories, and the line of its engine or regime, which others were held
// against, too.
func (t SpreadTable) Of(regime, quantity, engine, chip, model string) Spread {
	best, depth := Spread{Low: 0.5, High: 2}, -1
	near := Spread{Low: 1, High: 1}
	begins, release := regime+"\t"+quantity+"\t", engine
	engine, _, _ = strings.Cut(engine, " ")
	for line := range strings.Lines(string(t)) {
		if !strings.HasPrefix(line, begins) {
			continue
		}
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		read := func(i int) float64 { x, _ := strconv.ParseFloat(c[i], 64); return x }
		d := -1
		switch {
		case c[2] == release && c[2] != engine && c[3] == chip && c[4] == model:
			d = 4
		case c[2] == engine && c[3] == chip && c[4] == model:
			d = 3
		case (c[2] == engine || engine == "") && c[4] == model && c[4] != "" && alike(c[3], chip):
			near = Spread{Low: min(near.Low, read(5)), High: max(near.High, read(6))}
		case c[2] == engine && c[3] == "" && c[4] == "":
			d = 1
		case c[2] == "" && c[3] == "" && c[4] == "":
			d = 0
		}
		if len(c) > 7 {
			best.Grows = [2]float64{read(7), read(8)}
		}
		if d > depth {
			best.Low, best.High, depth = read(5), read(6), d
		}
	}
	if depth < 3 && near.High > near.Low { // no line of its own
		best.Low, best.High = math.Sqrt(near.Low*best.Low), math.Sqrt(near.High*best.High)
	}
	return best
}

// Interval is what nine in ten measurements of an option lie between.
type Interval struct{ Low, Mid, High float64 }

func (i Interval) holds(x float64) bool { return i.Low <= x && x <= i.High }

// Intervals are those of an option's time to the first token, of its time a token, and of its tokens a second and chip.
type Intervals struct{ First, Token, Rate Interval }

// Spreads are those of the options of a case, read from the table once: of three figures, together and apart.
type Spreads struct {
	spec Spec
	of   [2][3]Spread
}

// Spreads are those of the options of w.
func (w Spec) Spreads() *Spreads {
	all := &Spreads{spec: w}
	for i, regime := range [...]string{"together", "apart"} {
		for k, figure := range [...]string{"first", "token", "rate"} {
			all.of[i][k] = Shipped().Of(regime, figure, w.Engine.Name, w.Chip.ID, w.Shape.Model.ID)
		}
	}
	return all
}

// Intervals are those of an option. None reaches to where no software gets: below what one request alone takes, and
// above the rate of the whole batch, with each unit at its peak.
func (s *Spreads) Intervals(o *Option) Intervals {
	x := s.expected(o)
	one, all := s.spec.ideal(o, 1), s.spec.ideal(o, o.Batch*o.Replicas)
	x.First.Low, x.Token.Low = max(x.First.Low, min(one.TTFT, o.TTFT)), max(x.Token.Low, min(one.TPOT, o.TPOT))
	if all.Output > 0 {
		x.Rate.High = min(x.Rate.High, max(all.Output/o.Chips, o.PerChip))
	}
	return x
}

// expected are the intervals of an option as measurements have them.
func (s *Spreads) expected(o *Option) Intervals {
	of := &s.of[0]
	if o.Apart {
		of = &s.of[1]
	}
	around := func(k int, mid float64) Interval {
		strain := o.Prompting()
		if o.Apart && k == 0 {
			strain = s.spec.Load.Waits()
		}
		x := of[k].Of(strain)
		return Interval{mid * x.Low, mid, mid * x.High}
	}
	return Intervals{around(0, o.TTFT), around(1, o.TPOT), around(2, o.PerChip)}
}

// ideal is an option with so many requests under way, by software that wastes nothing; zero where there is none of it.
func (w Spec) ideal(o *Option, requests float64) Latency {
	engine := w.Engine
	engine.Offload, engine.Poll, engine.Wait = o.Offload, 0, 0
	r, err := NewReplica(w.Shape, w.Chip, o.Plan, Perfect(), engine)
	if err != nil {
		return Latency{}
	}
	r.Constants = Perfect()
	if p, err := NewReplica(w.Shape, w.Chip, o.Prompts, Perfect(), engine); o.Apart && err == nil {
		p.Constants = Perfect() // which no chip scales
		return Split{Prefill: p, Decode: r, Prefills: o.Prefills, Decodes: o.Replicas}.Closed(requests, w.Load)
	}
	a := r.Closed(max(requests/o.Replicas, 1), w.Load)
	a.Output *= o.Replicas
	return a
}

// Equal tells whether each of two options has tokens a second of a chip, and time a token, within the other's interval:
// predictions don't tell which is better.
func (s *Spreads) Equal(a, b *Option) bool {
	x, y := s.expected(a), s.expected(b)
	return x.Rate.holds(b.PerChip) && y.Rate.holds(a.PerChip) && x.Token.holds(b.TPOT) && y.Token.holds(a.TPOT)
}
