// Package instruments is the list of all instruments there are. It is what the book, the site and the browser's program
// know of them; to add one, add a line.
package instruments

import (
	"github.com/scalebook/scalebook/app/widget/instrument"
)

// All are the instruments, in the order in which the book lists them.
func All() []*instrument.Instrument {
	return nil
}
