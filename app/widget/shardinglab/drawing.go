package shardinglab

import (
	"math"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/sharding"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

func num(v float64) string { return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64) }

// svg draws the chips.
func (x *subject) svg(id string, n []int, at int) string {
	var b strings.Builder
	rows, cols := drawn(n, func(coords []int, row, col int) {
		left, top := float64(col*(boxWide+gap)), float64(row*(boxHigh+gap))
		x.chipSVG(&b, coords, left, top, chipNumber(x.mesh, coords) == at)
	})
	wide, high := float64(cols*(boxWide+gap)-gap), float64(rows*(boxHigh+gap)-gap)
	left := 0.0
	const least = 340.0 // few chips are not drawn large
	if wide < least {
		left, wide = -(least-wide)/2, least
	}
	class := "fig"
	if wide == least {
		class = "fig few"
	}
	box := num(left-2) + " -2 " + num(wide+4) + " " + num(high+4)
	return `<svg class="` + class + `" role="img" aria-labelledby="` + id + `-t" viewBox="` + box + `"><title id="` + id + `-t">` +
		instrument.Escape("The chips of the mesh "+x.mesh.String()+" with what each holds") + `</title><desc>` + instrument.Escape(x.caption(n)) + `</desc>` + b.String() + `</svg>`
}

func (x *subject) chipSVG(b *strings.Builder, coords []int, left, top float64, now bool) {
	class, at := "chip", strconv.Itoa(chipNumber(x.mesh, coords))
	if now {
		class = "chip now"
	}
	b.WriteString(`<g data-set="at=` + at + `"><title>` + instrument.Escape(x.chipWords(coords)) + `</title><rect class="` + class + `" x="` + num(left) + `" y="` + num(top) + `" width="` + num(boxWide) + `" height="` + num(boxHigh) + `" rx="4"/>`)
	if len(coords) > 0 {
		var short []string
		for _, c := range coords {
			short = append(short, strconv.Itoa(c))
		}
		b.WriteString(`<text class="mid" x="` + num(left+boxWide/2) + `" y="` + num(top+15) + `">` + strings.Join(short, ",") + `</text>`)
	}
	for i, a := range x.all() {
		x.picture(b, i, a, coords, left+(boxWide-picWide)/2, top+headHigh+float64(i*picStep))
	}
	b.WriteString(`</g>`)
}

func (x *subject) chipWords(coords []int) string {
	said := "Chip " + strconv.Itoa(chipNumber(x.mesh, coords)) + " (" + place(x.mesh, coords) + ")"
	for _, a := range x.all() {
		said += "; " + holds(a, x.mesh, coords)
	}
	return said
}

// picture is what a chip holds of an array: the last two dimensions as a rectangle, down and to the right; each one before
// them as a bar at its left.
func (x *subject) picture(b *strings.Builder, i int, a *sharding.Array, coords []int, left, top float64) {
	held := a.Held(x.mesh, coords)
	bars := max(0, len(held)-2)
	wide := picWide - float64(7*bars)
	part := func(k int) (from, share float64) {
		if k < 0 || a.Dims[k].Size < 1 {
			return 0, 1
		}
		size := math.Ceil(a.Dims[k].Size)
		return float64(held[k].From) / size, float64(held[k].Len()) / size
	}
	rect := func(class string, px, py, w, h float64) {
		b.WriteString(`<rect class="` + class + `" x="` + num(px) + `" y="` + num(py) + `" width="` + num(w) + `" height="` + num(h) + `"/>`)
	}
	fill := "h" + strconv.Itoa(i+1)
	if len(a.Unreduced) > 0 {
		fill += " sum"
	}
	visible := func(from, share, whole float64) (at, long float64) {
		long = math.Max(share*whole, 1.5)
		return math.Min(from*whole, whole-long), long
	}
	for _, r := range held {
		if r.Len() == 0 {
			rect("whole", left, top, picWide, picHigh)
			return
		}
	}
	for k := range bars {
		f, sh := part(k)
		at, long := visible(f, sh, picHigh)
		rect("whole", left+float64(7*k), top, 4, picHigh)
		rect(fill, left+float64(7*k), top+at, 4, long)
	}
	left += float64(7 * bars)
	down, right := len(held)-2, len(held)-1
	if len(held) == 1 {
		down, right = -1, 0
	}
	f, sh := part(down)
	dy, h := visible(f, sh, picHigh)
	f, sh = part(right)
	dx, w := visible(f, sh, wide)
	rect("whole", left, top, wide, picHigh)
	rect(fill, left+dx, top+dy, w, h)
}
