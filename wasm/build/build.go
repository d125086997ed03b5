// Package build compiles the browser's program: small, and byte for byte the same from any folder.
//
// It works in these steps:
//
//  1. The stand-ins of wasm/overlay take the places of the standard library's packages (overlay.go).
//  2. `go list` names everything the program is made of; whoever else imports a replaced package is an error, because
//     the stand-ins do nothing (parts.go).
//  3. The contents of all that are hashed, with the flags and the version of Go; a program with that hash is not compiled
//     again (parts.go).
//  4. `go build` makes the program, its data is packed (pack.go), what only traces need is left out (forget.go, idle.go, silent.go),
//     what follows from other parts is computed when the program starts (unfold.go), and its code is
//     said in plainer words (plainer.go).
package build

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// flags make the program small (no symbols; nothing inlined but what is called all the time, which costs no speed and
// saves a tenth of the size) and reproducible (no paths, no version control, no build id).
var flags = []string{"-trimpath", "-buildvcs=false", "-gcflags=all=-l", "-gcflags=runtime=", "-gcflags=internal/...=",
	"-gcflags=math=", "-ldflags=-s -w -buildid="}

// Program compiles the package ./wasm of the module that holds the working directory into the file out, with the Go
// installation at goroot (empty: the one that `go env` names). A program that was compiled before, from the same
// contents, is taken from .cache.
func Program(ctx context.Context, goroot, out string) error {
	b, err := prepare(ctx, goroot)
	if err != nil {
		return err
	}
	defer os.RemoveAll(b.temp)
	parts, err := b.list(ctx)
	if err != nil {
		return err
	}
	if err := b.stray(parts); err != nil {
		return err
	}
	sum, err := b.hash(parts)
	if err != nil {
		return err
	}
	cached := filepath.Join(b.module, ".cache", "wasm-"+sum+".wasm")
	if !exists(cached) {
		if err := b.compile(ctx, cached); err != nil {
			return err
		}
	}
	return copyFile(out, cached)
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
	goroot, module string          // absolute
	temp           string          // a folder of our own
	version        string          // of the Go installation: "go1.26.8 …"
	overlay        string          // the file for -overlay
	replaced       map[string]bool // the packages that lost all their files
	ours           []string        // the files of wasm/overlay
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
	b := &builder{goroot: goroot, version: string(version)}
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

// compile builds into a file beside cached and renames it, so that a half-written program is never taken.
func (b *builder) compile(ctx context.Context, cached string) error {
	if err := os.MkdirAll(filepath.Dir(cached), 0o777); err != nil {
		return err
	}
	made := filepath.Join(b.temp, "made.wasm")
	args := append([]string{"build", "-overlay", b.overlay, "-o", made}, flags...)
	if _, err := b.run(ctx, b.module, append(args, "./wasm")...); err != nil {
		return err
	}
	program, err := os.ReadFile(made)
	if err != nil {
		return err
	}
	if program, err = pack(program, b.change()); err != nil {
		return err
	}
	part := fmt.Sprintf("%s.%d", cached, os.Getpid())
	if err := os.WriteFile(part, program, 0o666); err != nil {
		return err
	}
	if err := os.Rename(part, cached); err != nil {
		return err
	}
	prune(filepath.Dir(cached))
	return nil
}

// change is what else is done to the program's memory: nothing, if the table of this release of Go isn't known.
func (b *builder) change() func([]byte) changed {
	if strings.HasPrefix(b.version, tableRelease) {
		return func(memory []byte) changed {
			left, start := fold(forget(memory))
			return changed{left, start, silent(memory)}
		}
	}
	return nil
}

// run runs the go command for the browser and returns what it printed.
func (b *builder) run(ctx context.Context, dir string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, filepath.Join(b.goroot, "bin", "go"), args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOWASM=", "GOFLAGS=", "CGO_ENABLED=0", "GOWORK=off", "GOROOT="+b.goroot)
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

func copyFile(to, from string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o666)
}
