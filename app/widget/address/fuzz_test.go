//go:build !js

package address

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/scalebook/scalebook/app/scrap"
)

// What Encode writes is what Decode reads, and decoding what was decoded changes nothing.
func FuzzAddress(plain *testing.F) {
	f := scrap.Of(plain)
	f.Add("int8-matmul", "B", "512", "a.B=1&utm=2")
	f.Add("a", "x_1", "4*8 GiB/s + 3%&=#?é\"<", "a.B=%zz&=&&a.B=1+1")
	f.Add("", "", "", "?")
	f.Fuzz(func(t *testing.T, id, name, text, query string) {
		p := Param{id, name, text}
		encoded := Encode([]Param{p})
		ps, others, problems := Decode(encoded)
		if encoded != "" && (len(ps) != 1 || ps[0] != p || len(others)+len(problems) > 0) {
			t.Errorf("%+v is written %q and read %+v", p, encoded, ps)
		}
		if strings.Trim(encoded, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~%!$()*+,/:=&") != "" {
			t.Errorf("%q has characters that no address should have", encoded)
		}
		ps, others, _ = Decode(query)
		again, _, problems := Decode(Query(ps, others))
		if !slices.Equal(ps, again) || len(problems) > 0 && len(query) < maxQuery/4 {
			t.Errorf("%q: %+v, then %+v, %q", query, ps, again, problems)
		}
	})
}

// packPad is any text as an address would carry it, whether it may or not.
func packPad(t testing.TB, text string) string {
	t.Helper()
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, flate.BestCompression) // the level is valid
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return "1" + base64.RawURLEncoding.EncodeToString(b.Bytes())
}

// Whatever stands in an address, decoding it gives a text that may be there or an error, in bounded space; and what is
// encoded comes back.
func FuzzPadAddress(plain *testing.F) {
	f := scrap.Of(plain)
	for _, s := range []string{"", "1", "a = 1\n", "1AAAA", packPad(f, "let B = 2"),
		packPad(f, strings.Repeat("ab\x00", 1<<20)), "title é\n\tx = \"<b>\"", "a\x00", "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if text, err := DecodePad(s); err == nil {
			if CheckPad(text) != nil {
				t.Fatalf("%q gives %q", s, text)
			}
			if code, err := EncodePad(text); err == nil {
				if again, err := DecodePad(code); err != nil || again != text {
					t.Fatalf("%q became %q, %v", text, again, err)
				}
			}
		}
		code, err := EncodePad(s)
		if err != nil {
			return
		}
		if got, err := DecodePad(code); err != nil || got != s {
			t.Fatalf("%q became %q, %v", s, got, err)
		}
	})
}
