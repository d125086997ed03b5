package spell

import (
	"slices"
	"testing"
	"unicode/utf8"
)

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"a", "", 2}, {"chip", "chip", 0}, {"Chip", "chip", 1}, {"chips", "chip", 1}, {"GB", "GB/s", 2},
		{"hbm_bandwith", "hbm_bandwidth", 2}, {"tow", "two", 2}, {"kitten", "sitting", 6}, {"a1", "a!", 2},
	} {
		if got := Distance(c.a, c.b); got != c.want {
			t.Errorf("%q to %q: %d, want %d", c.a, c.b, got, c.want)
		}
		if got := Distance(c.b, c.a); got != c.want {
			t.Errorf("%q to %q: %d, want %d", c.b, c.a, got, c.want)
		}
	}
}

func TestMeant(t *testing.T) {
	names := []string{"flops", "hbm_bandwidth", "hbm", "price", "scaleup_bandwidth"}
	for word, want := range map[string]string{
		"hbm_bandwith": "hbm_bandwidth", "HBM": "hbm", "pirce": "price", "scaleup": "scaleup_bandwidth", "volume": "",
		"x": "",
	} {
		if got := Meant(word, names); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
	if got := Nearest("b", []string{"c", "a", "B"}, 2, 2); !slices.Equal(got, []string{"B", "c"}) {
		t.Error(got)
	}
}

func TestClip(t *testing.T) {
	for _, c := range []struct{ in, want string }{{"abc", "abc"}, {"abcd", "ab…"}, {"äöüß", "äö…"}, {"äöü", "äöü"},
		{"", ""}} {
		if got := Clip(c.in, 3); got != c.want || utf8.RuneCountInString(got) > 3 {
			t.Errorf("%q: %q, want %q", c.in, got, c.want)
		}
	}
}

func FuzzDistance(f *testing.F) {
	f.Add("chip", "chips")
	f.Add("bias_gelu_fusion", "no-bias-gelu-fusion")
	f.Add("tow_chips", "TWO_CHPIS")
	f.Fuzz(func(t *testing.T, a, b string) {
		if len(a) > 50 || len(b) > 50 {
			return
		}
		d := Distance(a, b)
		if d != Distance(b, a) || (d == 0) != (a == b) || d > Edit*max(len(a), len(b)) {
			t.Errorf("%q to %q: %d", a, b, d)
		}
		for most := range 20 {
			if got := within(a, b, most); got != d && (got <= most || d <= most) {
				t.Errorf("%q to %q within %d: %d, not %d", a, b, most, got, d)
			}
		}
	})
}
