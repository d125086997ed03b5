package site

import (
	"bytes"
	"compress/gzip"
	"strings"
)

// Loaded lists the files that a page under the given base asks for before anything is done with it: its style sheets
// and the scripts that it names. What scripts fetch later is not among them.
func (f Files) Loaded(base, page string) []string {
	var names []string
	for _, tag := range strings.Split(string(f[page]), "<")[1:] {
		tag, _, _ = strings.Cut(tag, ">")
		var link string
		switch {
		case strings.HasPrefix(tag, "script "):
			_, link, _ = strings.Cut(tag, ` src="`)
		case strings.HasPrefix(tag, `link rel="stylesheet"`):
			_, link, _ = strings.Cut(tag, ` href="`)
		}
		link, _, _ = strings.Cut(link, `"`)
		name, ours := strings.CutPrefix(link, base)
		if _, there := f[name]; ours && there {
			names = append(names, name)
		}
	}
	return names
}

// Packed is how many bytes a file is after gzip -9, whatever Go's other levels do from release to release.
func Packed(data []byte) int {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // the level is valid
	w.Write(data)                                         // into memory
	w.Close()
	return b.Len()
}

// Weigh is how many bytes a page's HTML is, and its style and scripts, each after gzip -9. The script that stands in
// the page itself counts with the scripts.
func (f Files) Weigh(base, page string) (html, assets int) {
	data := f[page]
	const begin, end = "<script data-base", "</script>"
	if before, rest, ok := bytes.Cut(data, []byte(begin)); ok {
		script, after, _ := bytes.Cut(rest, []byte(end))
		data = bytes.Join([][]byte{before, after}, nil)
		assets = Packed(script)
	}
	for _, name := range f.Loaded(base, page) {
		assets += Packed(f[name])
	}
	return Packed(data), assets
}
