package network

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
	q "github.com/scalebook/scalebook/app/quantity"
)

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
	w := way{algorithm: algorithmOf(axes, c.OneWay)}
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
		w = permuteWay(c, axes[0])
	}
	return w.cost(c, t.Size())
}

func (w *way) addHops(n int, latency q.Seconds) {
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
