package site

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/scalebook/scalebook/app/site/browser"
)

// openings are the chapters that a picture opens.
func openings(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../../content/*.md")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if regexp.MustCompile("(?m)^```sheet [a-z0-9-]+ opening( [{].*[}])?$").Match(src) {
			found = append(found, strings.TrimSuffix(filepath.Base(f), ".md"))
		}
	}
	if len(found) == 0 {
		t.Fatal("no picture opens a chapter")
	}
	return found
}

// The picture that opens a chapter and all of its controls stand in the first screen, on a desktop and on a phone; on a
// desktop it is high. What is dragged in it sets an input, by a mouse and by a finger, and the picture follows.
func TestOpenings(t *testing.T) {
	t.Parallel()
	home := serving(t, realBook, 0)
	const lead = `document.querySelector(".sheet[data-size=opening] .lead")`
	const shown = `[...` + lead + `.querySelectorAll("svg.fig")].find(s => s.getBoundingClientRect().height > 0)`
	const grips = `[...` + shown + `.querySelectorAll("[data-pull]")].map(g => g.dataset.pull.split(" ")[0])`
	for _, chapter := range openings(t) {
		for _, o := range []browser.Options{{Width: 1280, Height: 800}, {Width: 390, Height: 844, Touch: true}} {
			where := chapter + " on a desktop"
			if o.Touch {
				where = chapter + " on a phone"
			}
			p := tab(t, o).open(home + chapter + "/").wake()
			p.run(`scrollTo(0, 0)`)
			if got := p.number(lead + `.getBoundingClientRect().bottom`); got > float64(o.Height) {
				t.Errorf("%s: the picture and its controls end at %v", where, got)
			}
			if high := p.number(shown + `.getBoundingClientRect().height`); !o.Touch && high < 420 {
				t.Errorf("%s: the picture is %v high", where, high)
			}
			if p.number(grips+`.length`) == 0 {
				t.Errorf("%s: nothing in the picture can be dragged", where)
				continue
			}
			name := p.text(grips + `[0]`)
			value := lead + `.querySelector("[name=` + name + `]").value`
			was, drawn := p.text(value), p.text(shown+`.querySelector("desc").textContent`)
			p.dragsHandle(shown, o.Touch)
			p.soon(where+": the input follows the pointer", value+` !== `+quoted(was))
			p.soon(where+": the picture follows", shown+`.querySelector("desc").textContent !== `+quoted(drawn))
			p.uncut(where)
			if p.number(`scrollY`) != 0 {
				t.Errorf("%s: the page scrolls while the picture is dragged", where)
			}
		}
	}
}

// dragsHandle drags the first thing of a drawing that can be dragged, some way along its axis, to and fro.
func (p *page) dragsHandle(drawing string, touch bool) {
	p.t.Helper()
	const rect = `(g => { const r = g.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })(`
	first := drawing + `.querySelector("[data-pull]")`
	at := rect + `[...` + first + `.querySelectorAll(".reach, .tile")].pop() ?? ` + first + `)`
	x, y := p.number(at+`[0]`), p.number(at+`[1]`)
	dx, dy := p.number(drawing+`.getBoundingClientRect().width`)/24, 0.0 // far enough to leave the widest bar
	if p.is(first + `.dataset.pull.split(" ")[1] === "y"`) {
		dx, dy = 0, 6
	}
	if !touch {
		p.check(p.Mouse(input.DispatchMouseEventTypeMousePressed, x, y))
		for i := range 8 {
			p.check(p.Mouse(input.DispatchMouseEventTypeMouseMoved, x+dx*float64(i), y+dy*float64(i)))
		}
		p.check(p.Mouse(input.DispatchMouseEventTypeMouseReleased, x+7*dx, y+7*dy))
		return
	}
	p.check(p.Touch(input.DispatchTouchEventTypeTouchStart, x, y))
	for i := range 8 {
		p.check(p.Touch(input.DispatchTouchEventTypeTouchMove, x+dx*float64(i), y+dy*float64(i)))
	}
	p.check(p.LiftFinger())
}
