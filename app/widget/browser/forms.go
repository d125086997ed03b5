//go:build js && wasm

package browser

import (
	"strings"
	"syscall/js"
	"unsafe"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
	"github.com/scalebook/scalebook/app/widget"
)

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
	if c.view.Wait() > 0 && what == "play" {
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
		after(c.view.Wait(), func() {
			c.ctx.Dispatch(func(app.Context) {
				if c.plays != this || c.fault != "" || c.view.Wait() == 0 {
					return
				}
				c.guard(func() {
					if c.view.Tick(); c.view.Wait() > 0 {
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
	if get(file, "size").Float() > float64(most) {
		c.tell(c.phrases().Say("browser.file-too-large", "most", most>>10))
		return
	}
	stream, about := file.Call("stream"), get(file, "size").Int()
	if strings.HasSuffix(strings.ToLower(get(file, "name").String()), ".gz") {
		unpack := get(global, "DecompressionStream")
		if !unpack.Truthy() {
			c.tell(c.phrases().Say("browser.file-unreadable"))
			return
		}
		stream = stream.Call("pipeThrough", unpack.New("gzip"))
	}
	c.readStream(act.On, stream, about)
}

// readStream reads a stream of about so many bytes into a Document.
func (c *island) readStream(name string, stream js.Value, about int) {
	most := c.view.Cap(name)
	drain(stream, about, most, func(bytes []byte, whole bool) {
		c.ctx.Dispatch(func(app.Context) {
			text := unsafe.String(unsafe.SliceData(bytes), len(bytes)) // nobody has the bytes any more
			c.guard(func() { c.take(name, strings.TrimPrefix(text, "\ufeff"), whole, most) })
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
	blob := get(global, "Blob").New([]any{text})
	c.readStream(act.On, blob.Call("stream"), get(blob, "size").Int())
}

// take sets a Document to what a file held.
func (c *island) take(name, text string, whole bool, most int) {
	switch {
	case len(text) > most:
		c.tell(c.phrases().Say("browser.file-too-large", "most", most>>10))
	case !whole:
		c.tell(c.phrases().Say("browser.file-unreadable"))
	default:
		c.view.Set(name, text)
		c.changed()
	}
}
