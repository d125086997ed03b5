package figure

import (
	"math"
	"strconv"

	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/phrase"
)

// flow is requests on their way through a machine. slots of them fit, running are served and waiting are not yet;
// prompt is the share of a cache that its prompt fills, slowest the time of a token if all slots are taken.
type flow struct {
	rate, most                    float64 // requests a second
	waiting, running, slots       float64
	ttft, tpot, slowest           float64 // seconds
	hbm, weights, cache, prompt   float64 // bytes
	readWeights, readCache, stall float64 // seconds of a token
}

const mostFlow = 400 // caches that are drawn one by one

// ServingFlow draws requests that come at a rate: those that wait, the caches of those that are served beside the
// weights in HBM, and what the time of a token is made of. Dragging the rate sets the input `rate`. The values are the
// rate and the machine's capacity; how many wait, run and fit; the times to the first token, of a token and of one at
// capacity; the bytes of HBM, weights and a full cache, the share of it that is prompt; and the times to read weights
// and a cache.
func ServingFlow(l phrase.Phrases, a values) *Drawing {
	f := &flow{rate: a.num(0), most: a.num(1), waiting: a.num(2), running: a.num(3), slots: a.num(4), ttft: a.num(5),
		tpot: a.num(6), slowest: a.num(7), hbm: a.num(8), weights: a.num(9), cache: a.num(10), prompt: a.num(11),
		readWeights: a.num(12)}
	f.readCache = f.running * a.num(13)
	f.stall = math.Max(f.tpot-f.readWeights-f.readCache, 0)
	d := &Drawing{Title: l.Say("figure.flow", "rate", requests(f.rate), "running", whole(f.running),
		"waiting", whole(f.waiting))}
	d.Now = d.Title
	d.About = sentences(l, ended(l, d.Title),
		l.Say("figure.flow-times", "ttft", seconds(f.ttft), "tpot", seconds(f.tpot)))
	t := Table{Caption: d.Title, Heads: cells(l, "figure.flow-heads")}
	for _, row := range [...][2]string{
		{"figure.flow-capacity-name", requests(f.most)}, {"figure.flow-hbm-name", bytesText(f.hbm)},
		{"figure.flow-weights-name", bytesText(f.weights)}, {"figure.flow-caches-name", bytesText(f.caches())},
		{"figure.flow-ttft-name", seconds(f.ttft)}, {"figure.flow-tpot-name", seconds(f.tpot)},
		{"figure.flow-read-name", seconds(f.readWeights)}, {"figure.flow-cache-read-name", seconds(f.readCache)},
		{"figure.flow-stall-name", seconds(f.stall)},
	} {
		t.add(l.Say(row[0]), row[1])
	}
	d.Twin = []Table{t}
	return d.opening(l, f.draw)
}

func requests(rate float64) string { return perSecond("request")(rate) }

func whole(n float64) string { return counted(math.Round(n)) }

// caches is the bytes of all caches, each on average.
func (f *flow) caches() float64 { return f.running * f.cache * (1 + f.prompt) / 2 }

func (f *flow) draw(c *canvas) {
	left, wide := c.of(8, 6), c.of(924, 348)
	f.load(c, left, wide, c.of(44, 38))
	f.queue(c, left, wide, c.of(96, 82))
	f.memory(c, left, wide, c.of(186, 154), c.of(160, 96))
	f.token(c, left, wide, c.of(386, 280))
}

// load draws the axis of the rate, which ends somewhat above the capacity, with a knob.
func (f *flow) load(c *canvas, left, wide, y float64) {
	most := f.most * 1.3
	x, end := left+min(f.rate/most, 1)*wide, left+wide/1.3
	c.Rect(`class="over"`, end, y-8, left+wide-end, 16)
	c.Rect(`class="track"`, left, y-8, wide, 16)
	c.Rect(`class="c1"`, left, y-8, x-left, 16)
	c.Path("limit", (&markup.Pen{}).Move(end, y-15).Line(end, y+15).String())
	c.say("strong in1", left, y-20, "figure.flow-rate", "x", requests(f.rate))
	c.say("bad end", left+wide, y-20, "figure.flow-capacity", "x", requests(f.most))
	c.pull("rate", "x", "linear", left, 0, left+wide, most)
	c.knob(x, y, false)
}

// queue draws those that wait, and how long until their first token.
func (f *flow) queue(c *canvas, left, wide, y float64) {
	const rows = 3
	step := c.of(15, 11)
	n := int(min(math.Round(f.waiting), 1e6))
	c.say("strong in1", left, y, "figure.flow-waiting", "x", whole(f.waiting))
	c.say("strong big end", left+wide, y, "figure.flow-ttft", "x", seconds(f.ttft))
	c.Put(`<path class="dots1" d="`)
	for i := range min(n, int(wide/step)*rows) {
		c.Move(left+step/2+float64(i/rows)*step, y+step*(float64(i%rows)+1)).Put("h0")
	}
	c.Put(`"/>`)
}

// memory draws the weights and a cell for each slot, filled as far as its sequence has grown.
func (f *flow) memory(c *canvas, left, wide, top, high float64) {
	c.Rect(`class="frame"`, left, top, wide, high)
	taken := wide * min(f.weights/max(f.hbm, 1), 1)
	c.Rect(`class="c2"`, left, top, taken, high)
	c.say("on mid strong", left+taken/2, top+high/2-6, "figure.weights")
	c.Label("on mid", left+taken/2, top+high/2+16, bytesText(f.weights))
	c.say("end", left+wide, top-10, "figure.flow-hbm", "x", bytesText(f.hbm))
	key := "figure.flow-caches"
	if c.narrow {
		key = "figure.flow-caches-short"
	}
	c.say("strong in4", left+c.of(taken, 0), top-10, key, "n", whole(f.running),
		"all", whole(f.slots), "bytes", bytesText(f.caches()))
	n := int(max(1, min(f.slots, mostFlow)))
	rows := max(1, int(math.Sqrt(float64(n)*high/(wide-taken))+0.5))
	w, h := (wide-taken)/float64(ceilDiv(n, rows)), high/float64(rows)
	full := int(math.Round(f.running / max(f.slots, 1) * float64(n)))
	var free, held markup.Pen // a stroke from above down for each column, and one up for each cache
	for i := range n {
		x, y := math.Round(left+taken+(float64(i/rows)+0.5)*w), top+float64(i%rows)*h
		if i%rows == 0 {
			free.Move(x, top+1).Put("v").Number(float64(min(rows, n-i))*h - 2)
		}
		if i < full {
			_, at := math.Modf(float64(i*i) * (math.Sqrt(5) - 1) / 2) // how far its reply is, as if at random
			grown := (f.prompt + (1-f.prompt)*at) * (h - 2)
			held.Move(x, math.Round(y+h-1)).Put("v-").Number(math.Round(grown))
		}
	}
	c.Put(`<path class="free"`).Attr("stroke-width", w-2).Put(` stroke-dasharray="`).Number(h-2).Put(` 2" d="`,
		free.String(), `"/><path class="held"`).Attr("stroke-width", w-2).Put(` d="`, held.String(), `"/>`)
}

// token draws what the time between two tokens is made of.
func (f *flow) token(c *canvas, left, wide, top float64) {
	c.say("strong big", left, top-10, "figure.flow-tpot", "x", seconds(f.tpot))
	at, scale := left, wide/max(f.slowest, 1e-9)
	for i, time := range [...]float64{f.readWeights, f.readCache, f.stall} {
		color := strconv.Itoa([...]int{2, 4, 3}[i])
		w := min(time*scale, left+wide-at)
		c.Rect(`class="c`+color+`"`, at, top, w, c.of(28, 20))
		text := c.l.Say([...]string{"figure.flow-read", "figure.flow-cache-read", "figure.flow-stall"}[i], "x", seconds(time))
		if c.narrow {
			c.Label("in"+color, left+float64(i%2)*wide/2, top+38+float64(i/2)*18, text)
		} else if w > textWide("", text) {
			c.Label("on mid", at+w/2, top+19, text)
		}
		at += w
	}
}
