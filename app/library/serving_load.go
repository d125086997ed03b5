package library

import (
	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/serving"
	"github.com/scalebook/scalebook/app/sheet"
)

// loadFuncs answer for a load of a plan.
func (n *servings) loadFuncs() []*sheet.Func {
	plan := param("plan", sheet.Type{Kind: sheet.Rec, Kin: n.plans})
	spread := sheet.Param{Name: "spread", Type: plain, Optional: true}
	spread.Default = counted(0, "")
	return []*sheet.Func{
		{Name: "serving_closed", Params: []sheet.Param{plan, count("c")}, Result: sheet.Type{Kind: sheet.Rec, Kin: n.loads}, Work: 1 << 9,
			Doc: "What c requests see of a plan that are always under way, spread over its replicas, each replaced as it ends.",
			Call: func(a []sheet.Value) (sheet.Value, error) {
				return n.closed(a[0].Record.Of.(*served), a[1])
			}},
		{Name: "serving_open", Params: []sheet.Param{plan, param("rate", perSecond), spread},
			Result: sheet.Type{Kind: sheet.Rec, Kin: n.queues}, Work: 1 << 14,
			Doc: "What requests see of a plan that come at random at a rate, spread over its replicas: waiting, time to the first " +
				"token, time a token, and their percentiles. Above capacity the queue grows for an hour. spread is the " +
				"coefficient of variation of the answers' lengths.",
			Call: func(a []sheet.Value) (sheet.Value, error) {
				return n.open(a[0].Record.Of.(*served), a[1], a[2].Num.Value)
			}},
		{Name: "serving_rate", Params: []sheet.Param{plan, param("ttft", seconds), param("tpot", seconds)}, Result: perSecond, Work: 1 << 15,
			Doc: "The largest rate of requests at which a plan still gives the first token and each token in time, on average. " +
				"0 s is no limit.",
			Call: func(a []sheet.Value) (sheet.Value, error) {
				p := a[0].Record.Of.(*served)
				rate := p.line().Largest(serving.Arrivals{}, a[1].Num.Value, a[2].Num.Value) * p.lines()
				if rate <= 0 {
					return sheet.Value{}, &law.Error{What: "not even a single request is in time", Remedy: "allow more time, or choose a faster plan"}
				}
				v := a[1]
				v.Num.Value, v.Num.Dim, v.Num.Label.Over = rate, perSecond.Dim, "request"
				return v, nil
			}},
	}
}

// closed is what c requests under way see.
func (n *servings) closed(p *served, c sheet.Value) (sheet.Value, error) {
	if !(c.Num.Value >= 1 && c.Num.Value <= 1e7) {
		return sheet.Value{}, &law.Error{What: c.Num.String() + " under way", Remedy: "give 1 to 10 million requests"}
	}
	x := fill(n.loads, c.Num.String()+" under way")
	a, copies := serving.Latency{}, 1.0
	if p.Apart {
		a = p.split().Closed(c.Num.Value, p.wish.Load)
		a.Running /= p.Replicas
		a.Admitted /= p.Replicas
	} else {
		copies = min(p.Replicas, c.Num.Value) // those that have anything to do
		a = p.decode.Closed(c.Num.Value/copies, p.wish.Load)
		for name, t := range map[string]float64{"client": a.First.Request, "step": a.First.Step, "prompt": a.First.Prompt,
			"others": a.First.Others, "queue": a.First.Queue} {
			x.num(name, t)
		}
	}
	for name, v := range map[string]float64{"ttft": a.TTFT, "tpot": a.TPOT, "e2e": a.E2E, "output": a.Output * copies,
		"rate": a.Requests * copies, "running": a.Running, "admitted": a.Admitted} {
		x.num(name, v)
	}
	return x.value(), nil
}

// open is what requests see that come at a rate.
func (n *servings) open(p *served, rate sheet.Value, spread float64) (sheet.Value, error) {
	if !(rate.Num.Value > 0 && rate.Num.Value <= 1e9) || !(spread >= 0 && spread <= 100) {
		return sheet.Value{}, &law.Error{What: "a rate of " + rate.Num.String(),
			Remedy: "give a rate above 0, and lengths that vary by 0 to 100 times their mean"}
	}
	q, x := p.queue(rate.Num.Value, spread), fill(n.queues, rate.Num.String())
	for name, v := range map[string]float64{
		"ttft": q.TTFT.Mean, "ttft_p50": q.TTFT.P50, "ttft_p90": q.TTFT.P90, "ttft_p99": q.TTFT.P99,
		"tpot": q.TPOT.Mean, "tpot_p90": q.TPOT.P90, "tpot_p99": q.TPOT.P99, "e2e": q.E2E.Mean, "e2e_p90": q.E2E.P90, "e2e_p99": q.E2E.P99,
		"wait": q.Wait, "running": q.Running, "capacity": q.Capacity * p.lines(), "busy": q.Busy, "output": q.Output * p.lines(),
	} {
		x.num(name, v)
	}
	return x.value(), nil
}

// queue is what requests see of a plan at a rate over all its replicas.
func (p *served) queue(rate, spread float64) serving.Queue {
	return p.line().Queue(serving.Arrivals{Rate: rate / p.lines(), Spread: spread})
}

// FirstToken is the time to the first token at a rate over all replicas, for figures.
func (p *served) FirstToken(rate float64) (mean, p90, p99 float64) {
	f := p.queue(rate, 0).TTFT
	return f.Mean, f.P90, f.P99
}

// Capacity is the rate over all replicas above which the queue grows without end.
func (p *served) Capacity() float64 { return p.line().Capacity() * p.lines() }
