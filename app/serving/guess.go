package serving

import (
	"math"
	"slices"
	"strconv"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
)

// Survival is how often each guessed token is accepted, given that those before it were: a list by position, as engines
// print it. It falls along the list in every published measurement, so that no single number will do.
type Survival []float64

// Tokens is how many tokens a verified step yields on average: the one that is always right, and each guess if all
// before it hold: 1 + s1 + s1 s2 + ...
func (s Survival) Tokens() float64 {
	sum, all := 1.0, 1.0
	for _, p := range s {
		all *= p
		sum += all
	}
	return sum
}

// Draft is what a small layer guesses ahead of a step that checks it (MTP, EAGLE): a chain, or a tree of which each
// token has several followers.
type Draft struct {
	Survival Survival // of the best guess at each position; as many as the tree is deep
	Width    int      // best guesses that are kept at a position, and follow each of them there; 0 means 1, a chain
	// tokens that a step checks, with the last one, which is sure; 0 means all of a chain, or of a tree
	Checked int
}

// Chain guesses a token a position.
func (s Survival) Chain() Draft { return Draft{Survival: s} }

// Tree is what is checked, and the tokens that it yields.
//
// As EAGLE-2 does, at each position the Width most likely tokens are followed by Width each; in the end those are
// checked that are most likely of all. A token is on the right path with the product of the chances along its path, and
// at most one of a position is: the yield is 1 and the sum of these over all that is checked.
func (d Draft) Tree() (checked, yield float64) {
	width := max(d.Width, 1)
	level, all := []float64{1}, []float64(nil)
	for _, s := range d.Survival {
		var next []float64
		ranks := rankChances(s, width)
		for _, path := range level {
			for _, p := range ranks {
				next = append(next, path*p)
			}
		}
		slices.Sort(next)
		slices.Reverse(next)
		all = append(all, next...)
		level = next[:min(len(next), width)]
	}
	slices.Sort(all)
	slices.Reverse(all)
	if n := d.Checked - 1; n >= 0 && n < len(all) {
		all = all[:n]
	}
	yield = 1
	for _, p := range all {
		yield += p
	}
	return float64(len(all) + 1), yield
}

// vocabulary is the words over which chances of guesses are spread: those that drafters choose from (EAGLE-3: 32,000).
const vocabulary = 32000

// rankChances are the chances that the right token is the best guess, the second, and so on. Acceptance by rank falls
// as a power of the rank (Sequoia, arXiv:2402.12374, section 3): s j^-b. Since the right token is some word, these add
// up to one over all words, which decides b.
func rankChances(s float64, n int) []float64 {
	all := []float64{s}
	if n <= 1 || s <= 0 || s >= 1 {
		return all
	}
	low, high := 0.0, 40.0 // of b: the sum falls with it
	for range 50 {
		if b := (low + high) / 2; s*powerSum(b) > 1 {
			low = b
		} else {
			high = b
		}
	}
	for j := 2; j <= n; j++ {
		all = append(all, s*math.Pow(float64(j), -low))
	}
	if s*vocabulary < 1 { // worse than by chance: all words alike
		for j := range all {
			all[j] = s
		}
	}
	return all
}

// powerSum is the sum of j^-b over all words: the first by themselves, the others as an integral with its ends
// (Euler and Maclaurin).
func powerSum(b float64) float64 {
	const alone = 10
	sum := 0.0
	for j := 1.0; j < alone; j++ {
		sum += math.Pow(j, -b)
	}
	tail := math.Log(vocabulary / alone)
	if math.Abs(b-1) > 1e-9 {
		tail = (math.Pow(alone, 1-b) - math.Pow(vocabulary, 1-b)) / (b - 1)
	}
	return sum + tail + (math.Pow(alone, -b)+math.Pow(vocabulary, -b))/2 + b*math.Pow(alone, -b-1)/12
}

// Speculate is l with guesses in a chain of the given survival: each step checks all of them and the token that
// follows.
func (l Load) Speculate(s Survival) Load { return l.Guess(s.Chain()) }

// Guess is l with steps that check what a small layer guesses: with the tokens that a step checks and yields, and the
// passes of that layer before it.
func (l Load) Guess(d Draft) Load {
	l.Verify, l.Tokens = d.Tree()
	l.Passes, l.Wide = float64(len(d.Survival)), float64(max(d.Width, 1))
	return l
}

// Guessing is the time that guesses take before a step checks them: one pass after another through a layer of the
// model's kind, for as many tokens of each sequence as are kept at a position, and through the table of logits.
func (r *Replica) Guessing(w Work, l Load) float64 {
	if l.Passes == 0 {
		return 0
	}
	w.Prompt, w.Prompts, w.Verify = 0, 0, max(l.Wide, 1)
	s := r.whole(w)
	b := r.load(w)
	s.Fixed -= r.Sequence*b.decode + r.Checked*b.guessed // tokens are sent once they are checked
	layer := (s.Projections + s.Cache + s.Dense + s.Experts + s.Collectives + s.Fixed) / r.Layers
	return l.Passes * (layer + s.Logits)
}

// Guesses is how many of the guesses pay at c requests under way: the number that gives the most tokens a second. It
// falls as the batch grows and checking costs arithmetic instead of waiting.
func (r *Replica) Guesses(c float64, l Load, s Survival) int {
	best, fastest := 0, 0.0
	for k := range len(s) + 1 {
		if a := r.Closed(c, l.Speculate(s[:k])); a.Output > fastest*(1+1e-9) {
			best, fastest = k, a.Output
		}
	}
	return best
}

// Sessions are agents that take turns with a model: a turn is a prompt, most of which is what the session has said
// before, and an answer that calls a tool; then the session waits for the tool.
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
	Bytes     float64 // for each chip
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
	TPOT    float64 // seconds for each token after the first
	Turn    float64 // seconds of a whole turn
	Rate    float64 // turns a second
	Running float64 // sessions that don't wait for their tool, on average
	Found   float64 // share of a prompt that need not be computed
}

// Sessions answers for agents on so many replicas of r.
//
// Of N sessions those that are let in need their cache on the chips; the others' lie wherever they fit, those that
// were used last the nearest. Since calls end at random, any that waits may be next: each place has the share of
// returns that it has of those that wait. What is nowhere is computed again. Turns and waiting follow Little's law,
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
		calm.random = true // tools end whatever steps do
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

// Layout is how an option spreads replicas over chips: "2 × TP4", or "1 × TP8 → 2 × TP4" where prefill is apart.
func (o Option) Layout(times, to string) string {
	count := func(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }
	text := count(o.Replicas) + times + o.Plan.String()
	if o.Apart {
		text = count(o.Prefills) + times + o.Prompts.String() + to + text
	}
	return text
}

// Answer is an option in sentences: its times, what a million tokens of answers cost at a price of a chip and second,
// if that is known, what a chip holds, and how many others equal it.
func (w Spec) Answer(o Option, others []Option, price float64) phrase.List {
	spreads, equal := w.Spreads(), 0
	x := spreads.Intervals(&o)
	for i := range others {
		if others[i] != o && spreads.Equal(&others[i], &o) {
			equal++
		}
	}
	beside := phrase.New("library.serving-alone")
	if equal > 0 {
		beside = phrase.Count(equal, "library.serving-equal")
	}
	seconds := func(s float64) string { return quantity.Seconds(s).Quantity().String() }
	bytes := func(b float64) string { return quantity.Bytes(b).Quantity().String() }
	said := []any{phrase.Count(int(o.Chips), "library.serving-answer", "chip", w.Chip.Name, "model", w.Shape.Model.Name,
		"plan", o.Layout(" × ", " → "), "requests", strconv.FormatFloat(o.Batch*o.Replicas, 'f', -1, 64), "ttft",
		seconds(o.TTFT), "tpot", seconds(o.TPOT), "low", seconds(x.Token.Low), "high", seconds(x.Token.High))}
	if price > 0 {
		usd := strconv.FormatFloat(price*o.Chips/o.Output*1e6, 'g', 3, 64)
		said = append(said, phrase.New("library.serving-cost", "usd", "$"+usd, "price",
			quantity.Quantity{Value: price, Dim: quantity.Dim{quantity.Dollar: 1, quantity.Second: -1}}))
	}
	if held := w.held(o); held > 0 {
		said = append(said, phrase.New("library.serving-held", "held", bytes(held), "of", bytes(w.Chip.Memory)))
	}
	if w.Widened != "" {
		said = append(said, phrase.New("serving.widened", "chip", w.Chip.Name, "format", w.Widened))
	}
	return phrase.Sentences(append(said, beside)...)
}

// held is the bytes that a chip of an option holds, of those that decode if prefill is apart.
func (w Spec) held(o Option) float64 {
	engine := w.Engine
	engine.Offload = o.Offload
	r, err := NewReplica(w.Shape, w.Chip, o.Plan, w.Constants, engine)
	if err != nil {
		return 0
	}
	m := r.Memory(w.Load.In + w.Load.Out)
	return m.Weights + m.Activations + m.Workspace + o.Batch/float64(r.DP)*r.Memory(r.Grown(o.Batch, w.Load)).Sequence
}
