package serving

import "math"

// promptQueue is what a prompt meets on the prefill replicas, priced once for all rates, all in seconds.
//
// Replicas take turns: each gets every m-th prompt, as from a router that has no other rule. Prompts that come while a
// step runs share the next one, up to k, the capacity of one. Of a that come to a replica on average in the time T of a
// step, N come to all m replicas: binomial, of c - 1 other users who each send one prompt in a cycle.
//
//	together = a + E[max(m - N, 0)]/m = E[max(N, m)]/m
//	met   = 1 - P(N < m)/together
//	step  = T(1 + met (a - 1 + 1/(m (1 - s))))
//	wait  = met T/2 + full each/m (queue + (1 - 1/pieces)/(2 busy))
//	full  = (a/k)^sqrt(2 (m k + 1))
//	queue = 1/(spare + sqrt(spare² + 8/(pi c))),    spare = 1 - busy
//
// A step has the prompts that came during the last one, or one that finds its replica idle. All others meet a step, and
// wait for half of it. With them in their own step are as many as come between two regular ones, a - 1, and more by the
// variance of their number over its mean, 1/m of every m-th of random ones. Here s is the square of how many more come
// in a step that one prompt more makes longer, where replicas are never idle. Who finds the next step full waits on:
// full is how likely that is by Sakasegawa's law for m k places, and queue how many wait then. If c users begin at
// random, more than x of them wait with exp(-2x(x/c + spare)) (Roberts and Virtamo, The superposition of periodic cell
// arrival streams in an ATM multiplexer (1991)); queue is the integral of this over x, Mills' ratio, to within 6 %.
// Without an end of users it is 1/(2 spare), as of M/D/1. Prompts of several steps wait for a place in a group, whose
// rest is half of one.
type promptQueue struct {
	replicas, stages float64
	capacity, pieces float64   // prompts that a replica computes together, and steps of one alone
	steps            []float64 // time of 1, 2, 4, ... prompts together, and of as many as fit
	each             float64   // what a prompt takes of a replica's time where as many are together
	late             float64   // until a prompt is done, over the time of its steps: stages work on several
	fill, last       float64   // time of a full step, and the share of one that a prompt's last piece leaves to others
	fixed, burst     float64   // before and after the queue; the burst that a closed loop begins with
	users, others    float64   // other users, and their share of all
}

// mostUsers is more than matter.
const mostUsers = 1e9

// queue prices prompts for c requests under way; infinitely many come by themselves.
func (s Split) queue(c float64, l Load) promptQueue {
	r := s.Prefill
	fill := l.fresh() / r.Chunk // steps that a prompt fills
	q := promptQueue{replicas: s.Prefills, stages: float64(r.PP), capacity: s.capacity(l), pieces: math.Ceil(fill)}
	q.users = min(max(c-1, 0), mostUsers)
	q.others = q.users / (q.users + 1)
	q.late = s.late(fill)
	for b := 1.0; b < q.capacity; b *= 2 {
		q.steps = append(q.steps, s.prompt(b, l).whole/q.late)
	}
	full := s.prompt(q.capacity, l)
	q.steps, q.each = append(q.steps, full.whole/q.late), full.each
	if q.pieces > 1 {
		q.fill = q.each * q.capacity / fill
		if r.DP > 1 {
			q.last = (q.pieces - fill) * (1 - 1/q.pieces)
		}
	}
	q.fixed = r.Ingest + s.Handover(l)
	if crowd := c / s.Prefills; r.Crowd > 0 { // together they take longer, and half of those that don't fit wait
		q.burst = r.Crowd * (q.late*(q.whole(crowd)-q.steps[0]) + max(crowd-q.capacity, 0)/2*q.each)
	}
	return q
}

// capacity is how many prompts a prefill replica computes together: of long ones one in each attention group.
func (s Split) capacity(l Load) float64 {
	return max(s.Prefill.Chunk/l.fresh(), 1) * float64(s.Prefill.DP)
}

// late is how long a prompt of so many full steps takes over what they take a stage after the other: the first stage
// begins with a piece when it has ended the one before.
func (s Split) late(fill float64) float64 {
	stages := float64(s.Prefill.PP)
	return (1 + (stages-1)/max(fill, 1)) / stages
}

// whole is the time of the steps of so many prompts together, one at least. It stands once in the program of the
// browser.
//
//go:noinline
func (q *promptQueue) whole(prompts float64) float64 {
	prompts = min(max(prompts, 1), q.capacity)
	below := 1.0
	for i := 1; i < len(q.steps); i++ {
		above := min(2*below, q.capacity)
		if prompts <= above {
			return q.steps[i-1] + (q.steps[i]-q.steps[i-1])*(prompts-below)/(above-below)
		}
		below = above
	}
	return q.steps[len(q.steps)-1]
}

// firstToken is the time until a prompt is done and handed over, at a rate of so many a second, and its own step's part
// of it. No rate beyond what replicas take lasts.
func (q *promptQueue) firstToken(rate float64) (all, step float64) {
	most := q.replicas / q.each
	if rate > most {
		return math.Inf(1), q.late * q.whole(q.capacity)
	}
	wait, step := q.meets(rate)
	return q.fixed + wait + q.burst + step, step
}

// meets is how long a prompt waits, and how long its own steps take.
func (q *promptQueue) meets(rate float64) (wait, step float64) {
	others := rate * q.others / q.replicas / q.stages // a second, replica and stage
	takes, together, came, met := q.steps[0], 1.0, 0.0, 0.0
	for range 32 {
		before := takes
		came = others * takes
		alone, most := q.turns(came)
		together, met = min(most, q.capacity), 1-alone/most
		if takes = q.whole(together); takes-before <= 1e-4*takes {
			break
		}
	}
	busy := min(rate*q.others*q.each/q.replicas, 1)
	longer := min(others*(q.whole(together+1)-q.whole(together)), 0.95)
	longer *= longer * max(1-1/came, 0) // only those that never find a replica idle
	step = q.late * q.whole(1+met*max(came-1+1/q.replicas/(1-longer), 0))
	full := math.Pow(min(came/q.capacity, 1), math.Sqrt(2*(q.replicas*q.capacity+1)))
	wait = met * takes / q.stages / q.pieces / 2
	if full > 0 {
		spare := 1 - busy
		queue := 1 / (spare + math.Sqrt(spare*spare+8/math.Pi/(q.users+1)))
		wait += full * q.each / q.replicas * (queue + (1-1/q.pieces)/2/busy)
	}
	return wait, step + q.fill*max(full/2, met*q.last) // steps that others fill are longer
}

// turns is, where so many prompts come to a replica on average in some time, how likely none does, and how many there
// are at its end on average with the one that comes next if none did: E[max(N, m)]/m of the N that come to all.
func (q *promptQueue) turns(came float64) (none, most float64) {
	m := min(q.replicas, 64) // more hardly differ
	n := q.users * m / q.replicas
	p := min(came*m/max(n, 1), 0.999)
	term, odds, most := math.Exp(n*math.Log1p(-p)), p/(1-p), came
	for j := 0.0; j < m; j++ {
		none, most = none+term, most+term*(1-j/m)
		term *= max(n-j, 0) / (j + 1) * odds
	}
	return none, max(most, 1)
}
