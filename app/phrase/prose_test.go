package phrase_test

import (
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// TestProse finds sentences that stand in the code of the browser's program instead of the language's file. Texts that
// are facts and not talk are left out: names, sources and descriptions of laws, functions, fields and constants.
func TestProse(t *testing.T) {
	classes := classes(t)
	for _, folder := range browserFolders(t, browser()) {
		paths, err := filepath.Glob(filepath.Join("../..", folder, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			if strings.HasSuffix(path, "_test.go") || slices.Contains(factFiles(), strings.TrimPrefix(path, "../../")) {
				continue
			}
			parseFile(t, path, func(set *token.FileSet, f *ast.File) {
				for _, found := range proseIn(f, classes) {
					t.Errorf("%s: a sentence in the code: %s", set.Position(found.Pos()), found.Value)
				}
			})
		}
	}
	t.Logf("%d sentences stand in the language's files", len(sentences(t)))
}

// factFiles are tables of facts: what units, words of the language, functions, fields and sources are called.
func factFiles() []string {
	return []string{
		"app/hardware/fields.go", "app/law/source.go", "app/quantity/units.go", "app/quantity/words.go",
		"app/library/former.go", "app/sheet/expr/call.go", "app/sheet/complete.go", "app/sheet/syntax/lex.go",
	}
}

var (
	word  = regexp.MustCompile(`^[“(‘*]*[A-Za-z][a-z’']+[,.:;!?)”’*]*$`)
	code  = regexp.MustCompile(`\w_\w| = |::`)
	long  = regexp.MustCompile(`[a-z]{3}`)
	drawn = regexp.MustCompile(`="|^<|^[a-z-]+#|\[[a-z-]+`) // markup and selectors
)

// facts are the fields of declarations that describe what there is, and the functions that say nothing to readers. What
// several such fields have in common is a constant whose name ends with Doc; words that stand in a list are no
// sentence.
var facts = regexp.MustCompile(`^(Doc|Source|Formula|Takes|Gives|Where|Name|class|Class|panic|newRecordType|` +
	`recordType|addMember|logHas|listed)$`)

// proseIn are the texts of a file that read like a sentence or a part of one: two words beside each other.
func proseIn(f *ast.File, classes map[string]bool) (found []*ast.BasicLit) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec, *ast.StructType:
			return false
		case *ast.KeyValueExpr:
			if name, ok := n.Key.(*ast.Ident); ok && facts.MatchString(name.Name) {
				return false
			}
		case *ast.ValueSpec:
			if strings.HasSuffix(n.Names[0].Name, "Doc") {
				return false
			}
		case *ast.CallExpr:
			if name, ok := n.Fun.(*ast.Ident); ok && facts.MatchString(name.Name) {
				return false
			}
			if of, ok := n.Fun.(*ast.SelectorExpr); ok && of.Sel.Name == "of" { // a setting is of one of these tools
				return false
			}
		case *ast.BasicLit:
			if s, ok := text(n); ok && isProse(s, classes) {
				found = append(found, n)
			}
		}
		return true
	})
	return found
}

// isProse tells whether a text reads like a sentence or a part of one.
func isProse(s string, classes map[string]bool) bool {
	if drawn.MatchString(s) {
		return false
	}
	run, most, listed := 0, 0, true
	for _, w := range strings.Fields(s) {
		listed = listed && classes[w]
		if run++; !word.MatchString(w) {
			run = 0
		}
		most = max(most, run)
	}
	if code.MatchString(s) {
		most -= 2 // an example in the language of sheets
	}
	return most > 1 && !listed && long.MatchString(s)
}

// classes are the words that name something in the style sheets.
func classes(t *testing.T) map[string]bool {
	t.Helper()
	paths, err := filepath.Glob("../../web/*.css")
	if err != nil || len(paths) == 0 {
		t.Fatal("no style sheets", err)
	}
	all := map[string]bool{}
	for _, path := range paths {
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range regexp.MustCompile(`\.[a-z][a-z0-9-]*`).FindAllString(string(file), -1) {
			all[name[1:]] = true
		}
	}
	return all
}

// TestShellProse finds sentences in the templates of pages, in scripts and in style sheets.
func TestShellProse(t *testing.T) {
	known := classes(t)
	markup := regexp.MustCompile(`(?s)\{\{.*?\}\}|<svg.*?</svg>|<[^>]*>`)
	label := regexp.MustCompile(`(?:aria-label|title|placeholder)="([^"{]*)`)
	// What is nothing for readers.
	silent := regexp.MustCompile(`new Error\(|console\.|\ball\(|querySelector(All)?\(|[a-z] \{ [a-z-]+: |` +
		`^ *".*[;}]",?$`)
	quoted := regexp.MustCompile("\"([^\"]*)\"|`([^`]*)`")
	content := regexp.MustCompile(`content:\s*"([^"]*)"`)
	for path, text := range shellTexts(t) {
		if strings.HasSuffix(path, ".tmpl") {
			if left := strings.TrimSpace(markup.ReplaceAllString(text, " ")); strings.ContainsFunc(left,
				unicode.IsLetter) {
				t.Errorf("%s says: %.200q", path, strings.Fields(left))
			}
			for _, m := range label.FindAllStringSubmatch(text, -1) {
				if strings.ContainsFunc(m[1], unicode.IsLetter) {
					t.Errorf("%s: a label says %q", path, m[1])
				}
			}
			continue
		}
		if strings.HasSuffix(path, ".css") {
			for _, m := range content.FindAllStringSubmatch(text, -1) {
				if isProse(m[1], known) {
					t.Errorf("%s says %q", path, m[1])
				}
			}
			continue
		}
		for _, line := range strings.Split(text, "\n") {
			line, _, _ = strings.Cut(line, "// ")
			for _, m := range quoted.FindAllStringSubmatch(line, -1) {
				if s := m[1] + m[2]; isProse(s, known) && !silent.MatchString(line) {
					t.Errorf("%s says %q", path, s)
				}
			}
		}
	}
}
