// Package build compiles the browser's program: small, and byte for byte the same from any folder.
//
// It works in these steps:
//
//  1. The stand-ins of wasm/standin take the places of the standard library's packages (sources.go).
//
//  2. `go list` names everything the program is made of; whoever else imports a replaced package is an error, because
//     the stand-ins do nothing (sources.go).
//
//  3. The contents of all that are hashed, with the flags and the version of Go; a program with that hash is not
//     compiled again (sources.go).
//
//  4. Sentences are parted by when they are said, and their keys made short (sentences.go): about 13,000 bytes. Loops
//     over iterators of strings become loops over slices (loops.go): 14,000.
//
//  5. `go build` makes the program, and passes over the binary make it smaller. In bytes of gzip -9, of a program
//     without planners of 2,654,000 as Go 1.26 links it (7,985,000 bytes stay of 11,035,000 unpacked):
//
//     data in fewer segments (module.go)                                  -176,000
//     peephole optimization of the code (peephole.go)                     -135,000
//     jumps forward without a table (peephole.go)                          -98,000
//     where calls return to, written by one function (returns.go)         -121,000
//     names, files, lines and inlining out of the pclntab
//     (strip.go, and what it reads and writes: pclntab.go)                -313,000
//     its ftab and findfunctab computed at start (pclntab.go)              -74,000
//     hashes and names of types that nobody reads (types.go)               -36,000
//     methods of types that nobody can call (types.go)                     -10,000
//     functions that nobody runs in a browser (unused.go)                  -88,000
//
//     And two that came later, of the whole program of 2,474,000:
//
//     places where functions are entered, numbered anew (places.go)        -62,000
//     fewer instructions for the same, fewer blocks (shorter.go)           -12,000
//
//     And of the whole program of 2,441,000:
//
//     one place for calls that never return, tables that go on (places.go) -57,000
//     values used where they are made (locals.go)                          -10,000
//     entries of the pclntab as columns (columns.go)                       -12,000
//
//     And of the whole program of 2,416,000:
//
//     a stand-in for fmt (wasm/standin/fmt)                                -12,000
//     methods of what no interface holds, closures, the rest of what
//     only these held (unused.go)                                          -11,000
//     what Go's runtime and reflection never do here (never.txt)            -8,000
//     calls of methods as values, where nothing makes one (unused.go)       -8,700
//     what prints where goroutines stood, without names (quiet.txt)         -7,800
//
//     And of the whole program of 2,404,000:
//
//     places that calls needn't be given (counts.go)                       -34,000
//
//  6. The program is split in four modules (split.go): what the first calculator of any chapter needs, what chapters
//     need next, what only planners need, and what only single pages read. What comes with which stands in lists
//     (lists.go); embedded files come with the functions that read them (split_modules.go). In each module, functions
//     that are alike lie near each other (order.go): about 100,000 bytes.
//
// The first four passes and the last know the WebAssembly format, and leave alone what they don't recognize. The others
// know the pclntab and the calls of the releases of Go in releases.go; with another one they are left out, and Program
// says in one line what that costs. Where the stand-ins of step 1 don't fit, they are left out too.
package build

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// flags make the program small (no debugging information; names of functions go after the program is split; nothing
// inlined but what is called all the time) and reproducible (no paths, no version control, no build id). Inlining in
// the packages that price plans takes nothing by now (12 KB of gzip -9 at first); in the packages below them, which
// know chips, models, networks and shards, it would take 45 KB more, in app/sheet and app/library 85 KB, and nobody
// waits for those; in app/quantity it takes up to 6 KB, and no benchmark in WebAssembly is faster for it. In the
// packages of Go that are named here it takes nothing: what is inlined is shorter than a call, and not compiled by
// itself.
var flags = append(
	inlined(
		"runtime",
		"internal/...",
		"math",
		"bytes", "errors", "io", "sort", "sync", "syscall", "syscall/js", "time", "unicode/utf8",
		estimation+"roofline",
		estimation+"training/...",
		estimation+"serving",
	),
	"-trimpath",
	"-buildvcs=false",
	"-ldflags=-w -buildid=",
)

// estimation begins the import paths of the packages that estimate.
const estimation = "github.com/scalebook/scalebook/app/"

// inlined are the flags that let the compiler inline in these packages alone: the last pattern that matches counts.
func inlined(packages ...string) []string {
	out := []string{"-gcflags=all=-l"}
	for _, p := range packages {
		out = append(out, "-gcflags="+p+"=")
	}
	return out
}

// Binary is the browser's program, as WebAssembly modules.
type Binary struct {
	First []byte   // what runs first, or the whole program
	Later [][]byte // what First fetches when it needs it; each module needs those before it
	Tried bool     // whether pages were opened with this version of Go; else the modules may be larger
	names []string // of functions, by number
}

// Function is the name of the function in a slot of the program's table; empty if there is none. A program that waits
// for a module tells the slot that it wants in its export "noted".
func (b Binary) Function(slot int) string {
	if slot -= slots; slot >= 0 && slot < len(b.names) {
		return b.names[slot]
	}
	return ""
}

// Program compiles the package ./wasm of the module that holds the working directory, with the Go installation at
// goroot (empty: the one that `go env` names). A program that was compiled before, from the same contents, is taken
// from .cache.
func Program(ctx context.Context, goroot string) (Binary, error) {
	b, parts, err := begin(ctx, goroot)
	if err != nil {
		return Binary{}, err
	}
	defer os.RemoveAll(b.temp)
	return b.made(ctx, parts, b.program)
}

// made is a program, without stand-ins where those don't compile with a release that isn't known.
func (b *builder) made(ctx context.Context, parts []part, program func(context.Context, []part) (Binary, error)) (
	Binary, error,
) {
	made, err := program(ctx, parts)
	var failed *compileError
	if b.standIns && !b.release.known() && errors.As(err, &failed) {
		if parts, err = b.withoutStandIns(ctx, "those here don't compile with it"); err == nil {
			made, err = program(ctx, parts)
		}
	}
	return made, err
}

// program takes a program from the cache, or makes it.
func (b *builder) program(ctx context.Context, parts []part) (made Binary, err error) {
	sum, err := b.hash(parts)
	if err != nil {
		return Binary{}, err
	}
	b.cached = filepath.Join(b.module, ".cache", "wasm-"+sum)
	made, ok := b.read()
	defer func() { made.Tried = b.release.isTried(b.version) }()
	if !ok {
		program, err := b.link(ctx, parts, b.partSentences)
		if err != nil {
			return Binary{}, err
		}
		if made, err = b.keep(program, parts); err != nil {
			return made, err
		}
	}
	if line := b.leftOut(made.First); line != "" {
		fmt.Fprintln(os.Stderr, line)
	}
	return made, nil
}

// begin finds what a program is made of.
func begin(ctx context.Context, goroot string) (*builder, []part, error) {
	b, err := prepare(ctx, goroot)
	if err != nil {
		return nil, nil, err
	}
	if !b.standIns {
		parts, err := b.list(ctx)
		return b, parts, err
	}
	parts, err := b.list(ctx)
	if err == nil {
		err = b.stray(parts)
	}
	if err != nil && !b.release.known() {
		parts, err = b.withoutStandIns(ctx, "those here don't fit it")
	}
	return b, parts, err
}

// splits says whether the program comes in modules.
func (b *builder) splits() bool { return b.release.known() }

// Ends of the names of files in the cache, by module.
func cacheEnd(module int) string { return fmt.Sprintf(".%d.wasm", module) }

// namesEnd is the end of the name of the file in the cache that names functions, one a line.
const namesEnd = ".names.txt"

// read takes a program from the cache.
func (b *builder) read() (made Binary, ok bool) {
	var err error
	if made.First, err = os.ReadFile(b.cached + cacheEnd(inFirst)); err != nil {
		return made, false
	}
	names, err := os.ReadFile(b.cached + namesEnd)
	if err != nil {
		return made, false
	}
	made.names = strings.Split(string(names), "\n")
	for k := inChapters; k < modules && b.splits(); k++ {
		module, err := os.ReadFile(b.cached + cacheEnd(k))
		if err != nil {
			return made, false
		}
		made.Later = append(made.Later, module)
	}
	return made, true
}

// keep packs a program and puts it into the cache.
func (b *builder) keep(program []byte, parts []part) (Binary, error) {
	made, err := b.packed(program, parts)
	if err != nil {
		return made, err
	}
	if m, ok := readModule(program); ok {
		made.names = m.names
	}
	if err := b.write(namesEnd, []byte(strings.Join(made.names, "\n"))); err != nil {
		return made, err
	}
	for i, module := range made.Later {
		if err := b.write(cacheEnd(inChapters+i), module); err != nil {
			return made, err
		}
	}
	defer prune(filepath.Dir(b.cached))
	return made, b.write(cacheEnd(inFirst), made.First)
}

// packed is a program as readers fetch it, in modules if it can be split.
func (b *builder) packed(program []byte, parts []part) (made Binary, err error) {
	if !b.splits() {
		made.First, err = pack(program, b.release)
		made.First = nameless(made.First)
		return made, err
	}
	texts, err := b.texts(parts)
	if err != nil {
		return made, err
	}
	made, ok := split(program, placed(), b.release, texts, b.release.isTried(b.version))
	if !ok {
		return made, errCalls
	}
	return made, nil
}

// texts are the embedded files of ours, as they are compiled.
func (b *builder) texts(parts []part) (all []string, err error) {
	add := func(path string) {
		if place := b.replace[path]; place != "" {
			path = place
		}
		text, failed := os.ReadFile(path)
		if err == nil {
			err = failed
		}
		all = append(all, string(text))
	}
	for _, p := range parts {
		if p.Standard {
			continue
		}
		for _, name := range p.EmbedFiles {
			add(filepath.Join(p.Dir, name))
		}
		if strings.HasSuffix(p.ImportPath, language) {
			add(filepath.Join(p.Dir, chaptersText))
			add(filepath.Join(p.Dir, plannersText))
			add(filepath.Join(p.Dir, readersText))
		}
	}
	return all, err
}

// write puts a file into the cache: beside its place, and then there, so that a half-written program is never taken.
func (b *builder) write(end string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(b.cached), 0o777); err != nil {
		return err
	}
	part := fmt.Sprintf("%s%s.%d", b.cached, end, os.Getpid())
	if err := os.WriteFile(part, data, 0o666); err != nil {
		return err
	}
	return os.Rename(part, b.cached+end)
}

// Support is the path of the script of the Go installation at goroot that a browser needs to run the program.
func Support(ctx context.Context, goroot string) (string, error) {
	goroot, err := rootOf(ctx, goroot)
	if err != nil {
		return "", err
	}
	path := filepath.Join(goroot, "lib", "wasm", "wasm_exec.js")
	if !exists(path) {
		return "", fmt.Errorf("%s is missing; install Go 1.24 or later", path)
	}
	return path, nil
}

// builder knows the places that a build needs.
type builder struct {
	goroot, module string            // absolute
	temp           string            // a folder of our own
	version        string            // of the Go installation: "go1.26.8 …"
	release        release           // and what is known of it
	standIns       bool              // whether wasm/standin stands in for packages
	why            string            // why not
	overlay        string            // the file for -overlay
	standing       map[string]string // which file of ours stands in for which
	replace        map[string]string // and with changes of the source, what the file for -overlay says
	replaced       map[string]bool   // the packages that lost all their files
	ours           []string          // the stand-ins
	cached         string            // where its files are in the cache, without their ends
}

func prepare(ctx context.Context, goroot string) (*builder, error) {
	goroot, err := rootOf(ctx, goroot)
	if err != nil {
		return nil, err
	}
	version, err := os.ReadFile(filepath.Join(goroot, "VERSION"))
	if err != nil {
		return nil, err
	}
	b := &builder{goroot: goroot, version: string(version), release: releaseOf(string(version))}
	env, err := b.run(ctx, "", "env", "GOMOD", "GOMODCACHE")
	if err != nil {
		return nil, err
	}
	gomod, modcache, _ := strings.Cut(strings.TrimSpace(string(env)), "\n")
	b.module = filepath.Dir(gomod)
	if !exists(filepath.Join(b.module, "wasm", "main.go")) {
		return nil, errors.New("the working directory is not in the module that holds ./wasm; change to its folder")
	}
	if b.temp, err = os.MkdirTemp("", "wasm-build-"); err != nil {
		return nil, err
	}
	b.leaveModuleCache(modcache)
	return b, b.writeOverlay()
}

func rootOf(ctx context.Context, goroot string) (string, error) {
	if goroot != "" {
		return filepath.Abs(goroot)
	}
	out, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("go env GOROOT: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}

// link is the program as Go links it, with the names of its functions, after changes of its source.
func (b *builder) link(ctx context.Context, parts []part, change func([]part) error) ([]byte, error) {
	b.replace = maps.Clone(b.standing)
	if err := b.slicedLoops(parts); err != nil {
		return nil, err
	}
	if err := change(parts); err != nil {
		return nil, err
	}
	made := filepath.Join(b.temp, "made.wasm")
	args := append([]string{"build", "-overlay", b.overlay, "-o", made}, flags...)
	if _, err := b.run(ctx, b.module, append(args, "./wasm")...); err != nil {
		return nil, &compileError{err}
	}
	return os.ReadFile(made)
}

// compileError is what the go command says of a program that it can't make.
type compileError struct{ error }

func (e *compileError) Unwrap() error { return e.error }

// zipped is how many bytes a program has, gzip -9.
func zipped(program []byte) int {
	var out bytes.Buffer
	w, _ := gzip.NewWriterLevel(&out, gzip.BestCompression) // the level is valid
	w.Write(program)                                        // into memory
	w.Close()
	return out.Len()
}

// run runs the go command for the browser and returns what it printed.
func (b *builder) run(ctx context.Context, dir string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, filepath.Join(b.goroot, "bin", "go"), args...)
	cmd.Dir = dir
	cmd.Env = append(
		os.Environ(),
		"GOOS=js",
		"GOARCH=wasm",
		"GOWASM=",
		"GOFLAGS=-buildvcs=false", // an empty one would leave what go env -w has set
		"GOEXPERIMENT=",
		"GOFIPS140=off",
		"CGO_ENABLED=0",
		"GOWORK=off",
		"GOROOT="+b.goroot,
		"GOTOOLCHAIN=local",
	)
	var out, complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaint
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("go %s for the browser: %w\n%s", args[0], err, complaint.String())
	}
	return out.Bytes(), nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// kept is how many files stay in the cache, four of them for a state of the book: enough for a few branches, and for
// builds at the same time.
const kept = 16

// prune removes all but the youngest programs from the folder of the cache. What can't be removed stays: it only
// takes space.
func prune(folder string) {
	names, err := filepath.Glob(filepath.Join(folder, "wasm-*"))
	if err != nil || len(names) <= kept {
		return
	}
	age := map[string]time.Time{}
	for _, name := range names {
		if info, err := os.Stat(name); err == nil {
			age[name] = info.ModTime()
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Or(-age[a].Compare(age[b]), cmp.Compare(a, b)) })
	for _, name := range names[kept:] {
		os.Remove(name)
	}
}
