package serving

import "math"

// Sessions are agents that take turns with a model: a turn is a prompt, most of which is what the session has said before,
// and an answer that calls a tool; then the session waits for the tool.
type Sessions struct {
	Number  float64 // at a time, over all replicas
	Context float64 // tokens of a session's next prompt
	Fresh   float64 // of them, those that are new: the tool's answer
	Answer  float64 // tokens of an answer
	Tool    float64 // seconds until a tool answers, on average; calls end at random
	Tiers   []Tier  // where caches of sessions that wait lie, besides the chips' memory; the nearest first
}

// Tier is a memory beyond that of the chips, for each chip.
type Tier struct {
	Bytes     float64
	Bandwidth float64 // to the chip, byte/s; no more than its link to the host carries
}

// Place is where sessions that come back are found: the chips' memory first, then each tier, at last nowhere.
type Place struct {
	Holds float64 // sessions
	Share float64 // of those that come back
	Back  float64 // seconds until a session found there has its cache again
	Busy  float64 // of the link, on average
}

// Turns is what sessions see.
type Turns struct {
	Places  []Place
	Back    float64 // seconds until a session's cache is there again, on average
	First   float64 // seconds to the first token, after that
	TPOT    float64
	Turn    float64 // seconds of a whole turn
	Rate    float64 // turns a second
	Running float64 // sessions that don't wait for their tool, on average
	Found   float64 // share of a prompt that need not be computed
}

// Sessions answers for agents on so many replicas of r.
//
// Of N sessions those that are let in need their cache on the chips; the others' lie wherever there is room, those that
// were used last the nearest. Since calls end at random, any that waits may be next: each place has the share of returns that it has
// of those that wait. What is nowhere is computed again. Turns and waiting follow Little's law,
//
//	N = X (turn + tool),    running = X turn
//
// and a turn sees what a closed loop of as many requests sees, with the share of its prompt found that the places give.
// Loads over a link wait for one another as work that is always the same and comes at random (Pollaczek and Khinchine).
func (r *Replica) Sessions(in Sessions, replicas float64) Turns {
	var t Turns
	n := in.Number / replicas
	each := r.stage(float64(r.CacheBytes(in.Context))/r.cacheSplit(), 0, 0) // bytes on each chip of its group
	held := r.Memory(in.Context + in.Answer).Sequences
	kept := max(in.Context-in.Fresh, 0)
	running, admitted := n, n
	for range 60 {
		rate := n / max(t.Turn+in.Tool, 1e-9)
		if t.Turn == 0 {
			rate = 0
		}
		t.Places, t.Back = nil, 0
		active := min(running, admitted)
		idle := max(n-active, 1e-9)
		left := idle
		place := func(holds, bandwidth float64) {
			p := Place{Holds: max(holds, 0), Share: min(max(holds, 0), left) / idle}
			left = max(left-p.Share*idle, 0)
			if bandwidth > 0 && !math.IsInf(bandwidth, 1) {
				alone := each / bandwidth
				p.Busy = min(rate*p.Share*alone/float64(r.DP), 0.99)
				p.Back = alone * (1 + p.Busy/2/(1-p.Busy))
			}
			t.Back += p.Share * p.Back
			t.Places = append(t.Places, p)
		}
		place(held-active, math.Inf(1))
		for _, tier := range in.Tiers {
			place(tier.Bytes/max(each, 1)*float64(r.DP), min(tier.Bandwidth, r.Host))
		}
		nowhere := left / idle
		again := r.prompting(max(running, 1), 1, Load{In: in.Context, Out: in.Answer}, 1)
		fresh := r.prompting(max(running, 1), 1, Load{In: in.Context, Out: in.Answer, Hit: kept / in.Context}, 1)
		t.Places = append(t.Places, Place{Holds: math.Inf(1), Share: nowhere, Back: max(again.whole-fresh.whole, 0)})
		t.Found = kept / in.Context * (1 - nowhere)
		calm := r.calm()
		a := calm.Closed(max(running, 1), Load{In: in.Context, Out: in.Answer, Hit: t.Found})
		t.First, t.TPOT, admitted = a.TTFT, a.TPOT, a.Admitted
		t.Turn = t.Back + a.E2E
		next := n * t.Turn / (t.Turn + in.Tool)
		if math.Abs(next-running) < 1e-6*n {
			break
		}
		running = (running + next) / 2
	}
	t.Rate = in.Number / (t.Turn + in.Tool)
	t.Running = t.Rate * t.Turn
	return t
}
