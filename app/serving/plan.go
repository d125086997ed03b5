package serving

import (
	"strconv"

	"github.com/scalebook/scalebook/app/phrase"
)

// Plan is how one replica is spread over chips. Attention runs on DP groups of TP chips, each with its own sequences;
// the experts on EP groups of ETP chips; TP DP = EP ETP; and all that PP times, a stage each. Zeros mean 1.
type Plan struct {
	TP  int // tensor parallelism of attention and dense MLPs
	DP  int // groups of whole sequences (data-parallel attention)
	PP  int // pipeline stages
	EP  int // groups of whole experts; 0 means TP DP / ETP
	ETP int // chips that share each expert; 0 means what EP leaves, 1 if that is 0 too
	WS  int // ways of TP that split the outer width of dense MLPs, on an axis of a torus; 0 means 1
	CP  int // chips of a TP group that split the cache along the sequence (decode context parallelism); 0 means 1

	Spare int // experts that are there twice (redundant experts)
}

// full is p with its zeros filled in.
func (p Plan) full() Plan {
	p.TP, p.DP, p.PP, p.CP, p.WS = max(p.TP, 1), max(p.DP, 1), max(p.PP, 1), max(p.CP, 1), max(p.WS, 1)
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

// String names p: "TP8", "TP1 DP8 EP8", "TP32x4" where MLPs are split 32 ways by the inner width and 4 by the outer,
// "TP1 DP72 EP72 +32" with 32 experts twice.
func (p Plan) String() string {
	p = p.full()
	text := "TP" + strconv.Itoa(p.TP/p.WS)
	if p.WS > 1 {
		text += "x" + strconv.Itoa(p.WS)
	}
	for _, d := range []struct {
		name string
		n    int
	}{{" DP", p.DP}, {" PP", p.PP}, {" EP", p.EP}, {" CP", p.CP}} {
		if d.n > 1 {
			text += d.name + strconv.Itoa(d.n)
		}
	}
	if p.Spare > 0 {
		text += " +" + strconv.Itoa(p.Spare)
	}
	return text
}

// Legal says why a plan can't run a model on a chip; nil if it can. Whether it fits is Memory's answer.
func (p Plan) Legal(s *Shape, c *Chip) error {
	p = p.full()
	switch {
	case p.EP*p.ETP != p.TP*p.DP:
		return fault(phrase.New("serving.chips-differ", "plan", p.String(), "attention", p.TP*p.DP, "experts", p.EP*p.ETP),
			"serving.match-chips")
	case p.PP > s.Model.Layers:
		return fault(phrase.New("serving.stages-many", "stages", p.PP, "layers", s.Model.Layers), "serving.fewer-stages")
	case p.EP > max(s.Model.MoE.Experts+p.Spare, 1):
		return fault(phrase.New("serving.experts-few", "experts", s.Model.MoE.Experts, "ep", p.EP), "serving.fewer-groups")
	case p.Spare > 0 && (s.Model.MoE.Experts+p.Spare)%p.EP != 0:
		return fault(phrase.New("serving.experts-uneven", "experts", s.Model.MoE.Experts, "spare", p.Spare, "ep", p.EP),
			"serving.divide-experts")
	case p.TP%p.CP != 0:
		return fault(phrase.New("serving.cp-uneven", "cp", p.CP, "tp", p.TP), "serving.divide-tp")
	case p.TP%p.WS != 0 || int(s.Width)%p.WS != 0 || p.WS > 1 && c.Axes < 2:
		return fault(phrase.New("serving.width-uneven", "width", int(s.Width), "chips", p.WS), "serving.divide-width")
	case p.Chips() > 1 && c.Link == 0:
		return fault(phrase.New("serving.no-links", "chip", c.Name), "serving.one-chip")
	}
	return p.divides(s)
}

// divides says which of a model's sizes a plan can't split, as engines refuse it: they split heads, and the inner
// widths of MLPs; heads of keys and values they split or repeat.
func (p Plan) divides(s *Shape) error {
	heads, keys := s.Model.Heads, int(s.KVHeads)
	switch {
	case heads%p.TP != 0:
		return fault(phrase.New("serving.heads-uneven", "heads", heads, "tp", p.TP), "serving.divide-heads")
	case keys%p.TP != 0 && p.TP%keys != 0:
		return fault(phrase.New("serving.keys-uneven", "heads", keys, "tp", p.TP), "serving.divide-keys")
	case s.Dense > 0 && s.Model.FFWidth%p.TP != 0:
		return fault(phrase.New("serving.width-uneven", "width", s.Model.FFWidth, "chips", p.TP), "serving.divide-width")
	case s.Blocks > 0 && s.Model.MoE.Width%p.ETP != 0:
		return fault(phrase.New("serving.width-uneven", "width", s.Model.MoE.Width, "chips", p.ETP),
			"serving.divide-width")
	}
	return nil
}
