// Package url stands in for net/url in the browser's program. It only takes apart the addresses that the browser
// gives, which are whole and escaped, and puts them together again.
package url

import (
	"errors"
	"strings"
)

// URL is an address in parts, as they are written.
type URL struct {
	Scheme, Host, Path, RawQuery, Fragment string
}

// Parse takes an address apart: scheme://host/path?query#fragment, of which all may be missing, or scheme:path.
func Parse(address string) (*URL, error) {
	if strings.ContainsFunc(address, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return nil, errors.New("an address holds no control characters")
	}
	u := &URL{}
	address, u.Fragment, _ = strings.Cut(address, "#")
	address, u.RawQuery, _ = strings.Cut(address, "?")
	if i := strings.IndexAny(address, ":/"); i > 0 && address[i] == ':' {
		u.Scheme, address = strings.ToLower(address[:i]), address[i+1:]
	}
	if rest, ok := strings.CutPrefix(address, "//"); ok {
		end := strings.IndexByte(rest+"/", '/')
		u.Host, address = rest[:end], rest[end:]
	}
	u.Path = address
	return u, nil
}

// String is the address.
func (u *URL) String() string {
	text := u.Path
	if u.Host != "" {
		text = "//" + u.Host + text
	}
	if u.Scheme != "" {
		text = u.Scheme + ":" + text
	}
	if u.RawQuery != "" {
		text += "?" + u.RawQuery
	}
	if u.Fragment != "" {
		text += "#" + u.Fragment
	}
	return text
}

// Hostname is the host without its port.
func (u *URL) Hostname() string {
	if i := strings.LastIndexByte(u.Host, ':'); i > strings.LastIndexByte(u.Host, ']') {
		return u.Host[:i]
	}
	return u.Host
}
