package figure

import (
	"math"
	"strconv"

	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/phrase"
)

// The measures of the flow of requests through a memory.
const (
	flowTop   = 36 // the axis of the rate
	queueTop  = 92 // those that wait
	queueDot  = 15 // from one to the next
	queueRows = 3
	hbmTop    = 176 // the memory
	hbmHigh   = 172
	tokenTop  = 388 // the time of a token
	tokenHigh = 26
	mostFlow  = 400 // caches that are drawn one by one
)

// flow is requests on their way through a machine: rates in requests a second, times in seconds, sizes in bytes. slots
// of them fit, running are served and waiting are not yet; prompt is the share of a cache that its prompt fills.
type flow struct {
	rate, most                  float64
	waiting, running, slots     float64
	ttft, tpot, slowest         float64
	hbm, weights, cache, prompt float64
	readWeights, readCache      float64
}

// flowOf takes a flow from the values of its figure.
func flowOf(a values) *flow {
	return &flow{rate: a.num(0), most: a.num(1), waiting: a.num(2), running: a.num(3), slots: a.num(4), ttft: a.num(5),
		tpot: a.num(6), slowest: a.num(7), hbm: a.num(8), weights: a.num(9), cache: a.num(10), prompt: a.num(11),
		readWeights: a.num(12), readCache: a.num(13)}
}

// ServingFlow draws requests that come at a rate: those that wait, the caches of those that are served beside the weights
// in HBM, and what the time of a token is made of.
func ServingFlow(l phrase.Phrases, f *flow) *Drawing {
	s := &flowDrawing{flow: f, l: l, byte: openWide / math.Max(f.hbm, 1)}
	d := &Drawing{Title: l.Say("figure.flow", "rate", perSecond("request")(f.rate), "running", counted(math.Round(f.running)),
		"waiting", counted(math.Round(f.waiting)))}
	s.twin = Table{Caption: d.Title, Heads: cells(l, "figure.flow-heads")}
	s.load()
	s.queue()
	s.memory()
	s.token()
	d.About = sentences(l, ended(l, d.Title), l.Say("figure.flow-times", "ttft", seconds(f.ttft), "tpot", seconds(f.tpot)))
	d.Now, d.Twin = d.Title, []Table{s.twin}
	return d.svg("fig opens", frame{-6, 0, openWide + 6, openHigh}, &s.pen)
}

// flowDrawing is a drawing under way.
type flowDrawing struct {
	*flow
	l    phrase.Phrases
	byte float64 // its width
	pen  markup.Pen
	twin Table
}

// x is where a rate stands: the axis ends somewhat above the capacity.
func (s *flowDrawing) x(rate float64) float64 { return math.Min(rate/(s.most*1.3), 1) * openWide }

// say writes a number where it is measured, and into the table.
func (s *flowDrawing) say(class string, x, y float64, key, value string) {
	s.pen.Label(class, x, y, s.l.Say(key, "x", value))
	s.twin.add(s.l.Say(key+"-name"), value)
}

// load draws the axis of the rate, with a grip to drag.
func (s *flowDrawing) load() {
	x, end := s.x(s.rate), s.x(s.most)
	s.pen.Rect(`class="over"`, end, flowTop-7, openWide-end, 14)
	s.pen.Rect(`class="track"`, 0, flowTop-7, openWide, 14)
	s.pen.Rect(`class="c1"`, 0, flowTop-7, x, 14)
	s.pen.Path("limit", (&markup.Pen{}).Move(end, flowTop-14).Line(end, flowTop+14).String())
	s.say("t1 strong", 0, flowTop-16, "figure.flow-rate", perSecond("request")(s.rate))
	s.say("bad end", openWide, flowTop-16, "figure.flow-capacity", perSecond("request")(s.most))
	grip(&s.pen, pulls("rate", s.most*1.3), x, flowTop)
}

// queue draws those that wait, before the memory's door.
func (s *flowDrawing) queue() {
	n := int(math.Min(math.Round(s.waiting), 1e6))
	across := openWide / queueDot
	shown := min(n, across*queueRows)
	s.pen.Put(`<path class="dots1" d="`)
	for i := range shown {
		s.pen.Move(float64(i/queueRows)*queueDot+8, queueTop+float64(i%queueRows)*queueDot).Put("h0")
	}
	s.pen.Put(`"/>`)
	s.say("t1", 0, queueTop-18, "figure.flow-waiting", counted(float64(n)))
	s.say("strong end", openWide, queueTop-18, "figure.flow-ttft", seconds(s.ttft))
}

// memory draws the weights and a cell for each slot, filled as far as its sequence has grown.
func (s *flowDrawing) memory() {
	left := s.weights * s.byte
	s.pen.Rect(`class="c2"`, 0, hbmTop, left, hbmHigh)
	s.say("end", openWide, hbmTop-10, "figure.flow-hbm", bytesText(s.hbm))
	s.pen.Label("in mid strong", left/2, hbmTop+hbmHigh/2-4, s.l.Say("figure.weights"))
	s.pen.Label("in mid", left/2, hbmTop+hbmHigh/2+20, bytesText(s.weights))
	n := int(math.Max(1, math.Min(s.slots, mostFlow)))
	wide := float64(openWide) - left
	rows := max(1, int(math.Sqrt(float64(n)*hbmHigh/wide)+0.5))
	cols := ceilDiv(n, rows)
	w, h := wide/float64(cols), float64(hbmHigh)/float64(rows)
	full := int(math.Round(s.running / math.Max(s.slots, 1) * float64(n)))
	s.pen.Put(`<path class="slots" d="`)
	for i := range n {
		s.pen.Box(left+float64(i/rows)*w+1, hbmTop+float64(i%rows)*h+1, w-2, h-2)
	}
	s.pen.Put(`"/><path class="c4" d="`)
	for i := range full {
		_, at := math.Modf(float64(i*i) * (math.Sqrt(5) - 1) / 2) // how far its reply is, as if at random
		grown := (s.prompt + (1-s.prompt)*at) * (h - 2)
		s.pen.Box(left+float64(i/rows)*w+1, hbmTop+float64(i%rows+1)*h-1-grown, w-2, grown)
	}
	s.pen.Put(`"/>`)
	s.pen.Rect(`class="axis"`, 0, hbmTop, openWide, hbmHigh)
	s.twin.add(s.l.Say("figure.flow-weights-name"), bytesText(s.weights))
	caches := s.running * s.cache * (1 + s.prompt) / 2
	s.pen.Label("t4 strong", left, hbmTop-10, s.l.Say("figure.flow-caches", "n", counted(math.Round(s.running)), "all",
		strconv.Itoa(int(s.slots)), "bytes", bytesText(caches)))
	s.twin.add(s.l.Say("figure.flow-caches-name"), bytesText(caches))
}

// token draws what the time between two tokens is made of.
func (s *flowDrawing) token() {
	scale, left := openWide/math.Max(s.slowest, 1e-9), 0.0
	grown := s.running * s.readCache
	for _, p := range [...]struct {
		class, key string
		time       float64
	}{{"c2", "figure.flow-read", s.readWeights}, {"c4", "figure.flow-cache-read", grown},
		{"c3", "figure.flow-stall", math.Max(s.tpot-s.readWeights-grown, 0)}} {
		wide := p.time * scale
		s.pen.Rect(`class="`+p.class+`"`, left, tokenTop, wide, tokenHigh)
		text := s.l.Say(p.key, "x", seconds(p.time))
		if wide > 8.5*float64(len(text)) {
			s.pen.Label("in mid wide", left+wide/2, tokenTop+18, text)
		}
		s.twin.add(s.l.Say(p.key+"-name"), seconds(p.time))
		left += wide
	}
	s.say("strong", 0, tokenTop-12, "figure.flow-tpot", seconds(s.tpot))
}
