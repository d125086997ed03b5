package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// named is the functions, methods and types that a package declares, whatever it is built for: "Load", "draft.compile".
func named(t *testing.T, dir string) map[string]bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, file := range files {
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range tree.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				names[receiver(d)+d.Name.Name] = true
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if s, ok := s.(*ast.TypeSpec); ok {
						names[s.Name.Name] = true
					}
				}
			}
		}
	}
	return names
}

// receiver is the type of a method with a dot behind it.
func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return ""
	}
	of := d.Recv.List[0].Type
	if p, ok := of.(*ast.StarExpr); ok {
		of = p.X
	}
	if name, ok := of.(*ast.Ident); ok {
		return name.Name + "."
	}
	return ""
}

// TestArchitecture: each function that the map names is there.
func TestArchitecture(t *testing.T) {
	text, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	known, checked := map[string]map[string]bool{}, 0
	for _, m := range regexp.MustCompile("`([a-z/]+)\\.([A-Za-z]+(?:\\.[A-Za-z]+)?)`").FindAllStringSubmatch(string(text), -1) {
		if known[m[1]] == nil {
			known[m[1]] = named(t, m[1])
		}
		if !known[m[1]][m[2]] {
			t.Errorf("ARCHITECTURE.md names %s.%s, which app/%s doesn't declare", m[1], m[2], m[1])
		}
		checked++
	}
	if checked < 60 {
		t.Errorf("only %d names are checked", checked)
	}
}

// TestContributing follows the recipes as far as they name what is there: files, tests, and the law that they quote.
func TestContributing(t *testing.T) {
	data, err := os.ReadFile("../.github/CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for _, m := range regexp.MustCompile("`(app/[a-z_/.*]+|content/[a-z-]+\\.md|web/[a-z]+\\.css)`").FindAllStringSubmatch(text, -1) {
		if found, err := filepath.Glob("../" + m[1]); err != nil || len(found) == 0 {
			t.Errorf("CONTRIBUTING.md names %s, which isn't there", m[1])
		}
	}
	tests := allTests(t)
	for _, m := range regexp.MustCompile("`(?:library\\.)?(Test[A-Za-z]+)`").FindAllStringSubmatch(text, -1) {
		if !tests[m[1]] {
			t.Errorf("CONTRIBUTING.md names %s, which is no test", m[1])
		}
	}
	laws, err := os.ReadFile("network/laws.go")
	if err != nil {
		t.Fatal(err)
	}
	_, law, _ := strings.Cut(text, "```go\n")
	law, _, _ = strings.Cut(law, "```")
	words := func(s string) string { return strings.Join(strings.Fields(strings.ReplaceAll(s, "\" +", "")), " ") }
	plain := func(s string) string { return strings.NewReplacer("\"", "", " ", "").Replace(words(s)) }
	if !strings.Contains(law, "all_reduce_time_line") || !strings.Contains(plain(string(laws)), plain(law)) {
		t.Errorf("the law that CONTRIBUTING.md quotes is declared otherwise:\n%s", law)
	}
	for _, place := range []struct{ file, has string }{
		{"figure/table.go", "chip_bars"}, {"figure/chapters.tsv", "chip_bars"},
		{"phrase/en.txt", "widget.list-first\t"}, {"hardware/fields.go", "hbm"},
		{"hardware/catalog_test.go", "tpu.v5e"}, {"model/catalog.go", "models.tsv"},
		{"training/stack.go", "constants.tsv"}, {"serving/constants.go", "Constants"}, {"../Makefile", "\nmutate:"},
	} {
		content, err := os.ReadFile(place.file)
		if err != nil || !strings.Contains(string(content), place.has) {
			t.Errorf("a recipe leads to %s for %q: %v", place.file, place.has, err)
		}
	}
}

// TestCommentsNameFiles: a file of Go that a comment names without a folder lies in the folder of the comment.
func TestCommentsNameFiles(t *testing.T) {
	name, checked := regexp.MustCompile(`(?:^|[\s(])([a-z0-9_*]+\.go)\b`), 0
	for _, root := range []string{".", "../wasm/build"} {
		err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.Contains(path, "testdata") {
				return err
			}
			tree, err := parser.ParseFile(token.NewFileSet(), path, nil,
				parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			for _, c := range tree.Comments {
				for _, m := range name.FindAllStringSubmatch(c.Text(), -1) {
					checked++
					if found, _ := filepath.Glob(filepath.Join(filepath.Dir(path), m[1])); len(found) == 0 {
						t.Errorf("%s: a comment names %s, which isn't beside it", path, m[1])
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if checked < 100 {
		t.Errorf("only %d names are checked", checked)
	}
}

// TestCommentsNameWhatTheyDescribe: what is said of a function, a type, a variable or a constant begins with its name,
// or with a word that is none. A comment that names something else was left behind when a name changed.
func TestCommentsNameWhatTheyDescribe(t *testing.T) {
	checked := 0
	check := func(path, name string, doc *ast.CommentGroup) {
		first, _, _ := strings.Cut(doc.Text(), " ")
		if first = strings.TrimRight(first, ".,:\n"); first == "" {
			return
		}
		checked++
		article := first == "A" || first == "An" || first == "The"
		named := first == name || article && ast.IsExported(name)
		if !named && (ast.IsExported(name) || 'a' <= first[0] && first[0] <= 'z') {
			t.Errorf("%s: the comment on %s begins with %q", path, name, first)
		}
	}
	for _, root := range []string{".", "../wasm"} {
		err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
				strings.Contains(path, "testdata") {
				return err
			}
			tree, err := parser.ParseFile(token.NewFileSet(), path, nil,
				parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			for _, d := range tree.Decls {
				switch d := d.(type) {
				case *ast.FuncDecl:
					check(path, d.Name.Name, d.Doc)
				case *ast.GenDecl:
					if name := onlyName(d); name != "" {
						check(path, name, d.Doc)
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if checked < 4000 {
		t.Errorf("only %d comments are checked", checked)
	}
}

// onlyName is the name that a declaration declares; "" if it declares several.
func onlyName(d *ast.GenDecl) string {
	if len(d.Specs) != 1 {
		return ""
	}
	switch s := d.Specs[0].(type) {
	case *ast.TypeSpec:
		return s.Name.Name
	case *ast.ValueSpec:
		if len(s.Names) == 1 {
			return s.Names[0].Name
		}
	}
	return ""
}

// allTests is the names of all tests.
func allTests(t *testing.T) map[string]bool {
	t.Helper()
	tests, line := map[string]bool{}, regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	err := filepath.WalkDir(".", func(path string, d os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range line.FindAllSubmatch(text, -1) {
			tests[string(m[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return tests
}

// TestTablesHaveSources: each line of a table whose sources browsers don't load has one in the file beside it, behind
// the cells that tell which line it is.
func TestTablesHaveSources(t *testing.T) {
	files, err := filepath.Glob("*/*.sources.tsv")
	if err != nil || len(files) < 4 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		var lines [2][]string
		for i, name := range [...]string{strings.TrimSuffix(file, ".sources.tsv") + ".tsv", file} {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			lines[i] = strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
		}
		table, sources := lines[0], lines[1]
		if len(table) != len(sources) || len(table) < 8 {
			t.Fatalf("%s: %d lines, %d sources", file, len(table), len(sources))
		}
		for i, line := range table {
			at := strings.LastIndexByte(sources[i], '\t') + 1
			if at == 0 || !strings.HasPrefix(line, sources[i][:at]) || len(sources[i]) < at+8 {
				t.Errorf("%s: %q has the source %q", file, line, sources[i])
			}
		}
	}
}
