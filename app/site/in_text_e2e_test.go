package site

import (
	"fmt"
	"testing"
	"time"

	"github.com/scalebook/scalebook/app/site/browser"
)

const peakField = `document.querySelector(".in-text input[data-sheet=first-clock][name=peak]")`

// A number in a sentence has a name, is typed into before and after the program arrives, answers the arrow keys, is
// dragged, says why a text is refused, and its sentence and the address follow.
func TestNumberInASentence(t *testing.T) {
	t.Parallel()
	p := tab(t, browser.Options{}).open(serving(t, realBook, 300*time.Millisecond) + "rooflines/")
	if got := p.text(peakField + `.getAttribute("aria-label")`); got != "Peak rate of the chip" {
		t.Errorf("its name is %q", got)
	}
	p.run(peakField + `.focus(); ` + peakField + `.select()`)
	p.check(p.Keys("500 TFLOP/s"))
	p.wake()
	p.saysTime(1e12 / 500e12)
	p.run(peakField + `.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowUp", bubbles: true, cancelable: true}))`)
	p.check(p.Wait(5*time.Second, peakField+`.value !== "500 TFLOP/s"`))
	p.run(peakField + `.select()`)
	p.check(p.Keys("1 PFLOP/s"))
	p.saysTime(1e-3)
	p.check(p.Wait(5*time.Second, `location.search.includes("first-clock.peak=1+PFLOP")`))
	p.run(peakField + `.select()`)
	p.check(p.Keys("12 parrots"))
	p.check(p.Wait(5*time.Second, peakField+`.getAttribute("aria-invalid") === "true" && `+
		peakField+`.parentElement.dataset.fault`))
	p.saysTime(1. / 12) // of what was typed up to the letters
	p.dragged(40)
	p.check(p.Wait(5*time.Second, `!`+peakField+`.hasAttribute("aria-invalid")`))
	p.check(p.Paper())
	if p.is(peakField+`.checkVisibility()`) || !p.is(peakField+`.nextSibling.checkVisibility()`) {
		t.Error("on paper the number is a field")
	}
}

// saysTime waits until the sentence says so many seconds.
func (p *page) saysTime(seconds float64) {
	p.t.Helper()
	const says = `document.querySelector("data[data-sheet=first-clock][data-name=T_math]")`
	if err := p.Wait(5*time.Second, fmt.Sprintf(`Math.abs(%s.value / %v - 1) < 1e-9`, says, seconds)); err != nil {
		p.t.Fatal(err, p.text(`"; it says " + `+says+`.outerHTML + " of " + `+peakField+`.value + " in " + `+peakField+
			`.parentElement.outerHTML + ", the focus is on " + document.activeElement.outerHTML.slice(0, 200)`))
	}
}

// dragged presses the number with a mouse, moves it to the right and lets go.
func (p *page) dragged(pixels int) {
	p.t.Helper()
	p.run(`const f = ` + peakField + `; f.blur(); f.scrollIntoView({block: "center"}); f.setPointerCapture = () => {};
		const box = f.getBoundingClientRect();
		const say = (type, x) => f.dispatchEvent(new PointerEvent(type, {bubbles: true, cancelable: true, isPrimary: true,
			button: 0, pointerId: 1, clientX: box.x + 5 + x, clientY: box.y + 5}));
		say("pointerdown", 0); say("pointermove", ` + fmt.Sprint(pixels) + `); say("pointerup", ` + fmt.Sprint(pixels) + `)`)
}
