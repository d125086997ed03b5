package serving

import (
	"math/rand/v2"
	"testing"
)

// An engine that looks for requests every 31 steps lets each wait for 15 of them; prompts that wait for more of them
// wait all the while if no more come, and half of it if many do.
func TestHeld(t *testing.T) {
	r := replica(t, "llama3.70b", "gpu.h100", 1, Plan{TP: 8}, ideal())
	near(t, "each step looks", r.held(1), 0, 0)
	r.Poll = 31
	near(t, "every 31 steps", r.held(1), 15, 0)
	r.Poll, r.Wait = 0, 20
	near(t, "nobody else comes", r.held(0), 20, 0)
	near(t, "many come", r.held(1e6), 10, 1e-4)
}

// Requests whose answers are alike come together again and again; those whose lengths differ come apart, as far as the
// time over which they end is longer than that of their prompts.
func TestBurstComesApart(t *testing.T) {
	k := ideal()
	k.Together, k.Wave = 0.9, 0.1
	r := replica(t, "llama3.70b", "gpu.h100", 1, Plan{TP: 8}, k)
	near(t, "alike", r.burst(Load{}, 10, 5), 0.9, 1e-12)
	near(t, "far apart", r.burst(Load{Spread: 0.5}, 10, 5), 0.1, 1e-12)
	half := r.burst(Load{Spread: 0.2}, 5, 2*apart)
	near(t, "half apart", half, 0.5, 1e-12)
}

// The queue of prompts at random is that of a simulation: each begins when it has come and the one before is done.
func TestPromptsQueue(t *testing.T) {
	const each, rate, n = 0.02, 30.0, 400000
	dice := rand.New(rand.NewPCG(1, 2))
	now, free, waited := 0.0, 0.0, 0.0
	for range n {
		now += dice.ExpFloat64() / rate
		free = max(free, now)
		waited += free - now
		free += each
	}
	near(t, "wait", prompting{each: each}.queued(rate, 1e9), waited/n, 0.03)
	near(t, "of one other", prompting{each: each}.queued(1e9, 1), each/2, 1e-12)
}
