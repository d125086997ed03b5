package serving

import "strconv"

// Plan is how one replica is spread over chips. Attention runs on DP groups of TP chips, each with its own sequences;
// the experts on EP groups of ETP chips; TP DP = EP ETP; and all that PP times, a stage each. Zeros mean 1.
type Plan struct {
	TP  int // tensor parallelism of attention and dense MLPs
	DP  int // groups of whole sequences (data-parallel attention)
	PP  int // pipeline stages
	EP  int // groups of whole experts; 0 means TP DP / ETP
	ETP int // chips that share each expert; 0 means what EP leaves, 1 if that is 0 too
	CP  int // chips of a TP group that split the cache along the sequence (decode context parallelism); 0 means 1
}

// full is p with its zeros filled in.
func (p Plan) full() Plan {
	p.TP, p.DP, p.PP, p.CP = max(p.TP, 1), max(p.DP, 1), max(p.PP, 1), max(p.CP, 1)
	group := p.TP * p.DP
	switch {
	case p.EP == 0 && p.ETP == 0:
		p.EP, p.ETP = 1, group
	case p.EP == 0:
		p.EP = max(group/p.ETP, 1)
	case p.ETP == 0:
		p.ETP = max(group/p.EP, 1)
	}
	return p
}

// Chips is how many chips a replica takes.
func (p Plan) Chips() int { p = p.full(); return p.TP * p.DP * p.PP }

// String names p: "TP8", "TP1 DP8 EP8".
func (p Plan) String() string {
	p = p.full()
	text := "TP" + strconv.Itoa(p.TP)
	for _, d := range []struct {
		name string
		n    int
	}{{" DP", p.DP}, {" PP", p.PP}, {" EP", p.EP}, {" CP", p.CP}} {
		if d.n > 1 {
			text += d.name + strconv.Itoa(d.n)
		}
	}
	return text
}

// Legal says why a plan can't run a model on a chip; nil if it can. Whether it fits is Memory's answer.
func (p Plan) Legal(s *Shape, c *Chip) error {
	p = p.full()
	heads := s.Model.Heads
	switch {
	case p.EP*p.ETP != p.TP*p.DP:
		return &Error{What: p.String() + " gives attention " + strconv.Itoa(p.TP*p.DP) + " chips and experts " +
			strconv.Itoa(p.EP*p.ETP),
			Remedy: "make EP times ETP equal to TP times DP"}
	case heads%p.TP != 0:
		return &Error{What: strconv.Itoa(heads) + " heads don't divide over " + strconv.Itoa(p.TP) + " chips",
			Remedy: "choose a TP that divides the heads"}
	case p.PP > s.Model.Layers:
		return &Error{What: strconv.Itoa(p.PP) + " stages for " + strconv.Itoa(s.Model.Layers) + " layers",
			Remedy: "choose at most a stage a layer"}
	case p.EP > max(s.Model.MoE.Experts, 1):
		return &Error{What: strconv.Itoa(s.Model.MoE.Experts) + " experts on EP" + strconv.Itoa(p.EP),
			Remedy: "choose an EP of at most the experts"}
	case p.TP%p.CP != 0:
		return &Error{What: "CP" + strconv.Itoa(p.CP) + " doesn't divide TP" + strconv.Itoa(p.TP),
			Remedy: "choose a CP that divides TP"}
	case p.Chips() > 1 && c.Link == 0:
		return &Error{What: c.Name + " has no links to others", Remedy: "choose one chip a replica"}
	}
	return nil
}

// Error says what can't be, and what would be valid.
type Error struct{ What, Remedy string }

func (e *Error) Error() string { return e.What + "; " + e.Remedy }
