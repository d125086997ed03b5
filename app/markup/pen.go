package markup

import (
	"math"
	"strconv"
)

// Pen writes SVG. Coordinates have one decimal: finer than a pixel, and the same text from every machine. The zero
// value is ready to write.
type Pen struct{ b []byte }

// Put writes parts as they are.
func (p *Pen) Put(parts ...string) *Pen {
	for _, s := range parts {
		p.b = append(p.b, s...)
	}
	return p
}

// Escaped writes a text, for an element or an attribute.
func (p *Pen) Escaped(s string) *Pen { return p.Put(Escape(s)) }

// Tenths is v in tenths of a unit, as coordinates are written. What is no number is 0.
func Tenths(v float64) int {
	if math.IsNaN(v) {
		return 0
	}
	return int(math.Round(math.Min(math.Max(v, -1e7), 1e7) * 10))
}

// Number writes a coordinate.
func (p *Pen) Number(v float64) *Pen { return p.Tenths(Tenths(v)) }

// Tenths writes a coordinate that is given in tenths.
func (p *Pen) Tenths(t int) *Pen {
	if t < 0 {
		p.b = append(p.b, '-')
		t = -t
	}
	if t >= 10 || t == 0 {
		p.b = strconv.AppendInt(p.b, int64(t/10), 10)
	}
	if t%10 != 0 {
		p.b = append(p.b, '.', byte('0'+t%10))
	}
	return p
}

// Attr writes an attribute that is a coordinate.
func (p *Pen) Attr(name string, v float64) *Pen { return p.Put(" ", name, `="`).Number(v).Put(`"`) }

// ViewBox writes the attribute of that name.
func (p *Pen) ViewBox(left, top, wide, high float64) *Pen {
	return p.Put(` viewBox="`).Number(left).Put(" ").Number(top).Put(" ").Number(wide).Put(" ").Number(high).Put(`"`)
}

// Move begins a piece of a path.
func (p *Pen) Move(x, y float64) *Pen { return p.Put("M").Number(x).Put(" ").Number(y) }

// Line draws a straight piece of a path.
func (p *Pen) Line(x, y float64) *Pen { return p.Put("L").Number(x).Put(" ").Number(y) }

// Box draws a rectangle as a piece of a path.
func (p *Pen) Box(x, y, wide, high float64) *Pen {
	return p.Move(x, y).Put("h").Number(wide).Put("v").Number(high).Put("h").Number(-wide).Put("z")
}

// Path writes a path of a class; d is its pieces.
func (p *Pen) Path(class, d string) *Pen { return p.Put(`<path class="`, class, `" d="`, d, `"/>`) }

// Rect writes a rectangle with attributes that are as they are: `class="frame"`.
func (p *Pen) Rect(attributes string, x, y, wide, high float64) *Pen {
	p.Put("<rect ", attributes).Attr("x", x).Attr("y", y)
	return p.Attr("width", wide).Attr("height", high).Put("/>")
}

// Label writes a text of a class.
func (p *Pen) Label(class string, x, y float64, text string) *Pen {
	return p.Put(`<text class="`, class, `"`).Attr("x", x).Attr("y", y).Put(">").Escaped(text).Put("</text>")
}

// Len is how much has been written.
func (p *Pen) Len() int { return len(p.b) }

// String is what has been written.
func (p *Pen) String() string { return string(p.b) }
