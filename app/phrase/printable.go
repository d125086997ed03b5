package phrase

import (
	"strconv"
	"strings"
)

// Printable is a text from a stranger, fit for a page: at most so many characters, and none that can't be seen.
func Printable(s string, most int) string {
	var out strings.Builder
	for _, c := range s {
		if most--; most < 0 {
			out.WriteRune('…')
			break
		}
		if !strconv.IsPrint(c) {
			c = '\ufffd'
		}
		out.WriteRune(c)
	}
	return out.String()
}
