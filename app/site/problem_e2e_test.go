package site

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/scalebook/scalebook/app/site/browser"
)

// In a problem the question stands alone: its working shows when the reader has answered, or has opened the answer,
// which hides nothing. Nor does a plot show that would tell it by another row.
func TestQuestionIsComplete(t *testing.T) {
	t.Parallel()
	at := serving(t, realBook, 0)
	p := tab(t, browser.Options{}).open(at + "introduction/").wake()
	seen := func(selector string) bool {
		return p.is(`document.querySelector('` + selector + `').checkVisibility({visibilityProperty: true})`)
	}
	const rows, number = "#strong-end .row-formula", `#strong-end output[data-name="N_end"]`
	const shown = `.problem .answer data[data-name="N_end"]`
	if !seen("#strong-end .question") || seen(rows) || seen("#strong-end .rest") {
		t.Error("unanswered, the question doesn't stand alone")
	}
	p.run(`document.querySelector(".problem:has(#strong-end) > .answer > summary").click()`)
	p.check(p.Wait(5*time.Second, `document.querySelector(".problem:has(#strong-end) > .answer").open`))
	if !seen(rows) || !seen(number) || !seen(shown) {
		t.Error("the opened answer hides something")
	}
	p.run(`document.querySelector(".problem:has(#strong-end) > .answer > summary").click()`)
	p.check(p.Wait(5*time.Second, `!document.querySelector(".problem:has(#strong-end) > .answer").open`))
	p.run(`document.querySelector("#strong-end .guess button:last-of-type").click()`)
	p.check(p.Wait(5*time.Second, `document.querySelector('`+number+`').hasAttribute("data-told")`))
	if !seen(rows) || !seen(number) {
		t.Error("answered, the working doesn't show")
	}
	p.open(at + "accelerators-problems/").wake()
	if p.run(`document.querySelector("#depth .plot").scrollIntoView()`); seen("#depth .plot") {
		t.Error("a plot gives the share away above the answer")
	}
	if !p.is(`document.querySelector("#depth .ask").compareDocumentPosition(
		document.querySelector("#depth .inputs")) & 4`) {
		t.Error("the question doesn't stand before its inputs")
	}
	p.run(`document.querySelector("#depth .guess button:last-of-type").click()`)
	p.soon("the plot, once that is told", `document.querySelector("#depth .plot").checkVisibility()`)
}

// The formula of a row that is asked for in the text waits with it, others show.
func TestFormulaWaits(t *testing.T) {
	t.Parallel()
	p := tab(t, browser.Options{}).open(serving(t, realBook, 0) + "introduction/").wake()
	seen := func(name string) string {
		return `document.querySelector('#know-enough .row:has(output[data-name="` + name +
			`"]) .row-formula').checkVisibility({visibilityProperty: true})`
	}
	if p.is(seen("each")) || p.is(seen("ops")) {
		t.Error("a formula that gives an answer away shows")
	}
	p.run(`[...document.querySelectorAll("#know-enough .guess button")].pop().click()`)
	p.soon("the formulas, once the answer is shown", seen("each")+" && "+seen("ops"))
}

// A formula is typed or written with the buttons of its symbols, and judged with other numbers too; an answer is chosen
// with a button. Both stay over a reload. The opened answers of a whole page hide nothing.
func TestAnswersOfEveryKind(t *testing.T) {
	t.Parallel()
	p := tab(t, browser.Options{}).open(serving(t, realBook, 0) + "rooflines-problems/").wake()
	verdict := func(sheet string) string {
		p.check(p.Wait(2*time.Second, `document.querySelector("#`+sheet+` .verdict")`))
		return p.text(`document.querySelector("#` + sheet + ` .verdict").firstChild.textContent`)
	}
	says := func(sheet, want string) {
		t.Helper()
		if got := verdict(sheet); !strings.Contains(got, want) {
			t.Errorf("%s: %s, not %s", sheet, got, want)
		}
	}
	const field = `document.querySelector("#int8--B_crit--guess")`
	p.run(`document.querySelector("#int8 .symbols button").click()`)
	p.check(p.Wait(5*time.Second, field+`.value === "C" && document.activeElement === `+field))
	p.check(p.Insert(" / 2 s"))
	p.check(p.Keys("\r"))
	p.check(p.Wait(10*time.Second, `document.querySelector("#int8--B_crit--guess-said").textContent`))
	said := p.text(`document.querySelector("#int8--B_crit--guess-said").textContent`)
	if !strings.Contains(strings.ToLower(said), "your formula") {
		t.Error("another unit is taken: ", said)
	}
	// Refusals with code in different places follow each other.
	for _, wrong := range []string{"C * y", "C / (2", "C * y", "C / (2"} {
		p.run(field + `.focus(); ` + field + `.select()`)
		p.check(p.Insert(wrong))
		p.check(p.Keys("\r"))
		p.soon("what is wrong with "+wrong, `document.querySelector("#int8--B_crit--guess-said").textContent !== `+
			strconv.Quote(said))
		said = p.text(`document.querySelector("#int8--B_crit--guess-said").textContent`)
	}
	p.run(field + `.focus(); ` + field + `.select()`)
	p.check(p.Insert("C / (2 * W)"))
	p.check(p.Keys("\r"))
	says("int8", "exactly right")
	p.check(p.Repeat("\r")) // the key is still down, and the button that forgets the answer has the focus
	says("int8", "exactly right")
	p.run(`document.querySelector("#derate .guess button").click()`)
	says("derate", "it is smaller")
	p.open(p.text("location.href")).wake()
	says("int8", "exactly right")
	p.run(`for (const a of document.querySelectorAll(".answer")) a.open = true`)
	if hidden := p.text(`[...document.querySelectorAll(".problem :is(output, .row-formula, .live, .rows, .answer p)")]
		.filter((e) => !e.closest("details:not([open]), .answer .sheet") &&
			!e.checkVisibility({ visibilityProperty: true }))
		.map((e) => e.outerHTML).join("\n")`); hidden != "" {
		t.Error("opened, the answers hide ", hidden)
	}
}

// The end of a page lists what was answered there, the farthest off first with where to read again, and forgets it on
// demand. The calculators then ask again.
func TestWhatWasAnswered(t *testing.T) {
	t.Parallel()
	p := tab(t, browser.Options{}).open(serving(t, realBook, 0) + "rooflines-problems/").wake()
	const list = `document.querySelector(".answered")`
	p.run(list + `.scrollIntoView()`)
	p.check(p.Wait(10*time.Second, list+`.textContent.includes("none of the")`))
	asked := p.text(list + `.textContent.match(/none of the (\d+)/)[1]`)
	p.run(`const f = document.querySelector("#datasheet--B_crit--guess");
		f.value = "3000";
		f.dispatchEvent(new Event("input", {bubbles: true}));
		document.querySelector("#datasheet .guess button").click();
		document.querySelector("#derate .guess button:nth-of-type(2)").click();
		document.querySelector("#cost .guess button:last-of-type").click()`)
	p.check(p.Wait(10*time.Second, list+`.textContent.includes("You answered 3 of the `+asked+`")`))
	text := p.text(list + `.innerText`)
	for _, want := range []string{"1 right or nearly right, 1 further off, 1 shown",
		"off by a factor of 10, too high", "Read again: critical batch", "Clear these answers",
		"kept in this browser alone"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
	link := p.text(list + ` && document.querySelector(".answered li a").getAttribute("href")`)
	if link != "#problem-sheet" {
		t.Error("the farthest off is ", link)
	}
	p.run(`[...document.querySelectorAll(".answered button")].pop().click()`)
	p.check(p.Wait(10*time.Second, list+`.textContent.includes("none of the")`))
	if p.is(`Object.keys(localStorage).some((k) => k.includes(":ask:")) || document.querySelector(".verdict")`) {
		t.Error("cleared, an answer is still there")
	}
}

// A reader with GPUs says so once: calculators that have both begin with a GPU on every page, the sentences around them
// follow, notes about GPUs stand out, and what the address or the reader sets stays.
func TestExamplesOnGPUs(t *testing.T) {
	t.Parallel()
	home := serving(t, realBook, 0)
	p := tab(t, browser.Options{}).open(home + "rooflines/").wake()
	chip := func(id string) string {
		return p.text(`document.querySelector("#` + id + ` [name=chip]").value`)
	}
	on := func(id, want string) {
		t.Helper()
		p.check(p.Wait(10*time.Second, `document.querySelector("#`+id+`").dataset.live !== undefined &&
			document.querySelector("#`+id+` [name=chip]").value === "`+want+`"`))
	}
	if got := chip("every-chip"); got != "tpu.v5e" {
		t.Errorf("the page begins with %s", got)
	}
	choose := func(word string) { p.run(`document.querySelector(".examples [value=` + word + `]").click()`) }
	p.run(`document.querySelector("#every-chip").scrollIntoView()`)
	on("every-chip", "tpu.v5e")
	choose("gpu")
	on("every-chip", "gpu.h100")
	on("tile-on-roof", "gpu.h100")
	p.check(p.Wait(5*time.Second,
		`Math.round(document.querySelector("#every-chip output[data-name=B_crit]").dataset.value) === 295`))
	v5e := p.text(`document.querySelector('main p > data[data-sheet="every-chip"][data-name="v5e"]').textContent`)
	if v5e != "241 tokens" {
		t.Errorf("the number of a v5e became %q", v5e)
	}

	p.open(home + "sharding/").wake()
	on("too-big", "gpu.h100")
	p.check(p.Wait(5*time.Second,
		`document.querySelector('main p > data[data-sheet="too-big"][data-name="chips"]').value === "10"`))
	if got := p.text(`document.querySelector(".examples [aria-pressed=true]").value`); got != "gpu" {
		t.Errorf("the choice shows as %q", got)
	}
	if p.is(`document.querySelector("#too-big .changed")`) {
		t.Error("a chip that the book has put there passes for the reader's")
	}
	if !p.is(`getComputedStyle(document.querySelector(".on-gpu")).borderLeftWidth === "3px"`) {
		t.Error("notes about GPUs don't stand out")
	}

	p.open(home + "training/?one-chip.chip=tpu.v6e").wake()
	on("one-chip", "tpu.v6e")
	on("dp", "gpu.h100")
	p.check(p.Wait(5*time.Second, `document.querySelector('main p > data[data-sheet="dp"][data-name="chip"]')
		.textContent.includes("H100")`))
	p.lacksNothing("training on GPUs")
	p.open(home + "introduction/").wake()
	on("strong", "gpu.h100")
	on("strong-end", "gpu.h100")
	p.lacksNothing("the introduction on GPUs")

	p.open(home + "rooflines/").wake()
	on("every-chip", "gpu.h100")
	choose("tpu")
	on("every-chip", "tpu.v5e")
	p.open(home + "sharding/").wake()
	on("too-big", "tpu.v5p")
	p.nothingWrong(home)
}

// lacksNothing holds that each number in the text of a page has a value.
func (p *page) lacksNothing(where string) {
	p.t.Helper()
	if lacking := p.text(`[...document.querySelectorAll("main :is(p, li) > data:not([data-asked])")]
		.filter((d) => !/[0-9A-Za-z]/.test(d.textContent) || d.textContent.includes("no value"))
		.map((d) => d.dataset.sheet + "." + d.dataset.name).join(" ")`); lacking != "" {
		p.t.Errorf("%s: no value of %s", where, lacking)
	}
}

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
	p := tab(t, browser.Options{})
	for _, chapter := range openings(t) {
		for i, o := range []browser.Options{{Width: 1280, Height: 800}, {Width: 390, Height: 844, Touch: true}} {
			where := chapter + []string{" on a desktop", " on a phone"}[i]
			p.check(p.See(o))
			p.open(home + chapter + "/")
			p.run(`const s = document.querySelector(".sheet[data-size=opening]")
				s.dispatchEvent(new FocusEvent("focusin", {bubbles: true})); scrollTo(0, 0)`)
			p.check(p.Wait(startTimeout, lead+`.closest("[data-live]")`))
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

// A choice and a number are answered with the keyboard alone, and with a finger on a phone, and what they come to is
// said where screen readers listen.
func TestAnswersByKeyboardAndTouch(t *testing.T) {
	t.Parallel()
	const sheet = `document.querySelector("#q-generations")`
	const choice = sheet + `.querySelectorAll(".ask")[0]`
	const number = sheet + `.querySelectorAll(".ask")[1]`
	home := serving(t, realBook, 0)
	for _, o := range []browser.Options{{}, {Width: 390, Height: 844, Touch: true}} {
		p := tab(t, o).open(home + "gpus-problems/").wake()
		p.run(sheet + `.scrollIntoView({ block: "start" })`)
		p.check(p.Wait(10*time.Second, sheet+`.dataset.live !== undefined`))
		hidden := `!` + sheet + `.querySelector("output[data-name=most]").checkVisibility({ visibilityProperty: true })`
		if !p.is(hidden) {
			t.Error("the answer shows before the question is answered")
		}
		tap := func(of string) {
			t.Helper()
			p.run(of + `.scrollIntoView({ block: "center" })`)
			at := value[[2]float64](p, `(() => { const b = `+of+`.getBoundingClientRect();
				return [b.x + b.width / 2, b.y + b.height / 2]; })()`)
			p.check(p.Tap(at[0], at[1]))
		}
		press := func(of string) {
			t.Helper()
			if o.Touch {
				tap(of)
				return
			}
			p.run(of + `.focus()`)
			p.check(p.Keys("\r"))
		}
		press(choice + `.querySelector("button")`)
		p.soon("a verdict on the choice", choice+`.querySelector(".verdict")`)
		press(number + `.querySelector("input")`)
		p.run(number + `.querySelector("input").focus()`)
		p.check(p.Insert("2"))
		press(number + `.querySelector("button")`)
		p.soon("a verdict on the number", number+`.querySelector(".verdict")`)
		verdict := p.text(number + `.querySelector(".verdict").firstChild.textContent.trim()`)
		p.soon("the verdict, said", sheet+`.querySelector(".sheet-status").textContent.includes(`+
			strconv.Quote(verdict)+`)`)
		if p.is(hidden) {
			t.Error("the answer is hidden from who has answered")
		}
	}
}
