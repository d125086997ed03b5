package serving

import (
	"math"
	"testing"
)

// Prompts on chips that only prefill, counted by hand.

// TestTurnsCounted: of two replicas each gets every second prompt. Each of three other users sends one in some time
// with 2/3: one comes to each replica on average, and to both together none with (1/3)^3 = 1/27, one with 3*2/27
// = 6/27. With 7/27 a replica's next prompt is yet to come; it waits for two more, or for one: (2*1 + 1*6)/27 to both,
// half of that to each. At random, half a prompt on average, none comes with exp(-1/2). With four users and five
// replicas none ever finds another there.
func TestTurnsCounted(t *testing.T) {
	q := promptQueue{users: 3, replicas: 2}
	none, most := q.turns(1) // of both together two: each of three users with 2/3
	near(t, "none of three users", none, 7./27, 1e-12)
	near(t, "of three users at the end", most, 1+(2.*1+1*6)/27/2, 1e-12)
	q = promptQueue{users: mostUsers, replicas: 1}
	none, most = q.turns(0.5)
	near(t, "none at random", none, math.Exp(-0.5), 1e-6)
	near(t, "at random at the end", most, 0.5+math.Exp(-0.5), 1e-6)
	q = promptQueue{users: 3, replicas: 5}
	none, most = q.turns(0.5)
	near(t, "four users and five replicas", none, 1, 1e-12)
	near(t, "of four users at the end", most, 1, 1e-12)
	q = promptQueue{users: 1e6 - 1, replicas: 1e6} // as 64 replicas of 64 users; hardly any has two at a time
	none, most = q.turns(0.5)
	near(t, "none of as many users as replicas", none, 1, 1e-4)
	near(t, "of as many users as replicas at the end", most, 1, 1e-4)
	q = promptQueue{users: 0, replicas: 1}
	none, most = q.turns(0)
	near(t, "one user", none, 1, 0)
	near(t, "one user at the end", most, 1, 0)
}

// TestPromptsWaitCounted: of prompts at random on one replica whose steps take a second and hold one, at three
// fifths of what it can take, met = 1 - exp(-0.6)/(0.6 + exp(-0.6)) = 0.522 meet a step, and wait for half of it; 0.6^2
// wait on, for 1/(2 * 0.4) of others. Of M/D/1 it is 0.6/(2 * 0.4) = 0.75 s, here 0.71. Prompts of two steps meet steps
// half as long, and where places are taken wait for half of two.
func TestPromptsWaitCounted(t *testing.T) {
	q := promptQueue{replicas: 1, stages: 1, capacity: 1, pieces: 1, steps: []float64{1}, each: 1, late: 1,
		users: mostUsers, others: 1}
	met := 1 - math.Exp(-0.6)/(0.6+math.Exp(-0.6))
	wait, step := q.meets(0.6)
	near(t, "a prompt waits", wait, met/2+0.36/0.8, 1e-4)
	near(t, "its step", step, 1, 1e-9)
	q.steps, q.each, q.pieces, q.fill = []float64{2}, 2, 2, 1.5
	wait, step = q.meets(0.3)
	near(t, "for a place", wait, met*2/2/2+0.36*2*(1/0.8+0.5/2/0.6), 1e-4)
	near(t, "with others in its last step", step, 2+1.5*0.36/2, 1e-4)
	q.last = 0.25
	_, step = q.meets(0.3)
	near(t, "with other groups in its last step", step, 2+1.5*0.36/2, 1e-4)
	q.last = 0.75
	_, step = q.meets(0.3)
	near(t, "with full steps of other groups", step, 2+1.5*met*0.75, 1e-4)
	q.stages = 2
	wait, _ = q.meets(0.3)
	rare := 1 - math.Exp(-0.3)/(0.3+math.Exp(-0.3)) // each stage gets every second one
	near(t, "of two stages", wait, rare*2/2/2/2+0.3*0.3*2*(1/0.8+0.5/2/0.6), 1e-4)
}

// TestPromptsOfUsersCounted: a replica that is busy all the time has a queue of its eight users that is longer than x
// with exp(-2 x^2/8): on average as many as the integral of this over all x, sqrt(pi) = 1.77.
func TestPromptsOfUsersCounted(t *testing.T) {
	q := promptQueue{replicas: 1, stages: 1, capacity: 1, pieces: 1, steps: []float64{1}, each: 1, late: 1, users: 7,
		others: 7. / 8}
	none, most := q.turns(1)
	wait, _ := q.meets(8. / 7) // of the others one comes in a second
	near(t, "all busy", wait, (1-none/most)/2+math.Sqrt(math.Pi), 1e-6)
}

// TestPromptsTogetherCounted: steps of one, two and four prompts take 1, 1.5 and 2.5 s. Where one comes every second on
// average, at random, b share a step of T(b) with T = b - exp(-T), a solution of both; its own step has T(b) others,
// more by 1/(1 - (T'/1)^2 (1 - 1/T)) for the times at which steps are long.
func TestPromptsTogetherCounted(t *testing.T) {
	q := promptQueue{replicas: 1, stages: 1, capacity: 4, pieces: 1, steps: []float64{1, 1.5, 2.5}, each: 2.5 / 4,
		late: 1, users: mostUsers, others: 1}
	near(t, "three", q.whole(3), 2, 1e-12)
	near(t, "as many as fit", q.whole(9), 2.5, 1e-12)
	T := 1.0
	for range 200 {
		T = 0.5 + 0.5*(T+math.Exp(-T)) // one prompt more takes half a second
	}
	met := 1 - math.Exp(-T)/(T+math.Exp(-T))
	wait, step := q.meets(1)
	near(t, "its step", step, q.whole(1+met*(T-1+1/(1-0.25*(1-1/T)))), 1e-3)
	spare := 1 - 2.5/4
	near(t, "wait", wait, met*T/2+math.Pow(T/4, math.Sqrt(10))*2.5/4/(2*spare), 1e-3)
}

// TestLateCounted: of two stages the first takes a prompt's second piece while the first one is in the second: of one
// and a half full steps a prompt takes one, and half of the rest; one that fits a step takes all of it.
func TestLateCounted(t *testing.T) {
	r := replica(t, "llama3.8b", "gpu.h100", 2, Plan{PP: 2}, ideal())
	s := Split{Prefill: r, Decode: r, Prefills: 2, Decodes: 1}
	near(t, "one and a half steps", s.late(1.5)*1.5, 1+0.5/2, 1e-12)
	near(t, "half a step", s.late(0.5), 1, 1e-12)
	r.Chunk = 2048
	long, whole := Load{In: 3072, Out: 100}, 2*r.Step(Work{Prompt: 1536, Prompts: 1, Before: 768}).Total()
	near(t, "a prompt", s.prompt(1, long).whole, whole*1.25/1.5, 1e-12)
	q := s.queue(9, long)
	near(t, "its steps", q.steps[0], whole, 1e-12)
	near(t, "a full step of a stage", q.fill, q.each/1.5, 1e-12)
	near(t, "none of other groups", q.last, 0, 0)
}

// TestCrowdCounted: of twelve users who begin at once, six come to each of two replicas, with capacity for two in each
// of their two groups. All steps have four prompts, and two of them wait for half of their time.
func TestCrowdCounted(t *testing.T) {
	k := ideal()
	k.Crowd = 0.3
	r := replica(t, "llama3.8b", "gpu.h100", 2, Plan{DP: 2}, k)
	r.Chunk = 2048
	s, l := Split{Prefill: r, Decode: r, Prefills: 2, Decodes: 1}, Load{In: 1024, Out: 100}
	one, four := s.prompt(1, l).whole, s.prompt(4, l)
	near(t, "a burst", s.queue(12, l).burst, 0.3*(four.whole-one+2./2*four.each), 1e-12)
	r.Chunk = 1024
	l.In = 1536
	q := s.queue(12, l)
	near(t, "what a last piece leaves", q.last, 0.5*(1-1./2), 1e-12)
	near(t, "other users", q.others, 11./12, 1e-12)
	near(t, "fewer users than replicas", s.queue(1, l).burst, 0, 0)
	r.Crowd = 0
	near(t, "no burst", s.queue(math.Inf(1), l).burst, 0, 0)
}

// TestIdleDecodeBeginsAtOnce: who comes to chips on which nothing decodes waits for no step; of two others on two
// replicas one decodes on each, and a step runs with 1 - 1/e.
func TestIdleDecodeBeginsAtOnce(t *testing.T) {
	k := ideal()
	k.Join = 2
	s := Split{Decode: replica(t, "llama3.8b", "gpu.h100", 2, Plan{}, k), Decodes: 2}
	near(t, "idle", s.joins(0, 0.02), (1+2)*0.02, 1e-12)
	near(t, "with others", s.joins(2, 0.02), (1+2+(1-1/math.E)/2)*0.02, 1e-12)
}

// TestNoQueueOfOne: one user waits for nobody, whatever the prefill workers are: the first token is the request, the
// prompt, the handover and the first step.
func TestNoQueueOfOne(t *testing.T) {
	r := replica(t, "llama3.70b", "gpu.h100", 1, Plan{TP: 8}, ideal())
	s, l := Split{Prefill: r, Decode: r, Prefills: 1, Decodes: 1}, Load{In: 2048, Out: 2}
	a := s.Closed(1, l)
	near(t, "a first token", a.TTFT, r.Ingest+s.prompt(1, l).whole+s.Handover(l)+(1+r.Join)*a.TPOT, 1e-6)
}
