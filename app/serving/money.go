package serving

import "math"

// Bill is what serving costs, a million tokens of each kind: prompts computed, prompts found in the cache, and answers.
type Bill struct{ Input, Cached, Output float64 }

// Bill is what a replica's tokens cost at a price of its chips (dollars a chip and second, or watts for joules):
// prompts pay for the time that they add to steps, answers for the rest. Cached tokens pay for being looked at. The
// whole is what the chips cost, so that it adds up over a request.
func (r *Replica) Bill(price float64, a Latency, l Load) Bill {
	const million = 1e6
	if a.Requests <= 0 {
		return Bill{}
	}
	chips := price * float64(r.Chips())
	request := chips / a.Requests
	alone := r.prompting(a.Running, 1, l, max(l.Verify, 1))
	burst := r.burst(l, a.E2E-a.TTFT, a.Running*alone.each)
	there := max(min(burst*a.Running, r.Chunk/l.fresh()*float64(r.DP)), 1)
	all := r.prompting(a.Running, there, l, max(l.Verify, 1)).each
	short := l
	short.In, short.Hit = l.fresh(), 0
	fresh := min(r.prompting(a.Running, there, short, max(l.Verify, 1)).each, all)
	b := Bill{Input: chips * fresh / l.fresh() * million}
	if cached := l.In - l.fresh(); cached > 0 {
		b.Cached = chips * (all - fresh) / cached * million
	}
	b.Output = max(request-chips*all, 0) / l.Out * million
	return b
}

// Total is what a request costs.
func (b Bill) Total(l Load) float64 {
	const million = 1e6
	return (b.Input*l.fresh() + b.Cached*(l.In-l.fresh()) + b.Output*l.Out) / million
}

// Fleet is the replicas that a trace of rates needs, each of which keeps its limits up to a rate of its own.
type Fleet struct {
	Peak, Mean float64 // replicas
	Hours      float64 // replica-hours, if the fleet follows the trace
}

// NewFleet follows a trace of request rates, one for each interval of so many seconds.
func NewFleet(trace []float64, interval, perReplica float64) Fleet {
	var f Fleet
	for _, rate := range trace {
		n := math.Ceil(rate / perReplica)
		f.Peak, f.Mean, f.Hours = max(f.Peak, n), f.Mean+n/float64(len(trace)), f.Hours+n*interval/3600
	}
	return f
}

// Bill is what the tokens of prefill and decode apart cost: prompts pay for the chips that prefill, cached tokens for
// being looked at there, answers for the chips that decode.
func (s Split) Bill(price float64, a Latency, l Load) Bill {
	const million = 1e6
	if a.Requests <= 0 {
		return Bill{}
	}
	prompts := price * s.Prefills * float64(s.Prefill.Chips()) / a.Requests
	short := l
	short.In, short.Hit = l.fresh(), 0
	fresh := min(s.prompt(1, short).each/s.prompt(1, l).each, 1) * prompts
	b := Bill{Input: fresh / l.fresh() * million,
		Output: price * s.Decodes * float64(s.Decode.Chips()) / a.Requests / l.Out * million}
	if cached := l.In - l.fresh(); cached > 0 {
		b.Cached = (prompts - fresh) / cached * million
	}
	return b
}
