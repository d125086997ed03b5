package figure

import (
	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/phrase"
)

// treeLoad is a collective on a fat tree: what it is called, how much thinner the pipes to the spines are than those to
// the nodes, and the seconds that each level needs for it, from above.
type treeLoad struct {
	over, slowest float64
	times         [3]float64
}

const loadUnits = 4 // that are drawn

// levels are the levels of a tree from above: what their pipes are called, how many are drawn for each unit, and what
// lies below.
var levels = [...]struct {
	key   string
	pipes int
	below string
}{{"figure.tree-load-up", 1, "figure.tree-load-leaves"}, {"figure.tree-load-port", 6, "figure.tree-load-nodes"},
	{"figure.tree-load-node", 12, "figure.tree-load-gpus"}}

// TreeLoad draws a collective on a fat tree. A pipe is as wide as its bandwidth and filled as far as it is busy; that
// of the slowest level is full. Dragging a pipe to the spines sets the input `over`. The values are the collective's
// name, the ports of a leaf down for each up, and the times of the levels from above.
func TreeLoad(l phrase.Phrases, a values) *Drawing {
	t := &treeLoad{over: max(a.num(1), 1), times: [3]float64{a.num(2), a.num(3), a.num(4)}}
	t.slowest = max(t.times[0], t.times[1], t.times[2], 1e-12)
	d := &Drawing{Title: l.Say("figure.tree-load", "op", a[0].Text, "time", seconds(t.slowest))}
	table := Table{Caption: d.Title, Heads: cells(l, "figure.tree-load-heads")}
	for i, x := range levels {
		table.add(phrase.Capital(l.Say(x.key)), seconds(t.times[i]), shareText(t.times[i], t.slowest))
	}
	d.About, d.Now, d.Twin = ended(l, d.Title), d.Title, []Table{table}
	return d.opening(l, t.draw)
}

func (t *treeLoad) draw(c *canvas) {
	left, right, row, pipe, gap := c.of(196, 118), c.of(932, 354), c.of(28, 22), c.of(92, 74), c.of(24, 10)
	unit := (right - left - (loadUnits-1)*gap) / loadUnits
	y := c.of(10, 8)
	c.Rect(`class="block"`, left, y, right-left, row)
	c.say("on mid strong", (left+right)/2, y+row/2+5, "figure.tree-load-spines")
	y += row
	for i, x := range levels {
		class, busy := "in1", t.times[i]/t.slowest
		if busy == 1 {
			class = "bad"
		}
		c.say(class, c.of(8, 6), y+pipe/2-6, x.key)
		c.Label("big strong "+class, c.of(8, 6), y+pipe/2+18, seconds(t.times[i]))
		share := [...]float64{0.84 / t.over, 0.84, 0.97}[i]
		t.level(c, x.pipes, left, y, unit, gap, pipe, share, busy)
		y += pipe
		var p markup.Pen
		for u := range loadUnits {
			p.Box(left+float64(u)*(unit+gap), y, unit, row)
		}
		c.Path("block", p.String())
		c.say("on mid", left+unit/2, y+row/2+5, x.below)
		y += row
	}
	c.say("small end", right, y+c.of(24, 20), "figure.tree-load-units")
	middle, half := left+unit/2, unit*0.42
	c.pull("over", "x", "linear", middle+half/7, 7, middle+half/4, 4, middle+half/2, 2, middle+half/1.3, 1.3,
		middle+half, 1)
	c.knob(middle+half/t.over, c.of(10, 8)+row+pipe/2, false)
}

// level draws the pipes of one level, so many for each unit, and what flows through them.
func (t *treeLoad) level(c *canvas, pipes int, left, y, unit, gap, high, share, busy float64) {
	var tube, flow markup.Pen
	for i := range loadUnits * pipes {
		at := left + float64(i/pipes)*(unit+gap) + unit*(float64(i%pipes)+0.5)/float64(pipes)
		wide := unit * share / float64(pipes)
		tube.Box(at-wide/2, y, wide, high)
		flow.Box(at-wide*busy/2, y, wide*busy, high)
	}
	class := "c1"
	if busy == 1 {
		class = "full"
	}
	c.Path("tube", tube.String()).Path(class, flow.String())
}
