package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/scalebook/scalebook/app/po"
	"github.com/scalebook/scalebook/app/site"
	"github.com/scalebook/scalebook/app/translation"
	wasm "github.com/scalebook/scalebook/wasm/build"
)

// build is the verb that writes the static site.
func build(args []string, s streams) int {
	flags := newFlags("build")
	out := flags.String("out", "dist", "the folder to write")
	base := flags.String("base", "/scalebook/", "the path of the site’s address")
	kill := flags.Bool("kill", false, "take back what browsers keep for offline use, instead of renewing it")
	books := flags.String("books", "", "a folder with the printed book and that for e-readers, as app/print writes it")
	langs := flags.String("langs", "en", "the languages, with commas: en,ru; each has its pages below its code")
	var o site.Options
	flags.StringVar(&o.Origin, "site", "", "the host that the site will be on: https://example.org")
	flags.StringVar(&o.Repository, "repo", "", "the address of the repository, for links that suggest a change")
	flags.StringVar(&o.Day, "date", "", "the day of the edition, for feeds: 2026-11-21")
	if status, done := flagsOnly(flags, args, s, base); done {
		return status
	}
	if err := atTop(); err != nil {
		s.complain("%v", err)
		return failed
	}
	if err := site.Writable(*out); err != nil {
		s.complain("%v", err)
		return failed
	}
	began := time.Now()
	p, err := compile(context.Background())
	if err != nil {
		s.complain("%v", err)
		return failed
	}
	compiled := time.Now()
	o.Base, o.Offline = *base, !*kill
	if *books != "" {
		o.Books = os.DirFS(*books)
	}
	files, counts, err := renderIn(o, p, strings.Split(*langs, ","))
	if err == nil {
		err = files.Write(*out)
	}
	if err != nil {
		s.complain("%v", err)
		return failed
	}
	for _, c := range counts {
		fmt.Fprintln(s.out, c)
	}
	fmt.Fprintf(s.out, "%s in %s for %s, built in %v (the WebAssembly program in %v)\n",
		count(len(files), "file"), *out, *base, since(compiled), compiled.Sub(began).Round(time.Millisecond))
	return ok
}

// flagsOnly parses the arguments of a verb that takes only flags, and settles its base path.
func flagsOnly(flags *flag.FlagSet, args []string, s streams, base *string) (status int, done bool) {
	others, status, done := parse(flags, args, s)
	if done {
		return status, true
	}
	if len(others) > 0 {
		s.complain(
			"scalebook %s: unexpected argument %q; it takes only the flags %s",
			flags.Name(),
			others[0],
			flagNames(flags),
		)
		return misuse, true
	}
	basePrefix, err := basePath(*base)
	if err != nil {
		s.complain("scalebook %s: %v", flags.Name(), err)
		return misuse, true
	}
	*base = basePrefix
	return ok, false
}

// browserProgram is what runs in the reader's browser.
type browserProgram struct {
	wasm.Binary
	exec []byte
}

// compile makes the program of the browser from the module that the working folder is in. What was compiled before is
// taken from a cache.
func compile(ctx context.Context) (p browserProgram, err error) {
	if p.Binary, err = wasm.Program(ctx, ""); err != nil {
		return p, err
	}
	support, err := wasm.Support(ctx, "")
	if err != nil {
		return p, err
	}
	p.exec, err = os.ReadFile(support)
	return p, err
}

// atTop says whether the working folder is the top of the repository.
func atTop() error {
	for _, name := range []string{"content", "web", "go.mod"} {
		if _, err := os.Stat(name); err != nil {
			return errors.New(name + ": not in the working folder; run the command at the top of the repository")
		}
	}
	return nil
}

// render makes the site of the working folder, for readers to keep offline or not.
func render(o site.Options, p browserProgram) (site.Files, error) {
	files, _, err := renderIn(o, p, nil)
	return files, err
}

// renderIn is render in English and in other languages, with how far each is translated.
func renderIn(o site.Options, p browserProgram, languages []string) (site.Files, []translation.Count, error) {
	o.Content, o.Web, o.Dir = os.DirFS("content"), os.DirFS("web"), "content"
	o.Program, o.Later, o.Exec = p.First, p.Later, p.exec
	o.ProgramPhrases = wasm.Translated
	defer debug.SetGCPercent(debug.SetGCPercent(site.GCPercent))
	return site.RenderIn(o, languages)
}

func since(t time.Time) time.Duration { return time.Since(t).Round(time.Millisecond) }

// look is how often serve looks for changed files.
const look = 500 * time.Millisecond

// serve is the verb that builds and serves the book, and rebuilds it when a file changes.
func serve(args []string, s streams) int {
	flags := newFlags("serve")
	addr := flags.String("addr", "127.0.0.1:8080", "where to listen")
	base := flags.String("base", "/", "the path of the site’s address")
	if status, done := flagsOnly(flags, args, s, base); done {
		return status
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := serveUntil(ctx, *addr, &workshop{streams: s, base: *base, compile: compile}); err != nil {
		s.complain("%v", err)
		return failed
	}
	return ok
}

// serveUntil serves until ctx is done.
func serveUntil(ctx context.Context, addr string, w *workshop) error {
	if err := atTop(); err != nil {
		return err
	}
	listener, err := listen(addr)
	if err != nil {
		return err
	}
	pages := site.Watching(site.Watched{FS: os.DirFS("content")}, site.Watched{FS: os.DirFS("web")})
	sources := site.Watching(site.Watched{FS: os.DirFS("wasm"), Endings: []string{".go"}},
		site.Watched{FS: os.DirFS("app"), Endings: []string{".go", ".json", ".tsv", ".txt", ".csv"}})
	w.rebuild(ctx, true)
	fmt.Fprintf(w.out, "http://%s%s\n", listener.Addr(), w.base)
	server := &http.Server{Handler: &w.server, ReadHeaderTimeout: 10 * time.Second}
	go func() {
		<-ctx.Done()
		server.Close()
	}()
	go pages.Follow(ctx, look, func() { w.rebuild(ctx, false) })
	go sources.Follow(ctx, look, func() { w.recompile(ctx) })
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// listen takes the address, or says what to do about it.
func listen(addr string) (net.Listener, error) {
	l, err := net.Listen("tcp", addr)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf(
			"%s is in use; stop what is serving there, or choose another port with -addr 127.0.0.1:8081",
			addr,
		)
	}
	if err != nil {
		return nil, fmt.Errorf("can’t listen on %q: %v; -addr is a host and a port, such as 127.0.0.1:8080", addr, err)
	}
	return l, nil
}

// workshop builds the book again and again. The program of the browser is compiled from the sources as they are; the
// pages are made by the running command, whose own sources take effect when it is started anew.
type workshop struct {
	streams
	base    string
	compile func(context.Context) (browserProgram, error)
	server  site.Server
	mu      sync.Mutex // one build at a time
	program browserProgram
}

// rebuild makes the site again, compiling the program first if wanted or never done. It says whether that went well.
func (w *workshop) rebuild(ctx context.Context, compileFirst bool) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	began := time.Now()
	if err := w.build(ctx, compileFirst || w.program.exec == nil); err != nil {
		w.complain("%v", err)
		w.server.Fail(w.base, err.Error())
		return false
	}
	fmt.Fprintf(w.out, "built in %v\n", since(began))
	return true
}

func (w *workshop) build(ctx context.Context, compileFirst bool) error {
	if compileFirst {
		p, err := w.compile(ctx)
		if err != nil {
			return err
		}
		w.program = p
	}
	// Who writes must see every change at once: nothing is kept, and what a built site has left at this address goes.
	files, err := render(site.Options{Base: w.base}, w.program)
	if err != nil {
		return err
	}
	w.server.Show(w.base, files)
	return nil
}

// recompile is for changed Go sources.
func (w *workshop) recompile(ctx context.Context) {
	if w.rebuild(ctx, true) {
		fmt.Fprintln(
			w.out,
			"Go sources have changed: the calculators are new, the printed pages are as this command makes them; start serve "+
				"again to renew both",
		)
	}
}

// messages gathers what readers see and brings the files of translators up to it.
func messages(args []string, s streams) int {
	flags := newFlags("messages")
	content := flags.String("content", "content", "the folder of the chapters; translations stand in its folder po")
	byPage := flags.Bool("by-page", false, "list how far each language is, file by file")
	others, status, done := parse(flags, args, s)
	if done {
		return status
	}
	if len(others) > 0 {
		s.complain("scalebook messages: unexpected argument %q; it takes only the flags %s", others[0],
			flagNames(flags))
		return misuse
	}
	if err := s.gather(*content, *byPage); err != nil {
		s.complain("scalebook messages: %v", err)
		return failed
	}
	return ok
}

// gather writes the template and merges it into the file of each language.
func (s streams) gather(content string, byPage bool) error {
	file, err := translation.Extract(os.DirFS(content), filepath.ToSlash(content))
	if err != nil {
		return err
	}
	dir := filepath.Join(content, "po")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	pot := filepath.Join(dir, "scalebook.pot")
	var b bytes.Buffer
	if err := file.Write(&b); err != nil {
		return err
	}
	if err := os.WriteFile(pot, b.Bytes(), 0o666); err != nil {
		return err
	}
	texts := 0
	for _, m := range file.Messages {
		texts += len(strings.Fields(m.ID))
	}
	fmt.Fprintf(s.out, "%s: %d messages of %d words\n", pot, len(file.Messages), texts)
	languages, err := filepath.Glob(filepath.Join(dir, "*.po"))
	if err != nil {
		return err
	}
	for _, language := range languages {
		if err := s.merge(content, language, file, byPage); err != nil {
			return err
		}
	}
	return nil
}

// merge has msgmerge bring a language's file up to the template: what changed becomes fuzzy.
func (s streams) merge(content, language string, file *po.File, byPage bool) error {
	pot := filepath.Join(content, "po", "scalebook.pot")
	tool, err := exec.LookPath("msgmerge")
	if err != nil {
		return errors.New("msgmerge isn't installed, so " + language +
			" was not brought up to date; install GNU gettext: apt install gettext, or brew install gettext")
	}
	cmd := exec.Command(tool, "--quiet", "--update", "--backup=none", "--previous", "--width=120", language, pot)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: msgmerge says: %s", err, bytes.TrimSpace(out))
	}
	read, err := translation.Read(os.DirFS("."), filepath.ToSlash(language), "")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	fmt.Fprintln(s.out, read.Count(file))
	if !byPage {
		return nil
	}
	pages, err := read.Content(os.DirFS(content), content)
	if err != nil {
		return err
	}
	counts := pages.Pages()
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		c := counts[name]
		fmt.Fprintf(s.out, "%5d of %5d untranslated %5d fuzzy  %s\n", c.Missing, c.All, c.Fuzzy, name)
	}
	return nil
}

// printVersion prints the version of the module, the commit, and the Go that built the command.
func printVersion(args []string, s streams) int {
	others, status, done := parse(newFlags("version"), args, s)
	if done {
		return status
	}
	if len(others) > 0 {
		s.complain("scalebook version: unexpected argument %q; it takes none", others[0])
		return misuse
	}
	version, commit := ownVersion()
	if commit == "" {
		commit = checkedOut()
	}
	fmt.Fprintf(s.out, "scalebook %s, commit %s, %s %s/%s\n",
		version, commit, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return ok
}

// ownVersion is the version and the commit of this binary, as far as it knows them.
func ownVersion() (version, commit string) {
	if info, ok := debug.ReadBuildInfo(); ok {
		return built(info)
	}
	return "development", ""
}

// built is what a binary knows of its source: its version, and its commit if it was built in a repository.
func built(info *debug.BuildInfo) (version, commit string) {
	version = "development"
	if v := info.Main.Version; v != "" && v != "(devel)" {
		version = v
	}
	changed := ""
	for _, setting := range info.Settings {
		switch setting.Key {
		case "vcs.revision":
			commit = setting.Value
		case "vcs.modified":
			if setting.Value == "true" {
				changed = " with changes"
			}
		}
	}
	if commit != "" {
		commit += changed
	}
	return version, commit
}

// checkedOut is the commit of the working folder, for `go run`, which notes none.
func checkedOut() string {
	out, err := exec.Command("git", "rev-parse", "HEAD").Output()
	if err != nil {
		return "unknown"
	}
	commit := strings.TrimSpace(string(out))
	if out, err := exec.Command("git", "status", "--porcelain", "-uno").Output(); err == nil && len(out) > 0 {
		commit += " with changes"
	}
	return commit
}
