package site

import (
	"fmt"
	"strings"
	"testing"

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
	p.soon("a message", `document.querySelector("#dropped").textContent.includes("this is no trace")`)

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
	p.soon("a reason", rest+`.includes("is no trace")`)
	p.waitOut("dropped", "devices", 2)

	p.run(`new Response(new Blob([longTrace(29999)]).stream().pipeThrough(new CompressionStream("gzip"))).blob().then(
		packed => dropped("#dropped .input-document", "own.json.gz", packed))`)
	p.waitOut("dropped", "span", 299995e-6)

	// What came of a file that breaks off is read.
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

// Documents that were dropped and pasted are there again after a reload, and when the reader comes back to the page; one
// that the browser can't keep is named, and the browser asks before it is lost.
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
	p.check(p.Wait(alive, `!window.before && document.readyState === "complete"`))
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
	p.run(`scalebook.unkept.length = 0`) // the reader has been told
	p.nothingWrong(strings.TrimSuffix(home, base))
}

// A link carries a model of one's own: whoever opens it elsewhere sees the same plan. What has no room is named.
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
		", note: Array.from({length: 9000}, (_, i) => (i * 7919 % 99991).toString(36)).join()}))")
	p.soon("the same model", done+` && `+step+` === "`+own+`"`)
	p.run(link)
	p.soon("what the link lacks",
		`document.querySelector("#training").textContent.includes("too long for a link: A config.json")`)
}
