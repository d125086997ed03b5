package site

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"html"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Server serves a site from memory, under its base path, the way GitHub Pages does. The zero Server answers that the
// first build isn't done. It may be updated while it serves.
type Server struct{ now atomic.Pointer[edition] }

// edition is what the server answers from: a site or the reason why there is none, and its compressed forms.
type edition struct {
	base     string
	files    map[string]*served
	problems string
}

// served is one file, ready to go out.
type served struct {
	mime, tag string
	plain     []byte
	packed    func() []byte // compressed when it is first asked for; nil where that isn't worth it
}

// Show makes the server answer with these files.
func (s *Server) Show(base string, files Files) {
	old := s.now.Load()
	next := &edition{base: base, files: make(map[string]*served, len(files))}
	for name, data := range files {
		next.files[name] = serve(name, data, old)
	}
	s.now.Store(next)
}

// Fail makes the server keep its last good site, and show what is wrong with the new one at every page until that is
// mended: an author looks there first.
func (s *Server) Fail(base, problems string) {
	next := &edition{base: base, problems: problems}
	if old := s.now.Load(); old != nil {
		next.files = old.files
	}
	s.now.Store(next)
}

// serve prepares one file. What hasn't changed since the last edition isn't compressed again.
func serve(name string, data []byte, old *edition) *served {
	tag := `"` + hashOf(data) + `"`
	if old != nil {
		if f := old.files[name]; f != nil && f.tag == tag {
			return f
		}
	}
	f := &served{mime: mimeOf(name), tag: tag, plain: data}
	if compressible(f.mime) {
		f.packed = sync.OnceValue(func() []byte { return compressed(data) })
	}
	return f
}

func compressed(data []byte) []byte {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.DefaultCompression) // the level is valid
	w.Write(data)                                            // into memory
	w.Close()
	return b.Bytes()
}

// mimes are the types of the files that a site has.
var mimes = map[string]string{
	".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".wasm": "application/wasm", ".svg": "image/svg+xml", ".png": "image/png", ".jpg": "image/jpeg",
	".ico":  "image/x-icon",
	".webp": "image/webp", ".json": "application/json", ".webmanifest": "application/manifest+json",
	".txt": "text/plain; charset=utf-8",
	".xml": "application/xml", ".woff2": "font/woff2", ".md": "text/markdown; charset=utf-8",
	".sheet": "text/plain; charset=utf-8",
}

func mimeOf(name string) string {
	if m, ok := mimes[path.Ext(name)]; ok {
		return m
	}
	return "application/octet-stream"
}

func compressible(mime string) bool {
	return strings.HasPrefix(mime, "text/") ||
		strings.HasPrefix(mime, "application/") && mime != "application/octet-stream" ||
		mime == "image/svg+xml"
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-cache")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Access-Control-Allow-Origin", "*") // as GitHub Pages: other sites may embed calculators
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "this server only serves", http.StatusMethodNotAllowed)
		return
	}
	e := s.now.Load()
	if e == nil {
		http.Error(w, "The first build isn't done yet. Try again in a moment.", http.StatusServiceUnavailable)
		return
	}
	e.answer(w, r)
}

func (e *edition) answer(w http.ResponseWriter, r *http.Request) {
	name, inside := strings.CutPrefix(r.URL.Path, e.base)
	if !inside {
		if r.URL.Path == "/" || r.URL.Path+"/" == e.base {
			http.Redirect(w, r, e.base, http.StatusFound)
			return
		}
		e.missing(w, r)
		return
	}
	if name == "" || strings.HasSuffix(name, "/") {
		name += "index.html"
	}
	if e.problems != "" && strings.HasSuffix(name, ".html") {
		e.problem(w)
		return
	}
	f := e.files[name]
	if f == nil && e.files[name+"/index.html"] != nil {
		target := r.URL.Path + "/"
		if r.URL.RawQuery != "" {
			target += "?" + r.URL.RawQuery
		}
		http.Redirect(w, r, target, http.StatusMovedPermanently)
		return
	}
	if f == nil {
		e.missing(w, r)
		return
	}
	f.send(w, r, http.StatusOK)
}

func (e *edition) missing(w http.ResponseWriter, r *http.Request) {
	if f := e.files["404.html"]; f != nil {
		f.send(w, r, http.StatusNotFound)
		return
	}
	http.NotFound(w, r)
}

// problem is the page an author sees while the book can't be built.
func (e *edition) problem(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(http.StatusInternalServerError)
	fmt.Fprintf(
		w,
		`<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">`+
			`<title>The book doesn’t build</title><h1>The book doesn’t build</h1>`+
			`<p>The last good version comes back as soon as this is mended.</p><pre>%s</pre></html>`,
		html.EscapeString(e.problems),
	)
}

// send writes the file, compressed if the browser takes it, or says that the browser's copy is still good.
func (f *served) send(w http.ResponseWriter, r *http.Request, status int) {
	h := w.Header()
	h.Set("Content-Type", f.mime)
	h.Set("ETag", f.tag)
	body := f.plain
	if f.packed != nil {
		h.Set("Vary", "Accept-Encoding")
		if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			h.Set("Content-Encoding", "gzip")
			h.Set("ETag", strings.TrimSuffix(f.tag, `"`)+`-gzip"`)
			body = f.packed()
		}
	}
	if status == http.StatusOK && strings.Contains(r.Header.Get("If-None-Match"), h.Get("ETag")) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Length", fmt.Sprint(len(body)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		w.Write(body)
	}
}

// Watched is a folder whose changes matter, and the endings of the names that count ("" for all).
type Watched struct {
	FS      fs.FS
	Endings []string
}

// Watcher knows what folders held when it looked last.
type Watcher struct {
	folders []Watched
	last    string
}

// Watching looks at folders for the first time. Who builds from them looks before, so that what changes meanwhile
// counts.
func Watching(folders ...Watched) *Watcher { return &Watcher{folders, stamps(folders)} }

// Follow calls changed whenever a file of the folders has appeared, gone or been written since the last look, looking
// every interval. It returns when ctx is done.
func (w *Watcher) Follow(ctx context.Context, interval time.Duration, changed func()) {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if now := stamps(w.folders); now != w.last {
			w.last = now
			changed()
		}
	}
}

// stamps is a text that changes whenever a watched file does.
func stamps(folders []Watched) string {
	var b strings.Builder
	for _, folder := range folders {
		fs.WalkDir(folder.FS, ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !folder.counts(name) {
				return nil // a file that has just gone is a change all the same: its line is missing
			}
			if info, err := d.Info(); err == nil {
				fmt.Fprintf(&b, "%s\x00%s\x00%d\x00", name, info.ModTime().Format(time.RFC3339Nano), info.Size())
			}
			return nil
		})
		b.WriteByte('\n')
	}
	return b.String()
}

func (w Watched) counts(name string) bool {
	if strings.HasPrefix(path.Base(name), ".") || strings.HasSuffix(name, "~") {
		return false // an editor's own files
	}
	for _, ending := range w.Endings {
		if strings.HasSuffix(name, ending) {
			return true
		}
	}
	return len(w.Endings) == 0
}
