package serving

import (
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/golden"
	"github.com/scalebook/scalebook/app/measured/summary"
)

// request is one of the simulation.
type request struct {
	arrived, first, last float64
	prompt, tokens       float64 // left
	ahead                float64 // steps left that were scheduled before it came
	all                  float64 // tokens of its answer
}

// engine plays an engine step by step: requests are let in while places are free, have their prompts computed in
// chunks, the oldest first, beside all who decode, and leave after their last token. It knows nothing of the laws of
// queues, and shares with them what a step takes.
type engine struct {
	*Replica
	load             Load
	places           int
	now              float64
	waiting, running []request
	done             []request
}

func newEngine(r *Replica, l Load) *engine {
	return &engine{Replica: r, load: l, places: int(r.admit(longest, l))}
}

// between is a whole number between two, as likely near the one as the other, in proportion.
func between(random *rand.Rand, a, b float64) float64 {
	return math.Floor(a * math.Pow(b/a, random.Float64()))
}

// randomReplica is any of a few models on any of a few chips, by an engine whose requests begin after so many seconds,
// and a load of answers of so many tokens; an error where the plan suits no replica.
func randomReplica(t *testing.T, random *rand.Rand, begin, least, most float64) (*Replica, Load, error) {
	pick := func(of ...string) string { return of[random.IntN(len(of))] }
	engine := pick("vllm", "trtllm", "sglang")
	k := Fitted(engine)
	k.Ingest, k.Ahead, k.Gather = begin, 0, 0
	name := pick("llama3.8b", "llama3.70b", "qwen3.32b", "qwen3.235b_a22b", "gpt_oss.120b", "mixtral.8x7b")
	shape := replica(t, name, pick("gpu.h100", "gpu.h200", "gpu.b200", "gpu.mi300x"), 1, Plan{}, k)
	r, err := NewReplica(shape.Shape, shape.Chip, Plan{TP: 1 << random.IntN(4)}, k,
		Engine{Name: engine, Chunk: []float64{2048, 8192, 16384}[random.IntN(3)], Reserve: 1})
	return r, Load{In: between(random, 64, 32768), Out: between(random, least, most)}, err
}

// come is a request that arrives now, or did a little before.
func (e *engine) come(at, tokens float64) {
	q := request{arrived: at, prompt: e.load.fresh(), tokens: tokens, all: tokens}
	if len(e.running) > 0 {
		q.ahead = e.Ahead
	}
	e.waiting = append(e.waiting, q)
}

// letIn fills the places.
func (e *engine) letIn() {
	for len(e.waiting) > 0 && len(e.running) < e.places && (e.waiting[0].ahead <= 0 || len(e.running) == 0) {
		e.running, e.waiting = append(e.running, e.waiting[0]), e.waiting[1:]
	}
}

// step takes one step with those who run.
func (e *engine) step() {
	for i := range e.waiting {
		e.waiting[i].ahead--
	}
	l, w, budget := e.load, Work{Context: e.load.In + e.load.Out/2, Verify: e.load.Verify}, e.Chunk
	for i := range e.running {
		if e.Engine.Name != "sglang" && e.running[i].prompt == 0 {
			budget -= max(l.Verify, 1)
		}
	}
	for i := range e.running {
		q := &e.running[i]
		if q.prompt == 0 {
			w.Sequences++
			q.tokens -= max(l.Tokens, 1)
			continue
		}
		part := min(q.prompt, max(budget, 0))
		if part > 0 {
			w.Before = (w.Before*w.Prompts + l.In - q.prompt) / (w.Prompts + 1)
			w.Prompts++
		}
		if w.Prompt, budget, q.prompt = w.Prompt+part, budget-part, q.prompt-part; q.prompt == 0 {
			q.tokens--
		}
	}
	e.now += e.Step(w).Total() + e.Guessing(w, l)
	kept := e.running[:0]
	for _, q := range e.running {
		if q.prompt == 0 && q.first == 0 {
			q.first = e.now
		}
		if q.last = e.now; q.tokens > 0 {
			kept = append(kept, q)
		} else {
			e.done = append(e.done, q)
		}
	}
	e.running = kept
}

// open plays n requests that come at random, and is the mean of those of the second half: until the first token, and
// until the last.
func (e *engine) open(rate float64, n int, random *rand.Rand) (first, whole float64) {
	next := random.ExpFloat64() / rate
	for came := 0; len(e.done) < n; {
		for ; came < n && next <= e.now; came++ {
			e.come(next, e.load.Out)
			next += random.ExpFloat64() / rate
		}
		if e.letIn(); len(e.running) == 0 {
			e.now = next
			continue
		}
		e.step()
	}
	late := e.done[n/2:]
	for _, q := range late {
		first, whole = first+(q.first-q.arrived)/float64(len(late)), whole+(q.last-q.arrived)/float64(len(late))
	}
	return first + e.Request, whole + e.Request
}

// busiest is the requests a second of an engine for which some always wait.
func (e *engine) busiest(n int, random *rand.Rand) float64 {
	half, before := 0.0, 0
	for len(e.done) < n {
		for len(e.waiting)+len(e.running) < e.places {
			tokens := e.load.Out
			if len(e.done) < e.places { // the first ones end one by one
				tokens = math.Ceil(tokens * random.Float64())
			}
			e.come(e.now, tokens)
			e.waiting[len(e.waiting)-1].ahead = 0
		}
		e.letIn()
		e.step()
		if before == 0 && len(e.done) >= n/2 {
			half, before = e.now, len(e.done)
		}
	}
	return float64(len(e.done)-before) / (e.now - half)
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
	capacity := r.Line(l).Capacity()
	for _, c := range []struct{ busy, first, whole float64 }{{0.1, 0.05, 0.01}, {0.5, 0.1, 0.01}, {0.8, 0.15, 0.02}} {
		q := r.Open(Arrivals{Rate: c.busy * capacity}, l)
		first, whole := newEngine(r.calm(), l).open(c.busy*capacity, 20000, rand.New(rand.NewPCG(1, 2)))
		t.Logf("%.0f %% busy: first token %.4g against %.4g s, whole %.4g against %.4g s", 100*c.busy, q.TTFT.Mean,
			first, q.E2E.Mean, whole)
		near(t, "the first token of the chain", q.TTFT.Mean, first, c.first)
		near(t, "the whole of the chain", q.E2E.Mean, whole, c.whole)
	}
}

// Where requests seldom meet, most find an engine that runs no step: with 0.05 of them under way on average, exp(-0.05)
// = 95 % do, and wait for none. Short answers show it, whose prompts are most of them.
func TestIdleEnginesBeginAtOnce(t *testing.T) {
	k := Fitted("vllm")
	k.Ahead = 1
	r := replica(t, "llama3.8b", "gpu.h100", 2, Plan{}, k)
	r.Chunk, r.Engine.Sequences = 2048, 64
	for _, l := range []Load{{In: 600, Out: 4}, {In: 600, Out: 20}, {In: 3000, Out: 2}, {In: 3000, Out: 8}} {
		line := r.Line(l)
		rate := 0.05 / line.state(1).E2E
		first, whole := newEngine(r.calm(), l).open(rate, 6000, rand.New(rand.NewPCG(1, 2)))
		q := line.Queue(Arrivals{Rate: rate})
		near(t, "the first token", q.TTFT.Mean, first, 0.03)
		near(t, "the whole", q.E2E.Mean, whole, 0.03)
	}
}

// TestQueuesAgreeWithSimulation: of replicas drawn at random, with few or many places, prompts in one step or in
// several, guesses and hits, the largest rate that lasts is that of an engine for which some always wait, and requests
// take as long as there at three, six and nine tenths of it.
func TestQueuesAgreeWithSimulation(t *testing.T) {
	wishes := 40
	if testing.Short() {
		wishes = 5
	}
	errors := map[string][]float64{}
	random := rand.New(rand.NewPCG(11, 29))
	for range wishes {
		w := randomWish(t, random)
		w.Apart, w.Offload, w.TTFT, w.TPOT, w.Chips = false, 0, 0, 0, min(w.Chips, 2)
		w.Load.In, w.Load.Out = min(w.Load.In, 4000), min(max(w.Load.Out, 20), 200)
		all, _ := w.Search(0, 1)
		all = slices.DeleteFunc(all, func(o Option) bool {
			return o.Plan.full().PP*o.Plan.full().DP > 1 ||
				o.Batch > 64
		})
		if len(all) == 0 {
			continue
		}
		o := all[random.IntN(len(all))]
		limited := w.Engine
		limited.Sequences, limited.Reserve = o.Batch, 1
		r, err := NewReplica(w.Shape, w.Chip, o.Plan, w.Constants, limited)
		if err != nil {
			t.Fatal(err)
		}
		r = r.calm()
		r.Poll, r.Wait, r.Ahead = 0, 0, math.Round(r.Ahead)
		line, most := r.Line(w.Load), newEngine(r, w.Load).busiest(int(max(10*o.Batch, 100)), random)
		errors["capacity"] = append(errors["capacity"], math.Abs(line.Capacity()/most-1))
		for i, name := range []string{"three tenths", "six tenths", "nine tenths"} {
			rate := 0.3 * float64(i+1) * most
			_, whole := newEngine(r, w.Load).open(rate, 3000, random)
			errors[name] = append(errors[name], math.Abs(line.Queue(Arrivals{Rate: rate}).E2E.Mean/whole-1))
		}
	}
	for name, limit := range map[string][2]float64{"capacity": {0.02, 0.1}, "three tenths": {0.02, 0.1},
		"six tenths": {0.02, 0.12}, "nine tenths": {0.1, 0.4}} {
		x := errors[name]
		slices.Sort(x)
		t.Logf("%s of %d: half of them within %.1f %%, nine in ten within %.1f %%", name, len(x), 100*x[len(x)/2],
			100*x[len(x)*9/10])
		if !testing.Short() && (len(x) < 25 || x[len(x)/2] > limit[0] || x[len(x)*9/10] > limit[1]) {
			t.Errorf("%s: %v", name, x)
		}
	}
}

// TestMoreIsNoWorse: a chip with more bandwidth, memory, arithmetic or faster links, more chips, and shorter prompts
// give some user no fewer tokens a second, nor all of them together. Of all, half a hundredth is left to the time of
// clients, which faster steps leave more requests to.
func TestMoreIsNoWorse(t *testing.T) {
	wishes := 10
	if testing.Short() {
		wishes = 2
	}
	best := func(w Spec) (user, rate float64) {
		all, _ := w.Search(0, 1)
		for _, o := range all {
			user, rate = max(user, o.PerUser), max(rate, o.Output)
		}
		return user, rate
	}
	draws := []*rand.Rand{rand.New(rand.NewPCG(17, 29)), rand.New(rand.NewPCG(3, 29)), rand.New(rand.NewPCG(77, 29))}
	for i := range 3 * wishes {
		w := randomWish(t, draws[i%3])
		w.Chips, w.Apart, w.Offload, w.TTFT, w.TPOT, w.Load.Hit = min(w.Chips, 4), false, 0, 0, 0, 0
		user, rate := best(w)
		for what, change := range map[string]func(*Spec){
			"chips":           func(k *Spec) { k.Chips *= 2 },
			"bandwidth":       func(k *Spec) { k.Chip.Bandwidth *= 1.5 },
			"memory":          func(k *Spec) { k.Chip.Memory *= 1.25 },
			"links":           func(k *Spec) { k.Chip.Link, k.Chip.Network = 1.5*k.Chip.Link, 1.5*k.Chip.Network },
			"shorter prompts": func(k *Spec) { k.Load.In = math.Ceil(k.Load.In / 2) },
			"arithmetic": func(k *Spec) {
				k.Chip.Peak16, k.Chip.Peak8, k.Chip.Peak4 = 1.5*k.Chip.Peak16, 1.5*k.Chip.Peak8, 1.5*k.Chip.Peak4
			},
		} {
			k := w
			change(&k)
			if a, b := best(k); a < user*(1-1e-3) || b < rate*0.995 {
				t.Errorf("more %s: %s on %d %s, %+v: %v of a user after %v, %v of all after %v", what, w.Shape.Model.ID,
					w.Chips, w.Chip.ID, w.Load, a, user, b, rate)
			}
		}
	}
}

// distances is how far predictions of one quantity lie from what is simulated: ratios less 1, in the order of set-ups.
type distances struct {
	loads, quantity string
	off             []float64
}

// holdSimulated holds the lines of summary/simulated.tsv, which the page of measurements shows, to what a test found;
// lines of other tests stay as they are. With -update it writes them.
func holdSimulated(t *testing.T, found []distances) {
	t.Helper()
	if testing.Short() {
		return // smaller sets
	}
	const path = "../measured/summary/simulated.tsv"
	table, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string]string{}
	for line := range strings.Lines(string(table)) {
		c := strings.Split(line, "\t")
		lines[c[1]+"\t"+c[2]] = line
	}
	for _, b := range found {
		slices.Sort(b.off)
		n := len(b.off)
		// of a percent, as all machines have it
		hundredth := func(x float64) float64 { return math.Round(1e4*x)/1e4 + 0 }
		f := summary.Family{Half: "simulated", Name: b.loads, Quantity: b.quantity, Part: "all", Rows: n,
			Median: hundredth(heldBelow(b.off, 0.5)), P90: hundredth(heldBelow(b.off, 0.9)),
			Bias: hundredth(b.off[n/2]), Coverage: math.NaN(), Width: math.NaN(), Needs: math.NaN()}
		lines[f.Name+"\t"+f.Quantity] = f.Line()
	}
	var all strings.Builder
	for _, name := range slices.Sorted(maps.Keys(lines)) {
		all.WriteString(lines[name])
	}
	golden.Check(t, path, all.String())
}

// heldBelow is what a share of some errors, either way, lies within.
func heldBelow(off []float64, share float64) float64 {
	errors := make([]float64, len(off))
	for i, x := range off {
		errors[i] = math.Abs(x)
	}
	slices.Sort(errors)
	return errors[min(int(share*float64(len(errors))), len(errors)-1)]
}
