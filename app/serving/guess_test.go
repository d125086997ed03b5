package serving

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Survival by position: the published curve of two guesses, 0.79 and then 0.61 of those, yields 2.27 tokens; and fewer
// guesses pay as the batch grows.
func TestSurvival(t *testing.T) {
	near(t, "tokens", Survival{0.79, 0.61}.Tokens(), 1+0.79+0.79*0.61, 1e-12)
	near(t, "agent text", Survival{0.26, 0.12, 0.087}.Tokens(), 1.294, 1e-3)
	r := replica(t, "llama3.70b", "gpu.h100", 1, Plan{TP: 8}, Fitted("vllm"))
	s, l := Survival{0.7, 0.5, 0.3, 0.2}, Load{In: 200, Out: 1000}
	few, many := r.Guesses(1, l, s), r.Guesses(1500, l, s)
	if few < 3 || many > few {
		t.Errorf("%d guesses pay alone, %d in a large batch", few, many)
	}
}

// A tree of width 1 is a chain. A wider one yields more, and never more than a token a position and the sure one; what
// is checked is what SGLang calls draft tokens.
func TestTrees(t *testing.T) {
	s := Survival{0.75, 0.7, 0.65, 0.6}
	checked, chain := s.Chain().Tree()
	near(t, "a chain checks", checked, 5, 0)
	near(t, "a chain yields", chain, s.Tokens(), 1e-12)
	before := chain
	for _, width := range []int{2, 4, 8, 10} {
		_, yield := Draft{Survival: s, Width: width}.Tree()
		if yield <= before || yield > 5 {
			t.Errorf("width %d yields %v, the one before %v", width, yield, before)
		}
		before = yield
	}
	checked, some := Draft{Survival: s, Width: 8, Checked: 16}.Tree()
	if near(t, "checked", checked, 16, 0); some <= chain || some >= before {
		t.Errorf("16 of the tree yield %v, all of it %v", some, before)
	}
	if checked, yield := (Draft{Survival: Survival{0, 1}, Width: 3}).Tree(); yield != 1 || checked < 2 {
		t.Errorf("what never survives yields %v of %v", yield, checked)
	}
}

// The tree that somebody ran for EAGLE-3 on Qwen3 8B: beside the two guesses of a chain, 3,200 tokens in 2,432 steps, a
// second guess for the first position: 2,231 steps (gahow/xserv, commit aac9ace). Two positions that survive alike give
// the former; the latter was in no table here.
func TestTreeAsMeasured(t *testing.T) {
	chain, tree := 3200.0/2432, 3200.0/2231
	s := (math.Sqrt(1+4*(chain-1)) - 1) / 2 // 1 + s + s s
	ranks := rankChances(s, 2)
	near(t, "tokens of a step", chain+ranks[1], tree, 0.02*tree)
}

// Chances by rank are those of one word of all: they add up to one, and fall.
func TestRankChances(t *testing.T) {
	for _, s := range []float64{0.05, 0.2, 0.5, 0.79, 0.99} {
		sum, all := 0.0, rankChances(s, vocabulary)
		for j, p := range all {
			if sum += p; j > 0 && p >= all[j-1] {
				t.Fatalf("of %v rank %d has %v, the one before %v", s, j+1, p, all[j-1])
			}
		}
		near(t, "all ranks together", sum, 1, 1e-3)
	}
}

// What a tree yields is what many throws give that walk it.
func TestTreeByThrows(t *testing.T) {
	s := Survival{0.7, 0.6, 0.5}
	const width = 3
	_, want := Draft{Survival: s, Width: width, Checked: 1 + width + width*width + width*width}.Tree()
	random, sum, throws := rand.New(rand.NewPCG(1, 2)), 0, 100_000
	var ranks [][]float64
	for _, p := range s {
		ranks = append(ranks, rankChances(p, width))
	}
	kept := func(path []int, depth int) bool { // is it among the width most likely of its position?
		return rankOf(ranks[:depth], path) < width
	}
	for range throws {
		var path []int
		for d := range s {
			x, rank := random.Float64(), -1
			for j, p := range ranks[d] {
				if x -= p; x < 0 {
					rank = j
					break
				}
			}
			if rank < 0 || d > 0 && !kept(path, d) {
				break
			}
			path = append(path, rank)
		}
		sum += 1 + len(path)
	}
	near(t, "tokens of a step", float64(sum)/float64(throws), want, 0.005*want)
}

// rankOf is how many paths of a position are likelier than one.
func rankOf(chances [][]float64, path []int) int {
	own, all := 1.0, []float64{1}
	for d, ranks := range chances {
		own *= ranks[path[d]]
		var next []float64
		for _, a := range all {
			for _, b := range ranks {
				next = append(next, a*b)
			}
		}
		all = next
	}
	n := 0
	for _, x := range all {
		if x > own*(1+1e-12) {
			n++
		}
	}
	return n
}

// Guesses take time before a step checks them, counted by hand: two passes of two tokens for each of 64 sequences
// through a layer and through the table.
func TestGuessesCounted(t *testing.T) {
	r := handReplica(t, roundDense(), roundChip(), Plan{TP: 4}, roundConstants(), Engine{})
	w := Work{Sequences: 64, Context: 2000}
	const (
		layer = (handAttention + handMLP) / 4 / 4 / handRead
		cache = 64 * 2000 * 2 * 500 / 2.0 / handCache
		sums  = 2 * (8e-6*1.25 + 3*2*64*1000*2/handWire)
	)
	checkCounted(t, []handCount{
		{"guesses", r.Guessing(w, Load{Passes: 2, Wide: 2}), 2 * (layer + cache + sums + 1e-5 + 2*handTable/4/handRead),
			"2 passes: a layer's weights and caches, 2 sums of 128 rows, its launch, and the table of 2 bytes"},
		{"no guesses", r.Guessing(w, Load{Verify: 4}), 0, "nobody guesses"},
	})
}

// Intervals hold the middle; a plan equals itself, and not one that gives a tenth of its tokens; guesses are worth less
// to a larger batch.
func TestIntervalsOfPlans(t *testing.T) {
	w := spec(t)
	options, _ := w.Search(0, 1)
	front, spreads := Front(options), w.Spreads()
	for _, o := range front {
		x := spreads.Intervals(&o)
		for _, i := range []Interval{x.First, x.Token, x.Rate} {
			if !(i.Low < i.Mid && i.Mid < i.High) {
				t.Fatalf("%v: %+v", o.Plan, x)
			}
		}
		far := o
		far.PerChip /= 10
		if !spreads.Equal(&o, &o) || spreads.Equal(&o, &far) || spreads.Equal(&far, &o) {
			t.Errorf("%v: equal to itself %v, to a tenth of it %v", o.Plan, spreads.Equal(&o, &o),
				spreads.Equal(&o, &far))
		}
		for _, p := range front {
			if spreads.Equal(&o, &p) != spreads.Equal(&p, &o) {
				t.Errorf("%v equals %v one way only", o.Plan, p.Plan)
			}
		}
	}
	if all := Shipped(); all.Of("together", "token", "nobody", "", "") != all.Of("together", "token", "", "", "") {
		t.Error("an engine that nobody measured has no spread of its own")
	}
}

// No interval reaches to where no software gets. Llama 3.1 8B in bf16 on an MI300X reads 15.0 GB of weights without the
// embedding table at 5.3 TB/s for each token, 2.8 ms, and with one request under way it gives no more than one token in
// that time; its prompt of 1,000 tokens takes 2 6.98e9 1,000 operations of 1.307e15 a second besides logits, 10.7 ms.
func TestIntervalsOfPlansStayAboveTheBound(t *testing.T) {
	r := replica(t, "llama3.8b", "gpu.mi300x", 2, Plan{TP: 1}, Fitted("vllm"))
	w := Spec{Shape: r.Shape, Chip: r.Chip, Chips: 1, Load: Load{In: 1000, Out: 100}, Constants: r.Constants,
		Engine: Engine{Name: "vllm"}}
	const params = 8.030e9 - 128256*4096
	s := w.Spreads()
	token, prompt := 2*params/5.3e12, 2*(params-128256*4096)*1000/1.3074e15
	options, _ := w.Search(0, 1)
	s.of[0] = [3]Spread{{Low: 0.01, High: 9}, {Low: 0.01, High: 9}, {Low: 0.01, High: 99}} // as if nothing were known
	for i := range options {
		o := &options[i]
		x := s.Intervals(o)
		if x.Token.Low < 0.999*token || x.First.Low < 0.999*prompt || x.Rate.High > 1.001*o.Batch/token {
			t.Errorf("%v requests: %+v beats the memory or the matrix units", o.Batch, x)
		}
		if x.Token.Low > x.Token.Mid || x.First.Low > x.First.Mid || x.Rate.High < x.Rate.Mid {
			t.Errorf("%v requests: %+v", o.Batch, x)
		}
		if e := s.expected(o); e.Token.Low >= x.Token.Low || e.Rate.High <= x.Rate.High {
			t.Errorf("%v requests: the floor says nothing", o.Batch)
		}
	}
	if len(options) < 10 {
		t.Errorf("%d options", len(options))
	}
}

// Guesses come before each step, also before one with prompts in it, and where other chips prefill.
func TestGuessesComeBeforeEachStep(t *testing.T) {
	r := handReplica(t, roundDense(), roundChip(), Plan{TP: 4}, roundConstants(), Engine{Chunk: 2048})
	with := Load{In: 1000, Out: 100, Tokens: 2, Verify: 3, Passes: 2, Wide: 2}
	without := with
	without.Passes = 0
	a, b := r.prompting(64, 1, with, 3), r.prompting(64, 1, without, 3)
	w := Work{Sequences: 64, Context: 1050, Verify: 3}
	guessing := r.Guessing(w, with)
	apart := Split{Prefill: r, Decode: r, Prefills: 1, Decodes: 1}
	near(t, "a step", a.decode-b.decode, guessing, 1e-9*guessing)
	near(t, "a step with a prompt", a.mixed-b.mixed, guessing, 1e-9*guessing)
	near(t, "a token of a step of two", apart.decodeStep(64, with)-apart.decodeStep(64, without), guessing/2,
		1e-9*guessing)
}

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
	near(t, "what is computed again shows in the first token", lost.First, few.First+lost.Places[1].Back,
		0.1*lost.First)
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
	calm.random = true
	turn := back + calm.Closed(max(x.Running, 1), Load{In: 60000, Out: 300, Hit: 58. / 60}).E2E
	near(t, "a turn", x.Turn, turn, 0.01*turn)
	near(t, "those that run, of 20", x.Running, 20*turn/(turn+100), 0.02*x.Running)
}
