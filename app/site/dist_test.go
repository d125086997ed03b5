package site

import (
	"bytes"
	"compress/gzip"
	"net/url"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"golang.org/x/net/html"
)

// packed is how many bytes data has after gzip.
func packed(t testing.TB, level int, data ...[]byte) int {
	t.Helper()
	n := 0
	for _, d := range data {
		var b bytes.Buffer
		w, err := gzip.NewWriterLevel(&b, level)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(d); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		n += b.Len()
	}
	return n
}

// The budgets of bytes: a page's HTML, the style and scripts that pages share and browsers keep, and the program.
func TestBudgetOfBytes(t *testing.T) {
	files := render(t, realBook)
	programs := map[string][]byte{}
	for name, data := range files {
		if first, _, _ := strings.Cut(path.Base(name), "."); strings.HasSuffix(name, ".wasm") {
			programs[first+".wasm"] = data
		}
	}
	for _, p := range paths(files) {
		if size := packed(t, gzip.DefaultCompression, files[p+"index.html"]); size > 50_000 {
			t.Errorf("/%s: %d bytes of HTML, the budget is 50000", p, size)
		}
		var parts [][]byte
		loaded := files.Loaded(base, p+"index.html")
		for _, name := range loaded {
			parts = append(parts, files[name])
		}
		if len(loaded) < 3 {
			t.Errorf("/%s loads only %s", p, loaded)
		}
		if size := packed(t, gzip.DefaultCompression, parts...); size > 25_000 {
			t.Errorf("/%s: %d bytes of style and scripts, the budget is 25000", p, size)
		}
	}
	for name, most := range map[string]int{leanProgram: 2_000_000, plannerProgram: 2_330_000} {
		if size := packed(t, 9, programs[name]); size > most || size == 0 {
			t.Errorf("%s has %d bytes, the budget is %d", name, size, most)
		} else {
			t.Logf("%s: %d bytes", name, size)
		}
	}
}

// Two builds from two folders are the same, byte for byte, and so are a build and its repetition.
func TestBuildsAreTheSame(t *testing.T) {
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

// A build without compiling the program is quick.
func TestBuildTime(t *testing.T) {
	const budget, runs = 3 * time.Second, 3 // one run may have waited for other programs
	o := options(t, realBook)
	took := time.Hour
	for i := 0; i < runs && took > budget; i++ {
		began := time.Now()
		if _, err := Render(o); err != nil {
			t.Fatal(err)
		}
		took = min(took, time.Since(began))
	}
	t.Logf("the site is built in %v", took)
	if took > budget && os.Getenv("CI") == "" {
		t.Errorf("the site takes %v to build, the budget is 3 s", took)
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

const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; " +
	"font-src 'self'; " +
	"connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'"

// Every page has the strict policy first in its head and nothing that the policy forbids; nothing is loaded from
// elsewhere.
func TestPagesAreStrict(t *testing.T) {
	for name, doc := range pagesOf(t, render(t, realBook)) {
		var head, body *html.Node
		for n := range doc.Descendants() {
			if n.Type != html.ElementNode {
				continue
			}
			switch n.Data {
			case "head":
				head = n
			case "body":
				body = n
			case "script":
				if src, _ := attr(n, "src"); !strings.HasPrefix(src, base) || n.FirstChild != nil {
					t.Errorf("%s: a script that is inline or foreign: %q", name, src)
				}
			case "style", "iframe", "object", "embed", "base":
				t.Errorf("%s: <%s>", name, n.Data)
			case "link", "img", "source", "video", "audio":
				for _, key := range []string{"href", "src", "srcset"} {
					if url, ok := attr(n, key); ok && !strings.HasPrefix(url, base) && !strings.HasPrefix(url, "data:") {
						t.Errorf("%s: <%s> loads %q", name, n.Data, url)
					}
				}
			}
			for _, a := range n.Attr {
				if a.Key == "style" || strings.HasPrefix(a.Key, "on") ||
					strings.HasPrefix(strings.TrimSpace(strings.ToLower(a.Val)), "javascript:") {
					t.Errorf("%s: <%s %s=%q>", name, n.Data, a.Key, a.Val)
				}
			}
		}
		first := head.FirstChild
		for first != nil && first.Type != html.ElementNode {
			first = first.NextSibling
		}
		if content, _ := attr(first, "content"); content != policy {
			t.Errorf("%s: the first element of the head is not the policy: %q", name, content)
		}
		root := body.FirstChild
		for root != nil && root.Type != html.ElementNode {
			root = root.NextSibling
		}
		if id, _ := attr(root, "id"); id != "goapp-root" {
			t.Errorf("%s: the first element of the body is not the program's own", name)
		}
	}
}

// The style sheet and the scripts load nothing from elsewhere either.
func TestAssetsStayHome(t *testing.T) {
	for name, data := range render(t, realBook) {
		if !strings.HasSuffix(name, ".css") && !strings.HasSuffix(name, ".js") {
			continue
		}
		for _, foreign := range []string{"http://", "https://", "url(//", "@import"} {
			if bytes.Contains(data, []byte(foreign)) && !strings.Contains(name, "wasm_exec") {
				t.Errorf("%s mentions %s", name, foreign)
			}
		}
	}
}
