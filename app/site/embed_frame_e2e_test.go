package site

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/scalebook/scalebook/app/site/browser"
	"github.com/scalebook/scalebook/app/widget/address"
)

// A frame takes its numbers from its address, with or without the name of the sheet.
func TestEmbedFrameState(t *testing.T) {
	t.Parallel()
	book, p := serving(t, testBook, 0), tab(t, browser.Options{})
	for query, want := range map[string]float64{"?x=3&utm_source=feed": 10, "?beta.x=4": 17, "?x=3&beta.x=4": 17} {
		p.open(book + "embed/beta/" + query).wake()
		p.waitOut("beta", "y", want)
		p.check(p.Wait(5*time.Second, `location.search.includes("beta.x=") && !/[?&]x=/.test(location.search)`))
		if strings.Contains(query, "utm") && !p.is(`location.search.includes("utm_source=feed")`) {
			t.Errorf("%s: a part that is not ours is lost", query)
		}
		if p.is(`document.querySelector(".sheet-toast, .notices *")`) {
			t.Errorf("%s: something is complained about", query)
		}
	}
	p.open(book + "embed/beta/?x=parrot").wake()
	p.check(p.Wait(5*time.Second, `document.querySelector(".notices").innerText.includes("parrot")`))
	if got := p.text(`document.querySelector(".embed-source a").href`); got != book+"one/#beta" {
		t.Errorf("the source is %s", got)
	}
	if !p.is(`document.querySelector(".embed-source").innerText.includes(location.host)`) {
		t.Error("the frame doesn't say where it is from")
	}
	p.open(book + "one/?x=3").wake() // a chapter has many sheets: x says nothing
	p.waitOut("beta", "y", 5)
}

// listenerOf is the listener that the book prints for its readers.
func listenerOf(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(realBook + "/embedding.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(text), "<script>\n")
	script, _, closed := strings.Cut(rest, "</script>")
	if !found || !closed || !strings.Contains(script, "addEventListener") {
		t.Fatal("the book prints no listener")
	}
	return script
}

// The listener that the book recommends fits a frame to its calculator, and believes nobody else.
func TestEmbedFrameHeight(t *testing.T) {
	t.Parallel()
	book := serving(t, testBook, 0)
	bad := hosted(
		t,
		`<!doctype html><script>setInterval(() => parent.postMessage({scalebook: "gamma", height: 7777}, "*"), 20)</script>`,
	)
	listener := listenerOf(t)
	p := tab(t, browser.Options{}).open(hosted(t, `<!doctype html>
		<iframe id="ours" src="`+book+`embed/gamma/" width="600" height="100"></iframe>
		<iframe id="bad" src="`+bad+`" width="600" height="100"></iframe>
		<script>`+strings.ReplaceAll(listener, "https://HOST", strings.TrimSuffix(book, base))+`</script>`))
	p.check(p.Wait(alive, `ours.clientHeight > 150 && ours.clientHeight < 3000`))
	p.run(`window.first = ours.clientHeight; ours.width = 280`)
	p.check(p.Wait(5*time.Second, `ours.clientHeight > first`))
	if got := p.text(`bad.clientHeight + " " + (ours.clientHeight === 7777)`); got != "100 false" {
		t.Errorf("a stranger set a height: %s", got)
	}
}

// The menu of a sheet leads to a dialog with the lines, which carry the state; the keyboard gets in and out.
func TestEmbedDialog(t *testing.T) {
	t.Parallel()
	book := serving(t, testBook, 0)
	p := tab(t, browser.Options{}).open(book + "one/").wake()
	p.retype("alpha", "B", "512")
	p.waitOut("alpha", "ops", 2*512*4096.0*4096)
	if n := count(p.Requests(), "embed-use"); n != 0 {
		t.Error("fetched before anybody asked")
	}
	p.run(noteCopies)
	p.run(`document.documentElement.dataset.theme = "dark"`)
	p.run(`document.querySelector("#alpha .menu > summary").focus()`)
	p.check(p.Keys("\r"))
	p.check(p.Wait(5*time.Second, `document.querySelector("#alpha .menu").open`))
	p.run(`[...document.querySelectorAll("#alpha .menu-list button")].find(b => b.innerText.includes("Use this")).focus()`)
	p.check(p.Keys("\r"))
	p.check(p.Wait(5*time.Second, `document.querySelector("dialog.use[open]")`))
	if !p.is(`document.querySelector("dialog.use").contains(document.activeElement)`) {
		t.Error("the focus is not in the dialog")
	}
	frame, element := p.text(
		`document.getElementById("use-frame").value`,
	), p.text(
		`document.getElementById("use-script").value`,
	)
	if want := `src="` + book + `embed/alpha/?B=512&#38;theme=dark"`; !strings.Contains(frame, want) {
		t.Errorf("the frame %s\nhas no %s", frame, want)
	}
	if cut := p.text(`[...document.querySelectorAll(".use textarea")].filter(e => e.scrollHeight > e.clientHeight + 1 ||
		e.scrollWidth > e.clientWidth + 1).map(e => e.id).join()`); cut != "" {
		t.Errorf("a part of the lines is out of sight: %s", cut)
	}
	for _, want := range []string{`src="` + book + `embed.js"`, `<scalebook-sheet name="alpha" B="512">`} {
		if !strings.Contains(element, want) {
			t.Errorf("the element %s\nhas no %s", element, want)
		}
	}
	p.run(`for (const b of document.querySelectorAll(".use-line button")) b.click()`)
	p.check(
		p.Wait(
			5*time.Second,
			`copied.length === 2 && document.querySelector("dialog.use [role=status]").innerText === "Copied."`,
		),
	)
	if p.text(`copied[0]`) != frame || p.text(`copied[1]`) != element {
		t.Error("something else was copied")
	}
	p.check(p.Keys("\x1b"))
	p.check(
		p.Wait(5*time.Second, `!document.querySelector("dialog.use") && document.activeElement.closest("#alpha .menu")`),
	)
	p.nothingWrong(strings.TrimSuffix(book, base))

	// The lines do what they say.
	q := tab(t, browser.Options{}).open(hosted(t, `<!doctype html>`+element))
	q.live(1)
	q.shows(0, "ops", 2*512*4096.0*4096)
	q = tab(t, browser.Options{}).open(strings.Split(strings.Split(frame, `src="`)[1], `"`)[0]).wake()
	q.waitOut("alpha", "ops", 2*512*4096.0*4096)
}

// In a shadow root the dialog opens too.
func TestEmbedDialogInElement(t *testing.T) {
	t.Parallel()
	book := serving(t, testBook, 0)
	p := tab(t, browser.Options{}).open(hosted(t, hostHead+hostStart+`<script async src="`+book+`embed.js"></script>
		<scalebook-sheet name="beta" x="3"></scalebook-sheet>`))
	p.live(1)
	p.run(inside(0, ".menu > summary") + `.click()`)
	p.run(
		`[...` + inside(
			0,
			".menu-list",
		) + `.querySelectorAll("button")].find(b => b.textContent.includes("Use this")).click()`,
	)
	p.check(p.Wait(5*time.Second, inside(0, "dialog.use[open]")))
	if got := p.text(inside(0, "#use-frame") + `.value`); !strings.Contains(got, `src="`+book+`embed/beta/?x=3"`) {
		t.Errorf("the frame's line is %s", got)
	}
	p.run(inside(0, "dialog.use") + `.close()`)
	p.check(p.Wait(5*time.Second, `!`+inside(0, "dialog.use")))
}

// The scratch pad of the book opens beside somebody else's page, with the sheet and the reader's numbers.
func TestEmbedElementOpensThePad(t *testing.T) {
	t.Parallel()
	book := serving(t, testBook, 0)
	p := tab(t, browser.Options{}).open(hosted(t, hostHead+hostStart+`<script async src="`+book+`embed.js"></script>
		<scalebook-sheet name="beta" x="3"></scalebook-sheet>
		<script>window.opened = []; window.open = (...how) => { opened.push(how) }</script>`))
	p.live(1)
	p.run(inside(0, ".menu > summary") + `.click()`)
	p.run(
		`[...` + inside(
			0,
			".menu-list",
		) + `.querySelectorAll("button")].find(b => b.textContent === "Open in the scratch pad").click()`,
	)
	p.check(p.Wait(5*time.Second, `opened.length`))
	opened, window, how := p.text(`opened[0][0]`), p.text(`opened[0][1]`), p.text(`opened[0][2]`)
	if window != "_blank" || how != "noopener" || !strings.HasPrefix(opened, book+"scratch/?scratch.x=3#s=") {
		t.Fatalf("opened %s in %s (%s)", opened, window, how)
	}
	_, code, _ := strings.Cut(opened, "#s=")
	if text, err := address.DecodePad(code); err != nil || !strings.Contains(text, "let x = ") {
		t.Errorf("the address holds %q, %v", text, err)
	}
	pad, _ := padPage(t, "?scratch.x=3#s="+code)
	pad.waitOut("scratch", "y", 10)
}

// A frame tells its results to the page that named itself in its address, with units, again after each change, and
// shows its reader whom. Another page is told nothing.
func TestEmbedFrameResults(t *testing.T) {
	t.Parallel()
	book := serving(t, testBook, 0)
	const listen = `<!doctype html><script>
		window.told = [];
		addEventListener("message", (e) => { if (e.data.type === "scalebook:results") told.push(e.data); });
		const frame = document.createElement("iframe");
		frame.src = BOOK + "embed/alpha/?B=512&results=" + (NAMED || location.origin);
		document.documentElement.append(frame);
		</script>`
	host := func(named string) string {
		return hosted(t, strings.NewReplacer("BOOK", `"`+book+`"`, "NAMED", `"`+named+`"`).Replace(listen))
	}
	p := tab(t, browser.Options{}).open(host(""))
	p.check(p.Wait(alive, `told.length > 0`))
	const last = `told.at(-1)`
	if got := p.text(last + `.sheet + " " + ` + last + `.inputs.B + " " + ` + last + `.results.ops.unit`); got != "alpha 512 FLOP" {
		t.Errorf("told %s", got)
	}
	if got := p.number(last + `.results.ops.value`); got != 2*512*4096.0*4096 {
		t.Errorf("ops is %v", got)
	}
	said := p.number(`told.length`)
	p.run(`frames[0].postMessage({type: "scalebook:set", B: 7}, "*")`) // none is obeyed
	p.run(`frame.src = frame.src.replace("B=512", "B=1k")`)
	p.check(p.Wait(alive, fmt.Sprintf(`told.length > %v && `+last+`.results.ops.value === %v`, said, 2*1000*4096*4096)))
	for _, named := range []string{"https://example.org", "*", "null", "example.org", book} {
		p := tab(t, browser.Options{}).open(host(named))
		p.check(p.Wait(alive, `frames.length === 1`))
		time.Sleep(3 * time.Second)
		if told := p.number(`told.length`); told != 0 {
			t.Errorf("a page that calls itself %s was told %v messages", named, told)
		}
	}
	p = tab(t, browser.Options{}).open(book + "embed/alpha/?results=https://example.org").wake()
	if p.is(`document.querySelector(".embed-source").innerText.includes("example.org")`) {
		t.Error("a page that is no frame says whom it tells")
	}
}
