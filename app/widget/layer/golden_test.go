package layer_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/widget/instrument"
	"github.com/scalebook/scalebook/app/widget/layer"
)

var update = flag.Bool("update", false, "write the golden files anew")

// What the page prints, and what is copied, are those that somebody has looked at.
func TestGolden(t *testing.T) {
	for file, source := range map[string]string{
		"default.html":  "",
		"mla.html":      "model = deepseek.v3\nbox = wdkv",
		"parallel.html": "model = palm.540b\npass = forward",
	} {
		p, faults := instrument.Place(layer.New(), "", source)
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
