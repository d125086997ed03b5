package serving

import (
	_ "embed"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
)

// spreadTable is how far nine in ten measurements lie from their predictions: regime ("together", "apart", "open",
// "offline"), quantity ("first", "token", "whole", "rate"), engine, chip, model, and the factors below and above; an
// empty cell is any. It is written by the fit (app/measured/fit/serving).
//
//go:embed spreads.tsv
var spreadTable string

// Spread is the factors between which nine in ten measurements lie, over what is predicted.
type Spread struct{ Low, High float64 }

// SpreadTable is all spreads by their names, for tests and fits.
func SpreadTable() string { return spreadTable }

// SpreadOf is the spread of a quantity by what is known of the case: its model on its chip by its engine, its engine,
// or only its regime.
func SpreadOf(regime, quantity, engine, chip, model string) Spread {
	best, depth := Spread{0.5, 2}, -1
	begins := regime + "\t" + quantity + "\t"
	for line := range strings.Lines(spreadTable) {
		if !strings.HasPrefix(line, begins) {
			continue
		}
		c := strings.Split(strings.TrimSpace(line), "\t")
		d := -1
		switch {
		case c[2] == engine && c[3] == chip && c[4] == model:
			d = 2
		case c[2] == engine && c[3] == "" && c[4] == "":
			d = 1
		case c[2] == "" && c[3] == "" && c[4] == "":
			d = 0
		}
		if d > depth {
			best.Low, _ = strconv.ParseFloat(c[5], 64)
			best.High, _ = strconv.ParseFloat(c[6], 64)
			depth = d
		}
	}
	return best
}

// Interval is what nine in ten measurements of an option lie between.
type Interval struct{ Low, Mid, High float64 }

func (i Interval) holds(x float64) bool { return i.Low <= x && x <= i.High }

// Intervals are those of an option's time to the first token, of its time a token, and of its tokens a second and chip.
type Intervals struct{ First, Token, Rate Interval }

// Spreads are those of the options of a case, read from the table once: of three figures, together and apart.
type Spreads [2][3]Spread

// Spreads are those of the options of w.
func (w Wish) Spreads() *Spreads {
	var all Spreads
	for i, regime := range [...]string{"together", "apart"} {
		for k, figure := range [...]string{"first", "token", "rate"} {
			all[i][k] = SpreadOf(regime, figure, w.Engine.Name, w.Chip.ID, w.Shape.Model.ID)
		}
	}
	return &all
}

// Intervals are those of an option.
func (s *Spreads) Intervals(o *Option) Intervals {
	of := &s[0]
	if o.Apart {
		of = &s[1]
	}
	return Intervals{of[0].around(o.TTFT), of[1].around(o.TPOT), of[2].around(o.PerChip)}
}

func (s Spread) around(mid float64) Interval { return Interval{mid * s.Low, mid, mid * s.High} }

// Equal tells whether each of two options has tokens a second of a chip, and time a token, within the other's interval:
// predictions don't tell which is better.
func (s *Spreads) Equal(a, b *Option) bool {
	x, y := s.Intervals(a), s.Intervals(b)
	return x.Rate.holds(b.PerChip) && y.Rate.holds(a.PerChip) && x.Token.holds(b.TPOT) && y.Token.holds(a.TPOT)
}

// Layout is how an option spreads replicas over chips: "2 × TP4", or "1 × TP8 → 2 × TP4" where prefill is apart.
func (o Option) Layout(times, to string) string {
	count := func(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }
	text := count(o.Replicas) + times + o.Plan.String()
	if o.Apart {
		text = count(o.Prefills) + times + o.Prompts.String() + to + text
	}
	return text
}

// Answer is an option in sentences: its times, what a million tokens of answers cost at a price of a chip and second,
// if that is known, what a chip holds, and how many others equal it.
func (w Wish) Answer(o Option, others []Option, price float64) phrase.List {
	spreads, equal := w.Spreads(), 0
	x := spreads.Intervals(&o)
	for i := range others {
		if others[i] != o && spreads.Equal(&others[i], &o) {
			equal++
		}
	}
	beside := phrase.New("library.serving-alone")
	if equal > 0 {
		beside = phrase.Count(equal, "library.serving-equal")
	}
	seconds := func(s float64) string { return quantity.Seconds(s).Quantity().String() }
	bytes := func(b float64) string { return quantity.Bytes(b).Quantity().String() }
	said := []any{phrase.Count(int(o.Chips), "library.serving-answer", "chip", w.Chip.Name, "model", w.Shape.Model.Name,
		"plan", o.Layout(" × ", " → "), "requests", strconv.FormatFloat(o.Batch*o.Replicas, 'f', -1, 64), "ttft",
		seconds(o.TTFT), "tpot", seconds(o.TPOT), "low", seconds(x.Token.Low), "high", seconds(x.Token.High))}
	if price > 0 {
		usd := strconv.FormatFloat(price*o.Chips/o.Output*1e6, 'g', 3, 64)
		said = append(said, phrase.New("library.serving-cost", "usd", "$"+usd))
	}
	if held := w.held(o); held > 0 {
		said = append(said, phrase.New("library.serving-held", "held", bytes(held), "of", bytes(w.Chip.Memory)))
	}
	return phrase.Sentences(append(said, beside)...)
}

// held is the bytes that a chip of an option holds, of those that decode if prefill is apart.
func (w Wish) held(o Option) float64 {
	engine := w.Engine
	engine.Offload = o.Offload
	r, err := NewReplica(w.Shape, w.Chip, o.Plan, w.Constants, engine)
	if err != nil {
		return 0
	}
	m := r.Memory(w.Load.In + w.Load.Out)
	return m.Weights + m.Activations + m.Workspace + o.Batch/float64(r.DP)*r.Memory(r.Grown(o.Batch, w.Load)).Sequence
}
