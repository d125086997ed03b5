package network

func notYet() (Cost, error) {
	return Cost{}, &Error{What: "not computed yet", Remedy: "come back soon"}
}
func (t Torus) cost(c Collective) (Cost, error)  { return notYet() }
func (s Switch) cost(c Collective) (Cost, error) { return notYet() }
func (r Ranks) cost(c Collective) (Cost, error)  { return notYet() }
func (s Slices) cost(c Collective) (Cost, error) { return notYet() }
func (t Torus) String() string                   { return t.Shape() }
func (s Switch) String() string                  { return s.Name }
func (r Ranks) String() string                   { return r.Tree.Name }
func (s Slices) String() string                  { return s.Slice.Shape() }
func (r Ranks) check() error                     { return nil }
