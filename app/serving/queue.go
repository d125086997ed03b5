package serving

import (
	"cmp"
	"math"
)

// Load is requests that are alike: In tokens of prompt, Out tokens of answer.
type Load struct {
	In, Out float64
	// of the lengths of answers: from the shortest to the longest, as a share of Out; 0 if all are alike
	Spread float64
	Hit    float64 // share of the prompt that is found in the cache of prefixes
	Tokens float64 // that a verified step yields a sequence, from Survival.Tokens; 0 means 1
	Verify float64 // tokens checked a sequence and step; 0 means 1
	Passes float64 // through a layer that guesses tokens, before each step; 0 where nothing is guessed
	Wide   float64 // tokens of a sequence in each of them; 0 means 1
	// requests that are sent in all, over those under way at a time; 0 means UsualWaves
	Waves float64
}

// UsualWaves is how many times as many requests the closed loops send that are published, as are under way at a time
// (SemiAnalysisAI/InferenceX: num_prompts is 10 times max-concurrency). Constants.Together is fitted to those.
const UsualWaves = 10

// fresh is the tokens of a prompt that must be computed, the last one always.
func (l Load) fresh() float64 { return max(l.In*(1-l.Hit), 1) }

// UsualSpread is how far lengths differ in the closed loops that are published: from four fifths of what is asked for
// to all of it (SemiAnalysisAI/InferenceX, random_range_ratio 0.8).
const UsualSpread = 0.2

// Latency is what a load's requests see on average, in seconds, and what the replica delivers.
type Latency struct {
	TTFT, TPOT, E2E float64
	Output          float64 // tokens a second, the whole replica
	Requests        float64 // a second
	Running         float64 // sequences that decode at a time
	Admitted        float64 // of the concurrency asked for, as memory and the engine's limit allow, and on their way
	Decode          float64 // seconds of a step without prompts
	// prompts that join a step which has any, but for bursts; of a replica that prefills and decodes
	Joining float64
	First   First // what TTFT is made of
}

// Prompting is the share of the steps' time that prompts take; none where other chips prefill.
func (a *Latency) Prompting() float64 {
	if a.Decode <= 0 || a.TPOT <= 0 {
		return 0
	}
	return min(max(1-a.Decode/a.TPOT, 0), 1)
}

// First is what the time to the first token is made of, in seconds. Its parts follow one another.
type First struct {
	Request float64 // the client, tokenising, transport
	Step    float64 // the step that runs when the request comes, and waiting for the other attention groups
	Prompt  float64 // its own prompt
	Others  float64 // prompts of others before it
	Queue   float64 // until it is admitted, where memory or the engine's limit leaves it out at first
}

// Total is the time to the first token.
func (f First) Total() float64 { return f.Request + f.Step + f.Prompt + f.Others + f.Queue }

// Closed answers for c requests that are always under way, each replaced as it ends.
//
// What happens is counted in steps, and then priced: chips that are faster take the same steps in less time. In its
// life of S steps each request is prefilled once: its own prompt, and the c - 1 others', pass by. A share of them comes
// in a burst; of those a request sees half before its first token, in steps in which those before it decode, so that a
// cycle counts each of these once. The rest it sees in the steps that are not its own prompt's:
//
//	TTFT = request + left + (ahead + held) step + own prompt + burst (c - 1)/2 crowded + (1 - burst) waiting mixed
//	TPOT = decode + burst/2 (c - 1) crowded/(out - 1) + passing added
//	passing = (1 - burst) min((c steps - own - waiting)/(out - 1 + missed + ahead + held), 1)
//
// with own the steps of its prompt, added and crowded the times that prompts add to steps that run anyway, missed the
// steps that begin before a client is back, left what is left of the last of them (Replica.missed), held the steps
// until the engine looks at a request, and waiting those that prompts before it fill: of c/S that end with a step some
// follow one another. All prompts that have come join the next step, as far as its budget of tokens holds them, and
// long ones the last step of those before them: if those of a life need more steps than there are in it even so, the
// others pass before the first token. Of requests that come by themselves (Replica.Open) most come in the longest step
// of a life, its prompt's, and pass in the next: all of them pass while it decodes, (c - 1) steps.
//
// Where the cache is full, some wait to be let in, and others, which have started, to go on; what they had is computed
// again. Then those that hold a place are never kept by requests that are still on their way: besides them as many are
// under way as come in the time of request and steps before a prompt.
func (r *Replica) Closed(c float64, l Load) Latency {
	held := r.hold(c, l)
	a := Latency{Admitted: held.running}
	outside := 0.0 // requests that are on their way to the engine, or wait for it to look at them
	width, tokens := max(l.Verify, 1), max(l.Tokens, 1)
	steps := max((l.Out-1)/tokens, 1e-9)
	n, others, burst, life, missed := a.Admitted, a.Admitted-1, r.Together, steps+1, 1.0
	a.Joining = 1
	for range 24 {
		alone, crowded := r.prompting(n, a.Joining, l, width), r.prompting(n, max(burst*a.Admitted, 1), l, width)
		alone.again(held.again / l.fresh())
		crowded.again(held.again / l.fresh())
		burst = r.burst(l, steps, others*crowded.steps)
		came, added := a.Admitted/life, alone.mixed-alone.decode
		until := min(others, 1)*(r.Ahead+r.held(came)) + r.gather()
		wait := burst / 2 * others * crowded.steps
		random := alone.queued(came*alone.fewest*others/a.Admitted, others)
		theirs, before := a.Admitted*alone.steps-alone.own, missed+until // steps of others' prompts, and before its own
		if r.random {
			theirs, before = others*alone.steps, 0
		}
		passing := (1 - burst) * min(max((theirs-random)/(steps+before), 0), 1)
		started, left := r.missed(alone, passing)
		missed = min(others, 1) * started
		a.Decode = alone.decode / tokens
		a.TPOT = a.Decode + min(wait/steps*(crowded.mixed-crowded.decode)+passing*added, added)/tokens
		ahead := others*((1-burst)*alone.least()+burst/2*crowded.steps) + alone.least()
		queue := max((1-burst)*random, ahead-missed-until-alone.pieces-steps)
		a.First = First{Request: r.Request, Step: min(others, 1)*left + until*(alone.decode+passing*added),
			Prompt: alone.whole, Others: wait*(crowded.mixed-crowded.decode) + queue*alone.mixed}
		a.TTFT = a.First.Total()
		a.E2E = a.TTFT + a.TPOT*(l.Out-1)
		join := joining(came*(1+r.gather()+r.Poll+r.Wait)/float64(r.PP), a.Admitted)
		if alone.pieces > 1 { // and those that have come while others fill steps
			join = min(max(join, 1/(1-min(came*alone.fewest, busiest))), a.Admitted)
		} else {
			join = min(join, alone.capacity)
		}
		settled := math.Abs(join-a.Joining) < 1e-2*a.Joining
		a.Joining = (a.Joining + join) / 2
		if before := a.Admitted; c > before || outside > 0 {
			away := a.First.Request + a.First.Step
			outside = min(held.running*away/(a.E2E-away), c-held.started)
			a.Admitted = held.running + outside
			settled = settled && math.Abs(a.Admitted-before) < 1e-3*before
		}
		lives := missed + max(1-others, 0)*r.Request/alone.decode + until + alone.pieces + queue + steps
		next := a.Admitted * steps / lives
		if settled && math.Abs(next-n) < 1e-3*n && math.Abs(lives-life) < 1e-3*lives {
			break
		}
		n, life = (n+next)/2, (life+lives)/2
	}
	if more := r.crammed(n, a, held.again, l) - a.E2E; more > 0 {
		a.First.Others += more
		a.TTFT, a.E2E = a.First.Total(), a.E2E+more
	}
	a.Requests = a.Admitted / a.E2E
	a.Running = a.Requests * a.TPOT * (l.Out - 1)
	if c > a.Admitted {
		a.First.Queue = (c - held.started - outside) / a.Requests
		a.TTFT = a.First.Total()
		a.TPOT += (held.started - held.running) / a.Requests / max(l.Out-1, 1)
		a.E2E = a.TTFT + a.TPOT*(l.Out-1)
	}
	a.Output = a.Requests * l.Out
	return a
}

// crammed is how long requests take at least, of which n seem to decode at a time: that in which steps hold all of
// their prompts, what is computed again included, with as many in a step as join it or as it holds. If that is longer
// than they seem to take, the fewer of them decode.
func (r *Replica) crammed(n float64, a Latency, again float64, l Load) float64 {
	width := max(l.Verify, 1)
	least := func(long float64) float64 {
		n := n * a.E2E / long
		some, full := r.prompting(n, a.Joining, l, width), r.prompting(n, math.Inf(1), l, width)
		return a.Admitted * min(some.steps*some.mixed, full.fewest*full.mixed) * (1 + again/l.fresh())
	}
	low, high := a.E2E, least(a.E2E)
	for high-low > 1e-6*high {
		if long := (low + high) / 2; least(long) > long {
			low = long
		} else {
			high = long
		}
	}
	return high
}

// Offline answers for a list of so many requests that are all there from the start, as many of which run at once as
// have room: wave after wave, since those that begin together end together, and at last those that are left. A list
// without an end (0) has full waves only.
func (r *Replica) Offline(l Load, requests float64) Latency {
	a := r.Closed(float64(most*r.DP), l)
	if requests <= 0 {
		return a
	}
	places := max(math.Floor(a.Admitted), 1)
	waves := math.Floor(requests / places)
	took := waves * places / a.Requests
	if left := requests - waves*places; left >= 1 {
		last := r.Closed(left, l)
		took += left / last.Requests
		if waves == 0 {
			a = last
		}
	}
	a.Requests = requests / took
	a.Output = a.Requests * l.Out
	return a
}

// most is the sequences that engines run at once on an attention group at the most, unless set otherwise.
const most = 2048

// burst is the share of a closed loop's requests that arrive together. Its first wave does. Whether the next ones do is
// up to the engine, as far as their ends aren't spread over more steps than their prompts take: ends that differ by a
// share of the decoding drift apart further with every wave.
func (r *Replica) burst(l Load, decoding, prompts float64) float64 {
	b := r.Together
	if prompts > 0 {
		b = r.Wave + (r.Together-r.Wave)*max(1-apart*l.Spread*decoding/prompts, 0)
	}
	if l.Waves > 0 && r.Together > 0 { // a first wave that is another share of all
		const usual = 1.0 / UsualWaves
		first := 1 / max(l.Waves, 1)
		b = first + (1-first)*max(b-usual, 0)/(1-usual)
	}
	return b
}

// apart is how far ends drift apart over the second to the tenth wave on average, against one wave: as the root of the
// number of waves.
const apart = 2.15

// held is how many steps a request waits on average until its prompt is looked at, if so many come a step: half of
// those between two looks; and where prompts wait for more of them, the first of a group for all that while, the
// others for half of it.
func (r *Replica) held(rate float64) float64 {
	more := rate * r.Wait
	return max(r.Poll-1, 0)/2 + r.Wait*(1+more/2)/(1+more)
}

// gather is how many steps a prompt waits until the other attention groups have prompts too, or give up waiting.
func (r *Replica) gather() float64 { return r.Gather * (1 - 1/float64(r.DP)) }

// admit is how many of c sequences run at once. A replica on which by the budget nothing fits is taken to have been
// given more memory than engines usually take; Memory says so.
func (r *Replica) admit(c float64, l Load) float64 { return r.hold(c, l).running }

// missed is how many steps begin between the last token of a request and the time at which the client's next one is
// there, if so many of the steps have prompts, and what is left of the last of them then. Clients take a time of one
// mean and without memory: a step ends before the next request comes with some probability, gone, so that 1/(1 -
// gone) begin, one at least. Requests that come by themselves find any step, the long ones more often (E(t²)/2E(t)).
func (r *Replica) missed(p prompting, mixed float64) (steps, left float64) {
	step := p.decode + mixed*(p.mixed-p.decode)
	if r.random {
		left = (p.decode*p.decode + mixed*(p.mixed*p.mixed-p.decode*p.decode)) / step / 2
		return (r.Request + left) / step, left
	}
	steps = 1
	if r.Request > 0 {
		steps = -1 / ((1-mixed)*math.Expm1(-p.decode/r.Request) + mixed*math.Expm1(-p.mixed/r.Request))
	}
	return steps, steps*step - r.Request
}

// joining is how many prompts join a step that has any, if so many of all come a step on average, each at random: those
// of a binomial distribution that isn't zero.
func joining(came, of float64) float64 {
	if came < 1e-9 {
		return 1
	}
	return min(came/-math.Expm1(of*math.Log1p(-min(came/of, 1))), of)
}

// prompting is what prompts cost beside n sequences that decode.
type prompting struct {
	decode   float64 // a step without prompts
	mixed    float64 // a step with as many prompts as come together
	whole    float64 // from a prompt's first step to its first token
	each     float64 // what each prompt adds to the steps of others
	steps    float64 // of which it is a part, on average of those that come together
	own      float64 // of which it is a part, whoever else is
	pieces   float64 // the same of one alone
	capacity float64 // prompts that a step holds
	fewest   float64 // steps of which each is a part where all have as many prompts as they hold
}

// again adds what is computed more than once, as a share of each prompt.
func (p *prompting) again(share float64) {
	p.each, p.steps, p.fewest = p.each*(1+share), p.steps*(1+share), p.fewest*(1+share)
}

// least is the fewest steps of which each prompt can be a part, with those that wait behind it.
func (p *prompting) least() float64 {
	if p.pieces > 1 {
		return p.steps
	}
	return p.fewest
}

// busiest is the share of steps with prompts from which on a queue is as long as the others let it be.
const busiest = 0.99

// queued is how many steps a prompt waits behind those that came at random before it, besides the step that runs, if so
// many of the steps are full: for the rest of a prompt that takes several steps, and for its turn (Sakasegawa's law,
// halved because all prompts take as long); for no more than half of the others.
func (p prompting) queued(full, others float64) float64 {
	full = min(full, busiest)
	return min((full*(p.pieces-1)+crowd(full, p.pieces/p.fewest)*p.pieces)/2, others/2*p.steps)
}

// prompting prices prompts of which so many are there at a time: as many share a step as its tokens hold, in each
// attention group. Of SGLang these are tokens of prompts alone; of others, those of the sequences that decode, too.
func (r *Replica) prompting(n, there float64, l Load, width float64) prompting {
	pp, fresh := float64(r.PP), l.fresh()
	pieces := math.Ceil(fresh / r.Chunk)
	budget := r.Chunk
	if r.Engine.Name != "sglang" {
		budget -= n / pp / float64(r.DP) * width
	}
	groups := float64(r.DP)
	capacity := max(budget/fresh, 1) * groups
	batch := max(min(there, capacity), 1)
	work := Work{Sequences: max(n/pp, 1), Context: l.In + l.Out/2, Verify: width}
	guessing := r.Guessing(work, l)
	p := prompting{decode: r.Step(work).Total() + guessing}
	p.capacity, p.pieces, p.fewest = capacity, pieces, pieces/capacity/pp
	steps := pieces
	if pieces > 1 { // its last piece leaves space for the next prompt's first
		filled := fresh / max(budget, r.Chunk/2)
		p.fewest = filled / groups / pp
		steps = min(filled+(pieces-filled)/max(there/groups, 1), pieces)
	}
	part := fresh / steps
	work.Before = l.In*l.Hit + (fresh-part)/2
	mixed := func(batch float64) float64 {
		work.Prompt, work.Prompts = batch*part, batch
		return r.Step(work).Total() + guessing
	}
	if whole := math.Floor(batch); pieces > 1 || batch == capacity || batch == whole || whole > 8 {
		p.mixed = mixed(batch)
	} else { // some steps have one prompt more than others, and may be too long for a graph
		p.mixed = mixed(whole) + (batch-whole)*(mixed(whole+1)-mixed(whole))
	}
	p.whole = pieces * p.mixed
	p.own, p.steps = steps/pp, steps/batch/pp
	p.each = p.steps * (p.mixed - p.decode)
	return p
}

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
	Running         float64 // requests under way that don't wait, on average
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
// with N the requests at which all places are kept, those on their way to one included. Those beyond N wait. Replicas
// that share arrivals, each given to the least loaded, all have as many under way: they are one chain, whose R n
// requests leave at R X(n), so that none waits while another has room. Arrivals at random see the state as it is on
// average. Above capacity the queue grows for as long as the load lasts: the mean wait is half the duration times
// (rate/capacity - 1).
func (r *Replica) Open(in Arrivals, l Load) Queue { return r.Line(l).Queue(in) }

// chain is the states of a replica: what a closed loop of so many requests sees, at some numbers of them.
type chain struct {
	at     []float64
	closed []Latency
	most   float64 // requests under way at which all places are kept
	full   float64 // the same on average, no more than most; those beyond wait. 0 means most
}

// newChain prices the states up to that in which all places are kept, so many, and as many requests are on their way as
// then come, but no more than the limit: all small ones, and a few of the large.
func newChain(places, limit float64, closed func(n float64) Latency) chain {
	full := places
	if places < limit {
		full = max(min(closed(4*limit).Admitted, limit), places)
	}
	c := chain{most: math.Ceil(full), full: full}
	most := c.most
	for n := 1.0; n < most; n = math.Max(n+1, math.Floor(n*1.08)) {
		c.add(n, closed(n))
	}
	c.add(most, closed(most))
	return c
}

func (c *chain) add(n float64, a Latency) {
	c.at, c.closed = append(c.at, n), append(c.closed, a)
}

// capacity is the largest rate of service that lasts: that of the state in which all places are kept and some always
// wait. Where states with fewer requests serve more, they don't last.
func (c chain) capacity() float64 { return c.closed[len(c.closed)-1].Requests }

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

// solve finds the mean state, and what a token takes there. Evenly spaced arrivals settle where what comes is what
// leaves; random ones spread by the chain, and tokens take what they take in the states that requests leave from: of
// those with more requests they see more than their share of the time. Whoever waits does so for half as long as for
// places that are kept for times at random, if all are kept as long (Allen and Cunneen).
func (c chain) solve(in Arrivals) Queue {
	q := Queue{Capacity: c.capacity(), Busy: in.Rate / c.capacity()}
	if in.Even {
		q.Running = c.equilibrium(in.Rate)
		q.TPOT.Mean = c.state(q.Running).TPOT
		return q
	}
	p, sum, inside, waiting, left, tokens := 1.0, 1.0, 0.0, 0.0, 0.0, 0.0
	i, last, each, copies := 0, 0.0, 0.0, c.pool(in.Replicas)
	full := cmp.Or(c.full, c.most)
	for k := 1.0; k <= c.most*copies; k++ {
		n := k / copies
		for i+2 < len(c.at) && c.at[i+1] <= n {
			i++
		}
		a, b, f := c.between(n, i)
		last = (a.Requests + (b.Requests-a.Requests)*f) * min(n, 1) // below one each, some are idle
		each = a.TPOT + (b.TPOT-a.TPOT)*f
		p *= in.Rate / last
		if p > 1e200 {
			for _, x := range []*float64{&p, &sum, &inside, &waiting, &left, &tokens} {
				*x /= 1e200
			}
		}
		sum, inside, waiting = sum+p, inside+p*min(n, full), waiting+p*max(n-full, 0)
		left, tokens = left+p*last, tokens+p*last*each
	}
	tail, late := c.tail(p, in.Rate/last)
	sum, inside, left, tokens = sum+tail, inside+tail*full, left+tail*last, tokens+tail*last*each
	waiting += late/copies + tail*(c.most-full)
	q.Running, q.Wait = inside/sum, waiting/sum/in.Rate*(1+in.Spread*in.Spread)/2
	q.TPOT.Mean = tokens / left
	return q
}

// pool is how many of the replicas that share arrivals are distinguished: with thousands of places for requests, more
// of them hardly differ.
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

// equilibrium is the number under way at which requests leave as fast as they come.
func (c chain) equilibrium(rate float64) float64 {
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

// Perfect are the constants of software that wastes nothing: memory, matrix units and links at the peaks of the data
// sheet, nothing to launch, to gather or to wait for, and tokens that all choose the same experts. Times that they give
// are bounds from below.
func Perfect() Constants {
	k := Constants{Alike: 0}
	for _, share := range []*float64{&k.Weights, &k.Weights4, &k.Sparse, &k.Cache, &k.Math16, &k.Math8, &k.Math4,
		&k.Grouped, &k.Score, &k.Links, &k.Imbalance} {
		*share = 1
	}
	return k
}
