package network

import (
	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/phrase"
	q "github.com/scalebook/scalebook/app/quantity"
)

// In names r for a reader: "256 devices of H100 SuperPod", "64 devices, one in 4".
func (r Ranks) In(l phrase.Phrases) string {
	name, stride := r.Tree.Name, r.stride()
	switch {
	case stride == 1 && name == "":
		return l.Count(r.Members, "network.ranks")
	case stride == 1:
		return l.Count(r.Members, "network.ranks-of", "tree", name)
	case name == "":
		return l.Count(r.Members, "network.strided", "stride", stride)
	}
	return l.Count(r.Members, "network.strided-of", "stride", stride, "tree", name)
}

// String names r in English.
func (r Ranks) String() string { return r.In(phrase.Phrases{}) }

func (r Ranks) stride() int { return max(r.Stride, 1) }

// part is how the groups lie on the units under one level.
type part struct {
	level   Level
	units   int // devices in a unit under this level
	groups  int // groups that have members in one unit
	members int // of one group in one unit
	joined  int // units with members of one group that one unit of this level joins
}

// parts are the levels that a group spans, from the devices up.
func (r Ranks) parts() []part {
	var parts []part
	unit := 1
	for _, l := range r.Tree.Levels {
		if unit >= r.Members*r.stride() {
			break
		}
		groups := min(r.stride(), unit)
		p := part{level: l, units: unit, groups: groups, members: unit / groups}
		above := min(product([]int{unit, l.Degree}), r.Members*r.stride())
		p.joined = max(above/min(r.stride(), above)/p.members, 1)
		parts = append(parts, p)
		unit = product([]int{unit, l.Degree})
	}
	return parts
}

// check refuses groups that do not lie evenly on the tree.
func (r Ranks) check() error {
	if r.Members < 1 || r.Stride < 0 || product([]int{r.Members, r.stride()}) > mostChips {
		return phrase.Fault{
			What:   phrase.New("network.bad-ranks", "n", r.Members, "stride", r.Stride),
			Remedy: phrase.New("network.give-ranks", "most", mostChips),
		}
	}
	unit := 1
	for _, l := range r.Tree.Levels {
		if err := r.checkLevel(l, unit); err != nil {
			return err
		}
		unit = product([]int{unit, l.Degree})
	}
	if need := product([]int{r.Members, r.stride()}); need > unit {
		return phrase.Fault{
			What:   phrase.New("network.small-tree", "n", need, "devices", unit),
			Remedy: phrase.New("network.add-level"),
		}
	}
	return nil
}

// checkLevel looks at the units of so many devices under level l.
func (r Ranks) checkLevel(l Level, unit int) error {
	if l.Degree < 1 {
		return phrase.Fault{
			What:   phrase.New("network.bad-level", "level", l.Name, "n", l.Degree),
			Remedy: phrase.New("network.at-least-one"),
		}
	}
	need := product([]int{r.Members, r.stride()})
	if unit >= need {
		return nil
	}
	if err := checkLink(Resource{LevelEgress, l.Name}, l.Egress, l.Latency); err != nil {
		return err
	}
	small, large := min(unit, r.stride()), max(unit, r.stride())
	if large%small != 0 || need%unit != 0 {
		r.Tree.Name = ""
		return phrase.Fault{
			What:   phrase.New("network.uneven", "group", r, "n", unit, "level", l.Name),
			Remedy: phrase.New("network.dividing", "n", unit),
		}
	}
	return nil
}

func (r Ranks) cost(c Collective) (Cost, error) {
	if err := r.check(); err != nil {
		return Cost{}, err
	}
	parts := r.parts()
	inNetwork := c.Op == AllReduce
	for _, p := range parts {
		inNetwork = inNetwork && p.level.Reduces
	}
	w := way{algorithm: phrase.New("network.tree-rings")}
	s := Stage{Op: c.Op, Why: treeWhy(c, inNetwork)}
	for _, p := range parts {
		steps := p.joined - 1
		if inNetwork {
			w.algorithm, steps = phrase.New("network.tree-adds"), 2
		}
		w.addHops(steps, p.level.Latency)
		s.Terms = append(s.Terms, r.levelTerm(c, p, inNetwork))
	}
	w.stages = []Stage{s}
	if c.Op == AllReduce && !inNetwork {
		w.stages[0].Op = ReduceScatter
		w = w.twice(AllGather)
	}
	return w.cost(c, r.Members)
}

// levelTerm is what must leave each unit under a level, and enter it. Of each of its groups a unit holds the members'
// part of N; the other part of the array has to come in:
//
//	all-gather   groups V (1 - members/N)
//	all-to-all   groups V members/N (1 - members/N)
//
// V being the array of one group. It is a lower bound for any algorithm that does not add or copy in the switches.
// Rings from the top level down, first between devices of the same place in different units and then inside them,
// bring every chunk into every unit once and so reach it at all levels at once.
func (r Ranks) levelTerm(c Collective, p part, inNetwork bool) Term {
	n, groups, held := float64(r.Members), float64(p.groups), float64(p.members)
	v := groups * float64(c.Bytes)
	bytes, rough, formula, leave := v*(1-held/n), v, "g*V * (1 - m/N)/W", 0.0
	switch c.Op {
	case AllReduce:
		if inNetwork {
			bytes, formula = v, "g*V/W"
		}
	case AllToAll:
		exact, shortcut := c.ragged(r.Members)
		bytes, rough, formula = exact*v*held/n*(1-held/n), shortcut*v*held/n, "g*V * m/N * (1 - m/N)/W"
	case Broadcast, Reduce:
		bytes, formula = v, "g*V/W"
	case Permute:
		d := c.shift(r.Members)
		leave = held - max(0, held-float64(d)) - max(0, held-n+float64(d))
		bytes, rough, formula = v*leave, v*leave, "g*V * leaving/W"
	}
	t := term(Resource{LevelEgress, p.level.Name}, q.Bytes(bytes), p.level.Egress, "", q.Bytes(rough).Over(p.level.Egress))
	t.Formula, t.Values = c.raggedly(
		formula,
		[]law.Value{c.array(), count("g", groups, "network.unit-groups"),
			count("m", held, "network.unit-members"), count("N", n, "network.the-devices"),
			rate("W", p.level.Egress, "network.unit-egress")},
	)
	if c.Op == Permute {
		t.Values = append(t.Values, count("leaving", leave, "network.unit-leaving"))
	}
	return t
}

func treeWhy(c Collective, inNetwork bool) *phrase.Phrase {
	switch {
	case inNetwork:
		return phrase.New("network.tree-sums")
	case c.Op == AllToAll:
		return phrase.New("network.tree-exchange")
	case c.Op == Broadcast, c.Op == Reduce, c.Op == Permute:
		return phrase.New("network.tree-leaves")
	}
	return phrase.New("network.tree-lacks")
}
