// Package site puts the pages of the book into files that any static host can serve.
//
// It works in these steps:
//
//  1. The book is loaded from the content; any problem ends the build (site.go).
//  2. What the browser gets is gathered under names that carry a hash of the content (assets.go).
//  3. Each page is put into the shell: contents, neighbours, footer (shell.go and shell.tmpl); search, errata, feeds
//     and plain twins are added (find.go), and the scratch pad (embed.go).
//  4. The worker that keeps the book for offline use gets the list of all files and their hashes (assets.go).
//  5. The files are written beside the old site and take its place in one step (site.go), or served from memory
//     (serve.go).
//
// The same content gives the same bytes, wherever and whenever it is built.
package site

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/book"
	"github.com/scalebook/scalebook/app/phrase"
	"github.com/scalebook/scalebook/app/po"
	"github.com/scalebook/scalebook/app/translation"
	"github.com/scalebook/scalebook/app/widget"
)

// Options say what to build.
type Options struct {
	Content fs.FS  // the chapters
	Web     fs.FS  // what the browser gets as it is: style, scripts, icons
	Base    string // the path of the site's address: "/" or "/scalebook/"
	Dir     string // what to put before the names of chapters in errors: "content"

	// Program is the WebAssembly program and Exec Go's script to run it. Without them calculators stay as they are
	// printed.
	Program, Exec []byte
	// Later is what Program fetches when it needs it, module by module (see wasm/build); empty if it is in one piece.
	Later [][]byte

	// Where the site will be, as far as it is known. Nothing of it is needed.
	Origin     string // "https://example.org": makes addresses whole where formats want that
	Repository string // "https://github.com/owner/name", or that with /tree/branch: for links that suggest a change
	Day        string // of the edition, "2026-11-21": for feeds

	// Books are the books to take along, as app/print wrote them; nil if there are none.
	Books fs.FS

	// Phrases is the language in which pages speak; the zero value is English.
	Phrases phrase.Phrases

	// ProgramPhrases makes of a language's file of sentences what Program reads; nil if it reads the file as it is.
	ProgramPhrases func(file string) string

	// Offline lets browsers keep the book for when there is no network. Without it pages ask for nothing of the kind,
	// and what a browser has kept of an earlier site at the same address is taken back: see assets.go.
	Offline bool

	lang       string               // the language of a site that is not in English
	said       string               // what its program says, as a file
	tongues    []Tongue             // the languages that pages lead to; none if there is one
	source     *book.Book           // the book in English, of a site that is not
	translated *translation.Content // its content
}

// Build renders the site and writes it into the folder out; see Files.Write.
func Build(o Options, out string) error {
	files, err := Render(o)
	if err != nil {
		return err
	}
	return files.Write(out)
}

// GCPercent is what a command that makes a site gives to debug.SetGCPercent meanwhile: much of what is allocated stays
// until the end, so that to look through it again at each doubling of memory takes a fifth of the time.
const GCPercent = 400

// Render makes all files of the site. The error joins a book.Problem for everything that is wrong with the content.
func Render(o Options) (Files, error) {
	files, _, err := renderBook(o)
	return files, err
}

// renderBook is Render with the book that it was made of.
func renderBook(o Options) (Files, *book.Book, error) {
	if err := o.checkBase(); err != nil {
		return nil, nil, err
	}
	if err := o.publishing(); err != nil {
		return nil, nil, err
	}
	assets, err := gather(o)
	if err != nil {
		return nil, nil, err
	}
	prints := &prints{}
	b, err := load(o, prints)
	if err != nil {
		return nil, nil, err
	}
	if err := assets.indexAsset(b, o.Phrases); err != nil {
		return nil, nil, err
	}
	shell := newShell(o.Base, assets, b, o.Phrases)
	shell.alone = prints.alone(b)
	shell.origin, shell.repository, shell.day = o.Origin, o.Repository, o.Day
	shell.offline, shell.tongues = o.Offline, o.tongues
	if shell.books, err = o.booksFrom(); err != nil {
		return nil, nil, err
	}
	files, err := shell.files()
	if err != nil {
		return nil, nil, err
	}
	maps.Copy(files, assets.files)
	maps.Copy(files, shell.books)
	for _, name := range b.Files {
		data, err := fs.ReadFile(o.Content, name)
		if err != nil {
			return nil, nil, err
		}
		files[path.Clean(name)] = data
	}
	if files[licencesName], err = fs.ReadFile(o.Web, licencesName); err != nil {
		return nil, nil, err
	}
	files[".nojekyll"] = nil
	return files, b, offline(files, assets, o)
}

// checkBase checks the base path.
func (o Options) checkBase() error {
	if !strings.HasPrefix(o.Base, "/") || !strings.HasSuffix(o.Base, "/") {
		return fmt.Errorf("the base path %q does not begin and end with a slash; write something like /scalebook/",
			o.Base)
	}
	return nil
}

// licencesName is the file with the licences of all that the browser's program contains.
const licencesName = "licences.txt"

// load reads the book.
func load(o Options, prints *prints) (*book.Book, error) {
	env := widget.Env()
	env.Phrases = o.Phrases
	config := book.Config{
		Base: o.Base, Dir: o.Dir, Env: env,
		RenderSheet: prints.sheet, RenderNumber: widget.Number, RenderBelow: widget.Below,
		RenderUnveiled: widget.Unveiled,
		RenderInput:    widget.InText, TwinSheet: widget.Twin,
		Known: own, Reserved: reserved,
	}
	if o.translated != nil {
		config.Source, config.English = o.source, o.translated.English
	}
	b, problems := book.Load(o.Content, config)
	var errs []error
	for _, p := range problems {
		if o.translated != nil {
			p = o.translated.Place(p)
		}
		errs = append(errs, p)
	}
	return b, errors.Join(errs...)
}

// reserved are the ids that the shell gives.
var reserved = []string{"main", "notice"}

// Files is a site: the bytes of each file by its path below the base path, slashes on every system.
type Files map[string][]byte

// Names lists the files in order.
func (f Files) Names() []string {
	names := make([]string, 0, len(f))
	for name := range f {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// marker is the file by which Write knows a folder as its own.
const marker = ".scalebook"

const markerText = "Written by `scalebook build`, which replaces this folder as a whole.\n"

// Write puts the site into the folder out, which afterwards holds nothing else. The files are written beside it first
// and take its place in one step, so that a failure leaves what was there. A folder that isn't empty and that
// Write has not made is left alone.
func (f Files) Write(out string) error {
	out = filepath.Clean(out)
	if err := ours(out); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return err
	}
	fresh, err := os.MkdirTemp(filepath.Dir(out), "."+filepath.Base(out)+".new-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(fresh) // a no-op once it has become out
	if err := f.writeInto(fresh); err != nil {
		return err
	}
	return swap(fresh, out)
}

// Writable says why a site can't be written into the folder out, as far as that can be known before there is one.
func Writable(out string) error { return ours(filepath.Clean(out)) }

// ours says why out may not be replaced, if it may not.
func ours(out string) error {
	entries, err := os.ReadDir(out)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("%s: not a folder that the site can be written to; name another with -out", out)
	case len(entries) == 0:
		return nil
	}
	if _, err := os.Lstat(filepath.Join(out, marker)); err != nil {
		return fmt.Errorf(
			"%s: holds files that are not of a built site, and is left as it is; name another folder with -out, or empty "+
				"this one",
			out,
		)
	}
	return nil
}

func (f Files) writeInto(folder string) error {
	if err := os.Chmod(folder, 0o755); err != nil {
		return err
	}
	for _, name := range f.Names() {
		if !fs.ValidPath(name) || strings.Contains(name, "\\") {
			return fmt.Errorf("%q is no path for a file of the site", name)
		}
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, f[name], 0o644); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(folder, marker), []byte(markerText), 0o644)
}

// swap gives fresh the name out. What was there is moved aside first, put back if the second step fails, and removed
// at the end.
func swap(fresh, out string) error {
	old := fresh + ".old"
	err := os.Rename(out, old)
	had := err == nil
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(fresh, out); err != nil {
		if had {
			err = errors.Join(err, os.Rename(old, out))
		}
		return err
	}
	if had {
		return os.RemoveAll(old)
	}
	return nil
}

// Tongue is a language that the site is published in.
type Tongue struct {
	Code string // "ru"
	Name string // as it calls itself
	Base string // where its pages live: "/scalebook/ru/"
}

// sourceCode is the language of the sources.
const sourceCode = "en"

// offered is how much of a language must be translated for pages of other languages to lead to it.
const offered = 0.95

// phrasesFile is what the program says in a language, beside it.
const phrasesFile = "phrases.txt"

// Languages are those of which the content folder has a translation, by their codes, sorted.
func Languages(content fs.FS) ([]string, error) {
	names, err := fs.Glob(content, "po/*.po")
	for i, name := range names {
		names[i] = strings.TrimSuffix(path.Base(name), ".po")
	}
	return names, err
}

// RenderIn makes all files of the site in English and in the languages of these codes, those below `CODE/`, and says
// how far each is translated. A language is a site of its own, with its own search, feed and offline book.
func RenderIn(o Options, codes []string) (Files, []translation.Count, error) {
	var languages []*translation.Language
	var counts []translation.Count
	var messages *po.File
	tongues := []Tongue{{Code: sourceCode, Name: "English", Base: o.Base}}
	for _, code := range codes {
		if code == sourceCode {
			continue
		}
		l, err := readLanguage(o, code)
		if err != nil {
			return nil, nil, err
		}
		if messages == nil {
			if messages, err = translation.Extract(o.Content, o.Dir); err != nil {
				return nil, nil, err
			}
		}
		count := l.Count(messages)
		languages, counts = append(languages, l), append(counts, count)
		if count.Share() >= offered {
			tongues = append(tongues, Tongue{Code: code, Name: l.Name, Base: o.Base + code + "/"})
		}
	}
	if len(languages) == 0 {
		files, err := Render(o)
		return files, nil, err
	}
	if len(tongues) > 1 {
		o.tongues = tongues
	}
	files, source, err := renderBook(o)
	if err != nil {
		return nil, nil, err
	}
	for _, l := range languages {
		own, err := renderLanguage(o, l, source)
		if err != nil {
			return nil, nil, err
		}
		for name, data := range own {
			if name != "robots.txt" && name != ".nojekyll" {
				files[l.Code+"/"+name] = data
			}
		}
	}
	return files, counts, nil
}

// readLanguage reads the translation of a language.
func readLanguage(o Options, code string) (*translation.Language, error) {
	l, err := translation.Read(o.Content, "po/"+code+".po", o.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		known, _ := Languages(o.Content) // the pattern is valid
		return nil, fmt.Errorf("no translation %s/po/%s.po; there are %s", o.Dir, code,
			strings.Join(append(known, sourceCode), ", "))
	}
	if err != nil {
		return nil, err
	}
	if l.Code != code {
		return nil, fmt.Errorf("%s/po/%s.po:1: its header says that it is in %q; write Language: %s",
			o.Dir, code, l.Code, code)
	}
	return l, nil
}

// inOrder joins problems in the order of their lines.
func inOrder(problems []book.Problem) error {
	slices.SortStableFunc(problems, func(a, b book.Problem) int { return a.Line - b.Line })
	var errs []error
	for _, p := range problems {
		errs = append(errs, p)
	}
	return errors.Join(errs...)
}

// renderLanguage makes the files of a language.
func renderLanguage(o Options, l *translation.Language, source *book.Book) (Files, error) {
	o, err := o.in(l, source)
	if err != nil {
		return nil, err
	}
	own := Tongue{Code: l.Code, Name: l.Name, Base: o.Base}
	if len(o.tongues) == 0 {
		o.tongues = []Tongue{{Code: sourceCode, Name: "English", Base: strings.TrimSuffix(o.Base, l.Code+"/")}}
	}
	if !slices.Contains(o.tongues, own) {
		o.tongues = append(slices.Clone(o.tongues), own)
	}
	files, _, err := renderBook(o)
	return files, err
}

// URLIn is the address of the page in another language, "" for a calculator alone.
func (v view) URLIn(t Tongue) string {
	if v.Alone {
		return ""
	}
	return t.Base + strings.TrimPrefix(v.URL, v.base)
}

// Tongues are the languages that the page is there in, if there are several.
func (v view) Tongues() []Tongue {
	if v.Alone {
		return nil
	}
	return v.tongues
}

// Lang is the language of the page.
func (s *shell) Lang() string { return s.text("site.lang") }
