package figure

import (
	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/phrase"
)

// mostGPUs is how many GPUs and switches of a node are drawn: of more, the lines between them are a grey surface.
const mostGPUs = 18

// SwitchedNode draws the GPUs of a node, its switches and the links between them, one GPU's in colour, and below them
// what the GPUs can send and the switches can carry. Dragging the end of the switches sets the input `switches`. The
// values are the number of GPUs and of switches, a GPU's egress, what all GPUs send and what all switches carry.
func SwitchedNode(l phrase.Phrases, a values) *Drawing {
	n := &node{gpus: a.whole(0), switches: a.whole(1), egress: a[2].Num.String(), send: a.num(3), carry: a.num(4)}
	n.sendText, n.carryText = a[3].Num.String(), a[4].Num.String()
	key := "figure.switched-gpus-limit"
	if n.carry < n.send {
		key = "figure.switched-switches-limit"
	}
	n.verdict = l.Say(key)
	d := &Drawing{
		Title: l.Say("figure.switched", "gpus", n.gpus, "switches", n.switches),
		Now:   n.verdict,
		AltTables: []Table{{Caption: l.Say("figure.switched-table"), Heads: cells(l, "figure.tile-heads"),
			Rows: [][]string{
				{l.Say("figure.switched-egress"), n.egress}, {l.Say("figure.switched-send"), n.sendText},
				{l.Say("figure.switched-carry"), n.carryText},
			}}},
	}
	d.About = sentences(l, ended(l, d.Title), ended(l, d.Now))
	return d.pictures(l, [2]float64{368, 364}, n.draw)
}

// node is a drawing of one under way.
type node struct {
	gpus, switches              int
	send, carry                 float64
	egress, sendText, carryText string
	verdict                     string
}

func (n *node) draw(c *canvas) {
	left, wide := c.of(8, 6), c.of(924, 348)
	gpus, switches := min(n.gpus, mostGPUs), min(n.switches, mostGPUs)
	top, high, low := 34.0, c.of(40, 32), c.of(172, 158)
	c.say("strong", left, 20, "figure.switched-row", "n", n.gpus)
	c.say("in2 strong end", left+wide, 20, "figure.switched-one", "egress", n.egress)
	at := func(i, all int) float64 { return left + (float64(i)+0.5)*wide/float64(all) }
	var links, own, boxes, mids markup.Pen
	for i := range gpus {
		for j := range switches {
			pen := &links
			if i == 0 {
				pen = &own
			}
			pen.Move(at(i, gpus), top+high).Line(at(j, switches), low)
		}
		half := min(wide/float64(gpus)*0.42, 42)
		boxes.Box(at(i, gpus)-half, top, half*2, high)
	}
	for j := range switches {
		half := min(wide/float64(switches)*0.42, 70)
		mids.Box(at(j, switches)-half, low, half*2, high*0.8)
	}
	c.Path("wires thin", links.String()).Path("send", own.String())
	c.Path("store", boxes.String()).Path("block", mids.String())
	if gpus == n.gpus {
		for i := range gpus {
			if wide/float64(gpus) > c.of(60, 34) {
				c.Label("mid", at(i, gpus), top+high/2+5, c.of2("GPU ", "")+counted(float64(i)))
			}
		}
	}
	y := low + high*0.8
	c.say("small", left, y+20, "figure.switched-middle", "n", n.switches)
	n.bars(c, left, y+c.of(54, 54), wide)
}

// bars draws what the GPUs send and the switches carry on one scale.
func (n *node) bars(c *canvas, left, top, wide float64) {
	longest := max(n.send, n.carry) * 1.25
	for i, x := range [...]struct {
		key, text string
		rate      float64
	}{{"figure.switched-sends", n.sendText, n.send}, {"figure.switched-carries", n.carryText, n.carry}} {
		y, class := top+float64(i)*50, "c1"
		if x.rate <= min(n.send, n.carry) {
			class = "bad"
		}
		c.say("strong", left, y-7, x.key, "rate", x.text)
		c.Rect(`class="idle"`, left, y, wide, 20)
		c.Rect(`class="`+class+`"`, left, y, wide*x.rate/longest, 20)
	}
	c.Label("strong bad", left, top+50+46, n.verdict)
	each := n.carry / float64(n.switches)
	c.pull("switches", "x", "linear", left, 0, left+wide, longest/each)
	c.knob(left+wide*n.carry/longest, top+60, false)
}
