package site

import (
	"testing"

	"github.com/scalebook/scalebook/app/site/browser"
)

// After one visit of one chapter the real book is there without a server: other chapters, and instruments that nobody
// has opened.
func TestTheBookWithoutAServer(t *testing.T) {
	t.Parallel()
	o := options(t, realBook)
	o.Offline = true
	files, err := Render(o)
	if err != nil {
		t.Fatal(err)
	}
	h := publish(t, files)
	p := newTab(t, browser.Options{}).open(h.url("rooflines/")).keeps()
	p.isKept(files, nil)
	h.off()
	p.open(h.url("chips/?chips.dtype=int8")).wake()
	p.soon("the format of the address", `document.querySelector("#chips--dtype").value === "int8"`)
	p.open(h.url("model-card/")).wake()
	p.puts("#modelcard [name=model]", "deepseek.v3", "change")
	p.soon("another model", `+document.querySelector("output[data-name=params]").dataset.value === 671026419200`)
	p.open(h.url("collectives/")).wake()
	p.soon("a time", `+document.querySelector("#collectives output[data-name]").dataset.value > 0`)
	p.open(h.url("sharding-lab/?lab.size_i=4096")).wake()
	p.soon("the size of the address", `document.querySelector("#lab [name=size_i]").value === "4096"`)
	p.open(h.url("sharding/?ring.N=8#ring")).wake()
	p.waitOut("ring", "T", 7.0/8*100e6/90e9)
	p.nothingWrong(h.url(""))
}
