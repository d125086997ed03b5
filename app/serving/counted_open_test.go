package serving

import (
	"math"
	"testing"

	"github.com/scalebook/scalebook/app/hardware"
)

// Requests that come by themselves, and prefill and decode apart, counted by hand.

// twoASecond is a line of a replica that serves one request at a time, two a second: a first token after 3 s with a
// deviation of half a second, and ten more of 20 ms each.
func twoASecond() *Line {
	return &Line{chain: chain{at: []float64{1}, closed: []Latency{{Requests: 2, E2E: 0.5, TPOT: 0.02, TTFT: 1}},
		most: 1}, load: Load{Out: 11}, first: func(Arrivals, float64) (mean, deviation float64) { return 3, 0.5 }}
}

// TestQueueCounted: at one request a second the wait is that of M/M/1, rate/(service (service - rate)) = half a second,
// times (1 + 0.3^2)/2 = 0.545 for lengths that differ by three tenths (M/G/1): 0.2725 s. 3.2 s at a time without it are
// 3.2 requests under way. Nine in ten and 99 in 100 are 1.28 and 2.33 deviations of a bell away; a wait is spread as
// much as it is long.
func TestQueueCounted(t *testing.T) {
	q := twoASecond().Queue(Arrivals{Rate: 1, Spread: 0.3})
	cv := math.Hypot(0.3, 0.03) // of lengths, and of all else
	for name, pair := range map[string][2]float64{
		"wait":         {q.Wait, 0.2725},
		"under way":    {q.Running, 3.2},
		"TTFT":         {q.TTFT.Mean, 3 + 0.2725},
		"half of TTFT": {q.TTFT.P50, 3 + 0.2725/2},
		"90 % of TTFT": {q.TTFT.P90, 3 + 1.28*0.5 + 0.2725*(1+1.28)},
		"99 % of TTFT": {q.TTFT.P99, 3 + 2.33*0.5 + 0.2725*(1+2.33)},
		"TPOT":         {q.TPOT.Mean, 0.02},
		"90 % of TPOT": {q.TPOT.P90, 0.02 * (1 + 1.28*0.02)},
		"99 % of TPOT": {q.TPOT.P99, 0.02 * (1 + 2.33*0.02)},
		"E2E":          {q.E2E.Mean, 3 + 10*0.02 + 0.2725},
		"90 % of E2E":  {q.E2E.P90, (3+10*0.02)*(1+1.28*cv) + 0.2725},
		"output":       {q.Output, 1 * 11},
		"busy":         {q.Busy, 1.0 / 2},
	} {
		near(t, name, pair[0], pair[1], 1e-9)
	}
}

// TestTokensOfBusyStatesCounted: a replica serves one request at two a second and 10 ms a token, two at three a second
// and 30 ms. At 1.5 requests a second p(1) = 3/4 p(0), p(2) = 3/8 p(0), and as many again, 3/8 p(0), have more. In each
// of p(0)'s seconds 2 * 3/4 = 1.5 leave from the first state and 3 (3/8 + 3/8) = 2.25 from the others: a token takes
// (1.5 * 10 + 2.25 * 30)/3.75 = 22 ms. 1.1 are under way on average, at which a token would take 12.
func TestTokensOfBusyStatesCounted(t *testing.T) {
	c := chain{at: []float64{1, 2}, closed: []Latency{{Requests: 2, TPOT: 0.01}, {Requests: 3, TPOT: 0.03}}, most: 2}
	q := c.solve(Arrivals{Rate: 1.5})
	near(t, "a token", q.TPOT.Mean, 0.022, 1e-9)
	near(t, "under way", q.Running, (3./4+2*3./4)/(1+3./4+3./4), 1e-9)
}

// TestPlacesCounted: a place is kept for as long as a request's prompt and tokens take, not while it is on its way. In
// slots for two, with four steps and 10 ms before each prompt, what leaves is 2/(prompt + its share of the other's +
// tokens), open or closed, though a request takes longer.
func TestPlacesCounted(t *testing.T) {
	k := ideal()
	k.Ahead, k.Ingest, k.Request = 4, 0.01, 0.01
	r := replica(t, "llama3.70b", "gpu.h100", 1, Plan{TP: 8}, k)
	r.Engine.Sequences = 2
	l := Load{In: 4096, Out: 3}
	a := r.calm().Closed(40, l)
	kept := a.First.Prompt + a.First.Others + 2*a.TPOT
	near(t, "closed, a second", a.Requests, 2/kept, 2e-3)
	full := r.Line(l).closed
	b := full[len(full)-1]
	near(t, "open, a second", r.Line(l).Capacity(), 2/(b.First.Prompt+b.First.Others+2*b.TPOT), 0.01)
	away := a.Admitted - 2
	near(t, "on their way", away, a.Requests*(0.01+a.First.Step), 2e-3)
	step := a.TPOT // four of these pass, and those that begin before the client is back, which takes 10 ms on average
	passing := (step - a.Decode) / (a.First.Prompt - a.Decode)
	gone := (1-passing)*math.Exp(-a.Decode/0.01) + passing*math.Exp(-a.First.Prompt/0.01)
	near(t, "steps before the prompt", a.First.Step, 4*step+step/(1-gone)-0.01, 2e-3)
	near(t, "all", a.Requests*a.E2E, 40, 1e-9)
	if few := r.calm().Closed(2, l); few.Requests > 0.95*a.Requests {
		t.Errorf("two requests, none of which waits, are served %v a second, and 40 %v", few.Requests, a.Requests)
	}
}

// TestPromptsFillAllStepsCounted: of prompts that fill ten steps each, and answers of two tokens, one leaves every ten
// steps, however many are under way: who waits for the prompts of others doesn't wait for them once more at random.
func TestPromptsFillAllStepsCounted(t *testing.T) {
	r := replica(t, "llama3.70b", "gpu.h100", 1, Plan{TP: 8}, ideal())
	r.Engine.Name, r.Chunk = "sglang", 256
	l := Load{In: 2560, Out: 2}
	step := r.Step(Work{Sequences: 1, Context: 2561, Prompt: 256, Prompts: 1, Before: 1152}).Total()
	for _, c := range []float64{20, 50, 150} {
		near(t, "requests a second", r.Closed(c, l).Requests, 1/(10*step), 0.02)
	}
}

// TestFloodCounted: three a second come for 100 s where two are served: the last one waits 100 (3/2 - 1) = 50 s, the
// mean one half of it.
func TestFloodCounted(t *testing.T) {
	q := twoASecond().Queue(Arrivals{Rate: 3, Duration: 100})
	for name, pair := range map[string][2]float64{
		"wait": {q.Wait, 25}, "TTFT": {q.TTFT.Mean, 1 + 25}, "half of TTFT": {q.TTFT.P50, 1 + 25},
		"90 % of TTFT": {q.TTFT.P90, 1 + 0.9*50}, "99 % of TTFT": {q.TTFT.P99, 1 + 0.99*50},
		"output": {q.Output, 2 * 11},
	} {
		near(t, name, pair[0], pair[1], 1e-9)
	}
}

// TestFirstTokenCounted: a prompt that finds a step waits half of it and one until it is looked at, and shares its own
// with those that come in a step: their number is that of arrivals at random, which makes the step longer that it
// meets. A step of 8,192 tokens, 4 of them of those that decode, has room for 3.998 prompts of 2,048; who finds none
// waits.
func TestFirstTokenCounted(t *testing.T) {
	k := ideal()
	k.Ahead = 1
	r := replica(t, "llama3.70b", "gpu.h100", 1, Plan{TP: 8}, k)
	r.Request = 0.01
	l := Load{In: 2048, Out: 100}
	const capacity = (8192 - 4) / 2048.0
	for _, rate := range []float64{5, 20, 24} {
		// steps of d and e a prompt, if b/(1 - exp(-b)) share those that have any: T = d/(1 - rate e), b = rate T
		T := 0.0
		p := r.prompting(4, 1, l, 1)
		for range 200 {
			T = p.decode / (1 - rate*p.each)
			b := rate * T
			p = r.prompting(4, b/(1-math.Exp(-b)), l, 1)
		}
		others := rate * T
		mean, deviation := r.first(Arrivals{Rate: rate}, l, 4)
		own, full := r.prompting(4, 1+others, l, 1), r.prompting(4, capacity, l, 1).mixed
		busy := rate * full / capacity
		late := math.Pow(busy, math.Sqrt(2*(capacity+1))) / capacity / (1 - busy) * full / 2
		runs := 1 - math.Exp(-4) // with 4 under way on average, whatever others do, none are in exp(-4) of the time
		near(t, "mean", mean, 0.01+runs*p.decode+own.whole+late+runs*T/2+rate*p.each*p.each/2, 1e-5)
		// a place in a step has the variance T^2/12; those that come in it, and those whose prompts it waits for, vary
		// by their number
		near(t, "variance", deviation*deviation, T*T/12+2*others*p.each*p.each, 1e-3)
		even, _ := r.first(Arrivals{Rate: rate, Even: true}, l, 4)
		alone := r.prompting(4, 1+max(others-1, 0), l, 1)
		near(t, "evenly spaced", even, mean-own.whole-late+alone.whole, 1e-4)
	}
}

// TestLongFirstTokenCounted: prompts of 2,560 tokens fill one and a quarter steps of 2,048 each where they follow one
// another, so that at two in three of the rate that this allows one waits (2/3)^2/(1 - 2/3) = 4/3 times that, halved
// because all take as long.
func TestLongFirstTokenCounted(t *testing.T) {
	r := replica(t, "llama3.70b", "gpu.h100", 1, Plan{TP: 8}, ideal())
	r.Engine.Name, r.Chunk = "sglang", 2048
	l := Load{In: 2560, Out: 100}
	full := 1.25 * r.Step(Work{Sequences: 4, Context: 2610, Prompt: 2048, Prompts: 1, Before: 256}).Total()
	rate := 2. / 3 / full
	random, _ := r.first(Arrivals{Rate: rate}, l, 4)
	in := Arrivals{Rate: rate, Even: true} // which wait for none, and seldom share
	even, _ := r.first(in, l, 4)
	near(t, "waiting", random-even, 4./3*full/2, 0.1)
}

// TestApartCounted: 100 sequences of 100 further tokens of 20 ms and a prompt of 2 s ask for 25 prompts a second; at
// half a second each they keep 12.5 replicas busy, 13.9 with a tenth to spare.
func TestApartCounted(t *testing.T) {
	near(t, "replicas that prefill", promptPace{whole: 2, each: 0.5}.match(100, 0.02, Load{Out: 101}), 14, 0)
	k := ideal()
	k.Join, k.Links, k.Handover = 3, 0.8, 0.01
	prefill := replica(t, "llama3.8b", "gpu.h100", 2, Plan{PP: 2}, k)
	decode := replica(t, "llama3.8b", "gpu.h100", 2, Plan{}, k)
	s := Split{Prefill: prefill, Decode: decode, Prefills: 1, Decodes: 1}
	x := s.prompt(3, Load{In: 1024, Out: 100})
	near(t, "what a prompt takes of two stages", x.each, x.whole/3/2, 1e-12)
	near(t, "until a sequence decodes", s.joins(100, 0.02), (1.5+3)*0.02, 1e-12)
	decode.Chunk = 2048
	s.Prefill = decode
	near(t, "two chunks", s.prompt(1, Load{In: 4096, Out: 100}).whole,
		2*decode.Step(Work{Prompt: 2048, Prompts: 1, Before: 1024}).Total(), 1e-12)
	filled := 1.25 * decode.Step(Work{Prompt: 2048, Prompts: 1, Before: 256}).Total() // whole steps; two alone
	near(t, "a prompt of one and a quarter steps", s.prompt(1, Load{In: 2560}).each, filled, 1e-12)
	near(t, "alone", s.prompt(1, Load{In: 2560}).whole,
		2*decode.Step(Work{Prompt: 1280, Prompts: 1, Before: 640}).Total(), 1e-12)
	const cache = 4096 * 32 * 2 * 8 * 128 * 2 // tokens x layers x keys and values x heads x size x bytes
	near(t, "handover", s.Handover(Load{In: 4096}), 0.01+cache/(450e9*0.8), 1e-9)
	decode.Mesh = hardware.Mesh{Devices: 8, Local: 1} // to its counterpart a chip has one link of seven
	near(t, "handover over one link", s.Handover(Load{In: 4096}), 0.01+cache/(450e9/7*0.8), 1e-9)
}
