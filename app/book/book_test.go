package book

import (
	"fmt"
	"html"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/scalebook/scalebook/app/golden"
	"github.com/scalebook/scalebook/app/sheet"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// testConfig renders sheets and numbers in a way that goldens can be read with the eye.
func testConfig() Config {
	return Config{
		Base: "/base/", Env: &value.Env{}, Known: []string{"scratch/"}, Reserved: []string{"main", "contents"},
		RenderSheet: func(s *sheet.Sheet) string {
			return fmt.Sprintf(
				`<section class="sheet" id="%s"><p id="%s-title">%s</p></section>`,
				s.ID,
				s.ID,
				html.EscapeString(s.Title),
			)
		},
		RenderInput: func(s *sheet.Sheet, name string) string { return `<input name="` + name + `">` },
		RenderNumber: func(s *sheet.Sheet, r *sheet.Result, name string) string {
			v, _ := r.Value(name)
			return fmt.Sprintf(`<data data-sheet="%s" data-name="%s">%s</data>`, s.ID, name,
				html.EscapeString(valueText(v)))
		},
	}
}

// folder is the content that every test file is put into.
func folder(t testing.TB, extra map[string][]byte) fs.FS {
	t.Helper()
	fsys := fstest.MapFS{}
	root := os.DirFS("testdata/fixture")
	err := fs.WalkDir(root, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := fs.ReadFile(root, name)
		fsys[name] = &fstest.MapFile{Data: data}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range extra {
		fsys[name] = &fstest.MapFile{Data: data}
	}
	return fsys
}

// TestPages holds every testdata/*.md to what it became: the body, then what the site takes from the page.
func TestPages(t *testing.T) {
	loaded(t, "testdata/*.md", func(t *testing.T, file string, b *Book, problems []Problem) {
		for _, p := range problems {
			t.Error(p)
		}
		page := b.Page(strings.TrimSuffix(filepath.Base(file), ".md"))
		wellFormed(t, page.HTML)
		golden.Check(t, strings.TrimSuffix(file, ".md")+".html", page.HTML)
		golden.Check(t, strings.TrimSuffix(file, ".md")+".page.txt", describe(page))
	})
}

// loaded gives the book of each file that fits a pattern, and its problems, to a test of the file's name.
func loaded(t *testing.T, pattern string, test func(t *testing.T, file string, b *Book, problems []Problem)) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatal("no test files", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			b, problems := Load(folder(t, map[string][]byte{filepath.Base(file): src}), testConfig())
			test(t, file, b, problems)
		})
	}
}

// describe prints what a page says besides its body.
func describe(p *Page) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %q at %s, %s %s by %q\n", p.Kind, p.Title, p.URL, p.Subtitle, p.Description, p.Authors)
	fmt.Fprintf(&b, "%d words, %d minutes\n", p.Words, p.Minutes)
	if p.Prev != nil {
		fmt.Fprintf(&b, "before it %s\n", p.Prev.FullTitle())
	}
	if p.Next != nil {
		fmt.Fprintf(&b, "after it %s\n", p.Next.FullTitle())
	}
	for _, e := range p.TOC {
		fmt.Fprintf(&b, "toc %s #%s %q %s\n", e.Number, e.ID, e.Text, e.HTML)
		for _, s := range e.Sub {
			fmt.Fprintf(&b, "  toc %s #%s %q %s\n", s.Number, s.ID, s.Text, s.HTML)
		}
	}
	for _, s := range p.Sheets {
		fmt.Fprintf(&b, "sheet %s %q\n", s.ID, s.Title)
	}
	for _, e := range p.Exercises {
		fmt.Fprintf(&b, "problem %+v\n", e)
	}
	for _, e := range p.Errata {
		fmt.Fprintf(&b, "erratum #%s %q %q %s\n", e.Anchor, e.Where, e.Printed, e.HTML)
	}
	for _, r := range p.References {
		fmt.Fprintf(&b, "reference %s %s\n", r.ID, r.HTML)
	}
	for _, s := range p.Sections {
		fmt.Fprintf(&b, "section #%s %q: %s\n", s.ID, s.Heading, s.Text)
	}
	return b.String()
}

// A chapter takes the time of reading it, and of trying its calculators.
func TestReadingTime(t *testing.T) {
	for _, c := range []struct{ words, sheets, want int }{
		{0, 0, 0}, {1, 0, 1}, {220, 0, 1}, {221, 0, 2}, {4400, 21, 62},
	} {
		if got := readingTime(c.words, c.sheets); got != c.want {
			t.Errorf("%d words and %d calculators: %d minutes, want %d", c.words, c.sheets, got, c.want)
		}
	}
	page := "---\ntitle: One\nkind: chapter\nnumber: 1\n---\n\n" + strings.Repeat("word ", 430) +
		"\n\n```sheet s\ntitle S\nlet x = 1\ny = 2 * x\n```\n"
	b, problems := Load(folder(t, map[string][]byte{"one.md": []byte(page)}), testConfig())
	if len(problems) > 0 || b.Page("one").Minutes != 2+2 {
		t.Errorf("%v: %d words, %d minutes", problems, b.Page("one").Words, b.Page("one").Minutes)
	}
}

// TestAuthorsGuide builds the examples of AUTHORS.md together, as one page without a problem.
func TestAuthorsGuide(t *testing.T) {
	src, err := os.ReadFile("AUTHORS.md")
	if err != nil {
		t.Fatal(err)
	}
	page, examples := "---\ntitle: X\nkind: chapter\nnumber: 1\n---\n\n", 0
	for i, part := range strings.Split(string(src), "````") {
		if body, ok := strings.CutPrefix(part, "markdown\n"); ok && i%2 == 1 {
			page += "\n## Example\n\n" + strings.ReplaceAll(body, "(pails.md?", "(x.md?") // where its sheet is here
			examples++
		}
	}
	if examples < 4 {
		t.Fatal(examples, "examples")
	}
	b, problems := Load(folder(t, map[string][]byte{"x.md": []byte(page)}), testConfig())
	for _, p := range problems {
		t.Error(p)
	}
	wellFormed(t, b.Page("x").HTML)
	for _, k := range directiveKinds {
		if !strings.Contains(string(src), ":::"+k.name) {
			t.Errorf("the guide does not show :::%s", k.name)
		}
	}
}
