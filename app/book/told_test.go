package book

import (
	"slices"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/sheet"
)

// A number in an erratum is told, as it explains an answer, and so is one away from its question, in another problem or
// section; one in the prose beside it may be veiled until the reader has answered.
func TestNumbersAwayFromTheirQuestionAreTold(t *testing.T) {
	cfg := testConfig()
	cfg.RenderTold = func(s *sheet.Sheet, r *sheet.Result, name string) string { return "TOLD" }
	cfg.RenderNumber = func(s *sheet.Sheet, r *sheet.Result, name string) string { return "PLAIN" }
	b, problems := Load(folder(t, map[string][]byte{
		"told.md": []byte(
			"---\ntitle: Told\n---\n\n```sheet s\ntitle S\nlet x = 3\ny = 2 * x \"Twice\"\nask y \"How " +
				"much?\"\n```\n\nOutside {{y}}.\n\n" +
				":::erratum Off {where=\"here\" printed=\"7\"}\nInside {{y}}, and\n\n- in a list *{{s.y}}*.\n:::\n\nAgain " +
				"{{s.y}}.\n\n:::problem Other {#other}\nIts text {{s.y}}.\n:::\n\n## Later\n\nTo keep {{s.y}}.\n",
		),
	}), cfg)
	for _, p := range problems {
		if strings.HasPrefix(p.String(), "told.md") {
			t.Error(p)
		}
	}
	i := slices.IndexFunc(b.Pages, func(p *Page) bool { return p.Title == "Told" })
	page := b.Pages[i]
	for _, want := range []string{"Outside PLAIN.", "Inside TOLD, and", "<em>TOLD</em>", "Again PLAIN.",
		"Its text TOLD.", "To keep TOLD."} {
		if !strings.Contains(page.HTML, want) {
			t.Errorf("lacks %s in %s", want, page.HTML)
		}
	}
	if strings.Contains(page.Errata[0].HTML, "PLAIN") {
		t.Error(page.Errata[0].HTML)
	}
}
