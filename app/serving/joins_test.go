package serving

import (
	"math"
	"math/rand/v2"
	"testing"
)

// loop plays a closed loop of c requests, each replaced as it ends, step by step: those that wait join the next step,
// as far as its budget of tokens holds their prompts, the oldest first. Answers have from half to one and a half times
// the mean of tokens, so that nothing keeps requests together. It returns requests a second and the mean time to the
// first token, of its second half.
func loop(r *Replica, l Load, c, n int, random *rand.Rand) (rate, first float64) {
	type going struct{ came, prompt, tokens float64 }
	come := func(now float64) going {
		return going{now, l.In, math.Round(l.Out * (0.5 + random.Float64()))}
	}
	var running []going
	for range c {
		running = append(running, come(0))
	}
	now, began, ended, firsts, started := 0.0, 0.0, 0, 0.0, 0.0
	for ended < n {
		w, budget := Work{Context: l.In + l.Out/2}, r.Chunk
		for i := range running {
			if running[i].prompt == 0 {
				w.Sequences, budget = w.Sequences+1, budget-1
			}
		}
		var ready []int
		for i := range running {
			q := &running[i]
			if part := min(q.prompt, budget); part > 0 {
				w.Prompt, w.Prompts, budget = w.Prompt+part, w.Prompts+1, budget-part
				if q.prompt -= part; q.prompt == 0 {
					ready = append(ready, i)
				}
			} else if q.prompt == 0 {
				q.tokens--
			}
		}
		now += r.Step(w).Total()
		for _, i := range ready {
			running[i].tokens--
			if ended >= n/2 {
				firsts, started = firsts+now-running[i].came, started+1
			}
		}
		kept := running[:0]
		for _, q := range running {
			if q.prompt > 0 || q.tokens > 0 {
				kept = append(kept, q)
				continue
			}
			if ended++; ended == n/2 {
				began = now
			}
		}
		running = kept
		for len(running) < c {
			running = append(running, come(now))
		}
	}
	return float64(n-n/2) / (now - began), firsts / started
}

// Where more requests are under way than an answer has steps, several prompts join a step: 500 requests of 50 tokens
// ask for ten a step. A loop that is played serves as many as the law says, and first tokens come as soon: at once
// where a step has room for all that come, and after the others where it has not.
func TestManyPromptsAStep(t *testing.T) {
	for _, c := range []struct{ requests, in, out, chunk float64 }{
		{8, 500, 200, 8192}, {64, 500, 200, 8192}, {500, 200, 50, 8192}, {500, 200, 50, 2048}, {500, 200, 50, 1024},
		{1000, 100, 20, 8192}, {1000, 100, 20, 1024}, {400, 1000, 100, 8192}, {300, 2000, 20, 8192},
	} {
		r := replica(t, "llama3.8b", "gpu.b200", 2, Plan{}, Fitted("vllm")).calm()
		r.Chunk, r.Ahead, r.Request = c.chunk, 0, 0
		l, n := Load{In: c.in, Out: c.out}, int(20*c.requests)+2000
		rate, first := loop(r, l, int(c.requests), n, rand.New(rand.NewPCG(5, 6)))
		a := r.Closed(c.requests, l)
		if math.Abs(a.Requests/rate-1) > 0.03 {
			t.Errorf("%+v: %.4g requests a second; played %.4g", c, a.Requests, rate)
		}
		left := a.First.Step // of the step that runs when a request comes: here they come between steps
		if math.Abs(a.TTFT-left-first) > 0.2*first {
			t.Errorf("%+v: a first token after %.4g s; played %.4g s", c, a.TTFT-left, first)
		}
	}
}

// First tokens of requests that come by themselves are those that a simulation sees, from a third to nine tenths of
// what a replica can take: also where more than one prompt comes a step, and where a step has no memory for all that
// come. Of Llama 2 70B on one B200, 35 requests a second of 300 tokens once piled up without end.
func TestManyArriveAStep(t *testing.T) {
	k := Fitted("trtllm")
	k.Ingest, k.Ahead = 0, 0
	small := replica(t, "llama2.70b", "gpu.b200", 4.5/8, Plan{}, k)
	small.Engine.Sequences = 1024
	large := replica(t, "llama3.70b", "gpu.h100", 1, Plan{TP: 8}, k)
	for _, c := range []struct {
		r             *Replica
		in, out, rate float64
		within        float64
	}{
		{small, 300, 300, 5, 0.05}, {small, 300, 300, 20, 0.05}, {small, 300, 300, 35, 0.15},
		{large, 8000, 100, 1, 0.1}, {large, 8000, 100, 2, 0.1}, {large, 8000, 100, 2.5, 0.2},
		{large, 4000, 100, 5, 0.2}, {large, 500, 20, 40, 0.15},
	} {
		l := Load{In: c.in, Out: c.out}
		first, _ := newEngine(c.r.calm(), l).open(c.rate, 6000, rand.New(rand.NewPCG(1, 2)))
		q := c.r.Open(Arrivals{Rate: c.rate}, l)
		if math.Abs(q.TTFT.Mean/first-1) > c.within {
			t.Errorf("%v a second of %v tokens, %.0f %% of what can be: a first token after %.4g s; played %.4g s",
				c.rate, c.in, 100*q.Busy, q.TTFT.Mean, first)
		}
	}
}

// Experts that are there twice are written by the names that engines have for them, too.
func TestSpareExpertsAreRead(t *testing.T) {
	want := Plan{DP: 72, EP: 72, Spare: 32}
	for _, text := range []string{"dp=72,ep=72,+32", "dp=72,ep=72,spare=32",
		"--dp 72 --ep 72 --ep-num-redundant-experts 32",
		"dp=72 ep=72 redundant_experts=32"} {
		if p, err := ReadPlan(text); err != nil || p != want {
			t.Errorf("%q is read as %+v, %v", text, p, err)
		}
	}
}
