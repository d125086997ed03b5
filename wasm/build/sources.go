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
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scalebook/scalebook/app/widget/goapp"
)

// instead begins the names of stand-ins for a single file: time/instead_format.go is there for time/format.go.
const instead = "instead_"

// leaveModuleCache gives a Go installation in the module cache, which is where Go puts those that it fetches itself, a
// name outside of it: the go command refuses stand-ins for files in there.
func (b *builder) leaveModuleCache(modcache string) {
	b.standIns = true
	if below, err := filepath.Rel(modcache, b.goroot); err != nil || strings.HasPrefix(below, "..") {
		return
	}
	link := filepath.Join(b.temp, "go")
	if err := os.Symlink(b.goroot, link); err != nil {
		b.standIns, b.why = false, "Go lies in the module cache, and a link to it can't be made: "+err.Error()
		return
	}
	b.goroot = link
}

// withoutStandIns begins anew without them, for the reason why.
func (b *builder) withoutStandIns(ctx context.Context, why string) ([]part, error) {
	b.standIns, b.why, b.replaced, b.ours = false, why, nil, nil
	if err := b.writeOverlay(); err != nil {
		return nil, err
	}
	return b.list(ctx)
}

// writeOverlay makes the file for `go build -overlay`: each package that has a folder in the folder of stand-ins loses
// all its own files and gets ours, or only the files for which there is one instead.
func (b *builder) writeOverlay() error {
	root := filepath.Join(b.module, filepath.FromSlash(goapp.StandIns))
	b.standing, b.replaced = map[string]string{}, map[string]bool{}
	b.replace = b.standing
	b.overlay = filepath.Join(b.temp, "overlay.json")
	if !b.standIns {
		return b.saveOverlay()
	}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
			filepath.Dir(path) == root {
			return err
		}
		rel, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		b.ours = append(b.ours, path)
		return b.standIn(filepath.ToSlash(rel), path)
	})
	if err != nil {
		return err
	}
	return b.saveOverlay()
}

// saveOverlay writes down which files stand in for which.
func (b *builder) saveOverlay() error {
	data, err := json.Marshal(map[string]any{"Replace": b.replace})
	if err != nil {
		return err
	}
	return os.WriteFile(b.overlay, data, 0o666)
}

// standIn lets the file ours stand in for one file or all files of a package of the standard library.
func (b *builder) standIn(pkg, ours string) error {
	dir := filepath.Join(b.goroot, "src", filepath.FromSlash(pkg))
	if name, ok := strings.CutPrefix(filepath.Base(ours), instead); ok {
		if !exists(filepath.Join(dir, name)) {
			return fmt.Errorf("%s stands in for nothing: there is no %s in %s", ours, name, dir)
		}
		b.standing[filepath.Join(dir, name)] = ours
		return nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("%s/%s stands in for nothing: %w", goapp.StandIns, pkg, err)
	}
	for _, e := range entries {
		if ext := filepath.Ext(e.Name()); !b.replaced[pkg] && (ext == ".go" || ext == ".s") {
			b.standing[filepath.Join(dir, e.Name())] = ""
		}
	}
	b.replaced[pkg] = true
	b.standing[filepath.Join(dir, filepath.Base(ours))] = ours
	return nil
}

// packing is how a program is changed before and after it is compiled.
//
//go:embed *.go first.txt never.txt planners.txt readers.txt sentences.txt
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
		return fmt.Errorf("%s; the browser's program has a stand-in for it that does nothing (%s): do without, "+
			"or take "+
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
