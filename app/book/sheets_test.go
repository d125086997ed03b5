package book

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/sheet"
)

// TestSheetsPositions checks that a place in a sheet is the same character in the file, wherever the fence stands.
func TestSheetsPositions(t *testing.T) {
	src := "---\r\ntitle: X\r\n---\r\n\r\n" +
		"```sheet top\r\nlet a = 1\r\n  bad = é + MARK\r\n```\n\n" +
		"- item\n\n  ```sheet listed\n  let b = 1\n    c = MARK\n  ```\n\n" +
		"> :::note\n> ```sheet quoted\n> d = MARK\n> ```\n> :::\n\n" +
		"1.  deep\n    - deeper\n\n      ```sheet-example\n      e = 1\n      \n      f = MARK\n      ```\n\n" +
		"```sheet-error\ng = MARK\n```\n\n```go\nMARK\n```\n"
	lines := strings.Split(strings.ReplaceAll(src, "\r\n", "\n"), "\n")
	sources := Sheets("x.md", []byte(src))
	var ids []string
	for _, s := range sources {
		ids = append(ids, s.Mode+" "+s.ID)
		for i, line := range strings.Split(s.Text, "\n") {
			at := strings.Index(line, "MARK")
			if at < 0 {
				continue
			}
			l, c := s.Position(sheet.Pos{Line: i + 1, Col: len([]rune(line[:at])) + 1})
			if got := string([]rune(lines[l-1])[c-1:]); got != "MARK" {
				t.Errorf("%s: %d:%d is %q", s.ID, l, c, got)
			}
		}
	}
	if got := strings.Join(ids, ", "); got != "sheet top, sheet listed, sheet quoted, sheet-example x-example-4, "+
		"sheet-error " {
		t.Error(got)
	}
}

func TestSheetsBare(t *testing.T) {
	s := Sheets("x.sheet", []byte("let a = 1\r\nb = a\r\n"))
	if len(s) != 1 || s[0].ID != "" || s[0].Text != "let a = 1\nb = a\n" || s[0].Line != 1 {
		t.Errorf("%+v", s)
	}
}

// TestDeterminism builds the same book twice.
func TestDeterminism(t *testing.T) {
	src, err := os.ReadFile("testdata/sample.md")
	if err != nil {
		t.Fatal(err)
	}
	build := func() string {
		b, problems := Load(folder(t, map[string][]byte{"sample.md": src}), testConfig())
		var out strings.Builder
		for _, p := range b.Pages {
			out.WriteString(p.HTML + describe(p))
		}
		return out.String() + fmt.Sprint(problems)
	}
	if first, second := build(), build(); first != second {
		t.Error("two builds differ")
	}
}

// BenchmarkLoad builds twenty chapters of the sample's size.
func BenchmarkLoad(b *testing.B) {
	src, err := os.ReadFile("testdata/sample.md")
	if err != nil {
		b.Fatal(err)
	}
	files := map[string][]byte{}
	for i := range 20 {
		text := string(src)
		for _, id := range []string{"sheet matmul", "matmul.", "sheet-example sample-example", "sheet answer-sheet"} {
			text = strings.ReplaceAll(
				text,
				id,
				strings.TrimSuffix(id, ".")+fmt.Sprint("-", i)+id[len(strings.TrimSuffix(id, ".")):],
			)
		}
		files[fmt.Sprintf("sample%d.md", i)] = []byte(text)
	}
	fsys := folder(b, files)
	for b.Loop() {
		if _, problems := Load(fsys, testConfig()); len(problems) > 0 {
			b.Fatal(problems[0])
		}
	}
}

// A sheet may begin with a GPU for readers who asked for one. What it can't take is an error where it is written.
func TestSheetsOnGPUs(t *testing.T) {
	load := func(fence string) (html string, problems []Problem) {
		page := "---\ntitle: One\n---\n\n```" + fence + "\ntitle Peak\n" +
			"let chip = small of small \"Small\", large \"Large\"\nC = if(chip = \"large\", 2, 1)\n```\n\n" +
			":::margin On a GPU {for=\"gpu\"}\nMore.\n:::\n"
		b, problems := Load(folder(t, map[string][]byte{"one.md": []byte(page)}), testConfig())
		return b.Page("one").HTML, problems
	}
	html, problems := load(`sheet peak hero {gpu="chip=large"}`)
	if len(problems) > 0 || !strings.Contains(html, `<section data-gpu="peak.chip=large" `) ||
		!strings.Contains(html, `class="margin-note on-gpu"`) {
		t.Errorf("%v\n%s", problems, html)
	}
	if html, problems = load("sheet peak"); len(problems) > 0 || strings.Contains(html, "data-gpu") {
		t.Errorf("%v\n%s", problems, html)
	}
	for _, wrong := range []string{`{gpu="chip=larger"}`, `{gpu="chips=large"}`, `{gpu="large"}`, `{tpu="chip=large"}`,
		`{gpu="chip"}`, `{gpu="a&b"}`} {
		if _, problems = load("sheet peak " + wrong); len(problems) == 0 || problems[0].Line != 5 {
			t.Errorf("%s: %v", wrong, problems)
		}
	}
}
