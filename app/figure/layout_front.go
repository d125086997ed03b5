package figure

import (
	"math"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/phrase"
)

// deal is a model split over chips. read, cache and math are the chip-seconds of a step: reading the weights, and for
// each sequence of its batch reading its cache and computing; wire is what a sequence sends over a chip's links, hop
// the latency of all messages between two neighbours, in seconds.
type deal struct {
	read, cache, math, wire, hop float64
	weights, each, hbm           float64 // bytes: of the weights, a cache, a chip
	chips, batch                 float64 // the reader's
	x, y                         float64 // places of a token a second
}

const (
	leastDeal = 8 // chips of the smallest layout; each of the others has twice as many
	deals     = 4
)

func dealChips(i int) float64 { return float64(int(leastDeal) << i) }

// LayoutFront draws tokens for a chip over tokens for a user: a curve for each number of chips, along which the batch
// grows, and on one of them where the reader is. Dragging that sets the input `speed`. The values are the costs of a
// step as in deal, and the reader's chips and batch.
func LayoutFront(l phrase.Phrases, a values) *Drawing {
	f := &deal{read: a.num(0), cache: a.num(1), math: a.num(2), wire: a.num(3), hop: a.num(4), weights: a.num(5),
		each: a.num(6), hbm: a.num(7), chips: max(a.num(8), 1), batch: max(a.num(9), 1)}
	user, chip := f.rates(f.chips, f.batch)
	d := &Drawing{Title: l.Say("figure.deal", "chips", counted(f.chips), "batch", counted(f.batch), "user", tokens(user),
		"chip", tokens(chip))}
	t := Table{Caption: d.Title, Heads: cells(l, "figure.deal-heads")}
	for i := range deals {
		if n := dealChips(i); f.most(n) >= 1 {
			fast, _ := f.rates(n, 1)
			_, much := f.rates(n, f.most(n))
			t.add(counted(n), tokens(fast), counted(f.most(n)), tokens(much))
		}
	}
	d.About, d.Now, d.Twin = ended(l, d.Title), d.Title, []Table{t}
	return d.opening(l, f.draw)
}

func tokens(rate float64) string { return perSecond("token")(rate) }

// parts are the seconds of a step: reading or computing with the weights, the caches, communication. Chips lie in a
// grid, as square as can be, whose axes don't wrap around.
func (f *deal) parts(n, batch float64) [3]float64 {
	rows := math.Exp2(math.Floor(math.Log2(n) / 2))
	return [...]float64{max(f.read, batch*f.math) / n, batch * f.cache / n, batch*f.wire + (rows+n/rows-2)*f.hop}
}

// rates are the tokens a second for a user and for a chip.
func (f *deal) rates(n, batch float64) (user, chip float64) {
	p := f.parts(n, batch)
	user = 1 / max(p[0]+p[1]+p[2], 1e-9)
	return user, user * batch / n
}

// most is the largest batch that fits.
func (f *deal) most(n float64) float64 { return math.Floor((n*f.hbm - f.weights) / max(f.each, 1)) }

// front is the most tokens a second of a chip, over all layouts, with at least so many for each user.
func (f *deal) front(user float64) (chip float64) {
	for i := range deals {
		n := dealChips(i)
		left := 1/user - f.parts(n, 0)[2]
		batch := min(f.most(n), (left-f.read/n)/(f.cache/n+f.wire), left/((f.cache+f.math)/n+f.wire))
		if batch >= 1 {
			_, x := f.rates(n, batch)
			chip = max(chip, x)
		}
	}
	return chip
}

func (f *deal) draw(c *canvas) {
	left, wide, top, high := c.of(48, 36), c.of(580, 318), c.of(24, 14), c.of(354, 176)
	bottom, fast, much := top+high, 1e-9, 1e-9
	for i := range deals {
		if n := dealChips(i); f.most(n) >= 1 {
			user, _ := f.rates(n, 1)
			_, chip := f.rates(n, f.most(n))
			fast, much = max(fast, user), max(much, chip)
		}
	}
	f.x, f.y = wide/fast/1.03, high/much/1.1
	for by, y := step125(much/3), 0.0; y < much; y += by {
		c.Path("grid", (&markup.Pen{}).Move(left, bottom-f.y*y).Put("h").Number(wide).String())
		c.Label("small end", left-6, bottom-f.y*y+5, counted(y))
	}
	for by, x := step125(fast/c.of(4, 3)), 0.0; x < fast; x += by {
		c.tick(left+f.x*x, bottom, counted(x))
	}
	for i := range deals {
		f.curve(c, left, bottom, dealChips(i))
	}
	f.fronts(c, left, bottom, fast)
	c.Path("axis", (&markup.Pen{}).Move(left, top).Line(left, bottom).Put("h").Number(wide).String())
	c.say("small", left+6, top-c.of(8, 2), "figure.deal-chip", "x", "token/s")
	user, chip := f.rates(f.chips, f.batch)
	x, y := left+f.x*user, bottom-f.y*chip
	c.Path("thin dash to3", (&markup.Pen{}).Move(left, y).Line(x, y).String())
	c.Path("thin dash to1", (&markup.Pen{}).Move(x, y).Line(x, bottom).String())
	class, at := "halo strong", x+22
	if x > left+wide*c.of(0.62, 0.5) {
		class, at = "halo strong end", left+wide
	} else {
		u := fast * 0.72
		c.say("strong in1 halo", left+f.x*u+10, bottom-f.y*f.front(u)-8, "figure.deal-front")
	}
	up := max(y-c.of(38, 32), top+16)
	c.say(class+" big", at, up, "figure.deal-own", "chips", counted(f.chips), "batch", counted(f.batch))
	c.say(class+" in3", at, up+19, "figure.deal-chip", "x", tokens(chip))
	c.say("strong in1 mid", min(max(x, left+70), left+wide-70), bottom+c.of(40, 36), "figure.deal-user", "x", tokens(user))
	c.pull("speed", "x", "linear", left, 0, left+wide, wide/f.x)
	c.knob(x, y, false)
	if c.narrow {
		f.token(c, 6, 250, 348, 14)
	} else {
		f.token(c, 676, 130, 256, 44)
	}
}

// fronts draws the Pareto front, from one user alone to where memory is full: above it and to its right there is no
// layout.
func (f *deal) fronts(c *canvas, left, bottom, fast float64) {
	const points = 96
	var p markup.Pen
	begin, last := p.Move, 0.0
	for i := range points {
		user := fast * (1 - float64(i)/points)
		if chip := f.front(user); chip > last {
			begin(left+f.x*user, bottom-f.y*chip)
			begin, last = p.Line, chip
		}
	}
	c.Path("curve thick", p.String())
}

// curve is a layout: to the left its batch grows, up to where the memory is full. The reader's own has a colour.
func (f *deal) curve(c *canvas, left, bottom, n float64) {
	const points = 32
	most := f.most(n)
	if most < 1 {
		return
	}
	var p markup.Pen
	var x, y float64
	begin := p.Move
	for i := range points + 1 {
		user, chip := f.rates(n, math.Pow(most, float64(i)/points))
		x, y = left+f.x*user, bottom-f.y*chip
		begin(x, y)
		begin = p.Line
	}
	line, class, at, down := "curve", "small end halo", x-6, 5.0
	if n == f.chips {
		line, class = "curve to1", "strong in1 end halo"
	}
	c.Path(line, p.String())
	if x < left+c.of(64, 24) {
		class, at, down = strings.Replace(class, " end", "", 1), x, -8
	}
	if c.narrow {
		c.Label(class, at, y+down, counted(n))
		return
	}
	c.say(class, at, y+down, "figure.deal-chips", "n", counted(n))
}

// token draws what a token waits for, bar by bar.
func (f *deal) token(c *canvas, left, top, wide, high float64) {
	parts := f.parts(f.chips, f.batch)
	all, most := parts[0]+parts[1]+parts[2], max(parts[0], parts[1], parts[2], 1e-9)
	if !c.narrow {
		c.say("strong big", left, top-58, "figure.flow-tpot", "x", seconds(all))
	}
	for i, time := range parts {
		color := strconv.Itoa([...]int{2, 4, 1}[i])
		y := top + float64(i)*(high+c.of(46, 20))
		c.say("strong in"+color, left, y-5, [...]string{"figure.flow-read", "figure.flow-cache-read", "figure.deal-wire"}[i],
			"x", seconds(time))
		c.Rect(`class="c`+color+`"`, left, y, max(2, wide*time/most), high)
	}
}
