package systolic

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/widget/instrument"
)

// The drawing is as wide as the chapters' figures: what waits to the left, the square, and what leaves below.

const (
	wide = 520
	wait = 30 // of a number that waits
	top  = 30
	gap  = 4
)

// svg is the array as a figure.
func (a *Array) svg(id string) string {
	d := drawing{a: a, cell: min(64, (wide-120)/a.N-gap)}
	d.queue = min(4, (wide-10-a.N*(d.cell+gap))/(wait+gap))
	d.left = (wide-a.N*(d.cell+gap)-d.queue*(wait+gap))/2 + d.queue*(wait+gap) + 4
	from := d.left - d.queue*(wait+gap) - 16
	across := max(380, d.left+a.N*(d.cell+gap)+6-from)
	high := top + a.N*(d.cell+gap) + 66
	d.b.WriteString(`<svg class="fig" role="img" aria-labelledby="` + id + `-t ` + id + `-d" viewBox="` + strconv.Itoa(from) + " 0 " + strconv.Itoa(across) + " " + strconv.Itoa(high) +
		`"><title id="` + id + `-t">The array in cycle ` + strconv.Itoa(a.Cycle) + `</title><desc id="` + id + `-d">` + instrument.Capital(does(a)) + `. The table says what each cell does.</desc>`)
	d.text(d.left+a.N*(d.cell+gap)/2, 18, "mid small", d.head())
	for k := range a.N {
		for j := range a.N {
			d.one(k, j)
		}
		d.waiting(k)
	}
	d.leaving()
	return d.b.String() + "</svg>"
}

// drawing is one under way.
type drawing struct {
	a                 *Array
	cell, left, queue int
	b                 strings.Builder
}

func (d *drawing) head() string {
	if d.a.Cycle <= d.a.Loading() {
		return "weights come in from above, the last line first"
	}
	return "weights stay in their cells"
}

func (d *drawing) text(x, y int, class, text string) {
	d.b.WriteString(`<text class="` + class + `" x="` + strconv.Itoa(x) + `" y="` + strconv.Itoa(y) + `">` + text + `</text>`)
}

func (d *drawing) rect(x, y, w, h int, class string) {
	d.b.WriteString(`<rect class="` + class + `" x="` + strconv.Itoa(x) + `" y="` + strconv.Itoa(y) + `" width="` + strconv.Itoa(w) + `" height="` + strconv.Itoa(h) + `"/>`)
}

// arrow goes from x, y to the right or down.
func (d *drawing) arrow(x, y, length int, down bool) {
	to, head := "h"+strconv.Itoa(length), "m-5 -4l5 4l-5 4"
	if down {
		to, head = "v"+strconv.Itoa(length), "m-4 -5l4 5l4 -5"
	}
	d.b.WriteString(`<path class="line" d="M` + strconv.Itoa(x) + " " + strconv.Itoa(y) + to + head + `"/>`)
}

// colour is that of a row of the batch, one of three in turn.
func colour(row int) string { return "b" + strconv.Itoa(row%3+1) }

// one draws a cell: what it does, or the weight that waits in it.
func (d *drawing) one(k, j int) {
	c := d.a.Cells[k][j]
	x, y := d.left+j*(d.cell+gap), top+k*(d.cell+gap)
	mid := x + d.cell/2
	switch {
	case !c.Weighted:
		d.rect(x, y, d.cell, d.cell, "frame dash")
	case !c.Busy:
		d.rect(x, y, d.cell, d.cell, "frame dash")
		d.text(mid, y+d.cell/2+5, "mid small", minus(c.W))
	default:
		d.rect(x, y, d.cell, d.cell, colour(c.Row))
		up := y + d.cell/2
		if d.cell >= 58 {
			up -= 10
			d.text(mid, up+33, "mid small", "row "+strconv.Itoa(c.Row))
		}
		d.text(mid, up-3, "mid", strconv.Itoa(c.X)+"×"+minus(c.W))
		d.text(mid, up+15, "mid strong", minus(c.Out))
	}
}

// waiting draws the numbers that are to enter a line of cells, the next one nearest to it.
func (d *drawing) waiting(k int) {
	y := top + k*(d.cell+gap) + d.cell/2
	for later := range d.queue {
		i := d.a.Entering(k, later)
		if i < 0 {
			continue
		}
		x := d.left - 10 - (later+1)*(wait+gap) + gap
		d.rect(x, y-15, wait, 30, colour(i)+" pale")
		d.text(x+wait/2, y+5, "mid", strconv.Itoa(d.a.X[i][k]))
	}
	if d.a.Entering(k, 0) >= 0 {
		d.arrow(d.left-8, y, 7, false)
	}
}

// leaving draws the sums that have just left.
func (d *drawing) leaving() {
	y := top + d.a.N*(d.cell+gap)
	some := false
	for j, c := range d.a.Cells[d.a.N-1] {
		if !c.Busy {
			continue
		}
		some = true
		mid := d.left + j*(d.cell+gap) + d.cell/2
		d.arrow(mid, y, 12, true)
		d.text(mid, y+30, "mid strong", minus(c.Out))
		d.text(mid, y+48, "mid small", "row "+strconv.Itoa(c.Row))
	}
	if !some {
		d.text(d.left+d.a.N*(d.cell+gap)/2, y+30, "mid small", "sums will leave here")
	}
}
