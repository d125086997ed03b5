//go:build js && wasm && lean

package browser

import (
	"syscall/js"

	"github.com/scalebook/scalebook/app/sheet/value"
)

// The pages of the lean program have no document that is put in short, and no work that workers share.

// Work does nothing: these pages have no worker.
func Work(*value.Env) {}

type reading struct{}

func (c *island) shorten(string, *value.Func, js.Value, bool) {}

func (c *island) stopReading(string) bool { return false }

type sharing struct{}

func (c *island) share() {}

func (c *island) unshare() {}
