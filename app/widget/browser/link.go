//go:build js && wasm

package browser

import (
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/widget"
	"github.com/scalebook/scalebook/app/widget/address"
)

// A link carries what the reader gave a document to hold, packed, as far as an address is long enough.

// pack adds what the reader's documents hold to the parameters of a link, and names those that are too long for it.
func (c *island) pack(ps []address.Param, then func(ps []address.Param, left []string)) {
	docs := c.view.Documents()
	var left []string
	var next func(i int)
	next = func(i int) {
		switch {
		case i == len(docs):
			then(ps, left)
		case docs[i].Text == "":
			next(i + 1)
		default:
			encodePad(strings.ReplaceAll(docs[i].Text, "\r\n", "\n"), func(code string, err error) {
				p := address.Param{Sheet: c.id, Name: docs[i].Name, Text: address.Packed + code}
				if err != nil || docs[i].Size > 0 || len(address.LeftOut(append(slices.Clip(ps), p))) > 0 {
					left = append(left, docs[i].Label)
				} else {
					ps = append(ps, p)
				}
				next(i + 1)
			})
		}
	}
	next(0)
}

// unpack reads a document that an address carries, and then all that the address says, which may rest on it.
func (c *island) unpack(p address.Param, then func()) {
	decodePad(strings.TrimPrefix(p.Text, address.Packed), func(text string, err error) {
		c.oncePlaced(func() {
			c.ready()
			if err != nil {
				c.view.Notice(c.page.texts([]*phrase.Phrase{widget.Problem(p.Name, "", err)}))
			} else {
				c.view.Recall(widget.Document{Name: p.Name, Text: text})
			}
			then()
			c.follow()
			c.workAnew()
		})
	})
}

// oncePlaced does something as soon as the calculator stands in the page.
func (c *island) oncePlaced(do func()) {
	if !c.placed {
		after(20, func() { c.oncePlaced(do) })
		return
	}
	c.ctx.Dispatch(func(ctx app.Context) {
		ctx.PreventUpdate()
		c.guard(do)
	})
}
