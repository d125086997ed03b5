package site

import "github.com/chromedp/chromedp/kb"

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
