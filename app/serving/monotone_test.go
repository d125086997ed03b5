package serving

import (
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
)

// Of 300 replicas drawn at random with a load, more of anything is no worse for those who use it: a faster chip, and
// one with more memory. Longer prompts and answers, more users and more arrivals are no better. Twice the chips of a
// layer hold as much at least, and a step of the same work takes them half as long at least. The same are drawn each
// time; to try others:
//
//	SEED=$RANDOM go test ./app/serving -run MoreOfReplicas
//
// How exactly these laws hold is part of them: where a few requests more are let in, prompts come in other bursts, and
// steps are no longer or already launched as graphs.
func TestMoreOfReplicasIsNoWorse(t *testing.T) {
	seed, sets := uint64(7), 300
	if text := os.Getenv("SEED"); text != "" {
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		seed = n
	}
	if testing.Short() {
		sets = 30
	}
	random := rand.New(rand.NewPCG(seed, 29))
	for n := 0; n < sets; {
		w := randomWish(t, random)
		plans := w.Plans()
		if len(plans) == 0 {
			continue
		}
		r, err := NewReplica(w.Shape, w.Chip, plans[random.IntN(len(plans))], w.Constants, w.Engine)
		if err != nil || r.Fit(w.Load) < 1 {
			continue
		}
		n++
		laws{t, r, w.Load, math.Ceil(min(math.Exp(8*random.Float64()), 2*r.Fit(w.Load)))}.hold()
	}
}

// laws are those of a replica with a load of so many users.
type laws struct {
	*testing.T
	*Replica
	load  Load
	users float64
}

// atLeast is a law: one is not less than the other, within a share.
func (w laws) atLeast(what string, one, other, within float64) {
	w.Helper()
	if !(one >= other*(1-within)) || math.IsInf(other, 0) {
		w.Errorf("%s: %.5g against %.5g; %s %s on %s, %v users, %+v", what, one, other, w.Model.ID, w.Plan, w.Chip.ID,
			w.users, w.load)
	}
}

func (w laws) hold() {
	is := w.Closed(w.users, w.load)
	for what, change := range map[string]func(c *Chip){
		"bandwidth":  func(c *Chip) { c.Bandwidth *= 1.5 },
		"links":      func(c *Chip) { c.Link, c.Network = 1.5*c.Link, 1.5*c.Network },
		"arithmetic": func(c *Chip) { c.Peak16, c.Peak8, c.Peak4 = 1.5*c.Peak16, 1.5*c.Peak8, 1.5*c.Peak4 },
		"memory":     func(c *Chip) { c.Memory *= 1.5 },
	} {
		chip, within := w.Chip, 0.002
		if change(&chip); chip.Memory > w.Chip.Memory {
			within = 0.08
		}
		more, err := NewReplica(w.Shape, chip, w.Plan, w.Constants, w.Engine)
		if err != nil {
			w.Errorf("more %s: %v", what, err)
			continue
		}
		w.atLeast("more "+what+", requests a second", more.Closed(w.users, w.load).Requests, is.Requests, within)
		w.atLeast("more "+what+", in the cache", more.Memory(w.load.In).Sequences, w.Memory(w.load.In).Sequences, 1e-9)
	}
	longer := w.load
	longer.In = math.Ceil(1.3 * longer.In)
	if w.Fit(longer) >= 1 {
		a := w.Closed(w.users, longer)
		w.atLeast("longer prompts, seconds to a token", a.TTFT, is.TTFT, 0.05)
		w.atLeast("longer prompts, seconds", a.E2E, is.E2E, 0.05)
	}
	longer.In, longer.Out = w.load.In, math.Ceil(1.3*longer.Out)
	if w.Fit(longer) >= 1 {
		w.atLeast("longer answers, seconds", w.Closed(w.users, longer).E2E, is.E2E, 0.15)
	}
	crowd := w.Closed(math.Ceil(1.3*w.users), w.load)
	w.atLeast("more users, seconds to a token", crowd.TTFT, is.TTFT, 0.02)
	w.atLeast("more users, seconds", crowd.E2E, is.E2E, 0.02)
	w.arrivals(is.Requests)
	p := w.Plan
	p.TP *= 2
	if twice, err := NewReplica(w.Shape, w.Chip, p, w.Constants, w.Engine); err == nil {
		work := Work{Sequences: w.users, Context: w.load.In}
		w.atLeast("half of a step", twice.Step(work).Total(), w.Step(work).Total()/2, 1e-6)
		w.atLeast("twice the chips, in the cache", twice.Memory(w.load.In).Sequences, w.Memory(w.load.In).Sequences,
			1e-9)
	}
}

// arrivals is the law of requests that come by themselves: first tokens are no earlier where more of them come.
func (w laws) arrivals(most float64) {
	before, line := 0.0, w.Line(w.load)
	for _, share := range []float64{0.05, 0.2, 0.4, 0.55, 0.7, 0.8, 0.9} {
		first := line.Queue(Arrivals{Rate: share * most}).TTFT.Mean
		w.atLeast("more arrivals, seconds to a token", first, before, 0.005)
		before = first
	}
}

// A closed loop gets no more prompts a second than steps hold: with 8192 tokens in a step, 2747 of each prompt and two
// attention groups 5.96 a step. Before, those who wait to be let in were served besides, twice as many.
func TestStepsHoldTheirPrompts(t *testing.T) {
	r := replica(t, "gpt_oss.120b", "tpu.v6e", 1, Plan{TP: 2, DP: 2, EP: 2}, Fitted(""))
	r.Engine.Sequences = 70
	r.Chunk = 8192
	l := Load{In: 5494, Out: 2, Hit: 0.5}
	a := r.Closed(278, l)
	full := r.prompting(a.Running, math.Inf(1), l, 1)
	if most := 1 / full.fewest / full.mixed; a.Requests > most*1.01 || a.Requests < most*0.9 {
		t.Errorf("%v requests a second, where steps hold %v", a.Requests, most)
	}
	near(t, "requests under way by Little's law", a.Requests*a.E2E, 278, 0.02)
}
