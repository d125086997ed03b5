package library

import (
	"strconv"
	"strings"
	"sync"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/serving"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// served is a plan that a search found, and what is behind it.
type served struct {
	serving.Option
	wish    serving.Wish
	task    *servingTask
	decode  *serving.Replica // one of the replicas that decode, or do both
	prefill *serving.Replica // one of those that prefill; the same if they are together
	line    func() *serving.Line
}

// newServed builds the replicas of an option.
func newServed(t *servingTask, o serving.Option) *served {
	p := &served{Option: o, wish: t.wish, task: t}
	replica := func(plan serving.Plan) *serving.Replica {
		r, err := serving.NewReplica(t.wish.Shape, t.wish.Chip, plan, t.wish.Constants, t.wish.Engine)
		if err != nil {
			panic(err) // the search priced it
		}
		return r
	}
	p.decode = replica(o.Plan)
	p.prefill = p.decode
	if o.Apart {
		p.prefill = replica(o.Prompts)
	}
	p.line = sync.OnceValue(func() *serving.Line {
		if o.Apart {
			return p.split().Line(t.wish.Load)
		}
		return p.decode.Line(t.wish.Load)
	})
	return p
}

// split is the system of a plan whose prefill and decode are apart.
func (p *served) split() serving.Split {
	return serving.Split{Prefill: p.prefill, Decode: p.decode, Prefills: p.Prefills, Decodes: p.Replicas}
}

// lines is how many open queues a plan has: each replica its own, but prefill and decode apart are one system.
func (p *served) lines() float64 {
	if p.Apart {
		return 1
	}
	return p.Replicas
}

// planID is a plan as addresses carry it: "2x-tp4.64", or "1x-tp8-to-2x-tp4.64".
func planID(o serving.Option) string {
	id := layoutOf(o, "x ", " to ")
	return strings.ReplaceAll(strings.ToLower(id), " ", "-") + "." + strconv.FormatFloat(o.Batch, 'f', -1, 64)
}

// layoutOf is how a plan spreads replicas over chips.
func layoutOf(o serving.Option, times, to string) string {
	text := strconv.FormatFloat(o.Replicas, 'f', -1, 64) + times + o.Plan.String()
	if o.Apart {
		text = strconv.FormatFloat(o.Prefills, 'f', -1, 64) + times + o.Prompts.String() + to + text
	}
	return text
}

// record is p as a sheet sees it.
func (p *served) record(n *servings, id string) *value.Record {
	layout, kind := layoutOf(p.Option, " × ", " → "), "together"
	if p.Apart {
		kind = "apart"
	}
	batch := strconv.FormatFloat(p.Batch, 'f', -1, 64)
	r := n.fill("plan", phrase.New("library.at-once", "plan", layout, "n", batch), []named{
		{"tp", float64(p.Plan.TP)}, {"dp", float64(p.Plan.DP)}, {"pp", float64(p.Plan.PP)},
		{"ep", float64(p.Plan.EP)}, {"replicas", p.Replicas}, {"prefills", p.Prefills}, {"chips", p.Chips},
		{"batch", p.Batch}, {"requests", p.Batch * p.Replicas}, {"ttft", p.TTFT}, {"tpot", p.TPOT},
		{"per_user", p.PerUser}, {"per_chip", p.PerChip}, {"output", p.Output},
		{"fits", p.decode.Fit(p.wish.Load)},
	})
	r.ID, r.Of = id, p
	r.say("layout", layout)
	r.say("kind", kind)
	r.say("bound", boundOf(p.decode.Step(p.work())))
	return r.Record
}

// work is what a decode step does on a replica, with all stages of the pipeline busy.
func (p *served) work() serving.Work {
	w := serving.Work{Sequences: max(p.Running/float64(p.decode.PP), 1), Context: p.wish.Load.In + p.wish.Load.Out/2}
	if p.Apart {
		w.Sequences = max(p.Running/p.Replicas, 1) / float64(p.decode.PP)
	}
	return w
}

// boundOf is what a decode step spends most on.
func boundOf(s serving.Step) string {
	name, most := "", 0.0
	for _, part := range []struct {
		name string
		time float64
	}{{"weights", s.Projections + s.Dense + s.Logits}, {"experts", s.Experts}, {"KV cache", s.Cache},
		{"collectives", s.Collectives}, {"overhead", s.Fixed}} {
		if part.time > most {
			name, most = part.name, part.time
		}
	}
	return name
}
