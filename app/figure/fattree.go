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
	d.Now, d.Twin = d.Title, []Table{t.twin}
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
