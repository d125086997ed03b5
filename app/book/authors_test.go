package book

import (
	"os"
	"strings"
	"testing"
)

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
