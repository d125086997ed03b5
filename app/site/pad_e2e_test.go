package site

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
	"github.com/scalebook/scalebook/app/site/browser"
)

// padPage opens the scratch pad and waits for its program.
func padPage(t *testing.T, fragment string) (p *page, origin string) {
	t.Helper()
	origin = serving(t, testBook, 0)
	p = tab(t, browser.Options{}).open(origin + "scratch/" + fragment)
	p.padRuns()
	return p, origin
}

func (p *page) padRuns() {
	p.t.Helper()
	p.check(
		p.Wait(
			startTimeout,
			`document.documentElement.dataset.live && !document.getElementById("pad-text").readOnly
				&& (document.querySelector("#scratch[data-live]") || document.getElementById("pad-errors").children.length)`,
		),
	)
}

const mine = "title Mine\nlet n = 4 in 1..9\ntwice = 2 * n\n"

// write replaces the text by what is typed, key by key.
func (p *page) write(text string) {
	p.t.Helper()
	p.run(`const t = document.getElementById("pad-text"); t.focus(); t.select()`)
	p.check(p.Keys(strings.ReplaceAll(text, "\n", "\r")))
	if got := p.text(`document.getElementById("pad-text").value`); got != text {
		p.t.Fatalf("typing %q gave %q", text, got)
	}
}

func (p *page) says(id, what string) {
	p.t.Helper()
	p.check(p.Wait(5*time.Second, `document.getElementById("`+id+`").innerText.includes(`+quoted(what)+`)`))
}

func quoted(s string) string { return `"` + strings.ReplaceAll(s, `"`, `\"`) + `"` }

// A sheet is computed as it is written; an error is listed, marked where it stands, and leads there; until it is mended
// the last good sheet stays, marked as such.
func TestPadComputesWhatIsWritten(t *testing.T) {
	t.Parallel()
	p, origin := padPage(t, "")
	p.write(mine)
	p.waitOut("scratch", "twice", 8)
	if got := p.text(`document.querySelector("#scratch-title").textContent`); got != "Mine" {
		t.Errorf("the title is %q", got)
	}
	p.retype("scratch", "n", "5")
	p.waitOut("scratch", "twice", 10)
	p.run(`document.getElementById("pad-text").focus()`)
	p.check(p.Keys("bad = twce + 1"))
	p.says("pad-status", "1 error.")
	p.says("pad-errors", "4:7")
	p.says("pad-errors", "twice") // the remedy
	if got := p.out("scratch", "twice"); got != 10 || !p.is(`document.querySelector("#scratch[data-stale]")`) {
		t.Errorf("the last good sheet is gone: %v", got)
	}
	p.says("pad-stale", "last made sense")
	if !p.is(`document.getElementById("pad-text").getAttribute("aria-invalid") === "true" &&
		document.getElementById("pad-text").getAttribute("aria-describedby").includes("pad-status")`) {
		t.Error("a screen reader doesn't hear of the error")
	}
	// The underline stands below the wrong word: letter and line of the text.
	if got := p.text(`(() => {
		const m = document.querySelector("#pad-marks mark"), r = m.getBoundingClientRect(),
			t = document.getElementById("pad-text"), b = t.getBoundingClientRect(), s = getComputedStyle(t);
		const letter = r.width / 4, line = parseFloat(s.lineHeight);
		const x = b.x + parseFloat(s.borderLeftWidth) + parseFloat(s.paddingLeft) + 6 * letter - t.scrollLeft, y = b.y
			+ parseFloat(s.borderTopWidth) + parseFloat(s.paddingTop) + 3 * line - t.scrollTop;
		return m.textContent + (Math.abs(r.x - x) < 1 && r.y >= y - 1 && r.bottom <= y + line + 1 ? "" : " at "
			+ [r.x, x, r.y, y]);
	})()`); got != "twce" {
		t.Errorf("marked: %s", got)
	}
	p.run(`document.querySelector("#pad-errors button").click()`)
	if got := p.text(`(t => document.activeElement === t ? t.value.slice(t.selectionStart, t.selectionEnd)
		: "")(document.getElementById("pad-text"))`); got != "twce" {
		t.Errorf("the button selects %q", got)
	}
	p.check(p.Keys("twice"))
	p.waitOut("scratch", "bad", 11)
	p.says("pad-status", "No errors.")
	if p.is(
		`document.querySelector("#scratch[data-stale], #pad-marks mark")
			|| document.getElementById("pad-text").ariaInvalid === "true"`,
	) {
		t.Error("what is mended is still marked")
	}
	p.write("title Other\nlet mode = on \"A switch\"\nlet chip = tpu.v5e\nW = chip.hbm\n") // other kinds of controls
	p.check(
		p.Wait(
			5*time.Second,
			`document.querySelector("#scratch input[name=mode]")?.checked
				&& document.querySelector("#scratch select[name=chip]")?.value === "tpu.v5e"
				&& !document.querySelector("#scratch [name=n]")`,
		),
	)
	p.nothingWrong(origin)
}

// Names are completed by the keyboard alone, and the keyboard is never trapped.
func TestPadCompletesNames(t *testing.T) {
	t.Parallel()
	p, origin := padPage(t, "")
	p.write(mine)
	p.check(p.Keys("y = tw"))
	p.check(p.Wait(5*time.Second, `!document.getElementById("pad-names").hidden`))
	active := `document.getElementById("pad-text").getAttribute("aria-activedescendant")`
	if got := p.text(`document.getElementById(` + active + `).textContent`); got != "twice" {
		t.Errorf("%q is offered first", got)
	}
	p.check(p.Keys("\r"))
	if got := p.text(`document.getElementById("pad-text").value`); got != mine+"y = twice" {
		t.Errorf("accepted: %q", got)
	}
	p.waitOut("scratch", "y", 8)
	ctrlSpace := `document.activeElement.dispatchEvent(
		new KeyboardEvent("keydown", {key: " ", code: "Space", ctrlKey: true, bubbles: true, cancelable: true}))`
	p.check(p.Keys(" * ma"))
	p.run(ctrlSpace)
	first := p.text(active)
	p.check(p.Keys(kb.ArrowDown))
	second := p.text(active)
	chosen := p.text(`document.getElementById(` + active + `).textContent`)
	if first == second || first == "" ||
		p.number(`document.querySelectorAll("#pad-names [aria-selected=true]").length`) != 1 {
		t.Errorf("the arrow leads from %q to %q", first, second)
	}
	p.check(p.Keys("\t"))
	if got := p.text(`document.getElementById("pad-text").value`); got != mine+"y = twice * "+chosen {
		t.Errorf("accepted by Tab: %q, chosen was %q", got, chosen)
	}
	p.check(p.Keys("\rz = tw"))
	p.check(p.Wait(5*time.Second, `!document.getElementById("pad-names").hidden`))
	p.check(p.Keys(kb.Escape))
	if !p.is(
		`document.getElementById("pad-names").hidden
			&& !document.getElementById("pad-text").hasAttribute("aria-activedescendant")`,
	) {
		t.Error("Escape doesn't close the list")
	}
	p.check(p.Keys("\t"))
	if p.is(`document.activeElement.id === "pad-text"`) ||
		!p.is(`document.getElementById("pad-text").value.endsWith("\nz = tw")`) {
		t.Error("Tab is trapped in the text")
	}
	p.nothingWrong(origin)
}

// A link carries the text to another browser; editing it there gives the address back.
func TestPadLink(t *testing.T) {
	t.Parallel()
	p, origin := padPage(t, "")
	p.write(mine)
	p.waitOut("scratch", "twice", 8)
	p.run(`document.getElementById("pad-link").click()`)
	p.check(p.Wait(5*time.Second, `location.hash.startsWith("#s=1")`))
	p.says("pad-said", "link")
	withNumbers := func() string { // by the link of the sheet itself
		p.retype("scratch", "n", "5")
		p.waitOut("scratch", "twice", 10)
		p.run(`[...document.querySelectorAll("#scratch .sheet-tools button")].find(b => b.textContent === "Link").click()`)
		p.check(p.Wait(5*time.Second, `location.search === "?scratch.n=5" && location.hash.startsWith("#s=1")`))
		return p.text("location.href")
	}
	plain, numbers := p.text("location.href"), withNumbers()
	r := tab(t, browser.Options{}).open(numbers)
	r.padRuns()
	r.waitOut("scratch", "twice", 10)
	q := tab(t, browser.Options{}).open(plain)
	q.padRuns()
	q.waitOut("scratch", "twice", 8)
	if got := q.text(`document.getElementById("pad-text").value`); got != mine {
		t.Errorf("the link brings %q", got)
	}
	q.run(`document.getElementById("pad-text").focus()`)
	q.check(q.Keys("# more"))
	q.open(q.text("location.href"))
	q.padRuns()
	if got := q.text(`document.getElementById("pad-text").value`); !strings.Contains(got, "# more") {
		t.Errorf("what was added to a link's text is lost: %q", got)
	}
	q.nothingWrong(origin)
}

// A sheet of a chapter opens in the pad, with the reader's numbers.
func TestPadOpensAChaptersSheet(t *testing.T) {
	t.Parallel()
	p := tab(t, browser.Options{}).open(serving(t, testBook, 0) + "one/").wake()
	p.retype("alpha", "B", "1k")
	p.waitOut("alpha", "ops", 2*1000*4096.0*4096)
	p.run(
		`[...document.querySelectorAll("#alpha .menu-list button")]
			.find(b => b.textContent === "Open in the scratch pad").click()`,
	)
	p.check(p.Wait(startTimeout, `location.pathname.endsWith("/scratch/") && document.readyState === "complete"`))
	p.padRuns()
	p.waitOut("scratch", "ops", 2*1000*4096.0*4096)
	if got := p.text(`document.getElementById("pad-text").value`); !strings.Contains(got, "let B = ") ||
		strings.Contains(got, "expect ") {
		t.Errorf("the text is %q", got)
	}
	if !p.is(`!document.querySelector("#scratch .menu-list").textContent.includes("scratch pad")`) {
		t.Error("the pad offers to open itself")
	}
}

// What is written and what is saved survives a reload, also when something else takes its place.
func TestPadKeeps(t *testing.T) {
	t.Parallel()
	p, origin := padPage(t, "")
	p.write(mine + "oops = ")
	p.says("pad-status", "1 error.")
	p.open(p.text("location.href"))
	p.padRuns()
	if got := p.text(`document.getElementById("pad-text").value`); got != mine+"oops = " {
		t.Fatalf("after a reload the text is %q", got)
	}
	p.says("pad-status", "1 error.")
	p.write(mine)
	p.waitOut("scratch", "twice", 8)
	p.run(`document.getElementById("pad-save").click()`)
	p.says("pad-saved", "Mine")
	p.write("title Unsaved\nlet k = 1\n")
	p.run(`document.querySelector(".pad-open button").click()`) // an example takes its place
	p.says("pad-saved", "Unsaved")
	p.open(origin + "scratch/") // with nothing of the link
	p.padRuns()
	p.says("pad-saved", "Mine")
	p.run(`[...document.querySelectorAll("#pad-saved button")].find(b => b.textContent === "Mine").click()`)
	p.waitOut("scratch", "twice", 8)
	if got := p.text(`document.getElementById("pad-text").value`); got != mine {
		t.Errorf("saved: %q", got)
	}
	names := `[...document.querySelectorAll("#pad-saved li")].map(e => e.firstChild.textContent).join()`
	before := p.text(names)
	p.run(`document.querySelector('#pad-saved [aria-label="Delete Mine"]').click()`)
	if got := p.text(names); strings.Contains(got, "Mine") {
		t.Errorf("deleted, and still there: %s", got)
	}
	p.run(`document.querySelector("#pad-said button").click()`)
	if got := p.text(names); len(got) != len(before) || !strings.Contains(got, "Mine") {
		t.Errorf("the deleted came back as %q, was %q", got, before)
	}
	if got := p.text(`Object.keys(localStorage).filter(k => !k.startsWith("scalebook:/scalebook/:")).join()`); got != "" {
		t.Errorf("other keys are written: %s", got)
	}
	p.nothingWrong(origin)
}

// searches is a sheet of so many searches over plans of training, each for another number of chips.
func searches(n int) string {
	var b strings.Builder
	b.WriteString("title Searches\n")
	for i := range n {
		fmt.Fprintf(&b, "p%d = count(training_plans(training_search(training_job(llama3.405b, gpu.h100, %d chip, "+
			"4194304, 8192, "+
			"bf16, usual_software(gpu.h100)), on, 0%%, 0)))\n", i, 1024+128*i)
	}
	return b.String()
}

// An edit of a sheet with many searches keeps the page for no longer than a slice of them, says how far each has come,
// lets the reader cancel it, and keeps what has been found.
func TestPadEditsInSlices(t *testing.T) {
	p, origin := padPage(t, "")
	paste := func(text string) {
		t.Helper()
		p.run(`const t = document.getElementById("pad-text"); t.value = ` + quotedLines(text) + `;
			t.dispatchEvent(new Event("input", {bubbles: true}))`)
	}
	p.run(`window.longest = 0; new PerformanceObserver(l => l.getEntries().forEach(e => {
		window.longest = Math.max(window.longest, e.duration) })).observe({entryTypes: ["longtask"]})`)
	const tasks, all = `document.querySelectorAll("#scratch .task").length`, 20
	paste(searches(all))
	p.check(p.Wait(20*time.Second, tasks+` > 0 && document.querySelector("#scratch .task button")`))
	p.check(p.Wait(60*time.Second, tasks+` < `+strconv.Itoa(all-1)))
	found := p.number(tasks)
	first := p.out("scratch", "p0")
	p.run(`window.look = setInterval(() => { // what has been found is not searched for again
		const n = document.querySelectorAll("#scratch .task").length; window.most = Math.max(window.most ?? 0, n) }, 5)`)
	paste("\n" + searches(all) + "\n")
	p.check(p.Wait(10*time.Second, `document.getElementById("pad-text").value.endsWith("\n\n") && window.most > 0`))
	time.Sleep(time.Second)
	if most := p.number(`window.most`); most > found {
		t.Errorf("%v searches are under way after the edit, %v were before", most, found)
	}
	if got := p.out("scratch", "p0"); got != first || first == 0 {
		t.Errorf("p0 is %v after the edit, %v before", got, first)
	}
	p.run(`clearInterval(window.look); document.querySelector("#scratch .task:last-child button").click()`)
	p.check(p.Wait(10*time.Second, `document.querySelector("#scratch .task:last-child").textContent.includes("stopped at")`))
	if ms := p.number(`window.longest`); ms > 1000 {
		t.Errorf("an edit keeps the page for %.0f ms", ms)
	} else {
		t.Logf("the longest task of the page took %.0f ms", ms)
	}
	p.nothingWrong(origin)
}

// quotedLines is quoted for a text of several lines.
func quotedLines(s string) string { return strings.ReplaceAll(quoted(s), "\n", `\n`) }

// A text longer than a sheet may be is refused at once, whether it is pasted or comes in another way, and the box of
// the text stays as high as it is.
func TestPadRefusesAFlood(t *testing.T) {
	t.Parallel()
	p, origin := padPage(t, "")
	took := p.number(`(() => { const t = document.getElementById("pad-text"),
		flood = "x = 1 + 2 # and more of it\n".repeat(30000);
		t.focus(); t.select();
		const began = performance.now();
		window.refused = !t.dispatchEvent(new InputEvent("beforeinput", {inputType: "insertFromPaste", data: flood,
			cancelable: true, bubbles: true}));
		t.value = flood; t.dispatchEvent(new Event("input", {bubbles: true}));
		t.getBoundingClientRect();
		return performance.now() - began })()`)
	if took > 1000 {
		t.Errorf("a flood of text keeps the page for %.0f ms", took)
	}
	if !p.is(`refused`) {
		t.Error("the flood was let in")
	}
	p.says("pad-message", "64 KiB")
	if p.is(`document.getElementById("pad-text").value.length > 10000`) {
		t.Error("the flood took the place of the text")
	}
	p.write("a = 1\n")
	if !p.is(`document.getElementById("pad-message").hidden`) {
		t.Error("the message stays after the text is short again")
	}
	p.run(`const t = document.getElementById("pad-text"); t.value = "a = 1\n".repeat(500);
		t.dispatchEvent(new Event("input", {bubbles: true}))`)
	p.check(p.Wait(5*time.Second, `document.getElementById("pad-errors").children.length`))
	if h := p.number(`document.getElementById("pad-box").getBoundingClientRect().height`); h > 900 {
		t.Errorf("500 lines make the box %.0f pixels high", h)
	}
	p.nothingWrong(origin)
}

// An address that nobody made here is refused in words, a bomb isn't unpacked, and markup stays text.
func TestPadRefusesHostileAddresses(t *testing.T) {
	t.Parallel()
	var bomb bytes.Buffer
	w, _ := flate.NewWriter(&bomb, 9)
	w.Write(bytes.Repeat([]byte("a"), 8<<20)) // into memory
	w.Close()
	for fragment, want := range map[string]string{
		"#s=" + `<img/src=x/onerror="window.hit=1">`:                "not made by this scratch pad",
		"#s=1" + strings.Repeat("%3Cscript%3E", 5):                  "missing or changed",
		"#s=1" + base64.RawURLEncoding.EncodeToString(bomb.Bytes()): "64 KiB",
		"#s=1" + strings.Repeat("A", 100_000):                       "longer than any",
	} {
		p, origin := padPage(t, fragment)
		p.says("pad-message", want)
		if p.is(`window.hit || document.querySelector("main img, main script")`) {
			t.Errorf("%.40s: markup got into the page", fragment)
		}
		p.waitOut(
			"scratch",
			"faster",
			(819e9*0+p.out("scratch", "T_a"))/p.out("scratch", "T_b"),
		) // the page's own sheet works
		p.nothingWrong(origin)
	}
	p, origin := padPage(t, "")
	p.write(
		"title <img src=x onerror='window.hit=1'>\nlet n = 1 \"</template><script>window.hit=1</script>\"\nm = n + <b>\n",
	)
	p.says("pad-status", "error")
	p.run(`document.getElementById("pad-save").click()`)
	p.write("title <img src=x onerror='window.hit=1'>\nlet n = 1 \"</template><script>window.hit=1</script>\"\n")
	p.check(p.Wait(5*time.Second, `document.querySelector("#scratch-title")?.textContent.startsWith("<img")`))
	if p.is(`window.hit || document.querySelector("main img, main script, main li b")`) {
		t.Error("markup of a sheet got into the page")
	}
	p.nothingWrong(origin)
}

// Without scripts the page says that it needs them, and shows the texts; chapters don't pay for the pad.
func TestPadPagePrinted(t *testing.T) {
	files := render(t, realBook)
	text := string(files["scratch/index.html"])
	if !strings.Contains(text, "needs scripts to run here") || strings.Count(text, `class="pad-example"`) < 5 ||
		!strings.Contains(text, "<pre>title A roofline\n") {
		t.Error("the printed page doesn't say what it is or lacks the examples")
	}
	for _, p := range paths(files) {
		if page := string(files[p+"index.html"]); p != "scratch/" && strings.Contains(page, "/pad.") {
			t.Errorf("/%s loads what only the pad needs", p)
		}
	}
	for name, data := range files {
		if strings.HasPrefix(name, "assets/book.") && bytes.Contains(data, []byte("#pad-text")) {
			t.Errorf("%s has the pad's style", name)
		}
	}
}

// While the program waits for a module, its functions return nothing: the scratch pad asks again.
func TestPadWaitsForLaterModule(t *testing.T) {
	t.Parallel()
	p, _ := padPage(t, "")
	p.run(`const show = scalebook.pad.show; window.late = 2;
		scalebook.pad.show = (...given) => late-- > 0 ? undefined : show(...given)`)
	p.write(mine)
	p.waitOut("scratch", "twice", 8)
	if p.is(`late >= 0`) {
		t.Error("no answer was late")
	}
}
