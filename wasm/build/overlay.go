package build

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
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

// writeOverlay makes the file for `go build -overlay`: each package that has a folder in the folder of stand-ins loses all its own
// files and gets ours, or only the files for which there is one instead.
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
		return b.stand(filepath.ToSlash(rel), path)
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

// stand lets the file ours stand in for one file or all files of a package of the standard library.
func (b *builder) stand(pkg, ours string) error {
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
