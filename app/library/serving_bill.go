package library

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/serving"
	"github.com/scalebook/scalebook/app/sheet"
)

// billFuncs say what a plan's tokens cost, how many replicas a trace of rates needs, and what was measured of the same.
func (n *servings) billFuncs() []*sheet.Func {
	plan := param("plan", sheet.Type{Kind: sheet.Rec, Kin: n.plans})
	price := sheet.Type{Kind: sheet.Number, Dim: quantity.Dim{quantity.Dollar: 1, quantity.Second: -1}}
	power := sheet.Type{Kind: sheet.Number, Dim: quantity.Dim{quantity.Joule: 1, quantity.Second: -1}}
	return []*sheet.Func{
		{Name: "serving_bill", Params: []sheet.Param{plan, param("price", price), param("power", power)},
			Result: sheet.Type{Kind: sheet.Rec, Kin: n.bills}, Work: 1 << 7,
			Doc: "What a million tokens of a plan cost, prompts, cached prompts and answers apart. Prompts pay for the time that " +
				"they add to steps, or for the chips that prefill; answers pay for the rest.",
			Call: func(a []sheet.Value) (sheet.Value, error) {
				return n.bill(a[0].Record.Of.(*served), a[1].Num.Value, a[2].Num.Value)
			}},
		{Name: "serving_fleet", Params: []sheet.Param{param("trace", text), param("interval", seconds), param("rate", perSecond), count("chips")},
			Result: sheet.Type{Kind: sheet.Rec, Kin: n.fleets},
			Doc: "How many replicas a trace of request rates needs, such as \"2 8 20 6\" a second, one for each interval, if one " +
				"of so many chips keeps its limits up to a rate.",
			Call: n.fleet},
		{Name: "serving_measured", Params: []sheet.Param{param("m", sheet.Type{Kind: sheet.Rec, Kin: n.models}), param("chip", sheet.Type{Kind: sheet.Rec}),
			count("in"), count("out"), param("weights", dtype)}, Result: sheet.ListOf(sheet.Type{Kind: sheet.Rec, Kin: n.points}),
			Doc:    "What others measured of a model on a chip at these lengths, each engine's best points; an empty list if nobody did.",
			Source: measuredSource, Call: n.measured},
	}
}

// bill is what a million tokens of a plan cost.
func (n *servings) bill(p *served, price, power float64) (sheet.Value, error) {
	if price < 0 || power < 0 {
		return sheet.Value{}, &law.Error{What: "a price or a power below zero", Remedy: "give 0 or more"}
	}
	money, energy := p.bill(price), p.bill(power)
	x := fill(n.bills, "a million tokens")
	for name, v := range map[string]float64{
		"input": money.Input, "cached": money.Cached, "output": money.Output, "request": money.Total(p.wish.Load),
		"input_energy": energy.Input, "cached_energy": energy.Cached, "output_energy": energy.Output, "power": energy.Output,
	} {
		x.num(name, v)
	}
	return x.value(), nil
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
	for word := range strings.FieldsFuncSeq(a[0].Text, func(r rune) bool { return r == ' ' || r == ',' || r == ';' || r == '\n' }) {
		rate, err := strconv.ParseFloat(word, 64)
		if err != nil || !(rate >= 0 && rate <= 1e9) {
			return sheet.Value{}, &law.Error{What: strconv.Quote(word) + " is no rate", Remedy: "write numbers with spaces between them, such as 2 8 20 6"}
		}
		trace = append(trace, rate)
	}
	interval, rate, chips := a[1].Num.Value, a[2].Num.Value, a[3].Num.Value
	if len(trace) == 0 || len(trace) > mostTrace || !(interval > 0) || !(rate > 0) {
		return sheet.Value{}, &law.Error{What: "a trace of " + strconv.Itoa(len(trace)) + " rates",
			Remedy: "write 1 to 10000 rates, an interval and a rate of a replica above 0"}
	}
	f := serving.NewFleet(trace, interval, rate)
	x := fill(n.fleets, "a fleet")
	x.num("peak", f.Peak)
	x.num("mean", f.Mean)
	x.num("hours", f.Hours*chips)
	x.num("standing", f.Peak*float64(len(trace))*interval/3600*chips)
	return x.value(), nil
}
