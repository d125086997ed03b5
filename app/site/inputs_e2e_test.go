package site

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp/kb"
	"github.com/scalebook/scalebook/app/site/browser"
)

// inputsBook is a page with a sheet that has an input of every form.
const inputsBook = "testdata/inputs"

// puts lets a control hold a value, and tells the page of it as the browser would.
func (p *page) puts(control, value, event string) {
	p.t.Helper()
	p.run(
		fmt.Sprintf("{ const c = document.querySelector(%q); c.value = %q; c.dispatchEvent(new Event(%q, {bubbles: "+
			"true})) }",
			control, value, event),
	)
}

// pick takes the focus to a menu and chooses an entry of it.
func (p *page) pick(menu, value string) {
	p.t.Helper()
	p.run(fmt.Sprintf("document.querySelector(%q).focus()", menu))
	p.puts(menu, value, "change")
}

// Hidden rows don't follow while their fold is closed; whoever opens it after a change, or changes something while it
// is open, sees the values of now.
func TestHiddenRowsFollowOnceOpened(t *testing.T) {
	t.Parallel()
	p := tab(t, browser.Options{}).open(serving(t, realBook, 0) + "accelerators/").wake()
	batch := `#chip-at-work [name="B"]:not([type=range])`
	p.puts(batch, "33", "input")
	p.waitOut("chip-at-work", "T_hbm", (33*4*4096+33554432)/2.765e12)
	for _, fold := range []string{"behind", "rest"} {
		p.run(fmt.Sprintf("document.querySelector('#chip-at-work details.%s > summary').click()", fold))
	}
	p.waitOut("chip-at-work", "acts", 33*4*4096)
	p.puts(batch, "34", "input")
	p.waitOut("chip-at-work", "acts", 34*4*4096)
}

// A range and a menu follow another input; what no longer fits is replaced, with a message, and comes back.
func TestInputsFollow(t *testing.T) {
	t.Parallel()
	home := serving(t, inputsBook, 500*time.Millisecond)
	p := tab(t, browser.Options{})
	p.open(home)
	p.notePlaces()
	p.wake()
	p.nothingMoved()
	p.retype("forms", "tp", "8")
	p.waitOut("forms", "y", 16)
	p.retype("forms", "heads", "6")
	p.waitOut("forms", "y", 12)
	p.soon("the message",
		`document.querySelector("#forms--tp--note").textContent.startsWith("8 is out of range; give 1 to 6. Now 6.")`)
	p.soon("the menu", `[...document.querySelector("#forms--d").options].map(o => o.value).join() === "1,2,3,6"`)
	p.soon("its value", `document.querySelector("#forms--d").value === "2"`)
	p.soon("the stepper's end", `document.querySelector("#forms--t").max === "5"`)
	p.retype("forms", "heads", "16")
	p.waitOut("forms", "y", 16)
	p.soon("no message", `!document.querySelector("#forms--tp--note").textContent.includes("range")`)

	p.puts("#forms--fabric", "tree", "change")
	p.soon("an input that comes",
		`document.querySelector("#forms--adds") && !document.querySelector("#forms--adds").checked`)
	p.run(`document.querySelector("#forms--adds").click()`)
	p.waitOut("forms", "passes", 1)
	p.puts("#forms--fabric", "ring", "change")
	p.waitOut("forms", "passes", 2)
	p.soon("and goes", `!document.querySelector("#forms--adds")`)
	p.nothingWrong(strings.TrimSuffix(home, base))
}

// The fields of constants hold those of the entry that is chosen, also of one that was chosen before.
func TestConstantsFollowTheirEntry(t *testing.T) {
	t.Parallel()
	p := tab(t, browser.Options{}).open(serving(t, inputsBook, 0)).wake()
	p.run(`document.querySelector('#entries [data-key="constants:chip"] summary').click()`)
	for _, c := range [][2]string{{"v5e", "819 GB/s"}, {"v5p", "2765 GB/s"}, {"v5e", "819 GB/s"},
		{"v5p", "2765 GB/s"}} {
		p.puts("#entries--chip", "tpu."+c[0], "change")
		p.soon("the bandwidth of "+c[0],
			`document.querySelector("#entries [name=tpu_`+c[0]+`__hbm_bandwidth]")?.value === "`+c[1]+`"`)
	}
}

// What a goal may change stays chosen in its menu while an input before it comes and goes.
func TestGoalKeepsItsInput(t *testing.T) {
	t.Parallel()
	p := tab(t, browser.Options{}).open(serving(t, inputsBook, 0)).wake()
	const menu = `document.querySelector("#entries--T--goal-input")`
	for _, fold := range []string{"row:T", "more:T"} {
		p.soon(fold, `document.querySelector('#entries [data-key="`+fold+`"] > summary')`)
		p.run(`document.querySelector('#entries [data-key="` + fold + `"] > summary').click()`)
	}
	p.soon("the menu", menu)
	p.puts("#entries--T--goal-input", "m", "change")
	for _, c := range [][2]string{{"16", "n,spare,m"}, {"4", "n,m"}, {"16", "n,spare,m"}} {
		p.retype("entries", "n", c[0])
		p.soon("the inputs of "+c[0]+" chips",
			`[...`+menu+`.options].map(o => o.value).join() === "`+c[1]+`" && `+menu+`.value === "m"`)
	}
}

// Several choices, a stepper and a document, by mouse and keys; the address brings them back, but for the document.
func TestInputsOfEveryForm(t *testing.T) {
	t.Parallel()
	home := serving(t, inputsBook, 0)
	p := tab(t, browser.Options{})
	p.open(home).wake()
	p.puts("#forms--chips", "tpu.v5p", "change")
	p.soon("a third chip",
		`document.querySelectorAll("#forms .pills li").length === 3 && document.querySelector("#forms--chips").disabled`)
	p.run(`document.querySelector("#forms .pills .drop").click()`)
	p.soon("taken out", `document.querySelector("#forms .pills").textContent.startsWith("H100")`)
	p.soon("the menu goes back", `document.querySelector("#forms--chips").value === "+"`)

	p.run(`document.querySelector("#forms--t--next").focus()`)
	note := `document.querySelector("#forms .input-step .note").textContent`
	for _, c := range []struct{ key, want string }{{"\r", "2 of 8"}, {"\u0303", "3 of 8"}, {"\u0302", "2 of 8"},
		{"\u0305", "8 of 8"}, {"\u0306", "1 of 8"}} {
		p.check(p.Keys(c.key))
		p.soon(fmt.Sprintf("key %q", c.key),
			note+` === "`+c.want+`" && document.activeElement.id === "forms--t--next"`)
	}
	p.run(`document.querySelector("#forms--t--play").click()`)
	p.soon("it plays to its end", note+` === "8 of 8" && document.querySelector("#forms--t--play").title === "Play"`)
	p.waitOut("forms", "y", 15)

	p.puts("#forms--config", "{}", "input")
	p.waitOut("forms", "own", 1)
	p.soon(
		"the address",
		`location.search.includes("forms.chips=gpu.h100,tpu.v5p") && location.search.includes("forms.t=7")`,
	)
	if p.is(`location.search.includes("config")`) {
		t.Error("the document is in the address")
	}
	q := tab(t, browser.Options{})
	q.open(home + p.text(`location.search`)).wake()
	q.waitOut("forms", "y", 15)
	q.soon("the chips", `document.querySelectorAll("#forms .pills li").length === 2`)
	p.nothingWrong(strings.TrimSuffix(home, base))
}

// The checker finds nothing in inputs of every form, as printed and in use, wide and narrow.
func TestInputsHaveNoAxeFaults(t *testing.T) {
	t.Parallel()
	script := checker(t)
	home := serving(t, inputsBook, 0)
	p := tab(t, browser.Options{}).open(home).wake()
	p.retype("forms", "tp", "80")
	p.checkLooks(script, "in use")
}

// On a phone the picture of a slider that a finger moves stays in sight and beside the finger, and nothing scrolls.
func TestPictureStaysInSight(t *testing.T) {
	t.Parallel()
	p := tab(t, phone).open(serving(t, realBook, 0) + "training/").wake()
	p.staysInSight("#mixed") // a hero
	p.staysInSight("#tp")
}

func (p *page) staysInSight(sheet string) {
	p.t.Helper()
	slider := `document.querySelector("` + sheet + ` .inputs .slider")`
	picture := `document.querySelector("` + sheet + ` :is(.inputs, .asked) ~ * svg")`
	seen := `(r => r.bottom <= innerHeight && r.top > ` + slider + `.getBoundingClientRect().bottom)(` +
		picture + `.getBoundingClientRect())`
	p.run(slider + `.scrollIntoView({block: "center", behavior: "instant"})`)
	p.check(p.Wait(5*time.Second, `document.querySelector("`+sheet+`").dataset.live !== undefined`))
	at := p.number(`scrollY`)
	if p.is(seen) {
		p.t.Fatal(sheet + ": the picture is in sight by itself")
	}
	x := p.number(`(s => { const r = s.getBoundingClientRect();
		return r.left + 8 + (s.value - s.min) / (s.max - s.min) * (r.width - 16) })(` + slider + `)`)
	y := p.number(`(r => r.top + r.height / 2)(` + slider + `.getBoundingClientRect())`)
	was := p.text(slider + `.value`)
	p.check(p.Touch(input.DispatchTouchEventTypeTouchStart, x, y))
	p.soon(sheet+": the picture is in sight", seen)
	for i := range 10 {
		p.check(p.Touch(input.DispatchTouchEventTypeTouchMove, x-4*float64(i), y))
	}
	p.soon(sheet+": the slider follows", slider+`.value !== "`+was+`"`)
	if !p.is(seen) || p.number(`scrollY`) != at {
		p.t.Error(sheet + ": the picture goes, or the page scrolls, while a finger moves its slider")
	}
	p.check(p.LiftFinger())
	p.soon(sheet+": the picture goes back", `!(`+seen+`)`)
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
	p.run(peakField + `.value = "12 parrots ".repeat(200);` + peakField + `.dispatchEvent(new Event("input"))`)
	p.noWider("with a long text in the sentence")
	p.run(peakField + `.value = "12 parrots";` + peakField + `.dispatchEvent(new Event("input"))`)
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
	p.soon("the true curve over it", plot+`.hasAttribute("data-told") && `+plot+
		`.querySelector(".line").checkVisibility(
		{visibilityProperty: true}) && `+plot+`.querySelectorAll("g.guess circle").length === 5`)
	const verdict = `document.querySelector("#small-matmuls [role=status]").textContent.includes(
		"Your curve is off by a factor of")`
	p.soon("said politely", verdict)
	p.run(`document.querySelector("#small-matmuls button[id$=--again]").click()`)
	p.soon("asked again", `!`+plot+`.hasAttribute("data-told")`)
	p.run(`const c = ` + plot + `.querySelectorAll(".plot-cursor")[2]; c.value = +c.value + 5;
		c.dispatchEvent(new Event("input", {bubbles: true}));
		document.querySelector("#small-matmuls .guess button").click()`)
	p.soon("said again", verdict)
	time.Sleep(700 * time.Millisecond) // results are reported this long after a change
	if !p.is(verdict) {
		p.t.Error("results have taken the verdict's place")
	}
	if got := p.number(plot + stageHeight); got != top {
		p.t.Errorf("the picture was %v high and is %v", top, got)
	}
}

// places is where everything stands that is seen, but for the insides of drawings and menus, for the sliders that lie
// over plots, as a plot that lives may have one more, and for the buttons that a script of the page puts over it some
// time after it has loaded: they take no space.
const places = `[...document.querySelectorAll("main *")].filter(e =>
	!e.closest("template, option, svg, .plot-cursor, .skip, details:not([open]) > :not(summary)") &&
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

// listened counts what workers find for the page.
const listened = `
	window.findings = 0;
	const Before = window.Worker;
	window.Worker = class extends Before {
		constructor(url) {
			super(url);
			this.addEventListener("message", (e) => { if (e.data.found) findings++; });
		}
	};`

// Workers share a long search. What is found is what the page finds alone, where no worker can be had, and after a
// stop.
func TestLongSearchInWorkers(t *testing.T) {
	t.Parallel()
	home := serving(t, realBook, 0)
	p := tab(t, browser.Options{})
	const page = "training-planner/?training.m=mixtral.8x22b&training.N=256&training.B=4194304" +
		"&training.T=4096#training"
	const every = `document.querySelector('#training input[type=checkbox][name="all"]').click()`
	const priced = `+document.querySelector('#training output[data-name="priced"]').dataset.value`
	const done = priced + ` > 0 && !document.querySelector("#training [data-task]")`
	const found = `["priced", "step", "memory", "mfu"].map((name) =>
		document.querySelector('#training output[data-name="' + name + '"]').dataset.value).join(" ")`

	p.open(home + page).wake().run(listened)
	p.soon("the usual plans", done)
	usual := p.text(priced + ` + ""`)
	p.run(every)
	p.soon("a worker that found something", `findings > 0`)
	p.run(`document.querySelector("#training [data-task=search] button").click()`)
	p.soon("stopped", `document.querySelector("#training [data-task=search]").textContent.includes("stopped")`)
	p.run(`document.querySelector("#training [data-task=search] button").click()`)
	p.late("the end", done+` && `+priced+` > `+usual)
	shared := p.text(found)

	p.open(home + page).wake().run(`window.Worker = class { constructor() { throw new Error("forbidden"); } }`)
	p.soon("the usual plans", done)
	p.run(every)
	p.late("the end", done+` && `+priced+` > `+usual)
	if alone := p.text(found); alone != shared {
		t.Errorf("the page alone finds %s, with workers %s", alone, shared)
	}
	p.nothingWrong(strings.TrimSuffix(home, base))
}

// slid moves each slider of the page by a step, and names those that the first move takes from under the hand.
const slid = `(async () => {
	const moved = [];
	for (const slider of document.querySelectorAll("section.sheet[data-live] .inputs input[type=range]")) {
		if (!slider.offsetParent) continue;
		const sheet = slider.closest("section"), was = slider.value;
		slider.scrollIntoView({block: "center"});
		const place = () => slider.getBoundingClientRect().top - sheet.getBoundingClientRect().top;
		const before = place();
		for (const value of [+was < +slider.max ? +was + 1 : was - 1, was]) {
			slider.value = value;
			slider.dispatchEvent(new Event("input", {bubbles: true}));
			await new Promise((done) => requestAnimationFrame(done));
			if (Math.abs(place() - before) > 0.5) moved.push(sheet.dataset.sheet + "." + slider.id);
		}
	}
	return moved.join(", ");
})()`

// What is noted beside a label when its value changes makes no line longer: a slider stays under the hand.
func TestSlidersStayUnderTheHand(t *testing.T) {
	t.Parallel()
	home := serving(t, realBook, 0)
	for _, width := range []int64{1280, 390} {
		for _, path := range []string{"rooflines/", "gpus/"} {
			p := tab(t, browser.Options{Width: width, Height: 800})
			p.open(home + path).wake()
			if moved := p.text(slid); moved != "" {
				t.Errorf("/%s at %d px: the first move moves %s", path, width, moved)
			}
		}
	}
}
