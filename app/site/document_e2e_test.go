package site

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/scalebook/scalebook/app/site/browser"
)

// shared gives a document's text to the page in a DataTransfer: as a file that is dropped, or as a text that is pasted.
const shared = `
	window.dropped = (at, name, text) => {
		const d = new DataTransfer();
		d.items.add(new File([text], name));
		const how = {bubbles: true, cancelable: true, dataTransfer: d}, e = document.querySelector(at);
		if (e.dispatchEvent(new DragEvent("dragover", how))) throw "nothing can be dropped here";
		e.dispatchEvent(new DragEvent("drop", how));
	};
	window.pasted = (at, text) => {
		const d = new DataTransfer();
		d.setData("text/plain", text);
		const e = document.querySelector(at);
		e.focus();
		if (e.dispatchEvent(new ClipboardEvent("paste", {bubbles: true, cancelable: true, clipboardData: d})))
			document.execCommand("insertText", false, text);
	};`

// A trace is dropped, and programs are pasted, a short and a long one. Markup in their names stays text.
func TestDocumentsDroppedAndPasted(t *testing.T) {
	t.Parallel()
	home := serving(t, realBook, 0)
	p := tab(t, browser.Options{})
	p.open(home + "profiling/").wake().run(shared)
	const events = `[{"ph":"M","pid":1,"name":"process_name","args":{"name":"/device:TPU:0"}},
		{"ph":"M","pid":1,"tid":3,"name":"thread_name","args":{"name":"XLA Ops"}},
		{"ph":"X","pid":1,"tid":3,"name":"<img src=x onerror=alert(1)>","ts":0,"dur":60},
		{"ph":"B","pid":1,"tid":3,"name":"fusion.2","ts":70}, {"ph":"E","pid":1,"tid":3,"ts":100}]`
	p.run(fmt.Sprintf("dropped('#dropped .input-document', 'own.json', `{\"traceEvents\":%s}`)", events))
	p.waitOut("dropped", "devices", 1)
	p.waitOut("dropped", "span", 100e-6)
	p.waitOut("dropped", "computing", 0.3)
	p.waitOut("dropped", "unknown", 0.6)
	p.soon("markup as text", `document.querySelector("#dropped").textContent.includes("<img src=x")`)
	p.run(`dropped('#dropped .input-document', 'none.json', 'GIF89a')`)
	p.soon("a message", `document.querySelector("#dropped").textContent.includes("is a picture")`)

	// A program in the sheet of traces, small or long, is described where it is read; the link leads there.
	const hlo = "HloModule jit_f\\n\\nENTRY %main (p: f32[4]) -> f32[4] {\\n  %p = f32[4] parameter(0)\\n}\\n"
	for _, copies := range []string{"1", "5000"} {
		p.run("dropped('#dropped .input-document', 'module.hlo.txt', `" + hlo + "`.repeat(" + copies + "))")
		p.soon("a link to the reader of programs", `document.querySelector("#dropped--own--note a") &&
			new URL(document.querySelector("#dropped--own--note a").href).pathname.endsWith("/profiling/")`)
		p.run(`dropped('#dropped .input-document', 'none.json', 'GIF89a')`)
		p.soon("another message", `document.querySelector("#dropped").textContent.includes("is a picture")`)
	}

	const line = "%a = f32[1024,1024] parameter(0)\\n%b%d = f32[1024,1024] add(%a, %a)\\n"
	p.run(`document.querySelector('#pasted .input-document details').open = true`)
	p.run(strings.ReplaceAll("pasted('#pasted--own', `"+line+"`)", "%d", ""))
	p.waitOut("pasted", "memory", 3*4*1024*1024/819e9)
	p.run("pasted('#pasted--own', Array.from({length: 5000}, (_, i) => `" + strings.ReplaceAll(line, "%d", "${i}") +
		"`).join(''))")
	p.waitOut("pasted", "memory", 5000*3*4*1024*1024/819e9)
	p.soon("how long it is", `document.querySelector("#pasted--own--note").textContent.includes("KiB are read")`)
	if n := p.number(`document.querySelectorAll("#dropped img, #pasted img").length`); n > 0 {
		t.Errorf("%v pictures were made of names", n)
	}
	p.nothingWrong(strings.TrimSuffix(home, base))
}

// A file that another calculator reads goes along with the link to it, on another page and on the same.
func TestFileGoesAlong(t *testing.T) {
	t.Parallel()
	home := serving(t, realBook, 0)
	p := tab(t, browser.Options{})
	p.open(home + "your-file/").wake().run(shared)
	p.run(`dropped('#your-file .input-document', 'run.json', JSON.stringify({traceEvents: [
		{ph: "M", pid: 1, name: "process_name", args: {name: "/device:TPU:0"}},
		{ph: "M", pid: 1, tid: 3, name: "thread_name", args: {name: "XLA Ops"}},
		{ph: "X", pid: 1, tid: 3, name: "fusion.1", ts: 0, dur: 75}]}))`)
	p.soon("what it is", `document.querySelector("#your-file--own--note a")?.hash === "#dropped"`)
	p.run(`document.querySelector("#your-file--own--note a").click()`)
	p.soon("the chapter", `location.pathname.endsWith("/profiling/")`)
	p.waitOut("dropped", "span", 75e-6)
	p.run(shared)
	p.run("dropped('#dropped .input-document', 'a.txt', `HloModule m\n\nENTRY %e {\n" +
		"  %a = f32[1024,1024] parameter(0)\n  ROOT %b = f32[1024,1024] add(%a, %a)\n}\n`)")
	p.soon("what it is", `document.querySelector("#dropped--own--note a")?.hash === "#pasted"`)
	p.run(`document.querySelector("#dropped--own--note a").click()`)
	p.waitOut("pasted", "memory", 3*4*1024*1024/819e9)
	p.run(longTrace + shared)
	p.run(`pasted("#pasted .input-document textarea", longTrace(9999))`)
	p.soon("what it is", `document.querySelector("#pasted--own--note a")?.hash === "#dropped"`)
	p.run(`document.querySelector("#pasted--own--note a").click()`)
	p.waitOut("dropped", "span", 99995e-6)
	p.nothingWrong(strings.TrimSuffix(home, base))
}

// longTrace is a script's File: a trace of n events on one device, half of whose time something computes.
const longTrace = `
	window.longTrace = (n) => {
		const events = ['{"ph":"M","pid":1,"name":"process_name","args":{"name":"/device:TPU:0"}}',
			'{"ph":"M","pid":1,"tid":3,"name":"thread_name","args":{"name":"XLA Ops"}}'];
		for (let i = 0; i < n; i++)
			events.push('{"ph":"X","pid":1,"tid":3,"name":"<i>fusion</i>.' + i % 9 + '","ts":' + 10 * i + ',"dur":5}');
		events.push('{"ph":"X","pid":1,"tid":3,"name":"last","ts":' + 10 * n + ',"dur":5}');
		return '{"traceEvents":[' + events.join(",\n") + "]}";
	};
	window.workers = [];
	const Before = window.Worker;
	window.Worker = class extends Before { constructor(url) { super(url); workers.push(url); } };`

// A long trace is read by a worker, and by the page itself where no worker can be had. The document then holds it in
// short, packed or not. Reading can be stopped, and what is no trace is refused with a reason; what was shown of the
// trace before is gone then, and the example is back.
func TestLongDocumentInWorker(t *testing.T) {
	t.Parallel()
	home := serving(t, realBook, 0)
	p := tab(t, browser.Options{})
	p.open(home + "profiling/").wake().run(shared + longTrace)
	const rest = `document.querySelector("#dropped--own--note").textContent`
	drop := func(name, text string) {
		p.run(`dropped("#dropped .input-document", "` + name + `", ` + text + `)`)
	}
	drop("own.json", "longTrace(9999)")
	p.waitOut("dropped", "devices", 1)
	p.waitOut("dropped", "span", 99995e-6)
	p.soon("a worker", `workers.length === 1`)
	p.soon("in short", rest+`.includes("kept in short")`)
	p.soon("markup as text", `document.querySelector("#dropped").textContent.includes("<i>fusion</i>")`)

	drop("none.json", `"GIF89a".padEnd(300000)`)
	p.soon("a reason", rest+`.includes("is a picture")`)
	p.waitOut("dropped", "devices", 2)

	p.run(`new Response(new Blob([longTrace(29999)]).stream().pipeThrough(new CompressionStream("gzip"))).blob().then(
		packed => dropped("#dropped .input-document", "own.json.gz", packed))`)
	p.waitOut("dropped", "span", 299995e-6)

	// What gzip packed may be joined of several, whatever the file is called.
	p.run(`packed = (text) => new Response(
			new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"))).blob();
		joined = (text, ...at) => Promise.all([0, ...at].map((from, i) => packed(text.slice(from, at[i]))))
			.then(parts => new Blob(parts));
		joined(longTrace(39999), 1, 1000000, 1000000, 2000000).then(
			all => dropped("#dropped .input-document", "joined.json", all))`)
	p.waitOut("dropped", "span", 399995e-6)

	// What came of a file that breaks off is read. The rows of a closed fold follow once it is opened.
	p.run(`document.querySelector("#dropped details.rest:not([open]) summary").click()`)
	p.run(`new Response(new Blob([longTrace(29999)]).stream().pipeThrough(new CompressionStream("gzip"))).blob().then(
		packed => dropped("#dropped .input-document", "cut.json.gz", packed.slice(0, packed.size * 0.7)))`)
	p.waitOut("dropped", "unread", 1)
	p.waitOut("dropped", "devices", 1)

	drop("own.json", "longTrace(99999)")
	p.soon("a button to stop it", `document.querySelector("#dropped [data-task=own] button")`)
	p.run(`document.querySelector("#dropped [data-task=own] button").click()`)
	p.soon("stopped", `!document.querySelector("#dropped [data-task]")`)
	p.waitOut("dropped", "devices", 2)

	p.run(`window.requestAnimationFrame = () => 0`) // as in a tab that is hidden before its next frame
	p.run(`window.Worker = class { constructor() { throw new Error("forbidden"); } }`)
	drop("own.json", "longTrace(19999)")
	p.waitOut("dropped", "span", 199995e-6)
	p.nothingWrong(strings.TrimSuffix(home, base))
}

// Documents that were dropped and pasted are there again after a reload, and when the reader comes back to the page;
// one that the browser can't keep is named, and the browser asks before it is lost.
func TestDocumentsOutlastReloads(t *testing.T) {
	t.Parallel()
	home := serving(t, realBook, 0)
	p := newTab(t, browser.Options{})
	again := func() { p.open(home + "profiling/").wake().run(shared + longTrace) }
	again()
	p.run(`dropped("#dropped .input-document", "own.json", longTrace(9999))`)
	p.waitOut("dropped", "span", 99995e-6)
	p.run("document.querySelector('#pasted .input-document details').open = true")
	p.run("pasted('#pasted--own', Array.from({length: 5000}, (_, i) => `%a${i} = f32[1024,1024] parameter(0)\\n" +
		"%b${i} = f32[1024,1024] add(%a${i}, %a${i})\\n`).join(''))")
	p.waitOut("pasted", "memory", 5000*3*4*1024*1024/819e9)
	p.run(`window.before = true; location.reload()`)
	p.check(p.Wait(startTimeout, `!window.before && document.readyState === "complete"`))
	p.wake().run(shared + longTrace)
	p.waitOut("dropped", "span", 99995e-6)
	p.waitOut("pasted", "memory", 5000*3*4*1024*1024/819e9)
	p.open(home + "rooflines/")
	again()
	p.waitOut("dropped", "span", 99995e-6)
	p.soon("in short", `document.querySelector("#dropped--own--note").textContent.includes("kept in short")`)

	p.run(`Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError") }`)
	p.run(`dropped("#dropped .input-document", "own.json", longTrace(19999))`)
	p.waitOut("dropped", "span", 199995e-6)
	p.soon("its name", `scalebook.unkept.length === 1
		&& document.querySelector(".sheet-toast").innerText.includes(scalebook.unkept[0])`)
	if p.is(`dispatchEvent(new Event("beforeunload", {cancelable: true}))`) {
		t.Error("the browser doesn't ask before the document is lost")
	}
	p.run(`scalebook.unkept.length = 0`) // the reader has been warned
	p.nothingWrong(strings.TrimSuffix(home, base))
}

// A link carries a model of one's own: whoever opens it elsewhere sees the same plan. What has no space is named.
func TestLinkCarriesDocument(t *testing.T) {
	t.Parallel()
	home := serving(t, realBook, 0)
	p := tab(t, browser.Options{})
	const (
		config = `{"architectures":["LlamaForCausalLM"],"model_type":"llama","hidden_size":3072,"intermediate_size":8192,
			"num_hidden_layers":28,"num_attention_heads":24,"num_key_value_heads":8,"vocab_size":128256,
			"max_position_embeddings":131072,"tie_word_embeddings":true,"torch_dtype":"bfloat16"}`
		step      = `document.querySelector('#training output[data-name="step"]').dataset.value`
		done      = `!document.querySelector("#training [data-task]") && ` + step + ` > 0`
		clipboard = `window.copied = [];
			Object.defineProperty(navigator, "clipboard", {value: {writeText: async x => { copied.push(x) }}})`
		link = `[...document.querySelectorAll("#training .sheet-tools .tool")]
			.find((b) => b.textContent === "Link").click()`
	)
	p.open(home + "training-planner/#training").wake()
	p.soon("a search", done)
	usual := p.text(step)
	p.run(shared)
	p.run("dropped('#training .input-document', 'config.json', `" + config + "`)")
	p.soon("the model of one's own", done+` && `+step+` < `+usual)
	own := p.text(step)
	p.run(clipboard)
	p.run(link)
	p.soon("a link", `copied[0]?.includes("training.config=")`)
	p.run(`window.addEventListener("pagehide", () => sessionStorage.clear())`) // as in another browser
	p.open(p.text(`copied[0]`)).wake().run(shared)
	p.soon("the same by the link", done+` && `+step+` === "`+own+`"`)
	p.nothingWrong(strings.TrimSuffix(home, base))

	p.run(clipboard)
	p.run("dropped('#training .input-document', 'config.json', JSON.stringify({..." + config +
		", num_hidden_layers: 27, note: Array.from({length: 9000}, (_, i) => (i * 7919 % 99991).toString(36)).join()}))")
	p.soon("a model with a layer less", done+` && `+step+` < `+own)
	p.run(link)
	p.soon("what the link lacks",
		`document.querySelector("#training").textContent.includes("too long for a link: A config.json")`)
}

// cardBook is a folder with one page: the model card as the book has it, and a number of it in the text.
func cardBook(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("../../content/model-card.md")
	if err != nil {
		t.Fatal(err)
	}
	_, src, _ := strings.Cut(string(page), "```sheet modelcard hero\n")
	src, _, _ = strings.Cut(src, "```\n")
	dir := t.TempDir()
	text := "---\ntitle: A card\n---\n\n## A section\n\nThe model has {{modelcard.params}} parameters.\n\n" +
		"```sheet modelcard hero\n" + src + "```\n\nAfter.\n"
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
	p.run(`window.read = () => { // again where the plot was drawn anew meanwhile
		const c = document.querySelector("#modelcard .plot-cursor"); c.focus(); c.value = c.min;
		c.dispatchEvent(new Event("input", {bubbles: true})); return true }`)
	p.soon(
		"the plot is read",
		`read() && `+readout+`.startsWith("context = 1024: ")
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
	p.checkLooks(script, "in use")
}

// A browser tells of each line of a text that is put into a field, once all of it stands there. The planner reads it
// once, and says what it read.
func TestLinesAreReadOnce(t *testing.T) {
	t.Parallel()
	home := serving(t, realBook, 0)
	p := tab(t, browser.Options{})
	p.open(home + "training-planner/#training").wake()
	p.run(`document.querySelector('#training [data-key="document:flags"] summary').click()`)
	p.soon("the field", `document.querySelector("#training--flags").checkVisibility()`)
	const says = `document.querySelector("#training output[data-name=note]")?.textContent.includes`
	p.run(`document.querySelector("#training--flags").focus();
		document.execCommand("insertText", false, "--per_device_train_batch_size 1")`)
	p.soon("what the field held", says+`("Trainer")`)
	p.run(`window.told = window.read = 0;
		const area = document.querySelector("#training--flags");
		const value = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value");
		Object.defineProperty(area, "value", {...value, get() { read++; return value.get.call(this) }});
		area.addEventListener("input", () => told++);
		const dots = " ............................ ";
		const lines = ["------------------------ arguments ------------------------", "  world_size" + dots + "16",
			"  tensor_model_parallel_size" + dots + "4"];
		for (let i = 0; i < 150; i++) lines.push("  pipeline_model_parallel_size" + dots + 1);
		area.select();
		document.execCommand("insertText", false, lines.join("\n"))`)
	p.soon("its remarks", says+`("Megatron-LM")`)
	p.soon("its plan", `document.querySelector("#training output[data-name=verdict]").textContent !== ""`)
	if events, read := p.number(`told`), p.number(`read`); events > 100 && read > events/10 {
		t.Errorf("the field was read %v times for %v events", read, events)
	}
}

// sheetBook is a folder with one page, which has a sheet of the book alone.
func sheetBook(t *testing.T, file, id string) string {
	t.Helper()
	page, err := os.ReadFile("../../content/" + file)
	if err != nil {
		t.Fatal(err)
	}
	_, src, _ := strings.Cut(string(page), "```sheet "+id+"\n")
	src, _, _ = strings.Cut(src, "```\n")
	dir := t.TempDir()
	text := "---\ntitle: One sheet\n---\n\n## A section\n\n```sheet " + id + "\n" + src + "```\n\nAfter.\n"
	if err := os.WriteFile(dir+"/index.md", []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

const twoNodes = `# Collective test starting: all_gather_perf
#  Rank  0 Group  0 Pid 100 on node-a device  0 [0x07] NVIDIA H200
#  Rank  1 Group  0 Pid 101 on node-a device  1 [0x0a] NVIDIA H200
#  Rank  2 Group  0 Pid 102 on node-b device  0 [0x07] NVIDIA H200
#  Rank  3 Group  0 Pid 103 on node-b device  1 [0x0a] NVIDIA H200
       65536   4096   float   none   -1    40.0    1.64    1.23   0    41.0    1.60    1.20   0
  1073741824   67108864   float   none   -1   9000.0   119.30   89.48   0   9001.0   119.29   89.47   0
`

// A reader pastes the output of nccl-tests, header and all: collective, devices and nodes are the test's, and each size
// stands beside its law. What is no such output says so, and the last good one stays.
func TestTablesOfNCCLArePasted(t *testing.T) {
	t.Parallel()
	home := serving(t, sheetBook(t, "collectives.md", "nccl"), 0)
	p := tab(t, browser.Options{})
	p.open(home).wake()
	says := func(name, text string) string {
		return `document.querySelector("#nccl output[data-name=` + name + `]").textContent === ` + strconv.Quote(text)
	}
	p.soon("the example", says("seen", "483 GB/s")+" && "+says("bound", "700 GB/s"))
	const area = `document.querySelector("#nccl--own")`
	p.soon("the field", area+`.checkVisibility()`)
	p.run(area + `.focus(); document.execCommand("insertText", false, "make: *** no rule")`)
	p.soon("why it can't be read", `document.querySelector("#nccl--own--note").textContent.includes("nccl-tests")`)
	p.soon("the last good one", says("seen", "483 GB/s"))
	p.run(area + `.select(); document.execCommand("insertText", false, '{"traceEvents": []}')`)
	p.soon("what was pasted instead", `document.querySelector("#nccl--own--note").textContent.includes("is a trace")`)
	p.run(area + `.select(); document.execCommand("insertText", false, ` + strconv.Quote(twoNodes) + `)`)
	p.soon("its largest size", says("seen", "89.5 GB/s")+" && "+says("at", "1 GiB")+" && "+says("bound", "100 GB/s"))
	p.soon("its set-up", `document.querySelector("#nccl--nodes").value === "2" &&
		document.querySelector("#nccl--n").value === "2" && document.querySelector("#nccl--op").value === "all-gather" &&
		document.querySelector("#nccl--chip").value === "gpu.h200"`)
	p.soon("each size", `document.querySelector("#nccl").textContent.includes("64 KiB")`)
}

// A log of llama.cpp is laid beside its ledger, by the program's last module.
func TestLogOfLlamaIsPasted(t *testing.T) {
	t.Parallel()
	home := serving(t, realBook, 0)
	p := tab(t, browser.Options{})
	p.open(home + "startup-log/").wake()
	const area = `document.querySelector("#startup--log")`
	p.soon("the field", area+`.checkVisibility()`)
	log := "print_info: general.name     = Qwen3.8-27B\nprint_info: file size   = 15.6 GiB (4.95 BPW)\n" +
		"llama_context: n_ctx         = 32768\nllama_kv_cache: size = 1088.00 MiB (32768 cells, 16 layers, 4/1 seqs), " +
		"K (q8_0): 544.00 MiB, V (q8_0): 544.00 MiB\n"
	p.run(area + `.focus(); document.execCommand("insertText", false, ` + strconv.Quote(log) + `)`)
	p.soon("its engine and model", `document.querySelector("#startup--engine").value === "llama.cpp" &&
		document.querySelector("#startup--m").value === "qwen3_8.27b"`)
	p.soon("its words", `document.querySelector("#startup").textContent.includes("n_ctx, in cells")`)
	p.soon("its agreement", `document.querySelector("#startup").textContent.includes("32,768") &&
		document.body.textContent.includes("2 figures agree")`)
}

// A reader picks a machine and a format and sees size, whether it fits, and the interval of its speed.
func TestFilesOnOneMachine(t *testing.T) {
	t.Parallel()
	home := serving(t, sheetBook(t, "model-card.md", "local"), 0)
	p := tab(t, browser.Options{})
	p.open(home).wake()
	says := func(name, text string) string {
		return `document.querySelector("#local output[data-name=` + name + `]").textContent.startsWith(` +
			strconv.Quote(text) + `)`
	}
	p.soon("the default", says("size", "4.91 GB")+" && "+says("verdict", "it fits"))
	p.pick("#local--model", "llama3.70b")
	p.soon("too large", says("verdict", "it does not fit"))
	p.pick("#local--machine", "soc.m3_ultra")
	p.soon("on a Mac", says("verdict", "it fits"))
	p.pick("#local--format", "mlx_4")
	p.soon("in MLX’s format", says("bits", "4.5"))
}

// A field keeps its place on the screen when what is pasted into it makes the sentences above it longer, and shorter.
func TestFieldStaysInPlace(t *testing.T) {
	t.Parallel()
	home := serving(t, realBook, 0)
	p := tab(t, browser.Options{})
	p.open(home + "startup-log/").wake().run(shared)
	const field = `document.querySelector("#startup--log")`
	p.run(field + `.scrollIntoView({block: "center"}); ` + field + `.focus()`)
	const line = "vllm serve nobody/a-model-that-no-catalog-has-9b --gpu-memory-utilization 0.9\\n"
	before := p.number(field + ".getBoundingClientRect().top")
	for said, text := range map[string]string{"has no model nobody": line, "first that differs": line +
		"Model loading took 99.9 GiB, with many words behind it\\nGPU KV cache size: 5 tokens\\n"} {
		p.run(field + `.select(); pasted("#startup--log", "` + text + `")`)
		p.soon(said, `document.querySelector("main").textContent.includes("`+said+`")`)
		if top := p.number(field + ".getBoundingClientRect().top"); top < before-2 || top > before+2 {
			t.Errorf("%s: the field stands at %v, it stood at %v", said, top, before)
		}
	}
	p.nothingWrong(strings.TrimSuffix(home, base))
}
