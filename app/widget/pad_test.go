//go:build !js

package widget

import (
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/widget/address"
)

// What the reader did to a sheet stays while they edit its text, as far as there is a place for it.
func TestEdited(t *testing.T) {
	v := New(compilePad(t, "let B = 2 in 1..9\nlet C = 3\nlet D = 5\nx = B * C\nask x \"How many?\"\n"))
	for name, text := range map[string]string{"B": "8", "C": "7", "D": "6"} {
		if err := v.Set(name, text); err != nil {
			t.Fatal(err)
		}
	}
	v.SetField(v.id("x", "guess"), "50")
	v.TakeGuess("x")
	v.Toggle("row:x", true)
	next := v.Edited(compilePad(t, "let B = 2 in 1..4\nlet C = 3\nx = 10 * C\ny = B\nask x \"How many?\"\n"))
	if got := next.rowText(next.row("x")); got != "70" {
		t.Errorf("x = %s with C = 7 kept", got)
	}
	if got := next.rowText(next.row("y")); got != "2" || next.Changed("B") {
		t.Errorf("B = %s, though 8 is out of its range now", got)
	}
	if next.Veiled("x") || !next.Open("row:x") {
		t.Error("the guess or the open row was lost")
	}
	if other := v.Edited(compilePad(t, "let B = 2\nx = B\nask x \"Another question?\"\n")); !other.Veiled("x") {
		t.Error("another question counts as answered")
	}
}

func TestPadLink(t *testing.T) {
	const src = "let B = 2 in 1..9\nx = B\n"
	s := compilePad(t, src)
	s.ID = "other"
	v := New(s)
	if err := v.Set("B", "8"); err != nil {
		t.Fatal(err)
	}
	packed, err := address.EncodePad(v.PadSource())
	if err != nil {
		t.Fatal(err)
	}
	link := v.PadAddress("https://example.org/b/", packed)
	before, code, ok := strings.Cut(link, "#s=")
	if !ok || before != "https://example.org/b/scratch/?scratch.B=8" {
		t.Fatal(link)
	}
	if text, err := address.DecodePad(code); err != nil || text != src {
		t.Errorf("%q, %v", text, err)
	}
}
