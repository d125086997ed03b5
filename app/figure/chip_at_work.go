package figure

import (
	"math"

	"github.com/scalebook/scalebook/app/phrase"
)

// ChipAtWork draws a matmul on its way through a chip: from HBM to VMEM to the MXU, how fast each wire is, what share
// of the time each is busy, and which of them the others wait for. Dragging the activations sets the input `B`. The
// values are the batch, the two bandwidths, the peak rate, and the time that each of the three takes.
func ChipAtWork(l phrase.Phrases, a values) *Drawing {
	w := &chipAtWork{l: l, batch: a.num(0), longest: max(a.num(4), a.num(5), a.num(6), 1e-15)}
	twin := Table{Caption: l.Say("figure.work-table"), Heads: cells(l, "figure.work-heads")}
	for i, key := range [...]string{"figure.work-hbm", "figure.work-vmem", "figure.work-mxu"} {
		p := workPart{name: l.Say(key), rate: a[i+1].Num.String(), speed: a.num(i + 1), time: a.num(i + 4)}
		p.busy = p.time / w.longest
		p.share = shareText(p.time, w.longest)
		if p.busy > 1-1e-9 {
			w.slowest = i
		}
		w.parts[i] = p
		twin.add(p.name, p.rate, seconds(p.time), p.share)
	}
	w.verdict = l.Say([...]string{"figure.work-wait-hbm", "figure.work-wait-vmem", "figure.work-wait-none"}[w.slowest])
	d := &Drawing{
		Title: l.Say("figure.work", "batch", counted(w.batch), "time", seconds(w.longest)),
		Now:   l.Say("figure.work-now", "verdict", w.verdict, "share", w.parts[2].share),
		Twin:  []Table{twin},
	}
	d.About = sentences(l, ended(l, d.Title), ended(l, d.Now))
	return d.opening(l, w.draw)
}

// mostRows is how large a batch is drawn at most: its activations and the weights have room in VMEM.
const mostRows = 4096

// chipAtWork is a drawing of one under way.
type chipAtWork struct {
	l              phrase.Phrases
	batch, longest float64
	parts          [3]workPart // the wire from HBM, that from VMEM, the MXU
	slowest        int
	verdict        string
}

type workPart struct {
	name, rate, share string
	speed, time, busy float64
}

func (w *chipAtWork) draw(c *canvas) {
	c.Label("strong big", c.of(8, 4), 24, w.verdict)
	c.say("small", c.of(8, 4), 44, "figure.work-takes", "time", seconds(w.longest))
	middle, side := c.of(250, 150), c.of(240, 104)
	hbm, vmem, mxu := c.of(8, 4), c.of(350, 134), c.of(694, 252)
	w.wire(c, 0, hbm+c.of(180, 84), vmem, middle)
	w.wire(c, 1, vmem+c.of(196, 84), mxu, middle)
	w.memory(c, "HBM", hbm, middle-side*0.62, c.of(180, 84), side*1.24)
	w.memory(c, "VMEM", vmem, middle-side/2, c.of(196, 84), side)
	w.weights(c, hbm+c.of(14, 8), middle-side*0.62+c.of(44, 30), c.of(152, 68), side*1.24-c.of(60, 40))
	w.activations(c, vmem+c.of(14, 8), middle+side/2-c.of(12, 8), c.of(168, 68), side-c.of(58, 42))
	w.array(c, mxu, middle-side/2, side)
	if c.narrow {
		for i, p := range w.parts {
			y := 262 + float64(i)*30
			c.Label("small", 4, y, p.name).Label("end", 256, y, p.rate).Label(w.class(i)+" end", 352, y, p.share)
		}
	}
}

// class is how the share is written of a part: of the one for which all others wait in strong letters.
func (w *chipAtWork) class(i int) string {
	if i == w.slowest {
		return "strong slowest"
	}
	return "small"
}

func (w *chipAtWork) memory(c *canvas, name string, x, y, wide, high float64) {
	c.Rect(`class="store" rx="8"`, x, y, wide, high)
	c.Label("strong mid", x+wide/2, y+c.of(26, 19), name)
}

// weights are the matrix that lies in HBM, in rows.
func (w *chipAtWork) weights(c *canvas, x, y, wide, high float64) {
	c.Rect(`class="b1"`, x, y, wide, high)
	c.Put(`<path class="lines" d="`)
	for i := 1.0; i < 8; i++ {
		c.Move(x, y+high*i/8).Put("h").Number(wide)
	}
	c.Put(`"/>`)
	c.say("halo mid", x+wide/2, y+high/2+5, "figure.work-weights")
}

// activations are the rows of the batch, as many as a pointer drags them high.
func (w *chipAtWork) activations(c *canvas, x, bottom, wide, high float64) {
	rows := logScale{bottom - 8, bottom - high, 1, mostRows}
	y := rows.at(min(max(w.batch, 1), mostRows))
	c.pull("B", "y", "log", rows.from, rows.low, rows.to, rows.high)
	c.Rect(`class="batch"`, x, y, wide, bottom-y)
	text := c.l.Say("figure.work-batch", "batch", counted(w.batch))
	c.knob(x+wide-20, y, true)
	if c.narrow {
		c.Label("strong in1 mid", x+wide/2, bottom+26, text)
	} else if at := y + 18; at < bottom-2 {
		c.Label("tile-name strong", x+8, at, text)
	} else {
		c.Label("strong", x+8, y-8, text)
	}
}

// wire draws a wire as thick as it is fast, and as full as it is busy.
func (w *chipAtWork) wire(c *canvas, i int, from, to, y float64) {
	const period = 28
	p := w.parts[i]
	thick := clampFloat(c.of(7, 4)*math.Sqrt(p.speed/1e12), 4, c.of(72, 40))
	c.Put(`<path class="pipe-back" stroke-width="`).Number(thick+6).Put(`" d="`).Move(from, y).Line(to, y).Put(`"/>`)
	c.Put(`<path class="flow in1" stroke-width="`).Number(thick).Put(`" stroke-dasharray="`).
		Number(max(1.5, period*p.busy)).Put(" ").Number(period-max(1.5, period*p.busy)).Put(`" d="`).
		Move(from, y).Line(to, y).Put(`"/>`)
	if c.narrow {
		return
	}
	at := (from + to) / 2
	c.Label("strong in1 mid", at, y-thick/2-30, p.rate)
	c.Label("small mid", at, y-thick/2-12, p.name)
	c.Label(w.class(i)+" mid", at, y+thick/2+24, c.l.Say("figure.work-busy", "share", p.share))
}

func clampFloat(x, low, high float64) float64 { return min(max(x, low), high) }

// array draws the MXU as cells, of which as many are lit as are busy on average.
func (w *chipAtWork) array(c *canvas, x, y, side float64) {
	const n = 16
	cell := side / n
	lit := int(math.Round(w.parts[2].busy * n * n))
	rows, more := float64(lit/n)*cell, float64(lit%n)*cell
	c.Rect(`class="cell"`, x, y, side, side)
	c.Rect(`class="cell lit"`, x, y+side-rows, side, rows)
	c.Rect(`class="cell lit"`, x, y+side-rows-cell, more, cell)
	c.Put(`<path class="mesh" d="`)
	for i := range n - 1 {
		at := float64(i+1) * cell
		c.Move(x+at, y).Put("v").Number(side).Move(x, y+at).Put("h").Number(side)
	}
	c.Put(`"/>`)
	if c.narrow {
		c.Label("strong mid", x+side/2, y-8, "MXU")
		return
	}
	p := w.parts[2]
	c.Label("strong in2 mid", x+side/2, y-14, p.rate)
	c.Label("small mid", x+side/2, y-32, p.name)
	c.Label(w.class(2)+" mid", x+side/2, y+side+24, c.l.Say("figure.work-busy", "share", p.share))
}
