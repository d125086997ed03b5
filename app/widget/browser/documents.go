//go:build js && wasm

package browser

import (
	"strconv"
	"strings"
	"syscall/js"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/widget"
)

// The documents of a page, which no address carries, are kept for as long as its tab is open: through a reload, and
// until the reader comes back. What is too large for that is named at once, and the browser asks before it is lost.

// maxKept is about how many letters browsers keep for a tab of a site.
const maxKept = 5 << 20

func (c *island) documentKey(d widget.Document) string {
	return "scalebook:" + c.page.base + ":document:" + c.id + "." + d.Name
}

// session does something with the storage of the tab, and says whether that went well. In somebody else's page there is
// none.
func (c *island) session(do func(storage js.Value)) (ok bool) {
	defer func() { ok = recover() == nil && !c.page.embedded }()
	if !c.page.embedded {
		do(get(global, "sessionStorage"))
	}
	return
}

// keepDocuments keeps what has changed of the documents.
func (c *island) keepDocuments() {
	for _, d := range c.view.Documents() {
		if was, known := c.documents[d.Name]; was == d.Text && (known || d.Text == "") {
			continue
		}
		if c.documents == nil {
			c.documents = map[string]string{}
		}
		c.documents[d.Name] = d.Text
		c.session(func(storage js.Value) { storage.Call("removeItem", c.documentKey(d)) })
		kept := d.Text == "" || len(d.Text) <= maxKept && c.session(func(storage js.Value) {
			storage.Call("setItem", c.documentKey(d), strconv.Itoa(d.Size)+"\n"+d.Text)
		})
		c.page.unkept(d.Label, !kept)
	}
}

// recallDocuments brings back the documents that the tab has kept.
func (c *island) recallDocuments() {
	for _, d := range c.view.Documents() {
		c.session(func(storage js.Value) {
			kept := storage.Call("getItem", c.documentKey(d))
			if kept.Type() != js.TypeString {
				return
			}
			size, text, _ := strings.Cut(kept.String(), "\n")
			d.Size, _ = strconv.Atoi(size)
			d.Text = text
			c.ready()
			c.view.Recall(d)
		})
	}
}

// unkept notes a document that is lost once the page is loaded anew, or that none is: window.scalebook.unkept lists
// them for web/offline.js.
func (p *page) unkept(label string, lost bool) {
	api := get(global, "scalebook")
	list := get(api, "unkept")
	if !list.Truthy() {
		if !lost {
			return
		}
		list = js.ValueOf([]any{})
		set(api, "unkept", list)
		global.Call("addEventListener", "beforeunload", js.FuncOf(func(_ js.Value, args []js.Value) any {
			if get(list, "length").Int() > 0 {
				args[0].Call("preventDefault")
			}
			return nil
		}))
	}
	if i := list.Call("indexOf", label).Int(); i >= 0 {
		list.Call("splice", i, 1)
	}
	if lost {
		list.Call("push", label)
		p.report(p.texts([]*phrase.Phrase{phrase.New("browser.document-unkept", "label", label)}))
	}
}
