package serving

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// paged is requests of a closed loop in an engine that keeps its caches by pages.
type paged struct {
	capacity, kept    float64 // tokens; the share of those to come that room is kept for
	prompt, answer    float64
	waiting           []*text
	running           []*text
	random            *rand.Rand
	step, used        float64
	peak              float64
	ran, started, ago float64 // sums over steps: running, started, and the steps until first tokens
	ended, again      float64 // requests that have ended, tokens that were computed again
}

// text is a request: the tokens of its answer, those that are written, when it came, and whether it has started.
type text struct {
	out, got, came float64
	started        bool
}

func (p *paged) come() {
	p.waiting = append(p.waiting, &text{out: math.Ceil(p.answer * (0.9 + 0.2*p.random.Float64())), came: p.step})
}

// next plays a step: each that runs writes a token, for which the last that came may have to give its cache back; then
// those who wait are let in in their order, as many as fit.
func (p *paged) next() {
	full := false
	for i := 0; i < len(p.running); i++ {
		for p.used+1 > p.capacity {
			last := p.running[len(p.running)-1]
			p.running = p.running[:len(p.running)-1]
			p.used -= p.prompt + last.got
			p.waiting = slices.Insert(p.waiting, 0, last)
			full = true
		}
		if i < len(p.running) {
			p.running[i].got++
			p.used++
		}
	}
	p.running = slices.DeleteFunc(p.running, func(q *text) bool {
		if q.got >= q.out {
			p.used -= p.prompt + q.got
			p.ended++
			p.come()
		}
		return q.got >= q.out
	})
	for !full && len(p.waiting) > 0 && p.lets(p.waiting[0]) {
		q := p.waiting[0]
		p.waiting, p.running = p.waiting[1:], append(p.running, q)
		p.used += p.prompt + q.got
		if q.started {
			p.again += p.prompt + q.got
		} else {
			p.ago += p.step - q.came
		}
		q.started = true
	}
	p.step++
	p.peak = max(p.peak, p.used)
	p.ran += float64(len(p.running))
	p.started += float64(len(p.running))
	for _, q := range p.waiting {
		if q.started {
			p.started++
		}
	}
}

// lets tells whether there is room for a request beside what is kept for those that run.
func (p *paged) lets(q *text) bool {
	kept := p.kept * (q.out - q.got)
	for _, other := range p.running {
		kept += p.kept * (other.out - other.got)
	}
	return p.used+p.prompt+q.got+1+kept <= p.capacity
}

// A scheduler that is played step by step holds as many requests as the law says, begins as many, and computes as much
// again; and it never holds more tokens than there is room for.
func TestAdmissionIsThatOfAScheduler(t *testing.T) {
	r := replica(t, "llama3.8b", "gpu.h100", 2, Plan{}, ideal())
	for _, c := range []struct{ capacity, in, out, kept, requests float64 }{
		{100e3, 1000, 1000, 0, 50}, {100e3, 1000, 1000, 0, 80}, {100e3, 1000, 1000, 0, 200},
		{100e3, 1000, 1000, 0.1, 200}, {100e3, 1000, 1000, 1, 200}, {60e3, 100, 1000, 0, 200},
		{150e3, 1000, 4000, 0, 100}, {150e3, 1000, 4000, 0.1, 100}, {100e3, 4000, 500, 0, 40},
		{100e3, 1000, 50, 0, 200},
	} {
		p := paged{capacity: c.capacity, kept: c.kept, prompt: c.in, answer: c.out, random: rand.New(rand.NewPCG(1, 2))}
		for range int(c.requests) {
			p.come()
		}
		life := int(c.out * max(c.requests*(c.in+c.out)/c.capacity, 1))
		for range 4 * life {
			p.next()
		}
		p.ran, p.started, p.ended, p.again, p.ago = 0, 0, 0, 0, 0
		for range 6 * life {
			p.next()
		}
		if p.peak > c.capacity {
			t.Fatalf("%+v: the cache held %v tokens", c, p.peak)
		}
		steps := float64(6 * life)
		r.Engine.Tokens, r.Engine.Reserve = c.capacity, max(c.kept, 1e-9)
		h := r.hold(c.requests, Load{In: c.in, Out: c.out})
		for _, x := range []struct {
			what                string
			law, played, within float64
		}{
			{"running", h.running, p.ran / steps, 0.05 * h.running},
			{"started", h.started, p.started / steps, 0.15 * h.started},
			{"computed again", h.again, p.again / p.ended, 0.35*c.out*(1-c.kept) + 1},
		} {
			if math.Abs(x.law-x.played) > x.within {
				t.Errorf("%+v: %s %.1f; the law says %.1f", c, x.what, x.played, x.law)
			}
		}
	}
}

// The rule of old, room for the whole answer, is the limit of short answers, and of an engine that keeps all of it; a
// larger cache never holds fewer, and what runs never fills more of it than there is.
func TestAdmissionByItsLimits(t *testing.T) {
	for _, r := range replicas(t) {
		base := *r
		for _, reserve := range []float64{1e-9, 0.1, 1} {
			for _, l := range []Load{{In: 1000, Out: 1}, {In: 1000, Out: 1000}, {In: 100, Out: 8000},
				{In: 8000, Out: 100}} {
				before := hold{}
				for capacity := 1e3; capacity < 3e7; capacity *= 1.3 {
					r := base
					r.Engine.Tokens, r.Engine.Reserve = capacity, reserve
					h, whole := r.hold(1e9, l), math.Floor(r.Memory(l.In+l.Out).Sequences)
					if whole < 1 { // nothing runs, and a measured row is taken to have had more memory
						continue
					}
					mean := l.In + l.Out*(1+reserve)/2
					if h.running < whole || h.running > whole && h.running*mean > capacity {
						t.Fatalf("%s of %s: %v run in %v tokens, %v with their whole answers", r.Plan, r.Model.ID,
							h.running, capacity, whole)
					}
					if reserve == 1 && (h.running != whole || h.again > 1e-3*l.Out) {
						t.Errorf("all is reserved: %+v, want %v", h, whole)
					}
					if l.Out == 1 && h.running > whole*1.001+1 {
						t.Errorf("answers of one token: %v run, want %v", h.running, whole)
					}
					if h.running < before.running || h.started < h.running || h.again > l.Out {
						t.Errorf("%v tokens: %+v, after %+v with fewer", capacity, h, before)
					}
					before = h
				}
			}
		}
	}
}

// More room for caches never makes a loop slower, whatever gives its cache back.
func TestMoreCapacityNeverSlowsALoop(t *testing.T) {
	r := replica(t, "llama3.8b", "gpu.h100", 2, Plan{}, Fitted("vllm"))
	for _, l := range []Load{{In: 1000, Out: 1000}, {In: 200, Out: 4000}, {In: 8000, Out: 200}} {
		before := Latency{TTFT: math.Inf(1), E2E: math.Inf(1)}
		for capacity := 2e4; capacity < 4e6; capacity *= 1.5 {
			r.Engine.Tokens = capacity
			a := r.Closed(256, l)
			if a.TTFT > before.TTFT*1.02 || a.E2E > before.E2E*1.02 || a.Requests < before.Requests*0.98 {
				t.Errorf("%+v in %v tokens: first tokens after %v, %v requests a second; with fewer tokens "+
					"after %v, %v", l,
					capacity, a.TTFT, a.Requests, before.TTFT, before.Requests)
			}
			near(t, "requests under way by Little's law", a.Requests*a.E2E, 256, 0.02)
			before = a
		}
	}
}
