package trace

import (
	"os"
	"strings"
	"testing"
)

// Each name of the list is told as whoever knows its library tells it.
func TestKernelNames(t *testing.T) {
	text, err := os.ReadFile("testdata/kernels.tsv")
	if err != nil {
		t.Fatal(err)
	}
	r, n := newReader(), 0
	libraries := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(c) != 5 || c[4] < "2020" || c[4] > "2026" {
			t.Fatalf("%q", line)
		}
		n++
		libraries[c[3]] = true
		got := r.classify(c[0], "kernel", "")
		if got.class.String() != c[1] || got.does != c[2] || c[3] != "" && got.library != c[3] {
			t.Errorf("%.90s: %s, %s of %s; want %s, %s of %s", c[0], got.class, got.does, got.library, c[1], c[2], c[3])
		}
	}
	if n < 1000 || len(libraries) < 35 {
		t.Errorf("%d names of %d libraries", n, len(libraries))
	}
}
