package figure

import (
	"math"

	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/model"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/quantity"
)

// The measures of a strip.
const (
	stripWide  = 440
	stripHigh  = 56
	stripTop   = 26
	legendLine = 22
)

// Strip draws the parameters of a model: each part as wide as its share, filled as high as the share of it that a token
// uses.
func Strip(l phrase.Phrases, name string, m *model.Model) *Drawing {
	total := m.Total()
	d := &Drawing{
		Title: l.Say("figure.strip", "model", name, "n", counted(total)),
		Note:  l.Say("figure.strip-note"),
	}
	twin := Table{Caption: d.Title, Heads: cells(l, "figure.strip-heads")}
	var bars, legend markup.Pen
	d.head(&bars, 17)
	var words []string
	left, entries := 0.0, 0
	for _, p := range m.Parts() {
		if p.Stored == 0 {
			continue
		}
		wide, share := stripWide*p.Stored/total, shareText(p.Stored, total)
		partBar(&bars, p, left, wide)
		legendEntry(l, &legend, p, share, entries)
		words = append(words, partText(l, p, share))
		twin.add(l.Text(p.Name), counted(p.Stored), share, usedText(l, p))
		left += wide
		entries++
	}
	d.About, d.Twin = l.Say("figure.ended", "said", clauses(l, words)), []Table{twin}
	bars.Put(legend.String())
	return d.svg("fig strip-of-parts", frame{0, 0, stripWide,
		float64(stripTop + stripHigh + 8 + legendLine*((entries+1)/2))}, &bars)
}

// counted is a number of parameters as text.
func counted(n float64) string { return quantity.Quantity{Value: n}.String() }

// shareText is x of all as a percentage.
func shareText(x, all float64) string {
	share := x / all
	switch {
	case !(all > 0):
		return "–"
	case share > 0 && share < 0.0005:
		return "<0.1\u00a0%"
	}
	return quantity.Percent(share, 1)
}

// partText says how large a part is, and how much of it a token uses, where that isn't all.
func partText(l phrase.Phrases, p model.Part, share string) string {
	key := "figure.part-share"
	switch {
	case p.Lookup:
		key = "figure.part-lookup"
	case p.Used < p.Stored:
		key = "figure.part-used"
	}
	return l.Say(key, "part", p.Name, "share", share, "used", shareText(p.Used, p.Stored))
}

func usedText(l phrase.Phrases, p model.Part) string {
	if p.Lookup {
		return l.Say("figure.one-row")
	}
	return counted(p.Used)
}

// partBar is one part of the strip.
func partBar(w *markup.Pen, p model.Part, left, wide float64) {
	class := colour(p)
	w.Rect(`class="`+class+` pale"`, left, stripTop, wide, stripHigh)
	if p.Lookup {
		hatched(w, left, stripTop, wide, stripHigh)
	} else if p.Used > 0 {
		filled := stripHigh * p.Used / p.Stored
		w.Rect(`class="`+class+`"`, left, stripTop+stripHigh-filled, wide, filled)
	}
}

// colour is the class of a part.
func colour(p model.Part) string {
	switch p.Name.Key {
	case "model.attention":
		return "p1"
	case "model.dense-mlps":
		return "p2"
	case "model.routed-experts":
		return "p3"
	case "model.shared-experts":
		return "p4"
	case "model.unembedding", "model.embedding-tied":
		return "p5"
	}
	return "p6"
}

// hatched is a box full of slanted lines with an edge.
func hatched(w *markup.Pen, x, y, wide, high float64) {
	const step = 8.5
	w.Put(`<path class="hatch" d="`)
	for c := step; c < wide+high; c += step { // the line through the points whose x and y in the box add up to c
		from, to := math.Min(c, wide), math.Max(0, c-high)
		w.Move(x+from, y+c-from).Line(x+to, y+c-to)
	}
	w.Put(`"/>`).Rect(`class="edge" fill="none"`, x, y, wide, high)
}

// legendEntry is a line of the legend, two abreast.
func legendEntry(l phrase.Phrases, w *markup.Pen, p model.Part, share string, i int) {
	x, y := float64(i%2*stripWide/2), float64(stripTop+stripHigh+8+legendLine*(i/2))
	w.Rect(`class="`+colour(p)+`"`, x, y+3, 14, 14)
	if p.Lookup {
		hatched(w, x, y+3, 14, 14)
	}
	w.Put("<text").
		Attr("x", x+21).
		Attr("y", y+15).
		Put(">").
		Escaped(l.Text(p.Name)).
		Put(` <tspan class="share">`).
		Escaped(share).
		Put("</tspan></text>")
}
