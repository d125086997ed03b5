package build

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestShortKeys(t *testing.T) {
	short := shortKeys([]string{"b.one-more\tOne more.\n", "b.parts.one\ta part\n", "b.parts.other\t{n} parts\n"})
	if len(short) != 2 || short["b.parts"] == short["b.one-more"] || len(short["b.parts"]) != 3 {
		t.Fatalf("short keys: %v", short)
	}
	before := "package p // \"b.parts\" is a key\nvar a = []string{`b.parts`, \"b.one-more\", \"b.parts.one\", \"b\"}\n"
	want := "package p // \"b.parts\" is a key\nvar a = []string{\"" + short["b.parts"] + "\", \"" +
		short["b.one-more"] +
		"\", \"b.parts.one\", \"b\"}\n"
	if got := string(shortLiterals([]byte(before), short)); got != want {
		t.Errorf("code:\n%s", got)
	}
}

// In the copies that are compiled no whole key is left, each short one has its sentence, and each sentence is there
// once.
func TestNoKeyStaysLong(t *testing.T) {
	b, parts, err := begin(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(b.temp) })
	if !b.release.known() {
		t.Skip(b.leftOut(nil))
	}
	if err := b.partSentences(parts); err != nil {
		t.Fatal(err)
	}
	_, _, lines, err := sentences(parts)
	if err != nil {
		t.Fatal(err)
	}
	said, code := copies(t, b)
	for k, texts := range said {
		if len(texts) == 0 || !slices.IsSorted(texts) {
			t.Errorf("%d lines of sentences of module %d, sorted: %t", len(texts), k, slices.IsSorted(texts))
		}
	}
	all := slices.Concat(said[:]...)
	slices.Sort(all)
	if len(slices.Compact(slices.Clone(all))) != len(lines) || len(all) != len(lines) {
		t.Errorf("%d lines became %d", len(lines), len(all))
	}
	for _, line := range all {
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

// copies are the lines of the files of sentences, by module, and the code, that stand in for ours.
func copies(t *testing.T, b *builder) (lines [modules][]string, code string) {
	t.Helper()
	for path, place := range b.replace {
		if filepath.Dir(place) != b.temp {
			continue
		}
		text, err := os.ReadFile(place)
		if err != nil {
			t.Fatal(err)
		}
		all := strings.Split(strings.TrimSpace(string(text)), "\n")
		switch filepath.Base(path) {
		case "en.txt":
			lines[inFirst] = all
		case chaptersText:
			lines[inChapters] = all
		case plannersText:
			lines[inPlanners] = all
		case readersText:
			lines[inReaders] = all
		default:
			code += string(text)
		}
	}
	return lines, code
}

// A function has the name that the linker gives it in the list.
func TestLinkedNames(t *testing.T) {
	b, parts, err := begin(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(b.temp) })
	by, err := saidBy(parts)
	if err != nil {
		t.Fatal(err)
	}
	first, known := names(firstFunctions), 0
	for _, functions := range by {
		for _, name := range functions {
			if first[name] {
				known++
			}
		}
	}
	if known < 20 {
		t.Errorf("of the functions that name sentences %d are in the list of the first module", known)
	}
}

// Words of a language keep their keys, which the program looks up as they are.
func TestWordsKeepTheirKeys(t *testing.T) {
	got := Translated("=a kind\tвид\n=a kind, of two\tвид из двух\nno.such-key\tничего\nsite.lang\tru\n")
	if want := "=a kind\tвид\n=a kind, of two\tвид из двух\n"; got != want {
		t.Errorf("%q, not %q", got, want)
	}
}
