package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"
)

// recorded is a trace of one rank: a kernel of so many microseconds on its device.
func recorded(rank, took string) string {
	return `{"distributedInfo":{"rank":` + rank + `},"traceEvents":[{"ph":"X","cat":"kernel","name":"gemm","pid":0,` +
		`"tid":7,"ts":100,"dur":` + took + `,"args":{"device":0}}]}`
}

func zipOf(t *testing.T, files ...string) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		f, err := w.Create(files[i])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte(files[i+1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func tarOf(t *testing.T, files ...string) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		head := &tar.Header{Name: files[i], Mode: 0o600, Size: int64(len(files[i+1])), Typeflag: tar.TypeReg}
		if err := w.WriteHeader(head); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(files[i+1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func gzipOf(t *testing.T, data []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(data); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Of an archive all traces are read, or the largest file that is known; what a system adds is none of them.
func TestReadArchives(t *testing.T) {
	packed := string(gzipOf(t, []byte(recorded("2", "30"))))
	utf16le := []byte{0xff, 0xfe}
	for _, unit := range utf16.Encode([]rune(recorded("0", "10"))) {
		utf16le = append(utf16le, byte(unit), byte(unit>>8))
	}
	for name, c := range map[string]struct {
		data         []byte
		print, tells string
	}{
		"ranks": {zipOf(t, "run/", "", "run/0.json", recorded("0", "10"), "__MACOSX/run/._0.json", "x", "run/notes.txt",
			"hello", "run/1.json", recorded("1", "20")), "GPU 0, rank 1",
			"read run/0.json, run/1.json; files in this archive: 3"},
		"packed ranks": {gzipOf(t, tarOf(t, "a.json", recorded("0", "10"), "b.json.gz", packed)), "GPU 0, rank 2",
			"read a.json, b.json.gz; files in this archive: 2"},
		"a tar":    {tarOf(t, "a.json", recorded("0", "10")), "GPU 0", "read a.json; files in this archive: 1"},
		"a dump":   {zipOf(t, "m.txt", program, "m.buffer-assignment.txt", "BufferAssignment:\n"), "HBM", "read m.txt"},
		"UTF-16":   {utf16le, "GPU 0", ""},
		"nothing":  {zipOf(t, "a.txt", "hello", "b.txt", "you"), "", "of which the book reads none: a.txt, b.txt"},
		"an empty": {zipOf(t), "", "binary"},
		"cut":      {zipOf(t, "a.json", recorded("0", "10"))[:60], "", "a zip archive, but not whole; copy it again"},
		"cut tar":  {tarOf(t, "a.json", recorded("0", "10"))[:560], "", "a.json is not whole"},
		"database": {[]byte("SQLite format 3\x00 rocpd_kernel"), "", "database of rocprofv3"},
		"perfetto": {[]byte(strings.Repeat("\n\x04\b\x01P\x01", 6)), "", "trace of Perfetto"},
		"pickle":   {[]byte("\x80\x04\x00segments total_size allocated_size"), "", "a snapshot of PyTorch’s memory"},
	} {
		file := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(file, c.data, 0o600); err != nil {
			t.Fatal(err)
		}
		out, says, status := command("", "read", file)
		if (status == ok) != (c.print != "") || !strings.Contains(out, c.print) || !strings.Contains(says, c.tells) {
			t.Errorf("%s: %d, %s, want %s\n%s", name, status, says, c.tells, out)
		}
	}
}
