package modelcard

import (
	"math"
	"strconv"
	"strings"

	"github.com/scalebook/scalebook/app/widget/instrument"
)

const (
	stripWide  = 440
	stripHigh  = 56
	stripTop   = 26
	legendLine = 22
)

// strip draws the parameters of a model: as wide as a part's share, filled as high as the share of it that a token uses.
func strip(id string, x *subject) string {
	total := x.Total()
	var bars, legend, words []string
	left, entries := 0.0, 0
	for _, p := range parts(x.Model) {
		if p.stored == 0 {
			continue
		}
		wide := stripWide * p.stored / total
		bars = append(bars, bar(id, p, left, wide))
		left += wide
		share := percent(p.stored, total)
		legend = append(legend, entry(id, p, share, entries))
		said := p.name + " " + share
		switch {
		case p.lookup:
			said += ", looked up"
		case p.used < p.stored:
			said += ", of which a token uses " + percent(p.used, p.stored)
		}
		words = append(words, said)
		entries++
	}
	high := stripTop + stripHigh + 8 + legendLine*((entries+1)/2)
	title := x.Name + ": " + plain(total).String() + " parameters"
	return `<svg class="fig strip-of-parts" role="img" aria-labelledby="` + id + `-t" aria-describedby="` + id + `-d" viewBox="0 0 ` + strconv.Itoa(stripWide) + " " + strconv.Itoa(high) + `">` +
		`<title id="` + id + `-t">` + instrument.Escape(title) + `</title><desc id="` + id + `-d">` + instrument.Escape(strings.Join(words, "; ")) + `.</desc>` +
		`<defs><pattern id="` + id + `-h" width="6" height="6" patternUnits="userSpaceOnUse"><path class="hatch" d="M-1 1L1 -1M0 6L6 0M5 7L7 5"/></pattern></defs>` +
		`<text class="head" x="0" y="17">` + instrument.Escape(title) + `</text>` + strings.Join(bars, "") + strings.Join(legend, "") + `</svg>`
}

// bar is one part of the strip.
func bar(id string, p part, left, wide float64) string {
	out := box(p.class+" pale", left, stripTop, wide, stripHigh)
	if p.lookup {
		out = `<rect fill="url(#` + id + `-h)" class="edge" ` + place(left, stripTop, wide, stripHigh) + `/>`
	} else if p.stored > 0 && p.used > 0 {
		filled := stripHigh * p.used / p.stored
		out += box(p.class, left, stripTop+stripHigh-filled, wide, filled)
	}
	return out
}

func box(class string, x, y, wide, high float64) string {
	return `<rect class="` + class + `" ` + place(x, y, wide, high) + `/>`
}

func place(x, y, wide, high float64) string {
	return `x="` + coordinate(x) + `" y="` + coordinate(y) + `" width="` + coordinate(wide) + `" height="` + coordinate(high) + `"`
}

func coordinate(x float64) string { return strconv.FormatFloat(math.Round(x*10)/10, 'f', -1, 64) }

// entry is a line of the legend, two abreast.
func entry(id string, p part, share string, i int) string {
	x, y := float64(i%2*stripWide/2), float64(stripTop+stripHigh+8+legendLine*(i/2))
	swatch := box(p.class, x, y+3, 14, 14)
	if p.lookup {
		swatch = `<rect fill="url(#` + id + `-h)" class="edge" ` + place(x, y+3, 14, 14) + `/>`
	}
	return swatch + `<text x="` + coordinate(x+21) + `" y="` + coordinate(y+15) + `">` + instrument.Escape(p.name) + ` <tspan class="share">` + instrument.Escape(share) + `</tspan></text>`
}
