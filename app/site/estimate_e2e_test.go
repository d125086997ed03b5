package site

import (
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
	"github.com/scalebook/scalebook/app/site/browser"
)

const stageHeight = `.querySelector(".plot-stage").getBoundingClientRect().height`

// A plot that would give an answer away shows its axes and no curve. The reader's estimate is placed on it with the
// keys and by pressing, and goes into the field; then the curve stands there with the estimate on it. The picture stays
// as it is, and no ground is kept free below it for the words that come then.
func TestEstimateOnThePlot(t *testing.T) {
	t.Parallel()
	p := tab(t, browser.Options{}).open(serving(t, realBook, 0) + "rooflines/").wake()
	const plot = `document.querySelector("#matmul .plot")`
	seen := func(what string) bool {
		return p.is(plot + `.querySelector("` + what + `").checkVisibility({visibilityProperty: true})`)
	}
	if !seen(".axis") || seen(".line") || seen(".readout") || seen("figcaption") {
		t.Error("veiled, a plot shows its axes alone")
	}
	top := p.number(plot + stageHeight)
	if all := p.number(plot + `.getBoundingClientRect().height`); all > top+24 {
		t.Errorf("veiled, the plot is %v high with a picture of %v", all, top)
	}
	p.run(`const c = ` + plot + `.querySelector(".plot-cursor"); c.value = 700; c.dispatchEvent(new Event("input",
		{bubbles: true}))`)
	p.check(p.Wait(5*time.Second, plot+`.querySelector("path.guess")`))
	if got := p.text(plot + `.querySelector(".plot-cursor").ariaValueText`); got != p.text(
		`document.querySelector("#matmul .guess input").value`) || !strings.Contains(got, "token") {
		t.Errorf("the keys say %q", got)
	}
	first := p.text(`document.querySelector("#matmul .guess input").value`)
	p.run(`const s = ` + plot + `.querySelector(".plot-stage"), box = s.getBoundingClientRect();
		s.dispatchEvent(new PointerEvent("pointerdown", {bubbles: true, buttons: 1, clientX: box.x + box.width / 2,
			clientY: box.y + box.height / 2}))`)
	p.check(p.Wait(5*time.Second, `document.querySelector("#matmul .guess input").value !== "`+first+`"`))
	p.run(`document.querySelector("#matmul .guess button").click()`)
	p.check(p.Wait(5*time.Second, plot+`.hasAttribute("data-told")`))
	if !seen(".line") || !seen(".guess") {
		t.Error("told, the plot shows the curve and the estimate")
	}
	if got := p.number(plot + stageHeight); got != top {
		t.Errorf("the picture was %v high and is %v", top, got)
	}
	p.drawsCurve()
	p.dragsThePoint()
	p.asksAgain()
}

// asksAgain holds that a question is asked once more with other numbers, which it tells, and that the address has them.
func (p *page) asksAgain() {
	p.t.Helper()
	p.run(`document.querySelector("#matmul--B_crit--renew").click()`)
	p.soon("other numbers", `document.querySelector("#matmul--B_crit--others").textContent.startsWith(
		"With other numbers: ")`)
	p.soon("in the address", `/[?&]matmul\.[DF]=/.test(location.search)`)
	p.soon("the focus with the question", `document.activeElement === document.querySelector("#matmul .guess input")`)
}

// drawsCurve holds that a curve is drawn over a veiled plot by a stroke of the pointer, and bent with the arrow keys.
// Its value where the sheet stands goes into the field. Then the true curve stands over it, and how far it is off is
// said politely.
func (p *page) drawsCurve() {
	p.t.Helper()
	const plot = `document.querySelector("#small-matmuls .plot")`
	const field = `document.querySelector("#small-matmuls .guess input").value`
	p.soon("five handles", plot+`.querySelectorAll(".plot-cursor").length === 5`)
	top := p.number(plot + stageHeight)
	p.run(`const s = ` + plot + `.querySelector(".plot-stage"), box = s.getBoundingClientRect();
		for (let i = 0; i <= 20; i++) s.dispatchEvent(new PointerEvent(i ? "pointermove" : "pointerdown", {bubbles: true,
			buttons: 1, clientX: box.x + box.width * i / 20, clientY: box.bottom - box.height * (0.3 + i / 50)}))`)
	p.soon("the curve", plot+`.querySelectorAll("g.guess circle").length === 5`)
	p.soon("a curve that rises", `(c => +c[0].getAttribute("cy") > +c[4].getAttribute("cy") + 50)(`+
		plot+`.querySelectorAll("g.guess circle"))`)
	drawn := p.text(field)
	p.run(plot + `.querySelectorAll(".plot-cursor")[2].focus()`)
	for range 40 {
		p.check(p.Keys(kb.ArrowUp))
	}
	p.soon("another estimate", field+` !== "`+drawn+`" && `+field+`.includes("%")`)
	p.soon("the handle's words", plot+`.querySelectorAll(".plot-cursor")[2].ariaValueText.includes("%")`)
	p.run(`document.querySelector("#small-matmuls .guess button").click()`)
	p.soon("the true curve over it", plot+`.hasAttribute("data-told") && `+plot+`.querySelector(".line").checkVisibility(
		{visibilityProperty: true}) && `+plot+`.querySelectorAll("g.guess circle").length === 5`)
	p.soon("said politely", `document.querySelector("#small-matmuls [role=status]").textContent.includes(
		"Your curve is off by a factor of")`)
	if got := p.number(plot + stageHeight); got != top {
		p.t.Errorf("the picture was %v high and is %v", top, got)
	}
}
