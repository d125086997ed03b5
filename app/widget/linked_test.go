package widget

import (
	"testing"

	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/phrase"
)

// A message that names a page links to it; what else stands in brackets, as in a text that is quoted, stays as it is.
func TestMessagesLink(t *testing.T) {
	for message, want := range map[string]string{
		"this is HLO, which [“Reading profiles”](profiling/#pasted) reads": "this is HLO, which " +
			`<a href="../profiling/#pasted">“Reading profiles”</a> reads`,
		"it begins with [“x": "it begins with [“x", "a[1](b)": "a[1](b)",
		"[“x”](javascript:alert(1))": `<a href="../javascript:alert(1">“x”</a>)`,
	} {
		if got := markup.HTML(el("p", linked(message))); got != "<p>"+want+"</p>" {
			t.Errorf("%s: %s", message, got)
		}
	}
	if is := phrase.Unlinked("this is [“A”](a/) and [“B”](b/#c), no [“link"); is != "this is “A” and “B”, no [“link" {
		t.Error(is)
	}
}
