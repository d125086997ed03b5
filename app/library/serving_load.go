//go:build !lean

package library

import (
	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/serving"
	"github.com/scalebook/scalebook/app/sheet"
)

// closed is what c requests under way see.
func (n *servings) closed(a []sheet.Value) (sheet.Value, error) {
	p, c := plan(a[0]), a[1].Num.Value
	if !(c >= 1 && c <= 1e7) {
		return sheet.Value{}, &law.Error{What: a[1].Num.String() + " under way", Remedy: "give 1 to 10 million requests"}
	}
	x := n.fill("load", a[1].Num.String()+" under way", "")
	l, copies := serving.Latency{}, 1.0
	if p.Apart {
		l = p.split().Closed(c, p.wish.Load)
		l.Running /= p.Replicas
		l.Admitted /= p.Replicas
	} else {
		copies = min(p.Replicas, c) // those that have anything to do
		l = p.decode.Closed(c/copies, p.wish.Load)
		x.nums("client step prompt others queue", l.First.Request, l.First.Step, l.First.Prompt, l.First.Others,
			l.First.Queue)
	}
	x.nums("ttft tpot e2e output rate running admitted", l.TTFT, l.TPOT, l.E2E, l.Output*copies, l.Requests*copies,
		l.Running, l.Admitted)
	return x.value(), nil
}

// open is what requests see that come at a rate.
func (n *servings) open(a []sheet.Value) (sheet.Value, error) {
	p, rate, spread := plan(a[0]), a[1].Num.Value, a[2].Num.Value
	if !(rate > 0 && rate <= 1e9 && spread >= 0 && spread <= 100) {
		return sheet.Value{}, &law.Error{What: "a rate of " + a[1].Num.String(),
			Remedy: "give a rate above 0, and lengths that vary by 0 to 100 times their mean"}
	}
	q := p.queue(rate, spread)
	if q.Wait < 1e-9 { // nobody sees it
		q.Wait = 0
	}
	return n.fill("queue", a[1].Num.String(),
		"ttft ttft_p50 ttft_p90 ttft_p99 tpot tpot_p90 tpot_p99 e2e e2e_p90 e2e_p99 wait running capacity busy output",
		q.TTFT.Mean, q.TTFT.P50, q.TTFT.P90, q.TTFT.P99, q.TPOT.Mean, q.TPOT.P90, q.TPOT.P99, q.E2E.Mean, q.E2E.P90,
		q.E2E.P99, q.Wait, q.Running, q.Capacity*p.lines(), q.Busy, q.Output*p.lines()).value(), nil
}

// largest is the largest rate of requests that are served in time.
func (n *servings) largest(a []sheet.Value) (sheet.Value, error) {
	p := plan(a[0])
	rate := p.line().Largest(serving.Arrivals{}, a[1].Num.Value, a[2].Num.Value) * p.lines()
	if rate <= 0 {
		return sheet.Value{}, &law.Error{What: "not even a single request is in time",
			Remedy: "allow more time, or choose a faster plan"}
	}
	v := counted(rate, "request")
	v.Num.Dim = n.typ("1/s").Dim
	return v, nil
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
