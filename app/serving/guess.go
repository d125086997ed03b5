package serving

import (
	"math"
	"slices"
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
	Checked  int      // tokens that a step checks, the last one that is sure included; 0 means all of a chain, or of a tree
}

// Chain guesses a token a position.
func (s Survival) Chain() Draft { return Draft{Survival: s} }

// Tree is what is checked, and the tokens that it yields.
//
// As EAGLE-2 does, at each position the Width most likely tokens are followed by Width each; in the end those are checked
// that are most likely of all. A token is on the right path with the product of the chances along its path, and at most
// one of a position is: the yield is 1 and the sum of these over all that is checked.
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

// rankChances are the chances that the right token is the best guess, the second, and so on. Acceptance by rank falls as
// a power of the rank (Sequoia, arXiv:2402.12374, section 3): s j^-b. Since the right token is some word, these add up to
// one over all words, which decides b.
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

// Guess is l with what a layer guesses.
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
	s.Fixed -= r.Sequence * r.load(w).decode // tokens are sent once they are checked
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
