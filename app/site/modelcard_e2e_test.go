package site

import (
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/scalebook/scalebook/app/site/browser"
)

// cardBook is a folder with one page: the model card as the book has it, and a number of it in the text.
func cardBook(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("../../content/model-card.md")
	if err != nil {
		t.Fatal(err)
	}
	_, src, _ := strings.Cut(string(page), "```sheet modelcard\n")
	src, _, _ = strings.Cut(src, "```\n")
	dir := t.TempDir()
	text := "---\ntitle: A card\n---\n\n## A section\n\nThe model has {{modelcard.params}} parameters.\n\n" +
		"```sheet modelcard\n" + src + "```\n\nAfter.\n"
	if err := os.WriteFile(dir+"/index.md", []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// area is the field for a file, file the chooser, fold what they stand in.
const (
	fold = `document.querySelector('#modelcard [data-key="document:config"]')`
	area = `document.querySelector("#modelcard--config")`
	file = `document.querySelector("#modelcard--config--file")`
)

// carrying is a script that carries a file of this text to do something with it.
func carrying(text, do string) string {
	return `(() => { const d = new DataTransfer(); d.items.add(new File([` + strconv.Quote(
		text,
	) + `], "config.json")); ` + do + ` })()`
}

// A reader pastes a config.json, chooses one as a file, drops one; what can't be read says where, and the model before
// it stays. Nothing of it gets into the address, where everything else is.
func TestModelCardReadsFiles(t *testing.T) {
	t.Parallel()
	home := serving(t, cardBook(t), 0)
	p := tab(t, browser.Options{})
	p.open(home).wake()
	params := func(text string) string {
		return `document.querySelector("#modelcard output[data-name=params]").textContent === "` + text +
			`" && document.querySelector("data[data-name=params]").textContent === "` + text + `"`
	}
	p.soon("the default", params("70.6 B"))
	p.run(fold + `.querySelector("summary").click()`)
	p.soon("the field", area+`.checkVisibility()`)

	sizes := `"model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32, ` +
		`"num_key_value_heads": 8, "vocab_size": 128256`
	p.run(
		area + `.focus(); document.execCommand("insertText", false, ` + strconv.Quote(
			"{\n"+sizes+",\n\"intermediate_size\": 143x36}",
		) + `)`,
	)
	p.soon(
		"where it is wrong",
		`document.querySelector("#modelcard--config--note").textContent.includes("Line 3, column 25")
			&& `+area+`.getAttribute("aria-invalid") === "true"`,
	)
	p.soon("the last good model", params("70.6 B")+` && `+area+`.value.includes("143x36")`)
	p.run(
		area + `.setSelectionRange(` + area + `.value.length - 4, ` + area +
			`.value.length - 3); document.execCommand("delete")`,
	)
	p.soon("the pasted model", params("8.03 B")+` && !`+area+`.hasAttribute("aria-invalid")`)
	p.soon("the caret", area+`.selectionStart === `+area+`.value.length - 3 && document.activeElement === `+area)
	p.soon("the account", `document.querySelector("#modelcard").textContent.includes("Read as Llama")`)
	p.soon("the address", `location.search === "?modelcard.model=own"`)

	choose := file + `.files = d.files; ` + file + `.dispatchEvent(new Event("change", {bubbles: true}))`
	p.run(carrying("{"+sizes+`, "intermediate_size": 28672, "weird": "<img src=x onerror=alert(1)>"}`, choose))
	p.soon("the chosen model", params("13.7 B"))
	p.run(carrying("{"+strings.Repeat(" ", 4<<20)+"}", choose))
	p.soon("a file too large", `document.querySelector("#modelcard").textContent.includes("too large")`)

	text, err := os.ReadFile("../model/config/testdata/configs/llama3-70b.json")
	p.check(err)
	p.run(fold + `.querySelector("summary").click()`)
	p.soon("the fold is closed", `!`+area+`.checkVisibility()`)
	p.run(
		carrying(
			string(text),
			fold+`.querySelector("summary")
				.dispatchEvent(new DragEvent("drop", {bubbles: true, cancelable: true, dataTransfer: d}))`,
		),
	)
	p.soon(
		"the dropped model",
		params("70.6 B")+` && document.querySelector("#modelcard").textContent.includes("fields understood")`,
	)

	p.run(
		carrying(
			"{\n  nothing\n}",
			fold+`.querySelector("summary")
				.dispatchEvent(new DragEvent("drop", {bubbles: true, cancelable: true, dataTransfer: d}))`,
		),
	)
	p.soon(
		"why a dropped file is refused",
		`document.querySelector("#modelcard--config--note .error").textContent.startsWith("Line 2, column 3")`,
	)
	p.soon("the last good model still", params("70.6 B"))

	p.puts("#modelcard--other", "deepseek.v3", "change")
	p.retype("modelcard", "context", "128k")
	other := `[...document.querySelectorAll("#modelcard .grid tr")]
		.some(r => r.textContent.startsWith("DeepSeek-V3671 B") && r.textContent.includes("8.99 GB"))`
	p.soon("the other", other)
	p.soon(
		"the whole address",
		`location.search === "?modelcard.context=128k&modelcard.model=own&modelcard.other=deepseek.v3"`,
	)
	if n := p.number(`document.querySelectorAll("#modelcard img, #modelcard script").length`); n != 0 {
		t.Errorf("%v elements from a file", n)
	}
	const readout = `document.querySelector("#modelcard .readout").textContent.replaceAll("\u00a0", " ")`
	p.soon(
		"the plot of both models",
		readout+`.startsWith("context = 128,000: ") && `+readout+`.includes("DeepSeek-V3")`,
	)
	p.run(
		`const c = document.querySelector("#modelcard .plot-cursor"); c.focus(); c.value = c.min;
			c.dispatchEvent(new Event("input", {bubbles: true}))`,
	)
	p.soon(
		"the plot is read",
		readout+`.startsWith("context = 1024: ")
			&& document.querySelector("#modelcard g.cursor").getAttribute("visibility") !== "hidden"`,
	)
	p.nothingWrong(strings.TrimSuffix(home, base))

	q := tab(t, browser.Options{})
	q.open(home + p.text(`location.search`)).wake()
	q.soon(
		"who gets the link is told",
		`document.querySelector("#modelcard").textContent.includes("No config.json has been read yet")`,
	)
	q.soon("and sees the rest", other)
	q.nothingWrong(strings.TrimSuffix(home, base))
}

// Nothing moves when the card comes to life.
func TestModelCardTakesOver(t *testing.T) {
	t.Parallel()
	home := serving(t, cardBook(t), 500*time.Millisecond)
	for _, width := range []int64{1280, 390} {
		p := tab(t, browser.Options{Width: width, Height: 900})
		p.open(home)
		p.notePlaces()
		p.wake()
		p.nothingMoved()
		p.nothingWrong(strings.TrimSuffix(home, base))
	}
}

// The checker finds nothing in the card, with two models, all that opens open, and a file refused.
func TestModelCardHasNoAxeFaults(t *testing.T) {
	t.Parallel()
	script := checker(t)
	home := serving(t, cardBook(t), 0)
	p := tab(t, browser.Options{})
	p.open(home + "?modelcard.other=gpt_oss.20b").wake().use()
	p.run(
		`for (const d of document.querySelectorAll("#modelcard details:not([open]):not(.menu)"))
			d.querySelector("summary").click()`,
	)
	p.soon("the field", area+`.checkVisibility()`)
	p.run(
		area + `.focus(); document.execCommand("insertText", false, '{"model_type": "llama", "hidden_size": 64, ` +
			`"num_hidden_layers": 2, "num_attention_heads": 2, "vocab_size": 99, "intermediate_size": 128, "novel": 1}')`,
	)
	p.soon("read", `document.querySelector("#modelcard").textContent.includes("Read as Llama")`)
	p.run(
		`for (const d of document.querySelectorAll("#modelcard details:not([open]):not(.menu)"))
			d.querySelector("summary").click()`,
	)
	p.run(area + `.focus(); document.execCommand("insertText", false, "nonsense")`)
	p.soon("refused", area+`.hasAttribute("aria-invalid")`)
	p.judgeLooks(script, "in use")
}
