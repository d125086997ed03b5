package book

import (
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/golden"
)

// TestErrors holds every testdata/errors/*.md to the problems that it has, and its page to being sound nevertheless.
func TestErrors(t *testing.T) {
	loaded(t, "testdata/errors/*.md", func(t *testing.T, file string, b *Book, problems []Problem) {
		var got strings.Builder
		for _, p := range problems {
			got.WriteString(p.String() + "\n")
		}
		golden.Check(t, strings.TrimSuffix(file, ".md")+".txt", got.String())
		for _, page := range b.Pages {
			wellFormed(t, page.HTML)
		}
	})
}
