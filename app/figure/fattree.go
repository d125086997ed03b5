package figure

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
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
	t.description()
	t.y += 24
	t.pen.Label("strong mid", treeWide/2, t.y, l.Say("figure.tree-halves", "bandwidth", bisection))
	d.About = l.Say("figure.tree-about", "tree", d.Title, "nodes", f.Nodes, "units", f.Units, "leafs", f.Leafs,
		"spines",
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

// description says what stands in a unit.
func (t *fatTree) description() {
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

// treeLoad is a drawing of flows on a fat tree under way.
type treeLoad struct {
	*network.Flows
	says, takes string
	load        float64 // of the busiest link, the one from leaf to spine
	leaf, spine int
}

// TreeLoad draws the links of a fat tree, as wide as what is offered to them; the busiest one has its number. Dragging
// the end of the spines sets the input `spines`, that of the nodes `job`. The values behind the flows are the time that
// they take and what they take at best.
func TreeLoad(l phrase.Phrases, f *network.Flows, a values) *Drawing {
	t := &treeLoad{Flows: f}
	up := false
	t.load, t.leaf, t.spine, up = f.Busiest()
	key := "figure.tree-load-down"
	switch {
	case t.load == 0:
		key = "figure.tree-load-none"
	case up:
		key = "figure.tree-load-up"
	}
	t.says = l.Say(key, "leaf", t.leaf+1, "spine", t.spine+1, "load", loadText(t.load))
	t.takes = l.Say("figure.tree-load", "time", a[1].Num.String(), "best", a[2].Num.String())
	table := Table{Caption: l.Say("figure.tree-load-table"), Heads: cells(l, "figure.tree-load-heads")}
	for i := range ceilDiv(f.Nodes, network.LeafNodes) {
		table.add(strconv.Itoa(i+1), shares(f.Up[i][:f.Spines]), shares(f.Down[i][:f.Spines]))
	}
	d := &Drawing{Title: t.says, Now: sentences(l, ended(l, t.says), ended(l, t.takes)), AltTables: []Table{table}}
	d.About = d.Now
	return d.opening(l, t.draw)
}

// loadText is a load as a percentage of what a link carries.
func loadText(x float64) string { return quantity.Percent(x, 0) }

// shares are several loads.
func shares(loads []float64) string {
	texts := make([]string, len(loads))
	for i, x := range loads {
		texts[i] = loadText(x)
	}
	return strings.Join(texts, ", ")
}

func (t *treeLoad) draw(c *canvas) {
	left, right := c.of(20, 16), c.of(920, 344)
	spines, leaves, nodes := c.of(58, 62), c.of(292, 222), c.of(358, 270)
	row, middle := c.of(28, 22), (left+right)/2
	slot, leaf := (right-left)/network.MostSpines, (right-left)/network.MostLeaves
	class := "in1 "
	if t.load > 1+1e-9 {
		class = "bad "
	}
	c.Label(class+c.of2("big strong", "strong"), c.of(left, 4), 24, t.says)
	c.Label(c.of2("strong end", "strong"), c.of(right, 4), c.of(24, 46), t.takes)
	at := func(i, k int) (float64, float64) { // a leaf and a spine
		return left + (float64(i)+0.5)*leaf, middle + (float64(k)+0.5-float64(t.Spines)/2)*slot
	}
	t.links(c, at, leaves, spines+row)
	for k := range t.Spines {
		_, x := at(0, k)
		t.box(c, x, spines, slot*0.76, row, "figure.tree-load-spine", k+1)
	}
	for i := range network.MostLeaves {
		x, _ := at(i, 0)
		t.box(c, x, leaves, leaf*0.84, row, "figure.tree-load-leaf", i+1)
	}
	t.nodes(c, left, leaf, leaves+row, nodes)
	if t.load > 0 {
		x, to := at(t.leaf, t.spine)
		c.Label("big strong mid halo "+class, x+(to-x)*0.25, leaves+(spines+row-leaves)*0.25+6, loadText(t.load))
	}
	c.pull("spines", "x", "linear", middle+slot/2, 1, middle+slot/2*network.MostSpines, network.MostSpines)
	c.knob(middle+slot/2*float64(t.Spines), spines+row/2, false)
	c.pull("job", "x", "linear", left+leaf, network.LeafNodes, right, network.LeafNodes*network.MostLeaves)
	c.knob(left+leaf*float64(t.Nodes)/network.LeafNodes, nodes+row/2, false)
	c.say("small", left, nodes+row+c.of(24, 20), "figure.tree-load-job", "nodes", t.Nodes, "gpus", t.Nodes*8)
}

// box is a switch with its name, on a phone with its number.
func (t *treeLoad) box(c *canvas, x, y, wide, high float64, key string, n int) {
	c.Rect(`class="block"`, x-wide/2, y, wide, high)
	text := strconv.Itoa(n)
	if !c.narrow {
		text = c.l.Say(key, "n", n)
	}
	c.Label("on mid", x, y+high/2+5, text)
}

// links draws what joins leaves and spines, the busiest last.
func (t *treeLoad) links(c *canvas, at func(i, k int) (float64, float64), low, high float64) {
	line := func(i, k int, class string, more float64) {
		load := max(t.Up[i][k], t.Down[i][k])
		if load > 1+1e-9 && class == "load" {
			class += " over"
		}
		x, to := at(i, k)
		c.Put(`<path class="`, class, `"`).Attr("stroke-width", more+load*c.of(4, 2.5)).Put(` d="`).Move(x, low).
			Line(to, high).Put(`"/>`)
	}
	for i := range network.MostLeaves {
		for k := range t.Spines {
			if i != t.leaf || k != t.spine {
				line(i, k, "load", 1)
			}
		}
	}
	if t.load > 0 {
		line(t.leaf, t.spine, "most", c.of(7, 5))
	}
	line(t.leaf, t.spine, "load", 1)
}

// nodes draws the nodes below their leaves, those of the job filled.
func (t *treeLoad) nodes(c *canvas, left, leaf, from, y float64) {
	var ports, busy, free markup.Pen
	wide := leaf / (network.LeafNodes + 0.8)
	for i := range network.LeafNodes * network.MostLeaves {
		x := left + leaf*float64(i/network.LeafNodes) + wide*(0.5+float64(i%network.LeafNodes))
		to := &free
		if i < t.Nodes {
			to = &busy
			ports.Move(x+wide*0.4, from).Line(x+wide*0.4, y)
		}
		to.Box(x, y, wide*0.8, c.of(26, 20))
	}
	c.Put(`<path class="load"`).Attr("stroke-width", c.of(5, 3.5)).Put(` d="`, ports.String(), `"/>`)
	c.Path("c1", busy.String()).Path("frame", free.String())
}
