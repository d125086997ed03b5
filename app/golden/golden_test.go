package golden

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// recorder is a test that only notes whether it failed, and why.
type recorder struct {
	testing.TB
	said []string
}

func (*recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	for _, a := range args {
		r.said = append(r.said, a.(string))
	}
}

// Of long lines only what stands around the difference is printed.
func TestNear(t *testing.T) {
	a, b := strings.Repeat("é", 500)+"1"+strings.Repeat("x", 500), strings.Repeat("é", 500)+"2"+strings.Repeat("x", 500)
	said := difference(a, b)
	if !strings.Contains(said, "é1x") || !strings.Contains(said, "é2x") || len(said) > 600 || !utf8.ValidString(said) {
		t.Errorf("%q", said)
	}
}

// A file that is as it was passes; another text fails, and its first differing line is named.
func TestCheck(t *testing.T) {
	file := filepath.Join(t.TempDir(), "kept.txt")
	if err := os.WriteFile(file, []byte("one\ntwo\nthree\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for got, want := range map[string]string{
		"one\ntwo\nthree\n":       "",
		"one\n2\nthree\n":         "line 2\n got: 2\nwant: two",
		"one\ntwo\nthree\nfour\n": "line 4\n got: four\nwant: ",
		"one\ntwo":                "got 2 lines, want 4",
	} {
		r := &recorder{TB: t}
		Check(r, file, got)
		if said := strings.Join(r.said, " "); !strings.HasSuffix(said, want) || (said == "") != (want == "") {
			t.Errorf("%q: %q, want %q", got, said, want)
		}
	}
}
