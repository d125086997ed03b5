package book

import (
	"slices"
	"strings"
	"testing"
)

// A link may carry settings for the sheets of the page that it leads to; they are tried when the book is built.
func TestLinkState(t *testing.T) {
	b, problems := Load(folder(t, map[string][]byte{
		"tool.md": []byte(
			"---\ntitle: Tool\n---\n\n```sheet chips\ntitle Chips\nlet dtype = bf16 of bf16, int8, fp8\nlet bars = rate of " +
				"rate, hbm\n```\n",
		),
		"from.md": []byte(
			"---\ntitle: From\n---\n\n[good](tool.md?chips.dtype=int8&chips.bars=hbm#chips) and " +
				"[bad](tool.md?chips.dtype=int7&chips.nothing=1) and [](tool.md?chips.dtype=int8)\n",
		),
	}), testConfig())
	var said []string
	for _, p := range problems {
		if strings.HasPrefix(p.String(), "from.md") {
			said = append(said, p.String())
		}
	}
	if len(said) != 2 || !strings.Contains(said[0], "nothing") || !strings.Contains(said[1], "int7") {
		t.Errorf("%q", said)
	}
	i := slices.IndexFunc(b.Pages, func(p *Page) bool { return p.Title == "From" })
	for _, want := range []string{`href="/base/tool/?chips.dtype=int8&amp;chips.bars=hbm#chips">good`,
		`href="/base/tool/?chips.dtype=int8">Tool`} {
		if !strings.Contains(b.Pages[i].HTML, want) {
			t.Errorf("lacks %s in %s", want, b.Pages[i].HTML)
		}
	}
}
