package url

import (
	whole "net/url"
	"testing"
)

// Of addresses as browsers give them, the parts are those that net/url finds, as they are written.
func TestParse(t *testing.T) {
	for _, address := range []string{
		"https://example.org/scalebook/rooflines/?int8-matmul.B=512&x=%C3%A9#part-1", "http://127.0.0.1:8080/",
		"http://[::1]:8080/a:b/c",
		"https://example.org", "https://example.org?x=1", "file:///tmp/a%20b.html#c%23d", "/a/b?c#d", "about:blank#x",
		"a/b:c", "", "#x", "?a#", "HTTPS://A/",
	} {
		u, err := Parse(address)
		want, wrong := whole.Parse(address)
		if err != nil || wrong != nil {
			t.Fatalf("%s: %v, %v", address, err, wrong)
		}
		path := want.EscapedPath()
		if want.Opaque != "" {
			path = want.Opaque
		}
		got := [...]string{u.Scheme, u.Host, u.Hostname(), u.Path, u.RawQuery, u.Fragment}
		if parts := [...]string{want.Scheme, want.Host, hostname(want), path, want.RawQuery,
			want.EscapedFragment()}; got != parts {
			t.Errorf("%s: %q, want %q", address, got, parts)
		}
		again, err := Parse(u.String())
		if err != nil || *again != *u {
			t.Errorf("%s became %s", address, u)
		}
	}
	if _, err := Parse("http://a/\n"); err == nil {
		t.Error("a control character is taken for a part of an address")
	}
}

// hostname is net/url's with the brackets, which only matter to who looks the name up.
func hostname(u *whole.URL) string {
	if u.Port() == "" {
		return u.Host
	}
	return u.Host[:len(u.Host)-len(u.Port())-1]
}
