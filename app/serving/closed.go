package serving

import "math"

// Load is requests that are alike: In tokens of prompt, Out tokens of answer.
type Load struct {
	In, Out float64
	Spread  float64 // of the lengths of answers: from the shortest to the longest, as a share of Out; 0 if all are alike
	Hit     float64 // share of the prompt that is found in the cache of prefixes
	Tokens  float64 // that a verified step yields a sequence, from Survival.Tokens; 0 means 1
	Verify  float64 // tokens checked a sequence and step; 0 means 1
}

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
	Admitted        float64 // of the concurrency asked for, as memory and the engine's limit allow
	Decode          float64 // time of a step without prompts
	First           First   // what TTFT is made of; of a replica that prefills and decodes
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
// Over a cycle each request is prefilled once: its own prompt, and the c - 1 others', pass by. A share of them comes in
// a burst; of those a request sees half before its first token. The rest it sees while it decodes:
//
//	TTFT = request + (ahead + held + 1/2) step + own prompt + burst (c - 1)/2 crowded + (1 - burst) queue
//	TPOT = decode step + (c - 1) (burst/2 crowded + (1 - burst) alone)/(out - 1)
//
// with crowded and alone the times that a prompt adds to steps that run anyway, held the steps until the engine looks
// at it, and queue that of prompts which come at random. A step carries no more than a chunk of prompts: what doesn't
// fit into the steps of a lifetime waits before the first token.
//
// Where the cache is full, some wait to be let in, and others, which have begun, to go on; what they had is computed
// again.
func (r *Replica) Closed(c float64, l Load) Latency {
	held := r.hold(c, l)
	a := Latency{Admitted: held.running}
	width, tokens := max(l.Verify, 1), max(l.Tokens, 1)
	steps := max((l.Out-1)/tokens, 1e-9)
	n, others, arrivals, rate, burst := a.Admitted, a.Admitted-1, 1.0, 0.0, r.Together
	for range 16 {
		alone, crowded := r.prompting(n, arrivals, l, width), r.prompting(n, max(burst*a.Admitted, 1), l, width)
		alone.again(held.again / l.fresh())
		crowded.again(held.again / l.fresh())
		burst = r.burst(l, steps*alone.decode, others*crowded.each)
		wait := burst / 2 * others * crowded.each
		extra := min((wait+(1-burst)*others*alone.each)/steps, alone.mixed-alone.decode)
		a.Decode = alone.decode / tokens
		a.TPOT = a.Decode + extra/tokens
		late := max((1-burst)*others*alone.each+wait-extra*steps, 0)
		until := 0.5 + r.Ahead + r.held(rate*alone.decode)
		a.First = First{Request: r.Request, Step: (min(others, 1)*until + r.gather()) * alone.decode,
			Prompt: alone.whole, Others: wait + (1-burst)*alone.queued(rate, others) + late}
		a.TTFT = a.First.Total()
		a.E2E = a.TTFT + a.TPOT*(l.Out-1)
		next := a.Admitted * (l.Out - 1) * a.TPOT / a.E2E
		rate = a.Admitted / a.E2E
		arrivals = (arrivals + max(rate*(alone.mixed+(r.gather()+r.Poll+r.Wait)*alone.decode), 1)) / 2
		if math.Abs(next-n) < 1e-3*n {
			break
		}
		n = (n + next) / 2
	}
	a.Running, a.Requests = n, a.Admitted/a.E2E
	if c > a.Admitted {
		a.First.Queue = (c - held.begun) / a.Requests
		a.TTFT = a.First.Total()
		a.TPOT += (held.begun - held.running) / a.Requests / max(l.Out-1, 1)
		a.E2E = a.TTFT + a.TPOT*(l.Out-1)
	}
	a.Output = a.Requests * l.Out
	return a
}

// Offline is Closed for as many requests as run at once: all of a long list are there from the start.
func (r *Replica) Offline(l Load) Latency { return r.Closed(float64(most*r.DP), l) }

// most is the sequences that engines run at once on an attention group at the most, unless told otherwise.
const most = 2048

// burst is the share of a closed loop's requests that arrive together. Its first wave does. Whether the next ones do is
// up to the engine, as far as their ends aren't spread over more time than their prompts take: ends that differ by a
// share of the decoding drift apart further with every wave.
func (r *Replica) burst(l Load, decoding, prompts float64) float64 {
	if prompts <= 0 {
		return r.Together
	}
	return r.Wave + (r.Together-r.Wave)*max(1-apart*l.Spread*decoding/prompts, 0)
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

// prompting is what prompts cost beside n sequences that decode.
type prompting struct {
	decode float64 // a step without prompts
	mixed  float64 // a step with as many prompts as come together
	whole  float64 // from a prompt's first step to its first token
	each   float64 // what each prompt adds to the steps of others
}

// again adds what is computed more than once, as a share of each prompt.
func (p *prompting) again(share float64) { p.each *= 1 + share }

// queued is how long a prompt waits for those that came at random before it, at a rate of so many a second: the queue
// of work that is always the same (Pollaczek and Khinchine), of no more than half of the others.
func (p prompting) queued(rate, others float64) float64 {
	busy := min(rate*p.each, 0.99)
	return min(busy/(1-busy), others) / 2 * p.each
}

// prompting prices prompts of which so many are there at a time: as many share a step as the chunk holds, in each
// attention group.
func (r *Replica) prompting(n, there float64, l Load, width float64) prompting {
	pp, fresh := float64(r.PP), l.fresh()
	pieces := math.Ceil(fresh / r.Chunk)
	room := max(math.Floor(r.Chunk/fresh), 1) * float64(r.DP)
	batch := max(min(there, room), 1)
	work := Work{Sequences: max(n/pp, 1), Context: l.In + l.Out/2, Verify: width}
	p := prompting{decode: r.Step(work).Total()}
	part := fresh / pieces
	work.Prompt, work.Prompts, work.Before = batch*part, batch, l.In*l.Hit+(fresh-part)/2
	p.mixed = r.Step(work).Total()
	p.whole = pieces * p.mixed
	p.each = pieces * (p.mixed - p.decode) / batch / pp
	return p
}
