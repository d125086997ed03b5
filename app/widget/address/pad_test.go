//go:build !js

package address

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestPadAddress(t *testing.T) {
	random := func(n int) string { // text that hardly compresses
		r := rand.New(rand.NewPCG(1, 2))
		var b strings.Builder
		for range n {
			b.WriteByte(byte('!' + r.IntN(90)))
		}
		return b.String()
	}
	for _, text := range []string{"", "a = 1\n", "title Größe → 1 µs 🙂\n\tx = 2",
		strings.Repeat("a = 1 # long\n", 5000),
		strings.Repeat("x", MaxPadText), random(12_000)} {
		code, err := EncodePad(text)
		if err != nil {
			t.Errorf("%.20q: %v", text, err)
			continue
		}
		if strings.ContainsFunc(code, func(r rune) bool { return !WordRune(r) && r != '-' }) {
			t.Errorf("%.20q: %q needs escaping in an address", text, code)
		}
		if got, err := DecodePad(code); err != nil || got != text {
			t.Errorf("%.20q came back as %.20q, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{
		strings.Repeat("x", MaxPadText+1): "64 KiB", "a\x00b": "characters", "a\xffb": "characters",
		"a\rb": "characters", random(40_000): "compressed",
	} {
		if code, err := EncodePad(text); err == nil || code != "" || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %.20q, %v; want an error with %q", text, code, err, want)
		}
	}
}

func TestPadAddressIsNotTrusted(t *testing.T) {
	good := packPad(t, "a = 1\n")
	for code, want := range map[string]string{
		"": "not made", "2" + good[1:]: "not made", "<script>": "not made", "1": "missing", "1%3Cimg": "changed",
		good[:len(good)-3]: "changed",
		"1\n" + good[1:]:   "changed", good + "AAAA": "changed", "1" + strings.Repeat("A", 30_000): "longer",
		packPad(t, "a\x01b"): "characters", packPad(t, "\xff\xfe"): "characters",
		packPad(t, "a\x7fb"): "characters", packPad(t, "a\rb"): "characters",
		packPad(t, strings.Repeat("\x00", 8<<20)):     "64 KiB", // a bomb: 8 MiB in 8 kB
		packPad(t, strings.Repeat("a", MaxPadText+1)): "64 KiB",
	} {
		if text, err := DecodePad(code); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.30q: %.20q, %v; want an error with %q", code, text, err, want)
		}
	}
}
