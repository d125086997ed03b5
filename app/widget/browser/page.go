//go:build js && wasm

package browser

import (
	"slices"
	"strings"
	"syscall/js"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/value"
	"github.com/scalebook/scalebook/app/widget"
	"github.com/scalebook/scalebook/app/widget/address"
	"github.com/scalebook/scalebook/app/widget/goapp"
)

// page is the root component: all calculators of the page, in the order they came to life. They are only ever added.
type page struct {
	app.Compo
	kept goapp.Page // from go-app while that starts
	env  *value.Env
	ctx  app.Context
	base string // prefix of keys in the reader's storage

	islands   []*island
	queue     []js.Value // sections that still wait
	busy      bool       // a section is being mounted
	announced bool       // the page has been notified that it is live
	params    []address.Param
	others    []string // parts of the address that are not ours
	search    string   // of the address, as it was last read or written
	pushed    float64  // when a state was last one to go back to
	acted     bool     // the reader did something since the address was last written
	unsaid    []string // inputs of which the reader has been warned that the address has no space for them
	addr      timer

	unhelped bool // no worker can be had
	embedded bool // the page is somebody else's: see [embedded]
	pad      pad
}

// phrases is the language of the page.
func (p *page) phrases() phrase.Phrases { return p.env.Phrases }

func (c *island) phrases() phrase.Phrases { return c.page.phrases() }

// texts are problems in words.
func (p *page) texts(problems []*phrase.Phrase) []string {
	texts := make([]string, len(problems))
	for i, x := range problems {
		texts[i] = p.phrases().Text(x)
	}
	return texts
}

// phrasesOf is the language of the page: what the script that starts the program has fetched, or English.
func phrasesOf(from js.Value) phrase.Phrases {
	if from.Truthy() {
		if lines := get(from, "phrases"); lines.Type() == js.TypeString {
			return phrase.Read(lines.String())
		}
	}
	return phrase.Phrases{}
}

func newPage(env *value.Env) *page {
	env.Phrases = phrasesOf(get(global, "scalebook"))
	p := &page{env: env, embedded: embedded()}
	if script := query(document, "script[data-base]"); script.Truthy() {
		p.base = attribute(script, "data-base")
	}
	p.addr = timer{ms: 250, f: p.writeAddress}
	return p
}

// OnMount lets go-app finish its start, and then begins.
func (p *page) OnMount(ctx app.Context) {
	p.ctx = ctx
	p.kept.Mounted(ctx, p.begin)
}

// begin finds the page's sheets and takes the nearest first. From here on the program may pause for its other module.
func (p *page) begin() {
	if p.embedded {
		p.embed()
		return
	}
	p.queue = all(document.Call("querySelectorAll", "section.sheet:not([data-live])"))
	p.readAddress()
	p.offerMount()
	p.offerPad()
	p.closeMenus()
	p.revisits()
	p.next()
}

// closeMenus closes a menu when the reader turns to something else.
func (p *page) closeMenus() {
	turn := js.FuncOf(func(_ js.Value, args []js.Value) any {
		for _, c := range p.islands {
			if c.placed && c.fault == "" && c.view.Open("menu") {
				c.guard(func() { c.closeMenu(args[0]) })
			}
		}
		return nil
	})
	for _, event := range []string{"pointerdown", "focusin"} {
		document.Call("addEventListener", event, turn)
	}
}

func (p *page) Render() app.UI {
	kids := make([]app.UI, len(p.islands))
	for i, c := range p.islands {
		kids[i] = &updates{c: c}
	}
	return app.Div().Body(kids...)
}

// offerMount gives other scripts window.scalebook.mount(section), for sheets that come later.
func (p *page) offerMount() {
	api := get(global, "scalebook")
	if !api.Truthy() {
		api = get(global, "Object").New()
		global.Set("scalebook", api)
	}
	api.Set("mount", js.FuncOf(func(_ js.Value, args []js.Value) any {
		if len(args) == 0 || args[0].Type() != js.TypeObject {
			return false
		}
		section := args[0]
		p.ctx.Dispatch(func(app.Context) {
			p.queue = append(p.queue, section)
			if !p.busy {
				p.next()
			}
		})
		return true
	}))
}

// next brings the nearest waiting sheet to life, the first at once and each other in a quiet moment, so that the page
// stays responsive.
func (p *page) next() {
	p.busy = len(p.queue) > 0
	if !p.busy {
		p.ready()
		p.completePlots()
		return
	}
	if len(p.islands) == 0 {
		p.add(p.nearest())
		return
	}
	idle(100, func() { p.ctx.Dispatch(func(app.Context) { p.add(p.nearest()) }) })
}

// add starts a calculator.
func (p *page) add(section js.Value) {
	c, err := p.start(section)
	if err != "" {
		p.failInPlace(section, err)
		p.next()
		return
	}
	c.await(time.Now().Add(workAwait*time.Millisecond), func() { p.enter(c) })
}

// enter brings a calculator to life, and goes on with the next. Until go-app has mounted its component, the context of
// the page is its own.
func (p *page) enter(c *island) {
	p.islands = append(p.islands, c)
	c.ctx = p.ctx
	c.guard(c.place)
	p.ctx.Update()
	p.next()
}

// nearest takes the section out of the queue that the reader will want first: the one with focus, those that the
// address names, the one for which the program was asked, then by distance.
func (p *page) nearest() js.Value {
	at := -1
	for _, wanted := range []func(s js.Value) bool{
		func(s js.Value) bool { return s.Call("matches", ":focus-within").Bool() },
		func(s js.Value) bool {
			id := attribute(s, "data-sheet")
			return slices.ContainsFunc(p.params, func(x address.Param) bool { return x.Sheet == id })
		},
		func(s js.Value) bool { return s.Call("hasAttribute", "data-wanted").Bool() },
	} {
		if at < 0 {
			at = slices.IndexFunc(p.queue, wanted)
		}
	}
	if at < 0 {
		at = p.closest()
	}
	section := p.queue[at]
	p.queue = slices.Delete(p.queue, at, at+1)
	return section
}

// closest is the place in the queue of the section with the least distance from what is seen. Asking for places lets
// the browser lay out the page, which takes long in a page that has just started to change.
func (p *page) closest() int {
	best, at := 1e300, 0
	height := get(global, "innerHeight").Float()
	for i, s := range p.queue {
		rect := s.Call("getBoundingClientRect")
		if d := max(0, get(rect, "top").Float()-height, -get(rect, "bottom").Float()); d < best {
			best, at = d, i
		}
	}
	return at
}

// ready tells the page that all its sheets are live.
func (p *page) ready() {
	if p.announced || p.embedded {
		return
	}
	p.announced = true
	get(document, "documentElement", "dataset").Set("live", "1")
	document.Call("dispatchEvent", get(global, "CustomEvent").New("scalebook:live"))
}

func (p *page) island(id string) *island {
	for _, c := range p.islands {
		if c.id == id {
			return c
		}
	}
	return nil
}

// report shows problems in a corner of the page, until they are dismissed: in the text they would move it.
func (p *page) report(problems []string) {
	if len(problems) == 0 {
		return
	}
	box := query(document, ".sheet-toast")
	if !box.Truthy() {
		box = p.toast()
	}
	for _, text := range problems {
		line := document.Call("createElement", "p")
		setMessage(line, phrase.Capital(text)+".")
		box.Call("insertBefore", line, box.Get("lastChild"))
	}
}

func (p *page) toast() js.Value {
	box := document.Call("createElement", "div")
	box.Set("className", "sheet-toast")
	box.Call("setAttribute", "role", "alert")
	button := document.Call("createElement", "button")
	button.Set("type", "button")
	button.Set("className", "tool")
	button.Set("textContent", p.phrases().Say("widget.dismiss"))
	button.Call("addEventListener", "click", js.FuncOf(func(js.Value,
		[]js.Value) any {
		box.Call("remove")
		return nil
	}))
	box.Call("append", button)
	get(document, "body").Call("append", box)
	return box
}

// failInPlace says in a section why it has no calculator.
func (p *page) failInPlace(section js.Value, message string) {
	said := document.Call("createElement", "p")
	said.Set("className", "sheet-failed")
	said.Call("setAttribute", "role", "alert")
	setMessage(said, p.phrases().Say("browser.failed", "why", message))
	section.Call("append", said)
	section.Call("setAttribute", "data-failed", "")
}

// readAddress decodes the state in the address and reports what is meant for no sheet of this page.
func (p *page) readAddress() {
	search := get(global, "location", "search").String()
	if search == "" {
		return
	}
	ps, others, problems := address.Decode(search)
	ps, p.others = p.alone(ps, others)
	for _, x := range ps {
		known := slices.ContainsFunc(p.queue, func(s js.Value) bool { return attribute(s, "data-sheet") == x.Sheet })
		if known {
			p.params = append(p.params, x)
		} else {
			problems = append(problems, phrase.New("browser.address-elsewhere", "sheet", x.Sheet, "name", x.Name))
		}
	}
	p.report(p.texts(problems))
}

// writeAddress lets the address carry what the reader changed. What waits for a sheet that isn't live yet stays.
func (p *page) writeAddress() {
	var ps []address.Param
	for _, x := range p.params {
		if p.island(x.Sheet) == nil {
			ps = append(ps, x)
		}
	}
	for _, c := range p.islands {
		if c.inPage() {
			ps = append(ps, c.view.Params()...)
		}
	}
	p.reportLeftOut(address.LeftOut(ps))
	location := get(global, "location")
	path, hash := get(location, "pathname").String(), get(location, "hash").String()
	url := path + address.Query(ps, p.others) + hash
	history, how := get(global, "history"), "replaceState"
	now := get(global, "Date").Call("now").Float()
	if changed := url != path+p.search+hash && p.acted; changed && p.remembers() && now > p.pushed+coalesced {
		how, p.pushed = "pushState", now
	}
	p.acted = false
	defer func() { _ = recover() }() // browsers limit how often this may be called; the next change will catch up
	history.Call(how, get(history, "state"), "", url)
	p.search = get(location, "search").String()
}

// coalesced is for how many milliseconds what a reader changes belongs to the same state: a number that is typed, a
// slider that is moved.
const coalesced = 2000

// remembers tells whether each state of the page is one to go back to: where a reader compares what a search finds. In
// a chapter Back leads to the page before.
func (p *page) remembers() bool {
	return !p.framed() && slices.ContainsFunc(p.islands, func(c *island) bool { return c.inPage() && c.sheet.Long() })
}

// revisits brings the sheets back to what they were, when the reader goes back or forward in such a page.
func (p *page) revisits() {
	p.search = get(global, "location", "search").String()
	global.Call("addEventListener", "popstate", js.FuncOf(func(js.Value, []js.Value) any {
		search := get(global, "location", "search").String()
		if search == p.search {
			return nil // only another section of the page
		}
		p.search = search
		ps, _, _ := address.Decode(search)
		for _, c := range p.islands {
			if c.placed && c.fault == "" && c.inPage() {
				c.ctx.Dispatch(func(ctx app.Context) {
					ctx.PreventUpdate()
					c.guard(func() { c.revisit(ps) })
				})
			}
		}
		return nil
	}))
}

// reportLeftOut tells the reader, once for each input, what a link to this page would not carry.
func (p *page) reportLeftOut(left []address.Param) {
	for _, x := range left {
		if key := x.Sheet + "." + x.Name; !slices.Contains(p.unsaid, key) {
			p.unsaid = append(p.unsaid, key)
			p.report(p.texts([]*phrase.Phrase{phrase.New("browser.address-no-room", "sheet", x.Sheet, "name", x.Name)}))
		}
	}
}

// Run brings the sheets of the page to life in the given environment, and does not return.
func Run(env *value.Env) {
	p := newPage(env)
	p.kept.Start(p)
}

// embedded says whether the page is somebody else's, which web/embed.js has set before it started us. Then the sheets
// come one by one through window.scalebook.mount, each in a shadow root, and nothing else of the page is ours: not its
// address, its history, its storage, nor its elements.
func embedded() bool {
	api := get(global, "scalebook")
	return api.Truthy() && get(api, "embedded").Truthy()
}

// embed tells embed.js that sheets may come.
func (p *page) embed() {
	p.offerMount()
	p.closeMenus()
	if ready := get(global, "scalebook", "ready"); ready.Type() == js.TypeFunction {
		ready.Invoke()
	}
}

// applyState brings the sheet to the state that a page gives its section, and returns what can't be taken.
func (c *island) applyState(state string) []*phrase.Phrase {
	if state == "" {
		return nil
	}
	c.ready()
	ps, _, problems := address.Decode(state)
	problems = append(problems, c.view.Host(ps)...)
	for _, p := range problems {
		if p.Key == "widget.address-refused" {
			p.Key = "widget.page-refused"
		}
	}
	return problems
}

// framed says whether the page is that of one calculator alone, which stands in a frame of another page.
func (p *page) framed() bool {
	return get(document, "documentElement", "classList").Call("contains", "embed").Bool()
}

// alone lets the address of a page of one calculator alone leave out which it is: B=512 is as good as ID.B=512, if the
// sheet has or had an input B. It takes such parts out of the others.
func (p *page) alone(ps []address.Param, others []string) ([]address.Param, []string) {
	if len(p.queue) != 1 || !p.framed() {
		return ps, others
	}
	section := p.queue[0]
	id, source := attribute(section, "data-sheet"), ""
	if template := query(section, "template.sheet-source"); template.Truthy() {
		source = get(template, "content", "textContent").String()
	}
	var rest []string
	source = strings.Join(strings.Fields(source), " ") + " "
	for _, part := range others {
		name, _, _ := strings.Cut(part, "=")
		one, _, bad := address.Decode(id + "." + part)
		known := len(one) == 1 && (strings.Contains(source, "let "+one[0].Name+" ") ||
			strings.Contains(source, " was "+one[0].Name+" ") || widget.Takes(p.env, one[0].Name))
		named := slices.ContainsFunc(ps, func(x address.Param) bool { return x.Sheet == id && x.Name == name })
		switch {
		case !known || len(bad) > 0:
			rest = append(rest, part)
		case !named:
			ps = append(ps, one[0])
		}
	}
	return ps, rest
}

// home is the address of the calculator's place in the book, without query and fragment.
func (c *island) home() string {
	if home := attribute(c.section, "data-home"); home != "" {
		return home
	}
	location := get(global, "location")
	return get(location, "origin").String() + get(location, "pathname").String()
}

// base is where the book is.
func (c *island) base() string {
	if base := attribute(c.section, "data-base"); base != "" {
		return base
	}
	return c.page.base
}

// offerUse opens a dialog that says how to put this calculator into another page. Its script comes when it is first
// wanted.
func (c *island) offerUse() {
	api := get(global, "scalebook")
	open := func() { c.guard(func() { api.Call("use", c.section, address.Query(c.view.Params(), nil)) }) }
	if get(api, "use").Truthy() {
		open()
		return
	}
	script := document.Call("createElement", "script")
	set(script, "src", trusted(c.base()+"embed-use.js", "createScriptURL"))
	var loaded, failed js.Func
	handler := func(then func()) js.Func {
		return js.FuncOf(func(js.Value, []js.Value) any {
			loaded.Release()
			failed.Release()
			script.Call("remove")
			then()
			return nil
		})
	}
	loaded = handler(open)
	failed = handler(func() { c.report(c.phrases().Say("browser.lines-unreachable")) })
	script.Set("onload", loaded)
	script.Set("onerror", failed)
	get(document, "head").Call("append", script)
}
