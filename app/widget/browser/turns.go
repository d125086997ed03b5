//go:build js && wasm

package browser

import (
	"slices"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// Drawings and tables follow a change one a task, in turn, so that the page answers the reader in between.

// turns says whose turn it is.
type turns struct {
	now    string   // the part that is drawn in this task, empty outside
	left   []string // the parts that wait, in the order in which they asked
	coming bool     // there will be a task for the next of them
	hand   bool     // the reader's hand changed something that they have not followed
	rest   int      // milliseconds that they leave to a hand that goes on moving
}

// takes tells whether a part that changed is drawn in this task.
func (t *turns) takes(key string) bool {
	switch kind, _, _ := strings.Cut(key, ":"); kind {
	case "plot", "table", "figure":
	default:
		return true
	}
	if key != t.now && !slices.Contains(t.left, key) {
		t.left = append(t.left, key)
	}
	return key == t.now
}

// nextTurn sees to it that those which wait get a task; after a change by the reader's hand, once the page has been
// painted, so that the numbers follow the hand and don't wait for the plots.
func (c *island) nextTurn() {
	t := &c.turns
	if len(t.left) == 0 || t.coming {
		return
	}
	t.coming = true
	task := func() {
		c.ctx.Dispatch(func(ctx app.Context) {
			ctx.PreventUpdate()
			c.guard(c.turn)
		})
	}
	if t.hand {
		painted(t.rest, task)
	} else {
		after(0, task)
	}
}

// turn draws the part that has waited longest. On a slow machine the next change rests for as long as this took.
func (c *island) turn() {
	t, began := &c.turns, time.Now()
	t.coming, t.hand = false, false
	if len(t.left) > 0 {
		t.now, t.left = t.left[0], t.left[1:]
	}
	c.follow()
	c.turns.now = ""
	c.turns.rest = min(100, int(time.Since(began).Milliseconds()))
}
