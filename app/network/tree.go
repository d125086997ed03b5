package network

import (
	_ "embed"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/phrase"
	q "github.com/scalebook/scalebook/app/quantity"
)

// Level is one level of a tree of switches: Degree units of the level below hang on it.
type Level struct {
	Name    string      // "node", "leaf", "spine"
	Degree  int         // units of the level below that one unit of this level joins; at least 1
	Egress  q.Bandwidth // from one of those units into this level, one way, all cables together
	Latency q.Seconds   // of one step through this level
	Reduces bool        // its switches add what passes through them (SHARP)

	// What one unit of this level is built of; zero where nobody says.
	Switches int
	Ports    int         // of each switch, up and down
	Port     q.Bandwidth // of a port, one way
	Source   string      // the ID of a source of the catalog
	Note     string
}

// Tree is levels of switches from the devices up: the first level joins devices to nodes, the second nodes, and so on.
type Tree struct {
	Name   string
	Levels []Level
}

// Size is the number of devices: the product of the degrees, 0 if one of them is below 1.
func (t Tree) Size() int {
	degrees := make([]int, len(t.Levels))
	for i, l := range t.Levels {
		degrees[i] = l.Degree
	}
	return product(degrees)
}

// Ranks are the devices of a tree that take part in a collective: Members of them, every Stride-th. They stand in the
// first Members x Stride devices of the tree, numbered node by node, and all Stride such groups do the same at the same
// time, as when an array is sharded over an inner axis of Stride as well. The zero Stride is 1.
type Ranks struct {
	Tree    Tree
	Members int
	Stride  int
}

// All is every device of the tree.
func (t Tree) All() Ranks { return Ranks{Tree: t, Members: t.Size(), Stride: 1} }

// Group is members devices, every stride-th; see Ranks.
func (t Tree) Group(members, stride int) (Ranks, error) {
	r := Ranks{Tree: t, Members: members, Stride: stride}
	return r, r.check()
}

// Size is the number of devices that take part in one group.
func (r Ranks) Size() int { return r.Members }

// clusterTable is the levels of published clusters: device, level, degree, egress of a unit below, switches of a unit,
// ports of a switch, bandwidth of a port one way, source, note.
//
//go:embed clusters.tsv
var clusterTable string

// NewCluster is the published cluster of a device, level by level: the SuperPods of H100, B200 and GB200. Its source is
// that of each level in the table. The error says which there are.
func NewCluster(device *hardware.Accelerator) (Tree, error) {
	t := Tree{Name: device.Name + " cluster"}
	_, generation, _ := strings.Cut(device.ID, ".")
	for line := range strings.Lines(clusterTable) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(c) != 9 || strings.TrimPrefix(c[0], "gpu.") != generation {
			continue
		}
		l, err := level(c)
		if err != nil {
			return Tree{}, err
		}
		t.Levels = append(t.Levels, l)
	}
	if len(t.Levels) < 2 {
		return Tree{}, phrase.Fault{
			What:   phrase.New("network.no-cluster", "device", device.Name),
			Remedy: phrase.New("network.clusters"),
		}
	}
	return t, nil
}

// level reads a row of the table.
func level(c []string) (Level, error) {
	l := Level{Name: c[1], Source: c[7], Note: c[8]}
	var err error
	for _, n := range []struct {
		text string
		to   *int
	}{{c[2], &l.Degree}, {c[4], &l.Switches}, {c[5], &l.Ports}} {
		if *n.to, err = strconv.Atoi(n.text); err != nil {
			return Level{}, phrase.Fault{
				What:   phrase.New("network.no-number", "text", n.text),
				Remedy: phrase.New("network.write-digits"),
			}
		}
	}
	for _, w := range []struct {
		text string
		to   *q.Bandwidth
	}{{c[3], &l.Egress}, {c[6], &l.Port}} {
		v, _, err := q.Literal(w.text)
		if err != nil {
			return Level{}, err
		}
		*w.to = q.Bandwidth(v.Value)
	}
	return l, nil
}

// Units is the number of units of level i in the whole tree: the product of the degrees above it.
func (t Tree) Units(i int) int {
	n := 1
	for _, l := range t.Levels[min(i+1, len(t.Levels)):] {
		n = product([]int{n, l.Degree})
	}
	return n
}

// Switches is the number of switches of level i in the whole tree.
func (t Tree) Switches(i int) int { return t.Levels[i].Switches * t.Units(i) }

// Joined is the bandwidth that the cables of level i bring into one of its units, one way.
func (l Level) Joined() q.Bandwidth { return q.Bandwidth(l.Degree) * l.Egress }

// Capacity is the bandwidth of all ports of one unit's switches, one way.
func (l Level) Capacity() q.Bandwidth { return q.Bandwidth(l.Switches*l.Ports) * l.Port }

// Bisection is the one-way bandwidth between two halves (as near as the degree allows) of the units that the topmost
// level joins.
func (t Tree) Bisection() q.Bandwidth {
	for i := len(t.Levels) - 1; i >= 0; i-- {
		if l := t.Levels[i]; l.Degree > 1 {
			return q.Bandwidth(l.Degree/2) * l.Egress
		}
	}
	return 0
}

// CollectiveBandwidth is V over the exact time of an all-gather of V over all devices: the least over the levels of
// W/(1 - n/N), W being the egress of a unit of n of the N devices.
func (t Tree) CollectiveBandwidth() (q.Bandwidth, error) {
	c, err := Collective{Op: AllGather, Bytes: 1}.Over(t.All())
	if err != nil {
		return 0, err
	}
	if c.Bandwidth == 0 {
		return 0, phrase.Fault{What: phrase.New("network.lone-device"), Remedy: phrase.New("network.give-devices")}
	}
	return q.Bandwidth(1 / float64(c.Bandwidth)), nil
}

// FatTree is the switches that a number of nodes needs. Every device has a port of its own into the network, and the
// devices of the same place in each node, a rail, meet at the same leaf. Half of a leaf's ports go down and half go up,
// unless the leaves are oversubscribed: then fewer go up, and the levels above have less bandwidth than the nodes.
type FatTree struct {
	Devices, Nodes int
	Ports          int // of every switch
	Down, Up       int // ports of a leaf towards nodes and towards spines
	Units          int // scalable units: as many nodes as a leaf has ports down
	Leafs          int
	Spines         int // 0 if the leafs of one unit are all there is
	Cores          int // 0 if the spines can reach every leaf
	LinksPerPair   int // links between a leaf and each spine; 0 with cores, where a leaf reaches only some
	Levels         int // of switches above the node
}

// NewFatTree counts them for nodes of perNode devices and switches of so many ports, over times as many of a leaf's
// going down as up. Two levels reach as far as a spine has a port for every leaf; beyond, there is a third. More than
// that can reach is an error.
func NewFatTree(devices, perNode, ports int, over float64) (FatTree, error) {
	if err := checkTree(devices, perNode, ports, over); err != nil {
		return FatTree{}, err
	}
	f := FatTree{Devices: devices, Nodes: devices / perNode, Ports: ports}
	f.Down = int(float64(ports) * over / (over + 1))
	f.Up = max(1, int(float64(f.Down)/over))
	if f.Nodes == 1 {
		f.Units = 1
		return f, nil
	}
	f.Units = ceil(f.Nodes, f.Down)
	f.Leafs, f.Levels = f.Units*perNode, 1
	switch {
	case f.Units == 1:
	case f.Leafs <= ports:
		f.Levels, f.Spines = 2, ceil(f.Leafs*f.Up, ports)
		for f.Up%f.Spines != 0 { // each leaf has as many links to every spine
			f.Spines++
		}
		f.LinksPerPair = f.Up / f.Spines
	case f.Leafs <= ports*(ports/2):
		f.Levels, f.Spines = 3, ceil(f.Leafs*f.Up, ports/2)
		f.Cores = ceil(f.Spines*(ports/2), ports)
	default:
		return FatTree{}, phrase.Fault{
			What:   phrase.New("network.too-many-leafs", "n", devices, "leafs", f.Leafs, "ports", ports),
			Remedy: phrase.New("network.more-ports"),
		}
	}
	return f, nil
}

// checkTree refuses sizes that make no tree.
func checkTree(devices, perNode, ports int, over float64) error {
	const most = 1 << 24
	nodes := phrase.New("network.bad-nodes", "n", devices, "node", perNode)
	switch {
	case devices > most || perNode > most:
		return phrase.Fault{What: nodes, Remedy: phrase.New("network.at-most", "most", most)}
	case devices < 1 || perNode < 1 || devices%perNode != 0:
		return phrase.Fault{What: nodes, Remedy: phrase.New("network.whole-nodes")}
	case ports < 2 || ports%2 != 0 || ports > 1<<12:
		return phrase.Fault{What: phrase.New("network.bad-ports", "n", ports), Remedy: phrase.New("network.even-ports")}
	case !(over >= 1 && over < float64(ports)):
		return phrase.Fault{
			What:   phrase.New("network.bad-over", "n", number(over), "ports", ports),
			Remedy: phrase.New("network.give-over"),
		}
	}
	return nil
}

func ceil(a, b int) int { return (a + b - 1) / b }

// SpinePorts is how many ports of a spine are taken, of those that look down and of those that look up.
func (f FatTree) SpinePorts() int {
	if f.Cores > 0 {
		return f.Ports
	}
	return f.Leafs * f.LinksPerPair
}

// Rise is the links that leave a unit for the rest of the tree: those that its nodes fill, and at most those that its
// leafs have.
func (f FatTree) Rise() int {
	if f.Nodes < 1 {
		return 0
	}
	return min(ceil(f.Nodes, f.Units), f.Up) * (f.Devices / f.Nodes)
}

// Bisection is the links between two halves of the tree, one way: those of half the units, or where there is one unit
// those of half the devices. One node has no such links.
func (f FatTree) Bisection() int {
	switch {
	case f.Nodes < 2:
		return 0
	case f.Units < 2:
		return f.Nodes / 2 * (f.Devices / f.Nodes)
	}
	return f.Units / 2 * f.Rise()
}

// Tree is the levels of f for devices of a one-way egress inside their node and a port of the network each: node, unit
// and what joins the units, which is one level however many layers of switches it is made of.
func (f FatTree) Tree(device, port q.Bandwidth) Tree {
	perNode := f.Devices / max(f.Nodes, 1)
	t := Tree{Levels: []Level{{Name: "node", Degree: perNode, Egress: device}}}
	if f.Nodes > 1 {
		inUnit := ceil(f.Nodes, max(f.Units, 1))
		t.Levels = append(t.Levels, Level{Name: "leaf", Degree: inUnit, Egress: q.Bandwidth(perNode) * port})
		if f.Units > 1 {
			t.Levels = append(t.Levels, Level{Name: "spine", Degree: f.Units, Egress: q.Bandwidth(f.Rise()) * port})
		}
	}
	return t
}

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
	w := procedure{algorithm: phrase.New("network.tree-rings")}
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
	t := term(Resource{LevelEgress, p.level.Name}, q.Bytes(bytes), p.level.Egress, "",
		q.Bytes(rough).Over(p.level.Egress))
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
