package serving

import (
	"math"
	"math/rand/v2"
	"testing"
)

// request is one of the simulation.
type request struct {
	arrived, first, last float64
	prompt, tokens       float64 // left
	ahead                float64 // steps left that were scheduled before it came
}

// simulate plays an engine step by step: requests arrive, are admitted while there is room, have their prompts computed
// in chunks, the oldest first, beside all who decode, and leave after their last token. It returns those of the second
// half.
func simulate(r *Replica, l Load, rate float64, n int, random *rand.Rand) []request {
	room := int(r.admit(longest, l))
	var waiting, running, done []request
	now, next := 0.0, random.ExpFloat64()/rate
	for came := 0; len(done) < n; {
		for came < n && next <= now {
			q := request{arrived: next, prompt: l.In, tokens: l.Out}
			if len(running) > 0 {
				q.ahead = r.Ahead
			}
			waiting = append(waiting, q)
			came, next = came+1, next+random.ExpFloat64()/rate
		}
		for len(waiting) > 0 && len(running) < room && (waiting[0].ahead <= 0 || len(running) == 0) {
			running, waiting = append(running, waiting[0]), waiting[1:]
		}
		if len(running) == 0 {
			now = next
			continue
		}
		for i := range waiting {
			waiting[i].ahead--
		}
		now += step(r, l, running)
		kept := running[:0]
		for _, q := range running {
			if q.prompt == 0 && q.first == 0 {
				q.first = now
			}
			if q.last = now; q.tokens > 0 {
				kept = append(kept, q)
			} else {
				done = append(done, q)
			}
		}
		running = kept
	}
	return done[n/2:]
}

// step takes one step with those who run, and says how long it takes.
func step(r *Replica, l Load, running []request) float64 {
	w, budget := Work{Context: l.In + l.Out/2}, r.Chunk
	for i := range running {
		if q := &running[i]; q.prompt > 0 {
			part := min(q.prompt, budget)
			if part > 0 {
				w.Before = (w.Before*w.Prompts + l.In - q.prompt) / (w.Prompts + 1)
				w.Prompts++
			}
			w.Prompt, budget, q.prompt = w.Prompt+part, budget-part, q.prompt-part
			if q.prompt == 0 && part > 0 {
				q.tokens--
			}
		} else {
			w.Sequences++
			q.tokens--
		}
	}
	return r.Step(w).Total()
}

// The chain agrees with the simulation, from hardly any load to nearly all that the replica can take.
func TestChainAgreesWithSimulation(t *testing.T) {
	if testing.Short() {
		t.Skip("a simulation of a long time")
	}
	k := Fitted("vllm")
	k.Ingest, k.Ahead = 0, 1
	r := replica(t, "llama3.8b", "gpu.h100", 2, Plan{}, k)
	r.Chunk, r.Engine.Sequences = 2048, 64
	l := Load{In: 600, Out: 200}
	capacity := r.Line(l).chain.capacity()
	for _, c := range []struct{ busy, first, whole float64 }{{0.1, 0.1, 0.03}, {0.5, 0.1, 0.05}, {0.8, 0.15, 0.1}} {
		q := r.Open(Arrivals{Rate: c.busy * capacity}, l)
		first, whole := 0.0, 0.0
		done := simulate(r, l, c.busy*capacity, 20000, rand.New(rand.NewPCG(1, 2)))
		for _, d := range done {
			first, whole = first+(d.first-d.arrived)/float64(len(done)), whole+(d.last-d.arrived)/float64(len(done))
		}
		t.Logf("%.0f %% busy: first token %.4g against %.4g s, whole %.4g against %.4g s", 100*c.busy, q.TTFT.Mean, first,
			q.E2E.Mean, whole)
		near(t, "the first token of the chain", q.TTFT.Mean, first, c.first)
		near(t, "the whole of the chain", q.E2E.Mean, whole, c.whole)
	}
}

// With a rate of service that doesn't depend on the state the chain is the queue M/M/1: rate/(service - rate) requests.
func TestChainIsTheSimpleQueue(t *testing.T) {
	c := chain{at: []float64{1}, closed: []Latency{{Requests: 2, E2E: 0.5}}, most: 1}
	for _, rate := range []float64{0.2, 1, 1.9} {
		q := c.solve(Arrivals{Rate: rate})
		near(t, "under way", q.Running+q.Wait*rate, rate/(2-rate), 1e-6)
	}
}

// Above capacity the wait is the fluid law's, whatever the replica.
func TestFlood(t *testing.T) {
	r := replica(t, "llama3.8b", "gpu.h100", 2, Plan{}, Fitted("vllm"))
	l := Load{In: 600, Out: 200}
	top := r.Open(Arrivals{Rate: 1e-3}, l).Capacity
	q := r.Open(Arrivals{Rate: 1.5 * top, Duration: 1000}, l)
	near(t, "the wait", q.Wait, 250, 1e-6)
	near(t, "output", q.Output, top*l.Out, 1e-6)
	if !(q.TTFT.P99 > q.TTFT.P90 && q.TTFT.P90 > q.TTFT.P50) {
		t.Error("percentiles are out of order")
	}
}

// The largest rate that keeps a limit keeps it, and a little more doesn't.
func TestLargestRate(t *testing.T) {
	r := replica(t, "llama3.8b", "gpu.h100", 2, Plan{}, Fitted("vllm"))
	l := Load{In: 600, Out: 200}
	rate := r.Line(l).Largest(Arrivals{}, 0, 0.015)
	if at := r.Open(Arrivals{Rate: rate * 0.999}, l); at.TPOT.Mean > 0.015 || rate == 0 {
		t.Errorf("at %.1f a second a token takes %.4g s", rate, at.TPOT.Mean)
	}
	if over := r.Open(Arrivals{Rate: rate * 1.01}, l); over.TPOT.Mean <= 0.015 {
		t.Errorf("a rate of %.1f keeps the limit too", rate*1.01)
	}
	if none := r.Line(l).Largest(Arrivals{}, 1e-6, 0); none > 1e-6 {
		t.Errorf("no rate gives the first token within a microsecond; got %v", math.Round(none))
	}
}

// Apart, too, Little's law holds below capacity, percentiles are in order, and waiting grows with the rate.
func TestOpenApart(t *testing.T) {
	p := replica(t, "llama3.70b", "gpu.h100", 1, Plan{TP: 4}, Fitted("sglang"))
	l := Load{In: 2000, Out: 300}
	line := Split{Prefill: p, Decode: p, Prefills: 1, Decodes: 1}.Line(l)
	before := 0.0
	for _, busy := range []float64{0.1, 0.5, 0.8, 0.95} {
		rate := busy * line.Capacity()
		q := line.Queue(Arrivals{Rate: rate})
		if f := q.TTFT; f.Mean <= before || f.P50 > f.P90 || f.P90 > f.P99 {
			t.Errorf("%.0f %% busy: %+v after a mean of %v", 100*busy, f, before)
		}
		near(t, "requests inside", q.Running+q.Wait*rate, rate*q.E2E.Mean, 0.25)
		before = q.TTFT.Mean
	}
	if q := line.Queue(Arrivals{Rate: 2 * line.Capacity(), Duration: 100}); q.Wait < 49 || q.Busy < 1.99 {
		t.Errorf("above capacity: %+v", q)
	}
}

// Replicas that share arrivals are a queue of several servers where each has room for one request (Erlang's formula),
// wait less the more they are, and are one replica if there is only one.
func TestArrivalsGoToTheLeastLoaded(t *testing.T) {
	r := replica(t, "llama3.70b", "gpu.h100", 1, Plan{TP: 4}, Fitted("vllm"))
	r.Engine.Sequences = 1
	l := Load{In: 1000, Out: 200}
	line := r.Line(l)
	for _, servers := range []float64{1, 2, 5, 20, 80} {
		offered := 0.85 * servers
		blocked := 1.0
		for n := 1.0; n <= servers; n++ {
			blocked = offered * blocked / (n + offered*blocked)
		}
		wait := blocked / (1 - 0.85*(1-blocked)) / (servers * 0.15 * line.Capacity())
		q := line.Queue(Arrivals{Rate: 0.85 * line.Capacity(), Replicas: servers})
		near(t, "the wait for one of several", q.Wait, wait, 1e-6)
	}
	r.Engine.Sequences = 0
	line = r.Line(l)
	before := math.Inf(1)
	for _, copies := range []float64{0, 1, 2, 8, 64, 1e6} {
		q := line.Queue(Arrivals{Rate: 0.97 * line.Capacity(), Replicas: copies})
		if q.Wait > before*(1+1e-9) || copies == 1 && q.Wait < before*(1-1e-9) {
			t.Errorf("%v replicas: a wait of %v after %v", copies, q.Wait, before)
		}
		before = q.Wait
	}
}

// A rate needs hardly more replicas than its load is, where arrivals go to the least loaded; no fewer would do.
func TestReplicasOfARate(t *testing.T) {
	r := replica(t, "llama3.70b", "gpu.h100", 1, Plan{TP: 4}, Fitted("vllm"))
	r.Engine.Sequences = 1
	line := r.Line(Load{In: 1000, Out: 200})
	rate := 73 * line.Capacity()
	random := line.Largest(Arrivals{}, 0.2, 0)
	if random > line.Capacity()/10 {
		t.Fatalf("alone a replica takes %v of %v requests", random, line.Capacity())
	}
	n := line.Replicas(Arrivals{Rate: rate}, 0.9, 0.2, 0)
	if n < 73/0.9 || n > 95 {
		t.Errorf("%v replicas for 73 times what one serves", n)
	}
	if q := line.Queue(Arrivals{Rate: rate / (n - 1), Replicas: n - 1}); q.TTFT.Mean <= 0.2 && q.Busy <= 0.9 {
		t.Errorf("%v replicas would do, too", n-1)
	}
	if n := line.Replicas(Arrivals{Rate: rate}, 0.9, 1e-6, 0); n != 0 {
		t.Errorf("%v replicas see to what none can", n)
	}
}
