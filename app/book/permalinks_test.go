package book

import (
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/scalebook/scalebook/app/widget"
	"golang.org/x/net/html"
)

// TestPermalinksAreNoStops: the sign beside a heading is no stop of the Tab key, and whoever works by the keyboard
// reaches the place that it links to all the same, by the contents or, for a problem, by the search.
func TestPermalinksAreNoStops(t *testing.T) {
	signs := 0
	for _, p := range wholeBook().Pages {
		reached := map[string]bool{}
		for _, e := range p.TOC {
			reached[e.ID] = true
			for _, sub := range e.Sub {
				reached[sub.ID] = true
			}
		}
		for _, e := range p.Exercises {
			reached[e.ID] = true
		}
		for _, link := range permalinks(t, p.HTML) {
			signs++
			id := strings.TrimPrefix(link["href"], "#")
			if link["tabindex"] != "-1" {
				t.Errorf("%s: the permalink of %s is a stop of the Tab key", p.File, id)
			}
			if link["aria-label"] == "" {
				t.Errorf("%s: the permalink of %s has no name", p.File, id)
			}
			if !reached[id] {
				t.Errorf("%s: only the permalink leads to %s", p.File, id)
			}
		}
	}
	if signs < 300 {
		t.Errorf("only %d permalinks", signs)
	}
}

// wholeBook is the book of the content folder, loaded once for all tests that only read it.
var wholeBook = sync.OnceValue(func() *Book {
	config := testConfig()
	config.Env = widget.Env()
	b, _ := Load(os.DirFS("../../content"), config)
	return b
})

// permalinks are the attributes of each permalink of a page.
func permalinks(t *testing.T, page string) (all []map[string]string) {
	t.Helper()
	z := html.NewTokenizer(strings.NewReader(page))
	for z.Next() != html.ErrorToken {
		tok := z.Token()
		at := map[string]string{}
		for _, a := range tok.Attr {
			at[a.Key] = a.Val
		}
		if tok.Type == html.StartTagToken && tok.Data == "a" && at["class"] == "permalink" {
			all = append(all, at)
		}
	}
	return all
}
