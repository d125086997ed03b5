// Package html stands in for html in the browser's program, which escapes texts but never reads them back: it needs no
// table of two thousand named characters.
package html

import "strings"

// EscapeString escapes < > & ' and ".
func EscapeString(s string) string {
	return strings.NewReplacer("&", "&amp;", "'", "&#39;", "<", "&lt;", ">", "&gt;", `"`, "&#34;").Replace(s)
}
