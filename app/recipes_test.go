package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// recipe is what a recipe of CONTRIBUTING.md, for adding something, adds to a file: lines before the one that begins
// with a text, or at the end.
type recipe struct{ adds, file, before, lines string }

// recipes follow CONTRIBUTING.md: a verb, the law that it quotes, a chip, a model, an optimizer, a figure and a
// control. The language of testdata/recipes needs no file but its own.
func recipes(t *testing.T) []recipe {
	t.Helper()
	guide := sourceText(t, "../.github/CONTRIBUTING.md")
	_, law, _ := strings.Cut(guide, "```go\n")
	law, _, _ = strings.Cut(law, "```")
	like := func(file, id, as string) string { // the lines of an entry of a table, for another one
		var lines strings.Builder
		for line := range strings.Lines(sourceText(t, file)) {
			if rest, found := strings.CutPrefix(line, id+"\t"); found {
				lines.WriteString(as + "\t" + rest)
			}
		}
		return lines.String()
	}
	return []recipe{
		{"a verb of the command", "verbs.go", "\t\t{\n\t\t\tname: \"completion\"",
			"\t\t{name: \"recipe\", run: recipeVerb, does: \"says how often\", examples: [2]string{\"\", \"-times 2\"}},\n"},
		{"a verb of the command", "recipe.go", "", `package main

import "fmt"

func recipeVerb(args []string, s streams) int {
	flags := newFlags("recipe")
	times := flags.Int("times", 1, "how often")
	if _, status, done := parse(flags, args, s); done {
		return status
	}
	fmt.Fprintln(s.out, "times", *times)
	return ok
}
`},
		{"a law", "network/laws.go", "\t\t{Name: \"all_reduce_time_line\"",
			strings.Replace(law, "all_reduce_time_line", "recipe_time", 1)},
		{"a chip", "hardware/accelerators.tsv", "", like("hardware/accelerators.tsv", "gpu.h100", "gpu.recipe")},
		{"a model", "model/models.tsv", "", like("model/models.tsv", "llama3.8b", "recipe.8b")},
		{"an optimizer", "training/optimizers.tsv", "",
			"recipe\tRecipe\t2\t0\t-\t2\t12\trecipe_fused\tno paper: an optimizer like AdamW\n"},
		{"a figure", "figure/chapters.tsv", "", "recipe_figure\tT s\tA time in words.\n"},
		{"a figure", "figure/table.go", "\t\t{\"chip_bars\"",
			"\t\t{\"recipe_figure\", infallible(func(l phrase.Phrases, a values) *Drawing { return Recipe(l, a[0]) })},\n"},
		{"a figure", "figure/recipe.go", "", `package figure

import (
	"github.com/scalebook/scalebook/app/markup"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/sheet/value"
)

// Recipe draws a time.
func Recipe(l phrase.Phrases, v value.Value) *Drawing {
	d := &Drawing{Title: v.In(l), AltTables: []Table{{Heads: []string{l.Say("figure.chip")}, Rows: [][]string{{v.In(l)}}}}}
	return d.svg("recipe", frame{0, 0, 100, 100}, &markup.Pen{})
}
`},
		{"a control", "sheet/input/forms.go", ")\n\n// Words are what", "\tDialForm\n"},
		{"a control", "sheet/input/forms.go", "\tcase SwitchForm:", "\tcase DialForm:\n\t\treturn numberForm{}\n"},
		{"a control", "sheet/input/forms.go", "\tcase in.Default.Kind == value.Bool:",
			"\tcase in.Name == \"dial\":\n\t\treturn DialForm\n"},
		{"a control", "widget/controls.go", "\tcase input.SwitchForm:",
			"\tcase input.DialForm:\n\t\treturn dialControl{}\n"},
		{"a control", "widget/controls.go", "type textControl struct", `type dialControl struct{ unadorned }

func (dialControl) node(v *View, in *input.Input) *Node {
	return v.inputBox(in, "dial", v.note(in), controls(v.textField(in)))
}

`},
	}
}

func sourceText(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// toEdit are the items of the list of what to edit: "- a chip: `app/hardware/accelerators.tsv`, …", over several lines.
var toEdit = regexp.MustCompile(`(?m)^- (an? [a-z ]+): (.+(?:\n  .+)*)`)

// TestRecipesNameTheirFiles: the list of CONTRIBUTING.md names each file that a recipe edits; nothing takes more than
// four.
func TestRecipesNameTheirFiles(t *testing.T) {
	asks, edited := map[string]string{}, map[string][]string{}
	for _, item := range toEdit.FindAllStringSubmatch(sourceText(t, "../.github/CONTRIBUTING.md"), -1) {
		asks[item[1]] = item[2]
	}
	for _, r := range recipes(t) {
		_, err := os.Stat(r.file)
		own := os.IsNotExist(err) && strings.Contains(asks[r.adds], "its own file")
		if !own && !strings.Contains(asks[r.adds], "`app/"+r.file+"`") {
			t.Errorf("for %s the list of CONTRIBUTING.md doesn't name app/%s: %q", r.adds, r.file, asks[r.adds])
		}
		if !slices.Contains(edited[r.adds], r.file) {
			edited[r.adds] = append(edited[r.adds], r.file)
		}
	}
	for adds, files := range edited {
		n := strings.Count(asks[adds], ",") + 1
		t.Logf("%s: %d files, %d of code: %s", adds, n, len(files), strings.Join(files, ", "))
		if n > 4 {
			t.Errorf("%s takes %d files", adds, n)
		}
	}
}

// TestRecipes follows the recipes of CONTRIBUTING.md on a copy of the files that they name, and uses what they add.
func TestRecipes(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles most packages")
	}
	dir, texts := t.TempDir(), map[string]string{}
	for _, r := range recipes(t) {
		text, edited := texts[r.file]
		if _, err := os.Stat(r.file); !edited && err == nil {
			text = sourceText(t, r.file)
		}
		at := len(text)
		if r.before != "" {
			if at = strings.Index(text, r.before); at < 0 {
				t.Fatalf("%s has no place before %q", r.file, r.before)
			}
		}
		texts[r.file] = text[:at] + r.lines + text[at:]
	}
	var overlay struct{ Replace map[string]string }
	overlay.Replace = map[string]string{}
	for file, text := range texts {
		place, err := filepath.Abs(file)
		if err != nil {
			t.Fatal(err)
		}
		overlay.Replace[place] = filepath.Join(dir, strings.ReplaceAll(file, "/", "-"))
		writeFile(t, overlay.Replace[place], text)
	}
	list, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "overlay.json"), string(list))
	run := func(args ...string) string {
		args = append([]string{"run", "-trimpath", "-overlay", filepath.Join(dir, "overlay.json")}, args...)
		out, err := exec.Command("go", args...).CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return string(out)
	}
	if out := run(".", "recipe", "-times", "3"); out != "times 3\n" {
		t.Errorf("the verb says %q", out)
	}
	if out := run(".", "help", "recipe"); !strings.Contains(out, "how often (1 if left out)") {
		t.Errorf("the verb's help is %q", out)
	}
	out := run("./testdata/recipes")
	const want = `chip H100 SXM 80 GB <nil>
dial 3 <nil>
m Llama 3.1 8B <nil>
memory 0 bytes <nil>
layers 32 layers <nil>
t 0 s <nil>
input-dial true
<title>2 s</title> true
optimizer recipe true
language Puce 0
`
	if out != want {
		t.Errorf("got\n%s\nwant\n%s", out, want)
	}
}
