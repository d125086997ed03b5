package collectives

import (
	"math"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/network"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

// A chip is a box with a cell for each piece of the array; of many chips a box with one bar. What there is of a piece fills its
// cell from below; what arrives in this step has a thick outline, what was passed on a stroke through it, and a sum that is
// complete a dot.

type point struct{ x, y float64 }

// sketch is a drawing under way.
type sketch struct {
	p      *play
	k      int // the step
	hold   []held
	at     []point // the middles of the boxes
	w, h   float64 // of a box
	cols   int     // of cells in a box; 0 for a bar
	cell   float64
	bars   []bar            // the switches
	paths  map[string]*path // by class
	text   strings.Builder
	box    [4]float64 // left, top, right, bottom
	labels bool       // messages say what they carry
	seen   map[string]bool
}

type path struct{ strings.Builder }

// bar is a switch.
type bar struct {
	from, to point
	name     string
}

// layers are the classes of the paths, from the ground up.
var layers = [...]string{"wires", "wires bar", "boxes", "lack", "have", "came", "edge", "new", "gone", "sum", "send a0", "send a1", "send a2"}

// svg draws the state after step k, with the messages of the step.
func (p *play) svg(id string, k int) string {
	d := &sketch{p: p, k: k, hold: p.hold(k), paths: map[string]*path{}, box: [4]float64{1e9, 1e9, -1e9, -1e9}, seen: map[string]bool{}}
	d.shape()
	d.place()
	d.wires()
	d.switches()
	for chip := range p.s.Chips {
		d.chip(chip)
	}
	if p.s.Nodes > p.s.Chips {
		d.adder()
	}
	if k < len(p.s.Steps) {
		for i := range p.s.Steps[k].Transfers {
			d.send(&p.s.Steps[k].Transfers[i])
		}
	}
	d.legend()
	return d.whole(id)
}

// shape is the size of the boxes' insides in cells.
func (d *sketch) shape() {
	slots := 0
	for _, h := range d.hold {
		slots = max(slots, len(h.slots))
	}
	if d.p.s.Chips > inFull {
		return
	}
	d.cols = int(math.Ceil(math.Sqrt(float64(slots))))
	if d.exchange() {
		d.cols = min(slots/2, 8)
	}
	d.cols = max(1, d.cols)
	d.labels = d.p.s.Chips <= 8 && !d.exchange() && (len(d.p.sides) == 1 || d.p.units != nil)
}

func (d *sketch) exchange() bool { return d.p.x.c.Op == network.AllToAll }

// rows is the number of rows of cells.
func (d *sketch) rows() int {
	n := len(d.hold[0].slots)
	return (n + d.cols - 1) / d.cols
}

// size sets the size of the boxes by the room there is for their width.
func (d *sketch) size(w float64) {
	d.w = math.Floor(w)
	if d.cols == 0 {
		d.h = math.Max(8, math.Floor(d.w*0.7))
		return
	}
	d.cell = math.Floor(math.Min(32, (d.w-4)/float64(d.cols)))
	d.w = d.cell*float64(d.cols) + 4
	d.h = d.cell*float64(d.rows()) + 4
}

func (d *sketch) path(class string) *path {
	if d.paths[class] == nil {
		d.paths[class] = &path{}
	}
	return d.paths[class]
}

func num(x float64) string { return strconv.FormatFloat(math.Round(x*10)/10, 'f', -1, 64) }

// grow lets the drawing reach to a place.
func (d *sketch) grow(x, y float64) {
	d.box[0], d.box[1] = math.Min(d.box[0], x), math.Min(d.box[1], y)
	d.box[2], d.box[3] = math.Max(d.box[2], x), math.Max(d.box[3], y)
}

func (d *sketch) rect(class string, x, y, w, h float64) {
	d.path(class).WriteString("M" + num(x) + " " + num(y) + "h" + num(w) + "v" + num(h) + "h" + num(-w) + "z")
	d.grow(x, y)
	d.grow(x+w, y+h)
}

func (d *sketch) stroke(class string, a, b point) {
	d.path(class).WriteString("M" + num(a.x) + " " + num(a.y) + "L" + num(b.x) + " " + num(b.y))
	d.grow(a.x, a.y)
	d.grow(b.x, b.y)
}

func (d *sketch) say(class string, x, y float64, text string) {
	d.text.WriteString(`<text class="` + class + `" x="` + num(x) + `" y="` + num(y) + `">` + instrument.Escape(text) + `</text>`)
	half := 4.6 * float64(len([]rune(text)))
	left, right := half, half
	if strings.Contains(class, "end") {
		left, right = 2*half, 0
	} else if !strings.Contains(class, "mid") {
		left, right = 0, 2*half
	}
	d.grow(x-left, y-11)
	d.grow(x+right, y+3)
}

// small is up to how wide a drawing is shown as large on a phone as anywhere.
const small = 340

// whole puts the drawing together.
func (d *sketch) whole(id string) string {
	var b strings.Builder
	for _, class := range layers {
		if p := d.paths[class]; p != nil {
			b.WriteString(`<path class="` + class + `" d="` + p.String() + `"/>`)
		}
	}
	const edge = 6
	left, top, wide, high := d.box[0]-edge, d.box[1]-edge, d.box[2]-d.box[0]+2*edge, d.box[3]-d.box[1]+2*edge
	if spare := 290 - wide; spare > 0 {
		left, wide = left-spare/2, 290
	}
	class := "fig"
	if wide > small {
		class = "fig large"
	}
	return `<svg class="` + class + `" width="` + num(1.2*wide) + `" role="img" aria-labelledby="` + id + `-t" viewBox="` + num(left) + " " + num(top) + " " + num(wide) + " " + num(high) +
		`"><title id="` + id + `-t">` + instrument.Escape(d.title()) + `</title><desc>` + instrument.Escape(d.p.says(d.k)) + `. The table below says who sends what to whom.</desc>` + b.String() + d.text.String() + `</svg>`
}

func (d *sketch) title() string {
	return instrument.Capital(d.p.x.c.Op.String()) + ", step " + strconv.Itoa(d.k+1) + " of " + strconv.Itoa(max(1, len(d.p.s.Steps)))
}
