package edition

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/golden"
	"github.com/scalebook/scalebook/app/site/data"
)

// The page of changes is the changelog. `go test ./app/edition -update` writes it anew.
func TestPageIsTheChangelog(t *testing.T) {
	text, err := os.ReadFile("../../CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	head, releases, err := Read(string(text))
	if err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "../../content/changes.md", Page(head, releases))
	last := releases[len(releases)-1]
	if last.Version != "1.0.0" || last.Day == "" || !strings.Contains(last.Text, "### Added") {
		t.Errorf("the first edition is %+v", last)
	}
}

func TestReadRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"# Changelog\n":                                       "no edition",
		"## 1.0.0\n":                                          `CHANGELOG.md:1: "## 1.0.0" is no edition`,
		"## [1.0.0]\n":                                        "an edition has a day",
		"## [Unreleased] - 2026-11-26\n":                      "what is unreleased has none",
		"## [1.0.0] - 2026-11-26\n### New\n":                  `CHANGELOG.md:2: "New" is no kind of change`,
		"## [1.0.0] - 2026-11-26\n## [Unreleased]\n":          "stands first",
		"## [1.9.0] - 2026-11-26\n## [1.10.0] - 2026-11-27\n": "1.10.0 stands below 1.9.0",
		"## [1.0.0] - 2026-11-26\n## [1.0.0] - 2026-11-26\n":  "1.0.0 stands below 1.0.0",
	} {
		if _, _, err := Read(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	_, r, err := Read("## [Unreleased]\n## [1.10.0] - 2026-11-27\n## [1.9.9] - 2026-11-26\n")
	if err != nil || len(r) != 3 {
		t.Errorf("%v, %v", r, err)
	}
}

func results(version string, all ...data.Result) *data.Results {
	r := &data.Results{Results: all}
	r.Version = version
	return r
}

// What changed, came and went, and nothing else.
func TestCompare(t *testing.T) {
	was := results("a",
		data.Result{Page: "p", Sheet: "s", Name: "same", Value: 0.1 + 0.2, Unit: "s", Text: "300 ms"},
		data.Result{Page: "p", Sheet: "s", Name: "more", Label: "More", Value: 2.0, Unit: "s", Text: "2 s"},
		data.Result{Page: "p", Sheet: "s", Name: "unit", Value: 2.0, Unit: "s", Text: "2 s"},
		data.Result{Page: "p", Sheet: "s", Name: "text", Value: "a", Text: "a"},
		data.Result{Page: "p", Sheet: "s", Name: "list", Value: []any{1.0, 2.0}, Text: "1, 2"},
		data.Result{Page: "p", Sheet: "s", Name: "lost", Value: 1.0, Text: "1"},
		data.Result{Page: "p", Sheet: "s", Name: "gone", Value: 1.0, Text: "1"},
	)
	now := results("b",
		data.Result{Page: "q", Sheet: "s", Name: "same", Value: 0.3, Unit: "s", Text: "300 ms"}, // the sheet moved
		data.Result{Page: "p", Sheet: "s", Name: "more", Label: "More", Value: 3.0, Unit: "s", Text: "3 s"},
		data.Result{Page: "p", Sheet: "s", Name: "unit", Value: 2.0, Unit: "byte", Text: "2 B"},
		data.Result{Page: "p", Sheet: "s", Name: "text", Value: "b", Text: "b"},
		data.Result{Page: "p", Sheet: "s", Name: "list", Value: []any{1.0, 3.0}, Text: "1, 3"},
		data.Result{Page: "p", Sheet: "s", Name: "lost", Error: "division by zero"},
		data.Result{Page: "p", Sheet: "s", Name: "new", Value: true, Text: "yes"},
	)
	d := Compare(was, now)
	if d.Same != 1 || len(d.Changed) != 5 || len(d.Appeared) != 1 || len(d.Gone) != 1 || d.Old != "a" || d.New != "b" {
		t.Fatalf("%+v", d)
	}
	if c := d.Changed[0]; c.Name != "more" || c.By == nil || *c.By != 0.5 || c.Old != 2.0 || c.New != 3.0 {
		t.Errorf("%+v", c)
	}
	if c := d.Changed[1]; c.Was != "s" || c.Unit != "byte" || c.By != nil {
		t.Errorf("%+v", c)
	}
	if c := d.Changed[4]; c.New != nil || c.Texts[1] != "no value" {
		t.Errorf("%+v", c)
	}
	var text, table strings.Builder
	if d.Write(&text) != nil || d.WriteMarkdown(&table) != nil {
		t.Fatal("not written")
	}
	summary := "results changed: 5, new: 1, gone: 1, the same: 1"
	for _, want := range []string{"p#s.more", "2 s", "-> 3 s", "+50 %", summary} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is not in\n%s", want, &text)
		}
	}
	if !strings.Contains(table.String(), "| `p#s.more` More | 2 s | 3 s | +50 % |\n") {
		t.Error(table.String())
	}
	if _, err := json.Marshal(d); err != nil {
		t.Error(err)
	}
	if d := Compare(was, was); d.Same != 7 || len(d.Changed)+len(d.Appeared)+len(d.Gone) > 0 {
		t.Errorf("an edition and itself: %+v", d)
	}
}

func TestReadResultsRefuses(t *testing.T) {
	for _, text := range []string{"", "<html>", "[]", "{}", `{"version": "x", "results": []}`} {
		if _, err := ReadResults([]byte(text)); err == nil || !strings.Contains(err.Error(), "data/results.json") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
