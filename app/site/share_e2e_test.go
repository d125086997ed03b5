package site

import (
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/site/browser"
)

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
	const page = "training-planner/?training.m=mixtral.8x22b&training.N=1024&training.B=8388608" +
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
	p.soon("the end", done+` && `+priced+` > `+usual)
	shared := p.text(found)

	p.open(home + page).wake().run(`window.Worker = class { constructor() { throw new Error("forbidden"); } }`)
	p.soon("the usual plans", done)
	p.run(every)
	p.soon("the end", done+` && `+priced+` > `+usual)
	if alone := p.text(found); alone != shared {
		t.Errorf("the page alone finds %s, with workers %s", alone, shared)
	}
	p.nothingWrong(strings.TrimSuffix(home, base))
}
