package quantity

import (
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// entries are those of a file: for the head of each line, what stands behind the colon, with bars between. A line goes
// on in those that begin with a tab.
func entries(t *testing.T, name string, each func(head, entry string)) (n int) {
	t.Helper()
	file, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(strings.ReplaceAll(string(file), "|\n\t", "| ")) {
		head, all, _ := strings.Cut(strings.TrimSpace(line), ": ")
		for entry := range strings.SplitSeq(all, " | ") {
			each(head, entry)
			n++
		}
	}
	return n
}

// What readers of many countries type is read: in the file stand the unit of the field, the number in base units, and
// spellings of it. One with a question mark is no number, and refused.
func TestWhatReadersType(t *testing.T) {
	n := entries(t, "typed.txt", func(head, text string) {
		unit, number, _ := strings.Cut(head, " = ")
		want, err := strconv.ParseFloat(number, 64)
		like, err2 := UnitOf(unit)
		if err != nil || err2 != nil {
			t.Fatal(head, err, err2)
		}
		got, err := ParseLike(text, like)
		switch {
		case strings.HasSuffix(text, "?"):
			if err == nil {
				t.Errorf("%q like %s is taken for %v", text, unit, got)
			}
		case err != nil || math.Abs(got.Value-want) > 1e-15*want || got.Dim != like.Dim:
			t.Errorf("%q like %s: %v (%g), %v; want %v", text, unit, got, got.Value, err, want)
		}
	})
	if n < 200 {
		t.Errorf("only %d texts", n)
	}
}

// What could be meant in two ways, or in none, is refused with a remedy.
func TestWhatReadersTypeAmiss(t *testing.T) {
	entries(t, "typed-faults.txt", func(unit, entry string) {
		text, want, _ := strings.Cut(entry, "= ")
		text = strings.TrimSpace(text)
		like, err := UnitOf(unit)
		if err != nil {
			t.Fatal(unit, err)
		}
		got, err := ParseLike(text, like)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q like %s: %v, %v; want %q", text, unit, got, err, want)
		}
		if e, ok := err.(*Error); ok && (e.Offset < 0 || e.Offset > len(text) || e.Remedy == nil) {
			t.Errorf("%q: at %d, %v", text, e.Offset, err)
		}
	})
}

// The place of a fault is that in the text as it was typed, on the first byte of a character.
func TestTypedFaultHasItsPlace(t *testing.T) {
	for text, want := range map[string]int{"≈ 22,5 zorkmid": len("≈ 22,5 "), "4,2 Mio. гб zz": len("4,2 Mio. гб "),
		"1,5 + 1.2.3": len("1,5 + "), "примерно 5 gb": len("примерно 5 ")} {
		_, err := Parse(text)
		e, ok := err.(*Error)
		if !ok || e.Offset != want || !utf8.RuneStart(text[e.Offset]) {
			t.Errorf("%q: %#v, want %d", text, err, want)
		}
	}
}
