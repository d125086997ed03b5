package phrase_test

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/phrase"
)

// keyed is what a key looks like.
var keyed = regexp.MustCompile(`^[a-z]+\.[a-z0-9-]+$`)

const module = "github.com/scalebook/scalebook/"

// sentences are the templates of English, by key.
func sentences(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, name := range []string{"en.txt", "en.site.txt"} {
		for key, sentence := range templates(t, name) {
			if all[key] != "" {
				t.Errorf("%s stands in two files", key)
			}
			all[key] = sentence
		}
	}
	return all
}

// templates are the sentences of a file, by key.
func templates(t *testing.T, name string) map[string]string {
	t.Helper()
	file, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for line := range strings.Lines(string(file)) {
		key, sentence, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !ok || sentence == "" || strings.TrimSpace(sentence) != sentence {
			t.Errorf("this line is no key, tab, sentence: %q", line)
		}
		all[key] = sentence
	}
	return all
}

// gaps are the names of a sentence's gaps, sorted.
func gaps(sentence string) (names []string) {
	for rest := sentence; rest != ""; {
		_, name, after := phrase.Gap(rest)
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
		rest = after
	}
	slices.Sort(names)
	return names
}

// files parses the Go files below a folder, without tests.
func files(t *testing.T, root string, each func(*token.FileSet, *ast.File)) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() && d.Name() == "testdata" {
			return filepath.SkipDir
		}
		if strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
			parseFile(t, path, each)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func parseFile(t *testing.T, path string, each func(*token.FileSet, *ast.File)) {
	t.Helper()
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	each(set, f)
}

// browser is how the program for the browser is built.
func browser() *build.Context {
	context := build.Default
	context.GOOS, context.GOARCH = "js", "wasm"
	return &context
}

// browserFolders are the folders of our packages in a program for the browser.
func browserFolders(t *testing.T, context *build.Context) []string {
	t.Helper()
	found, next := []string{}, []string{"wasm"}
	for len(next) > 0 {
		folder := next[0]
		next = next[1:]
		if slices.Contains(found, folder) {
			continue
		}
		found = append(found, folder)
		p, err := context.ImportDir(filepath.Join("../..", folder), 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range p.Imports {
			if ours, ok := strings.CutPrefix(path, module); ok {
				next = append(next, ours)
			}
		}
	}
	slices.Sort(found)
	return found
}

func text(e ast.Expr) (string, bool) {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	s, err := strconv.Unquote(lit.Value)
	return s, err == nil
}

// speaking is how many arguments of a call stand before its gaps, the key the last of them; 0 if the call says nothing.
func speaking(call *ast.CallExpr) int {
	name := ""
	switch f := call.Fun.(type) {
	case *ast.Ident:
		name = f.Name
	case *ast.SelectorExpr:
		name = f.Sel.Name
		if x, ok := f.X.(*ast.Ident); ok && x.Name == "phrase" {
			name = "phrase." + name
		}
	}
	before := map[string]int{"phrase.New": 1, "say": 1, "Say": 1, "phrase.Count": 2, "Count": 2}[name]
	if before > len(call.Args) {
		return 0
	}
	return before
}

// TestUsed holds the code and the sentences to each other: every key there is, is used, with the gaps that it has.
func TestUsed(t *testing.T) {
	all, used := sentences(t), map[string]bool{}
	files(t, "..", func(set *token.FileSet, f *ast.File) {
		ast.Inspect(f, func(n ast.Node) bool {
			if e, ok := n.(ast.Expr); ok {
				if s, ok := text(e); ok {
					used[s], used[s+".one"], used[s+".other"] = true, true, true
				}
			}
			if call, ok := n.(*ast.CallExpr); ok && f.Name.Name != "phrase" {
				if fault := wrongCall(all, call); fault != "" {
					t.Errorf("%s: %s", set.Position(call.Pos()), fault)
				}
			}
			return true
		})
	})
	for _, key := range namedKeys(t) {
		if used[key] = true; all[key] == "" {
			t.Errorf("a template or a script names %s, which is no sentence", key)
		}
	}
	for key := range all {
		if !used[key] {
			t.Errorf("nothing says %s", key)
		}
	}
}

// TestBrowserSaysWhatItCarries: the program for the browser doesn't say what only the site carries.
func TestBrowserSaysWhatItCarries(t *testing.T) {
	const file = "en.site.txt"
	lacks := templates(t, file)
	for _, key := range texts(t, browser()) {
		if lacks[key] != "" || lacks[key+".other"] != "" {
			t.Errorf("%s stands in %s, which a program that says it lacks", key, file)
		}
	}
	if len(lacks) == 0 {
		t.Errorf("%s is empty", file)
	}
}

// texts are the texts in the code of a program for the browser.
func texts(t *testing.T, context *build.Context) (all []string) {
	t.Helper()
	for _, folder := range browserFolders(t, context) {
		p, err := context.ImportDir(filepath.Join("../..", folder), 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range p.GoFiles {
			parseFile(t, filepath.Join(p.Dir, name), func(_ *token.FileSet, f *ast.File) {
				ast.Inspect(f, func(n ast.Node) bool {
					if e, ok := n.(ast.Expr); ok {
						if s, ok := text(e); ok {
							all = append(all, s)
						}
					}
					return true
				})
			})
		}
	}
	return all
}

// namedKeys are the keys that stand in the templates of pages and in scripts.
func namedKeys(t *testing.T) (keys []string) {
	t.Helper()
	named := regexp.MustCompile(`(?:Say|Link \S+|Link \([^)]*\)|phrase\() ?"([a-z]+\.[a-z0-9-]+)"`)
	for _, text := range shellTexts(t) {
		for _, m := range named.FindAllStringSubmatch(text, -1) {
			keys = append(keys, m[1])
		}
	}
	return keys
}

// shellTexts are the templates of pages, the scripts and the style sheets, by path.
func shellTexts(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, pattern := range []string{"../site/*.tmpl", "../paper/*.tmpl", "../../web/*.js", "../../web/*.css"} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			t.Fatal(pattern, err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			all[path] = string(text)
		}
	}
	return all
}

// wrongCall says what is wrong with a call that says something.
func wrongCall(all map[string]string, call *ast.CallExpr) string {
	before := speaking(call)
	if before == 0 {
		return ""
	}
	key, ok := text(call.Args[before-1])
	if !ok || !keyed.MatchString(key) {
		return ""
	}
	var given []string
	if call.Ellipsis != token.NoPos {
		return ""
	}
	for i := before; i < len(call.Args); i += 2 {
		name, _ := text(call.Args[i])
		given = append(given, name)
	}
	keys := []string{key}
	if before == 2 {
		given, keys = append(given, "n"), []string{key + ".one", key + ".other"}
	}
	slices.Sort(given)
	for _, k := range keys {
		sentence, ok := all[k]
		wanted, given := gaps(sentence), given
		if strings.HasSuffix(k, ".one") && !slices.Contains(wanted, "n") { // "one cell"
			given = slices.DeleteFunc(slices.Clone(given), func(g string) bool { return g == "n" })
		}
		switch {
		case !ok:
			return "there is no sentence " + k
		case !slices.Equal(given, wanted):
			return k + " has the gaps " + strings.Join(wanted, ", ") + ", not " + strings.Join(given, ", ")
		}
	}
	return ""
}

// Readers see true apostrophes. Code, between backticks or in a PartitionSpec, keeps its own.
func TestApostrophes(t *testing.T) {
	straight := regexp.MustCompile(`[A-Za-z}]'(s?\b| )`)
	code := regexp.MustCompile("`[^`]*`")
	for key, s := range sentences(t) {
		if straight.MatchString(code.ReplaceAllString(s, "")) && key != "sharding.spec-form" {
			t.Errorf("%s: a straight apostrophe: %s", key, s)
		}
	}
}
