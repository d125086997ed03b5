package library

import (
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/serving"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// closed is what c requests under way see.
func (n *servings) closed(a []value.Value) (value.Value, error) {
	p, c := plan(a[0]), a[1].Num.Value
	if !(c >= 1 && c <= 1e7) {
		return value.Value{}, phrase.Fault{What: phrase.New("library.under-way", "n", a[1].Num),
			Remedy: phrase.New("library.give-requests")}
	}
	x := n.fill("load", phrase.New("library.under-way", "n", a[1].Num), nil)
	l, copies := serving.Latency{}, 1.0
	if p.Apart {
		l = p.split().Closed(c, p.wish.Load)
		l.Running /= p.Replicas
		l.Admitted /= p.Replicas
	} else {
		copies = min(p.Replicas, c) // those that have anything to do
		l = p.decode.Closed(c/copies, p.wish.Load)
		x.nums([]named{{"client", l.First.Request}, {"step", l.First.Step}, {"prompt", l.First.Prompt},
			{"others", l.First.Others}, {"queue", l.First.Queue}})
	}
	x.nums([]named{{"ttft", l.TTFT}, {"tpot", l.TPOT}, {"e2e", l.E2E}, {"output", l.Output * copies},
		{"rate", l.Requests * copies}, {"running", l.Running}, {"admitted", l.Admitted}})
	return x.value(), nil
}

// open is what requests see that come at a rate.
func (n *servings) open(a []value.Value) (value.Value, error) {
	p, rate, spread := plan(a[0]), a[1].Num.Value, a[2].Num.Value
	if !(rate > 0 && rate <= 1e9 && spread >= 0 && spread <= 100) {
		return value.Value{}, phrase.Fault{What: phrase.New("library.rate-of", "rate", a[1].Num),
			Remedy: phrase.New("library.give-rate")}
	}
	q := p.queue(rate, spread)
	if q.Wait < 1e-9 { // nobody sees it
		q.Wait = 0
	}
	return n.fill("queue", a[1].Num, []named{
		{"ttft", q.TTFT.Mean}, {"ttft_p50", q.TTFT.P50}, {"ttft_p90", q.TTFT.P90}, {"ttft_p99", q.TTFT.P99},
		{"tpot", q.TPOT.Mean}, {"tpot_p90", q.TPOT.P90}, {"tpot_p99", q.TPOT.P99}, {"e2e", q.E2E.Mean},
		{"e2e_p90", q.E2E.P90}, {"e2e_p99", q.E2E.P99}, {"wait", q.Wait}, {"running", q.Running},
		{"capacity", q.Capacity * p.lines()}, {"busy", q.Busy}, {"output", q.Output * p.lines()},
	}).value(), nil
}

// largest is the largest rate of requests that are served in time.
func (n *servings) largest(a []value.Value) (value.Value, error) {
	p := plan(a[0])
	rate := p.line().Largest(serving.Arrivals{Replicas: p.lines()}, a[1].Num.Value, a[2].Num.Value) * p.lines()
	if rate <= 0 {
		return value.Value{}, phrase.Fault{What: phrase.New("library.nothing-in-time"),
			Remedy: phrase.New("library.allow-more-time")}
	}
	v := counted(rate, "request")
	v.Num.Dim = fieldType("1/s").Dim
	return v, nil
}

// queue is what requests see of a plan at a rate over all its replicas.
func (p *served) queue(rate, spread float64) serving.Queue {
	return p.line().Queue(serving.Arrivals{Rate: rate / p.lines(), Spread: spread, Replicas: p.lines()})
}

// FirstToken is the time to the first token at a rate over all replicas, for figures.
func (p *served) FirstToken(rate float64) (mean, p90, p99 float64) {
	f := p.queue(rate, 0).TTFT
	return f.Mean, f.P90, f.P99
}

// Capacity is the rate over all replicas above which the queue grows without end.
func (p *served) Capacity() float64 { return p.line().Capacity() * p.lines() }
