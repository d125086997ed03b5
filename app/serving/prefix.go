package serving

// Reuse is who comes back to the prefixes of prompts: so many sessions at a time, each with a prefix of so many tokens
// that all its next prompts begin with.
type Reuse struct {
	Sessions float64
	Prefix   float64 // tokens that a session's next prompt shares with what is cached
	Prompt   float64 // tokens of that prompt
	Orderly  bool    // sessions take turns, so that the oldest is always the next; otherwise they come at random
}

// Hit is the share of a prompt that is found in a cache of so many tokens, of which those who run need some. As long as
// the working set, all sessions' prefixes, fits, everything is found. Once it doesn't, sessions at random still find
// the share that fits; those that take turns find nothing: what is dropped is always what comes next.
func (u Reuse) Hit(capacity float64) float64 {
	if u.Prompt <= 0 || u.Prefix <= 0 {
		return 0
	}
	whole := min(u.Prefix/u.Prompt, 1)
	set := u.Sessions * u.Prefix
	switch {
	case set <= capacity:
		return whole
	case u.Orderly || capacity <= 0:
		return 0
	}
	return whole * capacity / set
}

// PrefixRoom is the tokens that a replica's cache has left for prefixes beside those who run.
func (r *Replica) PrefixRoom(running float64, l Load) float64 {
	m := r.Memory(l.In + l.Out)
	if m.Sequence == 0 {
		return 0
	}
	return max(m.Sequences-running, 0) * (l.In + l.Out)
}
