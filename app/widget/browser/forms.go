//go:build js && wasm

package browser

import (
	"strings"
	"syscall/js"
	"unsafe"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
	"github.com/scalebook/scalebook/app/phrase"
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
	if get(file, "size").Float() > float64(most) {
		c.tell(c.phrases().Say("browser.file-too-large", "most", most>>10))
		return
	}
	packed := strings.HasSuffix(strings.ToLower(get(file, "name").String()), ".gz")
	if packed && !get(global, "DecompressionStream").Truthy() {
		c.tell(c.phrases().Say("browser.file-unreadable"))
		return
	}
	c.readBlob(act.On, file, packed)
}

// readBlob reads bytes into a Document. What is long is put in short first, if something does that.
func (c *island) readBlob(name string, blob js.Value, packed bool) {
	long := packed || get(blob, "size").Int() > widget.LongDocument
	if fn := c.view.Shortens(name); fn != nil && long {
		c.shorten(name, fn, blob, packed)
		return
	}
	most := c.view.Cap(name)
	drain(streamOf(blob, packed), get(blob, "size").Int(), most, func(bytes []byte, whole bool) {
		c.ctx.Dispatch(func(app.Context) {
			c.guard(func() { c.take(name, bytes, whole, most) })
		})
	})
}

// streamOf streams what is in a blob, which gzip may have packed.
func streamOf(blob js.Value, packed bool) js.Value {
	stream := blob.Call("stream")
	if packed {
		stream = unpacked(stream)
	}
	return stream
}

func unpacked(stream js.Value) js.Value {
	return stream.Call("pipeThrough", get(global, "DecompressionStream").New("gzip"))
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

// take sets a Document to what a file held.
func (c *island) take(name string, bytes []byte, whole bool, most int) {
	text, err := documentOf(bytes, whole, most)
	if err != nil {
		c.tell(c.phrases().Text(err))
		return
	}
	c.view.Set(name, text)
	c.changed()
}

// documentOf is the text in bytes that nobody has any more.
func documentOf(bytes []byte, whole bool, most int) (string, error) {
	switch {
	case len(bytes) > most:
		return "", phrase.New("browser.file-too-large", "most", most>>10)
	case !whole:
		return "", phrase.New("browser.file-unreadable")
	}
	return strings.TrimPrefix(unsafe.String(unsafe.SliceData(bytes), len(bytes)), "\ufeff"), nil
}
