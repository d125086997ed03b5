package stream_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/widget/instrument"
	"github.com/scalebook/scalebook/app/widget/stream"
)

var update = flag.Bool("update", false, "write the golden files anew")

// What the page prints, and what is copied, are those that somebody has looked at.
func TestGolden(t *testing.T) {
	for file, source := range map[string]string{
		"default.html": "",
		"one.html":     "buffers = 1\nk = 3\nb = 64",
	} {
		p, faults := instrument.Place(stream.New(), "", source)
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		got := strings.ReplaceAll(p.Static(), "><", ">\n<") + "\n\n" + p.Markdown()
		file = "testdata/" + file
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(file); err != nil || got != string(want) {
			t.Errorf("%s differs (%v); run with -update and look at the difference", file, err)
		}
	}
}
