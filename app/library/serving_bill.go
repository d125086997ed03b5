//go:build !lean

package library

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/serving"
	"github.com/scalebook/scalebook/app/sheet"
)

// bill is what a million tokens of a plan cost.
func (n *servings) bill(a []sheet.Value) (sheet.Value, error) {
	p, price, power := plan(a[0]), a[1].Num.Value, a[2].Num.Value
	if price < 0 || power < 0 {
		return sheet.Value{}, &law.Error{What: "a price or a power below zero", Remedy: "give 0 or more"}
	}
	money, energy := p.bill(price), p.bill(power)
	return n.fill("bill", "a million tokens", "input cached output request input_energy cached_energy output_energy power",
		money.Input, money.Cached, money.Output, money.Total(p.wish.Load), energy.Input, energy.Cached,
		energy.Output, energy.Output).value(), nil
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
func (n *servings) fleet(a []sheet.Value) (sheet.Value, error) {
	var trace []float64
	for word := range strings.FieldsFuncSeq(a[0].Text, func(r rune) bool {
		return r == ' ' || r == ',' || r == ';' ||
			r == '\n'
	}) {
		rate, err := strconv.ParseFloat(word, 64)
		if err != nil || !(rate >= 0 && rate <= 1e9) {
			return sheet.Value{}, &law.Error{What: strconv.Quote(word) + " is no rate",
				Remedy: "write numbers with spaces between them, such as 2 8 20 6"}
		}
		trace = append(trace, rate)
	}
	interval, rate, chips := a[1].Num.Value, a[2].Num.Value, a[3].Num.Value
	if len(trace) == 0 || len(trace) > mostTrace || !(interval > 0) || !(rate > 0) {
		return sheet.Value{}, &law.Error{What: "a trace of " + strconv.Itoa(len(trace)) + " rates",
			Remedy: "write 1 to 10000 rates, an interval and a rate of a replica above 0"}
	}
	f := serving.NewFleet(trace, interval, rate)
	return n.fill("fleet", "a fleet", "peak mean hours standing", f.Peak, f.Mean, f.Hours*chips,
		f.Peak*float64(len(trace))*interval/3600*chips).value(), nil
}
