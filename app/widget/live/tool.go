//go:build js && wasm

package live

import (
	"fmt"
	"strconv"
	"strings"
	"syscall/js"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
	"github.com/scalebook/scalebook/app/widget"
	"github.com/scalebook/scalebook/app/widget/instrument"
)

// instrument is the instrument of that name, nil if the program has none.
func (p *page) instrument(kind string) *instrument.Instrument {
	for _, in := range p.tools {
		if in.ID == kind {
			return in
		}
	}
	return nil
}

// startInstrument brings an instrument to the state that its author, the address and the reader ask for.
func (p *page) startInstrument(section js.Value, kind, source string) (*calc, string) {
	in := p.instrument(kind)
	if in == nil {
		return nil, fmt.Sprintf("this edition's program has no instrument %q", kind)
	}
	c := p.newCalc(section)
	c.placing, _ = instrument.Place(in, c.id, source)
	c.raised()
	return c, ""
}

// takes says whether the instrument of a section has a control of that name which isn't in the page.
func (p *page) takes(section js.Value, name string) bool {
	in := p.instrument(attribute(section, "data-instrument"))
	if in == nil {
		return false
	}
	if in.Controls != nil {
		for _, c := range in.Controls() {
			if c.Name == name {
				return true
			}
		}
	}
	if in.Cell == nil {
		return false
	}
	_, ok := in.Cell(name)
	return ok
}

// takeSet takes over what the reader did to the controls of the static body.
func (c *calc) takeSet(old js.Value) {
	for _, k := range c.tool.Controls() {
		text, ok := typed(old, k.ID)
		name, isSlider := strings.CutSuffix(strings.TrimPrefix(k.ID, c.id+"--"), "--slider")
		switch {
		case !ok:
		case isSlider:
			position, _ := strconv.Atoi(text)
			c.view.Slide(name, position)
		default:
			c.tool.Take(name, text)
		}
	}
}

// use carries out what only instruments know. It is false for what it doesn't know.
func (c *calc) use(act widget.Act, ev, target js.Value) bool {
	switch act.Do {
	case instrument.DoAct:
		c.tool.Act(act.On)
	case instrument.DoChoose:
		c.tool.Choose(act.On, c.reads(target))
	case instrument.DoAdd:
		c.tool.Add(act.On, c.reads(target))
		delete(c.held, get(target, "id").String()) // it goes back to saying “Add…”
	case instrument.DoDrop:
		c.tool.Drop(act.On)
		name, _, _ := strings.Cut(act.On, " ")
		after(0, func() { c.focusOn(name) })
	case instrument.DoStep, instrument.DoKeys:
		return c.step(act, ev, target)
	case instrument.DoFile, instrument.DoLand:
		return c.readFile(act, ev, target)
	case instrument.DoOver:
		if get(ev, "dataTransfer", "types").Call("includes", "Files").Bool() {
			ev.Call("preventDefault")
		}
		return true
	default:
		return false
	}
	c.changed()
	return true
}

// The milliseconds that a piece of work takes at most, and after which the page shows how far it has come.
const (
	workPiece = 6
	workShown = 150
)

// work lets an instrument do what takes longer than a frame, between frames, until it is done or the state changes.
func (c *calc) work() {
	c.works++
	this := c.works
	shown := time.Now()
	var next func()
	next = func() {
		after(0, func() {
			c.ctx.Dispatch(func(ctx app.Context) {
				if c.works != this || c.fault != "" {
					ctx.PreventUpdate()
					return
				}
				c.guard(func() {
					began, more := time.Now(), true
					for more && time.Since(began).Milliseconds() < workPiece {
						more = c.tool.Work()
					}
					if more {
						next()
					}
					if more && time.Since(shown).Milliseconds() < workShown {
						ctx.PreventUpdate()
						return
					}
					shown = time.Now()
					c.tool.Worked()
				})
			})
		})
	}
	if c.tool.Work() {
		next()
	}
}

// step moves a stepper by its buttons, or by the arrow keys anywhere in it.
func (c *calc) step(act widget.Act, ev, target js.Value) bool {
	name, what, _ := strings.Cut(act.On, " ")
	if act.Do == instrument.DoKeys {
		if what = stepKey(ev); what == "" || get(ev, "target", "type").String() == "range" && what != "play" {
			return true // the slider does it by itself
		}
		ev.Call("preventDefault")
	}
	c.tool.Step(name, what)
	if c.tool.Wait() > 0 && what == "play" {
		c.play()
	}
	c.changed()
	return true
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
func (c *calc) play() {
	c.plays++
	this := c.plays
	var wait func()
	wait = func() {
		after(c.tool.Wait(), func() {
			c.ctx.Dispatch(func(app.Context) {
				if c.plays != this || c.fault != "" || c.tool.Wait() == 0 {
					return
				}
				c.guard(func() {
					if c.tool.Tick(); c.tool.Wait() > 0 {
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
func (c *calc) readFile(act widget.Act, ev, target js.Value) bool {
	from := target
	if act.Do == instrument.DoLand {
		from = get(ev, "dataTransfer")
	}
	files := get(from, "files")
	if !files.Truthy() || get(files, "length").Int() == 0 {
		return true
	}
	ev.Call("preventDefault")
	file := files.Index(0)
	most := c.tool.Cap(act.On)
	if get(file, "size").Float() > float64(most) {
		c.tell("This file is too large: at most " + strconv.Itoa(most>>10) + " KiB.")
		return true
	}
	var done, failed js.Func
	settle := func(then func(text string)) js.Func {
		return js.FuncOf(func(_ js.Value, args []js.Value) any {
			done.Release()
			failed.Release()
			text := ""
			if len(args) > 0 && args[0].Type() == js.TypeString {
				text = args[0].String()
			}
			c.ctx.Dispatch(func(app.Context) { c.guard(func() { then(text) }) })
			return nil
		})
	}
	done = settle(func(text string) {
		c.view.Set(act.On, text)
		c.changed()
	})
	failed = settle(func(string) { c.tell("This file can’t be read.") })
	file.Call("text").Call("then", done, failed)
	return true
}
