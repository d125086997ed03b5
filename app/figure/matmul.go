package figure

import (
	"math"
	"strconv"

	"github.com/scalebook/scalebook/app/phrase"
)

// MatmulRoofline draws a matmul as a tile on the roofline of its chip, and beside it the two times that decide where
// the tile stands. Dragging the tile sets the input `B`. The values are the batch, the arithmetic intensity, the
// rate, the chip's peak and bandwidth, and the times to compute and to move.
func MatmulRoofline(l phrase.Phrases, a values) *Drawing {
	t := &tile{batch: a.num(0), intensity: a.num(1), rate: a.num(2), peak: a.num(3),
		W: a.num(4), math: a.num(5), moves: a.num(6)}
	for i := range a {
		t.text = append(t.text, a[i].Num.String())
	}
	t.ridge = t.peak / t.W
	t.ridgeText = strconv.FormatFloat(t.ridge, 'f', 0, 64)
	key := "figure.tile-memory"
	if t.math >= t.moves {
		key = "figure.tile-compute"
	}
	t.verdict = l.Say(key)
	longer := max(t.math, t.moves)
	t.share = shareText(t.rate, t.peak)
	d := &Drawing{
		Title: l.Say("figure.tile", "batch", t.text[0], "rate", t.text[2]),
		Now:   l.Say("figure.tile-now", "share", t.share, "bound", t.verdict),
		AltTables: []Table{{Caption: l.Say("figure.tile-table"), Heads: cells(l, "figure.tile-heads"), Rows: [][]string{
			{l.Say("figure.tile-intensity"), t.text[1]}, {l.Say("figure.tile-ridge"), t.ridgeText + " FLOP/byte"},
			{l.Say("figure.tile-rate"), t.text[2]}, {l.Say("figure.tile-peak"), t.text[3]},
			{l.Say("figure.tile-computes"), t.text[5]}, {l.Say("figure.tile-moves"), t.text[6]},
			{l.Say("figure.tile-takes"), seconds(longer)},
		}}},
	}
	d.About = sentences(l, ended(l, d.Title), ended(l, d.Now))
	return d.opening(l, t.draw)
}

// tile is a drawing of one under way.
type tile struct {
	batch, intensity, rate, peak, W, math, moves, ridge float64
	text                                                []string // of the values
	ridgeText, share, verdict                           string
	x, y                                                logScale
}

func (t *tile) draw(c *canvas) {
	left, right, top, bottom := c.of(8, 6), c.of(628, 354), c.of(30, 34), c.of(396, 206)
	const least, most = 2, 10000
	t.x, t.y = logScale{left, right, least, most}, logScale{bottom, top, t.W * least / 4, t.peak * 1.7}
	t.roof(c, left, right, bottom)
	t.tile(c, bottom)
	if c.narrow {
		t.times(c, 6, 254, 348, 28)
	} else {
		t.times(c, 676, 176, 260, 56)
	}
}

// roof draws the axes and the roof, the bandwidth's part and the peak's in colours of their own.
func (t *tile) roof(c *canvas, left, right, bottom float64) {
	kneeX, kneeY, startY := t.x.at(t.ridge), t.y.at(t.peak), t.y.at(t.W*t.x.low)
	c.Put(`<path class="soft1" d="`).Move(left, startY).Line(kneeX, kneeY).
		Line(kneeX, bottom).Line(left, bottom).Put(`z"/>`)
	c.Put(`<path class="soft2" d="`).Move(kneeX, kneeY).Line(right, kneeY).
		Line(right, bottom).Line(kneeX, bottom).Put(`z"/>`)
	c.Put(`<path class="axis" d="`).Move(left, bottom).Line(right, bottom)
	c.Put(`"/><path class="thin dash" d="`).Move(kneeX, kneeY).Line(kneeX, bottom).Put(`"/>`)
	name := c.l.Say("figure.tile-axis")
	for x := 1.0; t.x.at(x) < right-textWide("", name)-16; x *= 10 {
		if x > t.x.low*2 {
			c.tick(t.x.at(x), bottom, counted(x))
		}
	}
	c.Label("small end", right, bottom+20, name)
	c.Label("small", left, c.of(24, 12), "FLOP/s")
	c.Put(`<path class="roof1" d="`).Move(left, startY).Line(kneeX, kneeY).Put(`"/><path class="roof2" d="`).
		Move(kneeX, kneeY).Line(right, kneeY).Put(`"/>`)
	slope := math.Atan2(kneeY-startY, kneeX-left)
	along := c.of(0.78, 0.8) // where the tile isn’t
	if t.x.at(t.intensity) > left+(kneeX-left)*0.5 {
		half := textWide("strong", c.l.Say(slopeKey(c), "rate", t.text[4])) / 2
		along = max(0.28, (half*math.Cos(slope)-28*math.Sin(slope))/(kneeX-left)) // sine below 0: it rises
	}
	c.Put(`<g transform="translate(`).Number(left + (kneeX-left)*along).Put(" ").Number(startY + (kneeY-startY)*along)
	c.Put(`) rotate(`).Number(slope * 180 / math.Pi).Put(`)">`)
	c.say("in1 mid strong", 0, -12, slopeKey(c), "rate", t.text[4])
	c.Put("</g>")
	c.say("in2 strong end", right, kneeY-c.of(34, 28), "figure.tile-flat", "rate", t.text[3])
	c.Put(`<circle class="knee"`).Attr("cx", kneeX).Attr("cy", kneeY).Put(` r="6"/>`)
	knee, x, y := "small", kneeX+8, bottom-10
	switch at := t.x.at(t.intensity); { // where the tile's own texts aren't
	case c.narrow && at > kneeX-4:
		knee, x = "small end", kneeX-8
		if t.under(c) {
			y -= 20
		}
	case c.narrow && at <= tileLeft:
		x = max(x, at+textWide("", t.text[1])+16)
	case at > kneeX-4 && at < kneeX+110:
		knee, x = "small end", kneeX-8
	}
	c.say(knee, x, y, "figure.tile-knee", "x", t.ridgeText)
}

// tileLeft is up to where the intensity has no space to the left of the tile's line, on a phone.
const tileLeft = 126

// intensityLeft says whether the intensity stands to the left of the tile's line: on a phone, where there is too little
// place between the line and the knee's, or the edge.
func (t *tile) intensityLeft(c *canvas) bool {
	x := t.x.at(t.intensity)
	return c.narrow && x > tileLeft && (x < t.x.at(t.ridge) || x+12+textWide("", t.text[1]) > c.w)
}

// under says whether the intensity then stands under the name of the knee.
func (t *tile) under(c *canvas) bool {
	return t.intensityLeft(c) && t.x.at(t.intensity)-12-textWide("", t.text[1]) < t.x.at(t.ridge)
}

// slopeKey is what stands at the slope.
func slopeKey(c *canvas) string {
	if c.narrow {
		return "figure.tile-slope-short"
	}
	return "figure.tile-slope"
}

// tile draws the matmul, which a pointer drags along the roof by its batch.
func (t *tile) tile(c *canvas, bottom float64) {
	x, y, side := t.x.at(t.intensity), t.y.at(t.rate), c.of(52, 44)
	c.Put(`<path class="drop" d="`).Move(x, y+side/2).Line(x, bottom).Put(`"/>`)
	class, anchor := "in1", ""
	if t.math >= t.moves {
		class = "in2"
	}
	big, down := x+side/2+8, y+c.of(26, 30)
	// no space at its right: below it, towards the left
	if wide := textWide("strong big", t.text[2]); x > c.of(460, 190) {
		limit := bottom - 48 // above what stands at the axis
		if t.under(c) {
			limit -= 20
		}
		under := func(end float64) float64 { // the roof, where the text begins
			return max(y+side/2+c.of(30, 24), t.y.at(min(t.W*t.x.value(end-wide), t.peak))+24)
		}
		anchor, big = " end", x-8
		if down = under(big); down > limit {
			big = c.of(628, 354) // at the edge the roof is higher
			down = min(under(big), limit)
		}
	}
	down = min(down, bottom-48)
	c.Label("strong big halo"+anchor, big, down, t.text[2])
	c.say("small halo"+anchor, big, down+19, "figure.tile-share", "share", t.share)
	near := 6.0
	if anchor = ""; t.intensityLeft(c) {
		anchor, near = " end", -6
	}
	c.Label(c.of2("strong ", "")+"halo "+class+anchor, x+near, bottom-c.of(34, 12), t.text[1])
	c.pull("B", "x", "log", t.places()...)
	c.Rect(`class="tile `+class+`" rx="7"`, x-side/2, y-side/2, side, side)
	c.Label("tile-name mid", x, y-3, "B =").
		Label("tile-name strong mid", x, y+15, counted(t.batch))
	c.Put(`<path class="arrows" d="`).Move(x-side/2-5, y-6).Put("l-6 6 6 6").
		Move(x+side/2+5, y-6).Put(`l6 6 -6 6"/></g>`)
}

// places are where the tile would stand at other batches: its intensity is 1/(1/B + what the weights leave).
func (t *tile) places() []float64 {
	var pairs []float64
	rest := 1/t.intensity - 1/t.batch
	for b := 1.0; b <= 1<<15; b *= 2 {
		pairs = append(pairs, t.x.at(1/(1/b+rest)), b)
	}
	return pairs
}

// times draws how long the matmul moves bytes and computes, and how long one waits for the other.
func (t *tile) times(c *canvas, left, top, wide, high float64) {
	longer := max(t.math, t.moves, 1e-15)
	if !c.narrow {
		c.say("strong big", left, top-66, "figure.tile-one", "time", seconds(longer))
		c.Label("", left, top-42, t.verdict)
	}
	for i, x := range [...]float64{t.moves, t.math} {
		n := strconv.Itoa(i + 1)
		y, w := top+float64(i)*(high+c.of(50, 26)), max(2, wide*x/longer)
		c.say("strong in"+n, left, y-6,
			[...]string{"figure.tile-moves-for", "figure.tile-computes-for"}[i], "time", seconds(x))
		c.Rect(`class="b`+n+` full"`, left, y, w, high)
		if wide-w > 3 {
			c.Rect(`class="idle"`, left+w, y, wide-w, high)
			if wide-w > 110 {
				c.say("small halo mid", left+(w+wide)/2, y+high/2+5, "figure.tile-waits")
			}
		}
	}
}

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
		Title:     l.Say("figure.work", "batch", counted(w.batch), "time", seconds(w.longest)),
		Now:       l.Say("figure.work-now", "verdict", w.verdict, "share", w.parts[2].share),
		AltTables: []Table{twin},
	}
	d.About = sentences(l, ended(l, d.Title), ended(l, d.Now))
	return d.opening(l, w.draw)
}

// mostRows is how large a batch is drawn at most: its activations and the weights fit into VMEM.
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
	thick := min(max(c.of(7, 4)*math.Sqrt(p.speed/1e12), 4), c.of(72, 40))
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
