package site

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

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

// Writable says why a site can't be written into the folder out, as far as that can be told before there is one.
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
