package input

import (
	"strings"
	"testing"
)

// A long document is looked at to the first rune that begins before the end of the first MiB.
func TestIsText(t *testing.T) {
	const looked = 1 << 20
	for text, want := range map[string]bool{"": true, "é": true, "\x00": false, "é"[:1]: false,
		strings.Repeat("x", looked-1) + "é": true, "x" + strings.Repeat("é", looked): true,
		"\x00" + strings.Repeat("x", looked): false, strings.Repeat("x", looked-1) + "\xff" + "x": false} {
		if got := isText(text); got != want {
			t.Errorf("%.10q, %d bytes: %v", text, len(text), got)
		}
	}
}
