// Package build compiles the browser's program: small, and byte for byte the same from any folder.
//
// It works in these steps:
//
//  1. The stand-ins of wasm/overlay take the places of the standard library's packages (overlay.go).
//
//  2. `go list` names everything the program is made of; whoever else imports a replaced package is an error, because
//     the stand-ins do nothing (parts.go).
//
//  3. The contents of all that are hashed, with the flags and the version of Go; a program with that hash is not
//     compiled again (parts.go).
//
//  4. The keys of sentences are made short (keys.go): about 13,000 bytes.
//
//  5. `go build` makes the program, and passes over the binary make it smaller. In bytes of gzip -9, of a program
//     without planners of 2,654,000 as Go 1.26 links it (7,985,000 bytes stay of 11,035,000 unpacked):
//
//     data in fewer segments (segments.go)                                -176,000
//     peephole optimization of the code (peephole.go)                     -135,000
//     jumps forward without a table (jumps.go)                             -98,000
//     names, files, lines and inlining out of the pclntab
//     (strip.go, and what it reads and writes: pclntab.go, funcdata.go,
//     entries.go)                                                         -313,000
//     its ftab and findfunctab computed at start (findfunctab.go)          -74,000
//
//  6. The program without planners is split in two modules (split.go), 798,000 and 1,080,000 bytes of gzip -9: what no
//     chapter needs for its first calculator is fetched later.
//
//     The first three passes know the WebAssembly format, and leave alone what they don't recognize. The others know
//     the pclntab and the calls of one release of Go; with another one they are left out, Program says in one line what
//     that costs, and a test fails.
package build

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// flags make the program small (no debugging information; names of functions go after the program is split; nothing
// inlined but what is called all the time) and reproducible (no paths, no version control, no build id). Inlining in
// the rooms that price plans takes 12 KB of gzip -9; in the rooms below them, which know chips, models, networks and
// shards, it would take 45 KB more, in app/sheet and app/library 85 KB, and nobody waits for those. In the packages of
// Go that are named here it takes nothing: what is inlined is shorter than a call, and not compiled by itself.
var flags = append(
	inlined(
		"runtime",
		"internal/...",
		"math",
		"bytes", "errors", "io", "sort", "sync", "syscall", "syscall/js", "time", "unicode/utf8",
		estimation+"quantity",
		estimation+"roofline",
		estimation+"training/...",
		estimation+"serving/...",
	),
	"-trimpath",
	"-buildvcs=false",
	"-ldflags=-w -buildid=",
)

// estimation begins the import paths of the rooms that estimate.
const estimation = "github.com/scalebook/scalebook/app/"

// inlined are the flags that let the compiler inline in these packages alone: the last pattern that matches counts.
func inlined(packages ...string) []string {
	out := []string{"-gcflags=all=-l"}
	for _, p := range packages {
		out = append(out, "-gcflags="+p+"=")
	}
	return out
}

// Lean is the build tag of the program without planners, which most pages load.
const Lean = "lean"

// Binary is the browser's program, as WebAssembly.
type Binary struct {
	Primary   []byte // what runs first, or the whole program
	Secondary []byte // what Primary fetches when it needs it, or nil
}

// Program compiles the package ./wasm of the module that holds the working directory, with the Go installation at
// goroot (empty: the one that `go env` names). With the tag Lean it has no planners, and comes in two modules. A
// program that was compiled before, from the same contents, is taken from .cache.
func Program(ctx context.Context, goroot string, tags ...string) (Binary, error) {
	b, parts, err := begin(ctx, goroot, tags)
	if err != nil {
		return Binary{}, err
	}
	defer os.RemoveAll(b.temp)
	sum, err := b.hash(parts)
	if err != nil {
		return Binary{}, err
	}
	b.cached = filepath.Join(b.module, ".cache", "wasm-"+sum)
	if made, ok := b.read(); ok {
		return made, nil
	}
	program, err := b.link(ctx, parts)
	if err != nil {
		return Binary{}, err
	}
	return b.keep(program)
}

// begin finds what a program is made of.
func begin(ctx context.Context, goroot string, tags []string) (*builder, []part, error) {
	b, err := prepare(ctx, goroot)
	if err != nil {
		return nil, nil, err
	}
	b.tags = "-tags=" + strings.Join(tags, ",")
	b.splits = b.known() && slices.Contains(tags, Lean)
	parts, err := b.list(ctx)
	if err == nil {
		err = b.stray(parts)
	}
	return b, parts, err
}

// read takes a program from the cache.
func (b *builder) read() (made Binary, ok bool) {
	var err, other error
	made.Primary, err = os.ReadFile(b.cached + primaryEnd)
	if b.splits {
		made.Secondary, other = os.ReadFile(b.cached + secondaryEnd)
	}
	return made, err == nil && other == nil
}

// Ends of the names of files in the cache.
const primaryEnd, secondaryEnd = ".wasm", ".secondary.wasm"

// keep packs a program, splits it and puts it into the cache.
func (b *builder) keep(program []byte) (made Binary, err error) {
	if b.splits {
		var ok bool
		if made, ok = split(program, secondaryFunctions); !ok {
			return made, errCalls
		}
		if err := b.write(secondaryEnd, made.Secondary); err != nil {
			return made, err
		}
	} else {
		if made.Primary, err = pack(program, b.known()); err != nil {
			return made, err
		}
		made.Primary = nameless(made.Primary)
		if line := b.leftOut(made.Primary); line != "" {
			fmt.Fprintln(os.Stderr, line)
		}
	}
	defer prune(filepath.Dir(b.cached))
	return made, b.write(primaryEnd, made.Primary)
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
	overlay        string            // the file for -overlay
	replace        map[string]string // what it says: which file stands in for which
	tags           string            // -tags=…
	replaced       map[string]bool   // the packages that lost all their files
	ours           []string          // the files of wasm/overlay
	splits         bool              // into two modules
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
	b := &builder{goroot: goroot, version: string(version), tags: "-tags="}
	gomod, err := b.run(ctx, "", "env", "GOMOD")
	if err != nil {
		return nil, err
	}
	b.module = filepath.Dir(strings.TrimSpace(string(gomod)))
	if !exists(filepath.Join(b.module, "wasm", "main.go")) {
		return nil, errors.New("the working directory is not in the module that holds ./wasm; change to its folder")
	}
	if b.temp, err = os.MkdirTemp("", "wasm-build-"); err != nil {
		return nil, err
	}
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

// link is the program as Go links it, with the names of its functions.
func (b *builder) link(ctx context.Context, parts []part) ([]byte, error) {
	if err := b.shortenKeys(parts); err != nil {
		return nil, err
	}
	made := filepath.Join(b.temp, "made.wasm")
	args := append([]string{"build", b.tags, "-overlay", b.overlay, "-o", made}, flags...)
	if _, err := b.run(ctx, b.module, append(args, "./wasm")...); err != nil {
		return nil, err
	}
	return os.ReadFile(made)
}

// strippedShare is the part of a program's download that the passes over the pclntab saved when they were last
// measured.
const strippedShare = 0.16

// known says whether the pclntab of this release of Go is known.
func (b *builder) known() bool {
	return strings.HasPrefix(b.version, knownRelease+".") || strings.HasPrefix(b.version, knownRelease+"\n")
}

// leftOut is one line about the passes that this release of Go is too new or too old for; empty if there are none.
func (b *builder) leftOut(program []byte) string {
	if b.known() {
		return ""
	}
	release, _, _ := strings.Cut(b.version, "\n")
	more := int(strippedShare / (1 - strippedShare) * float64(zipped(program)))
	return fmt.Sprintf(
		"wasm/build: %s has a pclntab that isn't known here (only that of %s is), so it stays whole, about %d KB more to "+
			"download, all before the first calculator; "+
			"compare runtime/symtab.go with wasm/build/pclntab.go, runtime/asm_wasm.s with wasm/build/split.go",
		release,
		knownRelease,
		more/1000,
	)
}

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
		"GOFLAGS=",
		"CGO_ENABLED=0",
		"GOWORK=off",
		"GOROOT="+b.goroot,
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
