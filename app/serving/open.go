package serving

import "math"

// Arrivals are requests that come by themselves, at a rate that doesn't care for those under way.
type Arrivals struct {
	Rate     float64 // requests a second
	Even     bool    // evenly spaced; otherwise at random (Poisson)
	Duration float64 // seconds that the load lasts, which matters where it is too much; 0 means an hour
	Spread   float64 // coefficient of variation of the answers' lengths
}

// Percentiles are the mean of something and what half, nine in ten and 99 in 100 stay below.
type Percentiles struct{ Mean, P50, P90, P99 float64 }

// Queue is what requests of an open loop see, in seconds.
type Queue struct {
	TTFT, E2E, TPOT Percentiles
	Wait            float64 // before a request is admitted, on average
	Running         float64 // requests under way, on average
	Capacity        float64 // the rate above which the queue grows without end
	Output          float64 // tokens a second
	Busy            float64 // rate over capacity
}

// longest is the most requests that the chain tells apart; beyond it the rate of service is that of the last.
const longest = 1024

// Open answers for a load that comes by itself. The replica is a birth-death chain: n requests under way leave at the rate
// at which a closed loop of n would be served, each with all its prompts and steps (the flow-equivalent server of a
// network of queues), so that the chain's throughput at n is exact on average whatever is inside:
//
//	p(n) = p(n-1) rate/X(n),    X(n) = Closed(n).Requests for n up to N, X(N) beyond
//
// Those beyond N wait. Arrivals at random see the state as it is on average. Above capacity the queue grows for as long as
// the load lasts: the mean wait is half the duration times (rate/capacity - 1).
func (r *Replica) Open(in Arrivals, l Load) Queue {
	calm := r.calm()
	c := calm.chain(l)
	if in.Rate >= c.capacity() {
		return calm.flooded(in, l, c)
	}
	q := c.solve(in)
	q.percentiles(calm, in, l, c)
	return q
}

// calm is r as requests that come by themselves meet it: none of them come together, and no client of a benchmark is in the way.
func (r *Replica) calm() *Replica {
	calm := *r
	calm.Together, calm.Request = 0, r.Ingest
	return &calm
}

// chain is the states of a replica: what a closed loop of so many requests sees, at some numbers of them.
type chain struct {
	at     []float64
	closed []Latency
	most   float64 // requests that may run at once
}

// chain prices the states: all small ones, and a few of the large.
func (r *Replica) chain(l Load) chain {
	c := chain{most: r.admit(longest, l)}
	for n := 1.0; n < c.most; n = math.Max(n+1, math.Floor(n*1.08)) {
		c.add(n, r.Closed(n, l))
	}
	c.add(c.most, r.Closed(c.most, l))
	return c
}

func (c *chain) add(n float64, a Latency) {
	c.at, c.closed = append(c.at, n), append(c.closed, a)
}

// capacity is the largest rate of service that lasts: that of the state that serves most.
func (c chain) capacity() float64 {
	most := 0.0
	for _, a := range c.closed {
		most = max(most, a.Requests)
	}
	return most
}

// state is what a closed loop of n sees, between the priced states on a line.
func (c chain) state(n float64) Latency {
	n = min(max(n, 1), c.most)
	i := 0
	for i+1 < len(c.at)-1 && c.at[i+1] <= n {
		i++
	}
	if len(c.at) == 1 {
		return c.closed[0]
	}
	a, b, f := c.closed[i], c.closed[i+1], (n-c.at[i])/(c.at[i+1]-c.at[i])
	mix := func(x, y float64) float64 { return x + (y-x)*f }
	return Latency{TTFT: mix(a.TTFT, b.TTFT), TPOT: mix(a.TPOT, b.TPOT), E2E: mix(a.E2E, b.E2E), Requests: mix(a.Requests, b.Requests), Decode: mix(a.Decode, b.Decode)}
}

// solve finds the mean state. Evenly spaced arrivals settle where what comes is what leaves; random ones spread by the chain.
func (c chain) solve(in Arrivals) Queue {
	q := Queue{Capacity: c.capacity(), Busy: in.Rate / c.capacity()}
	if in.Even {
		q.Running = c.settle(in.Rate)
		return q
	}
	p, sum, inside, waiting := 1.0, 1.0, 0.0, 0.0
	for n := 1.0; n < 64*longest; n++ {
		p *= in.Rate / c.state(n).Requests
		if p > 1e200 {
			p, sum, inside, waiting = p/1e200, sum/1e200, inside/1e200, waiting/1e200
		}
		sum, inside, waiting = sum+p, inside+p*min(n, c.most), waiting+p*max(n-c.most, 0)
		if n > c.most && p < 1e-12*sum {
			break
		}
	}
	q.Running, q.Wait = inside/sum, waiting/sum/in.Rate
	return q
}

// settle is the number under way at which requests leave as fast as they come.
func (c chain) settle(rate float64) float64 {
	low, high := 0.0, c.most
	for range 50 {
		n := (low + high) / 2
		if min(n, 1)*c.state(n).Requests < rate {
			low = n
		} else {
			high = n
		}
	}
	return high
}

// percentiles fills in what requests see. A prompt waits for the step that runs when it comes, half of one, and shares the
// next with those that came meanwhile; steps of d and each a prompt take d/(1 - rate each) on average.
func (q *Queue) percentiles(r *Replica, in Arrivals, l Load, c chain) {
	s := c.state(q.Running)
	p := r.prompting(q.Running, 1, l, max(l.Verify, 1))
	step := p.decode / max(1-in.Rate*p.each, 0.01)
	others := in.Rate * step // that come during a step
	if in.Even {
		others = max(others-1, 0)
	}
	base := r.Request + r.gather()*p.decode + p.whole
	deviation := math.Hypot(step/math.Sqrt(12), math.Sqrt(2*others)*p.each)
	first := base + step/2 + (others+in.Rate*p.each/2)*p.each
	first99 := func(z float64) float64 { return first + z*deviation + q.Wait*(1+z) }
	q.TTFT = Percentiles{Mean: first + q.Wait, P50: first + q.Wait/2, P90: first99(1.28), P99: first99(2.33)}
	q.TPOT = spread(s.TPOT, 0.02)
	q.E2E = spread(first+s.TPOT*(l.Out-1), math.Hypot(in.Spread, 0.03))
	for _, x := range []*float64{&q.E2E.Mean, &q.E2E.P50, &q.E2E.P90, &q.E2E.P99} {
		*x += q.Wait
	}
	q.Output = in.Rate * l.Out
}

// spread is percentiles of a bell of the given coefficient of variation.
func spread(mean, cv float64) Percentiles {
	return Percentiles{mean, mean, mean * (1 + 1.28*cv), mean * (1 + 2.33*cv)}
}

// flooded is the fluid law for a load above capacity, over its duration.
func (r *Replica) flooded(in Arrivals, l Load, c chain) Queue {
	q := Queue{Capacity: c.capacity(), Busy: in.Rate / c.capacity(), Running: c.most}
	s, T := c.state(c.most), in.Duration
	if T == 0 {
		T = 3600
	}
	late := T * (q.Busy - 1)
	q.Wait = late / 2
	uniform := func(base float64) Percentiles {
		return Percentiles{base + late/2, base + late/2, base + 0.9*late, base + 0.99*late}
	}
	q.TTFT, q.E2E, q.TPOT = uniform(s.TTFT), uniform(s.E2E), spread(s.TPOT, 0.02)
	q.Output = q.Capacity * l.Out
	return q
}

// Largest is the largest rate at which requests still see their first token and their tokens in time, on average; 0 if
// even a single one doesn't. Limits of 0 are none.
func (r *Replica) Largest(in Arrivals, l Load, ttft, tpot float64) float64 {
	calm := r.calm()
	c := calm.chain(l)
	keeps := func(rate float64) bool {
		in.Rate = rate
		q := c.solve(in)
		q.percentiles(calm, in, l, c)
		return (ttft == 0 || q.TTFT.Mean <= ttft) && (tpot == 0 || q.TPOT.Mean <= tpot)
	}
	low, high := 0.0, c.capacity()*0.999
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
