package site

import (
	"bytes"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"golang.org/x/net/html"

	"github.com/scalebook/scalebook/app/cputime"
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
			t.Errorf("%s, with what comes before it: %d bytes, the budget is %d; functions may have to be "+
				"placed anew: "+
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
var moduleBudgets = []int{735_000, 1_705_000, 2_150_000, 2_411_000}

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

// A build without compiling the program is quick: it computes as long as parsing its own pages eleven times, on a slow
// or busy machine too, where both take longer. The budget's three seconds are what make bench measures.
func TestBuildTime(t *testing.T) {
	const times, runs = 11, 3 // the first run also fills what all share
	defer debug.SetGCPercent(debug.SetGCPercent(GCPercent))
	o := options(t, realBook)
	took, parsed := time.Hour, time.Hour
	for i := 0; i == 0 || i < runs && took > times*parsed; i++ {
		var files Files
		took = min(took, cputime.Of(func() {
			var err error
			if files, err = Render(o); err != nil {
				t.Fatal(err)
			}
		}))
		parsed = min(parsed, cputime.Of(func() { parseAtOnce(t, files) }))
	}
	t.Logf("building the site takes %v, parsing its pages %v: %.1f times", took, parsed, float64(took)/float64(parsed))
	if took > times*parsed {
		t.Errorf("building the site takes %v, more than %d times the %v that parsing its pages takes", took, times,
			parsed)
	}
}

// parseAtOnce parses all pages on all processors, as they are built.
func parseAtOnce(t *testing.T, files Files) {
	var pages sync.WaitGroup
	for name, data := range files {
		if strings.HasSuffix(name, ".html") {
			pages.Go(func() {
				if _, err := html.Parse(bytes.NewReader(data)); err != nil {
					t.Error(name, err)
				}
			})
		}
	}
	pages.Wait()
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

// All internal links lead somewhere, fragments included.
func TestLinksResolve(t *testing.T) {
	files := render(t, realBook)
	pages := pagesOf(t, files)
	ids := map[string]map[string]bool{}
	for name, doc := range pages {
		ids[name] = map[string]bool{}
		for n := range doc.Descendants() {
			if id, ok := attr(n, "id"); ok {
				if ids[name][id] {
					t.Errorf("%s: two elements have the id %q", name, id)
				}
				ids[name][id] = true
			}
		}
	}
	for name, doc := range pages {
		for n := range doc.Descendants() {
			for _, key := range []string{"href", "src", "data-wasm", "data-exec"} {
				if link, ok := attr(n, key); ok {
					checkLink(t, files, ids, name, link)
				}
			}
			for _, key := range []string{"for", "aria-labelledby", "aria-describedby", "aria-controls", "list"} {
				refs, _ := attr(n, key)
				for ref := range strings.FieldsSeq(refs) {
					if n.Namespace != "svg" && !ids[name][ref] {
						t.Errorf("%s: <%s %s=%q>: there is no such id", name, n.Data, key, ref)
					}
				}
			}
		}
	}
}

func checkLink(t *testing.T, files Files, ids map[string]map[string]bool, from, link string) {
	t.Helper()
	u, err := url.Parse(link)
	if err != nil {
		t.Errorf("%s: %q: %v", from, link, err)
		return
	}
	if u.Scheme != "" || u.Host != "" {
		if u.Scheme != "https" && u.Scheme != "mailto" {
			t.Errorf("%s: %q is no secure address", from, link)
		}
		return
	}
	target := from
	if u.Path != "" {
		inside, ok := strings.CutPrefix(u.Path, base)
		if !ok {
			t.Errorf("%s: %q is not below the base path", from, link)
			return
		}
		target = inside
		if target == "" || strings.HasSuffix(target, "/") {
			target += "index.html"
		}
	}
	if _, ok := files[target]; !ok {
		t.Errorf("%s: %q leads nowhere", from, link)
		return
	}
	if u.Fragment != "" && !ids[target][u.Fragment] {
		t.Errorf("%s: %q: the page has no such id", from, link)
	}
}

func read(t *testing.T, parts ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(parts...))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestWriteReplacesOnlyItsOwn(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "deep", "dist")
	first := Files{"index.html": []byte("one"), "a/b/c.txt": []byte("c")}
	if err := first.Write(out); err != nil {
		t.Fatal(err)
	}
	if got := read(t, out, "a", "b", "c.txt"); got != "c" {
		t.Errorf("a/b/c.txt is %q", got)
	}
	if err := (Files{"index.html": []byte("two")}).Write(out); err != nil {
		t.Fatal(err)
	}
	if got := read(t, out, "index.html"); got != "two" {
		t.Errorf("index.html is %q after the second build", got)
	}
	if _, err := os.Stat(filepath.Join(out, "a")); !os.IsNotExist(err) {
		t.Error("what the second site doesn't have is still there")
	}
	entries, err := os.ReadDir(filepath.Dir(out))
	if err != nil || len(entries) != 1 {
		t.Errorf("left beside the site: %v, %v", entries, err)
	}
}

func TestWriteLeavesForeignFoldersAlone(t *testing.T) {
	dir := t.TempDir()
	mine := filepath.Join(dir, "letters.txt")
	if err := os.WriteFile(mine, []byte("dear"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := (Files{"index.html": nil}).Write(dir); err == nil {
		t.Error("a folder with somebody's files was replaced")
	}
	if err := (Files{"index.html": nil}).Write(mine); err == nil {
		t.Error("a file was replaced")
	}
	if got := read(t, mine); got != "dear" {
		t.Errorf("the file is now %q", got)
	}
	empty := t.TempDir()
	if err := (Files{"index.html": nil}).Write(empty); err != nil {
		t.Errorf("an empty folder is free to take: %v", err)
	}
}

func TestWriteKeepsTheOldSiteWhenItFails(t *testing.T) {
	out := filepath.Join(t.TempDir(), "dist")
	if err := (Files{"index.html": []byte("good")}).Write(out); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"../escape", "/absolute", "a/../b", ""} {
		if err := (Files{name: []byte("x"), "z.html": nil}).Write(out); err == nil {
			t.Errorf("%q was taken as a name", name)
		}
	}
	if got := read(t, out, "index.html"); got != "good" {
		t.Errorf("the old site was lost: %q", got)
	}
	if entries, _ := os.ReadDir(filepath.Dir(out)); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
}

// The page of errata has all of them, each with what was printed and a link to its place.
func TestErrata(t *testing.T) {
	files := render(t, realBook)
	page := string(files["errata/index.html"])
	n := 0
	for name, data := range files {
		if strings.HasSuffix(name, ".html") && name != "errata/index.html" {
			n += strings.Count(string(data), `class="callout callout-erratum"`)
			n += strings.Count(string(data), `class="erratum-mark"`)
		}
	}
	if got := strings.Count(page, `class="callout callout-erratum"`); got != n || n == 0 {
		t.Errorf("%d errata, the chapters have %d", got, n)
	}
	for _, want := range []string{"v6e: 9.1e14\u00a0FLOP/s in one place, 9.20e14 in another",
		"One chip, three peak rates",
		base + "rooflines/#erratum-", "918\u00a0TFLOP/s", "1.09\u00a0ms"} {
		if !strings.Contains(page, want) {
			t.Errorf("it doesn't say %q", want)
		}
	}
	for name, data := range files {
		if strings.HasSuffix(name, "/index.html") && strings.Contains(string(data), `class="contents"`) &&
			!strings.Contains(string(data), `href="/scalebook/errata/"`) {
			t.Errorf("%s: the contents don't list it", name)
		}
	}
	if empty := string(render(t, testBook)["errata/index.html"]); !strings.Contains(empty, "None so far.") {
		t.Error("a book without errata doesn't say so")
	}
}

// The first page leads to the books to take along, with their sizes, only where they were written; no browser keeps
// them with the pages.
func TestBooksToTakeAlong(t *testing.T) {
	t.Parallel()
	o := options(t, testBook)
	home := string(renderWith(t, o)["index.html"])
	if strings.Contains(home, PDFName) || strings.Contains(home, EPUBName) {
		t.Error("the first page leads to books that were not written")
	}
	o.Offline = true
	o.Books = fstest.MapFS{
		PDFName: {Data: make([]byte, 12_345_678)}, EPUBName: {Data: make([]byte, 700_000)},
		"ru/" + PDFName: {Data: []byte("of another language")},
	}
	files := renderWith(t, o)
	for name, size := range map[string]string{PDFName: "12.3 MB", EPUBName: "0.7 MB"} {
		if len(files[name]) == 0 {
			t.Errorf("%s isn't published", name)
		}
		if link := `<a href="` + o.Base + name + `">`; !strings.Contains(string(files["index.html"]), link) ||
			!strings.Contains(string(files["index.html"]), size) {
			t.Errorf("the first page doesn't lead to %s, of %s", name, size)
		}
		if strings.Contains(string(files[workerName]), name) {
			t.Errorf("browsers keep %s", name)
		}
	}
	o.lang = "ru"
	if files, err := o.booksFrom(); err != nil || len(files) != 1 {
		t.Errorf("in Russian there are %d books, %v", len(files), err)
	}
}

func renderWith(t *testing.T, o Options) Files {
	t.Helper()
	files, err := Render(o)
	if err != nil {
		t.Fatal(err)
	}
	return files
}
