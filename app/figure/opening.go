package figure

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/phrase"
)

// canvas is where a picture that opens a chapter is drawn. It is drawn twice, and the style sheet shows one of the
// two: wide on a desktop and on paper, narrow on a phone, where letters of the wide one would be too small to read.
type canvas struct {
	markup.Pen
	l      phrase.Phrases
	narrow bool
	w, h   float64
}

// The measures of the two: on a desktop 940 units are the whole column with its margin, and one is a pixel.
const (
	openWide, openHigh     = 940, 432
	narrowWide, narrowHigh = 360, 344
)

// opening draws the picture both ways.
func (d *Drawing) opening(l phrase.Phrases, draw func(c *canvas)) *Drawing {
	var p markup.Pen
	for _, c := range [...]canvas{{l: l, w: openWide, h: openHigh},
		{l: l, narrow: true, w: narrowWide, h: narrowHigh}} {
		draw(&c)
		class := "fig open wide"
		if c.narrow {
			class = "fig open narrow"
		}
		p.Put(d.svg(class, frame{0, 0, c.w, c.h}, &c.Pen).Root.Raw)
	}
	d.Root, d.Headed = markup.Raw(p.String()), true
	return d
}

// of is one of two measures: of the wide picture or of the narrow one.
func (c *canvas) of(wide, narrow float64) float64 {
	if c.narrow {
		return narrow
	}
	return wide
}

// say writes a text.
func (c *canvas) say(class string, x, y float64, key string, gaps ...any) {
	c.Label(class, x, y, c.l.Say(key, gaps...))
}

// pull begins what a pointer takes hold of: see widget.Pull. The pairs are a place and the input's value there.
func (c *canvas) pull(name, axis, scale string, pairs ...float64) {
	c.Put(`<g class="grip" data-pull="`, name, " ", axis, " ", scale)
	for _, x := range pairs {
		c.Put(" ", strconv.FormatFloat(x, 'g', 5, 64))
	}
	c.Put(`">`)
}

// knob ends what begins with pull: two arrows in a disc, so that one sees which way it goes. Its reach is that of a
// thumb.
func (c *canvas) knob(x, y float64, upright bool) {
	d := "m-4 -5l-5 5 5 5m8 -10l5 5 -5 5"
	if upright {
		d = "m-5 -4l5 -5 5 5m-10 8l5 5 5 -5"
	}
	c.Put(`<circle class="reach"`).Attr("cx", x).Attr("cy", y).Put(` r="24"/><circle class="knob"`).
		Attr("cx", x).Attr("cy", y).Put(` r="14"/><path class="arrows" d="`).Move(x, y).Put(d, `"/></g>`)
}

// logScale is a logarithmic axis: from and to are places, low and high the values there.
type logScale struct{ from, to, low, high float64 }

func (s logScale) at(x float64) float64 {
	return s.from + (s.to-s.from)*math.Log(max(x, 1e-300)/s.low)/math.Log(s.high/s.low)
}

// tick marks a place on an axis at the bottom, and says what it stands for.
func (c *canvas) tick(x, bottom float64, text string) {
	c.Path("axis", (&markup.Pen{}).Move(x, bottom).Put("v5").String()).Label("small mid", x, bottom+20, text)
}

// step125 is the next step of 1, 2 and 5 times a power of ten below x.
func step125(x float64) float64 {
	ten := math.Pow(10, math.Floor(math.Log10(x)))
	switch {
	case x >= 5*ten:
		return 5 * ten
	case x >= 2*ten:
		return 2 * ten
	}
	return ten
}

// of2 is one of two texts: of the wide picture or of the narrow one.
func (c *canvas) of2(wide, narrow string) string {
	if c.narrow {
		return narrow
	}
	return wide
}

// letterWide is about how wide a letter of a label is, to find out which text fits.
const letterWide = 8

// fitting writes the first of some texts that is no wider than that, or nothing.
func (c *canvas) fitting(class string, x, y, wide float64, texts ...string) {
	for _, s := range texts {
		if float64(utf8.RuneCountInString(s)*letterWide) <= wide {
			c.Label(class, x, y, s)
			return
		}
	}
}

// Label writes a text, moved to the left as far as it would leave the picture.
func (c *canvas) Label(class string, x, y float64, text string) *markup.Pen {
	if !strings.Contains(class, "end") && !strings.Contains(class, "mid") {
		x = max(min(x, c.w-textWide(class, text)), 0)
	}
	return c.Pen.Label(class, x, y, text)
}

// textWide is about how wide a text of a picture is at most.
func textWide(class, text string) float64 {
	size, letter := 14.0, 0.56
	if strings.Contains(class, "big") {
		size = 19
	}
	if strings.Contains(class, "strong") {
		letter = 0.62
	}
	return float64(utf8.RuneCountInString(text)) * size * letter
}
