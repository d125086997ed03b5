package stream

import (
	"strconv"
	"strings"
)

// The drawing has two parts: above, what is where at the moment; below, the timeline, filled up to it.

const (
	wide  = 464
	line  = 30 // between two buffers
	lane  = 32 // between two lanes of the timeline
	start = 70 // where the timeline begins
)

type drawing struct {
	*job
	t, until float64 // the moment, and the end of its step
	b        strings.Builder
}

// svg is the job at a step.
func (j *job) svg(id string, step int) string {
	d := &drawing{job: j, t: j.moment(step), until: j.end(step)}
	shelf := j.Buffers * line
	head := max(shelf, 2*line) + 34
	high := head + 3*lane + 44
	d.b.WriteString(`<svg class="fig" role="img" aria-labelledby="` + id + `-t ` + id + `-d" viewBox="0 0 ` + strconv.Itoa(wide) + " " + strconv.Itoa(high) +
		`"><title id="` + id + `-t">Blocks on their way through VMEM</title><desc id="` + id + `-d">Now: ` + j.does(step) + `. The table says when each block is where.</desc>`)
	d.places(head - 34)
	d.timeline(head + 14)
	return d.b.String() + "</svg>"
}

func (d *drawing) text(x, y float64, class, text string) {
	d.b.WriteString(`<text class="` + class + `" x="` + number(x) + `" y="` + number(y) + `">` + text + `</text>`)
}

func (d *drawing) rect(x, y, w, h float64, class string) {
	d.b.WriteString(`<rect class="` + class + `" x="` + number(x) + `" y="` + number(y) + `" width="` + number(w) + `" height="` + number(h) + `"/>`)
}

func number(x float64) string {
	return strings.TrimSuffix(strconv.FormatFloat(x, 'f', 1, 64), ".0")
}

// places draws HBM, the buffers, the MXU and the buffers on the way out.
func (d *drawing) places(high int) {
	mid := 22 + float64(high)/2
	d.text(144, 16, "mid small", "VMEM, on the way in")
	d.text(354, 16, "mid small", "on the way out")
	d.rect(2, mid-22, 46, 44, "frame")
	d.text(25, mid+5, "mid small", "HBM")
	y := mid - float64(d.Buffers*line)/2
	for i := range d.Buffers {
		class, text := d.inBuffer(i)
		d.rect(74, y, 140, line-4, class)
		d.text(144, y+18, "mid small", text)
		class, text = d.outBuffer(i)
		d.rect(302, y, 104, line-4, class)
		d.text(354, y+18, "mid small", text)
		y += line
	}
	n := at(d.Math, d.t)
	class, look, text := "frame dash", "mid small", "waits"
	if n >= 0 {
		class, look, text = "b2", "mid strong", strconv.Itoa(n+1)
	}
	d.rect(236, mid-22, 44, 44, class)
	d.text(258, mid-4, "mid small", "MXU")
	d.text(258, mid+14, look, text)
	d.flow(51, mid, 19, d.t < d.First || at(d.Load, d.t) >= 0)
	d.flow(217, mid, 16, n >= 0)
	d.flow(283, mid, 16, n >= 0)
	d.text(440, mid-9, "mid small", "HBM")
	d.flow(410, mid, 46, at(d.Store, d.t) >= 0)
}

// flow is an arrow to the right, if something flows.
func (d *drawing) flow(x, y, length float64, on bool) {
	if on {
		d.b.WriteString(`<path class="line" d="M` + number(x) + " " + number(y) + "h" + number(length) + `m-6 -5l6 5l-6 5"/>`)
	}
}

// inBuffer is what buffer i on the way in holds.
func (d *drawing) inBuffer(i int) (class, text string) {
	if d.t < d.First && i == 0 {
		return "frame dash", "activations first"
	}
	for n := i; n < d.Blocks(); n += d.Buffers {
		block := "block " + strconv.Itoa(n+1)
		switch {
		case d.t < d.Load[n].From || d.t >= d.Math[n].To:
		case d.t < d.Load[n].To:
			return "b1 pale", block + " comes in"
		case d.t < d.Math[n].From:
			return "b1", block + " waits"
		default:
			return "b2", block + " in use"
		}
	}
	return "frame dash", "empty"
}

// outBuffer is what buffer i on the way out holds.
func (d *drawing) outBuffer(i int) (class, text string) {
	for n := i; n < d.Blocks(); n += d.Buffers {
		block := strconv.Itoa(n + 1)
		switch {
		case d.t < d.Math[n].From || d.t >= d.Store[n].To:
		case d.t < d.Math[n].To:
			return "b2 pale", block + " fills up"
		case d.t < d.Store[n].From:
			return "b3", block + " waits"
		default:
			return "b3 pale", block + " goes out"
		}
	}
	return "frame dash", "empty"
}

// timeline draws all work, and the bubbles of the MXU.
func (d *drawing) timeline(top int) {
	scale := 0.0
	if total := d.Total(); total > 0 {
		scale = (wide - start - 8) / total
	}
	y := func(i int) float64 { return float64(top + i*lane) }
	for i, name := range []string{"copy in", "MXU", "copy out"} {
		d.text(start-8, y(i)+17, "end small", name)
	}
	d.work([]Span{{0, d.First}}, y(0), scale, "b1 pale", "X")
	d.work(d.Load, y(0), scale, "b1", "")
	d.bubbles(y(1), scale)
	d.work(d.Math, y(1), scale, "b2", "")
	d.work(d.Store, y(2), scale, "b3", "")
	now := number(start + d.until*scale)
	d.b.WriteString(`<path class="axis" d="M` + now + " " + strconv.Itoa(top-6) + "v" + strconv.Itoa(3*lane+4) + `"/>`)
	d.text(wide-8, y(3)+16, "end small", "time")
}

// work is a lane: filled once it has begun. A name stands in for the numbers of blocks.
func (d *drawing) work(spans []Span, y, scale float64, class, name string) {
	for i, s := range spans {
		x, w := start+s.From*scale, (s.To-s.From)*scale
		if w <= 0 {
			continue
		}
		look := class
		if s.From > d.t {
			look += " ghost"
		}
		d.rect(x+0.6, y, max(w-1.2, 0.6), 24, look)
		text := name
		if name == "" {
			text = strconv.Itoa(i + 1)
		}
		if w >= float64(9*len(text)+3) {
			d.text(x+w/2, y+17, "mid small", text)
		}
	}
}

// bubbles crosses out the times in which the MXU has nothing to do, one path for all.
func (d *drawing) bubbles(y, scale float64) {
	path := ""
	for _, s := range append(gaps(d.Math, d.Total()*1e-9), Span{d.Math[d.Blocks()-1].To, d.Total()}) {
		x, w := start+s.From*scale, (s.To-s.From)*scale
		if w >= 2 {
			path += "M" + number(x+w) + " " + number(y+2) + "l" + number(-w) + " 20"
		}
		if w >= 12 {
			path += "m0 -20l" + number(w) + " 20"
		}
	}
	if path != "" {
		d.b.WriteString(`<path class="thin" d="` + path + `"/>`)
	}
}
