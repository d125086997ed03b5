//go:build js && wasm

package browser

import (
	"fmt"
	"slices"
	"strings"
	"syscall/js"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/widget"
	"github.com/scalebook/scalebook/app/widget/address"
)

// island is one calculator of the page: what is kept alive in a page that is complete without it.
type island struct {
	page          *page
	id            string
	section       js.Value
	root          js.Value // the document or shadow root that holds the section
	body          js.Value // the live .sheet-body
	sheet         *sheet.Sheet
	view          *widget.View
	author        *widget.View            // stays as the sheet's author left it; nil until it is needed
	nodes         []*widget.Node          // what stands in the body
	parts         []*part                 // of it
	noted         bool                    // what the page shows is noted: see ready
	last          map[string]widget.Shown // what the page shows
	prose         map[string][]js.Value   // numbers in the text, by row
	fields        []*inText               // and fields in it
	held          map[string]string       // what the controls hold, by id
	pendingEvents int                     // events that happened and are still to be answered
	late          bool                    // the page was to follow the view while there were such
	fault         string                  // why it stopped; empty while it works
	ctx           app.Context             // of its component, once mounted
	placed        bool
	waited        int
	speak         timer
	plays         int    // how often a stepper has begun to play
	works         int    // how often long work has begun
	asked         string // the row that is asked again with other numbers
	gripped       bool   // a pointer has hold of the line where a plot's sheet stands
	reading       map[string]*reading
	shared        sharing // long work that workers share
	turns         turns
	documents     map[string]string // what is kept of them
	picked        string            // what the element of a drawing sets that had the focus when it was used
}

// start compiles the sheet of a section and brings it to the state that the address and the reader ask for. The message
// is for the reader if it can't.
func (p *page) start(section js.Value) (c *island, message string) {
	defer func() {
		if v := recover(); v != nil {
			c, message = nil, fmt.Sprint(v)
		}
	}()
	template := query(section, "template.sheet-source")
	if !template.Truthy() {
		return nil, p.phrases().Say("browser.no-source")
	}
	source := get(template, "content", "textContent").String()
	s, errs := sheet.Compile(source, p.env)
	if len(errs) > 0 {
		lines := make([]string, len(errs))
		for i, e := range errs {
			lines[i] = p.phrases().Text(e)
		}
		return nil, strings.Join(lines, "; ")
	}
	return p.restore(section, s), ""
}

// restore brings a compiled sheet to the state that the address and the reader ask for.
func (p *page) restore(section js.Value, s *sheet.Sheet) *island {
	c := p.newIsland(section)
	c.sheet = s
	if s.ID == "" {
		s.ID, s.Size = c.id, attribute(c.section, "data-size")
	}
	c.restored()
	return c
}

func (p *page) newIsland(section js.Value) *island {
	return &island{page: p, id: attribute(section, "data-sheet"), section: section, root: section.Call("getRootNode")}
}

// restored brings a calculator to the state that the address and the reader ask for.
func (c *island) restored() {
	c.speak = timer{ms: 600, f: c.announce}
	c.begin()
	c.recallDocuments()
	c.applyAddress()
	c.view.Notice(c.page.texts(c.applyState(attribute(c.section, "data-state"))))
	c.recall()
	if c.needsRender() { // work that would be done in vain is not waited for
		c.takeTyped(query(c.section, ".sheet-body"))
	}
}

// applyAddress sets what the address says of the sheet.
func (c *island) applyAddress() {
	if !slices.ContainsFunc(c.page.params, func(x address.Param) bool { return x.Sheet == c.sheet.ID }) {
		return
	}
	c.ready()
	apply := c.view.Apply
	if c.page.framed() {
		apply = c.view.Host
	}
	c.view.Notice(c.page.texts(apply(c.page.params)))
}

// begin gives the calculator a fresh view, which stands in the page as it was printed: unless long work is still to be
// done for it, or the reader writes the sheet.
func (c *island) begin() {
	c.unshare()
	c.view, c.author = widget.NewLive(c.sheet), nil
	c.view.Heading = c.heading()
	c.late, c.turns = false, turns{}
	c.last, c.held = map[string]widget.Shown{}, map[string]string{}
	c.indexParts(c.view.Frame())
	c.noted = c.needsRender()
}

// needsRender says whether the view is printed needsRender when it comes to life.
func (c *island) needsRender() bool { return c.sheet.Long() || c.id == address.PadID }

// heading is the element of the printed title, empty if there is none.
func (c *island) heading() string {
	title := query(c.section, ".sheet-title")
	if !title.Truthy() {
		return ""
	}
	return strings.ToLower(get(title, "tagName").String())
}

// inPage says whether the calculator stands in the page itself and not in somebody's shadow root.
func (c *island) inPage() bool { return c.root.Equal(document) }

// guard runs f and shows a panic in this calculator's place, so that it harms no other.
func (c *island) guard(f func()) {
	defer func() {
		if v := recover(); v != nil {
			c.fail(v)
		}
	}()
	f()
}

func (c *island) fail(v any) {
	if c.fault != "" {
		return
	}
	c.fault = fmt.Sprint(v)
	global.Get("console").Call("error", "calculator "+c.id+": "+c.fault)
	if c.placed {
		c.ctx.Update()
	}
}

// restart begins anew after a fault, with the author's numbers.
func (c *island) restart() {
	c.fault = ""
	c.begin()
	c.printAnew()
	c.anyControl()
	c.follow()
	if c.inPage() {
		c.page.addr.start()
	}
}

func (c *island) faultNode() *widget.Node { return widget.Failure(c.phrases(), c.fault) }

// closeMenu closes the menu, unless the event comes from within. The browser then tells us that it is closed.
func (c *island) closeMenu(ev js.Value) {
	menu := query(c.body, "details.menu")
	if menu.Truthy() && !ev.Call("composedPath").Call("includes", menu).Bool() {
		set(menu, "open", false)
	}
}
