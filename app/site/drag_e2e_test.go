package site

import (
	"strconv"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp/kb"
	"github.com/scalebook/scalebook/app/site/browser"
)

// On a phone the picture of a slider that a finger moves stays in sight and beside the finger, and nothing scrolls.
func TestPictureStaysInSight(t *testing.T) {
	t.Parallel()
	p := tab(t, phone).open(serving(t, realBook, 0) + "training/").wake()
	const slider = `document.querySelector(".beside .slider")`
	const picture = `document.querySelector(".beside > :is(.plot, .drawing) svg")`
	const seen = `(r => r.bottom <= innerHeight && r.top > ` + slider + `.getBoundingClientRect().bottom)(` +
		picture + `.getBoundingClientRect())`
	p.run(slider + `.scrollIntoView({block: "center", behavior: "instant"})`)
	at := p.number(`scrollY`)
	if p.is(seen) {
		t.Fatal("the picture is in sight by itself")
	}
	x := p.number(`(s => { const r = s.getBoundingClientRect();
		return r.left + 8 + (s.value - s.min) / (s.max - s.min) * (r.width - 16) })(` + slider + `)`)
	y := p.number(`(r => r.top + r.height / 2)(` + slider + `.getBoundingClientRect())`)
	was := p.text(slider + `.value`)
	p.check(p.Touch(input.DispatchTouchEventTypeTouchStart, x, y))
	p.soon("the picture is in sight", seen)
	for i := range 10 {
		p.check(p.Touch(input.DispatchTouchEventTypeTouchMove, x-4*float64(i), y))
	}
	p.soon("the slider follows", slider+`.value !== "`+was+`"`)
	if !p.is(seen) || p.number(`scrollY`) != at {
		t.Error("the picture goes, or the page scrolls, while a finger moves its slider")
	}
	p.check(p.LiftFinger())
	p.soon("the picture goes back", `!(`+seen+`)`)
}

// A reading line that the reader moved stays where it is while the plot is drawn anew, and says what the plot says now.
func TestReadingLineStays(t *testing.T) {
	t.Parallel()
	p := tab(t, browser.Options{}).open(serving(t, testBook, 0) + "one/").wake()
	const cursor = `document.querySelector("#alpha .plot-cursor")`
	const said = `document.querySelector("#alpha .readout").textContent`
	p.soon("the plot has its controls", `!!`+cursor)
	p.run(cursor + `.scrollIntoView({block: "center"}); ` + cursor + `.focus()`)
	p.check(p.Keys(kb.Home))
	p.soon("the plot is read at its beginning", cursor+`.value === "0" && `+said+`.startsWith("B\u00a0=\u00a01:")`)
	before := p.text(said)
	p.puts(`#alpha [name=D]`, "8192", "input")
	p.soon("the reading follows the sheet", said+` !== `+strconv.Quote(before))
	p.soon("the line stays", `document.activeElement === `+cursor+` && `+cursor+`.value === "0" &&
		`+cursor+`.ariaValueText === `+said+` && `+said+`.startsWith("B\u00a0=\u00a01:") &&
		document.querySelector("#alpha g.cursor").getAttribute("visibility") !== "hidden"`)
	p.run(cursor + `.blur()`)
	p.puts(`#alpha [name=D]`, "4096", "input")
	p.soon("without the focus it goes back to where the sheet stands", cursor+`.value !== "0"`)
}

// dragsThePoint holds that the dots of a plot, where the sheet stands, are dragged by a pointer that takes hold of
// their line, also beyond the plot, and moved with the arrow keys, and that the input follows. A press elsewhere only
// reads.
func (p *page) dragsThePoint() {
	p.t.Helper()
	const plot = `document.querySelector("#roofs .plot")`
	const value = `document.querySelector("#roofs [name=I]").value`
	const pointer = `const s = ` + plot + `.querySelector(".plot-stage");
		s.scrollIntoView({block: "center"});
		const line = s.querySelector("path.now, .stem.now").getBoundingClientRect();
		const say = (type, x, buttons) => s.dispatchEvent(new PointerEvent(type, {bubbles: true, buttons, pointerId: 1,
			clientX: line.x + line.width / 2 + x, clientY: line.y + line.height / 2}));`
	p.run(pointer + `say("pointerdown", 60, 1); say("pointermove", 90, 1); say("pointermove", 90, 0);`)
	if got := p.text(value); got != "30 FLOP/byte" {
		p.t.Errorf("a press beside the line has set %s", got)
	}
	p.run(pointer + `say("pointerdown", 3, 1); say("pointermove", 60, 1);`)
	p.soon("the input follows the pointer", `parseFloat(`+value+`) > 60`)
	p.soon("the dots follow the input", plot+`.querySelector(".now:is(text)").textContent.includes(`+value+`)`)
	if got := p.text(plot + `.querySelector(".plot-stage").style.cursor`); got != "ew-resize" {
		p.t.Errorf("over the line the pointer is %q", got)
	}
	p.run(pointer + `say("pointermove", 5000, 1); say("pointermove", 0, 0);`)
	p.soon("the end of the axis", value+` === "20000 FLOP/byte"`)
	p.run(plot + `.querySelector(".plot-cursor[id$=mark]").focus()`)
	for range 3 {
		p.check(p.Keys(kb.ArrowLeft))
	}
	p.soon("three steps back", `parseFloat(`+value+`) < 20000 && document.activeElement.id.endsWith("mark")`)
	p.soon("its words", `/^1.*FLOP\/byte$/.test(document.activeElement.ariaValueText)`)
}
