package site

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/scalebook/scalebook/app/site/browser"
)

// copied is a folder in memory.
func copied(t testing.TB, folder string) fstest.MapFS {
	t.Helper()
	m := fstest.MapFS{}
	err := fs.WalkDir(os.DirFS(folder), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(folder + "/" + name)
		m[name] = &fstest.MapFile{Data: data}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// appOptions are those of the test book as readers get it, but for the module of planners, which none of its chapters
// asks for: it does nothing, and is kept and replaced as the other ones are, in a moment.
func appOptions(t testing.TB) Options {
	o := wholeOptions(t)
	if last := len(o.Later) - 1; last >= 0 {
		o.Later = slices.Clone(o.Later)
		o.Later[last] = []byte("\x00asm\x01\x00\x00\x00")
	}
	return o
}

// wholeOptions are those of the test book as readers get it.
func wholeOptions(t testing.TB) Options {
	o := options(t, testBook)
	o.Offline = true
	return o
}

var firstEdition = sync.OnceValues(func() (Files, error) { return Render(theOptions) })

var theOptions Options

// published is the test book as readers get it, built once.
func published(t testing.TB) Files {
	t.Helper()
	theOptions = appOptions(t)
	files, err := firstEdition()
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// listIn reads the list back from a worker.
func listIn(t testing.TB, files Files) (l list) {
	t.Helper()
	line, _, _ := strings.Cut(string(files[workerName]), "\n")
	text, ok := strings.CutPrefix(line, "const edition = ")
	if !ok {
		t.Fatalf("the worker begins with %.80q", line)
	}
	if err := json.Unmarshal([]byte(strings.TrimSuffix(text, ";")), &l); err != nil {
		t.Fatal(err)
	}
	return l
}

// left are the files that the worker leaves to the network.
var left = []string{"sw.js", ".nojekyll", "sitemap.xml", "robots.txt", "llms-full.txt", "data/results.json",
	"data/facts.json"}

// The worker lists all that a reader may ask for, with its size and its hash, but for the feed, and nothing else. It
// knows as what each may be sent, as our own server sends it.
func TestWorkerListsTheSite(t *testing.T) {
	files := published(t)
	l := listIn(t, files)
	for name, data := range files {
		sum := sha256.Sum256(data)
		want := "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
		if slices.Contains(left, name) || name == feedName {
			want = ""
		}
		if got := l.Files[name]; got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if len(l.Files) != len(files)-len(left) {
		t.Errorf("%d files in the list, %d in the site", len(l.Files), len(files))
	}
	if len(l.Sizes) != len(l.Files) || l.Sizes[0] != len(files["404.html"]) {
		t.Errorf("%d files and %d sizes, the first %v", len(l.Files), len(l.Sizes), l.Sizes)
	}
	for _, name := range []string{"index.html", "one/index.html", "embed/alpha/index.html", "404.html",
		"manifest.webmanifest"} {
		if l.Files[name] == "" {
			t.Errorf("%s is not in the list", name)
		}
	}
	source, err := os.ReadFile("../../web/sw.js")
	if err != nil {
		t.Fatal(err)
	}
	if _, rest, _ := bytes.Cut(files[workerName], []byte("\n")); !bytes.Equal(rest, source) {
		t.Error("behind the list the worker is not web/sw.js")
	}
	for name := range l.Files {
		mime, _, _ := strings.Cut(mimeOf(name), ";")
		line := regexp.MustCompile(`\b` + strings.TrimPrefix(path.Ext(name), ".") + `: \[[^\]]*"` +
			regexp.QuoteMeta(mime) + `"`)
		if !line.Match(source) {
			t.Errorf("web/sw.js doesn't take %s for %s", mime, name)
		}
	}
}

// The version stands for every byte of every file and for every name, and for nothing else.
func TestVersionFollowsTheFiles(t *testing.T) {
	version := func(f Files) string { return listOf(f).Version }
	first := version(Files{"a": []byte("1"), "b": []byte("2")})
	for _, other := range []Files{
		{"a": []byte("1"), "b": []byte("3")}, {"a": []byte("2"), "b": []byte("1")},
		{"a": []byte("1"), "c": []byte("2")}, {"a": []byte("1")}, {"a": []byte("1"), "b": []byte("2"), "c": nil},
	} {
		if version(other) == first {
			t.Errorf("%v has the same version", other.Names())
		}
	}
	if version(Files{"b": []byte("2"), "a": []byte("1"), "sw.js": []byte("x"), ".nojekyll": nil}) != first {
		t.Error("the worker itself or a hidden file counts")
	}
	o := appOptions(t)
	o.Day = "2001-02-03" // another day is no other edition
	again, err := Render(o)
	if err != nil {
		t.Fatal(err)
	}
	if files := published(t); !bytes.Equal(again[workerName], files[workerName]) ||
		!bytes.Equal(again[manifestName], files[manifestName]) {
		t.Error("a second build has another worker or manifest")
	}
}

// The app lies below the base path and nowhere else, and its icons are there.
func TestManifest(t *testing.T) {
	files := published(t)
	var m struct {
		ID, Start, Scope, Name, Display string
		StartURL                        string `json:"start_url"`
		Icons                           []struct{ Src, Sizes, Purpose, Type string }
	}
	if err := json.Unmarshal(files[manifestName], &m); err != nil {
		t.Fatal(err)
	}
	if m.ID != base || m.StartURL != base || m.Scope != base || m.Name == "" || m.Display != "standalone" {
		t.Errorf("%+v", m)
	}
	has := map[string]bool{}
	for _, icon := range m.Icons {
		data := files[strings.TrimPrefix(icon.Src, base)]
		if icon.Type == "image/png" && http.DetectContentType(data) != "image/png" {
			t.Errorf("%s is no PNG", icon.Src)
		}
		has[icon.Sizes+" "+icon.Purpose] = len(data) > 0
	}
	for _, want := range []string{"192x192 any", "512x512 any", "512x512 maskable"} {
		if !has[want] {
			t.Errorf("no icon %s", want)
		}
	}
}

// A manifest that can't be right ends the build with the name of the file.
func TestBadManifest(t *testing.T) {
	for text, want := range map[string]string{
		"{":                                 "web/manifest.json: ",
		`{"icons": [{"src": "nope.png"}]}`:  `no icon "nope.png" in web/icons`,
		`{"icons": ["icon-192.png"]}`:       "web/manifest.json: an icon must be an object",
		"\x00 this file is taken out below": "web/manifest.json: missing",
	} {
		web := copied(t, "../../web")
		web["manifest.json"] = &fstest.MapFile{Data: []byte(text)}
		if text[0] == 0 {
			delete(web, "manifest.json")
		}
		o := appOptions(t)
		o.Web = web
		if _, err := Render(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// Pages of a site for authors ask for no worker, and the one that is there takes an earlier one back.
func TestWithoutOffline(t *testing.T) {
	o := appOptions(t)
	o.Offline = false
	files, err := Render(o)
	if err != nil {
		t.Fatal(err)
	}
	kill, err := os.ReadFile("../../web/kill-sw.js")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(files[workerName], kill) {
		t.Error("sw.js is not web/kill-sw.js")
	}
	const asks = "data-offline="
	for _, path := range paths(files) {
		if bytes.Contains(files[path+"index.html"], []byte(asks)) {
			t.Errorf("/%s asks for a worker", path)
		}
		if !bytes.Contains(published(t)[path+"index.html"], []byte(asks)) {
			t.Errorf("/%s as published asks for none", path)
		}
	}
}

// Whatever a server answers, with whatever type, length and status, or whether it answers at all, and however little
// space there is: what the worker keeps is what its list says. See testdata/worker.js.
func FuzzWorker(f *testing.F) {
	if testing.Short() {
		f.Skip("needs a browser")
	}
	for lie := range byte(16) {
		f.Add([]byte{0, lie, 0})
		f.Add([]byte{200, lie, 1, lie, 2, 0, 0, lie, 3})
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 40 {
		script := make([]byte, 80)
		for i := range script {
			script[i] = byte(random.Uint32())
			if i%2 == 1 && random.IntN(3) > 0 {
				script[i] = 0 // most servers tell the truth most of the time
			}
		}
		f.Add(script)
	}
	world, err := os.ReadFile("testdata/worker.js")
	if err != nil {
		f.Fatal(err)
	}
	worker, err := os.ReadFile("../../web/sw.js")
	if err != nil {
		f.Fatal(err)
	}
	blank := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	f.Cleanup(blank.Close)
	x := opened(f, browser.Options{})
	f.Cleanup(x.Close)
	p := (&page{f, x}).open(blank.URL)
	p.run(string(world))
	p.run("window.worker = " + inScript(f, string(worker)))
	f.Fuzz(func(t *testing.T, script []byte) {
		wrong, err := browser.Eval[string](x, "simulate(worker, "+inScript(t, ints(script))+")")
		if err != nil || wrong != "" {
			t.Errorf("%s %v", wrong, err)
		}
	})
}

// inScript is a value as a script writes it.
func inScript(t testing.TB, v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func ints(bytes []byte) []int {
	out := make([]int, len(bytes))
	for i, b := range bytes {
		out[i] = int(b)
	}
	return out
}
