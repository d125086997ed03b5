package site

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"strings"
	"testing"
	"time"
)

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
