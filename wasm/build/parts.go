package build

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/widget/goapp"
)

// packing is how a program is changed before and after it is compiled.
//
//go:embed *.go first.txt planners.txt readers.txt sentences.txt
var packing embed.FS

// part is a package that the program is made of, as `go list -json` tells it.
type part struct {
	ImportPath string
	Dir        string
	Standard   bool
	Imports    []string
	GoFiles    []string
	EmbedFiles []string
}

// list names every package of the program.
func (b *builder) list(ctx context.Context) ([]part, error) {
	out, err := b.run(ctx, b.module, "list", "-overlay", b.overlay, "-deps",
		"-json=ImportPath,Dir,Standard,Imports,GoFiles,EmbedFiles", "./wasm")
	if err != nil {
		return nil, err
	}
	var parts []part
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p part
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return parts, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		parts = append(parts, p)
	}
}

// unstable finds what would come out in another order than where Go is whole: see the stand-in for slices.
func unstable(p part) error {
	for _, name := range p.GoFiles {
		data, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err != nil {
			return err
		}
		for i, line := range strings.Split(string(data), "\n") {
			if strings.Contains(line, "slices.SortFunc(") {
				return fmt.Errorf(
					"%s:%d: slices.SortFunc may leave equals in any order, in the browser in another one; use slices.SortStableFunc",
					filepath.Join(p.Dir, name),
					i+1,
				)
			}
		}
	}
	return nil
}

// stray finds a package that would call a stand-in and get nothing.
func (b *builder) stray(parts []part) error {
	imports := map[string][]string{}
	for _, p := range parts {
		imports[p.ImportPath] = p.Imports
	}
	if wrong := goapp.Stray(imports, b.replaced); len(wrong) > 0 {
		return fmt.Errorf("%s; the browser's program has a stand-in for it that does nothing (%s): do without, or take "+
			"the stand-in away", strings.Join(wrong, ", "), goapp.StandIns)
	}
	return nil
}

// hash is the same for two programs only if they come out the same.
func (b *builder) hash(parts []part) (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%q %v %q\n", b.version, b.standIns, flags)
	if err := hashAll(h, packing); err != nil {
		return "", err
	}
	for _, p := range parts {
		fmt.Fprintf(h, "package %s\n", p.ImportPath)
		if p.Standard {
			continue // the version stands for it, or our own files
		}
		for _, name := range slices.Concat(p.GoFiles, p.EmbedFiles) {
			if err := hashFile(h, p.Dir, name); err != nil {
				return "", err
			}
		}
		if err := unstable(p); err != nil {
			return "", err
		}
	}
	for _, path := range b.ours {
		if err := hashFile(h, filepath.Dir(path), filepath.Base(path)); err != nil {
			return "", err
		}
	}
	mod, err := os.ReadFile(filepath.Join(b.module, "go.mod"))
	if err != nil {
		return "", err
	}
	h.Write(mod)
	return hex.EncodeToString(h.Sum(nil))[:24], nil
}

func hashAll(h io.Writer, files embed.FS) error {
	entries, err := files.ReadDir(".")
	if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		data, err := files.ReadFile(e.Name())
		if err != nil {
			return err
		}
		fmt.Fprintf(h, "%s\n%s", e.Name(), data)
	}
	return nil
}

func hashFile(h io.Writer, dir, name string) error {
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		return err
	}
	fmt.Fprintf(h, "file %s %d\n", name, len(data))
	_, err = h.Write(data)
	return err
}
