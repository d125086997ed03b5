package network

import (
	"github.com/scalebook/scalebook/app/law"
	"github.com/scalebook/scalebook/app/phrase"
	q "github.com/scalebook/scalebook/app/quantity"
)

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
	keys := [...]string{"network.scatter-axes", "network.scatter-around", "network.scatter-ring", "network.scatter-line"}
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
