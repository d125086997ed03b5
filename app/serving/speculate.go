package serving

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

// Speculate is l with guesses of the given survival: each step checks all of them and the token that follows.
func (l Load) Speculate(s Survival) Load {
	l.Tokens, l.Verify = s.Tokens(), float64(len(s)+1)
	return l
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
