package site

import (
	"os"
	"path/filepath"
	"testing"
)

func read(t *testing.T, parts ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(parts...))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestWriteReplacesOnlyItsOwn(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "deep", "dist")
	first := Files{"index.html": []byte("one"), "a/b/c.txt": []byte("c")}
	if err := first.Write(out); err != nil {
		t.Fatal(err)
	}
	if got := read(t, out, "a", "b", "c.txt"); got != "c" {
		t.Errorf("a/b/c.txt is %q", got)
	}
	if err := (Files{"index.html": []byte("two")}).Write(out); err != nil {
		t.Fatal(err)
	}
	if got := read(t, out, "index.html"); got != "two" {
		t.Errorf("index.html is %q after the second build", got)
	}
	if _, err := os.Stat(filepath.Join(out, "a")); !os.IsNotExist(err) {
		t.Error("what the second site doesn't have is still there")
	}
	entries, err := os.ReadDir(filepath.Dir(out))
	if err != nil || len(entries) != 1 {
		t.Errorf("left beside the site: %v, %v", entries, err)
	}
}

func TestWriteLeavesForeignFoldersAlone(t *testing.T) {
	dir := t.TempDir()
	mine := filepath.Join(dir, "letters.txt")
	if err := os.WriteFile(mine, []byte("dear"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := (Files{"index.html": nil}).Write(dir); err == nil {
		t.Error("a folder with somebody's files was replaced")
	}
	if err := (Files{"index.html": nil}).Write(mine); err == nil {
		t.Error("a file was replaced")
	}
	if got := read(t, mine); got != "dear" {
		t.Errorf("the file is now %q", got)
	}
	empty := t.TempDir()
	if err := (Files{"index.html": nil}).Write(empty); err != nil {
		t.Errorf("an empty folder is free to take: %v", err)
	}
}

func TestWriteKeepsTheOldSiteWhenItFails(t *testing.T) {
	out := filepath.Join(t.TempDir(), "dist")
	if err := (Files{"index.html": []byte("good")}).Write(out); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"../escape", "/absolute", "a/../b", ""} {
		if err := (Files{name: []byte("x"), "z.html": nil}).Write(out); err == nil {
			t.Errorf("%q was taken as a name", name)
		}
	}
	if got := read(t, out, "index.html"); got != "good" {
		t.Errorf("the old site was lost: %q", got)
	}
	if entries, _ := os.ReadDir(filepath.Dir(out)); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
}
