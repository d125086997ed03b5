package serving

import "math"

// Line is where requests that come by themselves wait: a replica, or prefill and decode apart, priced once for all
// rates.
type Line struct {
	chain
	load  Load
	first func(in Arrivals, running float64) (mean, deviation float64) // time to the first token, once admitted
}

// Line prices the states of a replica that is asked for the load l, once for all rates of requests.
func (r *Replica) Line(l Load) *Line { return r.line(l, map[float64]Latency{}) }

// line is Line, with states that replicas share which differ in their limits of memory and requests alone: those with
// fewer than both.
func (r *Replica) line(l Load, shared map[float64]Latency) *Line {
	calm := r.calm()
	calm.random = true
	places := calm.admit(longest, l)
	free := min(places, calm.Fit(l))
	closed := func(n float64) Latency {
		a, is := shared[n]
		if !is || n > free {
			a = calm.Closed(n, l)
		}
		if n <= free {
			shared[n] = a
		}
		return a
	}
	n := &Line{chain: newChain(places, longest, closed), load: l}
	n.first = func(in Arrivals, running float64) (mean, deviation float64) { return calm.first(in, l, running) }
	return n
}

// calm is r as requests that come by themselves meet it: none of them come together, and no client of a benchmark is in
// the way.
func (r *Replica) calm() *Replica {
	calm := *r
	calm.Together, calm.Wave, calm.Crowd, calm.Request = 0, 0, 0, r.Ingest
	return &calm
}

// first is the time to the first token at so many under way. A prompt waits for the step that runs when it comes, half
// of one, and shares the next with those that came meanwhile; steps of d and each a prompt take d/(1 - rate each) on
// average. Where a step has no memory for all of them, prompts wait as for a server of that many places (Sakasegawa's
// law, halved because all steps that are full take as long).
func (r *Replica) first(in Arrivals, l Load, running float64) (mean, deviation float64) {
	width, pp := max(l.Verify, 1), float64(r.PP)
	p, full := r.prompting(running, 1, l, width), r.prompting(running, math.Inf(1), l, width)
	step, low, others := p.decode, 0.0, in.Rate*full.mixed // time of a step, and prompts that come during one
	for high := others; high-low > 1e-6*high; {
		others = (low + high) / 2
		p = r.prompting(running, joining(others/pp, most*longest), l, width)
		step = full.mixed
		if idle := 1 - in.Rate*p.each; idle*step > p.decode {
			step = p.decode / idle
		}
		if in.Rate*step > others {
			low = others
		} else {
			high = others
		}
	}
	if in.Even {
		others = max(others-1, 0)
	}
	own := r.prompting(running, 1+others/pp, l, width)
	busy := -math.Expm1(-running) // as likely one runs when a request comes
	base := r.Request + (r.gather()+(r.Ahead+r.held(in.Rate*p.decode))*busy)*p.decode + own.whole
	if !in.Even {
		load := min(in.Rate*full.mixed*full.fewest, 0.97)
		servers := full.capacity * pp // each with a prompt for so many steps
		base += crowd(load, servers) * servers * full.fewest * full.mixed / 2
	}
	deviation = math.Hypot(step/math.Sqrt(12), math.Sqrt(2*others)*p.each)
	return base + busy*step/2 + in.Rate*p.each/2*p.each, deviation
}

// crowd is how long those wait that come at random for one of several servers, each busy for so much of the time, in
// services (Sakasegawa); half of it if all services take as long.
func crowd(busy, servers float64) float64 {
	return math.Pow(busy, math.Sqrt(2*(servers+1))) / servers / (1 - busy)
}

// Line prices the states of prefill and decode apart.
func (s Split) Line(l Load) *Line {
	calm := s
	calm.Prefill, calm.Decode = s.Prefill.calm(), s.Decode.calm()
	places := calm.admit(longest*s.Decodes, l)
	n := &Line{chain: newChain(places, places, func(n float64) Latency { return calm.Closed(n, l) }), load: l}
	queue := calm.queue(math.Inf(1), l)
	n.first = func(in Arrivals, running float64) (mean, deviation float64) {
		wait, step := queue.meets(in.Rate)
		return queue.fixed + wait + step + calm.joins(running, calm.decodeStep(running, l)), wait
	}
	return n
}

// Lines are where requests wait that options of a spec serve. What options of one plan share is priced once.
type Lines struct {
	spec   Spec
	states map[Plan]map[float64]Latency
}

// Lines begins with no option.
func (w Spec) Lines() *Lines { return &Lines{w, map[Plan]map[float64]Latency{}} }

// Line is where requests wait that an option serves, each replica with no more of them at once than its batch; nil if
// the option is none of w's. Together, it is that of one replica.
func (w Spec) Line(o Option) *Line { return w.Lines().Of(o) }

// Of is Spec.Line.
func (s *Lines) Of(o Option) *Line {
	w := &s.spec
	limited := w.Engine
	limited.Offload = o.Offload
	limited.Sequences = math.Ceil(o.Batch / float64(o.Plan.full().DP))
	decode, err := NewReplica(w.Shape, w.Chip, o.Plan, w.Constants, limited)
	if err != nil {
		return nil
	}
	if !o.Apart {
		if o.Offload > 0 { // as much as its batch asks for
			return decode.Line(w.Load)
		}
		if s.states[o.Plan] == nil {
			s.states[o.Plan] = map[float64]Latency{}
		}
		return decode.line(w.Load, s.states[o.Plan])
	}
	prefill, err := NewReplica(w.Shape, w.Chip, o.Prompts, w.Constants, w.Engine)
	if err != nil {
		return nil
	}
	return Split{Prefill: prefill, Decode: decode, Prefills: o.Prefills, Decodes: o.Replicas}.Line(w.Load)
}

// Capacity is the largest rate of requests that lasts.
func (n *Line) Capacity() float64 { return n.capacity() }

// Queue answers for a load. The larger the rate the longer the wait; above capacity it has no end.
func (n *Line) Queue(in Arrivals) Queue {
	if in.Rate >= n.capacity() {
		return n.flooded(in)
	}
	q := n.solve(in)
	first, deviation := n.first(in, q.Running)
	l := n.load
	above := func(z float64) float64 { return first + z*deviation + q.Wait*(1+z) }
	q.TTFT = Percentiles{Mean: first + q.Wait, P50: first + q.Wait/2, P90: above(1.28), P99: above(2.33)}
	q.TPOT = spread(q.TPOT.Mean, 0.02)
	q.E2E = spread(first+q.TPOT.Mean*(l.Out-1), math.Hypot(in.Spread, 0.03))
	q.Running = in.Rate * q.E2E.Mean
	for _, x := range []*float64{&q.E2E.Mean, &q.E2E.P50, &q.E2E.P90, &q.E2E.P99} {
		*x += q.Wait
	}
	q.Output = in.Rate * l.Out
	return q
}

// spread is percentiles of a bell of the given coefficient of variation.
func spread(mean, cv float64) Percentiles {
	return Percentiles{mean, mean, mean * (1 + 1.28*cv), mean * (1 + 2.33*cv)}
}

// flooded is the fluid law for a load above capacity, over its duration.
func (n *Line) flooded(in Arrivals) Queue {
	q := Queue{Capacity: n.capacity(), Busy: in.Rate / n.capacity(), Running: n.most}
	s, T := n.state(n.most), in.Duration
	if T == 0 {
		T = 3600
	}
	late := T * (q.Busy - 1)
	q.Wait = late / 2
	uniform := func(base float64) Percentiles {
		return Percentiles{base + late/2, base + late/2, base + 0.9*late, base + 0.99*late}
	}
	q.TTFT, q.E2E, q.TPOT = uniform(s.TTFT), uniform(s.E2E), spread(s.TPOT, 0.02)
	q.Output = q.Capacity * n.load.Out
	return q
}

// Largest is the largest rate at which requests still see their first token and their tokens in time, on average; 0 if
// even a single one doesn't. Limits of 0 are none.
func (n *Line) Largest(in Arrivals, ttft, tpot float64) float64 {
	keeps := func(rate float64) bool {
		in.Rate = rate
		q := n.Queue(in)
		return (ttft == 0 || q.TTFT.Mean <= ttft) && (tpot == 0 || q.TPOT.Mean <= tpot)
	}
	low, high := 0.0, n.capacity()*0.999
	if keeps(high) {
		return high
	}
	for range 40 {
		if mid := (low + high) / 2; keeps(mid) {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}

// Replicas is how many replicas see to a rate of requests, that of all together, each of which goes to the least
// loaded: first tokens and tokens in time, and none of them busier than the given share; 0 if no number of them does.
func (n *Line) Replicas(in Arrivals, busy, ttft, tpot float64) float64 {
	rate := in.Rate
	keeps := func(copies float64) bool {
		in.Rate, in.Replicas = rate/copies, copies
		q := n.Queue(in)
		return (ttft == 0 || q.TTFT.Mean <= ttft) && (tpot == 0 || q.TPOT.Mean <= tpot)
	}
	least := max(math.Ceil(rate/(busy*n.capacity())-1e-9), 1)
	if ttft == 0 && tpot == 0 {
		return least
	}
	low, high := least-1, least
	for ; !keeps(high); high *= 2 {
		if high > 1e9*least {
			return 0
		}
		low = high
	}
	for high-low > 1 {
		if mid := math.Floor((low + high) / 2); keeps(mid) {
			high = mid
		} else {
			low = mid
		}
	}
	return high
}

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
	burst := r.burst(l, (l.Out-1)/max(l.Tokens, 1), a.Running*alone.steps)
	there := max(min(burst*a.Running, alone.capacity), a.Joining, 1)
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

// Total is what a request of the load l costs: the bill's prices are for a million tokens each.
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
