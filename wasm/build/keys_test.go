package build

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestShortKeys(t *testing.T) {
	short := map[string]string{}
	lines := shortLines([]byte("b.one-more\tOne more.\nb.parts.one\ta part\nb.parts.other\t{n} parts\n"), 0, short)
	if len(short) != 2 || short["b.parts"] == short["b.one-more"] || len(short["b.parts"]) != 3 {
		t.Fatalf("short keys: %v", short)
	}
	more := short["b.one-more"] + "\tOne more.\n"
	parts := short["b.parts"] + ".one\ta part\n" + short["b.parts"] + ".other\t{n} parts\n"
	if got := string(lines); got != more+parts && got != parts+more {
		t.Errorf("lines:\n%s", got)
	}
	before := "package p // \"b.parts\" is a key\nvar a = []string{`b.parts`, \"b.one-more\", \"b.parts.one\", \"b\"}\n"
	want := "package p // \"b.parts\" is a key\nvar a = []string{\"" + short["b.parts"] + "\", \"" + short["b.one-more"] +
		"\", \"b.parts.one\", \"b\"}\n"
	if got := string(shortLiterals([]byte(before), short)); got != want {
		t.Errorf("code:\n%s", got)
	}
}

// In the copies that are compiled no whole key is left, and each short one has its sentence.
func TestNoKeyStaysLong(t *testing.T) {
	b, err := prepare(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	b.tags = "-tags="
	parts, err := b.list(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := b.shortenKeys(parts); err != nil {
		t.Fatal(err)
	}
	said, code := copies(t, b)
	if len(said) < 1000 {
		t.Fatalf("only %d lines of sentences", len(said))
	}
	for _, line := range said {
		key, _, _ := strings.Cut(line, "\t")
		base, _, _ := strings.Cut(key, ".")
		if len(base) != 3 {
			t.Errorf("a long key: %s", line)
		}
		if !strings.Contains(code, `"`+base+`"`) {
			t.Errorf("no code of the program says %s", line)
		}
	}
}

// copies are the lines of the language's files, and the code, that stand in for ours.
func copies(t *testing.T, b *builder) (lines []string, code string) {
	t.Helper()
	t.Cleanup(func() { os.RemoveAll(b.temp) })
	for path, place := range b.replace {
		if filepath.Dir(place) != b.temp {
			continue
		}
		text, err := os.ReadFile(place)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(path, ".txt") {
			lines = append(lines, strings.Split(strings.TrimSpace(string(text)), "\n")...)
		} else {
			code += string(text)
		}
	}
	return lines, code
}
