package figure

import (
	"strconv"

	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/phrase"
)

// The most that is drawn: query heads, experts.
const (
	mostHeads   = 64
	mostExperts = 1024

	mostNumbered = 32 // experts with the number of their tokens: of more, the shades say enough
)

// SharedHeads draws the query heads of a layer, the heads of keys and values that they share, and what of a cache with
// as many heads as queries is left. Dragging the end of the cache sets the input `K`. The values are the two counts of
// heads, the cache of a token, and that with a head of keys and values for each query.
func SharedHeads(l phrase.Phrases, a values) (*Drawing, error) {
	h := &heads{q: a.whole(0), k: a.whole(1), cache: a[2].Num.String(), full: a[3].Num.String()}
	if h.q < 1 || h.q > mostHeads || h.k < 1 || h.k > h.q {
		return nil, phrase.New("figure.heads-most", "most", mostHeads)
	}
	h.name = l.Say([...]string{"figure.heads-grouped", "figure.heads-multi", "figure.heads-one"}[h.kind()])
	d := &Drawing{
		Title: l.Say("figure.heads", "name", h.name, "q", h.q, "k", h.k),
		Now:   l.Say("figure.heads-now", "cache", h.cache, "share", shareText(float64(h.k), float64(h.q))),
		AltTables: []Table{{Caption: l.Say("figure.heads-table"), Heads: cells(l, "figure.tile-heads"),
			Rows: [][]string{
				{l.Say("figure.heads-queries"), strconv.Itoa(h.q)}, {l.Say("figure.heads-kv"), strconv.Itoa(h.k)},
				{l.Say("figure.heads-cache"), h.cache}, {l.Say("figure.heads-full"), h.full},
			}}},
	}
	d.About = sentences(l, ended(l, d.Title), ended(l, d.Now))
	return d.pictures(l, [2]float64{288, 292}, h.draw), nil
}

// heads is a drawing of one under way.
type heads struct {
	q, k              int
	cache, full, name string
}

// kind is 0 for groups of queries, 1 if each query has keys of its own, 2 if all share one head.
func (h *heads) kind() int {
	switch h.k {
	case h.q:
		return 1
	case 1:
		return 2
	}
	return 0
}

func (h *heads) draw(c *canvas) {
	left, wide, top := c.of(8, 6), c.of(924, 348), 60.0
	cell := wide / float64(h.q)
	size := min(cell*0.8, c.of(30, 22))
	c.Label("big strong", left, 22, h.name)
	c.say("in1", left, top-12, "figure.heads-q", "n", h.q)
	var queries, fans, pairs markup.Pen
	high := c.of(92, 92)
	for g := range h.k {
		from, to := g*h.q/h.k, (g+1)*h.q/h.k // a group of queries
		x0, x1 := left+float64(from)*cell, left+float64(to)*cell
		mid, half := (x0+x1)/2, min((x1-x0)*0.45, c.of(30, 20))
		for i := from; i < to; i++ {
			queries.Box(left+(float64(i)+0.5)*cell-size/2, top, size, size)
		}
		fans.Move(x0+cell*0.1, top+size+3).Line(x1-cell*0.1, top+size+3).
			Line(mid+half, top+size+high-3).Line(mid-half, top+size+high-3).Put("z")
		pairs.Box(mid-half, top+size+high, half*0.95, c.of(30, 22)).
			Box(mid+half*0.05, top+size+high, half*0.95, c.of(30, 22))
	}
	c.Path("c1", queries.String()).Path("b4 pale", fans.String()).Path("c4", pairs.String())
	y := top + size + high + c.of(48, 40)
	c.say("in4", left, y, "figure.heads-pairs", "n", h.k)
	y += c.of(38, 40)
	c.say("in4 strong", left, y-8, c.of2("figure.heads-cache-of", "figure.heads-cache-short"), "cache", h.cache, "full",
		h.full)
	c.Rect(`class="idle"`, left, y, wide, 24)
	end := left + wide*float64(h.k)/float64(h.q)
	c.Rect(`class="c4"`, left, y, end-left, 24)
	c.pull("K", "x", "linear", left, 0, left+wide, float64(h.q))
	c.knob(end, y+12, false)
}

// ExpertChoice draws the experts of a layer: those that one token chose, and all whose weights a batch of so many has
// read. The choices are drawn by lot, alike for the same numbers. Dragging along the tokens sets the input `B`. The
// values are the number of experts, how many a token chooses, the tokens of the batch, and the most of the picture.
func ExpertChoice(l phrase.Phrases, a values) (*Drawing, error) {
	e := &experts{all: a.whole(0), each: min(a.whole(1), a.whole(0)), batch: a.whole(2), most: a.num(3)}
	if e.all < 1 || e.all > mostExperts || e.each < 1 || e.batch < 1 || float64(e.batch) > e.most || e.most > 4096 {
		return nil, phrase.New("figure.experts-most", "most", mostExperts)
	}
	e.choose()
	share := shareText(float64(e.read), float64(e.all))
	d := &Drawing{
		Title: l.Say("figure.experts", "read", e.read, "all", e.all, "batch", e.batch),
		Now:   l.Say("figure.experts-now", "each", e.each, "share", share, "load", counted(e.load())),
		AltTables: []Table{{Caption: l.Say("figure.experts-table"), Heads: cells(l, "figure.tile-heads"),
			Rows: [][]string{
				{l.Say("figure.experts-all"), strconv.Itoa(e.all)},
				{l.Say("figure.experts-each"), strconv.Itoa(e.each)},
				{l.Say("figure.experts-read"), strconv.Itoa(e.read)}, {l.Say("figure.experts-load"), counted(e.load())},
				{l.Say("figure.experts-busiest"), strconv.Itoa(e.busiest)},
			}}},
	}
	d.About = sentences(l, ended(l, d.Title), ended(l, d.Now))
	return d.pictures(l, [2]float64{330, 408}, e.draw), nil
}

// experts is a drawing of one under way.
type experts struct {
	all, each, batch int
	most             float64
	tokens           []int // of each expert
	last             []bool
	read, busiest    int
}

// choose draws by lot the experts of each token: the first of a shuffled row, by a linear congruential generator.
func (e *experts) choose() {
	e.tokens, e.last = make([]int, e.all), make([]bool, e.all)
	row, lot := make([]int, e.all), uint32(1)
	for i := range row {
		row[i] = i
	}
	for t := range e.batch {
		for i := range e.each {
			lot = lot*1664525 + 1013904223
			j := i + int(uint64(lot)*uint64(e.all-i)>>32)
			row[i], row[j] = row[j], row[i]
			e.tokens[row[i]]++
			e.last[row[i]] = t == e.batch-1
		}
	}
	for _, n := range e.tokens {
		e.busiest = max(e.busiest, n)
		if n > 0 {
			e.read++
		}
	}
	for i := range e.last {
		e.last[i] = false
	}
	for _, x := range row[:e.each] {
		e.last[x] = true
	}
}

// load is the mean number of tokens of an expert that has any.
func (e *experts) load() float64 { return float64(e.batch*e.each) / float64(max(e.read, 1)) }

func (e *experts) draw(c *canvas) {
	left, top, wide, high := c.of(8, 6), c.of(58, 52), c.of(600, 348), c.of(250, 176)
	c.say("big strong", left, 22, "figure.experts-head", "read", e.read, "all", e.all)
	c.say("small", left, 43, "figure.experts-one", "each", e.each)
	across := 1
	for float64(across)*high < float64(ceilDiv(e.all, across))*wide && across < e.all {
		across++
	}
	cell := min(wide/float64(across), high/float64(ceilDiv(e.all, across)), 60)
	var idle, read, busy, chosen markup.Pen
	for i, n := range e.tokens {
		x, y := left+float64(i%across)*cell, top+float64(i/across)*cell
		pen := &read
		switch {
		case n == 0:
			pen = &idle
		case n > 1 && float64(n) > e.load():
			pen = &busy
		}
		pen.Box(x, y, cell*0.88, cell*0.88)
		if e.last[i] {
			chosen.Box(x, y, cell*0.88, cell*0.88)
		}
	}
	c.Path("cell", idle.String()).Path("b2", read.String()).Path("cell lit", busy.String()).Path("cut", chosen.String())
	if e.all <= mostNumbered {
		for i, n := range e.tokens {
			c.Label("mid", left+(float64(i%across)+0.44)*cell, top+(float64(i/across)+0.44)*cell+5, strconv.Itoa(n))
		}
	}
	e.bars(c)
}

// bars draws the tokens of the batch, which a pointer drags, and beside them what they compute and what is read.
func (e *experts) bars(c *canvas) {
	left, top, wide, high, step := c.of(650, 6), c.of(86, 270), c.of(282, 348), c.of(34, 18), c.of(88, 52)
	for i, x := range [...]struct {
		class, key string
		n          int
		share      float64
	}{
		{"c1", "figure.experts-tokens", e.batch, float64(e.batch) / e.most},
		{"c2", "figure.experts-weights", e.read, float64(e.read) / float64(e.all)},
		{"c3", "figure.experts-mean", 0, min(e.load()/(e.most*float64(e.each)/float64(e.all)), 1)},
	} {
		y := top + float64(i)*step
		n := strconv.Itoa(x.n)
		if i == 2 {
			n = counted(e.load())
		}
		c.say("strong in"+x.class[1:], left, y-7, x.key, "n", n)
		c.Rect(`class="idle"`, left, y, wide, high)
		c.Rect(`class="`+x.class+`"`, left, y, max(wide*x.share, 1), high)
	}
	c.pull("B", "x", "linear", left, 0, left+wide, e.most)
	c.knob(left+wide*float64(e.batch)/e.most, top+high/2, false)
}
