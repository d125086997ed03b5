// Package figure draws the domain: a slice of a pod, an array split over a mesh, a step of a collective. A figure is a
// function from a language and values to a Drawing; Draw finds it by its name in a sheet. The same values give the same
// bytes at build time and in the browser.
package figure

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/scalebook/scalebook/app/chart"
	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// Drawing is a picture, and the same in words for those who don't see it. An element of the picture with the attribute
// data-set="name=value" sets that input of its sheet when it is chosen.
type Drawing struct {
	Root      *markup.Node // an svg with a title and a description, or a group of buttons
	Title     string
	Headed    bool    // the title stands in the picture
	About     string  // what is to be seen, in sentences
	Now       string  // what is said of it when it changes, a clause; empty if its title is enough
	Note      string  // what a reader must know to read the picture, in sentences; empty if there is nothing
	AltTables []Table // what is to be seen, as tables
}

// Table is a table of texts. The first cell of a row is its head.
type Table struct {
	Caption string
	Heads   []string
	Rows    [][]string
}

func (t *Table) add(cells ...string) { t.Rows = append(t.Rows, cells) }

// frame is the visible part of a picture: left, top, right, bottom. It grows with what is drawn.
type frame struct{ left, top, right, bottom float64 }

func emptyFrame() frame { return frame{1e9, 1e9, -1e9, -1e9} }

// meets says whether two frames have a place in common.
func (f frame) meets(g frame) bool {
	return f.left < g.right && g.left < f.right && f.top < g.bottom && g.top < f.bottom
}

// grow makes the frame reach to a place.
func (f *frame) grow(x, y float64) {
	f.left, f.top = min(f.left, x), min(f.top, y)
	f.right, f.bottom = max(f.right, x), max(f.bottom, y)
}

// margin is the frame with an edge around it, and at least so wide: small pictures are not drawn large.
func (f frame) margin(edge, least float64) frame {
	f = frame{f.left - edge, f.top - edge, f.right + edge, f.bottom + edge}
	if spare := least - (f.right - f.left); spare > 0 {
		f.left, f.right = f.left-spare/2, f.right+spare/2
	}
	return f
}

func (f frame) wide() float64 { return f.right - f.left }

// svg puts a picture together. more are attributes of the svg, each with a space before it.
func (d *Drawing) svg(class string, f frame, body *markup.Pen, more ...string) *Drawing {
	var p markup.Pen
	p.Put(`<svg class="`, class, `" role="img"`).Put(more...).ViewBox(f.left, f.top, f.wide(), f.bottom-f.top)
	p.Put("><title>").Escaped(d.Title).Put("</title><desc>").Escaped(d.About).Put("</desc>", body.String(), "</svg>")
	d.Root = markup.Raw(p.String())
	return d
}

// plotted is a drawing of a plot, with its summary and its table.
func plotted(l phrase.Phrases, p *chart.Plot, note string) *Drawing {
	p.Phrases = l
	laid := p.Draw()
	heads, rows := laid.AltTable()
	return &Drawing{Root: markup.Raw(laid.SVG()), Title: p.Title, About: laid.Summary(), Note: note,
		AltTables: []Table{{Caption: p.Title, Heads: heads, Rows: rows}}}
}

// textOnly is a drawing that is only a sentence.
func textOnly(title, sentence string) *Drawing {
	return &Drawing{Root: markup.El("p", sentence), Title: title, About: sentence}
}

// head writes the title over the picture.
func (d *Drawing) head(p *markup.Pen, y float64) {
	d.Headed = true
	p.Label("head", 0, y, d.Title)
}

// cells are the texts of a row of a table; the language's file parts them by bars.
func cells(l phrase.Phrases, key string) []string { return strings.Split(l.Say(key), " | ") }

// sentences are texts one after the other; what is empty is left out.
func sentences(l phrase.Phrases, all ...any) string { return l.Text(phrase.Sentences(all...)) }

// commas are texts with commas between them.
func commas(l phrase.Phrases, all ...string) string { return l.Text(phrase.Commas(all)) }

// clauses are texts with semicolons between them.
func clauses(l phrase.Phrases, all []string) string { return l.Text(phrase.Clauses(all)) }

// ended is a clause as a sentence.
func ended(l phrase.Phrases, clause string) string {
	return l.Say("figure.ended", "said", phrase.Capital(clause))
}

// signed is a number with a proper minus sign.
func signed(x int) string {
	return strings.Replace(strconv.Itoa(x), "-", "−", 1)
}

// drawer draws a figure from its values.
type drawer func(l phrase.Phrases, a values) (*Drawing, error)

// values are what a figure is drawn from, one for each of its parameters.
type values []value.Value

// num is a value as a number.
func (a values) num(i int) float64 { return a[i].Num.Value }

// whole is a number as a step or a place.
func (a values) whole(i int) int { return int(a.num(i) + 0.5) }

// infallible is a figure that refuses no values.
func infallible(draw func(phrase.Phrases, values) *Drawing) drawer {
	return func(l phrase.Phrases, a values) (*Drawing, error) { return draw(l, a), nil }
}

// positive is a figure whose numbers are all above 0: it stands on a logarithmic axis, or shares them out.
func positive(draw func(phrase.Phrases, values) *Drawing) drawer {
	return func(l phrase.Phrases, a values) (*Drawing, error) {
		for _, v := range a {
			if v.Kind == value.Number && !(v.Num.Value > 0 && v.Num.Value <= math.MaxFloat64) {
				return nil, phrase.New("library.give-finite")
			}
		}
		return draw(l, a), nil
	}
}

// trying is a figure of what is behind its first value, and of all its values; it may refuse them.
func trying[T any](draw func(phrase.Phrases, T, values) (*Drawing, error)) drawer {
	return func(l phrase.Phrases, a values) (*Drawing, error) {
		x, err := unwrap[T](a[0])
		if err != nil {
			return nil, err
		}
		return draw(l, x, a)
	}
}

// drawing is a figure of what is behind its first value, and of all its values.
func drawing[T any](draw func(phrase.Phrases, T, values) *Drawing) drawer {
	return trying(func(l phrase.Phrases, x T, a values) (*Drawing, error) { return draw(l, x, a), nil })
}

// alone is a figure of what is behind its only value.
func alone[T any](draw func(phrase.Phrases, T) *Drawing) drawer {
	return drawing(func(l phrase.Phrases, x T, _ values) *Drawing { return draw(l, x) })
}

// unwrap is the value of the domain that a record stands for.
func unwrap[T any](v value.Value) (x T, err error) {
	if v.Record != nil {
		if x, ok := v.Record.Of.(T); ok {
			return x, nil
		}
	}
	return x, phrase.New("figure.undrawn", "value", v.String())
}

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
	return d.pictures(l, [2]float64{openHigh, narrowHigh}, draw)
}

// pictures draws the picture both ways, each as high as that.
func (d *Drawing) pictures(l phrase.Phrases, high [2]float64, draw func(c *canvas)) *Drawing {
	return d.picturesAt(l, openWide, high, draw)
}

// picturesAt draws the picture both ways, the wide one so wide: it may stand beside inputs.
func (d *Drawing) picturesAt(l phrase.Phrases, wide float64, high [2]float64, draw func(c *canvas)) *Drawing {
	var p markup.Pen
	for _, c := range [...]canvas{{l: l, w: wide, h: high[0]},
		{l: l, narrow: true, w: narrowWide, h: high[1]}} {
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

// knobAt is the place that a knob takes.
func knobAt(x, y float64) frame { return frame{x - 14, y - 14, x + 14, y + 14} }

// logScale is a logarithmic axis: from and to are places, low and high the values there.
type logScale struct{ from, to, low, high float64 }

func (s logScale) at(x float64) float64 {
	return s.from + (s.to-s.from)*math.Log(max(x, 1e-300)/s.low)/math.Log(s.high/s.low)
}

// value is what stands at a place.
func (s logScale) value(at float64) float64 {
	return s.low * math.Pow(s.high/s.low, (at-s.from)/(s.to-s.from))
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
