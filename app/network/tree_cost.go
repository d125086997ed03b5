package network

import (
	"strconv"

	"github.com/scalebook/scalebook/app/law"
	q "github.com/scalebook/scalebook/app/quantity"
)

// String names r for a reader: "256 devices of H100 SuperPod", "64 devices, every 4th".
func (r Ranks) String() string {
	s := strconv.Itoa(r.Members) + " devices"
	if r.Tree.Name != "" {
		s += " of " + r.Tree.Name
	}
	return s + r.every()
}

// every says which devices a group takes, if not all: ", every 4th".
func (r Ranks) every() string {
	n := r.stride()
	if n == 1 {
		return ""
	}
	ending := "th"
	if tens := n / 10 % 10; tens != 1 && n%10 >= 1 && n%10 <= 3 {
		ending = [...]string{"st", "nd", "rd"}[n%10-1]
	}
	return ", every " + strconv.Itoa(n) + ending
}

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
		return &Error{
			What:   "a group of " + strconv.Itoa(r.Members) + " devices at a stride of " + strconv.Itoa(r.Stride),
			Remedy: "give at least one of each, and no more than " + strconv.Itoa(mostChips) + " in all",
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
		return &Error{
			What:   strconv.Itoa(need) + " devices, and the tree has " + strconv.Itoa(unit),
			Remedy: "take fewer, or add a level",
		}
	}
	return nil
}

// checkLevel looks at the units of so many devices under level l.
func (r Ranks) checkLevel(l Level, unit int) error {
	if l.Degree < 1 {
		return &Error{What: "level " + l.Name + " joins " + strconv.Itoa(l.Degree) + " units", Remedy: "give it at least 1"}
	}
	need := product([]int{r.Members, r.stride()})
	if unit >= need {
		return nil
	}
	if err := checkLink("level "+l.Name, l.Egress, l.Latency); err != nil {
		return err
	}
	small, large := min(unit, r.stride()), max(unit, r.stride())
	if large%small != 0 || need%unit != 0 {
		return &Error{
			What: strconv.Itoa(
				r.Members,
			) + " devices" + r.every() + ": they do not fill units of " + strconv.Itoa(
				unit,
			) + " under level " + l.Name + " evenly",
			Remedy: "take sizes that divide " + strconv.Itoa(unit) + " or are multiples of it",
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
	w := way{algorithm: "rings, level by level at once"}
	s := Stage{Name: c.Op.String(), Why: treeWhy(c, inNetwork)}
	for _, p := range parts {
		steps := p.joined - 1
		if inNetwork {
			w.algorithm, steps = "added up and copied in the switches", 2
		}
		w.addHops(steps, p.level.Latency)
		s.Terms = append(s.Terms, r.levelTerm(c, p, inNetwork))
	}
	w.stages = []Stage{s}
	if c.Op == AllReduce && !inNetwork {
		w.stages[0].Name = ReduceScatter.String()
		w = w.twice(AllGather.String())
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
	t := term("level "+p.level.Name, q.Bytes(bytes), p.level.Egress, "", q.Bytes(rough).Over(p.level.Egress))
	t.Formula, t.Values = c.raggedly(
		formula,
		[]law.Value{c.array(), count("g", groups, "the groups with members in a unit"),
			count("m", held, "the members of a group in a unit"), count("N", n, "the devices"),
			rate("W", p.level.Egress, "the one-way egress of a unit under the level")},
	)
	if c.Op == Permute {
		t.Values = append(t.Values, count("leaving", leave, "the members of a unit that send out of it"))
	}
	return t
}

func treeWhy(c Collective, inNetwork bool) string {
	switch {
	case inNetwork:
		return "the switches of every level add, so each unit sends every group's array once and takes the sum in once"
	case c.Op == AllToAll:
		return "what a unit's members have for devices outside leaves it; all levels work at the same time"
	case c.Op == Broadcast, c.Op == Reduce, c.Op == Permute:
		return "what must leave a unit leaves it; all levels work at the same time"
	}
	return "a unit takes in what none of its members has (or gives away what is not theirs); all levels work at the " +
		"same time"
}
