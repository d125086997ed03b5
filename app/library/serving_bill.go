package library

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/serving"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// bill is what a million tokens of a plan cost.
func (n *servings) bill(a []value.Value) (value.Value, error) {
	p, price, power := plan(a[0]), a[1].Num.Value, a[2].Num.Value
	if price < 0 || power < 0 {
		return value.Value{}, phrase.Fault{What: phrase.New("library.below-zero"),
			Remedy: phrase.New("library.give-or-more", "least", 0)}
	}
	money, energy := p.bill(price), p.bill(power)
	return n.fill("bill", phrase.New("library.million-tokens"), []named{
		{"input", money.Input}, {"cached", money.Cached}, {"output", money.Output},
		{"request", money.Total(p.wish.Load)}, {"input_energy", energy.Input}, {"cached_energy", energy.Cached},
		{"output_energy", energy.Output}, {"power", energy.Output},
	}).value(), nil
}

// bill is what a million tokens cost at a price of a chip and second.
func (p *served) bill(price float64) serving.Bill {
	if p.Apart {
		return p.split().Bill(price, p.Latency, p.wish.Load)
	}
	one := p.Latency
	one.Requests /= p.Replicas
	return p.decode.Bill(price, one, p.wish.Load)
}

// mostTrace is how many rates a trace may have.
const mostTrace = 10000

// fleet is the replicas for a trace.
func (n *servings) fleet(a []value.Value) (value.Value, error) {
	var trace []float64
	for word := range strings.FieldsFuncSeq(a[0].Text, func(r rune) bool {
		return r == ' ' || r == ',' || r == ';' ||
			r == '\n'
	}) {
		rate, err := strconv.ParseFloat(word, 64)
		if err != nil || !(rate >= 0 && rate <= 1e9) {
			return value.Value{}, phrase.Fault{What: phrase.New("library.no-rate", "word", strconv.Quote(word)),
				Remedy: phrase.New("library.write-rates")}
		}
		trace = append(trace, rate)
	}
	interval, rate, chips := a[1].Num.Value, a[2].Num.Value, a[3].Num.Value
	if len(trace) == 0 || len(trace) > mostTrace || !(interval > 0) || !(rate > 0) {
		return value.Value{}, phrase.Fault{What: phrase.Count(len(trace), "library.trace-of-rates"),
			Remedy: phrase.New("library.write-trace", "most", mostTrace)}
	}
	f := serving.NewFleet(trace, interval, rate)
	return n.fill("fleet", phrase.New("library.fleet"), []named{{"peak", f.Peak}, {"mean", f.Mean},
		{"hours", f.Hours * chips}, {"standing", f.Peak * float64(len(trace)) * interval / 3600 * chips}}).value(), nil
}
