package figure

import (
	"strconv"

	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/phrase"
)

// The measures of a fat tree: rows from the top, and the bundles of cables between them.
const (
	treeWide  = 440
	treeRow   = 18 // height of a row of switches
	treeCable = 46 // height of a bundle of cables
	treeGap   = 14 // between units
	mostUnits = 8  // more are drawn as four
	mostBoxes = 24 // more are drawn as one
)

// FatTree draws the switches of a fat tree, row by row. Cables are as wide as the bandwidth that they carry, against
// that of all nodes. bisection is the bandwidth between two halves, as text.
func FatTree(l phrase.Phrases, f network.FatTree, bisection string) *Drawing {
	t := &fatTree{FatTree: f, l: l}
	d := &Drawing{Title: l.Count(f.Levels, "figure.tree", "devices", f.Devices), Note: l.Say("figure.tree-note")}
	t.twin = Table{Caption: d.Title, Heads: cells(l, "figure.tree-heads")}
	d.head(&t.pen, t.y+14)
	t.y += 24
	cut := t.y + 18 // below the name of the first row
	if f.Cores > 0 {
		ports := f.Spines * (f.Ports / 2) / f.Cores
		t.row(l.Say("figure.tree-cores", "n", f.Cores, "ports", ports, "all", f.Ports), f.Cores)
		t.twin.add(l.Say("figure.tree-core"), strconv.Itoa(f.Cores), outOf(l, ports, f.Ports))
		t.cables(0, treeWide, t.narrow())
	}
	if f.Spines > 0 {
		ports := f.SpinePorts()
		t.row(l.Say("figure.tree-spines", "n", f.Spines, "ports", ports, "all", f.Ports), f.Spines)
		t.twin.add(l.Say("figure.tree-spine"), strconv.Itoa(f.Spines), outOf(l, ports, f.Ports))
	}
	t.units()
	t.pen.Path("line dash", (&markup.Pen{}).Move(treeWide/2, cut).Line(treeWide/2, t.y).String())
	t.told()
	t.y += 24
	t.pen.Label("strong mid", treeWide/2, t.y, l.Say("figure.tree-halves", "bandwidth", bisection))
	d.About = l.Say("figure.tree-about", "tree", d.Title, "nodes", f.Nodes, "units", f.Units, "leafs", f.Leafs, "spines",
		f.Spines, "cores", f.Cores, "ports", f.Ports, "bandwidth", bisection)
	d.Now, d.AltTables = d.Title, []Table{t.twin}
	return d.svg("fig", frame{0, 0, treeWide, t.y + 8}, &t.pen)
}

// outOf is so many of all.
func outOf(l phrase.Phrases, n, all any) string { return l.Say("figure.out-of", "n", n, "all", all) }

// fatTree is a drawing under way.
type fatTree struct {
	network.FatTree
	l    phrase.Phrases
	y    float64 // how far down it is drawn
	pen  markup.Pen
	twin Table
}

// narrow is the bandwidth that leaves a unit over that of its nodes.
func (t *fatTree) narrow() float64 {
	return float64(t.Rise()*t.Units) / float64(max(t.Devices, 1))
}

// row is a row of core or spine switches over the whole width, with what it is.
func (t *fatTree) row(says string, n int) {
	t.pen.Label("small", 0, t.y+13, says)
	t.y += 18
	t.cells("b3", 0, treeWide, n)
	t.y += treeRow
}

// cells are so many boxes side by side.
func (t *fatTree) cells(class string, x, wide float64, n int) {
	if n > mostBoxes || float64(n)*5 > wide {
		n = 1
	}
	each := wide / float64(max(n, 1))
	t.pen.Put(`<path class="`, class, `" d="`)
	for i := range n {
		t.pen.Box(x+float64(i)*each, t.y, each, treeRow)
	}
	t.pen.Put(`"/>`)
}

// cables is a bundle below what is drawn, of a share of the width, in its middle.
func (t *fatTree) cables(x, wide, share float64) {
	band := wide * min(share, 1)
	t.pen.Rect(`class="b1 pale"`, x+(wide-band)/2, t.y, band, treeCable)
	t.y += treeCable
}

// units draws the leaves of each unit, and its nodes below them.
func (t *fatTree) units() {
	n, top := t.Units, t.y
	if n > mostUnits {
		n = 4
	}
	wide := (treeWide - treeGap*float64(n-1)) / float64(n)
	for i := range n {
		t.y = top
		x := float64(i) * (wide + treeGap)
		if t.Spines > 0 {
			t.cables(x, wide, t.narrow())
		}
		if t.Leafs > 0 {
			t.cells("b2", x, wide, t.Leafs/t.Units)
			t.y += treeRow
			t.cables(x, wide, 1)
		}
		t.cells("b1", x, wide, ceilDiv(t.Nodes, t.Units))
		t.y += treeRow
	}
	if n < t.Units {
		t.pen.Label("head mid", treeWide/2, t.y-treeRow-8, "⋯")
	}
}

// told says what stands in a unit.
func (t *fatTree) told() {
	nodes := ceilDiv(t.Nodes, t.Units)
	t.y += 18
	t.pen.Label("small", 0, t.y, t.l.Count(t.Units, "figure.tree-units", "leafs", t.Leafs/t.Units, "nodes", nodes))
	t.y += 18
	t.pen.Label("small", 0, t.y, t.l.Say("figure.tree-leaf-ports", "down", t.Down, "up", t.Up, "all", t.Ports))
	ports := t.l.Say("figure.tree-down-up", "down", t.Down, "up", t.Up)
	t.twin.add(t.l.Say("figure.tree-leaf"), strconv.Itoa(t.Leafs), ports)
	t.twin.add(t.l.Say("figure.tree-nodes"), strconv.Itoa(t.Nodes), "–")
}

func ceilDiv(a, b int) int { return (a + b - 1) / max(b, 1) }

// treeLoad is a collective on a fat tree: what it is called, how much thinner the bands to the spines are than those to
// the nodes, and the seconds that each level needs for it, from above.
type treeLoad struct {
	over, slowest float64
	times         [3]float64
	rates         [3]string // bandwidth of a unit, a node and a GPU
}

const loadUnits = 4 // that are drawn

// levels are the levels of a tree from above: what their bands are called, how many are drawn for each unit, and what
// lies below.
var levels = [...]struct {
	key   string
	bands int
	below string
}{{"figure.tree-load-up", 1, "figure.tree-load-leaves"}, {"figure.tree-load-port", 6, "figure.tree-load-nodes"},
	{"figure.tree-load-node", 12, "figure.tree-load-gpus"}}

// TreeLoad draws a collective on a fat tree. A band is as wide as its bandwidth and filled as far as it is busy; that
// of the slowest level is full. Dragging the band to the spines sets the input `over`. The values are the collective's
// name, the ports of a leaf down for each up, and from above the times of the levels and their bandwidths.
func TreeLoad(l phrase.Phrases, a values) *Drawing {
	t := &treeLoad{over: max(a.num(1), 1), times: [3]float64{a.num(2), a.num(3), a.num(4)}}
	for i := range t.rates {
		t.rates[i] = a[5+i].Num.String()
	}
	t.slowest = max(t.times[0], t.times[1], t.times[2], 1e-12)
	d := &Drawing{Title: l.Say("figure.tree-load", "op", a[0].Text, "time", seconds(t.slowest))}
	table := Table{Caption: d.Title, Heads: cells(l, "figure.tree-load-heads")}
	for i, x := range levels {
		table.add(phrase.Capital(l.Say(x.key)), seconds(t.times[i]), shareText(t.times[i], t.slowest))
	}
	d.About, d.Now, d.AltTables = ended(l, d.Title), d.Title, []Table{table}
	return d.opening(l, t.draw)
}

func (t *treeLoad) draw(c *canvas) {
	left, right, row, band, gap := c.of(196, 118), c.of(932, 354), c.of(28, 22), c.of(92, 74), c.of(24, 10)
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
		c.say(class, c.of(8, 6), y+band/2-c.of(20, 16), x.key)
		c.Label("big strong "+class, c.of(8, 6), y+band/2+c.of(5, 6), seconds(t.times[i]))
		c.Label("small", c.of(8, 6), y+band/2+c.of(26, 25), t.rates[i])
		c.Rect(`class="tube"`, c.of(8, 6), y+band/2+c.of(35, 32), c.of(164, 96), 8)
		c.Rect(`class="`+flowClass(busy)+`"`, c.of(8, 6), y+band/2+c.of(35, 32), c.of(164, 96)*busy, 8)
		share := [...]float64{0.84 / t.over, 0.84, 0.97}[i]
		if !c.narrow && busy < 1 {
			c.say("small", 100, y+band/2+5, "figure.tree-load-busy", "share", shareText(t.times[i], t.slowest))
		}
		t.level(c, x.bands, left, y, unit, gap, band, share, busy)
		y += band
		var p markup.Pen
		for u := range loadUnits {
			p.Box(left+float64(u)*(unit+gap), y, unit, row)
		}
		c.Path("block", p.String())
		c.say("on mid", left+unit/2, y+row/2+5, x.below)
		y += row
	}
	c.say(c.of2("small end", "small mid"), c.of(right, c.w/2), y+c.of(24, 20), "figure.tree-load-units")
	middle, half := left+unit/2, unit*0.42
	c.pull("over", "x", "linear", middle+half/7, 7, middle+half/4, 4, middle+half/2, 2, middle+half/1.3, 1.3,
		middle+half, 1)
	c.knob(middle+half/t.over, c.of(10, 8)+row+band/2, false)
}

// flowClass is the colour of what flows; the slowest level is busy all the time.
func flowClass(busy float64) string {
	if busy == 1 {
		return "full"
	}
	return "c1"
}

// level draws the bands of one level, so many for each unit, and what flows through them.
func (t *treeLoad) level(c *canvas, bands int, left, y, unit, gap, high, share, busy float64) {
	var tube, flow, stream markup.Pen
	for i := range loadUnits * bands {
		at := left + float64(i/bands)*(unit+gap) + unit*(float64(i%bands)+0.5)/float64(bands)
		wide := unit * share / float64(bands)
		tube.Box(at-wide/2, y, wide, high)
		flow.Box(at-wide*busy/2, y, wide*busy, high)
		if wide*busy > 5 {
			stream.Move(at, y+high).Put("v").Number(-high)
		}
	}
	c.Path("tube", tube.String()).Path(flowClass(busy), flow.String())
	if c.narrow {
		return
	}
	c.Put(`<path class="flow mesh" stroke-dasharray="4 10" d="`, stream.String(), `"/>`)
}
