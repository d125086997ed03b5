package site

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/site/data"
)

// assets are the files that pages ask for, each under a name that says what is in it: a changed file has a new name,
// so that no cache can pair a new page with an old script.
type assets struct {
	files Files             // by path below the base
	theme []byte            // the script that every page holds
	urls  map[string]string // by plain name: "book.js" -> "/base/assets/book.1a2b3c4d5e.js"
	base  string
}

// hashOf is the part of a name that stands for the content: 10 hex digits of its SHA-256.
func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:5])
}

// add takes a file in under its hashed name.
func (a *assets) add(name string, data []byte) {
	ext := path.Ext(name)
	hashed := "assets/" + strings.TrimSuffix(name, ext) + "." + hashOf(data) + ext
	a.files[hashed] = data
	a.urls[name] = a.base + hashed
}

// gather collects what the browser gets: one style sheet, the scripts, the icons and the program.
func gather(o Options) (*assets, error) {
	a := &assets{files: Files{}, urls: map[string]string{}, base: o.Base}
	style, err := styleSheet(o.Web, o.Phrases)
	if err != nil {
		return nil, err
	}
	a.add("book.css", style)
	if err := a.ownStyles(o.Web, o.Phrases); err != nil {
		return nil, err
	}
	for _, pattern := range []string{"*.js", "icons/*"} {
		names, err := fs.Glob(o.Web, pattern)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			if name == "sw.js" || name == "kill-sw.js" || name == modulesScript || slices.Contains(stable, name) {
				continue // no page loads a worker, a part of another script or what other sites load
			}
			read := fs.ReadFile
			if path.Ext(name) == ".js" {
				read = func(web fs.FS, name string) ([]byte, error) { return scriptIn(web, name, o.Phrases) }
			}
			data, err := read(o.Web, name)
			if err != nil {
				return nil, err
			}
			if name == themeScript {
				a.theme = bytes.TrimSpace(data)
				continue
			}
			a.add(path.Base(name), data)
		}
	}
	if len(a.theme) == 0 {
		return nil, fmt.Errorf("web: no %s in it; every page needs it", themeScript)
	}
	for _, name := range []string{"book.js", "embed-frame.js", "mark.svg"} {
		if a.urls[name] == "" {
			return nil, fmt.Errorf("web: no %s in it; every page needs it", name)
		}
	}
	if err := a.embedding(o.Web, o.Phrases); err != nil {
		return nil, err
	}
	if o.said != "" {
		said := o.said
		if o.ProgramPhrases != nil {
			said = o.ProgramPhrases(said)
		}
		a.add(phrasesFile, []byte(said))
	}
	if len(o.Program) > 0 {
		a.add(program, o.Program)
		if err := a.exec(o); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// themeScript stands in the page itself: as a file it would keep the text from being shown until it came.
const themeScript = "theme.js"

// The browser's program: what runs first, and the script that fetches its later modules, which names them by number.
const (
	program       = "scalebook.wasm"
	modulesScript = "modules.js"
)

// laterModule is the name of the later module of a number, from 1 on.
func laterModule(number int) string { return fmt.Sprintf("module%d.wasm", number) }

// exec adds the script that runs a program: Go's own, and where the program comes in modules, ours after it.
func (a *assets) exec(o Options) error {
	script, err := minified(o.Exec)
	if err != nil {
		return fmt.Errorf("the script that runs Go's programs: %w", err)
	}
	script = slices.Concat(remarkAtTop(o.Exec), script)
	if len(o.Later) > 0 {
		ours, err := scriptIn(o.Web, modulesScript, o.Phrases)
		if err != nil {
			return err
		}
		for i, data := range o.Later {
			name := laterModule(i + 1)
			a.add(name, data)
			hashed := path.Base(a.urls[name]) // beside the script
			ours = bytes.ReplaceAll(ours, []byte(name), []byte(hashed))
		}
		script = slices.Concat(script, ours)
	}
	a.add("wasm_exec.js", script)
	return nil
}

// The style of one page alone, which no other page loads, and that of figures.
const (
	padStyle     = "pad.css"
	drawingStyle = "drawings.css"
)

// isOwn says whether a style sheet is only for some pages.
func isOwn(name string) bool {
	return name == padStyle || name == drawingStyle
}

// ownStyles adds the style sheets that are only for some pages.
func (a *assets) ownStyles(web fs.FS, l phrase.Phrases) error {
	names, err := fs.Glob(web, "*.css")
	if err != nil {
		return err
	}
	for _, name := range names {
		if !isOwn(name) {
			continue
		}
		data, err := styleIn(web, name, l)
		if err != nil {
			return err
		}
		a.add(name, data)
	}
	return nil
}

// styleSheet joins the style sheets: the tokens first, the shell second, the others by name.
func styleSheet(web fs.FS, l phrase.Phrases) ([]byte, error) {
	names, err := fs.Glob(web, "*.css")
	if err != nil {
		return nil, err
	}
	rank := map[string]int{"tokens.css": -2, "book.css": -1}
	slices.SortStableFunc(names, func(x, y string) int { return rank[x] - rank[y] })
	var out bytes.Buffer
	for _, name := range names {
		if isOwn(name) {
			continue
		}
		data, err := styleIn(web, name, l)
		if err != nil {
			return nil, err
		}
		out.Write(data)
	}
	return out.Bytes(), nil
}

// styleIn is a style sheet as browsers get it, with the sentences of a language.
func styleIn(web fs.FS, name string, l phrase.Phrases) ([]byte, error) {
	data, err := fs.ReadFile(web, name)
	if err != nil {
		return nil, err
	}
	if data, err = worded(data, l); err != nil {
		return nil, fmt.Errorf("web/%s: %w", name, err)
	}
	return tight(data), nil
}

// Program is the address of the program that brings the page to life; empty if there is none.
func (v view) Program() string { return v.Asset(program) }

// Worker is the address of the worker that helps the page with long documents and long work; empty without a program.
func (v view) Worker() string {
	if v.Program() == "" {
		return ""
	}
	return v.Asset("worker.js")
}

// Loaded lists the files that a page under the given base asks for before anything is done with it: its style sheets
// and the scripts that it names. What scripts fetch later is not among them.
func (f Files) Loaded(base, page string) []string {
	var names []string
	for _, tag := range strings.Split(string(f[page]), "<")[1:] {
		tag, _, _ = strings.Cut(tag, ">")
		var link string
		switch {
		case strings.HasPrefix(tag, "script "):
			_, link, _ = strings.Cut(tag, ` src="`)
		case strings.HasPrefix(tag, `link rel="stylesheet"`):
			_, link, _ = strings.Cut(tag, ` href="`)
		}
		link, _, _ = strings.Cut(link, `"`)
		name, ours := strings.CutPrefix(link, base)
		if _, there := f[name]; ours && there {
			names = append(names, name)
		}
	}
	return names
}

// Packed is how many bytes a file is after gzip -9, whatever Go's other levels do from release to release.
func Packed(data []byte) int {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // the level is valid
	w.Write(data)                                         // into memory
	w.Close()
	return b.Len()
}

// Weigh is how many bytes a page's HTML is, and its style and scripts, each after gzip -9. The script that stands in
// the page itself counts with the scripts.
func (f Files) Weigh(base, page string) (html, assets int) {
	data := f[page]
	const begin, end = "<script data-base", "</script>"
	if before, rest, ok := bytes.Cut(data, []byte(begin)); ok {
		script, after, _ := bytes.Cut(rest, []byte(end))
		data = bytes.Join([][]byte{before, after}, nil)
		assets = Packed(script)
	}
	for _, name := range f.Loaded(base, page) {
		assets += Packed(f[name])
	}
	return Packed(data), assets
}

// tight drops what only the authors of a style sheet need: comments, and spaces that mean nothing. Texts in quotes
// stay.
func tight(css []byte) []byte {
	t := &tightener{}
	for i := 0; i < len(css); {
		switch c := css[i]; {
		case c == '"' || c == '\'':
			n := inQuotes(css[i:])
			t.add(css[i : i+n]...)
			i += n
		case bytes.HasPrefix(css[i:], []byte("/*")):
			end := bytes.Index(css[i+2:], []byte("*/"))
			if end < 0 {
				return t.out
			}
			i += 2 + end + 2
		case strings.IndexByte(" \t\r\n\f", c) >= 0:
			t.space = true
			i++
		default:
			t.add(c)
			i++
		}
	}
	return t.out
}

// tightener writes a style sheet, with a space only where it separates.
type tightener struct {
	out   []byte
	space bool // there was some since the last byte
	value bool // within the value of a declaration, or the condition of a rule
}

// add writes bytes of which the first decides whether a space before them means anything. Before a colon it does: in a
// selector it stands for any descendant.
func (t *tightener) add(b ...byte) {
	last := byte('{')
	if n := len(t.out); n > 0 {
		last = t.out[n-1]
	}
	after := strings.IndexByte("{};,", last) >= 0 || last == ':' && t.value
	if t.space && !after && strings.IndexByte("{};,", b[0]) < 0 {
		t.out = append(t.out, ' ')
	}
	if b[0] == '}' && last == ';' {
		t.out = t.out[:len(t.out)-1]
	}
	t.space = false
	switch b[0] {
	case '{', '}', ';':
		t.value = false
	case ':':
		t.value = true // or a selector's, behind which there is no space
	}
	t.out = append(t.out, b...)
}

// inQuotes is the length of the text in quotes that css begins with.
func inQuotes(css []byte) int {
	for i := 1; i < len(css); i++ {
		switch css[i] {
		case '\\':
			i++
		case css[0]:
			return i + 1
		}
	}
	return len(css)
}

// The names at which browsers look for the app; they never change.
const (
	workerName   = "sw.js"
	manifestName = "manifest.webmanifest"
)

// offline completes a site: the manifest, which lets readers install the book, and the worker, which keeps all of the
// other files for when there is no network. It is the last step, because the worker holds the hashes of everything
// else. Without o.Offline the worker is the one that takes an earlier one back.
func offline(files Files, a *assets, o Options) error {
	manifest, err := manifest(a, o)
	if err != nil {
		return err
	}
	files[manifestName] = manifest
	source := "sw.js"
	if !o.Offline {
		source = "kill-sw.js"
	}
	worker, err := fs.ReadFile(o.Web, source)
	if err != nil {
		return fmt.Errorf("web: no %s in it; every site needs it: %w", source, err)
	}
	if o.Offline {
		worker = append(listOf(files).line(), worker...)
	}
	files[workerName] = worker
	return nil
}

// list is what the worker keeps: the hash of each file by its name, in the notation of Subresource Integrity, and a
// version that stands for all of them. The feed carries the day, and a day alone makes no new edition: it has no hash.
type list struct {
	Version string            `json:"version"`
	Files   map[string]string `json:"files"`
	Sizes   []int             `json:"sizes"` // in bytes, in the order of the names
}

// feedName is the file that readers may ask for and that changes from day to day.
const feedName = "feed.xml"

// listOf lists what readers may ask for.
func listOf(files Files) list {
	l := list{Files: map[string]string{}}
	all := Files{}
	for _, name := range files.Names() {
		data := files[name]
		switch {
		case name == feedName:
			l.Files[name], data = "", nil
		case forReaders(name):
			sum := sha256.Sum256(data)
			l.Files[name] = "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
			all[name] = data
		default:
			continue
		}
		l.Sizes = append(l.Sizes, len(data))
	}
	l.Version = stamp(all)
	return l
}

// forReaders is false for the worker itself, for names with a dot in front, which hosts hide, and for feeds and maps,
// which carry the day. What is large, and read by programs only or taken along as a whole, is fetched where it is.
func forReaders(name string) bool {
	switch name {
	case workerName, "robots.txt", wholeName, data.ResultsName, data.FactsName, PDFName, EPUBName:
		return false
	}
	return path.Ext(name) != ".xml" &&
		!strings.HasPrefix(path.Base(name), ".")
}

// line is the list as the worker's first line.
func (l list) line() []byte {
	text, err := json.Marshal(l) // with its keys in order
	if err != nil {
		panic(err) // texts only: can't fail
	}
	return fmt.Appendf(nil, "const edition = %s;\n", text)
}

// manifest is web/manifest.json with what depends on the address: where the app begins and ends, and its icons.
func manifest(a *assets, o Options) ([]byte, error) {
	const from = "web/manifest.json"
	text, err := fs.ReadFile(o.Web, path.Base(from))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: missing; it names the book and its icons for those who install it", from)
	}
	if err != nil {
		return nil, err
	}
	var m map[string]any
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, fmt.Errorf("%s: %w", from, err)
	}
	icons, _ := m["icons"].([]any)
	for _, icon := range icons {
		icon, ok := icon.(map[string]any)
		if !ok {
			return nil, fmt.Errorf(`%s: an icon must be an object with "src", "type", "sizes" and "purpose"`, from)
		}
		name, _ := icon["src"].(string)
		url := a.urls[name]
		if url == "" {
			return nil, fmt.Errorf("%s: there is no icon %q in web/icons", from, name)
		}
		icon["src"] = url
	}
	if o.lang != "" {
		m["lang"] = o.lang
	}
	for _, key := range []string{"id", "start_url", "scope"} {
		m[key] = o.Base
	}
	return json.MarshalIndent(m, "", "  ")
}
