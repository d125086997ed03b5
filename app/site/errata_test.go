package site

import (
	"strings"
	"testing"
)

// The page of errata has all of them, each with what was printed and a link to its place.
func TestErrata(t *testing.T) {
	files := render(t, realBook)
	page := string(files["errata/index.html"])
	n := 0
	for name, data := range files {
		if strings.HasSuffix(name, ".html") && name != "errata/index.html" {
			n += strings.Count(string(data), `class="callout callout-erratum"`)
			n += strings.Count(string(data), `class="erratum-mark"`)
		}
	}
	if got := strings.Count(page, `class="callout callout-erratum"`); got != n || n == 0 {
		t.Errorf("%d errata, the chapters have %d", got, n)
	}
	for _, want := range []string{"v6e: 9.1e14\u00a0FLOP/s in one place, 9.20e14 in another", "One chip, three peak rates",
		base + "rooflines/#erratum-", "918\u00a0TFLOP/s", "1.09\u00a0ms"} {
		if !strings.Contains(page, want) {
			t.Errorf("it doesn't say %q", want)
		}
	}
	for name, data := range files {
		if strings.HasSuffix(name, "/index.html") && strings.Contains(string(data), `class="contents"`) &&
			!strings.Contains(string(data), `href="/scalebook/errata/"`) {
			t.Errorf("%s: the contents don't list it", name)
		}
	}
	if empty := string(render(t, testBook)["errata/index.html"]); !strings.Contains(empty, "None so far.") {
		t.Error("a book without errata doesn't say so")
	}
}
