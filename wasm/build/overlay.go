package build

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// instead begins the names of stand-ins for a single file: instead_format.go in wasm/overlay/time for format.go of
// time.
const instead = "instead_"

// writeOverlay makes the file for `go build -overlay`: each package that has a folder in wasm/overlay loses all its own
// files and gets ours, or only the files for which there is one instead.
func (b *builder) writeOverlay() error {
	root := filepath.Join(b.module, "wasm", "overlay")
	b.replace = map[string]string{}
	b.replaced = map[string]bool{}
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
		return b.stand(filepath.ToSlash(rel), path)
	})
	if err != nil {
		return err
	}
	b.overlay = filepath.Join(b.temp, "overlay.json")
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

// stand lets the file ours stand in for one file or all files of a package of the standard library.
func (b *builder) stand(pkg, ours string) error {
	dir := filepath.Join(b.goroot, "src", filepath.FromSlash(pkg))
	if name, ok := strings.CutPrefix(filepath.Base(ours), instead); ok {
		if !exists(filepath.Join(dir, name)) {
			return fmt.Errorf("%s stands in for nothing: there is no %s in %s", ours, name, dir)
		}
		b.replace[filepath.Join(dir, name)] = ours
		return nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("wasm/overlay/%s stands in for nothing: %w", pkg, err)
	}
	for _, e := range entries {
		if ext := filepath.Ext(e.Name()); !b.replaced[pkg] && (ext == ".go" || ext == ".s") {
			b.replace[filepath.Join(dir, e.Name())] = ""
		}
	}
	b.replaced[pkg] = true
	b.replace[filepath.Join(dir, filepath.Base(ours))] = ours
	return nil
}
