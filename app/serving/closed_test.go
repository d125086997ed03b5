package serving

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// closed plays c requests that are always under way, each followed by another as its client sees to, up to twice the
// mean time later. It returns requests a second and the means of first tokens and tokens, of the second half of n.
func (e *engine) closed(c, n int, answer func() float64, random *rand.Rand) (rate, first, token float64) {
	away := make([]float64, c)
	half, tokens, sum, before, done := 0.0, 0.0, 0.0, 0, 0
	for len(e.done) < n {
		next, kept := math.Inf(1), away[:0]
		for _, at := range away {
			if at <= e.now {
				e.come(at, answer())
			} else {
				kept, next = append(kept, at), min(next, at)
			}
		}
		away = kept
		if e.letIn(); len(e.running) == 0 {
			e.now = next
			continue
		}
		e.step()
		for ; done < len(e.done); done++ {
			away = append(away, e.now+2*e.Request*random.Float64())
			if q := &e.done[done]; before > 0 {
				first, tokens, sum = first+q.first-q.arrived, tokens+q.last-q.first, sum+q.all-1
			}
		}
		if before == 0 && len(e.done) >= n/2 {
			half, before = e.now, len(e.done)
		}
	}
	k := float64(len(e.done) - before)
	return k / (e.now - half), first/k + e.Request, tokens / max(sum, 1)
}

// TestClosedLoopsAgreeWithSimulation: of loops drawn at random, from one request to a thousand, of prompts of 64 to
// 32,768 tokens and answers of 1 to 4,096, with experts or without, the law serves as many requests as an engine that
// is played step by step, and requests wait as long for their tokens there. Answers have from half to one and a half
// times the mean of tokens, so that nothing keeps requests together. How far they lie apart is what the page of
// measurements shows; by how many steps prompts fill for each that a request decodes in, it is printed.
func TestClosedLoopsAgreeWithSimulation(t *testing.T) {
	set, random := 300, rand.New(rand.NewPCG(1, 29))
	if testing.Short() {
		set = 40
	}
	bounds := []float64{0.01, 0.1, 0.5, 1, 2, math.Inf(1)}
	off := make(map[string][]float64)
	for n := 0; n < set; {
		r, l, err := randomReplica(t, random, 0.005, 1, 4096)
		c := between(random, 1, 1000)
		if err != nil || r.Fit(l) < 1 {
			continue
		}
		c = min(c, r.Fit(l))
		r.Engine.Sequences = c
		r, n = r.calm(), n+1
		a := r.Closed(c, l)
		rate, first, token := newEngine(r, l).closed(int(c), int(min(max(12*c, 200), 4e6/l.Out+4*c)), func() float64 {
			return max(math.Round(l.Out*(0.5+random.Float64())), 1)
		}, random)
		filled := c * max(l.In/r.Chunk, 1/max(math.Floor((r.Chunk-c)/l.In), 1)) / l.Out
		i := slices.IndexFunc(bounds, func(b float64) bool { return filled < b })
		for name, x := range map[string]float64{"rate": a.Requests / rate, "first": a.TTFT / first,
			"token": a.TPOT / token} {
			if name != "token" || l.Out > 1 {
				part := fmt.Sprintf("%s, prompts fill up to %v of the steps", name, bounds[i])
				off[name], off[part] = append(off[name], x-1), append(off[part], x-1)
			}
		}
	}
	const loads = "closed loops, drawn at random"
	holdSimulated(t, []distances{{loads, "tokens a second", off["rate"]}, {loads, "time to first token", off["first"]},
		{loads, "time per output token", off["token"]}})
	for name, x := range off {
		half := heldBelow(x, 0.5)
		t.Logf("%s, of %d: half within %.1f %%, nine in ten within %.1f %%", name, len(x), 100*half,
			100*heldBelow(x, 0.9))
		if half > 0.05 && len(x) > 100 {
			t.Errorf("%s, of %d: half within %.3f", name, len(x), half)
		}
	}
}

// TestFasterChipsServeNoLess: a closed loop on chips with more bandwidth, arithmetic or faster links serves no fewer
// requests, since the steps that it takes are counted before they are priced. What is left, less than one in a hundred
// of loops and less than one in a hundred of a rate, is the client's time, which faster steps leave more requests to.
func TestFasterChipsServeNoLess(t *testing.T) {
	set := 300
	if testing.Short() {
		set = 40
	}
	for _, seed := range []uint64{3, 77} {
		random := rand.New(rand.NewPCG(seed, 29))
		slower := map[string]int{}
		for range set {
			w := randomWish(t, random)
			w.Chips, w.Engine.Tokens = min(w.Chips, 8), 1e9
			plans, c := w.Plans(), math.Floor(math.Exp(7*random.Float64()))
			if len(plans) == 0 {
				continue
			}
			p := plans[random.IntN(len(plans))]
			serves := func(k Spec) float64 {
				r, err := NewReplica(k.Shape, k.Chip, p, k.Constants, k.Engine)
				if err != nil {
					t.Fatal(err)
				}
				return r.Closed(c, k.Load).Requests
			}
			before := serves(w)
			for what, change := range map[string]func(c *Chip){
				"bandwidth":  func(c *Chip) { c.Bandwidth *= 1.5 },
				"links":      func(c *Chip) { c.Link, c.Network = 1.5*c.Link, 1.5*c.Network },
				"arithmetic": func(c *Chip) { c.Peak16, c.Peak8, c.Peak4 = 1.5*c.Peak16, 1.5*c.Peak8, 1.5*c.Peak4 },
			} {
				k := w
				change(&k.Chip)
				after := serves(k)
				if after < before*(1-1e-6) {
					slower[what]++
				}
				if after < before*0.99 {
					t.Errorf("more %s: %s, %v on %s, %v requests, %+v: %v a second after %v", what, w.Shape.Model.ID, p,
						w.Chip.ID, c, w.Load, after, before)
				}
			}
		}
		for what, n := range slower {
			if n > 3 {
				t.Errorf("more %s serves less in %d of %d loops", what, n, set)
			}
		}
	}
}

// TestChunksAreFilledCounted: of prompts of one and a quarter steps, to which each decodes one token, and of which
// always some wait, four take five steps: what the last step of a prompt leaves is the next one's. One alone takes two,
// of five eighths each.
func TestChunksAreFilledCounted(t *testing.T) {
	r := replica(t, "llama3.70b", "gpu.h100", 1, Plan{TP: 8}, ideal())
	r.Engine.Name, r.Chunk = "sglang", 2048
	l := Load{In: 2560, Out: 1}
	full := r.Step(Work{Sequences: 1, Context: 2560.5, Prompt: 2048, Prompts: 1, Before: 256}).Total()
	near(t, "of a hundred", r.Closed(100, l).Requests, 1/(1.25*full), 0.02)
	half := r.Step(Work{Sequences: 1, Context: 2560.5, Prompt: 1280, Prompts: 1, Before: 640}).Total()
	near(t, "alone", r.Closed(1, l).Requests, 1/(2*half), 1e-9)
}

// TestJoiningCounted: of two requests that each end with every second step, none ends with a quarter of the steps, and
// 4/3 with the others. All join where every step ends all, and one where they seldom do.
func TestJoiningCounted(t *testing.T) {
	near(t, "two of every second step", joining(1, 2), 4./3, 1e-12)
	near(t, "all", joining(6, 6), 6, 1e-12)
	near(t, "seldom", joining(1e-3, 1000), 1, 1e-3)
	near(t, "of very many", joining(2, 1e9), 2/(1-math.Exp(-2)), 1e-6)
}

// TestMissedCounted: of steps of 1 and 3 s half have prompts, so that one takes 2 s. Of a client's 10 s without memory
// exp(-1/10) and exp(-3/10) outlast a step, 0.8228 on average: 1/(1 - 0.8228) = 5.644 steps begin, and what is left of
// the last is what these take beyond 10 s. One that takes no time misses one step, all of it. A request that arrives at
// random finds a step of (1 + 9)/2 s², of which (1 + 9)/2/2/2 = 1.25 s are left, and (10 + 1.25)/2 have started.
func TestMissedCounted(t *testing.T) {
	p := prompting{decode: 1, mixed: 3}
	for _, c := range []struct {
		random               bool
		request, steps, left float64
	}{{false, 10, 5.644, 1.288}, {false, 0, 1, 2}, {true, 10, 5.625, 1.25}, {true, 0, 0.625, 1.25}} {
		r := Replica{random: c.random}
		r.Request = c.request
		steps, left := r.missed(p, 0.5)
		near(t, fmt.Sprintf("steps, %+v", c), steps, c.steps, 2e-4)
		near(t, fmt.Sprintf("left, %+v", c), left, c.left, 5e-4)
	}
}

// TestBurstsFillSteps: of requests that all come together, each prompt of which fills a step, one is served a step,
// whether a few tokens follow or one. On average half of the others' prompts run before its own.
func TestBurstsFillSteps(t *testing.T) {
	k := ideal()
	k.Together, k.Wave = 1, 1
	r := replica(t, "llama3.70b", "gpu.h100", 1, Plan{TP: 8}, k)
	r.Engine.Name, r.Chunk, r.Ingest, r.Request = "sglang", 16384, 0, 0
	for out := 2.0; out <= 4; out++ {
		step := r.Step(Work{Sequences: out - 1, Context: 16384 + out/2, Prompt: 16384, Prompts: 1}).Total()
		near(t, "a second", r.Closed(65, Load{In: 16384, Out: out}).Requests, 1/step, 0.03)
	}
}

// TestOwnStepsCounted: a prompt of two pieces that shares its steps with no other is a part of two, and where there are
// two stages, each with requests of its own, of one of those that begin.
func TestOwnStepsCounted(t *testing.T) {
	for pp, want := range map[int]float64{1: 2, 2: 1} {
		r := replica(t, "llama3.70b", "gpu.h100", 1, Plan{TP: 4, PP: pp}, ideal())
		r.Engine.Name, r.Chunk = "sglang", 2048
		p := r.prompting(1, 1, Load{In: 2560, Out: 1}, 1)
		near(t, "its own", p.own, want, 1e-12)
		near(t, "of which it is a part", p.steps, want, 1e-12)
	}
}

// TestAgainCounted: what is computed again, half of each prompt, is as many steps more, of the fewest too.
func TestAgainCounted(t *testing.T) {
	for pieces, least := range map[float64]float64{1: 0.25, 3: 2} {
		p := prompting{each: 0.1, steps: 2, pieces: pieces, fewest: 0.25}
		p.again(0.5)
		near(t, "least", p.least(), 1.5*least, 1e-12)
		near(t, "each", p.each, 0.15, 1e-12)
	}
}

// TestClosedStepsCounted: three requests of 512 tokens and ten more tokens each, which nothing keeps together, of
// clients that take no time. A life is the step that begins before the client has its answer, one with its prompt,
// those that it waits for a place in one, and ten. With 1/S of its steps each of the three begins anew; of steps with
// prompts those have (3/S)/(1 - (1 - 1/S)^3). Of the steps with prompts one is its own, and those of its wait are
// none that it decodes in: the others are among the first and the ten.
func TestClosedStepsCounted(t *testing.T) {
	k := ideal()
	k.Eager = 1e-3
	r := replica(t, "llama3.70b", "gpu.h100", 1, Plan{TP: 8}, k).calm()
	r.Ingest, r.Request = 0, 0
	a := r.Closed(3, Load{In: 512, Out: 11})
	S, decode, mixed, passing, wait := 11.5, 0.0, 0.0, 0.0, 0.0
	for range 200 {
		w := Work{Sequences: 3 * 10 / S, Context: 512 + 5.5}
		decode = r.Step(w).Total()
		with := func(prompts float64) float64 {
			w.Prompt, w.Prompts = 512*prompts, prompts
			return r.Step(w).Total()
		}
		join := 3 / S / (1 - math.Pow(1-1/S, 3))
		mixed = with(1) + (join-1)*(with(2)-with(1))
		capacity := (8192 - w.Sequences) / 512
		full := 2 / S / capacity // of the steps, by those of the two others
		wait = math.Pow(full, math.Sqrt(2*(capacity+1))) / capacity / (1 - full) / 2
		passing = (3/join - 1 - wait) / (1 + 10)
		S = 1 + 1 + wait + 10
	}
	near(t, "the first token", a.TTFT, decode+passing*(mixed-decode)+mixed+wait*mixed, 1e-3)
	near(t, "a token", a.TPOT, decode+passing*(mixed-decode), 1e-3)
	if mixed < 1.5*decode {
		t.Errorf("prompts hardly change a step: %v s after %v s", mixed, decode)
	}
}

// TestShortAnswersAgreeWithSimulation: of two to eight requests with answers of one to four tokens the law serves as
// many a second as an engine that is played step by step, to within 5 %, of prompts that take two steps 8 %. Two
// requests of one token whose prompts fill steps take turns: while one's prompt runs, the other's client asks anew
// and waits, so that a step serves one of them.
func TestShortAnswersAgreeWithSimulation(t *testing.T) {
	k := Fitted("vllm")
	k.Ingest, k.Ahead, k.Gather = 0.005, 0, 0
	r := replica(t, "llama3.70b", "gpu.h100", 1, Plan{TP: 4}, k).calm()
	for in, limit := range map[float64]float64{500: 0.05, 3000: 0.05, 12000: 0.08} {
		for _, c := range []float64{2, 3, 4, 8} {
			for out := 1.0; out <= 4; out++ {
				l, random := Load{In: in, Out: out}, rand.New(rand.NewPCG(1, 29))
				rate, _, _ := newEngine(r, l).closed(int(c), 4000, func() float64 {
					return max(math.Round(out*(0.5+random.Float64())), 1)
				}, random)
				near(t, fmt.Sprintf("%v of %v and %v tokens", c, in, out), r.Closed(c, l).Requests, rate, limit)
			}
		}
	}
	alone := r.Step(Work{Sequences: 1, Context: 3000.5, Prompt: 3000, Prompts: 1}).Total()
	near(t, "two take turns", r.Closed(2, Load{In: 3000, Out: 1}).Requests, 1/alone, 0.03)
}
