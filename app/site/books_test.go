package site

import (
	"strings"
	"testing"
	"testing/fstest"
)

// The first page leads to the books to take along, with their sizes, only where they were written; no browser keeps
// them with the pages.
func TestBooksToTakeAlong(t *testing.T) {
	t.Parallel()
	o := options(t, testBook)
	if home := string(renderWith(t, o)["index.html"]); strings.Contains(home, PDFName) || strings.Contains(home, EPUBName) {
		t.Error("the first page leads to books that were not written")
	}
	o.Offline = true
	o.Books = fstest.MapFS{
		PDFName: {Data: make([]byte, 12_345_678)}, EPUBName: {Data: make([]byte, 700_000)},
		"ru/" + PDFName: {Data: []byte("of another language")},
	}
	files := renderWith(t, o)
	for name, size := range map[string]string{PDFName: "12.3 MB", EPUBName: "0.7 MB"} {
		if len(files[name]) == 0 {
			t.Errorf("%s isn't published", name)
		}
		if link := `<a href="` + o.Base + name + `">`; !strings.Contains(string(files["index.html"]), link) ||
			!strings.Contains(string(files["index.html"]), size) {
			t.Errorf("the first page doesn't lead to %s, of %s", name, size)
		}
		if strings.Contains(string(files[workerName]), name) {
			t.Errorf("browsers keep %s", name)
		}
	}
	o.lang = "ru"
	if files, err := o.booksFrom(); err != nil || len(files) != 1 {
		t.Errorf("in Russian there are %d books, %v", len(files), err)
	}
}

func renderWith(t *testing.T, o Options) Files {
	t.Helper()
	files, err := Render(o)
	if err != nil {
		t.Fatal(err)
	}
	return files
}
