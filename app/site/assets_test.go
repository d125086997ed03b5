package site

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/scalebook/scalebook/app/golden"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/site/browser"
	"golang.org/x/net/html"
)

func TestStyleSheetOrderAndComments(t *testing.T) {
	web := fstest.MapFS{}
	for name, text := range map[string]string{
		"chart.css": "c{}", "tokens.css": "/* t */ t{}", "book.css": `b{content:"/* kept */"}` +
			"\n\n  /* a\n b */\n  d{}",
		"unended.css": "u{} /* no end",
	} {
		web[name] = &fstest.MapFile{Data: []byte(text)}
	}
	got, err := styleSheet(web, phrase.Phrases{})
	want := "t{}" + `b{content:"/* kept */"}` + "d{}c{}u{}"
	if err != nil || string(got) != want {
		t.Errorf("got %q, %v", got, err)
	}
}

// What is dropped from a style sheet changes nothing of it.
func TestTightStyle(t *testing.T) {
	for css, want := range map[string]string{
		"a  :hover > b ,\n c:is( d, e ) { color : red ; margin: 0 auto; }\n": "a :hover > b,c:is( d,e ){color " +
			":red;margin:0 auto}",
		"@media (min-width: 40rem) and (hover: hover) { a { width: calc(1px + 2px); } }": "@media (min-width:40rem) and " +
			"(hover:hover){a{width:calc(1px + 2px)}}",
		`a::before { content: " { /* x */ ; } \" " ; }`: `a::before{content:" { /* x */ ; } \" "}`,
		"a/* x */b{}": "ab{}", "a /**/ b{}": "a b{}",
		":root{--a: 1px;--b:var(--a , 2px)}": ":root{--a:1px;--b:var(--a,2px)}", "a{b:'": "a{b:'", "/* x": "",
	} {
		if got := string(tight([]byte(css))); got != want {
			t.Errorf("%s\n got %s\nwant %s", css, got, want)
		}
		if again := string(tight([]byte(want))); again != want {
			t.Errorf("%s became %s", want, again)
		}
	}
}

func TestAssetNamesFollowTheirContent(t *testing.T) {
	a := &assets{files: Files{}, urls: map[string]string{}, base: "/b/"}
	a.add("book.js", []byte("one"))
	one := a.urls["book.js"]
	a.add("book.js", []byte("two"))
	two := a.urls["book.js"]
	if one == two || !strings.HasPrefix(one, "/b/assets/book.") || !strings.HasSuffix(one, ".js") {
		t.Errorf("%s and %s", one, two)
	}
	if string(a.files[strings.TrimPrefix(two, "/b/")]) != "two" {
		t.Error("the address doesn't lead to the file")
	}
}

func TestWatchSeesChanges(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.go")
	write := func(text string, at time.Time) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, at, at); err != nil {
			t.Fatal(err)
		}
	}
	start := time.Now().Add(-time.Hour)
	write("one", start)
	folders := []Watched{{FS: os.DirFS(dir), Endings: []string{".go"}}}
	first := stamps(folders)
	if stamps(folders) != first {
		t.Error("nothing has changed, but the stamps have")
	}
	if err := os.WriteFile(filepath.Join(dir, "note.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if stamps(folders) != first {
		t.Error("a file that doesn't count was counted")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	seen := make(chan bool, 10)
	watcher := Watching(folders...)
	write("two", start.Add(time.Minute)) // before it is followed, as when a file changes during the first build
	go watcher.Follow(ctx, time.Millisecond, func() { seen <- true })
	select {
	case <-seen:
	case <-ctx.Done():
		t.Error("the change was not seen")
	}
}

// icons are pictures of the mark for systems that take no SVG: their sizes in pixels, and how much of the width the
// mark takes. Those with less than all of it are full to their corners, because the system cuts a shape out of them.
var icons = []struct {
	name  string
	size  int
	share float64
}{
	{"icon-192.png", 192, 1},
	{"icon-512.png", 512, 1},
	{"icon-maskable-512.png", 512, 0.86},
	{"icon-touch.png", 180, 0.92},
}

// The icons are what the browser makes of the mark. `go test ./app/site -run Golden -update` draws them.
func TestGoldenIcons(t *testing.T) {
	t.Parallel()
	mark, err := os.ReadFile("../../web/icons/mark.svg")
	if err != nil {
		t.Fatal(err)
	}
	p := tab(t, browser.Options{})
	for _, icon := range icons {
		drawn := decode(t, p.draw(mark, icon.size, icon.share, "../../web/icons/"+icon.name))
		data, err := os.ReadFile("../../web/icons/" + icon.name)
		if err != nil {
			t.Fatal(err)
		}
		if kept := decode(t, data); !alike(drawn, kept) {
			t.Errorf("web/icons/%s is not the mark; draw it anew with -update", icon.name)
		}
		if len(data) > 16<<10 {
			t.Errorf("web/icons/%s has %d bytes", icon.name, len(data))
		}
	}
}

// draw makes the PNG, and writes it if that is wanted.
func (p *page) draw(mark []byte, size int, share float64, file string) []byte {
	p.t.Helper()
	url := p.text(fmt.Sprintf(`(async () => {
		const [size, share] = [%d, %v];
		const mark = new Image(size, size);
		mark.src = "data:image/svg+xml;base64,%s";
		await mark.decode();
		const canvas = Object.assign(document.createElement("canvas"), {width: size, height: size});
		const pen = canvas.getContext("2d");
		if (share < 1) { pen.fillStyle = "#fdfcf8"; pen.fillRect(0, 0, size, size); }
		const at = size * (1 - share) / 2;
		pen.drawImage(mark, at, at, size * share, size * share);
		return canvas.toDataURL("image/png");
	})()`, size, share, base64.StdEncoding.EncodeToString(mark)))
	data, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(url, "data:image/png;base64,"))
	p.check(err)
	if golden.Update() {
		var b bytes.Buffer
		p.check((&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, decode(p.t, data)))
		p.check(os.WriteFile(file, b.Bytes(), 0o644))
	}
	return data
}

func decode(t testing.TB, data []byte) image.Image {
	t.Helper()
	m, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// alike says whether two pictures differ in hardly a pixel: browsers smooth edges in ways of their own.
func alike(a, b image.Image) bool {
	if a.Bounds() != b.Bounds() {
		return false
	}
	off := 0
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			ar, ag, ab, aa := a.At(x, y).RGBA()
			br, bg, bb, ba := b.At(x, y).RGBA()
			for _, d := range []int{int(ar) - int(br), int(ag) - int(bg), int(ab) - int(bb), int(aa) - int(ba)} {
				if d > 0x3000 || d < -0x3000 {
					off++
					break
				}
			}
		}
	}
	return off*500 < a.Bounds().Dx()*a.Bounds().Dy()
}

// Each module that the browser's program and that of the npm package contain, and Go itself, is published with its
// licence, word for word.
func TestLicences(t *testing.T) {
	t.Parallel()
	published, err := os.ReadFile("../../web/" + licencesName)
	if err != nil {
		t.Fatal(err)
	}
	list := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}} {{.Dir}}{{end}}", "../../wasm",
		"../../wasm/npm")
	list.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	folders := map[string]string{"Go": strings.TrimSpace(string(goroot))}
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		if module, dir, ok := strings.Cut(line, " "); ok {
			folders[module] = dir
		}
	}
	if len(folders) < 4 {
		t.Errorf("the program contains only %v", folders)
	}
	for module, dir := range folders {
		text, err := os.ReadFile(filepath.Join(dir, "LICENSE"))
		if err != nil && module == "Go" {
			t.Logf("this Go comes without its licence: %v", err)
			continue
		}
		if err != nil {
			t.Error(err)
		} else if !strings.Contains(string(published), "\n--- "+module+"\n\n"+strings.Trim(string(text), "\n")+"\n") {
			t.Errorf("web/%s lacks the licence of %s as it is in %s", licencesName, module, dir)
		}
	}
}

// policy is that of every page; it names the one script that stands in the page itself by its hash.
const policy = "default-src 'none'; script-src 'self' 'sha256-%s' 'wasm-unsafe-eval'; style-src 'self'; " +
	"img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; " +
	"base-uri 'none'; form-action 'none'"

// Every page has the strict policy first in its head and nothing that the policy forbids; nothing is loaded from
// elsewhere.
func TestPagesAreStrict(t *testing.T) {
	theme := inlineScript(t)
	sum := sha256.Sum256([]byte(theme))
	want := fmt.Sprintf(policy, base64.StdEncoding.EncodeToString(sum[:]))
	for name, doc := range pagesOf(t, render(t, realBook)) {
		var head *html.Node
		for n := range doc.Descendants() {
			if n.Type != html.ElementNode {
				continue
			}
			switch n.Data {
			case "head":
				head = n
			case "script":
				src, named := attr(n, "src")
				if inline := n.FirstChild; named != (inline == nil) || named && !strings.HasPrefix(src, base) ||
					inline != nil && inline.Data != theme {
					t.Errorf("%s: a script that is inline or foreign: %q", name, src)
				}
			case "style", "iframe", "object", "embed", "base":
				t.Errorf("%s: <%s>", name, n.Data)
			case "link", "img", "source", "video", "audio":
				for _, key := range []string{"href", "src", "srcset"} {
					if url, ok := attr(n, key); ok && !strings.HasPrefix(url, base) &&
						!strings.HasPrefix(url, "data:") {
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
		if content, _ := attr(first, "content"); content != want {
			t.Errorf("%s: the first element of the head is not the policy: %q", name, content)
		}
	}
}

// inlineScript is the script that may stand in a page: web/theme.js, without remarks, and with its sentences.
func inlineScript(t *testing.T) string {
	t.Helper()
	script, err := scriptIn(os.DirFS("../../web"), themeScript, options(t, realBook).Phrases)
	if err != nil {
		t.Fatal(err)
	}
	return string(bytes.TrimSpace(script))
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
