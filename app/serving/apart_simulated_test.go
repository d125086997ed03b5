package serving

import (
	"container/heap"
	"math"
	"math/rand/v2"
	"testing"
)

// A system whose prefill and decode are apart, played event by event: requests of users who send the next one when the
// last has ended, prefill workers that take turns, a handover, and decode workers that step. It knows nothing of the
// laws of queues, and shares with them what a step and a handover take.

// played is a request of that system.
type played struct {
	arrived, first, last float64
	prompt, left, tokens float64 // of its prompt, that are left of it, and of its answer
	joins                int     // steps of its decode worker until it is let in
}

// event is what happens at a time: do.
type event struct {
	at    float64
	order int
	do    func()
}

// events are those to come, the next one first; of one time, the one that was planned first.
type events []event

func (e events) Len() int      { return len(e) }
func (e events) Swap(i, j int) { e[i], e[j] = e[j], e[i] }
func (e events) Less(i, j int) bool {
	return e[i].at < e[j].at || e[i].at == e[j].at && e[i].order < e[j].order
}
func (e *events) Push(x any) { *e = append(*e, x.(event)) }
func (e *events) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}

// playedSplit is the system.
type playedSplit struct {
	Split
	load     Load
	random   *rand.Rand
	answer   func() float64
	now      float64
	planned  int
	turn     int // whose the next prompt is
	todo     events
	prefills []prefillWorker
	decodes  []decodeWorker
	done     []*played
	most     int // requests to play, if each is followed by another

	closedLoop bool
}

// prefillWorker holds the prompts that its attention groups have started and not ended.
type prefillWorker struct {
	busy    bool    // its first stage
	until   float64 // its last stage is busy
	waiting []*played
	groups  [][]*played
}

// decodeWorker ends each sequence after so many steps.
type decodeWorker struct {
	stepping bool
	steps    int
	running  int
	came     []*played         // not yet let in
	ends     map[int][]*played // by the step after which they end
}

func newPlayedSplit(s Split, l Load, answer func() float64, random *rand.Rand) *playedSplit {
	p := &playedSplit{Split: s, load: l, random: random, answer: answer}
	for range int(s.Prefills) {
		p.prefills = append(p.prefills, prefillWorker{groups: make([][]*played, s.Prefill.DP)})
	}
	for range int(s.Decodes) {
		p.decodes = append(p.decodes, decodeWorker{ends: map[int][]*played{}})
	}
	return p
}

// after plans something.
func (p *playedSplit) after(seconds float64, do func()) {
	p.planned++
	heap.Push(&p.todo, event{p.now + seconds, p.planned, do})
}

// come is a user who sends a request now: it reaches the queue up to twice the mean time later.
func (p *playedSplit) come(tokens float64) {
	q := &played{arrived: p.now, prompt: p.load.fresh(), left: p.load.fresh(), tokens: tokens}
	p.after(2*p.Prefill.Ingest*p.random.Float64(), func() {
		w := &p.prefills[p.turn%len(p.prefills)]
		p.turn++
		w.waiting = append(w.waiting, q)
		p.after(0, func() { // with all that come at the same time
			if !w.busy {
				p.prefillStep(w)
			}
		})
	})
}

// prefillStep starts a step of a worker: each attention group goes on with its prompt, and fills its budget with those
// that wait, shared out one by one.
func (p *playedSplit) prefillStep(w *prefillWorker) {
	r := p.Prefill
	budget := make([]float64, len(w.groups))
	var work Work
	var ended []*played
	before := 0.0
	take := func(g int, q *played) {
		part := min(q.left, budget[g])
		before += p.load.In - q.left
		work.Prompt, work.Prompts = work.Prompt+part, work.Prompts+1
		budget[g] -= part
		if q.left -= part; q.left <= 0 {
			ended = append(ended, q)
		} else {
			w.groups[g] = append(w.groups[g], q)
		}
	}
	for g := range w.groups {
		budget[g] = r.Chunk
		going := w.groups[g]
		w.groups[g] = nil
		for _, q := range going {
			take(g, q)
		}
	}
	for len(w.waiting) > 0 {
		g, most := 0, 0.0
		for i, left := range budget {
			if left > most {
				g, most = i, left
			}
		}
		if most == 0 {
			break
		}
		q := w.waiting[0]
		w.waiting = w.waiting[1:]
		take(g, q)
	}
	if work.Prompts == 0 {
		return
	}
	work.Before = before / work.Prompts
	takes := r.Step(work).Total()
	w.busy = true
	w.until = max(w.until+takes/float64(r.PP), p.now+takes)
	p.after(takes/float64(r.PP), func() { w.busy = false; p.prefillStep(w) })
	p.after(w.until-p.now, func() {
		for _, q := range ended {
			p.after(p.Handover(p.load), func() { p.decode(q) })
		}
	})
}

// decode hands a sequence to the decode worker with the fewest.
func (p *playedSplit) decode(q *played) {
	d := &p.decodes[0]
	for i := range p.decodes {
		if e := &p.decodes[i]; e.running+len(e.came) < d.running+len(d.came) {
			d = e
		}
	}
	q.joins = int(p.Decode.Join)
	d.came = append(d.came, q)
	if !d.stepping {
		p.after(0, func() {
			if !d.stepping {
				p.decodeStepOf(d)
			}
		})
	}
}

// decodeStepOf takes a step of a decode worker, and the next one as long as there is something to do.
func (p *playedSplit) decodeStepOf(d *decodeWorker) {
	var joining, later []*played
	for _, q := range d.came {
		if q.joins > 0 {
			q.joins--
			later = append(later, q)
		} else {
			joining = append(joining, q)
		}
	}
	d.came = later
	d.running += len(joining)
	d.stepping = d.running+len(d.came) > 0
	if !d.stepping {
		return
	}
	d.steps++
	l := p.load
	for _, q := range joining {
		at := d.steps + int(q.tokens) - 1
		d.ends[at] = append(d.ends[at], q)
	}
	w := Work{Sequences: float64(max(d.running, 1)), Context: l.In + l.Out/2, Verify: l.Verify}
	p.after(p.Split.Decode.Step(w).Total()+p.Split.Decode.Guessing(w, l), func() {
		for _, q := range joining {
			q.first = p.now
		}
		for _, q := range d.ends[d.steps] {
			q.last = p.now
			p.done = append(p.done, q)
			d.running--
			if p.closedLoop && len(p.done) < p.most {
				p.come(p.answer())
			}
		}
		delete(d.ends, d.steps)
		p.decodeStepOf(d)
	})
}

// closed plays c requests that are always under way until n have ended, and gives requests a second and the means of
// first tokens and tokens: of the second half, with users who come one by one; or of all, with users who come together.
func (p *playedSplit) closed(c, n int, whole bool) (rate, first, token float64) {
	p.most, p.closedLoop = n, true
	for range c {
		tokens := p.answer()
		if !whole {
			tokens = math.Ceil(tokens * p.random.Float64())
		}
		p.come(tokens)
	}
	from, start := n/2, 0.0
	if whole {
		from = 0
	}
	for len(p.done) < n && len(p.todo) > 0 {
		e := heap.Pop(&p.todo).(event)
		p.now = e.at
		before := len(p.done)
		e.do()
		if before < from && len(p.done) >= from {
			from, start = len(p.done), p.now
		}
	}
	tokens, sum := 0.0, 0.0
	counted := p.done[from:]
	for _, q := range counted {
		first += (q.first - q.arrived) / float64(len(counted))
		tokens, sum = tokens+q.last-q.first, sum+q.tokens-1
	}
	return float64(len(counted)) / (p.now - start), first, tokens / max(sum, 1)
}

// open plays n requests that come at random, and gives the mean time to the first token of the second half.
func (p *playedSplit) open(rate float64, n int) (first float64) {
	var next func()
	came := 0
	next = func() {
		p.come(p.load.Out)
		if came++; came < n {
			p.after(p.random.ExpFloat64()/rate, next)
		}
	}
	next()
	for len(p.todo) > 0 {
		e := heap.Pop(&p.todo).(event)
		p.now = e.at
		e.do()
	}
	late := p.done[n/2:]
	for _, q := range late {
		first += (q.first - q.arrived) / float64(len(late))
	}
	return first
}

// randomSplit is any of a few models on any of a few chips, with a load and so many requests under way.
func randomSplit(t *testing.T, random *rand.Rand) (s Split, l Load, c float64, ok bool) {
	r, l, err := randomReplica(t, random, 0.005, 2, 2000)
	if err != nil {
		return s, l, 0, false
	}
	k := r.Constants
	k.Join = float64(random.IntN(4))
	plan := Plan{TP: 1 << random.IntN(4), DP: 1 << max(random.IntN(4)-1, 0), PP: 1 + random.IntN(4)/3}
	p, err := NewReplica(r.Shape, r.Chip, plan, k, r.Engine)
	if err != nil {
		return s, l, 0, false
	}
	plan = Plan{TP: 1 << random.IntN(4), DP: 1 << max(random.IntN(4)-1, 0)}
	d, err := NewReplica(r.Shape, r.Chip, plan, k, r.Engine)
	if err != nil {
		return s, l, 0, false
	}
	s = Split{Prefill: p, Decode: d, Prefills: between(random, 1, 9), Decodes: between(random, 1, 5)}
	c = between(random, 1, 2000)
	fit := s.Decodes * d.Fit(l)
	if p.Memory(l.In).Sequences < 1 || fit < 1 {
		return s, l, 0, false
	}
	c = min(c, fit)
	if random.IntN(2) == 0 { // as many as keep the decode workers busy
		s.Prefills = min(s.Match(c, l), 64)
	}
	return s, l, c, true
}

// apartErrors is how far the law lies from systems that are played, so many drawn at random: of requests a second, of
// first tokens and of tokens. Answers differ by all of their mean, or by a fifth as usual. Where the run is whole, all
// users begin at once and each sends ten requests.
func apartErrors(t *testing.T, set int, whole bool, random *rand.Rand) map[string][]float64 {
	off := map[string][]float64{}
	for n := 0; n < set; {
		s, l, c, ok := randomSplit(t, random)
		if !ok {
			continue
		}
		n++
		if l.Spread = 1; whole || n%2 == 0 {
			l.Spread = UsualSpread
		}
		s.Prefill, s.Decode = s.Prefill.calm(), s.Decode.calm()
		requests := int(min(max(12*c, 200), 4e6/l.Out+4*c))
		if whole {
			s.Prefill.Crowd, requests = 0.1, int(10*c)
		}
		a := s.Closed(c, l)
		rate, first, token := newPlayedSplit(s, l, func() float64 {
			return max(math.Round(l.Out*(1+l.Spread*(random.Float64()-0.5))), 1)
		}, random).closed(int(c), requests, whole)
		for name, x := range map[string]float64{"rate": a.Requests / rate, "first": a.TTFT / first,
			"token": a.TPOT / token} {
			off[name] = append(off[name], x-1)
		}
	}
	for name, x := range off {
		t.Logf("%s, of %d: half within %.1f %%, nine in ten within %.1f %%", name, len(x), 100*heldBelow(x, 0.5),
			100*heldBelow(x, 0.9))
	}
	return off
}

// TestApartAgreesWithSimulation: of systems drawn at random, of one to 64 workers that prefill and one to four that
// decode, with one user to two thousand, prompts of 64 to 32,768 tokens and answers of 2 to 2,000, first tokens come as
// soon as in a simulation, and as many requests are served: how far they lie apart is what the page of measurements
// says. With a queue as of requests that come at random, and no end of them, half of first tokens lay within 8.7 % and
// nine in ten within 61 %; of requests a second 2.0 and 23 %.
func TestApartAgreesWithSimulation(t *testing.T) {
	const set = 200
	off := apartErrors(t, set, false, rand.New(rand.NewPCG(7, 29)))
	const loads = "closed loops, prefill and decode apart, drawn at random"
	holdSimulated(t, []distances{{loads, "tokens a second", off["rate"]}, {loads, "time to first token", off["first"]},
		{loads, "time per output token", off["token"]}})
	for name, limit := range map[string][2]float64{"first": {0.015, 0.09}, "rate": {0.012, 0.055},
		"token": {0.005, 0.12}} {
		if half, most := heldBelow(off[name], 0.5), heldBelow(off[name], 0.9); half > limit[0] || most > limit[1] {
			t.Errorf("%s: half within %v, nine in ten within %v", name, half, most)
		}
	}
}

// TestApartRunsAgreeWithSimulation: where all users begin at once and each sends ten requests, a tenth of them meet a
// burst. First tokens are those of all. The rate is less by what a run begins and ends with, which the law has no part
// in.
func TestApartRunsAgreeWithSimulation(t *testing.T) {
	const set = 100
	x := apartErrors(t, set, true, rand.New(rand.NewPCG(8, 29)))["first"]
	if half, most := heldBelow(x, 0.5), heldBelow(x, 0.9); half > 0.06 || most > 0.2 {
		t.Errorf("half within %v, nine in ten within %v", half, most)
	}
}

// TestMoreOfSplitsIsNoWorse: of systems drawn at random, faster chips, more users, shorter prompts and shorter answers
// serve no fewer requests a second; nor do more prefill workers, as long as caches go over the same links. Of 12,000
// changes of chips fourteen served up to 4 % less while fewer users than workers had less than no burst.
func TestMoreOfSplitsIsNoWorse(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 29))
	for n := 0; n < 400; {
		s, l, c, ok := randomSplit(t, random)
		if !ok {
			continue
		}
		n++
		before := s.Closed(c, l).Requests
		holds := func(what string, s Split, c float64, l Load) {
			if after := s.Closed(c, l).Requests; after < before*(1-1e-6) {
				t.Errorf("%s: %v a second after %v; %v users, %+v, %v to %v workers", what, after, before, c, l,
					s.Prefills, s.Decodes)
			}
		}
		for what, change := range map[string]func(c *Chip){
			"bandwidth":  func(c *Chip) { c.Bandwidth *= 1.5 },
			"links":      func(c *Chip) { c.Link, c.Network = 1.5*c.Link, 1.5*c.Network },
			"arithmetic": func(c *Chip) { c.Peak16, c.Peak8, c.Peak4 = 1.5*c.Peak16, 1.5*c.Peak8, 1.5*c.Peak4 },
		} {
			p, d := *s.Prefill, *s.Decode
			change(&p.Chip)
			change(&d.Chip)
			holds("more "+what, Split{&p, &d, s.Prefills, s.Decodes}, c, l)
		}
		holds("more users", s, c+1, l)
		short := l
		short.In = math.Ceil(l.In * 0.97)
		holds("shorter prompts", s, c, short)
		short.In, short.Out = l.In, math.Ceil(l.Out*0.9)
		holds("shorter answers", s, c, short)
		more := s
		if more.Prefills++; more.Handover(l) == s.Handover(l) {
			holds("more workers", more, c, l)
		}
	}
}

// TestApartOpenAgreesWithSimulation: of systems drawn at random whose requests come by themselves, first tokens at
// three tenths, six tenths and 85 % of what they can take are those of a simulation: half of them lie within 5 % and
// nine in ten within 20 %. With steps as long as full ones it was 21.6 and 223 %.
func TestApartOpenAgreesWithSimulation(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 29))
	var off []float64
	for n := 0; n < 40; {
		s, l, c, ok := randomSplit(t, random)
		if !ok || c < 4 || l.Out > 1000 {
			continue
		}
		n++
		line := s.Line(l)
		s.Prefill, s.Decode = s.Prefill.calm(), s.Decode.calm()
		for _, busy := range []float64{0.3, 0.6, 0.85} {
			rate := busy * line.Capacity()
			first := newPlayedSplit(s, l, nil, random).open(rate, 4000)
			q := line.Queue(Arrivals{Rate: rate})
			off = append(off, q.TTFT.Mean/first-1)
		}
	}
	holdSimulated(t, []distances{{"open loops, prefill and decode apart, drawn at random", "time to first token", off}})
	half, most := heldBelow(off, 0.5), heldBelow(off, 0.9)
	if t.Logf("half within %.1f %%, nine in ten within %.1f %%", 100*half, 100*most); half > 0.05 || most > 0.2 {
		t.Error(off)
	}
}
