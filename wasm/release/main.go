// Command release says what package wasm/build must know of a release of Go: the line for its table, or which
// declaration of the runtime moved.
//
//	go run ./wasm/release [GOROOT]
package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/scalebook/scalebook/wasm/build"
)

func main() {
	if err := inspect(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func inspect(ctx context.Context, args []string) error {
	goroot := strings.Join(args, " ")
	if goroot == "" {
		out, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
		if err != nil {
			return fmt.Errorf("go env GOROOT: %w", err)
		}
		goroot = strings.TrimSpace(string(out))
	}
	version, err := os.ReadFile(filepath.Join(goroot, "VERSION"))
	if err != nil {
		return err
	}
	name, _, _ := strings.Cut(string(version), "\n")
	line, changes, err := build.Inspect(goroot, name)
	if err != nil {
		return err
	}
	if len(changes) > 0 {
		return fmt.Errorf("%s has changed in ways that wasm/build doesn't know:\n  %s", name,
			strings.Join(changes, "\n  "))
	}
	fmt.Printf("%s: the line in wasm/build/releases.go is\n\t%s\n", name, line)
	return nil
}
