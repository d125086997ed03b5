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

// grip draws what a pointer takes hold of. It pulls an input to the right, whose value is 0 at the left edge and most at
// the right one.
func grip(p *markup.Pen, input string, most, x, y float64) {
	p.Put(`<circle class="grip" data-pull="`, input, " x lin 0 0 ", strconv.Itoa(openWide), " ",
		strconv.FormatFloat(most, 'g', 6, 64), `"`).Attr("cx", x).Attr("cy", y).Put(` r="12"/>`)
}
