//go:build js && wasm

package browser

import (
	"slices"
	"strings"
	"syscall/js"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/widget"
	"github.com/scalebook/scalebook/app/widget/address"
)

// island is one calculator of the page: what is kept live in a page that is complete without it.
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
	announcer     timer
	plays         int    // how often a stepper has started to play
	works         int    // how often long work has started
	asked         string // the row that is asked again with other numbers
	gripped       bool   // a pointer has hold of the line where a plot's sheet stands
	pulled        pulled // what a pointer has hold of in a figure
	reading       map[string]*reading
	shared        sharing // long work that workers share
	turns         turns
	documents     map[string]string // what is kept of them
	filled        string            // the one that a text is put into
	picked        string            // what the element of a drawing sets that had the focus when it was used
}

// start compiles the sheet of a section and brings it to the state that the address and the reader ask for. The message
// is for the reader if it can't.
func (p *page) start(section js.Value) (c *island, message string) {
	defer func() {
		if v := recover(); v != nil {
			c, message = nil, phrase.Recovered(v)
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
	c := &island{page: p, id: attribute(section, "data-sheet"), section: section, root: section.Call("getRootNode"),
		sheet: s}
	if s.ID == "" {
		s.ID, s.Size = c.id, attribute(c.section, "data-size")
	}
	c.restored()
	return c
}

// restored brings a calculator to the state that the address and the reader ask for.
func (c *island) restored() {
	c.announcer = timer{ms: 600, f: c.announce}
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
	ps := c.page.params
	for _, x := range ps {
		if x.Sheet == c.sheet.ID && x.IsPacked() {
			x.Name = c.sheet.Today(x.Name)
			c.unpack(x, func() { c.view.Notice(c.page.texts(apply(address.Plain(ps)))) })
			return
		}
	}
	c.view.Notice(c.page.texts(apply(ps)))
}

// revisit brings the calculator to the state of an address that the reader goes back to, and leaves the address.
func (c *island) revisit(ps []address.Param) {
	c.ready()
	c.view.Notice(c.page.texts(c.view.Revisit(address.Plain(ps))))
	c.turns.hand = true
	c.follow()
	c.restartWork()
	c.announcer.start()
}

// begin gives the calculator a fresh view, which stands in the page as it was printed: unless long work is still to be
// done for it, or the reader writes the sheet.
func (c *island) begin() {
	c.unshare()
	c.view, c.author = widget.NewLive(c.sheet), nil
	c.view.Heading, c.view.Away = c.heading(), attribute(c.section, "data-home") != ""
	c.late, c.turns = false, turns{}
	c.last, c.held = map[string]widget.Shown{}, map[string]string{}
	c.indexParts(c.view.Frame())
	c.noted = c.needsRender()
}

// needsRender says whether the view is printed anew when it comes to life.
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
	c.fault = phrase.Recovered(v)
	global.Get("console").Call("error", "calculator "+c.id+": "+c.fault)
	if c.placed {
		c.ctx.Update()
	}
}

// restart begins anew after a fault, with the author's numbers.
func (c *island) restart() {
	c.fault = ""
	c.begin()
	c.reprint()
	c.anyControl()
	c.follow()
	if c.inPage() {
		c.page.addr.start()
	}
}

// closeMenu closes the menu, unless the event comes from within. The browser then tells us that it is closed.
func (c *island) closeMenu(ev js.Value) {
	menu := query(c.body, "details.menu")
	if menu.Truthy() && !ev.Call("composedPath").Call("includes", menu).Bool() {
		set(menu, "open", false)
	}
}

// updates is the component of one sheet. Its own element is empty and stays in the hidden root: go-app says when the
// view is to follow, and part by part the page is patched where it stands.
type updates struct {
	app.Compo
	c *island
}

func (u *updates) OnMount(ctx app.Context) { u.c.ctx = ctx }

func (u *updates) Render() app.UI {
	u.c.guard(u.c.follow)
	return app.Div()
}

// part is a part of a view as it stands in the page.
type part struct {
	key         string
	siblings    []*widget.Node // among them its node; that is a hole as long as nobody had to know the part
	at          int
	path        []int  // from the body down to its element
	fingerprint string // of the state that it shows
	printed     bool   // it stands as the page was printed, or what is folded in it does
}

// indexParts finds the places of the parts in a frame.
func (c *island) indexParts(frame []*widget.Node) {
	c.nodes, c.parts = frame, nil
	c.find(frame, nil)
}

func (c *island) find(nodes []*widget.Node, path []int) {
	for i, n := range nodes {
		down := append(path[:len(path):len(path)], i)
		if n.Part != "" {
			c.parts = append(c.parts, &part{key: n.Part, siblings: nodes, at: i, path: down, printed: true})
			continue
		}
		c.find(n.Kids, down)
	}
}

// print puts nodes into the body in the place of all that is there.
func (c *island) print(nodes []*widget.Node) {
	nodes = markup.Shape(nodes...)
	set(c.body, "innerHTML", trustedHTML(nodes...))
	c.nodes, c.parts = nodes, nil
}

// reprint prints the view anew, for when the page shows another state of it, or another sheet.
func (c *island) reprint() {
	focus := focusIn(c.root, c.body)
	frame := c.view.Frame()
	c.indexParts(frame)
	c.noted = true
	for _, p := range c.parts {
		p.fingerprint, p.printed = c.view.Fingerprint(p.key), false
		p.siblings[p.at] = c.built(p.key)
	}
	set(c.body, "innerHTML", trustedHTML(frame...))
	focus.restore(c.body)
}

// built is a part of the view as it is now.
func (c *island) built(key string) *widget.Node { return markup.Shape(c.view.Part(key))[0] }

// ready notes the state that the parts show, before it changes for the first time.
func (c *island) ready() {
	if c.noted {
		return
	}
	c.noted = true
	for _, p := range c.parts {
		p.fingerprint = c.view.Fingerprint(p.key)
	}
}

// follow lets the page follow the view: the numbers in the text, the parts that changed, the controls. It is the one
// way from a change to the page, whatever changed. Drawings and tables wait for their turns.
func (c *island) follow() {
	switch {
	case c.fault != "":
		if c.placed {
			c.print([]*widget.Node{widget.Failure(c.phrases(), c.fault)})
		}
		return
	case !c.placed, !c.noted:
		return
	case c.pendingEvents > 0:
		c.late = true
		return
	}
	c.late = false
	field, top := fieldInUse()
	c.writeProse()
	c.showChanged(c.turns.takes)
	c.setControls()
	c.refocus()
	if field.Truthy() { // what is said above it may have become longer or shorter
		global.Call("scrollBy", 0, get(field.Call("getBoundingClientRect"), "top").Float()-top)
	}
	c.nextTurn()
}

// fieldInUse is the field of a document that somebody writes in, if there is one, and where on the screen it stands.
func fieldInUse() (field js.Value, top float64) {
	field = get(global, "document").Call("querySelector", ".field-document:focus")
	if field.Truthy() {
		top = get(field.Call("getBoundingClientRect"), "top").Float()
	}
	return field, top
}

// showChanged shows the parts that changed and whose turn it is.
func (c *island) showChanged(turn func(key string) bool) {
	for _, p := range c.parts {
		if c.view.Fingerprint(p.key) != p.fingerprint && turn(p.key) {
			c.show(p)
		}
	}
}

// show lets a part show the view. A table that nobody had to know yet, which may be long, is printed as a whole.
func (c *island) show(p *part) {
	at, kind := c.spotOf(p), p.key[:strings.IndexByte(p.key, ':')+1]
	switch name := p.key[len(kind):]; kind {
	case "input:":
		c.forgetControls(name)
	case "row:":
		delete(c.held, c.sheet.ID+"--"+name+"--goal-input") // a menu of the inputs that there are
	case "constants:":
		c.anyControl() // a field may become that of another constant
	}
	if p.siblings[p.at].Part != "" && kind == "table:" {
		focus := focusIn(c.root, at.element())
		p.siblings[p.at] = c.built(p.key)
		at.replace(p.siblings[p.at])
		focus.restore(at.element())
	} else {
		was := c.known(p) // first: what is folded in a row then stays as it is
		p.siblings[p.at] = c.built(p.key)
		patch(at, was, p.siblings[p.at])
	}
	p.fingerprint = c.view.Fingerprint(p.key)
	p.printed = p.printed && (kind == "row:" || kind == "rest:")
}

// known is the node of a part. Until it is shown anew, it is what was printed; once the view has changed, a view that
// stays as the author left it knows what that was. The page isn't written here: an event may be on its way through it.
func (c *island) known(p *part) *widget.Node {
	if n := p.siblings[p.at]; n.Part == "" {
		return n
	}
	view := c.view
	if c.noted && (p.key == "rest:" || view.Fingerprint(p.key) != p.fingerprint) { // closed, hidden rows don't follow
		if c.author == nil {
			c.author = c.view.Untouched()
		}
		view = c.author
	}
	p.siblings[p.at] = markup.Shape(view.Printed(p.key))[0]
	return p.siblings[p.at]
}

// complete gives a part what pages without scripts lack.
func (c *island) complete(p *part) {
	if p.printed {
		c.known(p)
		c.view.Unprint()
		c.show(p)
		p.printed = false
	}
}

// completeInputs gives the menus all their choices.
func (c *island) completeInputs() {
	for _, p := range c.parts {
		if p.printed && c.view.Abridged(p.key) {
			c.complete(p)
		}
	}
}

// completePlots gives the plots of the page the controls that pages without scripts lack, one in each quiet moment.
func (p *page) completePlots() {
	for _, c := range p.islands {
		i := slices.IndexFunc(c.parts, func(x *part) bool { return x.printed && widget.PlotIndex(x.key) >= 0 })
		if i < 0 || !c.placed || c.fault != "" {
			continue
		}
		idle(1000, func() {
			c.ctx.Dispatch(func(ctx app.Context) {
				ctx.PreventUpdate()
				if i < len(c.parts) {
					c.guard(func() { c.complete(c.parts[i]) })
				}
				p.completePlots()
			})
		})
		return
	}
	p.prepare(0)
}

// prepare gets the calculators from the i-th on ready for their first change, a piece in each quiet moment: a part is
// patched against the nodes that were printed, and to find these takes longer than all else that the change asks for.
func (p *page) prepare(i int) {
	if i == len(p.islands) {
		return
	}
	idle(preparedWithin, func() {
		p.ctx.Dispatch(func(ctx app.Context) {
			ctx.PreventUpdate()
			c, more := p.islands[i], false
			if c.placed && c.fault == "" {
				c.guard(func() { more = c.prepare() })
			}
			if !more {
				i++
			}
			p.prepare(i)
		})
	})
}

// preparedWithin is how many milliseconds a piece of such work waits for a quiet moment.
const preparedWithin = 5000

// prepare finds nodes for as long as a piece of work may take, and says whether there are more to find. Tables may be
// long, and rows that are folded away rarely change.
func (c *island) prepare() (more bool) {
	c.ready()
	began := time.Now()
	for _, p := range c.parts {
		kind, _, _ := strings.Cut(p.key, ":")
		if kind == "table" || kind == "rest" || p.siblings[p.at].Part == "" {
			continue
		}
		if time.Since(began).Milliseconds() >= workPiece {
			return true
		}
		c.known(p)
	}
	return false
}

// spotOf is where a part stands.
func (c *island) spotOf(p *part) *spot {
	at := &spot{e: c.body, found: true}
	for _, i := range p.path {
		at = &spot{in: at, i: i}
	}
	return at
}

// fits says whether the printed body is built like the frame, so that its parts are where they are looked for.
func (c *island) fits(nodes []*widget.Node, e js.Value) bool {
	list := get(e, "childNodes")
	if get(list, "length").Int() != len(nodes) {
		return false
	}
	for i, n := range nodes {
		if n.Part == "" && n.Tag != "" && len(n.Kids) > 0 && !c.fits(n.Kids, list.Index(i)) {
			return false
		}
	}
	return true
}

// Drawings and tables follow a change one a task, in turn, so that the page answers the reader in between.

// turns says whose turn it is.
type turns struct {
	now    string          // the part that is drawn in this task, empty outside
	left   []string        // the parts that wait, in the order in which they asked
	seen   map[string]bool // which of them were in the window before the first of them was drawn, nil if none is
	coming bool            // there will be a task for the next of them
	hand   bool            // the reader's hand changed something that they have not followed
	moved  time.Time       // when it last did
	rest   int             // milliseconds that they leave to a hand that goes on moving
}

// takes tells whether a part that changed is drawn in this task.
func (t *turns) takes(key string) bool {
	switch kind, _, _ := strings.Cut(key, ":"); kind {
	case "plot", "table", "figure", "twin":
	default:
		return true
	}
	if key != t.now && !slices.Contains(t.left, key) {
		t.left = append(t.left, key)
	}
	return key == t.now
}

// nextTurn sees to it that those which wait get a task; after a change by the reader's hand, once the page has been
// painted, so that the numbers follow the hand and don't wait for the plots. What nobody sees waits until the hand
// rests.
func (c *island) nextTurn() {
	t := &c.turns
	if t.hand {
		t.moved = time.Now()
	}
	if len(t.left) == 0 || t.coming {
		return
	}
	t.coming = true
	if t.hand {
		painted(t.rest, c.takeTurn)
	} else {
		after(0, c.takeTurn)
	}
}

func (c *island) takeTurn() {
	c.ctx.Dispatch(func(ctx app.Context) {
		ctx.PreventUpdate()
		c.guard(c.turn)
	})
}

// unseenRest is how long, in milliseconds, a hand has to rest before what is not in the window follows it.
const unseenRest = 200

// turn draws the part that has waited longest, what is in the window before the rest. On a slow machine the next change
// rests for as long as this took.
func (c *island) turn() {
	t, began := &c.turns, time.Now()
	if t.hand || t.seen == nil {
		t.seen = map[string]bool{}
		for _, key := range t.left {
			t.seen[key] = c.inWindow(key)
		}
	}
	t.coming, t.hand = false, false
	next := slices.IndexFunc(t.left, c.isSeen)
	if next < 0 {
		t.seen, next = nil, len(t.left)
		if wait := unseenRest - int(time.Since(t.moved).Milliseconds()); next > 0 && wait > 0 {
			t.coming = true
			after(wait, c.takeTurn)
			return
		}
		next = 0
	}
	if len(t.left) > 0 {
		t.now, t.left = t.left[next], append(t.left[:next:next], t.left[next+1:]...)
	}
	if t.now == "" || c.late || c.pendingEvents > 0 || c.fault != "" {
		c.follow()
	} else { // all else has followed
		if p := c.partAt(t.now); c.view.Fingerprint(t.now) != p.fingerprint {
			c.show(p)
		}
		c.setControls()
		c.refocus()
		c.nextTurn()
	}
	if t.now = ""; len(t.left) == 0 {
		t.seen = nil
	}
	t.rest = min(100, int(time.Since(began).Milliseconds()))
}

// isSeen tells whether a part was in the window when the first of those that wait was drawn. To ask again after each
// would have the browser lay out the page before it paints, and once more then.
func (c *island) isSeen(key string) bool {
	seen, known := c.turns.seen[key]
	return known && seen || !known && c.inWindow(key)
}

// inWindow says whether the reader can see something of a part.
func (c *island) inWindow(key string) bool {
	r := c.spotOf(c.partAt(key)).element().Call("getBoundingClientRect")
	top, bottom := get(r, "top").Float(), get(r, "bottom").Float()
	return bottom > max(top, 0) && top < get(global, "innerHeight").Float()
}
