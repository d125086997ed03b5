package site

import (
	"bytes"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"golang.org/x/net/html"
)

// The budgets of bytes: a page's HTML, the style and scripts that pages share and browsers keep, and the program.
func TestBudgetOfBytes(t *testing.T) {
	t.Parallel()
	files := render(t, realBook)
	programs := map[string][]byte{}
	for name, data := range files {
		if first, _, _ := strings.Cut(path.Base(name), "."); strings.HasSuffix(name, ".wasm") {
			programs[first+".wasm"] = data
		}
	}
	most := 0
	for _, p := range paths(files) {
		html, assets := files.Weigh(base, p+"index.html")
		if html > pageBudget {
			t.Errorf("/%s: %d bytes of HTML, the budget is %d", p, html, pageBudget)
		}
		if loaded := files.Loaded(base, p+"index.html"); len(loaded) < 2 {
			t.Errorf("/%s loads only %s", p, loaded)
		}
		if most = max(most, assets); assets > 26_500 {
			t.Errorf("/%s: %d bytes of style and scripts, the budget is 26500", p, assets)
		}
	}
	t.Logf("style and scripts: %d bytes", most)
	if p, err := theProgram(); err == nil && !p.Tried {
		t.Skip("budgets of the program hold for the versions of Go that were tried: see wasm/build/RELEASES.md")
	}
	size := 0
	for i, most := range moduleBudgets {
		name := program
		if i > 0 {
			name = laterModule(i)
		}
		n := Packed(programs[name])
		if size += n; len(programs[name]) == 0 {
			t.Errorf("there is no %s", name)
		}
		t.Logf("%s: %d bytes", name, n)
		if size > most {
			t.Errorf("%s, with what comes before it: %d bytes, the budget is %d; functions may have to be placed anew: "+
				"go run ./app/site/measure split", name, size, most)
		}
	}
}

// pageBudget is the most bytes of a page's HTML, gzip -9. 6,000 are the picture that opens a chapter, printed for a
// desktop and for a phone.
const pageBudget = 56_000

// A page in another language has the same markup. Its text may pack to less: letters of two bytes, and words with
// endings, make of Russian a quarter more than of English.
func TestBudgetOfPagesInALanguage(t *testing.T) {
	if *lang == sourceCode {
		t.Skip("weighs the pages of another language: make browsers LANGS=ru")
	}
	files, at := inLanguage(t)
	heaviest := 0
	for _, p := range paths(files) {
		if !strings.HasPrefix(p, at) {
			continue
		}
		html, _ := files.Weigh(base, p+"index.html")
		heaviest = max(heaviest, html)
		if html > pageBudget*6/5 {
			t.Errorf("/%s: %d bytes of HTML, the budget is %d", p, html, pageBudget*6/5)
		}
	}
	t.Logf("the heaviest page: %d bytes", heaviest)
}

// moduleBudgets are the most bytes, gzip -9, of the program's first module, with the one of chapters, with that of
// planners, with all.
var moduleBudgets = []int{800_000, 1_900_000, 2_300_000, 2_620_000}

// Two builds from two folders are the same, byte for byte, and so are a build and its repetition.
func TestBuildsAreTheSame(t *testing.T) {
	t.Parallel()
	one, two := t.TempDir(), t.TempDir()
	for _, dir := range []string{one, two} {
		if err := os.CopyFS(dir+"/content", os.DirFS(realBook)); err != nil {
			t.Fatal(err)
		}
		if err := os.CopyFS(dir+"/web", os.DirFS("../../web")); err != nil {
			t.Fatal(err)
		}
		o := options(t, realBook)
		o.Content, o.Web = os.DirFS(dir+"/content"), os.DirFS(dir+"/web")
		if err := Build(o, dir+"/dist"); err != nil {
			t.Fatal(err)
		}
	}
	a, b := folder(t, one+"/dist"), folder(t, two+"/dist")
	if !slices.Equal(a.Names(), b.Names()) {
		t.Fatalf("other files:\n%v\n%v", a.Names(), b.Names())
	}
	for name := range a {
		if !bytes.Equal(a[name], b[name]) {
			t.Errorf("%s differs", name)
		}
	}
}

// folder reads all files of a folder back.
func folder(t *testing.T, dir string) Files {
	t.Helper()
	files := Files{}
	walk(t, dir, "", files)
	return files
}

func walk(t *testing.T, dir, at string, files Files) {
	t.Helper()
	entries, err := os.ReadDir(path.Join(dir, at))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		name := path.Join(at, e.Name())
		if e.IsDir() {
			walk(t, dir, name, files)
			continue
		}
		if files[name], err = os.ReadFile(path.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
}

// A build without compiling the program is quick, whatever else the machine does meanwhile.
func TestBuildTime(t *testing.T) {
	const budget, runs = 3 * time.Second, 3 // the first run also fills what all share
	o := options(t, realBook)
	took := time.Hour
	for i := 0; i < runs && took > budget; i++ {
		began := processorTime()
		if _, err := Render(o); err != nil {
			t.Fatal(err)
		}
		took = min(took, processorTime()-began)
	}
	t.Logf("building the site takes the processors %v", took)
	if took > budget && os.Getenv("CI") == "" {
		t.Errorf("building the site takes the processors %v, the budget is %v", took, budget)
	}
}

// What is wrong with a chapter comes back as an error with its place, all of it.
func TestProblemsAreErrors(t *testing.T) {
	o := options(t, testBook)
	o.Dir = "content"
	o.Content = fstest.MapFS{
		"one.md": {Data: []byte("---\ntitle: One\nkind: page\n---\n\n```sheet a\ntitle A\nb = nope\n```\n\n{{c}}\n")},
	}
	_, err := Render(o)
	if err == nil || !strings.Contains(err.Error(), "content/one.md:8:5: ") {
		t.Errorf("got %v", err)
	}
	o.Base = "scalebook"
	if _, err := Render(o); err == nil {
		t.Error("a base path without slashes was taken")
	}
}

// pagesOf parses all pages.
func pagesOf(t *testing.T, files Files) map[string]*html.Node {
	t.Helper()
	pages := map[string]*html.Node{}
	for name, data := range files {
		if strings.HasSuffix(name, ".html") {
			doc, err := html.Parse(bytes.NewReader(data))
			if err != nil {
				t.Fatal(err)
			}
			pages[name] = doc
		}
	}
	return pages
}

func attr(n *html.Node, name string) (string, bool) {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val, true
		}
	}
	return "", false
}
