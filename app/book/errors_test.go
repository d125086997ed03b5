package book

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/golden"
)

// TestErrors holds every testdata/errors/*.md to the problems that it has, and its page to being sound nevertheless.
func TestErrors(t *testing.T) {
	files, err := filepath.Glob("testdata/errors/*.md")
	if err != nil || len(files) == 0 {
		t.Fatal("no test files", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			name := filepath.Base(file)
			b, problems := Load(folder(t, map[string][]byte{name: src}), testConfig())
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
}
