package main

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/scalebook/scalebook/app/sheet/input"
)

// A document is a file: packed or not, joined of several packed ones, in UTF-8 or UTF-16.
func TestDocumentText(t *testing.T) {
	var joined bytes.Buffer
	for _, part := range []string{"# Rank 0\n", "", "# Rank 1\n"} {
		w := gzip.NewWriter(&joined)
		w.Write([]byte(part))
		w.Close()
	}
	file := filepath.Join(t.TempDir(), "run.log") // its name doesn't say what it is
	in := &input.Input{Name: "own", Control: input.DocumentForm, Cap: 1 << 10}
	for _, c := range []struct{ bytes, want string }{
		{joined.String(), "# Rank 0\n# Rank 1\n"},
		{"\xff\xfe#\x00 \x00R\x00", "# R"},
		{"# R", "# R"},
	} {
		if err := os.WriteFile(file, []byte(c.bytes), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := documentText(in, "@"+file, streams{})
		if err != nil || got != c.want {
			t.Errorf("%q, %v; want %q", got, err, c.want)
		}
	}
}

// A test that a document for contributors names is there.
func TestNamedTestsAreThere(t *testing.T) {
	there, checked := allTests(t), 0
	for _, file := range []string{"../README.md", "../.github/CONTRIBUTING.md", "../.github/SECURITY.md"} {
		for _, name := range regexp.MustCompile(`\bTest[A-Z]\w*`).FindAllString(sourceText(t, file), -1) {
			if checked++; !there[name] {
				t.Errorf("%s names %s, which isn't there", file, name)
			}
		}
	}
	if checked < 5 {
		t.Errorf("only %d names are checked", checked)
	}
}
