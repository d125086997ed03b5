package figure

import (
	"math"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sharding"
)

// mostDrawn is how many chips of a mesh are drawn, mostColumns how many stand beside each other.
const mostDrawn, mostColumns = 32, 8

// The measures of a mesh: a chip's box and the pictures in it.
const (
	boxWide  = 62
	picWide  = 48
	picHigh  = 20
	picStep  = 26
	headHigh = 20
	boxHigh  = headHigh + 3*picStep + 2
	boxGap   = 6
)

// mesh is a drawing of what the chips of a mesh hold of the three arrays of a product.
type mesh struct {
	*sharding.Mesh
	l      phrase.Phrases
	arrays []*sharding.Array
	sides  []int // the chips that are drawn along each axis
	now    int   // the chip that is looked at
}

// Mesh draws the chips of a mesh with what each holds of the three arrays of a product. The chip that is looked at
// stands out; choosing another one sets the input at.
func Mesh(l phrase.Phrases, e *sharding.Einsum, now int) *Drawing {
	m := &mesh{Mesh: e.Mesh, l: l, arrays: []*sharding.Array{&e.A, &e.B, &e.C}, sides: corner(e.Mesh), now: now}
	chosen := m.words(e.Mesh.Coords(min(max(now, 0), e.Mesh.Chips()-1)))
	d := &Drawing{Title: l.Say("figure.mesh", "mesh", e.Mesh), About: m.note(), Now: chosen,
		Note: sentences(l, m.note(), ended(l, chosen))}
	w, twin := &markup.Pen{}, Table{Caption: l.Say("figure.mesh-table"),
		Heads: []string{l.Say("figure.chip"), e.A.Name, e.B.Name, e.C.Name}}
	rows, cols := m.grid(func(coords []int, row, col int) {
		m.chip(w, coords, float64(col*(boxWide+boxGap)), float64(row*(boxHigh+boxGap)))
		twin.add(m.row(coords)...)
	})
	d.AltTables = []Table{twin}
	wide, class := float64(cols*(boxWide+boxGap)-boxGap), "fig"
	if wide <= fewChips {
		class = "fig few"
	}
	return d.svg(class, frame{0, 0, wide, float64(rows*(boxHigh+boxGap) - boxGap)}.margin(2, fewChips+4), w)
}

// fewChips is the least width of the drawing.
const fewChips = 340

// corner is how many chips are drawn along each axis: all, or as many as there is room for.
func corner(m *sharding.Mesh) []int {
	n, total := make([]int, len(m.Axes)), 1
	for i, a := range m.Axes {
		n[i] = a.Size
		total *= a.Size
	}
	for total > mostDrawn {
		big := 0
		for i := range n {
			if n[i] > n[big] {
				big = i
			}
		}
		total /= n[big]
		n[big] = (n[big] + 1) / 2
		total *= n[big]
	}
	return n
}

// grid calls f for each chip that is drawn, with its place in the grid: the last axes run to the right, as far as there
// is room.
func (m *mesh) grid(f func(coords []int, row, col int)) (rows, cols int) {
	n, total := m.sides, 1
	cols = 1
	for k := len(n) - 1; k >= 0 && (cols == 1 || cols*n[k] <= mostColumns); k-- {
		cols *= n[k]
	}
	for _, k := range n {
		total *= k
	}
	wrap := min(cols, mostColumns)
	per := (cols + wrap - 1) / wrap
	coords := make([]int, len(n))
	for i := range total {
		r := i
		for k := len(n) - 1; k >= 0; k-- {
			coords[k] = r % n[k]
			r /= n[k]
		}
		c := i % cols
		f(coords, i/cols*per+c/wrap, c%wrap)
	}
	return total / cols * per, wrap
}

// chip is the box of a chip.
func (m *mesh) chip(w *markup.Pen, coords []int, left, top float64) {
	class, number := "chip", ChipNumber(m.Mesh, coords)
	if number == m.now {
		class = "chip now"
	}
	w.Put(`<g data-set="at=`, strconv.Itoa(number), `"><title>`).Escaped(m.words(coords)).Put("</title>")
	w.Rect(`rx="4" class="`+class+`"`, left, top, boxWide, boxHigh)
	if len(coords) > 0 {
		var short []string
		for _, c := range coords {
			short = append(short, strconv.Itoa(c))
		}
		w.Label("mid", left+boxWide/2, top+15, strings.Join(short, ","))
	}
	for i, a := range m.arrays {
		m.picture(w, i, a, coords, left+(boxWide-picWide)/2, top+headHigh+float64(i*picStep))
	}
	w.Put("</g>")
}

// picture is what a chip holds of an array: the last two dimensions as a rectangle, down and to the right; each one
// before them as a bar at its left.
func (m *mesh) picture(w *markup.Pen, i int, a *sharding.Array, coords []int, left, top float64) {
	held := a.Held(m.Mesh, coords)
	for _, r := range held {
		if r.Len() == 0 {
			w.Rect(`class="whole"`, left, top, picWide, picHigh)
			return
		}
	}
	fill := "h" + strconv.Itoa(i+1)
	if len(a.Unreduced) > 0 {
		fill += " sum"
	}
	bars := max(0, len(held)-2)
	for k := range bars {
		from, long := stretch(a, held, k, picHigh)
		w.Rect(`class="whole"`, left, top, 4, picHigh).Rect(`class="`+fill+`"`, left, top+from, 4, long)
		left += 7
	}
	wide := picWide - float64(7*bars)
	down, right := len(held)-2, len(held)-1
	if len(held) == 1 {
		down, right = -1, 0
	}
	y, high := stretch(a, held, down, picHigh)
	x, long := stretch(a, held, right, wide)
	w.Rect(`class="whole"`, left, top, wide, picHigh).Rect(`class="`+fill+`"`, left+x, top+y, long, high)
}

// stretch is what is held of a dimension, on a line that stands for the whole of it, and never too small to be seen.
func stretch(a *sharding.Array, held []sharding.Range, k int, whole float64) (from, long float64) {
	start, share := 0.0, 1.0
	if k >= 0 && a.Dims[k].Size >= 1 {
		size := math.Ceil(a.Dims[k].Size)
		start, share = float64(held[k].From)/size, float64(held[k].Len())/size
	}
	long = math.Max(share*whole, 1.5)
	return math.Min(start*whole, whole-long), long
}

// ChipNumber is the number of the chip at coords, the last axis running fastest.
func ChipNumber(m *sharding.Mesh, coords []int) int {
	n := 0
	for i, a := range m.Axes {
		n = n*a.Size + coords[i]
	}
	return n
}

// chipPlace is where a chip stands, in words: "X 0, Y 3".
func chipPlace(l phrase.Phrases, m *sharding.Mesh, coords []int) string {
	if len(coords) == 0 {
		return l.Say("figure.only-chip")
	}
	return commas(l, axisPlaces(m, coords)...)
}

// axisPlaces are the places of a chip along the axes: "X 0" and "Y 3".
func axisPlaces(m *sharding.Mesh, coords []int) (all []string) {
	for i, a := range m.Axes {
		all = append(all, a.Name+" "+strconv.Itoa(coords[i]))
	}
	return all
}

// held is what a chip holds of an array, in the manner of a slice: "I 0–2047, J 0–8191"; "" if it holds nothing.
func (m *mesh) held(a *sharding.Array, coords []int) string {
	var all []string
	for i, r := range a.Held(m.Mesh, coords) {
		if r.Len() == 0 {
			return ""
		}
		held := a.Dims[i].Name + " " + strconv.Itoa(r.From)
		if r.Len() > 1 {
			held += "–" + strconv.Itoa(r.To-1)
		}
		all = append(all, held)
	}
	indices := commas(m.l, all...)
	if len(all) == 0 {
		indices = m.l.Say("figure.one-number")
	}
	if len(a.Unreduced) > 0 {
		return m.l.Say("figure.held-summand", "indices", indices)
	}
	return indices
}

// words is what a chip holds of all arrays.
func (m *mesh) words(coords []int) string {
	var all []string
	for _, a := range m.arrays {
		key, indices := "figure.held", m.held(a, coords)
		if indices == "" {
			key = "figure.held-nothing"
		}
		all = append(all, m.l.Say(key, "array", a.Name, "indices", indices))
	}
	return m.l.Say("figure.chip-holds", "n", ChipNumber(m.Mesh, coords), "place", chipPlace(m.l, m.Mesh, coords),
		"arrays",
		clauses(m.l, all))
}

// row is the same as a row of the twin.
func (m *mesh) row(coords []int) []string {
	cells := []string{m.l.Say("figure.chip-place", "n", ChipNumber(m.Mesh, coords), "place",
		chipPlace(m.l, m.Mesh, coords))}
	for _, a := range m.arrays {
		indices := m.held(a, coords)
		if indices == "" {
			indices = m.l.Say("figure.nothing")
		}
		cells = append(cells, indices)
	}
	return cells
}

// note says what is drawn, and what not.
func (m *mesh) note() string {
	var arrays []string
	summand := ""
	for _, a := range m.arrays {
		arrays = append(arrays, a.Name)
		if len(a.Unreduced) > 0 {
			summand = m.l.Say("figure.mesh-summand")
		}
	}
	return sentences(m.l, m.l.Say("figure.mesh-note", "arrays", phrase.And(arrays)), m.cut(), summand)
}

// cut says which chips are drawn, if not all are.
func (m *mesh) cut() string {
	total := 1
	var cut []string
	for i, axis := range m.Axes {
		total *= m.sides[i]
		if m.sides[i] < axis.Size {
			cut = append(cut, m.l.Say("figure.mesh-below", "axis", axis.Name, "n", m.sides[i]))
		}
	}
	if len(cut) == 0 {
		return ""
	}
	return m.l.Say("figure.mesh-cut", "n", m.Chips(), "drawn", total, "places", phrase.And(cut))
}

// mostCuts is how many shards a dimension is cut into at most, so that a shard can be seen in a chip.
const mostCuts = 8

// MeshGather draws an array that is cut along both dimensions, the mesh of chips that hold its shards, and a step of
// the all-gather around the rings of the first axis. Dragging a cut sets the inputs `X` and `Y`. The values are the
// shards of the rows and of the columns, the step, and as they are to be written: a shard's bytes, what a chip holds
// at the end, the time of a hop, and that of the whole.
func MeshGather(l phrase.Phrases, a values) (*Drawing, error) {
	for _, v := range a[:2] {
		if !(v.Num.Value >= 1 && v.Num.Value <= mostCuts) {
			return nil, phrase.New("figure.gather-most", "most", mostCuts, "n", counted(v.Num.Value))
		}
	}
	g := &meshGather{x: a.whole(0), y: a.whole(1)}
	g.step = min(max(a.whole(2), 0), g.x/2)
	g.held = min(g.x, 1+2*g.step)
	g.hop, g.all = a.num(5), a.num(6)
	for _, v := range a[3:] {
		g.text = append(g.text, v.Num.String())
	}
	d := &Drawing{
		Title: l.Say("figure.gather", "x", g.x, "y", g.y, "chips", g.x*g.y),
		Now:   l.Say("figure.gather-now", "step", g.step, "steps", g.x/2, "held", g.held, "all", g.x),
		AltTables: []Table{{Caption: l.Say("figure.gather-table"), Heads: cells(l, "figure.tile-heads"),
			Rows: [][]string{
				{l.Say("figure.gather-shard"), g.text[0]}, {l.Say("figure.gather-end"), g.text[1]},
				{l.Say("figure.gather-held"), strconv.Itoa(g.held)}, {l.Say("figure.gather-hop"), g.text[2]},
				{l.Say("figure.gather-all"), g.text[3]},
			}}},
	}
	d.About = sentences(l, ended(l, d.Title), ended(l, d.Now))
	return d.opening(l, g.draw), nil
}

// meshGather is a drawing of one under way.
type meshGather struct {
	x, y, step, held int
	hop, all         float64
	text             []string
}

func (g *meshGather) draw(c *canvas) {
	g.array(c, c.of(40, 22), c.of(62, 44), c.of(236, 108))
	if c.narrow {
		g.mesh(c, 172, 26, 176, 290)
		return
	}
	g.times(c, 40, 390, 290)
	g.mesh(c, 384, 30, 548, 380)
}

// times draws the time of the all-gather, hop by hop, which a pointer drags to a step.
func (g *meshGather) times(c *canvas, left, top, wide float64) {
	steps := g.x / 2
	at := func(s int) float64 {
		if s == steps {
			return left + wide
		}
		return left + wide*min(float64(s)*g.hop/max(g.all, 1e-15), 1)
	}
	now := min(float64(g.step)*g.hop, g.all)
	c.Label("strong", left, top-10, c.l.Count(steps, "figure.gather-so-far", "step", g.step, "now", seconds(now),
		"all", g.text[3]))
	c.Rect(`class="idle"`, left, top, wide, 24)
	if steps == 0 {
		return
	}
	c.Rect(`class="new"`, left, top, at(g.step)-left, 24)
	var cuts markup.Pen
	var places []float64
	for s := range steps + 1 {
		cuts.Move(at(s), top).Put("v24")
		places = append(places, at(s), float64(s))
	}
	c.Path("mesh", cuts.String())
	c.pull("t", "x", "linear", places...)
	c.knob(at(g.step), top+12, false)
}

// array draws the whole array with its cuts, and one shard of it as the chip in the corner holds it.
func (g *meshGather) array(c *canvas, left, top, side float64) {
	high, wide := side/float64(g.x), side/float64(g.y)
	c.Put(`<text class="strong big"`).Attr("x", left).Attr("y", top-c.of(44, 28)).
		Put(`>A[I<tspan class="at">X</tspan>, J`,
			`<tspan class="at">Y</tspan>]</text>`)
	c.Rect(`class="whole"`, left, top, side, side)
	c.Rect(`class="came part"`, left, top, wide, side)
	c.Rect(`class="own"`, left, top, wide, high)
	c.Put(`<path class="cut" d="`)
	for i := 1; i < g.x; i++ {
		c.Move(left, top+float64(i)*high).Put("h").Number(side)
	}
	for i := 1; i < g.y; i++ {
		c.Move(left+float64(i)*wide, top).Put("v").Number(side)
	}
	c.Put(`"/>`)
	c.say("strong mid", left+side/2, top-c.of(16, 8), "figure.gather-y", "n", g.y)
	c.Put(`<g transform="translate(`).Number(left - c.of(16, 8)).Put(" ").Number(top + side/2).Put(`) rotate(-90)">`)
	c.say("strong mid", 0, 0, "figure.gather-x", "n", g.x)
	c.Put("</g>")
	g.sizes(c, left, top, side)
	var rows, columns []float64
	for n := mostCuts; n >= 1; n-- {
		rows = append(rows, top+side/float64(n), float64(n))
		columns = append(columns, left+side/float64(n), float64(n))
	}
	c.pull("X", "y", "linear", rows...)
	c.knob(left+side*0.72, top+high, true)
	c.pull("Y", "x", "linear", columns...)
	c.knob(left+wide, top+side*0.72, false)
}

// sizes writes how large a shard is, and what a chip gathers, at their places where there is one.
func (g *meshGather) sizes(c *canvas, left, top, side float64) {
	high, wide := side/float64(g.x), side/float64(g.y)
	if c.narrow {
		for i, key := range [...]string{"figure.gather-shard", "figure.gather-end", "figure.gather-hop",
			"figure.gather-all"} {
			y := top + side + 32 + float64(i)*42
			c.Label("small", left-16, y, c.l.Say(key)).Label("strong", left-16, y+17, g.text[i])
		}
		return
	}
	if wide > textWide("strong", g.text[0]) && high > 24 {
		c.Label("on strong mid", left+wide/2, top+high/2+5, g.text[0])
	} else {
		c.Label("in1 strong", left+side+12, top+max(high/2, 8)+5, g.text[0])
	}
	c.Put(`<path class="axis" d="`).Move(left, top+side+6).Put("v8h").Number(wide).Put(`v-8"/>`)
	c.Label("strong", left, top+side+34, g.text[1])
	c.say("small", left+textWide("strong", g.text[1])+18, top+side+34, "figure.gather-column")
}

// mesh draws the chips, a ring of the first axis below each other, and what of the array each holds.
func (g *meshGather) mesh(c *canvas, left, top, wide, high float64) {
	stepY, stepX := high/float64(g.x), wide/float64(g.y)
	side := min(stepY-c.of(18, 14), stepX-c.of(26, 12), c.of(136, 64))
	stepX, stepY = min(stepX, side+c.of(70, 40)), min(stepY, side+c.of(48, 34))
	rings := "figure.gather-rings"
	if g.x == 1 {
		rings = "figure.gather-none"
	}
	c.Label("strong mid", left+wide/2, top-8, c.l.Count(g.y, rings, "size", g.x))
	words, at3 := [...]string{"own", "new", "came"}, [...]float64{0, c.of(0.29, 0.28), c.of(0.66, 0.72)}
	for i, key := range [...]string{"figure.gather-own", "figure.gather-new", "figure.gather-came"} {
		x := left + wide*c.of(0.14, -0.06) + c.of(wide*0.8, wide)*at3[i]
		c.Rect(`class="`+words[i]+`"`, x, c.h-c.of(21, 18), 11, 11)
		c.say("small", x+16, c.h-c.of(11, 8), key)
	}
	left += (wide - stepX*float64(g.y)) / 2
	top += (high - stepY*float64(g.x)) / 2
	at := func(i, j int) (x, y float64) {
		return left + (float64(j)+0.5)*stepX - side/2, top + (float64(i)+0.5)*stepY - side/2
	}
	c.Put(`<path class="wires" d="`)
	for j := range g.y {
		for i := range g.x - 1 {
			x, y := at(i, j)
			c.Move(x+side/2, y+side).Put("v").Number(stepY - side)
		}
		if g.x > 2 { // the wire that closes the ring
			x, y := at(0, j)
			_, end := at(g.x-1, j)
			c.Move(x+side, y+side/2).Put("h7V").Number(end + side/2).Put("h-7")
		}
	}
	c.Put(`"/><path class="wires thin" d="`)
	for i := range g.x {
		for j := range g.y - 1 {
			x, y := at(i, j)
			c.Move(x+side, y+side*0.25).Put("h").Number(stepX - side)
		}
	}
	c.Put(`"/>`)
	var looks [4]markup.Pen // the chips, and what they hold
	for i := range g.x {
		for j := range g.y {
			x, y := at(i, j)
			g.chip(&looks, i, j, x, y, side)
		}
	}
	for i, class := range [...]string{"chip", "own", "new", "came"} {
		c.Path(class, looks[i].String())
	}
	if g.step > 0 {
		g.arrows(c, at, side, stepY)
	}
}

// chip draws a chip as the array in small: its own shard, those that came before, those that this step has brought.
func (g *meshGather) chip(looks *[4]markup.Pen, i, j int, x, y, side float64) {
	looks[0].Box(x-2, y-2, side+4, side+4)
	cellY, cellX := side/float64(g.x), side/float64(g.y)
	fill := func(look, row int) {
		row = (row + 2*g.x) % g.x
		looks[look].Box(x+float64(j)*cellX, y+float64(row)*cellY, cellX, cellY)
	}
	fill(1, i)
	for s := 1; s <= g.step; s++ {
		look := 3
		if s == g.step {
			look = 2
		}
		fill(look, i-s)
		if 2*s != g.x {
			fill(look, i+s)
		}
	}
}

// arrows draws what moves in this step: each chip passes a shard on both ways.
func (g *meshGather) arrows(c *canvas, at func(i, j int) (x, y float64), side, stepY float64) {
	gap := stepY - side
	c.Put(`<path class="send" d="`)
	for j := range g.y {
		for i := range g.x - 1 {
			x, y := at(i, j)
			y += side + 2
			c.Move(x+side/2-4, y).Put("v").Number(gap-4).Put("m-3 -4l3 4 3 -4").
				Move(x+side/2+4, y+gap-4).Put("v").Number(4 - gap).Put("m-3 4l3 -4 3 4")
		}
	}
	c.Put(`"/>`)
}
