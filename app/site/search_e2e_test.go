package site

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/scalebook/scalebook/app/site/browser"
)

// found are the results shown: heading, then where.
const found = `[...document.querySelectorAll(".results li")]
	.map(li => li.querySelector("a").textContent + " | " + (li.querySelector("small")?.textContent || ""))`

func (p *page) search(query string) []string {
	p.t.Helper()
	p.run(
		`const i = document.querySelector("#search input, dialog[open] input"); i.focus(); i.select();
			document.querySelector("[role=status]:not(#notice)").textContent = "?"`,
	)
	if query == "" {
		p.check(p.Keys("\b"))
	} else {
		p.check(p.Keys(query))
	}
	p.check(
		p.Wait(5*time.Second, `document.querySelector("dialog[open] [role=status], #search-status").textContent !== "?"`),
	)
	return value[[]string](p, found)
}

// The page of the search finds words by their beginnings, all of them, headings before calculators before prose; it
// keeps the query in the address, says how much it found, and takes whatever is typed or pasted.
func TestSearchPage(t *testing.T) {
	t.Parallel()
	home := serving(t, testBook, 0)
	p := tab(t, browser.Options{}).open(home + "search/?q=squar")
	p.check(p.Wait(10*time.Second, `document.querySelectorAll(".results li").length > 0`))
	p.check(p.Wait(5*time.Second, `document.querySelector("#search-status").textContent === "1 place."`))
	if got := value[[]string](p, found); len(got) != 1 || got[0] != "The second sheet | 1. One chapter · Calculator" {
		t.Errorf("squar: %q", got)
	}
	got := p.search("second")
	want := []string{"Second section | 1. One chapter", "The second sheet | 1. One chapter · Calculator"}
	if len(got) < 2 || !slices.Equal(got[:2], want) {
		t.Errorf("second: %q", got)
	}
	if at := p.text(`location.search`); at != "?q=second" {
		t.Errorf("the address says %q", at)
	}
	if href := p.text(`document.querySelector(".results a").getAttribute("href")`); href != base+"one/#second-section" {
		t.Errorf("the first result leads to %q", href)
	}
	if marks := value[[]string](p, `[...document.querySelectorAll(".results li:first-child a mark")]
		.map(m => m.textContent)`); !slices.Equal(
		marks,
		[]string{"Second"},
	) {
		t.Errorf("marked: %q", marks)
	}
	if got := p.search("MODEL wid"); len(got) != 1 || got[0] != "The first sheet | 1. One chapter · Calculator" {
		t.Errorf("two words, other case: %q", got)
	}
	says := func(text string) {
		t.Helper()
		p.check(p.Wait(5*time.Second, `document.querySelector("#search-status").textContent.includes("`+text+`")`))
	}
	if got := p.search("zebra"); len(got) != 0 {
		t.Errorf("a word that isn't there: %q", got)
	}
	says("Nothing in the book")
	// Where nothing has all of the words, what has half of them at least comes.
	if got := p.search("second zebra"); len(got) < 2 || got[0] != want[0] {
		t.Errorf("a word that is there, and one that isn't: %q", got)
	}
	says("most of them")
	if got := p.search("second zebra quagga"); len(got) != 0 {
		t.Errorf("one word of three: %q", got)
	}
	if got := p.search("seconds"); len(got) < 2 || got[0] != want[0] {
		t.Errorf("in the plural: %q", got)
	}
	for _, hostile := range []string{`<img src=x onerror=alert(1)>`, `"'\(*+?[{^$|`, `%00 ../..`,
		strings.Repeat("a", 300),
		"İ ß ﬁ 𝐀 \u0301"} {
		p.search("")
		p.run(`document.querySelector("[role=status]:not(#notice)").textContent = "?"`)
		p.check(p.Insert(hostile))
		p.check(p.Wait(5*time.Second, `document.querySelector("#search-status").textContent !== "?"`))
		if got := p.text(`document.querySelector("#search input").value`); got == "" ||
			!strings.HasPrefix(hostile, got) {
			t.Errorf("the field has %q of %q", got, hostile)
		}
	}
	if got := p.search("<b>sheet</b>"); p.is(`document.querySelector(".results b, .results img")`) {
		t.Errorf("markup in the results: %q", got)
	}
	if got := p.search("..."); len(got) != 0 {
		t.Errorf("no word at all: %q", got)
	}
	if p.search(""); p.is(`location.search`) || p.is(`document.querySelector(".results li")`) {
		t.Error("an empty query leaves something behind")
	}
	p.search("second")
	p.check(p.Keys("\r"))
	p.check(p.Wait(3*time.Second, `document.activeElement.getAttribute("href") === "`+base+`one/#second-section"`))
	p.check(p.Keys("\r"))
	p.check(
		p.Wait(
			5*time.Second,
			`location.hash === "#second-section" && document.querySelector("h1").textContent === "One chapter"`,
		),
	)
	p.nothingWrong(home)
}

// Elsewhere the search opens over the page by Control+K or its link, is fetched only then,
// and closes by Escape.
func TestSearchDialog(t *testing.T) {
	t.Parallel()
	home := serving(t, testBook, 0)
	p := tab(t, browser.Options{}).open(home + "one/").wake()
	asked := func() bool {
		return slices.ContainsFunc(p.Requests(),
			func(url string) bool { return strings.Contains(url, "/assets/search.") })
	}
	p.retype("beta", "x", "6/2")
	p.waitOut("beta", "y", 10)
	if asked() || p.is(`document.querySelector("dialog")`) {
		t.Error("the search was fetched before it was wanted")
	}
	p.run(`document.activeElement.blur()`)
	p.run(controlK)
	p.check(
		p.Wait(10*time.Second, `document.activeElement.closest("dialog[open]") && document.activeElement.name === "q"`),
	)
	if got := p.text(`document.activeElement.value`); got != "" {
		t.Errorf("the field begins with %q", got)
	}
	if got := p.search("third section"); len(got) == 0 || !strings.HasPrefix(got[0], "Third section |") {
		t.Errorf("third section: %q", got)
	}
	p.check(p.Keys("\x1b"))
	p.check(p.Wait(3*time.Second, `!document.querySelector("dialog[open]")`))
	p.run(`document.querySelector(".page-search").click()`)
	p.check(p.Wait(3*time.Second, `document.querySelector("dialog[open]")`))
	p.check(p.Keys("\r"))
	p.check(p.Wait(3*time.Second, `document.activeElement.closest(".results")`))
	p.check(p.Keys("\r"))
	p.check(p.Wait(3*time.Second, `location.hash === "#third-section" && !document.querySelector("dialog[open]")`))
	p.waitOut("beta", "y", 10) // the reader's numbers are still there
	p.nothingWrong(home)
}

// Without scripts the page of the search says so, and leads to the contents.
func TestSearchWithoutScripts(t *testing.T) {
	t.Parallel()
	p := tab(t, browser.Options{NoScripts: true}).open(serving(t, testBook, 0) + "search/")
	if p.is(`document.querySelector("#search").checkVisibility()`) ||
		!p.is(`document.querySelector("#search-without").checkVisibility()`) {
		t.Error("a form that can't work is shown, or nothing said about it")
	}
	if p.text(`document.querySelector("#search-without a").getAttribute("href")`) != base {
		t.Error("no way to the contents")
	}
}

// On a phone the search fits.
func TestSearchOnAPhone(t *testing.T) {
	t.Parallel()
	p := tab(t, browser.Options{Width: 320, Height: 640, Touch: true}).open(serving(t, testBook, 0) +
		"search/?q=section")
	p.check(p.Wait(10*time.Second, `document.querySelectorAll(".results li").length > 0`))
	if p.number(`document.documentElement.scrollWidth`) > 320 {
		t.Error("the page is wider than the screen")
	}
}

// wanted are what readers type, by the names that they have for things or as a question, and where it leads first.
var wanted = []struct{ query, first string }{
	{"rematerialisation", "Rematerialization | Glossary · Term"},
	{"activation checkpointing", "Rematerialization | Glossary · Term"},
	{"grad accumulation", "Microbatch | Glossary · Term"},
	{"TTFT", "Time to first token | Glossary · Term"},
	{"why is my matmul slow", "Why is my matmul slow? | 1. Rooflines"},
	{"why is decode slow", "Decode | Glossary · Term"},
	{"model FLOPs utilization", "MFU of a run of your own | "},
	{"MFU low", "MFU of a run of your own | "},
	{"how many tokens per chip", "Training | "},
	{"checkpoint interval", "Training, applied | "},
	{"wraparound torus", "Wraparound | Glossary · Term"},
	{"activation memory", "Rematerialization | Glossary · Term"},
	{"what is the ridge point of it", "Ridge point | Glossary · Term"},
	{"OOM", "Out of memory | Glossary · Term"},
	{"out of memory", "Out of memory | Glossary · Term"},
	{"how much memory does training take", "Training planner | "},
	{"how many GPUs do I need", "Training planner | "},
	{"how many H100 for 10k users", "Serving planner | "},
	{"compare H200 and MI300X", "Compare chips | "},
	{"optimizer state sharding", "ZeRO | Glossary · Term"},
	{"mixed precision", "Training state | Glossary · Term"},
	{"LoRA", "Adapters | Glossary · Term"},
	{"6ND", "Training FLOPs | Glossary · Term"},
	{"training cost", "Training, applied | "},
	{"cost per million tokens", "Serving planner | "},
	{"vLLM", "Serving planner | "},
	{"gpu-memory-utilization", "How many KV tokens, and why | "},
	{"how big is the KV cache", "How the KV cache fills a chip | "},
	{"GQA", "Grouped-query attention | Glossary · Term"},
	{"sliding window attention", "Sliding window | Glossary · Term"},
	{"attention FLOPs", "The Transformer, counted | "},
	{"H100", "Compare chips | "},
	{"HBM bandwidth", "HBM | Glossary · Term"},
	{"NVLink bandwidth", "NVLink domain | Glossary · Term"},
	{"NCCL", "Collectives, step by step | "},
	{"all reduce", "Reduce-scatter and all-reduce | 3. Sharding"},
	{"SHARP", "In-network reduction | Glossary · Term"},
	{"pytorch FSDP", "FSDP | Glossary · Term"},
	{"DDP", "Data parallelism | Glossary · Term"},
	{"DualPipe", "Bubble | Glossary · Term"},
	{"pjit", "Automatic sharding | Glossary · Term"},
	{"unexpected all-gather", "Automatic sharding | Glossary · Term"},
	{"shard_map", "Manual sharding | Glossary · Term"},
	{"collective matmul", "Hiding communication: collective matmul | 10. Programming in JAX"},
	{"xprof trace", "Reading profiles | "},
	{"latency vs throughput", "Latency against throughput | 7. Inference"},
	{"continuous batching", "Continuous batching | Glossary · Term"},
	{"tensor parallel size", "Tensor parallelism | Glossary · Term"},
	{"prefill vs decode", "Prefill | Glossary · Term"},
	{"littles law", "Little’s law | Glossary · Term"},
	{"kv cache memory", "How the KV cache fills a chip | "},
	{"int8 kv cache", "Quantization | Glossary · Term"},
	{"quantized weights", "Quantization | Glossary · Term"},
	{"fp8 matmul", "fp8 | Glossary · Term"},
	{"mla vs gqa", "Latent attention | Glossary · Term"},
	{"context length memory", "KV cache | Glossary · Term"},
	{"dcn bandwidth", "DCN | Glossary · Term"},
	{"all-gather-start", "HLO | Glossary · Term"},
	{"shard_map example", "Manual sharding | Glossary · Term"},
	{"ragged dot", "Mixture of experts | Glossary · Term"},
	{"shared memory size", "SMEM | Glossary · Term"},
	{"nvlink vs infiniband", "NVLink domain | Glossary · Term"},
	{"tokens per second", "Serving planner | "},
	{"inter token latency", "Time per output token | Glossary · Term"},
	{"flash attention", "Online softmax | Glossary · Term"},
	{"registers per thread", "Fewer registers, more warps | 12. GPUs · Calculator"},
	{"hlo fusion", "Fusions | 9. Reading profiles"},
	{"ridge point h100", "Ridge point | Glossary · Term"},
	{"lora memory", "Adapters | Glossary · Term"},
}

// The book is found by the names that its readers have for things, and by the questions that they ask.
func TestSearchByOtherNames(t *testing.T) {
	t.Parallel()
	p := tab(t, browser.Options{}).open(serving(t, realBook, 0) + "search/")
	p.search("first") // the index is there
	for _, w := range wanted {
		p.run(`const i = document.querySelector("#search input"); i.value = ` + strconv.Quote(w.query) + `;
			document.querySelector(".results").replaceChildren(); i.dispatchEvent(new Event("input"))`)
		p.check(p.Wait(5*time.Second, `document.querySelector(".results li")`))
		if got := value[[]string](p, found); len(got) == 0 || got[0] != w.first {
			t.Errorf("%s: %q; want %q first", w.query, got[:min(3, len(got))], w.first)
		}
	}
}

// The key / opens the search, except where it is typed, and for whom it is in the way it can be turned off.
func TestSearchBySlash(t *testing.T) {
	t.Parallel()
	home := serving(t, testBook, 0)
	p := tab(t, browser.Options{}).open(home + "one/").wake()
	press := func() { p.run(`document.activeElement.dispatchEvent(slash())`) }
	const slash = `window.slash = () => new KeyboardEvent("keydown", {key: "/", bubbles: true, cancelable: true})`
	p.run(slash)
	p.retype("beta", "x", "6/2")
	p.run(`document.querySelector("[name=x]").focus()`)
	press()
	if p.is(`document.querySelector("dialog[open]")`) {
		t.Error("the search opens while a fraction is typed")
	}
	p.run(`document.activeElement.blur()`)
	press()
	p.check(p.Wait(10*time.Second,
		`document.activeElement.closest("dialog[open]") && document.activeElement.name === "q"`))
	p.run(`document.querySelector("dialog .slash input").click()`)
	p.check(p.Keys("\x1b"))
	p.check(p.Wait(3*time.Second, `!document.querySelector("dialog[open]")`))
	p.open(home + "one/").wake()
	p.run(slash)
	press()
	p.run(controlK)
	p.check(p.Wait(10*time.Second, `document.querySelector("dialog[open]")`))
	if p.is(`document.querySelector("dialog .slash input").checked`) {
		t.Error("the choice is forgotten")
	}
	p.run(`document.querySelector("dialog .slash input").click()`)
	p.check(p.Keys("\x1b"))
	p.run(`document.activeElement.blur()`)
	press()
	p.check(p.Wait(3*time.Second, `document.querySelector("dialog[open]")`))
	p.nothingWrong(home)
}

// controlK is the shortcut of the search that can't be turned off.
const controlK = `document.activeElement
	.dispatchEvent(new KeyboardEvent("keydown", {key: "k", ctrlKey: true, bubbles: true, cancelable: true}))`

// With the server gone the search still searches, from its page and from another.
func TestSearchOffline(t *testing.T) {
	t.Parallel()
	h := publish(t, published(t))
	p := newTab(t, browser.Options{}).open(h.url("one/")).keeps()
	h.off()
	p.run(controlK)
	p.check(p.Wait(10*time.Second, `document.querySelector("dialog[open]")`))
	if got := p.search("second sec"); len(got) == 0 || !strings.HasPrefix(got[0], "Second section") {
		t.Errorf("in the dialog: %q", got)
	}
	p.open(h.url("search/?q=squar"))
	p.check(p.Wait(10*time.Second, `document.querySelector(".results li")`))
	if got := value[[]string](p, found); len(got) != 1 || !strings.HasPrefix(got[0], "The second sheet |") {
		t.Errorf("on its page: %q", got)
	}
	p.nothingWrong(h.url(""))
}
