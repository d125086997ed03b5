package site

import (
	"strings"
	"testing"
	"time"

	"github.com/scalebook/scalebook/app/site/browser"
)

// A plot that would give an answer away shows its axes and no curve. The reader's estimate is placed on it with the
// keys and by pressing, and goes into the field; then the curve stands there with the estimate on it. Nothing moves.
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
	top := p.number(plot + `.getBoundingClientRect().height`)
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
	if got := p.number(plot + `.getBoundingClientRect().height`); got != top {
		t.Errorf("the plot was %v high and is %v", top, got)
	}
}
