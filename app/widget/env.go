package widget

import (
	"github.com/scalebook/scalebook/app/figure"
	"github.com/scalebook/scalebook/app/library"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// Env is the language of the book's sheets whole: what the library offers, and the figures.
func Env() *value.Env {
	env := EnvBegun()
	env.Whole()
	return env
}

// EnvBegun is the language of the book's sheets as far as most first sheets of pages need it; it becomes whole when a
// sheet needs more.
func EnvBegun() *value.Env {
	env := library.Begun()
	rest := env.Rest
	env.Rest = func() {
		rest()
		figure.Offer(env)
	}
	return env
}
