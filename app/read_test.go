package main

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A packed file is read as what it holds; of one that is cut off anywhere that is said, with a remedy.
func TestReadPackedFiles(t *testing.T) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write([]byte(program)); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "program.gz")
	for n := 2; n <= packed.Len(); n++ {
		if err := os.WriteFile(file, packed.Bytes()[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		_, err, status := command("", "read", file)
		whole := n == packed.Len()
		if whole != (status == ok) || whole == strings.Contains(err, "packed by gzip, but not whole; copy it again") {
			t.Errorf("%d of %d bytes: %d, %s", n, packed.Len(), status, err)
		}
	}
}
