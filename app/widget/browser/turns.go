//go:build js && wasm

package browser

import (
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// Drawings and tables follow a change one a task, in turn, so that the page answers the reader in between.

// turns says whose turn it is.
type turns struct {
	now    string   // the part that is drawn in this task, empty until one asks
	left   []string // the parts that wait, in the order in which they asked
	coming bool     // there will be a task for the next of them
}

// begin begins a task with the part that has waited longest.
func (t *turns) begin() {
	if t.now = ""; len(t.left) > 0 {
		t.now, t.left = t.left[0], t.left[1:]
	}
}

// takes tells whether a part that changed is drawn in this task.
func (t *turns) takes(key string) bool {
	switch kind, _, _ := strings.Cut(key, ":"); kind {
	case "plot", "table", "figure":
	default:
		return true
	}
	if t.now == "" {
		t.now = key
	}
	if key != t.now && !slices.Contains(t.left, key) {
		t.left = append(t.left, key)
	}
	return key == t.now
}

// nextTurn sees to it that those which wait get a task. Where the parts stand still, they go on with the next change.
func (c *island) nextTurn() {
	if len(c.turns.left) == 0 || c.turns.coming {
		return
	}
	c.turns.coming = true
	c.soon(0, func(ctx app.Context) {
		if c.turns.coming = false; c.frozen {
			ctx.PreventUpdate()
			return
		}
		ctx.Defer(func(app.Context) {
			c.guard(func() {
				defer c.refocus()
				c.controls()
			})
		})
	})
}
