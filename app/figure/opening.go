package figure

import (
	"strconv"

	"github.com/scalebook/scalebook/app/markup"
)

// The measures of a picture that opens a chapter.
const (
	openWide = 680
	openHigh = 440
)

// grip draws what a pointer takes hold of; pull says what it does.
func grip(p *markup.Pen, pull string, x, y float64) {
	p.Put(`<circle class="grip" data-pull="`, pull, `"`).Attr("cx", x).Attr("cy", y).Put(` r="12"/>`)
}

// pulls is of a grip that sets an input from 0 at the left edge to most at the right one.
func pulls(input string, most float64) string {
	return input + " x lin 0 0 " + strconv.Itoa(openWide) + " " + strconv.FormatFloat(most, 'g', 6, 64)
}
