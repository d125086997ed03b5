package widget

import (
	"github.com/scalebook/scalebook/app/figure"
	"github.com/scalebook/scalebook/app/library"
	"github.com/scalebook/scalebook/app/sheet"
)

// Env is the language of the book's sheets whole: what the library offers, and the figures.
func Env() *sheet.Env {
	env := library.New()
	figure.Offer(env)
	return env
}
