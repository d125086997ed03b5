package figure

import (
	"math"
	"slices"
	"strconv"

	"github.com/scalebook/scalebook/app/chart"
	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
	"github.com/scalebook/scalebook/app/serving"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// perSecond prints numbers of things a second.
func perSecond(what string) func(float64) string {
	return in(quantity.Quantity{Value: 1, Dim: quantity.Dim{quantity.Second: -1}, Label: quantity.Label{Over: what}})
}

// frontPlot is axes of tokens of a chip over tokens of a user, and the plans of some lists in them, a curve each.
func frontPlot(l phrase.Phrases, id, title string, labels []string, lists ...[]value.Value) *chart.Plot {
	p := &chart.Plot{ID: id, Title: title}
	p.X.Label, p.Y.Label = l.Say("figure.per-user"), l.Say("figure.per-chip")
	p.X.Format, p.Y.Format, p.X.Log = perSecond("token"), perSecond("token"), true
	for i, list := range lists {
		s := chart.Series{Name: labels[i], Label: labels[i]}
		for _, v := range list {
			s.X, s.Y = append(s.X, field(v.Record, "per_user")), append(s.Y, field(v.Record, "per_chip"))
		}
		if len(list) > 0 {
			p.Series = append(p.Series, s)
		}
	}
	return p
}

// field is a number of a record.
func field(r *value.Record, name string) float64 { return r.Fields[name].Num.Value }

// ServingFront draws the plans that nothing beats, what was measured of the same, the chosen plan, and the least tokens
// a second of a user that a limit of the time a token asks for.
func ServingFront(l phrase.Phrases, plans, points []value.Value, chosen *value.Record, tpot float64) *Drawing {
	var together, apart []value.Value
	for _, v := range plans {
		if v.Record.Fields["kind"].Text == "apart" {
			apart = append(apart, v)
		} else {
			together = append(together, v)
		}
	}
	p := frontPlot(l, "serving-front", l.Say("figure.front"), []string{l.Say("figure.front-together"),
		l.Say("figure.front-apart"), l.Say("figure.measured")}, together, apart, points)
	compared := l.Say("figure.front-nobody")
	if len(points) > 0 {
		p.Series[len(p.Series)-1].Dots = true
		compared = l.Say("figure.front-measured")
	}
	if tpot > 0 {
		limit := l.Say("figure.front-limit", "time", seconds(tpot))
		p.Marks = append(p.Marks, chart.Mark{Kind: chart.Vertical, X: 1 / tpot, Label: limit})
	}
	p.Marks = append(p.Marks, chart.Mark{X: field(chosen, "per_user"), Y: field(chosen, "per_chip"),
		Label: l.Say("figure.chosen")})
	return plotted(l, p, sentences(l, l.Say("figure.front-note"), compared))
}

// Served is a plan of serving with the intervals of what it is expected to do.
type Served interface{ Intervals() serving.Intervals }

// ServingIntervals draws the tokens a second of a chip of the first plans as intervals, the chosen one among them.
func ServingIntervals(l phrase.Phrases, plans []value.Value, chosen *value.Record) *Drawing {
	shown := slices.Clone(plans[:min(len(plans), rangeMost)])
	same := func(v value.Value) bool { return v.Record == chosen }
	if !slices.ContainsFunc(shown, same) {
		shown = append(shown, value.Value{Kind: value.Rec, Record: chosen})
	}
	d := &Drawing{Title: l.Say("figure.served-intervals"), Note: l.Say("figure.served-intervals-note")}
	t, say := Table{Caption: d.Title, Heads: cells(l, "figure.served-intervals-heads")}, perSecond("token")
	var ranges []span
	for _, v := range shown {
		p, is := v.Record.Of.(Served)
		if !is {
			continue
		}
		x, name := p.Intervals(), l.Text(v.Record.Name)
		ranges = append(ranges, span{name, x.Rate.Low, x.Rate.Mid, x.Rate.High, same(v)})
		t.add(name, say(x.Rate.Mid), say(x.Rate.Low), say(x.Rate.High), seconds(x.Token.Mid), seconds(x.Token.Low),
			seconds(x.Token.High))
		if same(v) {
			d.Now = l.Say("figure.served-intervals-now", "plan", name, "low", say(x.Rate.Low), "high", say(x.Rate.High))
		}
	}
	d.About, d.AltTables = sentences(l, d.Now), []Table{t}
	return d.spans(ranges, say)
}

// ServingCompare draws two fronts.
func ServingCompare(l phrase.Phrases, a, b []value.Value) *Drawing {
	labels := []string{l.Say("figure.fronts-first"), l.Say("figure.fronts-second")}
	return plotted(l, frontPlot(l, "serving-compare", l.Say("figure.fronts"), labels, a, b),
		l.Say("figure.fronts-note"))
}

// Queued is what requests see at a rate: the time to the first token, its mean and what nine in ten and 99 in 100 stay
// below.
type Queued interface {
	FirstToken(rate float64) (mean, p90, p99 float64)
	Capacity() float64
}

// ServingCurve draws the time to the first token over the rate at which requests come, up to a little above capacity;
// rate is where the reader stands, and limit the time that the mean should keep.
func ServingCurve(l phrase.Phrases, q Queued, rate, limit float64) *Drawing {
	capacity := q.Capacity()
	p := &chart.Plot{ID: "serving-curve", Title: l.Say("figure.load"),
		Series: []chart.Series{{Label: l.Say("figure.load-mean")}, {Label: l.Say("figure.load-ninety")},
			{Label: l.Say("figure.load-most")}}}
	p.X.Label, p.Y.Label = l.Say("figure.load-rate"), l.Say("figure.load-first")
	p.X.Format, p.Y.Format, p.Y.Log = perSecond("request"), in(quantity.Seconds(1).Quantity()), true
	for i := range rates {
		x := capacity * rateStep(i)
		var y [3]float64
		y[0], y[1], y[2] = q.FirstToken(x)
		for k := range y {
			p.Series[k].X, p.Series[k].Y = append(p.Series[k].X, x), append(p.Series[k].Y, y[k])
		}
	}
	if limit > 0 {
		p.Series = append(p.Series, chart.Series{Label: l.Say("figure.load-limit"), X: []float64{0, capacity},
			Y: []float64{limit, limit}})
	}
	most := l.Say("figure.load-capacity", "rate", perSecond("request")(capacity))
	p.Marks = []chart.Mark{{Kind: chart.Vertical, X: capacity, Label: most}}
	if rate < capacity*1.1 {
		now := l.Say("figure.now", "x", perSecond("request")(rate))
		p.Current = &chart.Mark{Kind: chart.Vertical, X: rate, Label: now}
	}
	return plotted(l, p, l.Say("figure.load-note"))
}

// rates is at how many rates the curve is computed, and rateStep which share of the capacity the i-th is: closer
// together towards it.
const rates = 48

func rateStep(i int) float64 {
	left := 1 - float64(i+1)/(rates+1)
	return 1 - left*left
}

// memoryParts are the parts of a chip's memory in a serving memory, in the order in which they are drawn: class, field,
// the key of its name.
var memoryParts = [...][3]string{{"b1", "weights", "figure.memory-weights"},
	{"b3", "activations", "figure.memory-activations"}, {"b3 pale", "workspace", "figure.memory-workspace"},
	{"b2", "used", "figure.memory-used"}, {"b2 pale", "caches", "figure.memory-caches"}}

// ServingMemory draws what one chip of a plan holds.
func ServingMemory(l phrase.Phrases, r *value.Record) *Drawing {
	capacity := field(r, "memory")
	d := &Drawing{Title: l.Say("figure.serving-memory", "bytes", bytesText(capacity)),
		Note: l.Say("figure.serving-memory-note")}
	m := memory{scale: memoryWide / math.Max(capacity, 1)}
	d.head(&m.pen, 17)
	ledger, rest := newLedger(l, d.Title, capacity), capacity
	entry := func(class, key string, size float64) {
		m.legend(class, ledger.add(l.Say(key), size))
		rest -= size
	}
	for _, part := range memoryParts {
		size, cells := field(r, part[1]), 1.0
		switch part[1] {
		case "used":
			cells = math.Min(size/math.Max(field(r, "each"), 1), mostCells)
		case "caches":
			size -= field(r, "used")
		}
		if size > 0 {
			m.part(part[0], math.Min(size, math.Max(capacity-m.filled, 0)), int(math.Max(cells, 1)))
			entry(part[0], part[2], size)
		}
	}
	if rest > 0 {
		entry("frame", "figure.memory-others", rest)
	}
	return m.whole(d, ledger)
}

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
	d.AltTables = []Table{t}
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
		text := c.l.Say([...]string{"figure.flow-read", "figure.flow-cache-read", "figure.flow-stall"}[i], "x",
			seconds(time))
		if c.narrow {
			c.Label("in"+color, left+float64(i%2)*wide/2, top+38+float64(i/2)*18, text)
		} else if w > textWide("", text) {
			c.Label("on mid", at+w/2, top+19, text)
		}
		at += w
	}
}

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
	d := &Drawing{Title: l.Say("figure.deal", "chips", counted(f.chips), "batch", counted(f.batch), "user",
		tokens(user),
		"chip", tokens(chip))}
	t := Table{Caption: d.Title, Heads: cells(l, "figure.deal-heads")}
	for i := range deals {
		if n := dealChips(i); f.most(n) >= 1 {
			fast, _ := f.rates(n, 1)
			_, much := f.rates(n, f.most(n))
			t.add(counted(n), tokens(fast), counted(f.most(n)), tokens(much))
		}
	}
	d.About, d.Now, d.AltTables = ended(l, d.Title), d.Title, []Table{t}
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

// at is the most tokens a second of a chip in a layout with at least so many for each user; 0 if it has none.
func (f *deal) at(n, user float64) (chip float64) {
	left := 1/user - f.parts(n, 0)[2]
	batch := min(f.most(n), (left-f.read/n)/(f.cache/n+f.wire), left/((f.cache+f.math)/n+f.wire))
	if batch >= 1 {
		_, chip = f.rates(n, batch)
	}
	return chip
}

// front is the most of all layouts.
func (f *deal) front(user float64) (chip float64) {
	for i := range deals {
		chip = max(chip, f.at(dealChips(i), user))
	}
	return chip
}

// onCurve says whether a text there would lie on a layout's curve.
func (f *deal) onCurve(left, bottom float64, box frame) bool {
	for i := range deals {
		n := dealChips(i)
		slowest, _ := f.rates(n, f.most(n))
		for x := max(box.left, left+f.x*slowest) - 3; x < box.right+3; x += 3 {
			y := bottom - f.y*f.at(n, (x-left)/f.x)
			if y < bottom && y > box.top-3 && y < box.bottom+3 {
				return true
			}
		}
	}
	return false
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
	f.x, f.y = wide/fast/1.03, (high-c.of(48, 54))/much // over the front there is space for the reader's own
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
	c.say("small", left+6, top-c.of(8, 2), "figure.deal-chip", "x", "tokens/s")
	user, chip := f.rates(f.chips, f.batch)
	x, y := left+f.x*user, bottom-f.y*chip
	c.Path("thin dash to3", (&markup.Pen{}).Move(left, y).Line(x, y).String())
	c.Path("thin dash to1", (&markup.Pen{}).Move(x, y).Line(x, bottom).String())
	own := c.l.Say("figure.deal-own", "chips", counted(f.chips), "batch", counted(f.batch))
	long := max(textWide("strong big", own), textWide("strong", c.l.Say("figure.deal-chip", "x", tokens(chip))))
	// What is said of the point stands over the front, which only falls to the right: there is no curve.
	at := max(left, min(x+22, left+wide-long))
	up := min(y, bottom-f.y*f.front((at-left)/f.x)) - c.of(32, 30)
	u := fast * 0.72
	frontX, frontY := left+f.x*u+10, bottom-f.y*f.front(u)-8
	taken := []frame{{at, up - 18, at + long, up + 24}, {x - 18, y - 18, x + 18, y + 18},
		{left, top - 16, left + 130, top + 2}}
	if front := (frame{frontX, frontY - 12, frontX + 110, frontY + 4}); !front.meets(taken[0]) &&
		!front.meets(taken[1]) {
		c.say("strong in1 halo", frontX, frontY, "figure.deal-front")
		taken = append(taken, front)
	}
	f.names(c, left, bottom, taken)
	c.Label("halo strong big", at, up, own)
	c.say("halo strong in3", at, up+19, "figure.deal-chip", "x", tokens(chip))
	perUser := c.l.Say("figure.deal-user", "x", tokens(user))
	half := textWide("strong", perUser) / 2
	c.Label("strong in1 mid", min(max(x, left+half), left+wide-half), bottom+c.of(40, 36), perUser)
	c.pull("speed", "x", "linear", left, 0, left+wide, wide/f.x)
	c.knob(x, y, false)
	if c.narrow {
		f.token(c, 6, 250, 348, 14)
	} else {
		f.token(c, 676, 130, 256, 44)
	}
}

// fronts draws the Pareto front, from one user alone to where memory is full, and what it bounds: above it and to its
// right there is no layout.
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
	line := p.String()
	if line != "" {
		c.Path("soft1", line+(&markup.Pen{}).Put("H").Number(left).Put("V").Number(bottom).Put("H").Number(left+
			f.x*fast).
			Put("z").String())
	}
	c.Path("curve thick", line)
}

// curve is a layout: to the left its batch grows, up to where the memory is full. The reader's own has a colour.
func (f *deal) curve(c *canvas, left, bottom, n float64) {
	const points = 32
	most := f.most(n)
	if most < 1 {
		return
	}
	var p markup.Pen
	begin := p.Move
	for i := range points + 1 {
		user, chip := f.rates(n, math.Pow(most, float64(i)/points))
		begin(left+f.x*user, bottom-f.y*chip)
		begin = p.Line
	}
	line := "curve"
	if n == f.chips {
		line = "curve to1"
	}
	c.Path(line, p.String())
}

// names writes how many chips each layout has, at its curve and over all curves, where no other text is: the reader's
// own layout first, and none where curves leave no place.
func (f *deal) names(c *canvas, left, bottom float64, taken []frame) {
	all := []float64{f.chips}
	for i := range deals {
		if n := dealChips(i); n != f.chips {
			all = append(all, n)
		}
	}
	for i, n := range all {
		if f.most(n) < 1 {
			continue
		}
		class, text := "small end halo", c.of2(c.l.Say("figure.deal-chips", "n", counted(n)), counted(n))
		if i == 0 {
			class = "strong in1 end halo"
		}
		wide := 0.88 * textWide(class, text) // which is the most that it may be
		for try := range 12 {                // at the curve's left end, then on its way down
			user, chip := f.rates(n, math.Pow(f.most(n), 1-float64(try/4)/8))
			x, y := left+f.x*user-6, bottom-f.y*chip+5
			x += [...]float64{0, wide + 6, 0, 0}[try%4]
			y += [...]float64{0, -13, 14, -14}[try%4]
			box := frame{x - wide, y - 11, x, y + 2}
			if box.left > left+2 && !slices.ContainsFunc(taken, box.meets) && !f.onCurve(left, bottom, box) {
				c.Label(class, x, y, text)
				taken = append(taken, box)
				break
			}
		}
	}
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
		c.say("strong in"+color, left, y-5, [...]string{"figure.flow-read", "figure.flow-cache-read",
			"figure.deal-wire"}[i],
			"x", seconds(time))
		c.Rect(`class="c`+color+`"`, left, y, max(2, wide*time/most), high)
	}
}
