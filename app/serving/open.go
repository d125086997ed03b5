package serving

import "math"

// Arrivals are requests that come by themselves, at a rate that doesn't care for those under way.
type Arrivals struct {
	Rate     float64 // requests a second
	Even     bool    // evenly spaced; otherwise at random (Poisson)
	Duration float64 // seconds that the load lasts, which matters where it is too much; 0 means an hour
	Spread   float64 // coefficient of variation of the answers' lengths
	Replicas float64 // that share them, each to the one with the fewest under way; Rate is that of one. 0 means 1
}

// Percentiles are the mean of something and what half, nine in ten and 99 in 100 stay below.
type Percentiles struct{ Mean, P50, P90, P99 float64 }

// Add adds what a share of all requests sees. Means then are exact, percentiles those of loads that hardly differ.
func (p *Percentiles) Add(q Percentiles, share float64) {
	p.Mean, p.P50 = p.Mean+share*q.Mean, p.P50+share*q.P50
	p.P90, p.P99 = p.P90+share*q.P90, p.P99+share*q.P99
}

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

// Open answers for a load that comes by itself. The replica is a birth-death chain: n requests under way leave at the
// rate at which a closed loop of n would be served, each with all its prompts and steps (the flow-equivalent server of
// a network of queues), so that the chain's throughput at n is exact on average whatever is inside:
//
//	p(n) = p(n-1) rate/X(n),    X(n) = Closed(n).Requests for n up to N, X(N) beyond
//
// Those beyond N wait. Replicas that share arrivals, each given to the least loaded, all have as many under way: they
// are one chain, whose R n requests leave at R X(n), so that none waits while another has room. Arrivals at random see
// the state as it is on average. Above capacity the queue grows for as long as the load lasts: the mean wait is half
// the duration times (rate/capacity - 1).
func (r *Replica) Open(in Arrivals, l Load) Queue { return r.Line(l).Queue(in) }

// chain is the states of a replica: what a closed loop of so many requests sees, at some numbers of them.
type chain struct {
	at     []float64
	closed []Latency
	most   float64 // requests that may run at once
}

// newChain prices the states up to most: all small ones, and a few of the large.
func newChain(most float64, closed func(n float64) Latency) chain {
	c := chain{most: most}
	for n := 1.0; n < most; n = math.Max(n+1, math.Floor(n*1.08)) {
		c.add(n, closed(n))
	}
	c.add(most, closed(most))
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
	a, b, f := c.between(n, 0)
	mix := func(x, y float64) float64 { return x + (y-x)*f }
	return Latency{TTFT: mix(a.TTFT, b.TTFT), TPOT: mix(a.TPOT, b.TPOT), E2E: mix(a.E2E, b.E2E),
		Requests: mix(a.Requests, b.Requests), Decode: mix(a.Decode, b.Decode)}
}

// between is the priced states on both sides of n, sought from the i-th on, and how far n is from the first to the
// second.
func (c chain) between(n float64, i int) (a, b *Latency, f float64) {
	n = min(max(n, 1), c.most)
	for i+1 < len(c.at)-1 && c.at[i+1] <= n {
		i++
	}
	if len(c.at) == 1 {
		return &c.closed[0], &c.closed[0], 0
	}
	return &c.closed[i], &c.closed[i+1], (n - c.at[i]) / (c.at[i+1] - c.at[i])
}

// solve finds the mean state. Evenly spaced arrivals settle where what comes is what leaves; random ones spread by the
// chain.
func (c chain) solve(in Arrivals) Queue {
	q := Queue{Capacity: c.capacity(), Busy: in.Rate / c.capacity()}
	if in.Even {
		q.Running = c.settle(in.Rate)
		return q
	}
	p, sum, inside := 1.0, 1.0, 0.0
	i, last, copies := 0, 0.0, c.pool(in.Replicas)
	for k := 1.0; k <= c.most*copies; k++ {
		n := k / copies
		for i+2 < len(c.at) && c.at[i+1] <= n {
			i++
		}
		a, b, f := c.between(n, i)
		last = (a.Requests + (b.Requests-a.Requests)*f) * min(n, 1) // below one each, some are idle
		p *= in.Rate / last
		if p > 1e200 {
			p, sum, inside = p/1e200, sum/1e200, inside/1e200
		}
		sum, inside = sum+p, inside+p*n
	}
	tail, waiting := c.tail(p, in.Rate/last)
	sum, inside = sum+tail, inside+tail*c.most
	q.Running, q.Wait = inside/sum, waiting/sum/(in.Rate*copies)
	return q
}

// pool is how many of the replicas that share arrivals are told apart: with thousands of places for requests, more of
// them hardly differ.
func (c chain) pool(replicas float64) float64 {
	const places = 4096
	return max(min(math.Floor(replicas), max(math.Floor(places/c.most), 4)), 1)
}

// tail is the probability of more requests than run at once, and how many of them wait, if p is that of as many as run
// and each further one is less likely by a factor: geometric sums. Where the factor isn't below 1, as in a replica that
// serves less when it is full, they end where nobody waits any more.
func (c chain) tail(p, factor float64) (all, waiting float64) {
	if factor < 1 {
		return p * factor / (1 - factor), p * factor / (1 - factor) / (1 - factor)
	}
	n := 64*longest - c.most
	return p * n, p * n * n / 2
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
