package figure

import (
	"math"
	"strconv"

	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/phrase"
)

// The measures of a tree under load: a column of words, then units of nodes below their spines.
const (
	loadLeft  = 176
	loadUnits = 4
	loadGap   = 18
	loadUnit  = float64(openWide-loadLeft-(loadUnits-1)*loadGap) / loadUnits
	loadNodes = 6 // pipes that are drawn for the nodes of a unit
	loadRow   = 30
	loadPipe  = 96
)

// TreeLoad draws a collective on a fat tree of 4 units. A pipe is as wide as its bandwidth and filled as far as the
// collective keeps it busy; over is how much thinner the pipes to the spines are than those to the nodes. Of each level
// the times are in seconds, and the whole takes as long as the slowest.
func TreeLoad(l phrase.Phrases, op string, over float64, times [3]float64) *Drawing {
	slowest := max(times[0], times[1], times[2], 1e-12)
	d := &Drawing{Title: l.Say("figure.tree-load", "op", op, "time", seconds(slowest))}
	t := treeLoad{y: 12}
	twin := Table{Caption: d.Title, Heads: cells(l, "figure.tree-load-heads")}
	t.pen.Rect(`class="c3"`, loadLeft, t.y, openWide-loadLeft, loadRow)
	t.pen.Label("in mid strong", (openWide+loadLeft)/2, t.y+21, l.Say("figure.tree-load-spines"))
	t.y += loadRow
	thin := 1 / math.Max(over, 1)
	for i, key := range [...]string{"figure.tree-load-up", "figure.tree-load-port", "figure.tree-load-node"} {
		time := times[i]
		class := "t1"
		if time == slowest {
			class = "bad"
		}
		name := l.Say(key)
		t.pen.Label(class, 0, t.y+loadPipe/2-4, name)
		t.pen.Label("big "+class, 0, t.y+loadPipe/2+24, seconds(time))
		twin.add(phrase.Capital(name), seconds(time), shareText(time, slowest))
		switch i {
		case 0:
			t.pipes(1, thin, time/slowest)
			t.row("c3")
		case 1:
			t.pipes(loadNodes, 1, time/slowest)
			t.row("c2")
		default:
			t.pipes(2*loadNodes, 1.15, time/slowest)
			t.row("c4")
		}
	}
	x := loadLeft + loadUnit/2
	grip(&t.pen, "over x lin "+placed(x+t.half(1/7.0))+" 7 "+placed(x+t.half(0.25))+" 4 "+placed(x+t.half(0.5))+" 2 "+
		placed(x+t.half(1))+" 1", x+t.half(thin), 12+loadRow+loadPipe/2)
	t.pen.Label("end wide", openWide, openHigh-6, l.Say("figure.tree-load-units"))
	d.About, d.Now, d.Twin = ended(l, d.Title), d.Title, []Table{twin}
	return d.svg("fig opens", frame{0, 0, openWide + 4, openHigh}, &t.pen)
}

// treeLoad is a drawing under way.
type treeLoad struct {
	y   float64
	pen markup.Pen
}

// half is half of a unit's pipe of that share of the widest.
func (t *treeLoad) half(share float64) float64 { return loadUnit * 0.42 * share }

// pipes draws those of one level, so many for each unit, and moves down below them.
func (t *treeLoad) pipes(n int, share, busy float64) {
	class := "c1"
	if busy == 1 {
		class = "full"
	}
	var empty, flow markup.Pen
	for u := range loadUnits {
		for i := range n {
			at := loadLeft + float64(u)*(loadUnit+loadGap) + loadUnit*(float64(i)+0.5)/float64(n)
			wide := 2 * t.half(share) / float64(n)
			empty.Box(at-wide/2, t.y, wide, loadPipe)
			flow.Box(at-wide*busy/2, t.y, wide*busy, loadPipe)
		}
	}
	t.pen.Path("tube", empty.String()).Path(class, flow.String())
	t.y += loadPipe
}

// row is a row of blocks, one for each unit.
func (t *treeLoad) row(class string) {
	var p markup.Pen
	for u := range loadUnits {
		p.Box(loadLeft+float64(u)*(loadUnit+loadGap), t.y, loadUnit, loadRow)
	}
	t.pen.Path(class, p.String())
	t.y += loadRow
}

func placed(x float64) string { return strconv.FormatFloat(x, 'f', 1, 64) }
