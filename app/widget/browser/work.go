//go:build js && wasm

package browser

import (
	"syscall/js"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/value"
	"github.com/scalebook/scalebook/app/widget"
	"github.com/scalebook/scalebook/app/widget/address"
)

// The milliseconds that a piece of work takes at most, after which the page shows how far it has come, and that a sheet
// as it was printed waits at most for the work to come as far as its print.
const (
	workPiece  = 10
	workShown  = 150
	workAwait  = 2000
	workFactor = 8  // times as long as reporting took, it works before it reports again
	workLooks  = 30 // between looks at work that is left to others
)

// piece works for as long as a piece may take, and says whether there is more to do. What workers do it leaves to them.
func (c *island) piece() (more bool) {
	began := time.Now()
	for c.view.Busy() && !c.view.Long().Waits() && time.Since(began).Milliseconds() < workPiece {
		c.view.Work()
	}
	return c.view.Busy()
}

// work does what takes longer than a frame between frames, until it is done or the state changes.
func (c *island) work() {
	c.works++
	c.share()
	switch progress := (reporting{shown: time.Now()}); {
	case c.view.Busy():
		c.workOn(c.works, progress)
	case c.view.Unshown():
		c.worked(c.works, progress)
	}
}

// restartWork ends the long work of the state before, and begins that of a new one once the page has been painted, on a
// slow machine once the reader's hand rests.
func (c *island) restartWork() {
	if !c.sheet.Long() {
		return
	}
	c.works++
	this := c.works
	painted(c.turns.rest, func() {
		c.soon(0, func(ctx app.Context) {
			if ctx.PreventUpdate(); c.works == this {
				c.work()
			}
		})
	})
}

// reporting is when the page last reported long work, and how long that took. Where it takes long, it is done less
// often.
type reporting struct {
	shown time.Time
	cost  time.Duration
	just  bool // nothing has been done since
}

// due tells whether it is time to tell again.
func (t *reporting) due() bool {
	return time.Since(t.shown) >= max(workShown*time.Millisecond, workFactor*t.cost)
}

// workOn does the next pieces of the work that began as the number this. No task does more than one thing of a piece,
// its numbers and its pictures, so that the page answers the reader in between.
func (c *island) workOn(this int, progress reporting) {
	wait := 0
	if c.view.Long().Waits() {
		wait = workLooks
	}
	c.soon(wait, func(ctx app.Context) {
		ctx.PreventUpdate()
		if c.works != this {
			return
		}
		if progress.just {
			progress.cost, progress.just = time.Since(progress.shown), false
		}
		more := c.piece()
		c.share()
		if more && !progress.due() {
			c.workOn(this, progress)
			return
		}
		progress.shown, progress.just = time.Now(), true
		c.worked(this, progress)
	})
}

// worked shows how far the work has come, and goes on.
func (c *island) worked(this int, progress reporting) {
	c.soon(0, func(ctx app.Context) {
		ctx.PreventUpdate()
		if c.works != this {
			return
		}
		c.view.Worked()
		if said := c.view.Met(); said != "" {
			c.changed()
			c.say(said)
			return
		}
		c.follow()
		if c.view.Busy() { // also where what has ended is what other work waited for
			c.workOn(this, progress)
		}
	})
}

// soon does something in a task of its own, after so many milliseconds.
func (c *island) soon(ms int, do func(app.Context)) {
	after(ms, func() {
		c.ctx.Dispatch(func(ctx app.Context) {
			if c.fault != "" {
				ctx.PreventUpdate()
				return
			}
			c.guard(func() { do(ctx) })
		})
	})
}

// await calls then once the long work of a sheet is done that stands in the page as its author left it: what is printed
// there is done already. It waits no longer than until.
func (c *island) await(until time.Time, then func()) {
	if c.view == nil || len(c.view.Params()) > 0 || !c.view.Busy() || time.Now().After(until) {
		then()
		return
	}
	after(0, func() {
		c.page.ctx.Dispatch(func(ctx app.Context) {
			ctx.PreventUpdate()
			c.guard(func() {
				if !c.piece() || time.Now().After(until) {
					c.view.Worked()
				}
			})
			c.await(until, then)
		})
	})
}

// Long work that others can share is shared with workers of the browser once it has taken a moment: each runs the
// page's own program, brings the same sheet to the same state, and does the pieces that the page gives it. The page
// itself then only adds up and shows what they found, so that it answers its reader.

const (
	shareAfter = 200 * time.Millisecond // that a task has worked before it is worth a worker's start
	mostShares = 4                      // workers
	ahead      = 3                      // pieces that a worker has at hand while the page draws
)

// sharing is a task that workers share, or that they may once it has taken a moment.
type sharing struct {
	task    value.Shared
	place   sheet.Pos
	since   time.Time
	helpers []*helper
}

// helper is a worker, and the pieces that it has.
type helper struct {
	worker js.Value
	heard  js.Func
	pieces []string
}

// share lets workers share the long work of the present state, and ends those that nobody needs any more.
func (c *island) share() {
	task, place := c.view.Long().Shared(nil)
	if task != c.shared.task {
		c.unshare()
		c.shared = sharing{task: task, place: place, since: time.Now()}
	}
	c.shared.place = place // which an edit of the text has moved
	if task != nil && c.shared.helpers == nil && !c.page.unhelped && time.Since(c.shared.since) > shareAfter {
		c.callHelpers()
	}
}

// unshare ends the workers. What they were doing is left to do.
func (c *island) unshare() {
	for _, h := range c.shared.helpers {
		h.worker.Call("terminate")
		h.heard.Release()
		for _, piece := range h.pieces {
			c.shared.task.Back(piece)
		}
	}
	if c.shared.helpers != nil {
		c.view.Long().Lend(c.shared.task, false)
	}
	c.shared = sharing{}
}

// callHelpers starts workers, one less than there are processors: the page needs one to answer the reader. It works on
// until the first of them is ready.
func (c *island) callHelpers() {
	defer func() {
		if recover() != nil { // pages of others may forbid workers
			c.stopSharing()
		}
	}()
	script := query(document, "script[data-worker]")
	if !script.Truthy() {
		c.page.unhelped = true
		return
	}
	at := c.shared.place
	texts := []any{c.sheet.ID, c.sheet.Source, at.Line, at.Col, at.Len}
	for _, p := range c.view.Given() {
		texts = append(texts, p.Name, p.Text)
	}
	job := jobFor(script)
	set(job, "sheet", texts)
	for range max(1, min(mostShares, get(global, "navigator", "hardwareConcurrency").Int()-1)) {
		c.callHelper(attribute(script, "data-worker"), job)
	}
}

func (c *island) callHelper(url string, job js.Value) {
	h := &helper{worker: get(global, "Worker").New(url)}
	h.heard = js.FuncOf(func(_ js.Value, args []js.Value) any {
		said := get(args[0], "data")
		c.ctx.Dispatch(func(ctx app.Context) {
			ctx.PreventUpdate()
			c.guard(func() { c.answered(h, said) })
		})
		return nil
	})
	c.shared.helpers = append(c.shared.helpers, h)
	h.worker.Set("onmessage", h.heard)
	h.worker.Set("onerror", h.heard)
	h.worker.Call("postMessage", job)
}

// answered takes what a worker found, and gives it more to do.
func (c *island) answered(h *helper, said js.Value) {
	found := get(said, "found")
	switch {
	case !contains(c.shared.helpers, h): // it was ended
		return
	case c.fault != "":
		c.unshare()
		return
	case get(said, "ready").Truthy():
	case len(h.pieces) > 0 && found.Type() == js.TypeString && c.shared.task.Take(h.pieces[0], found.String()):
		h.pieces = h.pieces[1:]
	default:
		c.stopSharing()
		return
	}
	for len(h.pieces) < ahead {
		piece := c.shared.task.Lend()
		if piece == "" {
			break
		}
		h.pieces = append(h.pieces, piece)
		h.worker.Call("postMessage", piece)
	}
	c.view.Long().Lend(c.shared.task, true)
}

// stopSharing leaves long work to the page alone: a worker could not start, or broke.
func (c *island) stopSharing() {
	c.page.unhelped = true
	c.unshare()
}

func contains(all []*helper, h *helper) bool {
	for _, x := range all {
		if x == h {
			return true
		}
	}
	return false
}

// help is the program in a worker that shares the long work of a calculator: texts are the sheet, the place of the
// call whose work it is, and what is given.
func help(env *value.Env, texts js.Value) {
	s, _ := sheet.Compile(texts.Index(1).String(), env) // the page has compiled it too
	s.ID = texts.Index(0).String()
	task := taskOf(widget.NewLive(s), texts)
	if task == nil {
		global.Call("postMessage", map[string]any{"failed": true})
		return
	}
	global.Call("addEventListener", "message", js.FuncOf(func(_ js.Value, args []js.Value) any {
		global.Call("postMessage", map[string]any{"found": task.Do(get(args[0], "data").String())})
		return nil
	}))
	global.Call("postMessage", map[string]any{"ready": true})
}

// taskOf brings a view to the state of the page's and begins the task that is shared, with all that it needs. It is nil
// if there is no such task, or if it needs what another shared task finds.
func taskOf(v *widget.View, texts js.Value) value.Shared {
	var given []address.Param
	for i := 5; i < texts.Length(); i += 2 {
		given = append(given, address.Param{Sheet: v.Sheet.ID, Name: texts.Index(i).String(),
			Text: texts.Index(i + 1).String()})
	}
	v.Follow(given)
	place := sheet.Pos{Line: texts.Index(2).Int(), Col: texts.Index(3).Int(), Len: texts.Index(4).Int()}
	for {
		task, _ := v.Long().Shared(&place)
		if task != nil {
			return task
		}
		if other, _ := v.Long().Shared(nil); other != nil && !v.Long().Waits() {
			v.Long().Lend(other, true) // not ours to do
		}
		if v.Long().Waits() || !v.Busy() {
			return nil
		}
		v.Work()
		v.Worked()
	}
}
