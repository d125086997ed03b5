package book

import (
	"strings"
	"testing"
)

// A sheet may begin with a GPU for readers who asked for one. What it can't take is an error where it is written.
func TestSheetsOnGPUs(t *testing.T) {
	load := func(fence string) (html string, problems []Problem) {
		page := "---\ntitle: One\n---\n\n```" + fence + "\ntitle Peak\nlet chip = small of small \"Small\", large \"Large\"\nC = if(chip = \"large\", 2, 1)\n```\n\n" +
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
