package site

import "time"

// places is where everything stands that is seen, but for the insides of drawings and menus, and the sliders that lie
// over plots: a plot that lives may have one more.
const places = `[...document.querySelectorAll("main *")].filter(e =>
	!e.closest("template, option, svg, .plot-cursor, details:not([open]) > :not(summary)") &&
	e.checkVisibility()).map(e => {
	const box = e.getBoundingClientRect()
	return {name: e.tagName + "." + e.className, box: [box.left, box.top + scrollY, box.width, box.height]}
})`

// moved names what stands elsewhere than when the places were noted; half a pixel is the rounding of a layout.
const moved = `(now => {
	const text = p => p ? p.name + " " + p.box.map(x => x.toFixed(1)).join(" ") : "nothing"
	const same = (a, b) => a && b && a.name === b.name && a.box.every((x, i) => Math.abs(x - b.box[i]) <= 0.5)
	const longer = now.length > window.noted.length ? now : window.noted
	const i = longer.findIndex((_, i) => !same(now[i], window.noted[i]))
	return i < 0 ? "" : text(window.noted[i]) + " is now " + text(now[i])
})(` + places + `)`

// notePlaces remembers where everything stands, when the page's fonts are there.
func (p *page) notePlaces() {
	p.t.Helper()
	p.check(p.Wait(5*time.Second, `document.readyState === "complete" && document.fonts.status === "loaded"`))
	p.run(`window.noted = ` + places)
}

// nothingMoved checks that all stands where it was noted, once what is under way has come to rest. Whether something
// moved meanwhile is what the browser's count of layout shifts says, of every page.
func (p *page) nothingMoved() {
	p.t.Helper()
	if p.Wait(time.Second, `!`+moved) != nil {
		p.t.Errorf("something moved: %s", p.text(moved))
	}
}
