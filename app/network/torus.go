package network

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/hardware"
	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/phrase"
	q "github.com/scalebook/scalebook/app/quantity"
)

// Axis is one axis of a torus: a line of chips, or a ring if it wraps around.
type Axis struct {
	Name    string      // "X"; may be empty
	Size    int         // chips along it, at least 1
	Wrap    bool        // the last is a neighbour of the first
	Links   int         // between two neighbours, in each direction; 0 means 1
	OneWay  q.Bandwidth // of one link, one way
	Latency q.Seconds   // of one hop; 0 leaves latency out
}

// Neighbour is the one-way bandwidth from a chip to its neighbour: all links in one direction.
func (a Axis) Neighbour() q.Bandwidth { return q.Bandwidth(max(a.Links, 1)) * a.OneWay }

// Ring is the bandwidth with which chips along the axis can take data in at once: from both sides if it wraps around
// (W2, both ways), from the farther side only, which limits the chip at the end, if it is a line.
func (a Axis) Ring() q.Bandwidth {
	if a.Wrap {
		return 2 * a.Neighbour()
	}
	return a.Neighbour()
}

// Diameter is the largest number of hops between two chips of the axis: floor(N/2) in a ring, N-1 in a line.
func (a Axis) Diameter() int {
	if a.Wrap {
		return a.Size / 2
	}
	return a.Size - 1
}

// Torus is chips in a grid, each axis a ring or a line. The zero value is a single chip.
type Torus struct {
	Axes []Axis
}

// Size is the number of chips; 0 if an axis has none.
func (t Torus) Size() int { return product(t.sizes()) }

func (t Torus) sizes() []int {
	sizes := make([]int, len(t.Axes))
	for i, a := range t.Axes {
		sizes[i] = a.Size
	}
	return sizes
}

// Along is the torus of some of the axes, by index: the group of a collective that runs along them while all the other
// coordinates stand still.
func (t Torus) Along(axes ...int) (Torus, error) {
	var part Torus
	seen := make([]bool, len(t.Axes))
	for _, i := range axes {
		if i < 0 || i >= len(t.Axes) || seen[i] {
			return Torus{}, phrase.Fault{
				What:   phrase.Count(len(t.Axes), "network.no-axis", "axis", i),
				Remedy: phrase.New("network.choose-axis", "last", len(t.Axes)-1),
			}
		}
		seen[i] = true
		part.Axes = append(part.Axes, t.Axes[i])
	}
	return part, nil
}

// Shape is the sizes of the axes: "8x8x16".
func (t Torus) Shape() string { return shapeText(t.sizes()) }

func shapeText(sizes []int) string {
	if len(sizes) == 0 {
		return "1"
	}
	var b strings.Builder
	for i, n := range sizes {
		if i > 0 {
			b.WriteByte('x')
		}
		b.WriteString(strconv.Itoa(n))
	}
	return b.String()
}

// Diameter is the largest number of hops between two chips: the sum over the axes.
func (t Torus) Diameter() int {
	d := 0
	for _, a := range t.Axes {
		d += a.Diameter()
	}
	return d
}

// LinksPerChip is the number of neighbours' links that a chip inside the torus has, an axis of one chip counting none.
func (t Torus) LinksPerChip() int {
	n := 0
	for _, a := range t.Axes {
		if a.Size > 1 {
			n += 2 * max(a.Links, 1)
		}
	}
	return n
}

// Bisection is the one-way bandwidth over the narrowest cut across an axis into halves (as near as its size allows):
// the chips of the cut times the links each has across it, two on an axis that wraps around, one on a line. It is 0
// for a single chip.
func (t Torus) Bisection() q.Bandwidth {
	least := q.Bandwidth(0)
	n := t.Size()
	for _, a := range t.Axes {
		if a.Size < 2 {
			continue
		}
		if cut := q.Bandwidth(n/a.Size) * a.Ring(); least == 0 || cut < least {
			least = cut
		}
	}
	return least
}

// Hops is the number of hops on a shortest way between two chips, by their coordinates; those missing are 0.
func (t Torus) Hops(from, to []int) int {
	hops := 0
	for i, a := range t.Axes {
		d := coordinate(from, i, a.Size) - coordinate(to, i, a.Size)
		d = max(d, -d)
		if a.Wrap {
			d = min(d, a.Size-d)
		}
		hops += d
	}
	return hops
}

// coordinate is the i-th of at, brought into 0 to n-1.
func coordinate(at []int, i, n int) int {
	if i >= len(at) || n < 1 {
		return 0
	}
	return (at[i]%n + n) % n
}

// ParseShape reads the sides of a slice: 4x4x8, with x, ×, *, commas or spaces between them.
func ParseShape(text string) ([]int, error) {
	between := func(r rune) bool { return r == 'x' || r == '×' || r == '*' || r == ' ' || r == ',' }
	var sides []int
	for side := range strings.FieldsFuncSeq(strings.ToLower(text), between) {
		n, err := strconv.Atoi(side)
		if err != nil || n > 1<<16 {
			return nil, errNoShape(text)
		}
		sides = append(sides, n)
	}
	if len(sides) == 0 {
		return nil, errNoShape(text)
	}
	return sides, nil
}

func errNoShape(text string) error {
	what := phrase.New("network.no-shape")
	if text = strings.TrimSpace(text); len(text) <= 40 && text != "" {
		what = phrase.New("network.no-shape-named", "text", text)
	}
	return phrase.Fault{What: what, Remedy: phrase.New("network.write-shape")}
}

// CutSlice is the slice of a shape such as "4x4x8". The error says what of the shape can't be read, or why chips of
// this kind have no such slice.
func CutSlice(chip *hardware.Accelerator, shape string) (Slice, error) {
	sides, err := ParseShape(shape)
	if err != nil {
		return Slice{}, err
	}
	return NewSlice(chip, sides...)
}

// Shapes are those that a chip's slices commonly have, smallest first; none if it is not joined in a torus. Of pods
// made of cubes there are more than anyone would list.
func Shapes(chip *hardware.Accelerator) []string {
	rule, ok := RuleFor(chip)
	if !ok || !rule.Cubes {
		return rule.Shapes
	}
	all := slices.Clone(rule.Shapes)
	for _, shape := range [...]string{"4x4x4", "4x4x8", "4x8x8", "8x8x8", "8x8x16", "8x16x16", "16x16x16", "16x16x32",
		"16x20x28", "16x24x24"} {
		if _, err := CutSlice(chip, shape); err == nil {
			all = append(all, shape)
		}
	}
	return all
}

// maxAxes bounds the sets of axes that a gather looks at.
const maxAxes = 8

// In names t for a reader: "a ring of 16", "a line of 4", "4x4x8".
func (t Torus) In(l phrase.Phrases) string {
	used := t.used()
	switch {
	case len(used) != 1:
		return t.Shape()
	case used[0].Wrap:
		return l.Say("network.ring", "n", used[0].Size)
	}
	return l.Say("network.line", "n", used[0].Size)
}

// String names t in English.
func (t Torus) String() string { return t.In(phrase.Phrases{}) }

// used are the axes along which there is anybody to talk to.
func (t Torus) used() []Axis {
	var used []Axis
	for i, a := range t.Axes {
		if a.Size != 1 {
			if a.Name == "" {
				a.Name = strconv.Itoa(i + 1)
			}
			used = append(used, a)
		}
	}
	return used
}

// check refuses what cannot be a torus, or cannot do c.
func (t Torus) check(c Collective) error {
	used := t.used()
	if len(used) > maxAxes {
		return phrase.Fault{
			What:   phrase.New("network.many-axes", "n", len(used)),
			Remedy: phrase.New("network.at-most", "most", maxAxes),
		}
	}
	for _, a := range used {
		if a.Size < 1 || a.Links < 0 {
			return phrase.Fault{
				What:   phrase.New("network.bad-axis", "axis", a.Name, "n", a.Size),
				Remedy: phrase.New("network.at-least-one"),
			}
		}
		if err := checkLink(a.links(), a.OneWay, a.Latency); err != nil {
			return err
		}
		if c.OneWay && !a.Wrap {
			return phrase.Fault{
				What:   phrase.New("network.line-one-way", "axis", a.Name),
				Remedy: phrase.New("network.let-wrap"),
			}
		}
	}
	return nil
}

func (t Torus) cost(c Collective) (Cost, error) {
	if err := t.check(c); err != nil {
		return Cost{}, err
	}
	axes := t.used()
	w := procedure{algorithm: algorithmOf(axes, c.OneWay)}
	for _, a := range axes {
		w.addHops(a.sweep(c.OneWay), a.Latency)
	}
	switch c.Op {
	case AllGather, ReduceScatter, AllReduce:
		w.stages = []Stage{gatherStage(c, axes, t.Size())}
		if c.Op == AllReduce {
			w.stages[0].Op = ReduceScatter
			w = w.twice(AllGather)
		}
	case AllToAll:
		w.stages = []Stage{exchangeStage(c, axes, t.Size())}
	case Broadcast, Reduce:
		w.stages = []Stage{broadcastStage(c, axes, t.Size())}
	case Permute:
		w = permuteProcedure(c, axes[0])
	}
	return w.cost(c, t.Size())
}

func (w *procedure) addHops(n int, latency q.Seconds) {
	w.hops += n
	w.latency += q.Seconds(n) * latency
}

// algorithmOf names how the chips talk.
func algorithmOf(axes []Axis, oneWay bool) *phrase.Phrase {
	switch {
	case oneWay && len(axes) == 1:
		return phrase.New("network.ring-one-way")
	case oneWay:
		return phrase.New("network.rings-one-way")
	case len(axes) > 1:
		return phrase.New("network.axes-both-ways")
	case axes[0].Wrap:
		return phrase.New("network.ring-both-ways")
	}
	return phrase.New("network.line-both-ways")
}

// sweep is the hops until everybody along an axis has heard of everybody.
func (a Axis) sweep(oneWay bool) int {
	if oneWay {
		return a.Size - 1
	}
	return a.Diameter()
}

// intake is the bandwidth with which the chips of an axis take data in.
func (a Axis) intake(oneWay bool) q.Bandwidth {
	if oneWay {
		return a.Neighbour()
	}
	return a.Ring()
}

// intakeKey is the key of what intake is.
func (a Axis) intakeKey(oneWay bool) string {
	switch {
	case oneWay:
		return "network.link-one-way"
	case a.Wrap:
		return "network.link-both-ways"
	}
	return "network.link-at-end"
}

// linksOf are the links along some axes.
func linksOf(names []string) Resource {
	if len(names) == 1 {
		return Resource{AxisLinks, names[0]}
	}
	return Resource{AxesLinks, strings.Join(names, ", ")}
}

// links are those along the axis.
func (a Axis) links() Resource { return Resource{AxisLinks, a.Name} }

// gatherStage is an all-gather along several axes at once, or the reduce-scatter that mirrors it.
//
// The array is cut into parts that go along the axes in different orders. A part that goes along the axes of a set S
// first moves (N_S - 1)/N of itself there, N_S being the chips that S spans, and no order moves less along S. So no
// mixture of orders is faster than max over S of (N_S - 1)/N V/W_S, W_S the sum of the axes' bandwidths; and since the
// loads of all mixtures form the base of a polymatroid, some mixture reaches it. Where all axes have the same bandwidth
// the set of all axes binds: (N-1)/N V/(W times the number of axes).
func gatherStage(c Collective, axes []Axis, size int) Stage {
	n := float64(size)
	var worst Term
	var bound axisSet
	all := c.span(axes, 1<<len(axes)-1)
	for set := 1; set < 1<<len(axes); set++ {
		s := c.span(axes, set)
		time := gatherTime(c.Bytes, n, s.chips, s.intake)
		if last := set == 1<<len(axes)-1; time > worst.Time || set == 1 || last && time >= worst.Time*(1-1e-12) {
			worst, bound = Term{Resource: linksOf(s.names), Bandwidth: s.link, Time: time}, s
		}
	}
	worst.Shortcut, worst.Bytes = c.Bytes.Over(all.intake), q.Bytes(float64(worst.Time)*float64(worst.Bandwidth))
	worst.Formula, worst.Values = c.gatherWorking(axes, bound, n)
	both := q.Bytes(0)
	for i, a := range axes {
		if bound.set>>i&1 == 1 {
			both = max(both, q.Bytes(float64(worst.Time)*float64(a.OneWay)*a.bothStages()))
		}
	}
	worst.idle = 2*worst.Bytes - both
	return Stage{Op: c.Op, Why: gatherWhy(c, axes), Terms: []Term{worst}}
}

// axisSet is some of the axes together.
type axisSet struct {
	set    int // a bit for each axis
	names  []string
	chips  float64     // that they span
	intake q.Bandwidth // with which a chip takes data in along all of them
	link   q.Bandwidth // the fastest link
}

func (c Collective) span(axes []Axis, set int) axisSet {
	s := axisSet{set: set, chips: 1, names: make([]string, 0, len(axes))}
	for i, a := range axes {
		if set>>i&1 == 1 {
			s.chips *= float64(a.Size)
			s.intake, s.link = s.intake+a.intake(c.OneWay), max(s.link, a.OneWay)
			s.names = append(s.names, a.Name)
		}
	}
	return s
}

// gatherWorking is the formula of a gather, or scatter, that a set of axes binds.
func (c Collective) gatherWorking(axes []Axis, s axisSet, n float64) (string, []law.Value) {
	v, chips := c.array(), count("N", n, "network.the-chips")
	switch {
	case len(s.names) < len(axes):
		return setShare + "W_S", []law.Value{v, chips, count("N_S", s.chips, "network.axes-chips"),
			rate("W_S", s.intake, "network.axes-intake")}
	case len(axes) == 1:
		return share + "W", []law.Value{v, chips, rate("W", s.intake, axes[0].intakeKey(c.OneWay))}
	}
	return share + "W_all", []law.Value{v, chips, rate("W_all", s.intake, "network.all-intake")}
}

// bothStages is what the busiest link of an axis carries in a stage and its mirror image together, over what it
// carries in one of them. Along a ring every link carries as much as any other. Along a line of X chips that have B
// each to pass on, the link after the i-th carries i B to the right in one stage, and (X - i) B in the mirror image of
// what goes to the left: X B together on every link, where the busiest carries (X - 1) B in one stage.
func (a Axis) bothStages() float64 {
	if a.Wrap {
		return 2
	}
	return float64(a.Size) / float64(a.Size-1)
}

// gatherWhy says what every chip takes in, or gives away, and how.
func gatherWhy(c Collective, axes []Axis) *phrase.Phrase {
	keys := [...]string{"network.scatter-axes", "network.scatter-around", "network.scatter-ring",
		"network.scatter-line"}
	if c.Op == AllGather {
		keys = [...]string{"network.gather-axes", "network.gather-around", "network.gather-ring", "network.gather-line"}
	}
	switch {
	case len(axes) > 1:
		return phrase.New(keys[0])
	case c.OneWay:
		return phrase.New(keys[1])
	case axes[0].Wrap:
		return phrase.New(keys[2])
	}
	return phrase.New(keys[3])
}

// exchangeStage is an all-to-all: every chip has V/N^2 for every other, which goes along the axes one after the other
// along shortest paths. Along an axis of X chips a chunk makes floor(X^2/4)/X hops in the mean if it wraps around, and
// on a line the middle link has floor(X^2/4) of the X^2 pairs across it; so either way an axis needs floor(X^2/4)/X
// V/(N W).
func exchangeStage(c Collective, axes []Axis, size int) Stage {
	exact, rough := c.ragged(size)
	s := Stage{Op: AllToAll, Why: phrase.New("network.shortest-ways")}
	for _, a := range axes {
		s.Terms = append(s.Terms, a.exchange(c, float64(size), exact, rough))
	}
	return s
}

// exchange is the part of an all-to-all along a.
func (a Axis) exchange(c Collective, n, exact, rough float64) Term {
	x, w := float64(a.Size), a.intake(c.OneWay)
	time, formula, roughly := AxisExchange(c.Bytes, n, x, w), axisExchange, x/4
	if c.OneWay {
		time, formula, roughly = q.Seconds((x-1)/2*float64(c.Bytes)/(n*float64(w))), "(X - 1)/2 * V/(N*W)", x/2
	}
	t := a.axisTerm(q.Seconds(exact)*time, "", q.Seconds(rough*roughly*float64(c.Bytes)/(n*float64(w))))
	t.Formula, t.Values = c.raggedly(formula, []law.Value{c.array(), count("X", x, "network.axis-chips"),
		count("N", n, "network.the-chips"), rate("W", w, a.intakeKey(c.OneWay))})
	return t
}

// axisTerm is a time along an axis, with the bytes over each of its links.
func (a Axis) axisTerm(time q.Seconds, formula string, shortcut q.Seconds) Term {
	return Term{
		Resource: a.links(), Bytes: q.Bytes(float64(time) * float64(a.OneWay)), Bandwidth: a.OneWay,
		Time: time, Formula: formula, Shortcut: shortcut,
	}
}

// broadcastStage is a broadcast in small pieces along as many disjoint trees as the links allow (Edmonds, 1973): as
// fast as the narrowest cut lets the array in, which is around a corner chip or across an axis.
func broadcastStage(c Collective, axes []Axis, size int) Stage {
	corner, cut, link, narrow := q.Bandwidth(0), q.Bandwidth(math.Inf(1)), q.Bandwidth(0), axes[0]
	for _, a := range axes {
		corner, link = corner+a.intake(c.OneWay), max(link, a.OneWay)
		if across := q.Bandwidth(size/a.Size) * a.intake(c.OneWay); across < cut {
			cut, narrow = across, a
		}
	}
	t := Term{Resource: Resource{Kind: CornerLinks}, Time: c.Bytes.Over(corner), Formula: "V/W_all", Bandwidth: link,
		Values: []law.Value{c.array(), rate("W_all", corner, "network.all-intake")}}
	if cut <= corner {
		t = Term{Resource: narrow.links(), Time: c.Bytes.Over(cut), Formula: "V/W_cut", Bandwidth: narrow.OneWay,
			Values: []law.Value{c.array(), rate("W_cut", cut, "network.cut-intake")}}
	}
	t.Bytes, t.Shortcut = q.Bytes(float64(t.Time)*float64(t.Bandwidth)), t.Time
	return Stage{Op: c.Op, Why: phrase.New("network.from-root"), Terms: []Term{t}}
}

// permuteProcedure sends from every chip to the one Shift places on along the axis, the shorter way around: each link
// carries the arrays of as many chips as the way has hops.
func permuteProcedure(c Collective, a Axis) procedure {
	d := c.shift(a.Size)
	load, hops := min(d, a.Size-d), min(d, a.Size-d)
	switch {
	case d == 0:
		load, hops = 0, 0
	case c.OneWay:
		load, hops = d, d
	case !a.Wrap:
		hops = max(d, a.Size-d)
	}
	time := q.Seconds(float64(load) * float64(c.Bytes) / float64(a.Neighbour()))
	w := procedure{algorithm: phrase.New("network.shorter-way", "axis", a.Name)}
	w.addHops(hops, a.Latency)
	t := a.axisTerm(time, "hops * V/W_oneway", time)
	t.Values = []law.Value{c.array(), count("hops", float64(load), "network.passing-chips"),
		rate("W_oneway", a.Neighbour(), "network.side-intake")}
	w.stages = []Stage{{Op: Permute, Why: phrase.New("network.carries-passing"), Terms: []Term{t}}}
	return w
}
