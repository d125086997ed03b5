package serving

import (
	"math"
	"testing"
)

func agents(n, tool float64, tiers ...Tier) Sessions {
	return Sessions{Number: n, Context: 60000, Fresh: 2000, Answer: 300, Tool: tool, Tiers: tiers}
}

// Sessions are conserved, whatever lies where; places nearer the chips are filled first, and more of any memory never
// makes a turn longer.
func TestSessions(t *testing.T) {
	r := replica(t, "llama3.70b", "gpu.h100", 1, Plan{TP: 8}, Fitted("vllm"))
	before := math.Inf(1)
	for _, tb := range []float64{0, 0.05, 0.1, 0.2, 0.4} {
		in := agents(200, 20, Tier{tb * 1e12, 64e9}, Tier{10 * tb * 1e12, 7e9})
		x := r.Sessions(in, 1)
		sum := 0.0
		for _, p := range x.Places {
			sum += p.Share
			if p.Share < 0 || p.Back < 0 || p.Busy < 0 || p.Busy > 1 {
				t.Errorf("%+v", p)
			}
		}
		near(t, "shares", sum, 1, 1e-9)
		near(t, "sessions", x.Rate*(x.Turn+in.Tool), in.Number, 1e-6)
		near(t, "those in a turn", x.Running, x.Rate*x.Turn, 1e-6)
		if x.Turn > before*(1+1e-3) {
			t.Errorf("with %v TB of DRAM a turn takes %v s, with less %v", tb, x.Turn, before)
		}
		before = x.Turn
	}
}

// Where all fit, none waits for its cache, and what is found is all that isn't new; where nothing is kept, prompts are
// computed whole; from a tier a cache comes as fast as its bytes go over the link, counted by hand.
func TestSessionsAtTheEnds(t *testing.T) {
	r := replica(t, "llama3.70b", "gpu.h100", 1, Plan{TP: 8}, Fitted("vllm"))
	few := r.Sessions(agents(4, 20), 1)
	if few.Back != 0 || few.Places[0].Share != 1 || math.Abs(few.Found-58.0/60) > 1e-9 {
		t.Errorf("%+v", few)
	}
	none := *r
	none.Engine.Tokens = 1
	lost := none.Sessions(agents(4, 1e6), 1)
	if lost.Found > 1e-9 || lost.Places[1].Share < 1-1e-9 {
		t.Errorf("%+v", lost)
	}
	near(t, "what is computed again shows in the first token", lost.First, few.First+lost.Places[1].Back, 0.1*lost.First)
	one := none.Sessions(agents(1, 1e6, Tier{1e15, 1e15}), 1)
	const each = 60000 * 2 * 80 * 8 * 128 * 2 / 8.0 // tokens, keys and values, layers, heads, size, bytes, chips
	near(t, "from DRAM", one.Places[1].Back, each/r.Host, 0.001*each/r.Host)
	near(t, "found in DRAM", one.Found, 58.0/60, 1e-9)
}

// A tier holds as many caches as its bytes on all chips of an attention group take, and its link is busy with those
// that come back: they wait for one another as loads that are always the same do (M/D/1). Counted by hand.
func TestTierCounted(t *testing.T) {
	r := *replica(t, "llama3.70b", "gpu.h100", 1, Plan{TP: 8}, Fitted("vllm"))
	r.Engine.Tokens = 1                           // so that none lies on the chips
	const each = 60000 * 2 * 80 * 8 * 128 * 2 / 8 // bytes on each of 8 chips
	x := r.Sessions(agents(20, 100, Tier{3 * each, 5e9}, Tier{1e15, 2e9}), 1)
	near(t, "sessions in DRAM", x.Places[1].Holds, 3, 1e-9)
	idle := 20 - x.Running
	near(t, "share of those that wait", x.Places[1].Share, 3/idle, 0.02*3/idle)
	for i, bandwidth := range []float64{5e9, 2e9} {
		p, alone := x.Places[1+i], each/bandwidth
		busy := x.Rate * p.Share * alone
		near(t, "a link is busy", p.Busy, busy, 0.01*busy)
		near(t, "a link's load waits", p.Back-alone, alone*p.Busy/(1-p.Busy)/2, 1e-9*alone)
	}
	back := x.Places[1].Share*x.Places[1].Back + x.Places[2].Share*x.Places[2].Back
	near(t, "a cache is back", x.Back, back, 1e-9*back)
	calm := r.calm()
	turn := back + calm.Closed(max(x.Running, 1), Load{In: 60000, Out: 300, Hit: 58. / 60}).E2E
	near(t, "a turn", x.Turn, turn, 0.01*turn)
	near(t, "those that run, of 20", x.Running, 20*turn/(turn+100), 0.02*x.Running)
}
