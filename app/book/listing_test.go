package book

import (
	"strings"
	"testing"
)

// TestListing: the first page lists chapters with what they and the pages beside them hold, and instruments with their
// pictures; what a page is called stands only in its front matter.
func TestListing(t *testing.T) {
	page := func(front, body string) []byte { return []byte("---\n" + front + "\n---\n\n" + body) }
	sheet := func(id string) string { return "```sheet " + id + "\ntitle A box\nlet n = 2\n```\n" }
	problem := "\n:::problem One {#problem-one}\nWhy?\n:::\n"
	files := map[string][]byte{
		"index.md":      page("title: Home", ":::chapters\n:::\n\n:::instruments\n:::\n"),
		"one.md":        page("title: First & best\nsubtitle: What it is\nkind: chapter\nnumber: 1", sheet("a")),
		"more.md":       page("title: More\nnumber: 1", sheet("b")+problem),
		"two.md":        page("title: Second\nkind: chapter\nnumber: 2", sheet("c")),
		"tool.md":       page("title: A tool\nkind: instrument\norder: 200\npicture: figures/t.svg", sheet("d")),
		"figures/t.svg": []byte(drawing("")),
	}
	b, problems := Load(folder(t, files), testConfig())
	for _, p := range problems {
		t.Error(p)
	}
	home := b.Page("")
	for _, want := range []string{
		`<strong>First &amp; best</strong> <span>What it is <small>2 calculators, 1 problem</small>`,
		`<strong>Second</strong> <span> <small>1 calculator</small>`,
		`<span class="tool-art" aria-hidden="true"><svg role="img" aria-labelledby="art-tool--title art-tool--desc"`,
	} {
		if !strings.Contains(home.HTML, want) {
			t.Errorf("the list has no %s:\n%s", want, home.HTML)
		}
	}
	if strings.Index(home.HTML, "First") > strings.Index(home.HTML, "Second") || strings.Contains(home.HTML, "More") {
		t.Error("the chapters are not in their order, or a page beside one is listed by itself")
	}
	if twin := home.Markdown(""); !strings.Contains(twin, "- [1. First &amp; best](/base/one/): What it is") {
		t.Errorf("the Markdown twin lists no chapters:\n%s", twin)
	}
	delete(files, "figures/t.svg")
	if _, problems = Load(folder(t, files), testConfig()); len(problems) != 1 {
		t.Errorf("a missing picture gives %v", problems)
	}
}
