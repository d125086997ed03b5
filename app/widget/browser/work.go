//go:build js && wasm

package browser

import (
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// The milliseconds that a piece of work takes at most, after which the page shows how far it has come, and that a sheet
// as it was printed waits at most for the work to come as far as its print.
const (
	workPiece = 10
	workShown = 150
	workAwait = 2000
	workCheap = 8  // times as long as telling took, it works before it tells again
	workLooks = 30 // between looks at work that is left to others
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
	if c.view.Busy() {
		c.workOn(c.works, telling{shown: time.Now()})
	}
}

// workAnew ends the long work of the state before, and begins that of a new one once the page has been painted.
func (c *island) workAnew() {
	if !c.sheet.Long() {
		return
	}
	c.works++
	this := c.works
	painted(0, func() {
		c.soon(0, func(ctx app.Context) {
			if ctx.PreventUpdate(); c.works == this {
				c.work()
			}
		})
	})
}

// telling is when the page last told of long work, and how long that took. Where it takes long, it is done less often.
type telling struct {
	shown time.Time
	cost  time.Duration
	just  bool // nothing has been done since
}

// due tells whether it is time to tell again.
func (t *telling) due() bool {
	return time.Since(t.shown) >= max(workShown*time.Millisecond, workCheap*t.cost)
}

// workOn does the next pieces of the work that began as the number this. No task does more than one thing of a piece,
// its numbers and its pictures, so that the page answers the reader in between.
func (c *island) workOn(this int, told telling) {
	wait := 0
	if c.view.Long().Waits() {
		wait = workLooks
	}
	c.soon(wait, func(ctx app.Context) {
		ctx.PreventUpdate()
		if c.works != this {
			return
		}
		if told.just {
			told.cost, told.just = time.Since(told.shown), false
		}
		more := c.piece()
		c.share()
		if more && !told.due() {
			c.workOn(this, told)
			return
		}
		told.shown, told.just = time.Now(), true
		c.worked(this, told)
	})
}

// worked shows how far the work has come, and goes on.
func (c *island) worked(this int, told telling) {
	c.soon(0, func(ctx app.Context) {
		ctx.PreventUpdate()
		if c.works != this {
			return
		}
		c.view.Worked()
		c.follow()
		if c.view.Busy() { // also where what has ended is what other work waited for
			c.workOn(this, told)
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
