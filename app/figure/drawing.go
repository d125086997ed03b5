// Package figure draws the domain: a slice of a pod, an array split over a mesh, a step of a collective. A figure is a
// function from a language and values to a Drawing; Draw finds it by its name in a sheet. The same values give the same
// bytes at build time and in the browser.
package figure

import (
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/chart"
	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/phrase"
)

// Drawing is a picture, and the same in words for those who don't see it. An element of the picture with the attribute
// data-set="name=value" sets that input of its sheet when it is chosen.
type Drawing struct {
	Root   *markup.Node // an svg with a title and a description, or a group of buttons
	Title  string
	Headed bool    // the title stands in the picture
	About  string  // what is to be seen, in sentences
	Now    string  // what is told of it when it changes, a clause; empty if its title is enough
	Note   string  // what a reader must know to read the picture, in sentences; empty if there is nothing
	Twin   []Table // what is to be seen, as tables
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
		Twin: []Table{{Caption: p.Title, Heads: heads, Rows: rows}}}
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
