//go:build js && wasm

package browser

import (
	"errors"
	"strconv"
	"strings"
	"syscall/js"
	"time"
	"unsafe"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/input"
	"github.com/scalebook/scalebook/app/sheet/value"
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

// shortening is a long document that is being put in short: in a worker, or where there can be none, between frames.
type shortening struct {
	fn     *value.Func
	most   int           // bytes of the document
	piece  time.Duration // that it works before others have their turn
	report func(done float64)
	end    func(text string, err error)
	over   bool // nobody wants it any more
}

// begin reads a blob, which gzip may have packed.
func (s *shortening) begin(blob js.Value, packed bool) {
	size := get(blob, "size").Int()
	if s.fn.Stream != nil {
		s.feed(blob, packed, float64(max(1, size)))
		return
	}
	drainBlob(blob, packed, s.most, func(bytes []byte, whole bool) {
		text, err := documentOf(bytes, whole, s.most)
		if err != nil {
			s.end("", err)
			return
		}
		s.work(s.fn.Begin([]value.Value{{Kind: value.Text, Text: text}}))
	})
}

// feed hands a blob to the task piece by piece, so that one is never held as a whole.
func (s *shortening) feed(blob js.Value, packed bool, size float64) {
	task, reported, some := s.fn.Stream(), time.Now(), false
	full, _ := task.(interface{ Enough() bool })
	enough := func() bool { return full != nil && full.Enough() }
	pourBlob(blob, packed, func(came int) {
		if time.Since(reported) > workShown*time.Millisecond {
			reported = time.Now()
			s.report(fedShare * float64(came) / size)
		}
	}, func(bytes js.Value) bool {
		piece := make([]byte, get(bytes, "length").Int())
		js.CopyBytesToGo(piece, bytes)
		some = true
		for task.Feed(unsafe.String(unsafe.SliceData(piece), len(piece))); !s.over && task.Step(); {
		}
		return !s.over && !enough()
	}, func(whole bool) {
		if task.Close(); !whole && !s.over && !some { // what came of a file that breaks off says so itself
			s.end("", phrase.New("browser.file-unreadable"))
			return
		}
		s.work(task)
	})
}

// fedShare is how much of the work is done once a text has come.
const fedShare = 0.8

// work does a piece, and then goes on.
func (s *shortening) work(task value.Task) {
	if s.over {
		return
	}
	began, more := time.Now(), true
	for more && time.Since(began) < s.piece {
		more = task.Step()
	}
	if !more {
		v, err := task.Value()
		s.end(v.Text, err)
		return
	}
	s.report(task.Progress())
	after(0, func() { s.work(task) })
}

// Work is the program in a worker. It helps with the long work of a calculator, or puts a document in short.
func Work(env *value.Env) {
	job := get(global, "job")
	env.Phrases = phrasesOf(job)
	if texts := get(job, "sheet"); texts.Truthy() {
		help(env, texts)
	} else {
		shortenJob(env, job)
	}
	select {}
}

// shortenJob puts the document of the job in short, and posts how far it is and what it found.
func shortenJob(env *value.Env, job js.Value) {
	blob := get(job, "blob")
	(&shortening{
		fn:     env.Funcs[get(job, "fn").String()],
		most:   get(job, "most").Int(),
		piece:  50 * time.Millisecond,
		report: func(done float64) { global.Call("postMessage", map[string]any{"done": done}) },
		end: func(text string, err error) {
			answer := map[string]any{"text": text}
			if err != nil {
				answer = map[string]any{"fault": env.Phrases.Text(err)}
			}
			global.Call("postMessage", answer)
		},
	}).begin(blob, get(job, "packed").Bool())
}

// reading is a document of the reader's that is being put in short.
type reading struct {
	stop  func()
	shown time.Time
}

// shorten puts what a document is to hold in short, and shows how far that has come.
func (c *island) shorten(name string, fn *value.Func, blob js.Value, packed bool) {
	c.stopReading(name)
	if c.reading == nil {
		c.reading = map[string]*reading{}
	}
	r := &reading{}
	c.reading[name] = r
	c.view.Empty(name)
	c.changed()
	size := get(blob, "size").Int()
	s := &shortening{fn: fn, most: c.view.Cap(name), piece: workPiece * time.Millisecond,
		report: func(done float64) { c.readSoFar(name, r, done) },
		end:    func(text string, err error) { c.readWhole(name, r, size, text, err) }}
	here := func() {
		r.stop = func() { s.over = true }
		s.begin(blob, packed)
	}
	if !c.inWorker(r, s, blob, packed, here) {
		here()
	}
	s.report(0)
}

// stopReading gives up a document that is being put in short, and says whether there was one.
func (c *island) stopReading(name string) bool {
	r := c.reading[name]
	if r == nil {
		return false
	}
	r.stop()
	delete(c.reading, name)
	c.view.HasRead(name)
	return true
}

// readSoFar shows how far it has come, not too often.
func (c *island) readSoFar(name string, r *reading, done float64) {
	if done > 0 && time.Since(r.shown) < workShown*time.Millisecond {
		return
	}
	r.shown = time.Now()
	c.ctx.Dispatch(func(app.Context) {
		if c.reading[name] == r {
			c.view.Reading(name, done)
		}
	})
}

// readWhole lets the document hold what stands for the long text.
func (c *island) readWhole(name string, r *reading, size int, text string, err error) {
	c.ctx.Dispatch(func(app.Context) {
		if c.reading[name] != r || c.fault != "" {
			return
		}
		c.guard(func() {
			c.stopReading(name)
			if err != nil {
				c.view.Refuse(name, c.phrases().Text(err))
			} else {
				c.view.Shorten(name, text, size)
			}
			c.changed()
		})
	})
}

// inWorker lets a worker do it, and says whether it can. Where the worker fails, it is done here.
func (c *island) inWorker(r *reading, s *shortening, blob js.Value, packed bool, here func()) (ok bool) {
	defer func() {
		if recover() != nil { // pages of others may forbid workers
			ok = false
		}
	}()
	script := query(document, "script[data-worker]")
	if !script.Truthy() {
		return false
	}
	worker := get(global, "Worker").New(attribute(script, "data-worker"))
	var heard js.Func
	end := func() {
		worker.Call("terminate")
		heard.Release()
	}
	r.stop = end
	heard = js.FuncOf(func(_ js.Value, args []js.Value) any {
		switch said := get(args[0], "data"); {
		case get(said, "done").Type() == js.TypeNumber:
			s.report(get(said, "done").Float())
		case get(said, "text").Type() == js.TypeString:
			s.end(get(said, "text").String(), nil)
		case get(said, "fault").Type() == js.TypeString:
			s.end("", errors.New(get(said, "fault").String()))
		default: // it could not start, or broke
			end()
			here()
		}
		return nil
	})
	worker.Set("onmessage", heard)
	worker.Set("onerror", heard)
	job := jobFor(script)
	for name, x := range map[string]any{"fn": s.fn.Name, "most": s.most, "blob": blob, "packed": packed} {
		set(job, name, x)
	}
	worker.Call("postMessage", job)
	return true
}

// jobFor is what every worker of a page needs to know: where the program is, or the program itself, and its language.
func jobFor(script js.Value) js.Value {
	job := get(global, "Object").Call("assign", map[string]any{}, get(script, "dataset"))
	set(job, "module", get(global, "scalebook", "module"))
	set(job, "phrases", get(global, "scalebook", "phrases"))
	return job
}

// form carries out what a reader does to several choices, a stepper or a document. It is false for anything else.
func (c *island) form(act widget.Act, ev, target js.Value) bool {
	switch act.Do {
	case widget.DoAdd:
		c.view.Add(act.On, c.reads(target))
		delete(c.held, get(target, "id").String()) // it goes back to saying “Add…”
		c.changed()
	case widget.DoDrop:
		c.view.Drop(act.On)
		name, _, _ := strings.Cut(act.On, " ")
		after(0, func() { c.focusOn(name) })
		c.changed()
	case widget.DoFilter:
		c.view.SetFilter(act.On, c.reads(target))
		c.follow()
	case widget.DoStep, widget.DoKeys:
		c.step(act, ev)
	case widget.DoFile, widget.DoLand:
		c.readFile(act, ev, target)
	case widget.DoPaste:
		c.paste(act, ev)
	case widget.DoOver:
		if get(ev, "dataTransfer", "types").Call("includes", "Files").Bool() {
			ev.Call("preventDefault")
		}
	default:
		return false
	}
	return true
}

// step moves a stepper by its buttons, or by the arrow keys anywhere in it.
func (c *island) step(act widget.Act, ev js.Value) {
	name, what, _ := strings.Cut(act.On, " ")
	if act.Do == widget.DoKeys {
		if what = stepKey(ev); what == "" || get(ev, "target", "type").String() == "range" && what != "play" {
			return // the slider does it by itself
		}
		ev.Call("preventDefault")
	}
	c.view.Step(name, what)
	if c.view.StepDelay() > 0 && what == "play" {
		c.play()
	}
	c.changed()
}

func stepKey(ev js.Value) string {
	if get(ev, "ctrlKey").Bool() || get(ev, "altKey").Bool() || get(ev, "metaKey").Bool() {
		return ""
	}
	switch get(ev, "key").String() {
	case "ArrowLeft", "ArrowDown":
		return "back"
	case "ArrowRight", "ArrowUp":
		return "next"
	case "Home":
		return "first"
	case "End":
		return "last"
	}
	return ""
}

// play lets a stepper go on by itself until its end, or until the reader does anything with it.
func (c *island) play() {
	c.plays++
	this := c.plays
	var wait func()
	wait = func() {
		after(c.view.StepDelay(), func() {
			c.ctx.Dispatch(func(app.Context) {
				if c.plays != this || c.fault != "" || c.view.StepDelay() == 0 {
					return
				}
				c.guard(func() {
					if c.view.Tick(); c.view.StepDelay() > 0 {
						wait()
					}
					c.changed()
				})
			})
		})
	}
	wait()
}

// readFile reads a chosen or dropped file into a Document. It stays in the page.
func (c *island) readFile(act widget.Act, ev, target js.Value) {
	from := target
	if act.Do == widget.DoLand {
		from = get(ev, "dataTransfer")
	}
	files := get(from, "files")
	if !files.Truthy() || get(files, "length").Int() == 0 {
		return
	}
	ev.Call("preventDefault")
	file := files.Index(0)
	most := c.view.Cap(act.On)
	switch size := get(file, "size").Float(); {
	case size == 0:
		c.refuse(act.On, phrase.New("browser.file-empty"))
		return
	case size > float64(most):
		c.refuse(act.On, phrase.New("browser.file-too-large", "most", sized(most)))
		return
	}
	ifPacked(file, func(packed bool) {
		c.ctx.Dispatch(func(app.Context) {
			c.guard(func() {
				if packed && !get(global, "DecompressionStream").Truthy() {
					c.refuse(act.On, phrase.New("browser.file-unreadable"))
					return
				}
				c.readBlob(act.On, file, packed)
			})
		})
	})
}

// readBlob reads bytes into a Document. What is long is put in short first, if something does that.
func (c *island) readBlob(name string, blob js.Value, packed bool) {
	long := packed || get(blob, "size").Int() > widget.LongDocument
	if fn := c.view.Shortens(name); fn != nil && long {
		c.shorten(name, fn, blob, packed)
		return
	}
	most := c.view.Cap(name)
	drainBlob(blob, packed, most, func(bytes []byte, whole bool) {
		c.ctx.Dispatch(func(app.Context) {
			c.guard(func() { c.take(name, bytes, whole, most) })
		})
	})
}

// paste reads a long text that is pasted as if it came from a file: no field could show it.
func (c *island) paste(act widget.Act, ev js.Value) {
	board := get(ev, "clipboardData")
	if !board.Truthy() {
		return
	}
	text := board.Call("getData", "text/plain")
	if get(global, "Object").Invoke(text).Get("length").Int() <= widget.LongDocument {
		return
	}
	ev.Call("preventDefault")
	c.readBlob(act.On, get(global, "Blob").New([]any{text}), false)
}

// reread takes what the field of a document holds once: a browser may tell of each line of a text that is put in.
func (c *island) reread(name string, field js.Value) {
	if c.filled == name {
		return
	}
	c.filled = name
	c.pendingEvents++
	after(0, func() {
		c.ctx.Dispatch(func(ctx app.Context) {
			ctx.PreventUpdate()
			c.filled = ""
			c.guard(func() {
				c.view.Set(name, c.reads(field))
				c.changed()
			})
			c.heard()
		})
	})
}

// sized is a size in the unit in which people think of files: 64 KiB, 512 MiB.
func sized(bytes int) string {
	if bytes >= 1<<20 {
		return strconv.Itoa(bytes>>20) + "\u00a0MiB"
	}
	return strconv.Itoa(bytes>>10) + "\u00a0KiB"
}

// refuse says beside a document why a file is not taken.
func (c *island) refuse(name string, err error) {
	c.view.Refuse(name, c.phrases().Text(err))
	c.changed()
}

// take sets a Document to what a file held.
func (c *island) take(name string, bytes []byte, whole bool, most int) {
	text, err := documentOf(bytes, whole, most)
	if err != nil {
		c.refuse(name, err)
		return
	}
	c.view.Set(name, text)
	c.changed()
}

// documentOf is the text in bytes that nobody has any more.
func documentOf(bytes []byte, whole bool, most int) (string, error) {
	switch {
	case len(bytes) > most:
		return "", phrase.New("browser.file-too-large", "most", sized(most))
	case !whole:
		return "", phrase.New("browser.file-unreadable")
	}
	return input.Decoded(unsafe.String(unsafe.SliceData(bytes), len(bytes))), nil
}
