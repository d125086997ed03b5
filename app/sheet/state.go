package sheet

import "maps"

// With is st with one input changed; st stays as it is.
func (st State) With(name string, v Value) State {
	next := make(State, len(st)+1)
	maps.Copy(next, st)
	next[name] = v
	return next
}

// Without is st with one input back at its author's value; st stays as it is.
func (st State) Without(name string) State {
	next := maps.Clone(st)
	delete(next, name)
	return next
}
