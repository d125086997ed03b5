package goapp

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// rests are the lines of go-app, or parts of them, that the tricks of the package's doc rest on, by trick and file.
var rests = []struct {
	trick      int
	file, line string
}{
	{1, "engine.go", `body = body.setJSElement(Window().Get("document").Get("body")).(HTMLBody)`},
	{1, "engine.go", `firstChild = firstChild.setJSElement(body.JSValue().firstElementChild()).(HTMLDiv)`},
	{2, "engine.go", `localStorage = newJSStorage("localStorage")`},
	{3, "browser.go", `Window().Set("onclick", b.anchorClick)`},
	{3, "browser.go", `Window().Set("onpopstate", b.popState)`},
	{3, "browser.go", `Window().Set("onresize", b.appResize)`},
	{4, "browser.go", `Window().Set("goappNav", b.navigationFromJS)`},
	{4, "browser.go", `Window().Set("goappOnUpdate", `},
	{4, "browser.go", `Window().Set("goappOnAppInstallChange", `},
	{5, "engine.go", `Window().ScrollToID(destination.Fragment)`},
	{5, "js_wasm.go", `elem.Call("scrollIntoView")`},
}

// goAppFolder is where the source of go-app lies, and which version that is.
func goAppFolder(t *testing.T) (folder, version string) {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}} {{.Version}}",
		"github.com/maxence-charriere/go-app/v10").Output()
	if err != nil {
		t.Fatal(err)
	}
	folder, version, _ = strings.Cut(strings.TrimSpace(string(out)), " ")
	return filepath.Join(folder, "pkg", "app"), version
}

// What is done about go-app was checked with the version that is used, line by line where it rests on lines.
func TestGoAppIsTheOneThatWasChecked(t *testing.T) {
	folder, version := goAppFolder(t)
	if version != Version {
		t.Errorf("go.mod names go-app %s, and what contains it was checked with %s: read its changes beside doc.go, "+
			"try every page in a browser, and then set Version", version, Version)
	}
	for _, r := range rests {
		text, err := os.ReadFile(filepath.Join(folder, r.file))
		if err != nil {
			t.Errorf("trick %d of doc.go rests on %s of go-app: %v", r.trick, r.file, err)
		} else if !strings.Contains(string(text), r.line) {
			t.Errorf("trick %d of doc.go rests on a line of go-app's %s that is gone: %s", r.trick, r.file, r.line)
		}
	}
}

// go-app puts no more on the window than what is put back or taken away.
func TestWindowIsGivenBack(t *testing.T) {
	folder, _ := goAppFolder(t)
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil || len(files) < 10 {
		t.Fatalf("%d files of go-app: %v", len(files), err)
	}
	known := map[string]bool{}
	for _, r := range rests {
		if _, after, ok := strings.Cut(r.line, `Window().Set("`); ok {
			name, _, _ := strings.Cut(after, `"`)
			known[name] = true
		}
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, after := range strings.Split(string(text), `Window().Set("`)[1:] {
			if name, _, _ := strings.Cut(after, `"`); !known[name] && !strings.HasSuffix(file, "_test.go") {
				t.Errorf("%s puts %s on the window, which start.go doesn't put back", filepath.Base(file), name)
			}
		}
	}
}

// A package that uses what the browser doesn't have must fail the build, not the reader.
func TestStrayImportIsFound(t *testing.T) {
	replaced := map[string]bool{"regexp": true}
	got := Stray(map[string][]string{
		"regexp":                 {"strings"},
		"github.com/google/uuid": {"regexp"},
		"example.org/sheet":      {"fmt", "regexp"},
	}, replaced)
	if len(got) != 1 || got[0] != "example.org/sheet imports regexp" {
		t.Errorf("got %q", got)
	}
}
