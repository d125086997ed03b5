package figure

import (
	"strconv"

	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/network"
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
func FatTree(f network.FatTree, bisection string) *Drawing {
	t := &fatTree{FatTree: f}
	d := &Drawing{
		Title: strconv.Itoa(f.Devices) + " devices, " + strconv.Itoa(f.Levels) + levelWord(f.Levels) + " above the node",
		Note: "Boxes are switches, those of the lowest row nodes. Cables are drawn as wide as the bandwidth that they " +
			"carry; the dashed line cuts the tree into halves.",
	}
	t.twin = Table{Caption: d.Title, Heads: []string{"Level", "Count", "Ports taken"}}
	t.pen.Label("head", 0, t.y+14, d.Title)
	t.y += 24
	cut := t.y + 18 // below the name of the first row
	if f.Cores > 0 {
		t.row("b3", "core switches", f.Cores, f.Spines*(f.Ports/2)/f.Cores)
		t.cables(0, treeWide, t.narrow())
	}
	if f.Spines > 0 {
		t.row("b3", "spine switches", f.Spines, f.SpinePorts())
	}
	t.units()
	t.pen.Path("line dash", (&markup.Pen{}).Move(treeWide/2, cut).Line(treeWide/2, t.y).String())
	t.told()
	t.y += 24
	t.pen.Label("strong mid", treeWide/2, t.y, "between the halves "+bisection+" each way")
	d.About = d.Title + ": " + strconv.Itoa(f.Nodes) + " nodes in " + strconv.Itoa(f.Units) + " units, " +
		strconv.Itoa(f.Leafs) + " leaf, " + strconv.Itoa(f.Spines) + " spine and " + strconv.Itoa(f.Cores) +
		" core switches of " + strconv.Itoa(f.Ports) + " ports. Between the halves " + bisection + " each way."
	d.Now, d.Twin = d.Title, []Table{t.twin}
	return d.svg("fig", frame{0, 0, treeWide, t.y + 8}, &t.pen)
}

func levelWord(n int) string {
	if n == 1 {
		return " level of switches"
	}
	return " levels of switches"
}

// fatTree is a drawing under way.
type fatTree struct {
	network.FatTree
	y    float64 // how far down it is drawn
	pen  markup.Pen
	twin Table
}

// narrow is the bandwidth that leaves a unit over that of its nodes.
func (t *fatTree) narrow() float64 {
	return float64(t.Rise()*t.Units) / float64(max(t.Devices, 1))
}

// row is a row of switches over the whole width, with what it is.
func (t *fatTree) row(class, name string, n, ports int) {
	t.pen.Label("small", 0, t.y+13, strconv.Itoa(n)+" "+name+": "+strconv.Itoa(ports)+" of "+strconv.Itoa(t.Ports)+
		" ports taken")
	t.y += 18
	t.cells(class, 0, treeWide, n)
	t.y += treeRow
	t.twin.add(capital(name), strconv.Itoa(n), strconv.Itoa(ports)+" of "+strconv.Itoa(t.Ports))
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
	units := strconv.Itoa(t.Units) + " units"
	if t.Units == 1 {
		units = "One unit"
	}
	nodes, leafs := strconv.Itoa(ceilDiv(t.Nodes, t.Units)), strconv.Itoa(t.Leafs/t.Units)
	t.y += 18
	t.pen.Label("small", 0, t.y, units+" of "+leafs+" leaf switches and "+nodes+" nodes")
	ports := strconv.Itoa(t.Down) + " down, " + strconv.Itoa(t.Up) + " up"
	t.y += 18
	t.pen.Label("small", 0, t.y, "Ports of a leaf: "+ports+", of "+strconv.Itoa(t.Ports))
	t.twin.add("Leaf switches", strconv.Itoa(t.Leafs), ports)
	t.twin.add("Nodes", strconv.Itoa(t.Nodes), "–")
}

func ceilDiv(a, b int) int { return (a + b - 1) / max(b, 1) }
